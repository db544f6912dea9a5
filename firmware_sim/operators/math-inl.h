// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of vectors
 *
 * Functions of F32 vectors for all numbers, infinities and NaN included; Highway's own ones are defined for a
 * part of them. The relative error is a few units of the last place. A file that Highway compiles for each
 * instruction set includes this one after hwy/highway.h, inside no namespace.
 */
#if defined(FW_TENSOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FW_TENSOR_MATH_INL
#undef FW_TENSOR_MATH_INL
#else
#define FW_TENSOR_MATH_INL
#endif

#include <cmath>

#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "firmware_sim/operators/vector-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

/* keep_nan() - @result, or @x where @x is NaN. */
template <class V> HWY_INLINE V keep_nan(V x, V result)
{
	return hn::IfThenElse(hn::IsNaN(x), x, result);
}

template <class D, class V> HWY_INLINE V exp_of(D d, V x)
{
	/* From here on exp(x) is infinite; Highway's function is only defined below. */
	const V top = hn::Set(d, 88.72284f);
	const V result = hn::Exp(d, hn::Min(x, top));
	const V infinite = hn::Set(d, HUGE_VALF);
	return keep_nan(x, hn::IfThenElse(hn::Gt(x, top), infinite, result));
}

/* exp_minus_one_of() - exp(x) - 1, exact near 0. */
template <class D, class V> HWY_INLINE V exp_minus_one_of(D d, V x)
{
	const V top = hn::Set(d, 88.72284f);
	const V result = hn::Expm1(d, hn::Min(hn::Max(x, hn::Set(d, -100.0f)), top));
	const V infinite = hn::Set(d, HUGE_VALF);
	return keep_nan(x, hn::IfThenElse(hn::Gt(x, top), infinite, result));
}

template <class D, class V> HWY_INLINE V log_of(D d, V x)
{
	const V zero = hn::Zero(d);
	const V infinite = hn::Set(d, HUGE_VALF);
	const auto ordinary = hn::And(hn::Gt(x, zero), hn::Lt(x, infinite));
	const V result = hn::Log(d, hn::IfThenElse(ordinary, x, hn::Set(d, 1.0f)));
	/* Positive infinity and NaN stay; 0 gives negative infinity, a negative number gives NaN. */
	const V below = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinite), hn::Set(d, NAN));
	const V outside = hn::IfThenElse(hn::Eq(x, infinite), x, keep_nan(x, below));
	return hn::IfThenElse(ordinary, result, outside);
}

/* sigmoid_of() - 1 / (1 + exp(-x)), without an overflow on either side. */
template <class D, class V> HWY_INLINE V sigmoid_of(D d, V x)
{
	const V one = hn::Set(d, 1.0f);
	const V small = exp_of(d, hn::Neg(hn::Abs(x)));
	const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), small, one);
	return hn::Div(numerator, hn::Add(one, small));
}

template <class D, class V> HWY_INLINE V tanh_of(D d, V x)
{
	return keep_nan(x, hn::Tanh(d, x));
}

/*
 * erfc_of() - 1 - erf(x). For x >= 0 it is t * exp(p(t) - x * x) with t = 1 / (1 + x / 2). The polynomial
 * p interpolates ln(erfc(x) * exp(x * x) / t) at the 11 Chebyshev nodes of t in 0 .. 1; its error is 1e-7.
 */
template <class D, class V> HWY_INLINE V erfc_of(D d, V x)
{
	constexpr float P[] = {-1.26551223f, 1.00002098f, 0.37417609f,	0.09577242f,
			       -0.18006150f, 0.25671506f, -1.08695567f, 1.42317200f,
			       -0.76845807f, 0.14636138f, 0.00476965f};
	const V one = hn::Set(d, 1.0f);
	const V magnitude = hn::Abs(x);
	const V t = hn::Div(one, hn::Add(one, hn::Mul(magnitude, hn::Set(d, 0.5f))));
	V p = hn::Set(d, P[10]);
	for (int i = 9; i >= 0; i--)
		p = hn::MulAdd(p, t, hn::Set(d, P[i]));
	const V tail = hn::Mul(t, exp_of(d, hn::NegMulAdd(magnitude, magnitude, p)));
	const V result =
		hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(hn::Set(d, 2.0f), tail), tail);
	return keep_nan(x, result);
}

/* gelu_of() - x times the probability that a normal variable is at most x. */
template <class D, class V> HWY_INLINE V gelu_of(D d, V x)
{
	const V half = hn::Mul(x, hn::Set(d, 0.5f));
	return hn::Mul(half, erfc_of(d, hn::Mul(x, hn::Set(d, -0.70710678f))));
}

/* gelu_tanh_of() - x / 2 * (1 + tanh(y)) with y = sqrt(2 / pi) * (x + 0.044715 x^3), as x * sigmoid(2 y). */
template <class D, class V> HWY_INLINE V gelu_tanh_of(D d, V x)
{
	const V cube = hn::Mul(hn::Mul(x, x), x);
	const V sum = hn::MulAdd(cube, hn::Set(d, 0.044715f), x);
	return hn::Mul(x, sigmoid_of(d, hn::Mul(sum, hn::Set(d, 1.59576912f))));
}

/* with_far() - @result, which is @near(x); where |x| is above the range of @near, @far(x) instead. */
template <class D, class V> HWY_INLINE V with_far(D d, V x, V result, float (*far)(float))
{
	const auto is_far = hn::Not(hn::Le(hn::Abs(x), hn::Set(d, 30000.0f)));
	if (HWY_LIKELY(hn::AllFalse(d, is_far)))
		return result;
	HWY_ALIGN float numbers[MAX_LANES];
	HWY_ALIGN float results[MAX_LANES];
	hn::Store(x, d, numbers);
	hn::Store(result, d, results);
	for (size_t i = 0; i < hn::Lanes(d); i++) {
		if (!(std::fabs(numbers[i]) <= 30000.0f))
			results[i] = far(numbers[i]);
	}
	return hn::Load(d, results);
}

/* sin_of() - the sine. Highway gives 0 for -0. */
template <class D, class V> HWY_INLINE V sin_of(D d, V x)
{
	const V near = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, hn::Sin(d, x));
	return with_far(d, x, near, [](float far) { return std::sin(far); });
}

template <class D, class V> HWY_INLINE V cos_of(D d, V x)
{
	return with_far(d, x, hn::Cos(d, x), [](float far) { return std::cos(far); });
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#endif /* FW_TENSOR_MATH_INL */
