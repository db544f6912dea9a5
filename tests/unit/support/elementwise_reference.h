// SPDX-License-Identifier: MIT
/*
 * DOC: Reference for the element-wise operators
 *
 * The slow way, in long double, one element at a time, sharing no arithmetic with the firmware. The
 * operands lie in buffers exactly as large as operand_reach() says, so that the address sanitizer
 * also checks the reach.
 */
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "firmware_sim/kernels/dtype.h"
#include "firmware_sim/kernels/elementwise.h"
#include "firmware_sim/kernels/operator_check.h"

namespace reference {

using Bytes = std::vector<std::byte>;
using Random = std::mt19937_64;

constexpr uint32_t dtypes[] = {
#define TEST_DTYPE(name, number, bytes) number,
	UNPU_DTYPE_LIST(TEST_DTYPE)
#undef TEST_DTYPE
};

constexpr uint32_t computes[] = {UNPU_DTYPE_F32, UNPU_DTYPE_I64, UNPU_DTYPE_BOOL};
constexpr uint32_t kinds[] = {UNPU_OPERATOR_ADD, UNPU_OPERATOR_MUL, UNPU_OPERATOR_MAX,
			      UNPU_OPERATOR_MIN};

inline bool is_float(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16;
}

/*
 * Reference: a binary float with @mantissa stored bits, least normal exponent @least, from first
 * principles.
 */
struct Format {
	int mantissa, least, bias;
};

constexpr Format half = {10, -14, 15}, bfloat = {7, -126, 127};

inline long double reference_decode(Format format, uint16_t bits)
{
	const int exponent_bits = 15 - format.mantissa;
	const int exponent = (bits >> format.mantissa) & ((1 << exponent_bits) - 1);
	const int mantissa = bits & ((1 << format.mantissa) - 1);
	long double value;

	if (exponent == (1 << exponent_bits) - 1)
		value = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		value = std::ldexp((long double)mantissa, format.least - format.mantissa);
	else
		value = std::ldexp((long double)(mantissa + (1 << format.mantissa)),
				   exponent - format.bias - format.mantissa);
	return bits & 0x8000 ? -value : value;
}

inline uint16_t reference_encode(Format format, long double value)
{
	const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
	const int infinity = ((1 << (15 - format.mantissa)) - 1) << format.mantissa;
	const long double size = std::fabs(value);

	if (std::isnan(value))
		return sign | infinity | (1 << (format.mantissa - 1));
	if (size == 0)
		return sign;
	if (std::isinf(value))
		return sign | infinity;
	const int exponent = std::max(std::ilogb(size), format.least);
	/* nearbyint() rounds ties to even; a carry into the exponent comes out right by itself. */
	const int steps = (int)std::nearbyint(std::ldexp(size, format.mantissa - exponent));
	const int bits = ((exponent - format.least) << format.mantissa) + steps;
	return sign | (uint16_t)std::min(bits, infinity);
}

/* One element in the reference: floats in @real, the others in @integer. */
struct Value {
	bool real_kind;
	long double real;
	int64_t integer;
};

template <class T> T read_bits(const std::byte *from)
{
	T value;

	std::memcpy(&value, from, sizeof(value));
	return value;
}

inline Value reference_read(uint32_t dtype, const std::byte *from)
{
	switch (dtype) {
	case UNPU_DTYPE_F32:
		return {true, read_bits<float>(from), 0};
	case UNPU_DTYPE_F16:
		return {true, reference_decode(half, read_bits<uint16_t>(from)), 0};
	case UNPU_DTYPE_BF16:
		return {true, reference_decode(bfloat, read_bits<uint16_t>(from)), 0};
	case UNPU_DTYPE_I8:
		return {false, 0, read_bits<int8_t>(from)};
	case UNPU_DTYPE_I16:
		return {false, 0, read_bits<int16_t>(from)};
	case UNPU_DTYPE_I32:
		return {false, 0, read_bits<int32_t>(from)};
	case UNPU_DTYPE_I64:
		return {false, 0, read_bits<int64_t>(from)};
	case UNPU_DTYPE_U8:
		return {false, 0, read_bits<uint8_t>(from)};
	}
	return {false, 0, read_bits<uint8_t>(from) != 0};
}

inline int64_t saturate(long double value, int64_t low, int64_t high)
{
	if (std::isnan(value))
		return 0;
	if (value <= (long double)low)
		return low;
	return value >= (long double)high ? high : (int64_t)value;
}

template <class T> void write_integer(std::byte *to, const Value &value)
{
	using Limits = std::numeric_limits<T>;
	const T bits = value.real_kind ? (T)saturate(value.real, Limits::min(), Limits::max())
				       : (T)value.integer;

	std::memcpy(to, &bits, sizeof(bits));
}

inline void reference_write(uint32_t dtype, std::byte *to, const Value &value)
{
	const long double real = value.real_kind ? value.real : (long double)value.integer;
	const float single = (float)real;
	const uint16_t short_bits = reference_encode(dtype == UNPU_DTYPE_F16 ? half : bfloat, real);
	const uint8_t truth = value.real_kind ? value.real != 0 : value.integer != 0;

	switch (dtype) {
	case UNPU_DTYPE_F32:
		std::memcpy(to, &single, sizeof(single));
		return;
	case UNPU_DTYPE_F16:
	case UNPU_DTYPE_BF16:
		std::memcpy(to, &short_bits, sizeof(short_bits));
		return;
	case UNPU_DTYPE_I8:
		return write_integer<int8_t>(to, value);
	case UNPU_DTYPE_I16:
		return write_integer<int16_t>(to, value);
	case UNPU_DTYPE_I32:
		return write_integer<int32_t>(to, value);
	case UNPU_DTYPE_I64:
		return write_integer<int64_t>(to, value);
	case UNPU_DTYPE_U8:
		return write_integer<uint8_t>(to, value);
	case UNPU_DTYPE_BOOL:
		std::memcpy(to, &truth, sizeof(truth));
		return;
	}
}

inline float as_float(const Value &value)
{
	return value.real_kind ? (float)value.real : (float)value.integer;
}

inline uint64_t as_word(const Value &value)
{
	using Limits = std::numeric_limits<int64_t>;

	return (uint64_t)(value.real_kind ? saturate(value.real, Limits::min(), Limits::max())
					  : value.integer);
}

inline bool as_truth(const Value &value)
{
	return value.real_kind ? value.real != 0 : value.integer != 0;
}

/* reference_pick() - the greater or the lesser one; the second of two equal ones. */
inline Value reference_pick(const unpu_operator &op, const Value &a, const Value &b)
{
	const bool max = op.kind == UNPU_OPERATOR_MAX;

	if (op.compute == UNPU_DTYPE_I64) {
		const int64_t x = (int64_t)as_word(a), y = (int64_t)as_word(b);
		return {false, 0, max ? std::max(x, y) : std::min(x, y)};
	}
	if (op.compute == UNPU_DTYPE_BOOL) {
		const bool x = as_truth(a), y = as_truth(b);
		return {false, 0, max ? x || y : x && y};
	}
	const float x = as_float(a), y = as_float(b);
	if (std::isnan(x) || std::isnan(y))
		return {true, NAN, 0};
	return {true, (max ? x > y : x < y) ? x : y, 0};
}

inline Value reference_combine(const unpu_operator &op, const Value &a, const Value &b)
{
	const bool add = op.kind == UNPU_OPERATOR_ADD;

	if (op.kind == UNPU_OPERATOR_MAX || op.kind == UNPU_OPERATOR_MIN)
		return reference_pick(op, a, b);
	if (op.compute == UNPU_DTYPE_I64) {
		const uint64_t sum = as_word(a) + op.scalar_bits * as_word(b);
		return {false, 0, (int64_t)(add ? sum : as_word(a) * as_word(b))};
	}
	if (op.compute == UNPU_DTYPE_BOOL) {
		const bool sum = as_truth(a) || (op.scalar_bits != 0 && as_truth(b));
		return {false, 0, add ? sum : as_truth(a) && as_truth(b)};
	}
	/*
	 * A double holds a product of floats exactly, and a sum well enough to round it to a
	 * float.
	 */
	const float x = as_float(a), y = as_float(b);
	if (!add)
		return {true, (float)((double)x * (double)y), 0};
	const float product =
		(float)((double)(float)std::bit_cast<double>(op.scalar_bits) * (double)y);
	return {true, (float)((double)x + (double)product), 0};
}

/* A descriptor with packed operands over @dims. */
inline unpu_operator make_operator(uint32_t kind, uint32_t compute, std::vector<int64_t> dims,
				   std::array<uint32_t, 3> types)
{
	unpu_operator op = {};

	op.kind = kind;
	op.compute = compute;
	op.ndim = (uint32_t)dims.size();
	op.noperands = 3;
	if (kind == UNPU_OPERATOR_ADD)
		op.scalar_bits = compute == UNPU_DTYPE_F32 ? std::bit_cast<uint64_t>(1.0) : 1;
	std::copy(dims.begin(), dims.end(), op.dims);
	for (unsigned i = 0; i < 3; i++) {
		int64_t stride = 1;
		op.operands[i].address = 0x10000000ull * (i + 1);
		op.operands[i].dtype = types[i];
		op.operands[i].access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		for (unsigned d = op.ndim; d-- > 0;) {
			op.operands[i].strides[d] = stride;
			stride *= dims[d];
		}
	}
	return op;
}

/* Memory for the operands of @op: each buffer is its reach and no byte more. */
class Memory {
public:
	explicit Memory(const unpu_operator &op) : op_(op)
	{
		for (unsigned i = 0; i < 3; i++) {
			const fw::Reach reach = fw::operand_reach(op, i);

			buffers_[i].resize(reach.bytes);
			origin_[i] = (int64_t)(op.operands[i].address - reach.first);
		}
	}

