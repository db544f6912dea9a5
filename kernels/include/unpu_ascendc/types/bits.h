/* SPDX-License-Identifier: MIT */
/*
 * DOC: Bits of floating point numbers
 *
 * Conversions between float and the bits of half and bfloat16, without branches so that compilers vectorise loops of
 * them. All round to nearest, ties to even.
 */
#ifndef UNPU_ASCENDC_TYPES_BITS_H
#define UNPU_ASCENDC_TYPES_BITS_H

#include <stdint.h>

namespace unpu::lang {

/* What std::bit_cast is in C++20. */
template <class To, class From> constexpr To cast_bits(const From &from)
{
	static_assert(sizeof(To) == sizeof(From), "both have to have the same size");
	return __builtin_bit_cast(To, from);
}

constexpr float float_of_half(uint16_t bits)
{
	const uint32_t magnitude = uint32_t(bits & 0x7fff) << 13;
	/* The exponent moves from bias 15 to bias 127; the multiplication is exact, for subnormal numbers too. */
	const uint32_t scaled = cast_bits<uint32_t>(cast_bits<float>(magnitude) * 0x1p112f);
	const uint32_t finite = magnitude >= 0x0f800000u ? (magnitude | 0x7f800000u) : scaled;

	return cast_bits<float>(finite | uint32_t(bits & 0x8000) << 16);
}

constexpr uint16_t half_of_float(float value)
{
	const uint32_t bits = cast_bits<uint32_t>(value);
	const uint32_t sign = bits & 0x80000000u;
	const uint32_t magnitude = bits ^ sign;
	/* Below 2^-14 the sum with 0.5 puts the bits of a subnormal half at the end of the mantissa, rounded. */
	const uint32_t small =
		cast_bits<uint32_t>(cast_bits<float>(magnitude) + 0.5f) - 0x3f000000u;
	const uint32_t normal = (magnitude + 0xc8000fffu + ((magnitude >> 13) & 1u)) >> 13;
	const uint32_t finite = magnitude < 0x38800000u ? small : normal;
	const uint32_t special =
		magnitude > 0x7f800000u ? 0x7e00u | ((magnitude >> 13) & 0x3ffu) : 0x7c00u;

	return uint16_t((magnitude >= 0x47800000u ? special : finite) | (sign >> 16));
}

constexpr float float_of_bfloat16(uint16_t bits)
{
	return cast_bits<float>(uint32_t(bits) << 16);
}

constexpr uint16_t bfloat16_of_float(float value)
{
	const uint32_t bits = cast_bits<uint32_t>(value);
	const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
	const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;

	return uint16_t(is_nan ? (bits >> 16) | 0x40u : rounded);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TYPES_BITS_H */
