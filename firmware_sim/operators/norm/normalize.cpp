// SPDX-License-Identifier: MIT
/*
 * DOC: Sums and scaling of rows
 *
 * Numbers are F32; sums, and the scaling before its rounding, are in double: squares of F32 neither overflow nor
 * vanish there, and a mean that is far greater than the deviation costs no digits.
 */
#include "normalize.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/norm/normalize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
/* As many floats as a vector has doubles. */
using HalfFloats = hn::Rebind<float, Doubles>;

HWY_INLINE auto load_doubles(const float *x)
{
	return hn::PromoteTo(Doubles(), hn::LoadU(HalfFloats(), x));
}

template <class V> HWY_INLINE double total_of(V a)
{
	return hn::GetLane(hn::SumOfLanes(Doubles(), a));
}

/* struct Numbers - an input line that is used without a change. */
struct Numbers {
	const float *x;

	HWY_INLINE auto load(size_t i) const { return load_doubles(x + i); }
	HWY_INLINE double load_one(size_t i) const { return static_cast<double>(x[i]); }
};

/* struct Additions - the sum of two lines, which it stores. */
struct Additions {
	float *to;
	const float *a, *b;

	HWY_INLINE auto load(size_t i) const
	{
		const HalfFloats f;
		const auto sum = hn::Add(hn::LoadU(f, a + i), hn::LoadU(f, b + i));
		hn::StoreU(sum, f, to + i);
		return hn::PromoteTo(Doubles(), sum);
	}
	HWY_INLINE double load_one(size_t i) const
	{
		to[i] = a[i] + b[i];
		return static_cast<double>(to[i]);
	}
};

/* Four vectors of sums, so that an addition does not have to wait for the previous addition. */
template <class Source> HWY_INLINE double squares_of(const Source &source, size_t n)
{
	const Doubles d;
	const size_t lanes = hn::Lanes(d);
	auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
	size_t i = 0;
	for (; i + 4 * lanes <= n; i += 4 * lanes) {
		const auto p = source.load(i), q = source.load(i + lanes);
		const auto r = source.load(i + 2 * lanes), s = source.load(i + 3 * lanes);
		a = hn::MulAdd(p, p, a);
		b = hn::MulAdd(q, q, b);
		c = hn::MulAdd(r, r, c);
		e = hn::MulAdd(s, s, e);
	}
	for (; i + lanes <= n; i += lanes) {
		const auto p = source.load(i);
		a = hn::MulAdd(p, p, a);
	}
	double total = total_of(hn::Add(hn::Add(a, b), hn::Add(c, e)));
	for (; i < n; i++) {
		const double rest = source.load_one(i);
		total += rest * rest;
	}
	return total;
}

HWY_INLINE void add_differences_of(Sums &sums, size_t line, const float *x, size_t n)
{
	const Doubles d;
	const size_t lanes = hn::Lanes(d);
	const double shift = sums.shift[line];
	const auto base = hn::Set(d, shift);
	auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
	size_t i = 0;
	for (; i + 2 * lanes <= n; i += 2 * lanes) {
		const auto p = hn::Sub(load_doubles(x + i), base);
		const auto q = hn::Sub(load_doubles(x + i + lanes), base);
		a = hn::Add(a, p);
		b = hn::Add(b, q);
		c = hn::MulAdd(p, p, c);
		e = hn::MulAdd(q, q, e);
	}
	double sum = total_of(hn::Add(a, b)), squares = total_of(hn::Add(c, e));
	for (; i < n; i++) {
		const double difference = static_cast<double>(x[i]) - shift;
		sum += difference;
		squares += difference * difference;
	}
	sums.sum[line] += sum;
	sums.squares[line] += squares;
}

void add_and_square(float *to, const float *a, const float *b, size_t n, Sums &sums, size_t line)
{
	sums.squares[line] += squares_of(Additions{to, a, b}, n);
}

void add_squares_of_lines(Sums &sums, const Lines &lines)
{
	for (size_t k = 0; k < lines.count; k++)
		sums.squares[k] += squares_of(Numbers{lines.input[k]}, lines.length);
}

void add_differences_of_lines(Sums &sums, const Lines &lines, bool sets_shift)
{
	for (size_t k = 0; k < lines.count; k++) {
		const float first = lines.input[k][0];
		if (sets_shift)
			sums.shift[k] = std::isfinite(first) ? static_cast<double>(first) : 0;
		add_differences_of(sums, k, lines.input[k], lines.length);
	}
}

