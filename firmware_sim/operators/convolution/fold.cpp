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

/* add_to_four() - the sums of four vectors, which are @step floats apart in the rows, and @sum_step in the sums. */
HWY_INLINE void add_to_four(const TapSums &work, const float *from, int64_t step, float *to,
			    int64_t sum_step)
{
	const Whole d;
	auto a = hn::LoadU(d, to), b = hn::LoadU(d, to + sum_step);
	auto e = hn::LoadU(d, to + 2 * sum_step), f = hn::LoadU(d, to + 3 * sum_step);
	for (size_t k = 0; k < work.count; k++) {
		const auto weight = hn::Set(d, work.taps[k].weight);
		const float *at = from + work.taps[k].offset;
		a = hn::MulAdd(hn::LoadU(d, at), weight, a);
		b = hn::MulAdd(hn::LoadU(d, at + step), weight, b);
		e = hn::MulAdd(hn::LoadU(d, at + 2 * step), weight, e);
		f = hn::MulAdd(hn::LoadU(d, at + 3 * step), weight, f);
	}
	hn::StoreU(a, d, to);
	hn::StoreU(b, d, to + sum_step);
	hn::StoreU(e, d, to + 2 * sum_step);
	hn::StoreU(f, d, to + 3 * sum_step);
}

HWY_INLINE void add_to_one(const TapSums &work, const float *from, float *to)
{
	const Whole d;
	auto a = hn::LoadU(d, to);
	for (size_t k = 0; k < work.count; k++)
		a = hn::MulAdd(hn::LoadU(d, from + work.taps[k].offset),
			       hn::Set(d, work.taps[k].weight), a);
	hn::StoreU(a, d, to);
}

/* Four sums at a time hide how long one addition takes: beside each other in long rows, below each other in short
 * ones. */
void add_all_taps(const TapSums &work)
{
	const Whole d;
	const auto lanes = static_cast<int64_t>(hn::Lanes(d));
	int64_t y = 0;
	for (; y + 4 <= work.height && work.width < 4 * lanes; y += 4)
		for (int64_t x = 0; x < work.width; x += lanes)
			add_to_four(work, work.rows + y * work.row_step + x, work.row_step,
				    work.sums + y * work.sum_step + x, work.sum_step);
	for (; y < work.height; y++) {
		const float *from = work.rows + y * work.row_step;
		float *to = work.sums + y * work.sum_step;
		int64_t x = 0;
		for (; x + 3 * lanes < work.width; x += 4 * lanes)
			add_to_four(work, from + x, lanes, to + x, lanes);
		for (; x < work.width; x += lanes)
			add_to_one(work, from + x, to + x);
	}
}

void split_all_pairs(float *even, float *odd, const float *row, size_t n)
{
	size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
	const Whole d;
	const size_t lanes = hn::Lanes(d);
	for (; i + lanes <= n; i += lanes) {
		auto first = hn::Zero(d), second = first;
		hn::LoadInterleaved2(d, row + 2 * i, first, second);
		hn::StoreU(first, d, even + i);
		hn::StoreU(second, d, odd + i);
	}
#endif
	for (; i < n; i++) {
		even[i] = row[2 * i];
		odd[i] = row[2 * i + 1];
	}
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
HWY_EXPORT(add_all_taps);
HWY_EXPORT(split_all_pairs);

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

void add_taps(const TapSums &work)
{
	HWY_DYNAMIC_DISPATCH(add_all_taps)(work);
}

void split_pairs(float *even, float *odd, const float *row, size_t n)
{
	HWY_DYNAMIC_DISPATCH(split_all_pairs)(even, odd, row, n);
}

} // namespace fw::tensor

#endif /* HWY_ONCE */
