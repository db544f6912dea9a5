// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/elementwise/elementwise_views.h"
#include "reduction.h"

namespace fw::tensor {

/* Kinds whose slot 0 is the result and slot 1 the operand; a dim in which the result has size 1 is reduced. The order
 * of the additions depends on the shapes alone.
 *
 * A unit is a run of results along the last dim. If the last dim is reduced, each result adds its rows one after
 * the other; else neighbouring results add up side by side, so that memory is still read in order. */

/* How many elements each result reduces. */
inline int64_t reduced_elements(const Call &call)
{
	const View &out = call.view(0), &self = call.view(1);
	int64_t product = 1;
	for (unsigned d = 0; d < self.ndim; d++)
		product *= out.dims[d] == self.dims[d] ? 1 : self.dims[d];
	return product;
}

inline int64_t results_per_unit(const Call &call)
{
	return std::min(rows_per_unit(reduced_elements(call)), ROW_BLOCK);
}

inline bool check_reduced(const Call &call)
{
	if (!call.has(0) || !call.has(1))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	if (out.ndim != self.ndim || element_bits(out.dtype) < 8 || element_bits(self.dtype) < 8)
		return false;
	for (unsigned d = 0; d < out.ndim; d++)
		if (out.dims[d] != self.dims[d] && out.dims[d] != 1)
			return false;
	return is_arithmetic(call.compute) && reduced_elements(call) <= UNPU_TENSOR_MAX_ROW;
}

inline bool check_floating_reduced(const Call &call)
{
	return check_reduced(call) && is_floating(call.compute);
}

inline uint64_t reduce_units(const Call &call)
{
	const auto count = static_cast<uint64_t>(call.view(0).count());
	const auto each = static_cast<uint64_t>(results_per_unit(call));
	return (count + each - 1) / each;
}

inline uint64_t reduce_cost(const Call &call)
{
	const auto count = static_cast<unsigned __int128>(call.view(1).count());
	return limit_cost((count + static_cast<uint64_t>(call.view(0).count())) * sizeof(float));
}

/* The elements of the operand that one result reduces: a view of the reduced dims alone. */
inline View reduced_part(const View &out, const View &self, const Index &at)
{
	View part;
	part.dtype = self.dtype;
	part.data = self.data;
	int64_t start = 0;
	for (unsigned d = 0; d < self.ndim; d++) {
		if (out.dims[d] == self.dims[d]) {
			start += at[d] * self.strides[d];
			continue;
		}
		part.dims[part.ndim] = self.dims[d];
		part.strides[part.ndim++] = self.strides[d];
	}
	part.data += start * element_bytes(self);
	return part;
}

/* An operation has a type of numbers that it loads, one of sums, add(sum, number), join(sum, sum) for
 * lanes, and finish(sum, elements). */
template <class Operation> typename Operation::Sum reduce_one(const Operation &op, const View &part)
{
	using Number = typename Operation::Number;
	constexpr unsigned LANES = 8;
	typename Operation::Sum lanes[LANES];
	std::fill(std::begin(lanes), std::end(lanes), op.start());
	alignas(64) Number numbers[ROW_BLOCK];
	for_rows(part, 0, static_cast<uint64_t>(part.count()),
		 [&](const Index &at, int64_t n, uint64_t) {
			 const std::byte *from = place(part, at);
			 const int64_t stride = inner_stride(part);
			 for (int64_t done = 0; done < n; done += ROW_BLOCK) {
				 const int64_t take = std::min(n - done, ROW_BLOCK);
				 load_row<Number>(part.dtype, from + done * stride, stride,
						  static_cast<size_t>(take), numbers);
				 int64_t i = 0;
				 for (; i + LANES <= take; i += LANES)
					 for (unsigned k = 0; k < LANES; k++)
						 lanes[k] = op.add(lanes[k], numbers[i + k]);
				 for (unsigned k = 0; i < take; i++, k++)
					 lanes[k] = op.add(lanes[k], numbers[i]);
			 }
		 });
	for (unsigned k = 1; k < LANES; k++)
		lanes[0] = op.join(lanes[0], lanes[k]);
	return lanes[0];
}

template <class Operation>
void store_result(const Operation &op, const View &out, const Index &at,
		  typename Operation::Sum sum, int64_t elements)
{
	const auto result = op.finish(sum, elements);
	store_row<std::remove_const_t<decltype(result)>>(out.dtype, place(out, at), 0, 1, &result);
}

/* Results that lie side by side along the last dim, which is not reduced. */
template <class Operation>
void reduce_side_by_side(const Operation &op, const Call &call, const Index &at, int64_t n)
{
	using Number = typename Operation::Number;
	const View &out = call.view(0), &self = call.view(1);
	const View part = reduced_part(out, self, at);
	const auto elements = static_cast<uint64_t>(part.count());
	alignas(64) typename Operation::Sum sums[ROW_BLOCK];
	alignas(64) Number numbers[ROW_BLOCK];
	std::fill_n(sums, n, op.start());
	for (uint64_t k = 0; k < elements; k++) {
		load_row<Number>(self.dtype, place(part, index_of(part, k)), inner_stride(self),
				 static_cast<size_t>(n), numbers);
		for (int64_t i = 0; i < n; i++)
			sums[i] = op.add(sums[i], numbers[i]);
	}
	Index each = at;
	for (int64_t i = 0; i < n; i++, each[out.ndim - 1]++)
		store_result(op, out, each, sums[i], static_cast<int64_t>(elements));
}

template <class Operation>
void reduce(const Operation &op, const Call &call, uint64_t first, uint64_t count)
{
	const View &out = call.view(0), &self = call.view(1);
	const auto each = static_cast<uint64_t>(results_per_unit(call));
	const auto all = static_cast<uint64_t>(out.count());
	const bool is_kept = out.ndim && row_length(out) == row_length(self);
	for (uint64_t unit = first; unit < first + count; unit++) {
		const uint64_t end = std::min(all, (unit + 1) * each);
		for_rows(out, unit * each, end, [&](Index at, int64_t n, uint64_t) {
			if (is_kept && n > 1)
				return reduce_side_by_side(op, call, at, n);
			for (int64_t i = 0; i < n; i++) {
				const View part = reduced_part(out, self, at);
				store_result(op, out, at, reduce_one(op, part), part.count());
				if (out.ndim)
					at[out.ndim - 1]++;
			}
		});
	}
}

} // namespace fw::tensor
