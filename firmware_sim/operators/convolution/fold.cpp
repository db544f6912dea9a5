// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of windows
 *
 * What pools and direct convolutions do with a row of elements, one of each window, for each instruction set.
 */
#include "fold.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/convolution/fold.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Whole = hn::ScalableTag<float>;
using Short = hn::CappedTag<float, 4>;
using One = hn::CappedTag<float, 1>;

template <class D> HWY_INLINE size_t keep_greater(D d, float *tops, const float *row, size_t n)
{
	const size_t lanes = hn::Lanes(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		const auto top = hn::LoadU(d, tops + i), value = hn::LoadU(d, row + i);
		const auto wins = hn::Or(hn::Gt(value, top), hn::IsNaN(value));
		hn::StoreU(hn::IfThenElse(wins, value, top), d, tops + i);
	}
	return i;
}

void keep_greater_of_all(float *tops, const float *row, size_t n)
{
	size_t i = keep_greater(Whole(), tops, row, n);
	i += keep_greater(Short(), tops + i, row + i, n - i);
	(void)keep_greater(One(), tops + i, row + i, n - i);
}

void add_doubles(double *sums, const float *row, size_t n)
{
	size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
	const hn::ScalableTag<double> d;
	const hn::Rebind<float, decltype(d)> f;
	const size_t lanes = hn::Lanes(d);
	for (; i + lanes <= n; i += lanes)
		hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::PromoteTo(d, hn::LoadU(f, row + i))),
			   d, sums + i);
#endif
	for (; i < n; i++)
		sums[i] += static_cast<double>(row[i]);
}

template <class D>
HWY_INLINE size_t add_products(D d, float *sums, const float *row, float factor, size_t n)
{
	const size_t lanes = hn::Lanes(d);
	const auto by = hn::Set(d, factor);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes)
		hn::StoreU(hn::MulAdd(hn::LoadU(d, row + i), by, hn::LoadU(d, sums + i)), d,
			   sums + i);
	return i;
}

void add_all_products(float *sums, const float *row, float factor, size_t n)
{
	size_t i = add_products(Whole(), sums, row, factor, n);
	i += add_products(Short(), sums + i, row + i, factor, n - i);
	(void)add_products(One(), sums + i, row + i, factor, n - i);
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(keep_greater_of_all);
HWY_EXPORT(add_doubles);
HWY_EXPORT(add_all_products);

void take_greater(float *tops, const float *row, size_t n)
{
	HWY_DYNAMIC_DISPATCH(keep_greater_of_all)(tops, row, n);
}

void add_row(double *sums, const float *row, size_t n)
{
	HWY_DYNAMIC_DISPATCH(add_doubles)(sums, row, n);
}

void add_scaled(float *sums, const float *row, float factor, size_t n)
{
	HWY_DYNAMIC_DISPATCH(add_all_products)(sums, row, factor, n);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
