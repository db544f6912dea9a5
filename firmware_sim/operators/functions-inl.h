// SPDX-License-Identifier: MIT
/*
 * DOC: More functions of vectors
 *
 * Functions of F32 vectors that only one file needs, for all numbers, infinities and NaN included. A file that Highway
 * compiles for each instruction set includes this one after hwy/highway.h, inside no namespace.
 */
#if defined(FW_TENSOR_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FW_TENSOR_FUNCTIONS_INL
#undef FW_TENSOR_FUNCTIONS_INL
#else
#define FW_TENSOR_FUNCTIONS_INL
#endif

#include "firmware_sim/operators/math-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

/* inside() - @function of the elements for which @is_inside, else @outside. */
template <class D, class V, class M, class F>
HWY_INLINE V inside(D d, V x, M is_inside, V outside, const F &function)
{
	const V result = function(d, hn::IfThenElse(is_inside, x, hn::Set(d, 1.0f)));
	return keep_nan(x, hn::IfThenElse(is_inside, result, outside));
}

/* each_of() - @function of each element, one after the other. */
template <class D, class V> HWY_INLINE V each_of(D d, V x, float (*function)(float))
{
	HWY_ALIGN float numbers[MAX_LANES];
	hn::Store(x, d, numbers);
	for (size_t i = 0; i < hn::Lanes(d); i++)
		numbers[i] = function(numbers[i]);
	return hn::Load(d, numbers);
}

/*
 * erf_of() - the error function. Below 1 it is the begin of its series, 2 / sqrt(pi) * x * (1 - x^2 / 3 + x^4 / 10 ..),
 * whose next term is 1e-9; there 1 - erfc(x) would have no digits left.
 */
template <class D, class V> HWY_INLINE V erf_of(D d, V x)
{
	constexpr double FACTOR = 1.1283791670955126; /* 2 / sqrt(pi) */
	constexpr float SERIES[] = {float(FACTOR / 76204800),
				    float(-FACTOR / 6894720),
				    float(FACTOR / 685440),
				    float(-FACTOR / 75600),
				    float(FACTOR / 9360),
				    float(-FACTOR / 1320),
				    float(FACTOR / 216),
				    float(-FACTOR / 42),
				    float(FACTOR / 10),
				    float(-FACTOR / 3),
				    float(FACTOR)};
	const V one = hn::Set(d, 1.0f);
	const V magnitude = hn::Abs(x);
	const V square = hn::Mul(x, x);
	V series = hn::Set(d, SERIES[0]);
	for (size_t i = 1; i < std::size(SERIES); i++)
		series = hn::MulAdd(series, square, hn::Set(d, SERIES[i]));
	const V far = hn::CopySign(hn::Sub(one, erfc_of(d, magnitude)), x);
	return keep_nan(x, hn::IfThenElse(hn::Lt(magnitude, one), hn::Mul(series, x), far));
}

/* exp2_of() - 2^n * exp(r * ln(2)) with a whole n. 2^n is computed as two factors, because 2^n
 * itself may be too large or too small for a normal number. */
template <class D, class V> HWY_INLINE V exp2_of(D d, V x)
{
	const hn::RebindToSigned<D> whole;
	const V bounded = hn::Min(hn::Max(x, hn::Set(d, -160.0f)), hn::Set(d, 130.0f));
	const V n = hn::Round(bounded);
	const V rest = hn::Exp(d, hn::Mul(hn::Sub(bounded, n), hn::Set(d, 0.69314718f)));
	const auto steps = hn::ConvertTo(whole, hn::IfThenZeroElse(hn::IsNaN(x), n));
	const auto half = hn::ShiftRight<1>(steps);
	const auto power = [&](auto exponent) HWY_ATTR {
		return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(whole, 127))));
	};
	const V result = hn::Mul(hn::Mul(rest, power(half)), power(hn::Sub(steps, half)));
	return keep_nan(x, result);
}

/* expm1_of() - exp_minus_one_of(), and -0 stays. */
template <class D, class V> HWY_INLINE V expm1_of(D d, V x)
{
	return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, exp_minus_one_of(d, x));
}

/* log1p_of() - log(1 + x). With y = 1 + x rounded, log(y) * x / (y - 1) has no error by the rounding. */
template <class D, class V> HWY_INLINE V log1p_of(D d, V x)
{
	const V one = hn::Set(d, 1.0f);
	const V sum = hn::Add(x, one);
	const auto is_small = hn::Eq(sum, one);
	const auto is_large = hn::Gt(x, hn::Set(d, 1e8f));
	const V divisor = hn::IfThenElse(is_small, one, hn::Sub(sum, one));
	const V log = log_of(d, sum);
	const auto is_plain = hn::Or(is_large, hn::Le(sum, hn::Zero(d)));
	const V result = hn::IfThenElse(is_plain, log, hn::Mul(log, hn::Div(x, divisor)));
	return hn::IfThenElse(is_small, x, keep_nan(x, result));
}

