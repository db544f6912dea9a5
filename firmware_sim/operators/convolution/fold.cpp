// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of windows
 *
 * Loops that pools and direct convolutions share, for each instruction set. They work on a row of elements in
 * which each window has one element.
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

/* greater_of() - for each lane the greater value, or NaN if one of the two values is NaN. */
template <class V> HWY_INLINE V greater_of(V top, V value)
{
	return hn::IfThenElse(hn::Or(hn::Gt(value, top), hn::IsNaN(value)), value, top);
}

template <class D> HWY_INLINE size_t keep_greater(D d, float *tops, const float *row, size_t n)
{
	const size_t lanes = hn::Lanes(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		const auto top = hn::LoadU(d, tops + i), value = hn::LoadU(d, row + i);
		hn::StoreU(greater_of(top, value), d, tops + i);
	}
	return i;
}

void keep_greater_of_all(float *tops, const float *row, size_t n)
{
	size_t i = keep_greater(Whole(), tops, row, n);
	i += keep_greater(Short(), tops + i, row + i, n - i);
	(void)keep_greater(One(), tops + i, row + i, n - i);
}

template <size_t Count, class D>
HWY_INLINE size_t keep_greatest(D d, float *to, const float *const *lines, size_t i, size_t n)
{
	const size_t lanes = hn::Lanes(d);
	for (; i + lanes <= n; i += lanes) {
		auto top = hn::LoadU(d, lines[0] + i);
		for (size_t k = 1; k < Count; k++)
			top = greater_of(top, hn::LoadU(d, lines[k] + i));
		hn::StoreU(top, d, to + i);
	}
	return i;
}

template <size_t Count>
HWY_INLINE void keep_greatest_of(float *to, const float *const *lines, size_t n)
{
	size_t i = keep_greatest<Count>(Whole(), to, lines, 0, n);
	i = keep_greatest<Count>(Short(), to, lines, i, n);
	(void)keep_greatest<Count>(One(), to, lines, i, n);
}

void keep_greatest_of_lines(float *to, const float *const *lines, size_t count, size_t n)
{
	switch (count) {
	case 1:
		return keep_greatest_of<1>(to, lines, n);
	case 2:
		return keep_greatest_of<2>(to, lines, n);
	case 3:
		return keep_greatest_of<3>(to, lines, n);
	default:
		return keep_greatest_of<4>(to, lines, n);
	}
}

void keep_greatest_of_pairs(float *to, const float *line, size_t count, size_t n)
{
	size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
	const Whole d;
	const size_t lanes = hn::Lanes(d);
	for (; i + lanes <= n; i += lanes) {
		const float *from = line + 2 * i;
		auto even = hn::Zero(d), odd = even;
		hn::LoadInterleaved2(d, from, even, odd);
		auto top = count > 1 ? greater_of(even, odd) : even;
		for (size_t k = 2; k < count; k += 2) {
			hn::LoadInterleaved2(d, from + k, even, odd);
			top = greater_of(top, even);
			top = k + 1 < count ? greater_of(top, odd) : top;
		}
		hn::StoreU(top, d, to + i);
	}
#endif
	const One one;
	for (; i < n; i++) {
		auto top = hn::LoadU(one, line + 2 * i);
		for (size_t k = 1; k < count; k++)
			top = greater_of(top, hn::LoadU(one, line + 2 * i + k));
		hn::StoreU(top, one, to + i);
	}
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
HWY_EXPORT(keep_greatest_of_lines);
HWY_EXPORT(keep_greatest_of_pairs);
HWY_EXPORT(add_doubles);
HWY_EXPORT(add_all_products);

void take_greater(float *tops, const float *row, size_t n)
{
	HWY_DYNAMIC_DISPATCH(keep_greater_of_all)(tops, row, n);
}

void take_greatest(float *to, const float *const *lines, size_t count, size_t n)
{
	HWY_DYNAMIC_DISPATCH(keep_greatest_of_lines)(to, lines, count, n);
}

void take_greatest_of_pairs(float *to, const float *line, size_t count, size_t n)
{
	HWY_DYNAMIC_DISPATCH(keep_greatest_of_pairs)(to, line, count, n);
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
