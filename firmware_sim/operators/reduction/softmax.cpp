// SPDX-License-Identifier: MIT
/*
 * DOC: SOFTMAX, LOG_SOFTMAX and CROSS_ENTROPY
 *
 * They work along the last dim, in F32 with sums in double. SOFTMAX and LOG_SOFTMAX: slot 0 is the result, slot 1 the
 * operand, which may be the same view. CROSS_ENTROPY: slot 0 gets the loss of each row, slot 1 gets
 * softmax(features) - labels; slot 2 has the features, slot 3 the labels.
 *
 * A row that is no line of floats is converted into scratch memory. So is its result, which is rounded once.
 */
#include <algorithm>
#include <cmath>
#include <cstring>

#include "reduction.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/reduction/softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/exp-inl.h"
#include "firmware_sim/operators/vector-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

/* find_top() - the greatest number of a row. If the row contains a NaN, it may return any number of the row,
 * because the sum of the exponentials is NaN anyway. */
float find_top(const float *row, size_t n)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	auto a = hn::Set(d, -HUGE_VALF), b = a, c = a, e = a;
	size_t i = 0;
	for (; i + 4 * lanes <= n; i += 4 * lanes) {
		a = hn::Max(a, hn::LoadU(d, row + i));
		b = hn::Max(b, hn::LoadU(d, row + i + lanes));
		c = hn::Max(c, hn::LoadU(d, row + i + 2 * lanes));
		e = hn::Max(e, hn::LoadU(d, row + i + 3 * lanes));
	}
	for (; i + lanes <= n; i += lanes)
		a = hn::Max(a, hn::LoadU(d, row + i));
	float top = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(a, b), hn::Max(c, e))));
	for (; i < n; i++)
		top = std::max(top, row[i]);
	return top;
}

/* exp_below() - to[i] = exp(row[i] - top), for numbers that are at most @top. Return: the sum */
double exp_below(float *to, const float *row, size_t n, float top)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	const auto highest = hn::Set(d, top);
	const auto exp = [&](const float *from) HWY_ATTR {
		return exp_below_zero(d, hn::Sub(hn::LoadU(d, from), highest));
	};
	/* Half a vector of floats becomes a vector of doubles. */
	const hn::ScalableTag<double> doubles;
	const hn::Rebind<float, decltype(doubles)> halves;
	auto a = hn::Zero(doubles), b = a, c = a, e = a;
	const auto add = [&](auto &low, auto &high, const float *from) HWY_ATTR {
		const size_t half = hn::Lanes(doubles);
		low = hn::Add(low, hn::PromoteTo(doubles, hn::LoadU(halves, from)));
		if (half < lanes)
			high = hn::Add(high,
				       hn::PromoteTo(doubles, hn::LoadU(halves, from + half)));
	};
	size_t i = 0;
	for (; i + 2 * lanes <= n; i += 2 * lanes) {
		const auto first = exp(row + i), second = exp(row + i + lanes);
		hn::StoreU(first, d, to + i);
		hn::StoreU(second, d, to + i + lanes);
		add(a, b, to + i);
		add(c, e, to + i + lanes);
	}
	while (i < n) {
		const size_t left = std::min(lanes, n - i);
		HWY_ALIGN float rest[MAX_LANES] = {};
		std::memcpy(rest, row + i, left * sizeof(float));
		hn::Store(exp(rest), d, rest);
		std::fill(rest + left, rest + lanes, 0.0f);
		std::memcpy(to + i, rest, left * sizeof(float));
		add(a, b, rest);
		i += left;
	}
	return hn::GetLane(hn::SumOfLanes(doubles, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

/* softmax_of() - @to may be @row. */
void softmax_of(float *to, const float *row, size_t n)
{
	const double sum = exp_below(to, row, n, find_top(row, n));
	const auto factor = static_cast<float>(1 / sum);
	map_one(to, to, n,
		[factor](auto d, auto x) HWY_ATTR { return hn::Mul(x, hn::Set(d, factor)); });
}

/* log_softmax_of() - @to may be @row. @spare: @n floats. The sum of the exponentials is at least 1, so that its
 * logarithm loses nothing. The greatest number is subtracted first: beside a large one the logarithm would be lost. */
void log_softmax_of(float *to, const float *row, float *spare, size_t n)
{
	const float top = find_top(row, n);
	const double log_of_sum = std::log(exp_below(spare, row, n, top));
	for (size_t i = 0; i < n; i++)
		to[i] = static_cast<float>(static_cast<double>(row[i]) - static_cast<double>(top) -
					   log_of_sum);
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(softmax_of);
HWY_EXPORT(log_softmax_of);
HWY_EXPORT(find_top);
HWY_EXPORT(exp_below);

namespace {

/* line_of() - the address of a row that is contiguous floats; nullptr for any other row. */
float *line_of(const View &view, std::byte *row)
{
	const bool is_line = view.dtype == UNPU_DTYPE_F32 &&
			     (inner_stride(view) == sizeof(float) || row_length(view) == 1) &&
			     reinterpret_cast<uintptr_t>(row) % alignof(float) == 0;
	return is_line ? reinterpret_cast<float *>(row) : nullptr;
}

bool check_softmax(const Call &call)
{
	return have_rows(call) && call.view(0).has_shape_of(call.view(1)) &&
	       call.compute == UNPU_DTYPE_F32 &&
	       row_length(call.view(1)) <= UNPU_TENSOR_MAX_SOFTMAX;
}

size_t softmax_bytes(const Call &call)
{
	return static_cast<size_t>(row_length(call.view(1))) * sizeof(float);
}

uint64_t softmax_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(row_cost(call)) * 2);
}

/* run_rows() - calls @compute(to, from) for each row; both are floats. */
template <class Compute>
void run_rows(const Call &call, uint64_t first, uint64_t count, float *row, Compute compute)
{
	const View &out = call.view(0), &self = call.view(1);
	const auto n = static_cast<size_t>(row_length(self));
	for_unit_rows(call, first, count, [&](uint64_t number) {
		std::byte *place_of_self = row_place(self, number);
		std::byte *place_of_out = row_place(out, number);
		const float *from = line_of(self, place_of_self);
		float *to = line_of(out, place_of_out);
		if (!from) {
			load_row<float>(self.dtype, place_of_self, inner_stride(self), n, row);
			from = row;
		}
		compute(to ? to : row, from);
		if (!to)
			store_row<float>(out.dtype, place_of_out, inner_stride(out), n, row);
	});
}

Finding run_softmax(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const auto n = static_cast<size_t>(row_length(call.view(1)));
	run_rows(call, first, count, reinterpret_cast<float *>(scratch),
		 [n](float *to, const float *from) {
			 HWY_DYNAMIC_DISPATCH(softmax_of)(to, from, n);
		 });
	return {};
}

bool check_log_softmax(const Call &call)
{
	return check_softmax(call) && row_length(call.view(1)) <= UNPU_TENSOR_MAX_CLASSES;
}

size_t log_softmax_bytes(const Call &call)
{
	return 2 * softmax_bytes(call);
}

Finding run_log_softmax(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const auto n = static_cast<size_t>(row_length(call.view(1)));
	auto *row = reinterpret_cast<float *>(scratch);
	run_rows(call, first, count, row, [=](float *to, const float *from) {
		HWY_DYNAMIC_DISPATCH(log_softmax_of)(to, from, row + n, n);
	});
	return {};
}

bool is_matrix_of_floats(const View &view)
{
	return view.ndim == 2 && element_bits(view.dtype) >= 8 &&
	       row_length(view) <= UNPU_TENSOR_MAX_CLASSES;
}

bool check_cross_entropy(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2) || !call.has(3))
		return false;
	const View &loss = call.view(0), &features = call.view(2);
	return call.compute == UNPU_DTYPE_F32 && is_matrix_of_floats(call.view(1)) &&
	       is_matrix_of_floats(features) && is_matrix_of_floats(call.view(3)) &&
	       features.has_shape_of(call.view(1)) && features.has_shape_of(call.view(3)) &&
	       loss.ndim == 1 && element_bits(loss.dtype) >= 8 && loss.dims[0] == features.dims[0];
}

