/* SPDX-License-Identifier: MIT */
/*
 * DOC: Rounding
 *
 * The rounding modes of Cast, without branches where loops use them.
 */
#ifndef UNPU_ASCENDC_TYPES_ROUNDING_H
#define UNPU_ASCENDC_TYPES_ROUNDING_H

#include "unpu_ascendc/core/constants.h"
#include "unpu_ascendc/types/traits.h"

namespace unpu::lang {

using AscendC::RoundMode;

/* From this number on all floats are integers. */
inline constexpr float WHOLE = 8388608.0f;

constexpr float magnitude_of(float value)
{
	return cast_bits<float>(cast_bits<uint32_t>(value) & 0x7fffffffu);
}
constexpr float with_sign_of(float magnitude, float value)
{
	return cast_bits<float>((cast_bits<uint32_t>(magnitude) & 0x7fffffffu) |
				(cast_bits<uint32_t>(value) & 0x80000000u));
}

/* Rounds to an integer, and returns it as a float. If the processor has an instruction for it, the compiler can
 * vectorize the loop. */
template <RoundMode mode> inline float round_whole(float value)
{
#if defined(__SSE4_1__) || defined(__aarch64__)
	if constexpr (mode == RoundMode::CAST_RINT || mode == RoundMode::CAST_NONE)
		return __builtin_rintf(value);
	if constexpr (mode == RoundMode::CAST_FLOOR)
		return __builtin_floorf(value);
	if constexpr (mode == RoundMode::CAST_CEIL)
		return __builtin_ceilf(value);
	if constexpr (mode == RoundMode::CAST_TRUNC)
		return __builtin_truncf(value);
#endif
	const float size = magnitude_of(value);
	/* The sum has no fraction bits, so the addition rounds to the nearest integer, ties to even. */
	const float nearest = (size + WHOLE) - WHOLE;
	const float down = nearest - (nearest > size ? 1.0f : 0.0f);
	float result = nearest;

	if constexpr (mode == RoundMode::CAST_TRUNC)
		result = down;
	else if constexpr (mode == RoundMode::CAST_ROUND)
		result = down + (size - down >= 0.5f ? 1.0f : 0.0f);
	else if constexpr (mode == RoundMode::CAST_FLOOR)
		result = value < 0.0f ? down + (size > down ? 1.0f : 0.0f) : down;
	else if constexpr (mode == RoundMode::CAST_CEIL)
		result = value < 0.0f ? down : down + (size > down ? 1.0f : 0.0f);
	else if constexpr (mode == RoundMode::CAST_ODD)
		result = size > down && float(int32_t(down < WHOLE ? down : 0.0f) & 1) == 0.0f
				 ? down + 1.0f
				 : down;
	return size < WHOLE ? with_sign_of(result, value) : value;
}

/*
 * Rounds @value to a narrow format by @mode. @nearest: the bits of the nearest number of that format, ties to even;
 * sign and magnitude. @back: converts such bits to a number. The bits of neighbours differ by one.
 */
template <RoundMode mode, class Bits, class Wide, class Value>
inline Bits round_bits(Bits nearest, Wide exact, Value value_of)
{
	const Wide back = value_of(nearest);

	if (mode == RoundMode::CAST_RINT || mode == RoundMode::CAST_NONE ||
	    !(back < exact || back > exact))
		return nearest;
	const Wide size = exact < 0 ? -exact : exact;
	const Bits low = (back < 0 ? -back : back) > size ? Bits(nearest - 1) : nearest;
	const Bits high = Bits(low + 1);

	if (mode == RoundMode::CAST_TRUNC)
		return low;
	if (mode == RoundMode::CAST_FLOOR)
		return exact < 0 ? high : low;
	if (mode == RoundMode::CAST_CEIL)
		return exact < 0 ? low : high;
	if (mode == RoundMode::CAST_ODD)
		return low & 1 ? low : high;
	/* CAST_ROUND: to nearest, ties away from zero. */
	const Wide below = value_of(low);
	const Wide above = value_of(high);

	return (above < 0 ? -above : above) - size == size - (below < 0 ? -below : below) ? high
											  : nearest;
}

template <RoundMode mode> inline uint16_t half_by(float value)
{
	return round_bits<mode>(half_of_float(value), value,
				[](uint16_t bits) { return float_of_half(bits); });
}
template <RoundMode mode> inline uint16_t bfloat16_by(float value)
{
	return round_bits<mode>(bfloat16_of_float(value), value,
				[](uint16_t bits) { return float_of_bfloat16(bits); });
}
/* Rounds to float. @value: an integer that double or long double represents exactly */
template <RoundMode mode, class Wide> inline float float_by(Wide value)
{
	const uint32_t nearest = cast_bits<uint32_t>(static_cast<float>(value));

	return cast_bits<float>(round_bits<mode>(
		nearest, value, [](uint32_t bits) { return Wide(cast_bits<float>(bits)); }));
}

/* The number of an integer type of 8 or 16 bits that is nearest to @whole; 0 for NaN. */
template <class D> inline float limit_to(float whole)
{
	const float least = float(std::is_signed_v<D> ? -(1 << (sizeof(D) * 8 - 1)) : 0);
	const float most = float((1 << (sizeof(D) * 8 - (std::is_signed_v<D> ? 1 : 0))) - 1);
	const float above = whole > least ? whole : least;
	const float limited = above < most ? above : most;

	return whole == whole ? limited : 0.0f;
}

/* Converts to an integer type. Numbers beyond its range become its limits, and NaN becomes 0. */
template <class D> inline D saturate_to(float whole)
{
	if constexpr (sizeof(D) < 4) {
		return static_cast<D>(static_cast<int32_t>(limit_to<D>(whole)));
	} else {
		/* The limit is not representable as a float, so the largest float below it is used. */
		constexpr float limit = sizeof(D) == 4 ? 2147483648.0f : 9223372036854775808.0f;
		constexpr D most = static_cast<D>(~(D(1) << (sizeof(D) * 8 - 1)));
		const bool is_high = whole >= limit;
		const bool is_low = whole < -limit;
		const D value =
			static_cast<D>(whole == whole && !is_high && !is_low ? whole : 0.0f);

		return is_high ? most : is_low ? static_cast<D>(-most - 1) : value;
	}
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TYPES_ROUNDING_H */
