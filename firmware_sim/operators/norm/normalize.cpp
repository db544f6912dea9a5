// SPDX-License-Identifier: MIT
/*
 * DOC: Sums and scaling of rows
 *
 * Numbers are F32; sums, and the scaling before its rounding, are in double: squares of F32 neither overflow nor
 * vanish there, and a mean that is far greater than the deviation costs no digits.
 */
#include "normalize.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/norm/normalize.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/vector-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

using Doubles = hn::ScalableTag<double>;
/* As many floats as a vector has doubles. */
using HalfFloats = hn::Rebind<float, Doubles>;

HWY_INLINE auto load_doubles(const float *x)
{
	return hn::PromoteTo(Doubles(), hn::LoadU(HalfFloats(), x));
}

/* Four vectors of sums, so that an addition need not wait for the one before. */
HWY_INLINE void add_squares_of(Sums &sums, const float *x, size_t n)
{
	const Doubles d;
	const size_t lanes = hn::Lanes(d);
	auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
	size_t i = 0;
	for (; i + 4 * lanes <= n; i += 4 * lanes) {
		const auto p = load_doubles(x + i), q = load_doubles(x + i + lanes);
		const auto r = load_doubles(x + i + 2 * lanes);
		const auto s = load_doubles(x + i + 3 * lanes);
		a = hn::MulAdd(p, p, a);
		b = hn::MulAdd(q, q, b);
		c = hn::MulAdd(r, r, c);
		e = hn::MulAdd(s, s, e);
	}
	for (; i + lanes <= n; i += lanes) {
		const auto p = load_doubles(x + i);
		a = hn::MulAdd(p, p, a);
	}
	sums.squares += hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
	for (; i < n; i++)
		sums.squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
}

HWY_INLINE void add_differences_of(Sums &sums, const float *x, size_t n)
{
	const Doubles d;
	const size_t lanes = hn::Lanes(d);
	const auto base = hn::Set(d, sums.shift);
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
	sums.sum += hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
	sums.squares += hn::GetLane(hn::SumOfLanes(d, hn::Add(c, e)));
	for (; i < n; i++) {
		const double difference = static_cast<double>(x[i]) - sums.shift;
		sums.sum += difference;
		sums.squares += difference * difference;
	}
}

template <bool HasFactors, bool HasSummands>
HWY_INLINE void normalize_as(float *to, const float *x, size_t n, const Scaling &scaling,
			     [[maybe_unused]] const float *factors,
			     [[maybe_unused]] const float *summands)
{
	const Doubles d;
	const HalfFloats f;
	const size_t lanes = hn::Lanes(d);
	const auto mean = hn::Set(d, scaling.mean), rstd = hn::Set(d, scaling.rstd);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		auto y = hn::DemoteTo(f, hn::Mul(hn::Sub(load_doubles(x + i), mean), rstd));
		if constexpr (HasFactors)
			y = hn::Mul(y, hn::LoadU(f, factors + i));
		if constexpr (HasSummands)
			y = hn::Add(y, hn::LoadU(f, summands + i));
		hn::StoreU(y, f, to + i);
	}
	for (; i < n; i++) {
		const double scaled = (static_cast<double>(x[i]) - scaling.mean) * scaling.rstd;
		auto y = static_cast<float>(scaled);
		if constexpr (HasFactors)
			y *= factors[i];
		if constexpr (HasSummands)
			y += summands[i];
		to[i] = y;
	}
}

void add_lines(float *to, const float *a, const float *b, size_t n)
{
	map_two(to, a, b, n, [](auto, auto x, auto y) HWY_ATTR { return hn::Add(x, y); });
}

void add_squares_of_lines(Sums *sums, const Lines &lines)
{
	for (size_t row = 0; row < lines.rows; row++)
		add_squares_of(sums[row], lines.input[row], lines.length);
}

void add_differences_of_lines(Sums *sums, const Lines &lines)
{
	for (size_t row = 0; row < lines.rows; row++)
		add_differences_of(sums[row], lines.input[row], lines.length);
}

template <bool HasFactors, bool HasSummands>
HWY_INLINE void normalize_all(const Lines &lines, const Scaling *scalings)
{
	for (size_t row = 0; row < lines.rows; row++)
		normalize_as<HasFactors, HasSummands>(lines.result[row], lines.input[row],
						      lines.length, scalings[row],
						      lines.factors[row], lines.summands[row]);
}

void normalize_lines(const Lines &lines, const Scaling *scalings)
{
	if (lines.has_factors && lines.has_summands)
		normalize_all<true, true>(lines, scalings);
	else if (lines.has_factors)
		normalize_all<true, false>(lines, scalings);
	else if (lines.has_summands)
		normalize_all<false, true>(lines, scalings);
	else
		normalize_all<false, false>(lines, scalings);
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(add_lines);
HWY_EXPORT(add_squares_of_lines);
HWY_EXPORT(add_differences_of_lines);
HWY_EXPORT(normalize_lines);

void add(float *to, const float *a, const float *b, size_t n)
{
	HWY_DYNAMIC_DISPATCH(add_lines)(to, a, b, n);
}

void add_squares(Sums *sums, const Lines &lines)
{
	HWY_DYNAMIC_DISPATCH(add_squares_of_lines)(sums, lines);
}

void add_differences(Sums *sums, const Lines &lines)
{
	HWY_DYNAMIC_DISPATCH(add_differences_of_lines)(sums, lines);
}

void normalize(const Lines &lines, const Scaling *scalings)
{
	HWY_DYNAMIC_DISPATCH(normalize_lines)(lines, scalings);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
