// SPDX-License-Identifier: MIT
/**
 * DOC: Elements
 *
 * The types of elements, and which of them the device reduces.
 */
#include "elements.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "hccl_result.h"
#include "uapi/unsigned.h"

namespace umd {

namespace {

struct TypeRow {
	HcclDataType type;
	const char *name;
	uint64_t bytes;
	uint32_t dtype; /* 0: the device copies this type, but does not reduce it */
	uint32_t compute;
};

constexpr TypeRow TYPES[] = {
	{HCCL_DATA_TYPE_INT8, "INT8", 1, UNPU_DTYPE_I8, UNPU_DTYPE_I64},
	{HCCL_DATA_TYPE_INT16, "INT16", 2, UNPU_DTYPE_I16, UNPU_DTYPE_I64},
	{HCCL_DATA_TYPE_INT32, "INT32", 4, UNPU_DTYPE_I32, UNPU_DTYPE_I64},
	{HCCL_DATA_TYPE_FP16, "FP16", 2, UNPU_DTYPE_F16, UNPU_DTYPE_F32},
	{HCCL_DATA_TYPE_FP32, "FP32", 4, UNPU_DTYPE_F32, UNPU_DTYPE_F32},
	{HCCL_DATA_TYPE_INT64, "INT64", 8, UNPU_DTYPE_I64, UNPU_DTYPE_I64},
	{HCCL_DATA_TYPE_UINT64, "UINT64", 8, UNPU_DTYPE_U64, UNPU_DTYPE_U64},
	{HCCL_DATA_TYPE_UINT8, "UINT8", 1, UNPU_DTYPE_U8, UNPU_DTYPE_I64},
	{HCCL_DATA_TYPE_UINT16, "UINT16", 2, UNPU_DTYPE_U16, UNPU_DTYPE_U16},
	{HCCL_DATA_TYPE_UINT32, "UINT32", 4, UNPU_DTYPE_U32, UNPU_DTYPE_U32},
	{HCCL_DATA_TYPE_FP64, "FP64", 8, UNPU_DTYPE_F64, UNPU_DTYPE_F64},
	{HCCL_DATA_TYPE_BFP16, "BFP16", 2, UNPU_DTYPE_BF16, UNPU_DTYPE_F32},
	{HCCL_DATA_TYPE_HIF8, "HIF8", 1, 0, 0},
	{HCCL_DATA_TYPE_FP8E4M3, "FP8E4M3", 1, 0, 0},
	{HCCL_DATA_TYPE_FP8E5M2, "FP8E5M2", 1, 0, 0},
	{HCCL_DATA_TYPE_FP8E8M0, "FP8E8M0", 1, 0, 0},
};

struct OpRow {
	HcclReduceOp op;
	const char *name;
	unpu_operator_kind kind;
};

constexpr OpRow OPS[] = {
	{HCCL_REDUCE_SUM, "SUM", UNPU_OPERATOR_ADD},
	{HCCL_REDUCE_PROD, "PROD", UNPU_OPERATOR_MUL},
	{HCCL_REDUCE_MAX, "MAX", UNPU_OPERATOR_MAX},
	{HCCL_REDUCE_MIN, "MIN", UNPU_OPERATOR_MIN},
};

const TypeRow *row_of(HcclDataType type)
{
	const TypeRow *row =
		std::find_if(std::begin(TYPES), std::end(TYPES),
			     [type](const TypeRow &each) { return each.type == type; });
	return row == std::end(TYPES) ? nullptr : row;
}

const OpRow *row_of(HcclReduceOp op)
{
	const OpRow *row = std::find_if(std::begin(OPS), std::end(OPS),
					[op](const OpRow &each) { return each.op == op; });
	return row == std::end(OPS) ? nullptr : row;
}

} // namespace

uint64_t element_bytes(HcclDataType type)
{
	const TypeRow *row = row_of(type);
	return row ? row->bytes : 0;
}

const char *type_name(HcclDataType type)
{
	const TypeRow *row = row_of(type);
	return row ? row->name : "no type";
}

const char *op_name(HcclReduceOp op)
{
	const OpRow *row = row_of(op);
	return row ? row->name : "no operation";
}

HcclResult find_combine(HcclDataType type, HcclReduceOp op, Combine &combine)
{
	const OpRow *how = row_of(op);
	if (!how)
		return refuse(
			HCCL_E_PARA,
			fmt::format("op is {}; it must be SUM (0), PROD (1), MAX (2) or MIN (3)",
				    static_cast<int>(op)));
	const TypeRow *what = row_of(type);
	if (!what || what->dtype == 0)
		return refuse(
			HCCL_E_NOT_SUPPORT,
			fmt::format("dataType is {} ({}), which is only copied; integers of 8 to "
				    "64 bits, FP16, FP32, FP64 and BFP16 are reduced",
				    type_name(type), static_cast<int>(type)));
	combine = {how->kind, what->dtype, what->compute};
	return HCCL_SUCCESS;
}

} // namespace umd
