// SPDX-License-Identifier: MIT
/*
 * DOC: Exponentials of differences to a maximum
 *
 * Softmax needs exp(x) for x <= 0 alone, and no results that are subnormal, so this has no special cases as
 * Highway's function has. A file that Highway compiles for each instruction set includes this one after
 * hwy/highway.h, inside no namespace.
 */
#if defined(FW_TENSOR_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FW_TENSOR_EXP_INL
#undef FW_TENSOR_EXP_INL
#else
#define FW_TENSOR_EXP_INL
#endif

#include <iterator>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/*
 * exp_below_zero() - exp(x) for x <= 0; NaN stays. A result that would be subnormal is 0. With x = n * ln(2) + r
 * it is 2^n * exp(r), and exp(r) is the begin of its series. The error is below one unit of the last place.
 */
template <class D, class V> HWY_INLINE V exp_below_zero(D d, V x)
{
	constexpr float SERIES[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24,
				    1.0f / 6,	 0.5f,	     1.0f,	 1.0f};
	/* A sum with 2^23 * 1.5 has no fraction. Its low bits are n + 127: the exponent of 2^n. */
	const V shift = hn::Set(d, 0x1.8p23f + 127);
	const V sum = hn::MulAdd(x, hn::Set(d, 1.44269504f), shift);
	const V n = hn::Sub(sum, shift);
	/* ln(2) in two parts: n times the first one is exact. */
	V r = hn::NegMulAdd(n, hn::Set(d, 0x1.62e4p-1f), x);
	r = hn::NegMulAdd(n, hn::Set(d, 0x1.7f7d1cp-20f), r);
	V series = hn::Set(d, SERIES[0]);
	for (size_t i = 1; i < std::size(SERIES); i++)
		series = hn::MulAdd(series, r, hn::Set(d, SERIES[i]));
	const hn::RebindToSigned<D> whole;
	const V power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(whole, sum)));
	const V lowest = hn::Set(d, -0x1.5d589ep6f); /* ln of the least normal number */
	return hn::IfThenZeroElse(hn::Lt(x, lowest), hn::Mul(series, power));
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#endif /* FW_TENSOR_EXP_INL */
