// SPDX-License-Identifier: MIT
/**
 * DOC: what a reduction has to be
 */
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

namespace hccl_test {

namespace {

/* A floating type of 16 bits: so many bits of exponent and mantissa. */
struct Narrow {
	int exponent_bits;
	int mantissa_bits;
};
constexpr Narrow HALF = {5, 10};
constexpr Narrow BFLOAT = {8, 7};

double widen(Narrow form, uint16_t bits)
{
	const int bias = (1 << (form.exponent_bits - 1)) - 1;
	const int exponent = (bits >> form.mantissa_bits) & ((1 << form.exponent_bits) - 1);
	const int mantissa = bits & ((1 << form.mantissa_bits) - 1);
	const double sign = bits & 0x8000 ? -1.0 : 1.0;
	if (exponent == (1 << form.exponent_bits) - 1)
		return mantissa ? std::nan("") : sign * INFINITY;
	if (exponent == 0)
		return sign * std::ldexp(mantissa, 1 - bias - form.mantissa_bits);
	return sign * std::ldexp(mantissa + (1 << form.mantissa_bits),
				 exponent - bias - form.mantissa_bits);
}

/* Of the two neighbours the nearer one, of two equally near ones the even one. */
uint16_t narrow(Narrow form, double value)
{
	const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
	const double magnitude = std::fabs(value);
	uint16_t low = 0;
	uint16_t high =
		static_cast<uint16_t>(((1 << form.exponent_bits) - 1) << form.mantissa_bits);
	const uint16_t infinity = high;
	if (std::isnan(value))
		return static_cast<uint16_t>(infinity | 1);
	while (high - low > 1) {
		const auto middle = static_cast<uint16_t>((low + high) / 2);
		(widen(form, middle) <= magnitude ? low : high) = middle;
	}
	/* Where infinity is, the next number would be. */
	const double above = high == infinity
				     ? 2 * widen(form, static_cast<uint16_t>(infinity - 1)) -
					       widen(form, static_cast<uint16_t>(infinity - 2))
				     : widen(form, high);
	const double down = magnitude - widen(form, low);
	const double up = above - magnitude;
	const bool goes_up = up < down || (up == down && low % 2 == 1);
	return static_cast<uint16_t>(sign | (goes_up ? high : low));
}

template <class T> T combine(HcclReduceOp op, T left, T right)
{
	/* Of a number and a NaN both the greatest and the least are NaN. */
	if constexpr (std::is_floating_point_v<T>) {
		if (std::isnan(left) || std::isnan(right))
			return std::numeric_limits<T>::quiet_NaN();
	}
	switch (op) {
	case HCCL_REDUCE_MAX:
		return std::max(left, right);
	case HCCL_REDUCE_MIN:
		return std::min(left, right);
	default:
		break;
	}
	if constexpr (std::is_integral_v<T>) {
		/* Wraps. */
		const auto a = static_cast<uint64_t>(left);
		const auto b = static_cast<uint64_t>(right);
		return static_cast<T>(op == HCCL_REDUCE_SUM ? a + b : a * b);
	} else {
		return op == HCCL_REDUCE_SUM ? left + right : left * right;
	}
}

template <class T> void fold_into(HcclReduceOp op, Bytes &left, const Bytes &right)
{
	for (size_t at = 0; at < left.size(); at += sizeof(T)) {
		T a;
		T b;
		memcpy(&a, left.data() + at, sizeof(T));
		memcpy(&b, right.data() + at, sizeof(T));
		a = combine(op, a, b);
		memcpy(left.data() + at, &a, sizeof(T));
	}
}

void fold_narrow(Narrow form, HcclReduceOp op, Bytes &left, const Bytes &right)
{
	for (size_t at = 0; at < left.size(); at += 2) {
		uint16_t a;
		uint16_t b;
		memcpy(&a, left.data() + at, 2);
		memcpy(&b, right.data() + at, 2);
		a = narrow(form, combine(op, widen(form, a), widen(form, b)));
		memcpy(left.data() + at, &a, 2);
	}
}

void put_bits(Bytes &bytes, uint64_t bits, size_t size)
{
	const auto *from = reinterpret_cast<const uint8_t *>(&bits);
	bytes.insert(bytes.end(), from, from + size);
}

template <class T> void put(Bytes &bytes, T value)
{
	const auto *from = reinterpret_cast<const uint8_t *>(&value);
	bytes.insert(bytes.end(), from, from + sizeof(T));
}

} // namespace

size_t width(HcclDataType type)
{
	switch (type) {
	case HCCL_DATA_TYPE_INT16:
	case HCCL_DATA_TYPE_FP16:
	case HCCL_DATA_TYPE_UINT16:
	case HCCL_DATA_TYPE_BFP16:
		return 2;
	case HCCL_DATA_TYPE_INT32:
	case HCCL_DATA_TYPE_FP32:
	case HCCL_DATA_TYPE_UINT32:
		return 4;
	case HCCL_DATA_TYPE_INT64:
	case HCCL_DATA_TYPE_UINT64:
	case HCCL_DATA_TYPE_FP64:
		return 8;
	default:
		return 1;
	}
}

Bytes numbers(HcclDataType type, size_t count, uint32_t seed)
{
	std::mt19937_64 random(seed * 7919u + static_cast<uint32_t>(type));
	Bytes bytes;
	for (size_t i = 0; i < count; i++) {
		/* Products of all ranks stay below the largest number of 16 bits. */
		const double value = (static_cast<double>(random() % 4001) - 2000) / 512;
		if (type == HCCL_DATA_TYPE_FP32)
			put(bytes, static_cast<float>(value) * 1.1f);
		else if (type == HCCL_DATA_TYPE_FP64)
			put(bytes, value * 1.1);
		else if (type == HCCL_DATA_TYPE_FP16)
			put(bytes, narrow(HALF, value));
		else if (type == HCCL_DATA_TYPE_BFP16)
			put(bytes, narrow(BFLOAT, value));
		else
			put_bits(bytes, random(), width(type));
	}
	return bytes;
}

Bytes fold(HcclDataType type, HcclReduceOp op, const std::vector<Bytes> &data)
{
	Bytes result = data[0];
	for (size_t i = 1; i < data.size(); i++) {
		switch (type) {
		case HCCL_DATA_TYPE_INT8:
			fold_into<int8_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_UINT8:
			fold_into<uint8_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_INT16:
			fold_into<int16_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_INT32:
			fold_into<int32_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_INT64:
			fold_into<int64_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_UINT16:
			fold_into<uint16_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_UINT32:
			fold_into<uint32_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_UINT64:
			fold_into<uint64_t>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_FP64:
			fold_into<double>(op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_FP16:
			fold_narrow(HALF, op, result, data[i]);
			break;
		case HCCL_DATA_TYPE_BFP16:
			fold_narrow(BFLOAT, op, result, data[i]);
			break;
		default:
			fold_into<float>(op, result, data[i]);
			break;
		}
	}
	return result;
}

const std::vector<HcclDataType> &reduced_types()
{
	static const std::vector<HcclDataType> types = {
		HCCL_DATA_TYPE_INT8,   HCCL_DATA_TYPE_INT16,  HCCL_DATA_TYPE_INT32,
		HCCL_DATA_TYPE_INT64,  HCCL_DATA_TYPE_UINT8,  HCCL_DATA_TYPE_FP16,
		HCCL_DATA_TYPE_FP32,   HCCL_DATA_TYPE_BFP16,  HCCL_DATA_TYPE_UINT16,
		HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_UINT64, HCCL_DATA_TYPE_FP64,
	};
	return types;
}

const std::vector<HcclDataType> &copied_types()
{
	static const std::vector<HcclDataType> types = {
		HCCL_DATA_TYPE_INT8,	HCCL_DATA_TYPE_INT16,	HCCL_DATA_TYPE_INT32,
		HCCL_DATA_TYPE_FP16,	HCCL_DATA_TYPE_FP32,	HCCL_DATA_TYPE_INT64,
		HCCL_DATA_TYPE_UINT64,	HCCL_DATA_TYPE_UINT8,	HCCL_DATA_TYPE_UINT16,
		HCCL_DATA_TYPE_UINT32,	HCCL_DATA_TYPE_FP64,	HCCL_DATA_TYPE_BFP16,
		HCCL_DATA_TYPE_HIF8,	HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2,
		HCCL_DATA_TYPE_FP8E8M0,
	};
	return types;
}

} // namespace hccl_test