Scaling scaling_of_lines(const Sums &sums, double length, double epsilon, bool is_centered)
{
	const hn::CappedTag<double, MOST_LINES> d;
	const auto size = hn::Set(d, length), zero = hn::Zero(d);
	Scaling scaling;
	for (size_t k = 0; k < MOST_LINES; k += hn::Lanes(d)) {
		const auto offset = hn::Div(hn::LoadU(d, sums.sum + k), size);
		const auto mean_square = hn::Div(hn::LoadU(d, sums.squares + k), size);
		const auto variance = hn::Sub(mean_square, hn::Mul(offset, offset));
		/* Not Max(): NaN stays. */
		const auto positive = hn::IfThenElse(hn::Lt(variance, zero), zero, variance);
		const auto root = hn::Sqrt(hn::Add(positive, hn::Set(d, epsilon)));
		const auto mean = hn::Add(hn::LoadU(d, sums.shift + k), offset);
		hn::StoreU(is_centered ? mean : zero, d, scaling.mean + k);
		hn::StoreU(hn::Div(hn::Set(d, 1.0), root), d, scaling.rstd + k);
	}
	return scaling;
}

/* How a factor or a summand applies to a line. */
enum Parameter { ABSENT, CONSTANT, EACH };

template <Parameter P> HWY_INLINE auto load_parameter(const float *from, size_t i)
{
	if constexpr (P == EACH)
		return hn::LoadU(HalfFloats(), from + i);
	else
		return hn::Set(HalfFloats(), P == CONSTANT ? *from : 0.0f);
}

template <Parameter Factors, Parameter Summands>
HWY_INLINE void normalize_line(const Lines &lines, size_t line, double mean, double rstd)
{
	const Doubles d;
	const HalfFloats f;
	const size_t lanes = hn::Lanes(d), n = lines.length;
	const float *x = lines.input[line];
	const float *factors = lines.factors[line], *summands = lines.summands[line];
	float *to = lines.result[line];
	const auto shift = hn::Set(d, mean), scale = hn::Set(d, rstd);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		auto y = hn::DemoteTo(f, hn::Mul(hn::Sub(load_doubles(x + i), shift), scale));
		if constexpr (Factors != ABSENT)
			y = hn::Mul(y, load_parameter<Factors>(factors, i));
		if constexpr (Summands != ABSENT)
			y = hn::Add(y, load_parameter<Summands>(summands, i));
		hn::StoreU(y, f, to + i);
	}
	for (; i < n; i++) {
		auto y = static_cast<float>((static_cast<double>(x[i]) - mean) * rstd);
		if constexpr (Factors != ABSENT)
			y *= factors[Factors == EACH ? i : 0];
		if constexpr (Summands != ABSENT)
			y += summands[Summands == EACH ? i : 0];
		to[i] = y;
	}
}

template <Parameter Factors, Parameter Summands>
HWY_INLINE void normalize_all(const Lines &lines, const Scaling &scaling)
{
	for (size_t k = 0; k < lines.count; k++)
		normalize_line<Factors, Summands>(lines, k, scaling.mean[k], scaling.rstd[k]);
}

template <Parameter Present>
HWY_INLINE void normalize_present(const Lines &lines, const Scaling &scaling)
{
	if (lines.has_factors && lines.has_summands)
		normalize_all<Present, Present>(lines, scaling);
	else if (lines.has_factors)
		normalize_all<Present, ABSENT>(lines, scaling);
	else if (lines.has_summands)
		normalize_all<ABSENT, Present>(lines, scaling);
	else
		normalize_all<ABSENT, ABSENT>(lines, scaling);
}

void normalize_lines(const Lines &lines, const Scaling &scaling)
{
	if (lines.are_constant)
		normalize_present<CONSTANT>(lines, scaling);
	else
		normalize_present<EACH>(lines, scaling);
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(add_and_square);
HWY_EXPORT(add_squares_of_lines);
HWY_EXPORT(add_differences_of_lines);
HWY_EXPORT(scaling_of_lines);
HWY_EXPORT(normalize_lines);

void add(float *to, const float *a, const float *b, size_t n, Sums &sums, size_t line)
{
	HWY_DYNAMIC_DISPATCH(add_and_square)(to, a, b, n, sums, line);
}

void add_squares(Sums &sums, const Lines &lines)
{
	HWY_DYNAMIC_DISPATCH(add_squares_of_lines)(sums, lines);
}

void add_differences(Sums &sums, const Lines &lines, bool sets_shift)
{
	HWY_DYNAMIC_DISPATCH(add_differences_of_lines)(sums, lines, sets_shift);
}

Scaling find_scaling(const Sums &sums, double length, double epsilon, bool is_centered)
{
	return HWY_DYNAMIC_DISPATCH(scaling_of_lines)(sums, length, epsilon, is_centered);
}

void normalize(const Lines &lines, const Scaling &scaling)
{
	HWY_DYNAMIC_DISPATCH(normalize_lines)(lines, scaling);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
