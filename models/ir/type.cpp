// SPDX-License-Identifier: MIT
/*
 * DOC: Element types of models
 *
 * Their names in ONNX, and the types of the device. Elements of types without arithmetic on the device can still
 * be moved.
 */
#include "type.h"

namespace models::ir {

static constexpr TypeRow ROWS[] = {
	{Type::NONE, "no type", 0, ACL_DT_UNDEFINED, ACL_DT_UNDEFINED, false},
	{Type::FLOAT, "FLOAT", 4, ACL_FLOAT, ACL_FLOAT, true},
	{Type::UINT8, "UINT8", 1, ACL_UINT8, ACL_UINT8, false},
	{Type::INT8, "INT8", 1, ACL_INT8, ACL_INT8, false},
	{Type::UINT16, "UINT16", 2, ACL_DT_UNDEFINED, ACL_INT16, false},
	{Type::INT16, "INT16", 2, ACL_INT16, ACL_INT16, false},
	{Type::INT32, "INT32", 4, ACL_INT32, ACL_INT32, false},
	{Type::INT64, "INT64", 8, ACL_INT64, ACL_INT64, false},
	{Type::STRING, "STRING", 0, ACL_DT_UNDEFINED, ACL_DT_UNDEFINED, false},
	{Type::BOOL, "BOOL", 1, ACL_BOOL, ACL_BOOL, false},
	{Type::FLOAT16, "FLOAT16", 2, ACL_FLOAT16, ACL_FLOAT16, true},
	{Type::DOUBLE, "DOUBLE", 8, ACL_DOUBLE, ACL_DOUBLE, true},
	{Type::UINT32, "UINT32", 4, ACL_DT_UNDEFINED, ACL_INT32, false},
	{Type::UINT64, "UINT64", 8, ACL_DT_UNDEFINED, ACL_INT64, false},
	{Type::BFLOAT16, "BFLOAT16", 2, ACL_BF16, ACL_BF16, true},
};

const TypeRow *find_type(int32_t number)
{
	for (const TypeRow &row : ROWS)
		if (number != 0 && static_cast<int32_t>(row.type) == number)
			return &row;
	return nullptr;
}

const TypeRow &row_of(Type type)
{
	const TypeRow *row = find_type(static_cast<int32_t>(type));
	return row ? *row : ROWS[0];
}

} // namespace models::ir