/* log2_of() - n + log2(m) with x = 2^n * m, so that powers of two are exact. */
template <class D, class V> HWY_INLINE V log2_of(D d, V x)
{
	const hn::RebindToSigned<D> whole;
	const auto is_ordinary = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Set(d, HUGE_VALF)));
	const auto is_subnormal = hn::Lt(x, hn::Set(d, 0x1p-126f));
	const V scaled = hn::IfThenElse(is_subnormal, hn::Mul(x, hn::Set(d, 0x1p24f)), x);
	const auto bits = hn::BitCast(whole, hn::IfThenElse(is_ordinary, scaled, hn::Set(d, 1.0f)));
	/* From sqrt(1 / 2) to sqrt(2). */
	const auto n = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(whole, 0x3f3504f3)));
	const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(n)));
	const V more = hn::IfThenElseZero(is_subnormal, hn::Set(d, -24.0f));
	const V power = hn::Add(hn::ConvertTo(d, n), more);
	const V result = hn::MulAdd(hn::Log(d, m), hn::Set(d, 1.44269504f), power);
	return hn::IfThenElse(is_ordinary, result, log_of(d, x));
}

template <class D, class V> HWY_INLINE V log10_of(D d, V x)
{
	return hn::Mul(log_of(d, x), hn::Set(d, 0.43429448f));
}

template <class D, class V> HWY_INLINE V asin_of(D d, V x)
{
	const auto is_inside = hn::Le(hn::Abs(x), hn::Set(d, 1.0f));
	return inside(d, x, is_inside, hn::Set(d, NAN),
		      [](auto, auto y) HWY_ATTR { return hn::Asin(D(), y); });
}

template <class D, class V> HWY_INLINE V acos_of(D d, V x)
{
	const auto is_inside = hn::Le(hn::Abs(x), hn::Set(d, 1.0f));
	return inside(d, x, is_inside, hn::Set(d, NAN),
		      [](auto, auto y) HWY_ATTR { return hn::Acos(D(), y); });
}

/* half_exp() - exp(|x|) / 2, which is finite for a little longer than exp(|x|). */
template <class D, class V> HWY_INLINE V half_exp(D d, V x)
{
	const V root = exp_of(d, hn::Mul(hn::Abs(x), hn::Set(d, 0.5f)));
	return hn::Mul(hn::Mul(root, hn::Set(d, 0.5f)), root);
}

template <class D, class V> HWY_INLINE V sinh_of(D d, V x)
{
	const auto is_far = hn::Gt(hn::Abs(x), hn::Set(d, 80.0f));
	const V near = hn::Sinh(d, hn::IfThenZeroElse(is_far, x));
	const V far = hn::CopySign(half_exp(d, x), x);
	return keep_nan(x, hn::IfThenElse(is_far, far, near));
}

template <class D, class V> HWY_INLINE V cosh_of(D d, V x)
{
	const V half = half_exp(d, x);
	return keep_nan(x, hn::Add(half, hn::Div(hn::Set(d, 0.25f), half)));
}

template <class D, class V> HWY_INLINE V asinh_of(D d, V x)
{
	const auto is_inside = hn::Lt(hn::Abs(x), hn::Set(d, HUGE_VALF));
	return inside(d, x, is_inside, x, [](auto, auto y) HWY_ATTR { return hn::Asinh(D(), y); });
}

template <class D, class V> HWY_INLINE V acosh_of(D d, V x)
{
	const V one = hn::Set(d, 1.0f), infinite = hn::Set(d, HUGE_VALF);
	const auto is_inside = hn::And(hn::Ge(x, one), hn::Lt(x, infinite));
	const V outside = hn::IfThenElse(hn::Eq(x, infinite), x, hn::Set(d, NAN));
	return inside(d, x, is_inside, outside,
		      [](auto, auto y) HWY_ATTR { return hn::Acosh(D(), y); });
}

/* atanh_of() - log1p(2 |x| / (1 - |x|)) / 2. */
template <class D, class V> HWY_INLINE V atanh_of(D d, V x)
{
	const V magnitude = hn::Abs(x);
	const V fraction =
		hn::Div(hn::Add(magnitude, magnitude), hn::Sub(hn::Set(d, 1.0f), magnitude));
	const V result = hn::Mul(log1p_of(d, fraction), hn::Set(d, 0.5f));
	const auto is_outside = hn::Gt(magnitude, hn::Set(d, 1.0f));
	return keep_nan(x, hn::IfThenElse(is_outside, hn::Set(d, NAN), hn::CopySign(result, x)));
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#endif /* FW_TENSOR_FUNCTIONS_INL */
