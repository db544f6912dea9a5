// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "aclnn/acl_meta.h"

namespace models::ir {

/* enum class Type - element types, with the numbers of ONNX. Types of ONNX that are missing here are not supported. */
enum class Type : uint8_t {
	NONE = 0,
	FLOAT = 1,
	UINT8 = 2,
	INT8 = 3,
	UINT16 = 4,
	INT16 = 5,
	INT32 = 6,
	INT64 = 7,
	STRING = 8,
	BOOL = 9,
	FLOAT16 = 10,
	DOUBLE = 11,
	UINT32 = 12,
	UINT64 = 13,
	BFLOAT16 = 16,
};

/* struct TypeRow - one element type. @device: the type on the device; ACL_DT_UNDEFINED if the device lacks it.
 * @moved: a type of the device with the same size, for elements that are only moved */
struct TypeRow {
	Type type;
	const char *name;
	int64_t bytes;
	aclDataType device, moved;
	bool is_floating;
};

/* find_type() - the row of a type number in a file; nullptr if the type is not supported. */
const TypeRow *find_type(int32_t number);

/* row_of() - the row of a type. @type: not NONE */
const TypeRow &row_of(Type type);

inline const char *type_name(Type type)
{
	return row_of(type).name;
}
inline int64_t type_bytes(Type type)
{
	return row_of(type).bytes;
}
inline bool is_floating(Type type)
{
	return row_of(type).is_floating;
}
inline bool is_integer(Type type)
{
	return !is_floating(type) && type != Type::STRING && type != Type::BOOL;
}

} // namespace models::ir
