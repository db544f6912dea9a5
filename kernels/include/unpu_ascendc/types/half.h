/* SPDX-License-Identifier: MIT */
/*
 * DOC: half
 *
 * The 16-bit floating point type of IEEE 754. Where the compiler has _Float16, half is that type, so that each
 * operation of the scalar unit rounds once and conversions are those of the language. clang 14 on x86 and g++ 12 on
 * AArch64 have no _Float16; there half is a class with the same operations.
 */
#ifndef UNPU_ASCENDC_TYPES_HALF_H
#define UNPU_ASCENDC_TYPES_HALF_H

#include <string.h>

#include <type_traits>

#include "unpu_ascendc/types/bits.h"

/* g++ 12 for AArch64 has the type and this macro only in C. */
#if defined(__FLT16_MANT_DIG__) && \
	!(defined(__aarch64__) && !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 13)

using half = _Float16;

#else

struct half {
	uint16_t bits;

	half() = default;
	template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
	constexpr half(T value) : bits(unpu::lang::half_of_float(static_cast<float>(value)))
	{
	}
	constexpr operator float() const { return unpu::lang::float_of_half(bits); }

	half &operator+=(half other) { return *this = half(float(*this) + float(other)); }
	half &operator-=(half other) { return *this = half(float(*this) - float(other)); }
	half &operator*=(half other) { return *this = half(float(*this) * float(other)); }
	half &operator/=(half other) { return *this = half(float(*this) / float(other)); }
};

namespace unpu::lang {
/* The type of an operation on half and T: half for integers, T for floating point. */
template <class T>
using WithHalf = std::enable_if_t<std::is_arithmetic_v<T>,
				  std::conditional_t<std::is_integral_v<T>, half, T>>;
} // namespace unpu::lang

#define UNPU_HALF_OPERATOR(op) \
	constexpr half operator op(half a, half b) \
	{ \
		return half(float(a) op float(b)); \
	} \
	template <class T> constexpr unpu::lang::WithHalf<T> operator op(half a, T b) \
	{ \
		using Wide = unpu::lang::WithHalf<T>; \
		return Wide(float(Wide(float(a))) op Wide(b)); \
	} \
	template <class T> constexpr unpu::lang::WithHalf<T> operator op(T a, half b) \
	{ \
		using Wide = unpu::lang::WithHalf<T>; \
		return Wide(Wide(a) op float(Wide(float(b)))); \
	}
UNPU_HALF_OPERATOR(+)
UNPU_HALF_OPERATOR(-)
UNPU_HALF_OPERATOR(*)
UNPU_HALF_OPERATOR(/)
#undef UNPU_HALF_OPERATOR
constexpr half operator-(half a)
{
	return half(-float(a));
}

#define UNPU_HALF_COMPARISON(op) \
	constexpr bool operator op(half a, half b) \
	{ \
		return float(a) op float(b); \
	} \
	template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> \
	constexpr bool operator op(half a, T b) \
	{ \
		return float(a) op b; \
	} \
	template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> \
	constexpr bool operator op(T a, half b) \
	{ \
		return a op float(b); \
	}
UNPU_HALF_COMPARISON(==)
UNPU_HALF_COMPARISON(!=)
UNPU_HALF_COMPARISON(<)
UNPU_HALF_COMPARISON(>)
UNPU_HALF_COMPARISON(<=)
UNPU_HALF_COMPARISON(>=)
#undef UNPU_HALF_COMPARISON

#endif

using float16_t = half;
using float32_t = float;

namespace unpu::lang {

inline uint16_t bits_of(half value)
{
	uint16_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

inline half half_of_bits(uint16_t bits)
{
	half value;

	memcpy(&value, &bits, sizeof(bits));
	return value;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TYPES_HALF_H */