size_t cross_entropy_bytes(const Call &call)
{
	return 2 * softmax_bytes(call);
}

/* The loss of a row is the sum of label * (ln(sum of exp(x - top)) - (x - top)). */
Finding run_cross_entropy(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &loss = call.view(0), &backprop = call.view(1);
	const View &features = call.view(2), &labels = call.view(3);
	const auto n = static_cast<size_t>(row_length(features));
	auto *row = reinterpret_cast<float *>(scratch);
	float *label = row + n;
	for_unit_rows(call, first, count, [&](uint64_t number) {
		load_row<float>(features.dtype, row_place(features, number), inner_stride(features),
				n, row);
		load_row<float>(labels.dtype, row_place(labels, number), inner_stride(labels), n,
				label);
		const float top = HWY_DYNAMIC_DISPATCH(find_top)(row, n);
		double linear = 0, weight = 0;
		for (size_t i = 0; i < n; i++) {
			linear += static_cast<double>(label[i]) *
				  (static_cast<double>(row[i]) - static_cast<double>(top));
			weight += static_cast<double>(label[i]);
		}
		const double sum = HWY_DYNAMIC_DISPATCH(exp_below)(row, row, n, top);
		const auto factor = static_cast<float>(1 / sum);
		for (size_t i = 0; i < n; i++)
			row[i] = row[i] * factor - label[i];
		store_row<float>(backprop.dtype, row_place(backprop, number),
				 inner_stride(backprop), n, row);
		const double result = weight * std::log(sum) - linear;
		store_row<double>(loss.dtype,
				  loss.data + static_cast<int64_t>(number) * inner_stride(loss), 0,
				  1, &result);
	});
	return {};
}

constexpr Kernel SOFTMAX_KERNELS[] = {
	{UNPU_TENSOR_SOFTMAX, check_softmax, row_units, softmax_cost, softmax_bytes, run_softmax},
	{UNPU_TENSOR_LOG_SOFTMAX, check_log_softmax, row_units, softmax_cost, log_softmax_bytes,
	 run_log_softmax},
	{UNPU_TENSOR_CROSS_ENTROPY, check_cross_entropy, row_units, softmax_cost,
	 cross_entropy_bytes, run_cross_entropy},
};

} // namespace

const std::span<const Kernel> softmax_kernels = SOFTMAX_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
