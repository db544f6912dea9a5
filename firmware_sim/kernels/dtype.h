// SPDX-License-Identifier: MIT
/*
 * DOC: Element types
 *
 * What each element type of the wire looks like in memory and how it becomes one of the three types
 * that arithmetic is done in: float, int64_t and bool. Every conversion is defined for every value:
 *
 *   float to integer    toward zero, saturating, NaN gives 0
 *   integer to integer  modulo 2^bits
 *   to F16 and BF16     round to nearest, ties to even; NaN gives the quiet NaN of its sign
 *   to bool             anything but zero is true, NaN too
 *
 * Loads and stores go through memcpy, so an address needs no alignment.
 */
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "uapi/operator.h"
#include "uapi/unsigned.h"

namespace fw {

/* dtype_bytes() - size of one element, 0 for a number that is no element type. */
constexpr unsigned dtype_bytes(uint32_t dtype)
{
	switch (dtype) {
#define FW_DTYPE_BYTES(name, number, bytes) \
	case number: \
		return bytes;
		UNPU_DTYPE_LIST(FW_DTYPE_BYTES)
		UNPU_UNSIGNED_DTYPE_LIST(FW_DTYPE_BYTES)
		FW_DTYPE_BYTES(F64, UNPU_DTYPE_F64, 8)
#undef FW_DTYPE_BYTES
	}
	return 0;
}

/* dtype_is_exact() - whether element-wise operators compute in the type itself, and convert nothing. */
constexpr bool dtype_is_exact(uint32_t dtype)
{
	switch (dtype) {
#define FW_DTYPE_EXACT(name, number, bytes) case number:
		UNPU_UNSIGNED_DTYPE_LIST(FW_DTYPE_EXACT)
#undef FW_DTYPE_EXACT
	case UNPU_DTYPE_F64:
		return true;
	}
	return false;
}

/*
 * half_to_float() - exact. A normal number is shifted into place and rescaled by a multiplication,
 * which carries infinity and NaN along; a subnormal one is the mantissa of 0.5 less 0.5.
 */
inline float half_to_float(uint16_t half)
{
	const uint32_t wide = static_cast<uint32_t>(half) << 16;
	const uint32_t magnitude = wide + wide;
	const float normal = std::bit_cast<float>((magnitude >> 4) + (0xe0u << 23)) * 0x1p-112f;
	const float subnormal = std::bit_cast<float>((magnitude >> 17) | (126u << 23)) - 0.5f;
	const float value = magnitude < (1u << 27) ? subnormal : normal;

	return std::bit_cast<float>((wide & 0x80000000u) | std::bit_cast<uint32_t>(value));
}

/*
 * float_to_half() - adds a power of two chosen so that the float adder rounds at the half's last bit;
 * the scaling before it turns values that are too large into infinity.
 */
inline uint16_t float_to_half(float value)
{
	const uint32_t bits = std::bit_cast<uint32_t>(value);
	const uint32_t sign = bits & 0x80000000u;
	const uint32_t shifted = bits + bits;
	const uint32_t exponent = shifted & 0xff000000u;
	const uint32_t bias = exponent < 0x71000000u ? 0x71000000u : exponent;

	if (shifted > 0xff000000u)
		return static_cast<uint16_t>((sign >> 16) | 0x7e00u);
	const float scaled = std::bit_cast<float>(bits ^ sign) * 0x1p+112f * 0x1p-110f;
	const float rounded = std::bit_cast<float>((bias >> 1) + 0x07800000u) + scaled;
	const uint32_t result = std::bit_cast<uint32_t>(rounded);

	return static_cast<uint16_t>((sign >> 16) |
				     (((result >> 13) & 0x7c00u) + (result & 0x0fffu)));
}

inline float bfloat_to_float(uint16_t bfloat)
{
	return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16);
}

inline uint16_t float_to_bfloat(float value)
{
	const uint32_t bits = std::bit_cast<uint32_t>(value);

	if (bits + bits > 0xff000000u)
		return static_cast<uint16_t>(((bits & 0x80000000u) >> 16) | 0x7fc0u);
	return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}

/*
 * int64_to_float_odd() - rounds to odd: drops the bits that a float cannot hold, and sets the last bit
 * if any of them was set, so that rounding the result to F16 or BF16 equals rounding the integer once.
 */