	Bytes &buffer(unsigned i) { return buffers_[i]; }
	std::byte *base(unsigned i) { return buffers_[i].data() + origin_[i]; }

	void run() { fw::run_elementwise(op_, {base(0), base(1), base(2), nullptr}); }

	/* element() - the address of element @index of operand @i. */
	std::byte *element(unsigned i, const std::vector<int64_t> &index)
	{
		const unpu_operand &operand = op_.operands[i];
		int64_t offset = 0;

		for (unsigned d = 0; d < op_.ndim; d++)
			offset += index[d] * operand.strides[d];
		return base(i) + offset * (int64_t)fw::dtype_bytes(operand.dtype);
	}

	/*
	 * run_reference() - what the output buffer holds after the reference ran on the same
	 * input.
	 */
	Bytes run_reference()
	{
		Bytes expected = buffers_[0];
		std::vector<int64_t> index(op_.ndim, 0);

		for (bool more = true; more;) {
			const Value a = reference_read(op_.operands[1].dtype, element(1, index));
			const Value b = reference_read(op_.operands[2].dtype, element(2, index));
			const auto offset = element(0, index) - buffers_[0].data();

			reference_write(op_.operands[0].dtype, expected.data() + offset,
					reference_combine(op_, a, b));
			more = next(index);
		}
		return expected;
	}

private:
	bool next(std::vector<int64_t> &index) const
	{
		for (unsigned d = op_.ndim; d-- > 0;) {
			if (++index[d] < op_.dims[d])
				return true;
			index[d] = 0;
		}
		return false;
	}

	unpu_operator op_;
	std::array<Bytes, 3> buffers_;
	std::array<int64_t, 3> origin_;
};

/* same() - equal bytes, where any NaN equals any other. */
inline bool same(uint32_t dtype, const Bytes &left, const Bytes &right)
{
	const size_t size = fw::dtype_bytes(dtype);

	if (left == right)
		return true;
	if (!is_float(dtype))
		return false;
	for (size_t i = 0; i + size <= left.size(); i += size) {
		const Value a = reference_read(dtype, &left[i]),
			    b = reference_read(dtype, &right[i]);

		if (std::memcmp(&left[i], &right[i], size) != 0 &&
		    !(std::isnan(a.real) && std::isnan(b.real)))
			return false;
	}
	return true;
}

inline uint64_t new_seed()
{
	return std::random_device()();
}

} // namespace reference
