// SPDX-License-Identifier: MIT
/*
 * DOC: Weights of keys
 *
 * The loops over a row of scores, which become weights, and over a row of weighted values.
 */
#include "weights.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/attention/weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/math-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

template <bool HasPse, bool HasMask, class D>
HWY_INLINE float score_from(D d, size_t &i, float *row, const float *pse, const float *mask,
			    size_t n, float scale)
{
	const size_t lanes = hn::Lanes(d);
	const auto hidden = hn::Set(d, -HUGE_VALF), factor = hn::Set(d, scale);
	auto top = hidden;
	for (; i + lanes <= n; i += lanes) {
		auto x = hn::Mul(hn::LoadU(d, row + i), factor);
		if constexpr (HasPse) {
			const auto shift = hn::LoadU(d, pse + i);
			x = hn::IfThenElse(hn::Eq(shift, hidden), hidden, hn::Add(x, shift));
		}
		if constexpr (HasMask)
			x = hn::IfThenElse(hn::Eq(hn::LoadU(d, mask + i), hn::Zero(d)), x, hidden);
		/* Max() is not used here, because a NaN must be ignored. */
		top = hn::IfThenElse(hn::Gt(x, top), x, top);
		hn::StoreU(x, d, row + i);
	}
	return hn::GetLane(hn::MaxOfLanes(d, top));
}

template <bool HasPse, bool HasMask>
HWY_INLINE float score_as(float *row, const float *pse, const float *mask, size_t n, float scale)
{
	size_t i = 0;
	const float most = score_from<HasPse, HasMask>(Floats(), i, row, pse, mask, n, scale);
	const hn::CappedTag<float, 1> one;
	const float rest = score_from<HasPse, HasMask>(one, i, row, pse, mask, n, scale);
	return most > rest ? most : rest;
}

float score_keys(float *row, const float *pse, const float *mask, size_t n, float scale)
{
	if (pse && mask)
		return score_as<true, true>(row, pse, mask, n, scale);
	if (pse)
		return score_as<true, false>(row, pse, mask, n, scale);
	if (mask)
		return score_as<false, true>(row, pse, mask, n, scale);
	return score_as<false, false>(row, pse, mask, n, scale);
}

double weigh_keys(float *row, size_t n, float top)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	const auto highest = hn::Set(d, top);
	auto sum = hn::Zero(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		const auto x = hn::Sub(hn::LoadU(d, row + i), highest);
		const auto weight = keep_nan(x, hn::Exp(d, x));
		sum = hn::Add(sum, weight);
		hn::StoreU(weight, d, row + i);
	}
	if (i < n) {
		HWY_ALIGN float rest[MAX_LANES];
		for (size_t k = 0; k < lanes; k++)
			rest[k] = i + k < n ? row[i + k] : -HUGE_VALF;
		const auto x = hn::Sub(hn::Load(d, rest), highest);
		const auto weight = keep_nan(x, hn::Exp(d, x));
		hn::Store(weight, d, rest);
		for (size_t k = 0; i + k < n; k++)
			row[i + k] = rest[k];
		sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(d, n - i), weight));
	}
	return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
}

void scale_values(float *row, size_t n, float factor)
{
	map_one(row, row, n,
		[factor](auto d, auto x) HWY_ATTR { return hn::Mul(x, hn::Set(d, factor)); });
}

bool add_finite_values(float *to, const float *from, size_t n)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	/* A difference of a number to itself is 0, if it is finite. */
	auto zero = hn::Zero(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		const auto x = hn::LoadU(d, from + i);
		zero = hn::Add(zero, hn::Sub(x, x));
	}
	bool is_finite = hn::AllTrue(d, hn::Eq(zero, hn::Zero(d)));
	for (; i < n; i++)
		is_finite = is_finite && from[i] - from[i] == 0;
	if (is_finite)
		map_two(to, to, from, n,
			[](auto, auto a, auto b) HWY_ATTR { return hn::Add(a, b); });
	return is_finite;
}

void add_scaled_values(float *to, const float *from, size_t n, float factor)
{
	map_two(to, to, from, n, [factor](auto d, auto a, auto b) HWY_ATTR {
		return hn::Add(a, hn::Mul(b, hn::Set(d, factor)));
	});
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(score_keys);
HWY_EXPORT(weigh_keys);
HWY_EXPORT(scale_values);
HWY_EXPORT(add_finite_values);
HWY_EXPORT(add_scaled_values);

float score(float *row, const float *pse, const float *mask, size_t n, float scale)
{
	return HWY_DYNAMIC_DISPATCH(score_keys)(row, pse, mask, n, scale);
}

double weigh(float *row, size_t n, float top)
{
	return HWY_DYNAMIC_DISPATCH(weigh_keys)(row, n, top);
}

void scale_row(float *row, size_t n, float factor)
{
	HWY_DYNAMIC_DISPATCH(scale_values)(row, n, factor);
}

bool add_row(float *to, const float *from, size_t n)
{
	return HWY_DYNAMIC_DISPATCH(add_finite_values)(to, from, n);
}

void add_scaled(float *to, const float *from, size_t n, float factor)
{
	HWY_DYNAMIC_DISPATCH(add_scaled_values)(to, from, n, factor);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
