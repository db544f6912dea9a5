/* SPDX-License-Identifier: MIT */
/*
 * DOC: bfloat16_t
 *
 * The upper half of a float. The device computes nothing with it: kernels load, store and convert it. Conversions from
 * numbers are implicit only where nothing is lost in meaning, and there is no arithmetic.
 */
#ifndef UNPU_ASCENDC_TYPES_BFLOAT16_H
#define UNPU_ASCENDC_TYPES_BFLOAT16_H

#include "unpu_ascendc/types/half.h"

struct bfloat16_t {
	uint16_t bits;

	bfloat16_t() = default;
	template <class T,
		  class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, half>>>
	constexpr bfloat16_t(T value)
		: bits(unpu::lang::bfloat16_of_float(static_cast<float>(value)))
	{
	}
	/* Explicit, so that the compiler refuses a sum of two bfloat16_t. */
	explicit constexpr operator float() const { return unpu::lang::float_of_bfloat16(bits); }

	friend constexpr bool operator==(bfloat16_t a, bfloat16_t b)
	{
		return float(a) == float(b);
	}
	friend constexpr bool operator!=(bfloat16_t a, bfloat16_t b)
	{
		return float(a) != float(b);
	}
};

namespace unpu::lang {

/* A number as float, whatever 16-bit or 32-bit type it has. */
template <class T> constexpr float as_float(T value)
{
	return static_cast<float>(value);
}

} // namespace unpu::lang

namespace AscendC {

constexpr float ToFloat(const bfloat16_t &value)
{
	return float(value);
}

constexpr bfloat16_t ToBfloat16(const float &value)
{
	return bfloat16_t(value);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_TYPES_BFLOAT16_H */