inline float int64_to_float_odd(int64_t value)
{
	const uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : value;
	const unsigned width = 64 - static_cast<unsigned>(std::countl_zero(magnitude));
	const unsigned shift = width > 24 ? width - 24 : 0;
	const uint64_t lost = magnitude & ((uint64_t(1) << shift) - 1);
	const uint64_t kept = ((magnitude >> shift) | (lost != 0)) << shift;
	const float result = static_cast<float>(kept);

	return value < 0 ? -result : result;
}

/* float_to_integer() - toward zero, saturating, NaN gives 0. */
template <class T> T float_to_integer(float value)
{
	/* Both bounds are powers of two or zero, so they are exact as floats. */
	constexpr float low = static_cast<float>(std::numeric_limits<T>::min());
	constexpr float end = static_cast<float>(std::numeric_limits<T>::max() / 2 + 1) * 2.0f;

	if (value >= end)
		return std::numeric_limits<T>::max();
	if (value >= low)
		return static_cast<T>(value);
	return value < low ? std::numeric_limits<T>::min() : T(0);
}

/* struct Element - the bits of an element type in memory and the type its value is read as. */
template <uint32_t Dtype> struct Element;

template <> struct Element<UNPU_DTYPE_F32> {
	using Bits = float;
	static float value(Bits bits) { return bits; }
	static Bits from(float value) { return value; }
	static Bits from(int64_t value) { return static_cast<float>(value); }
};

template <> struct Element<UNPU_DTYPE_F16> {
	using Bits = uint16_t;
	static float value(Bits bits) { return half_to_float(bits); }
	static Bits from(float value) { return float_to_half(value); }
	static Bits from(int64_t value) { return float_to_half(int64_to_float_odd(value)); }
};

template <> struct Element<UNPU_DTYPE_BF16> {
	using Bits = uint16_t;
	static float value(Bits bits) { return bfloat_to_float(bits); }
	static Bits from(float value) { return float_to_bfloat(value); }
	static Bits from(int64_t value) { return float_to_bfloat(int64_to_float_odd(value)); }
};

template <> struct Element<UNPU_DTYPE_BOOL> {
	using Bits = uint8_t;
	static int64_t value(Bits bits) { return bits != 0; }
	static Bits from(float value) { return value != 0.0f; }
	static Bits from(int64_t value) { return value != 0; }
};

template <class T> struct IntegerElement {
	using Bits = T;
	static int64_t value(Bits bits) { return bits; }
	static Bits from(float value) { return float_to_integer<T>(value); }
	static Bits from(int64_t value) { return static_cast<T>(value); }
};

template <> struct Element<UNPU_DTYPE_I8> : IntegerElement<int8_t> {
};
template <> struct Element<UNPU_DTYPE_I16> : IntegerElement<int16_t> {
};
template <> struct Element<UNPU_DTYPE_I32> : IntegerElement<int32_t> {
};
template <> struct Element<UNPU_DTYPE_I64> : IntegerElement<int64_t> {
};
template <> struct Element<UNPU_DTYPE_U8> : IntegerElement<uint8_t> {
};

/* load_element() - one element as the compute type. */
template <uint32_t Dtype, class Compute> Compute load_element(const std::byte *from)
{
	typename Element<Dtype>::Bits bits;

	std::memcpy(&bits, from, sizeof(bits));
	const auto value = Element<Dtype>::value(bits);
	if constexpr (std::is_same_v<Compute, bool>)
		return value != 0;
	else if constexpr (std::is_same_v<Compute, int64_t> &&
			   std::is_same_v<decltype(value), const float>)
		return float_to_integer<int64_t>(value);
	else
		return static_cast<Compute>(value);
}

/* store_element() - rounds or wraps a result once into the element type. */
template <uint32_t Dtype, class Compute> void store_element(std::byte *to, Compute value)
{
	typename Element<Dtype>::Bits bits;

	if constexpr (std::is_same_v<Compute, float>)
		bits = Element<Dtype>::from(value);
	else
		bits = Element<Dtype>::from(static_cast<int64_t>(value));
	std::memcpy(to, &bits, sizeof(bits));
}

} // namespace fw
