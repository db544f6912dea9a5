// SPDX-License-Identifier: MIT
/**
 * DOC: Elements
 *
 * The elements are small whole numbers. Every type can represent them exactly, and also their sums, products,
 * minima and maxima.
 */
#include "elements.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace hccl_bench {

static constexpr Type TYPES[] = {
	{"int8", HCCL_DATA_TYPE_INT8, 1},     {"int16", HCCL_DATA_TYPE_INT16, 2},
	{"int32", HCCL_DATA_TYPE_INT32, 4},   {"int64", HCCL_DATA_TYPE_INT64, 8},
	{"uint8", HCCL_DATA_TYPE_UINT8, 1},   {"uint16", HCCL_DATA_TYPE_UINT16, 2},
	{"uint32", HCCL_DATA_TYPE_UINT32, 4}, {"uint64", HCCL_DATA_TYPE_UINT64, 8},
	{"fp16", HCCL_DATA_TYPE_FP16, 2},     {"fp32", HCCL_DATA_TYPE_FP32, 4},
	{"fp64", HCCL_DATA_TYPE_FP64, 8},     {"bfp16", HCCL_DATA_TYPE_BFP16, 2},
};

const Type *find_type(const std::string &name)
{
	const auto *found = std::find_if(std::begin(TYPES), std::end(TYPES),
					 [&](const Type &each) { return name == each.name; });
	return found == std::end(TYPES) ? nullptr : found;
}

std::vector<std::string> type_names()
{
	std::vector<std::string> names;
	for (const Type &each : TYPES)
		names.emplace_back(each.name);
	return names;
}

bool find_op(const std::string &name, HcclReduceOp &op)
{
	static constexpr const char *NAMES[] = {"sum", "prod", "max", "min"};
	const auto *found = std::find_if(std::begin(NAMES), std::end(NAMES),
					 [&](const char *each) { return name == each; });
	op = static_cast<HcclReduceOp>(found - std::begin(NAMES));
	return found != std::end(NAMES);
}

unsigned number(HcclReduceOp op, uint32_t rank, uint64_t i)
{
	if (op == HCCL_REDUCE_PROD)
		return rank == 0 ? static_cast<unsigned>(i % 7) : 1;
	return static_cast<unsigned>((i + rank) % 7);
}

unsigned combined(HcclReduceOp op, uint32_t ranks, uint64_t i)
{
	unsigned result = number(op, 0, i);
	for (uint32_t rank = 1; rank < ranks; rank++) {
		const unsigned next = number(op, rank, i);
		result = op == HCCL_REDUCE_SUM	  ? result + next
			 : op == HCCL_REDUCE_PROD ? result * next
			 : op == HCCL_REDUCE_MAX  ? std::max(result, next)
						  : std::min(result, next);
	}
	return result;
}

/* Converts a whole number below 128 to a float of 16 bits, exactly: the mantissa has enough bits. */
static uint16_t narrow(unsigned value, unsigned mantissa, unsigned bias)
{
	unsigned exponent = 0;
	while (value >> (exponent + 1))
		exponent++;
	if (value == 0)
		return 0;
	const unsigned fraction = (value << mantissa >> exponent) & ((1u << mantissa) - 1);
	return static_cast<uint16_t>((exponent + bias) << mantissa | fraction);
}

void put(const Type &type, unsigned value, uint8_t *to)
{
	const auto real = static_cast<float>(value);
	const double wide = value;
	const uint64_t whole = value;
	const uint16_t half =
		type.number == HCCL_DATA_TYPE_FP16 ? narrow(value, 10, 15) : narrow(value, 7, 127);
	switch (type.number) {
	case HCCL_DATA_TYPE_FP32:
		memcpy(to, &real, sizeof(real));
		break;
	case HCCL_DATA_TYPE_FP64:
		memcpy(to, &wide, sizeof(wide));
		break;
	case HCCL_DATA_TYPE_FP16:
	case HCCL_DATA_TYPE_BFP16:
		memcpy(to, &half, sizeof(half));
		break;
	default:
		memcpy(to, &whole, type.bytes);
	}
}

} // namespace hccl_bench
