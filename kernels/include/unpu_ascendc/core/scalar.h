/* SPDX-License-Identifier: MIT */
/*
 * DOC: Scalar functions
 *
 * Functions of the scalar unit for which C++ has no operator.
 */
#ifndef UNPU_ASCENDC_CORE_SCALAR_H
#define UNPU_ASCENDC_CORE_SCALAR_H

#include "unpu_ascendc/types/rounding.h"

namespace AscendC {

/* The index of the lowest bit that equals @value; -1 if there is none. */
template <int value> int64_t ScalarGetSFFValue(uint64_t bits)
{
	static_assert(value == 0 || value == 1, "ScalarGetSFFValue looks for a 0 or a 1");
	const uint64_t wanted = value ? bits : ~bits;

	return wanted ? __builtin_ctzll(wanted) : -1;
}
template <int value> int64_t ScalarGetCountOfValue(uint64_t bits)
{
	static_assert(value == 0 || value == 1,
		      "ScalarGetCountOfValue counts bits that are 0 or 1");
	return __builtin_popcountll(value ? bits : ~bits);
}
inline int64_t ScalarCountLeadingZero(uint64_t bits)
{
	return bits ? __builtin_clzll(bits) : 64;
}
/* Number of leading bits that equal the sign bit, without the sign bit itself. */
inline int64_t CountBitsCntSameAsSignBit(int64_t value)
{
	return __builtin_clrsbll(value);
}

/* Converts a float to half or int32_t, with rounding @mode. */
template <typename S, typename D, RoundMode mode> D ScalarCast(S value)
{
	static_assert(std::is_same_v<S, float> && unpu::lang::is_one_of<D, half, int32_t>,
		      "ScalarCast converts float to half and int32_t");
	if constexpr (std::is_same_v<D, half>)
		return unpu::lang::half_of_bits(unpu::lang::half_by<mode>(value));
	else
		return unpu::lang::saturate_to<int32_t>(unpu::lang::round_whole<mode>(value));
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_CORE_SCALAR_H */
