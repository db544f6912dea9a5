// SPDX-License-Identifier: MIT
/*
 * DOC: Places of extremes
 *
 * ARGMAX and ARGMIN: slot 0 is the index of the first extreme element of each row of slot 1. MAX_DIM and MIN_DIM: slot
 * 0 is the element, slot 1 its index, slot 2 the operand. Rows are along the last dim. A NaN is more extreme than every
 * number, and 0 and -0 are equal.
 */
#include <cmath>

#include "firmware_sim/operators/elementwise/elementwise_views.h"
#include "reduction.h"

namespace fw::tensor {

namespace {

bool is_least_wanted(const Call &call)
{
	return call.kind == UNPU_TENSOR_ARGMIN || call.kind == UNPU_TENSOR_MIN_DIM;
}

/* is_better() - whether @a takes the place of @b. */
template <class C> bool is_better(C a, C b, bool is_least)
{
	if constexpr (!std::is_same_v<C, int64_t>) {
		if (std::isnan(a) || std::isnan(b))
			return std::isnan(a) && !std::isnan(b);
	}
	return is_least ? a < b : a > b;
}

template <class C> int64_t find_extreme(const View &self, uint64_t row, bool is_least)
{
	const int64_t length = row_length(self), stride = inner_stride(self);
	const std::byte *from = row_place(self, row);
	alignas(64) C numbers[ROW_BLOCK];
	C best{};
	int64_t found = -1;
	for (int64_t done = 0; done < length; done += ROW_BLOCK) {
		const int64_t n = std::min(length - done, ROW_BLOCK);
		load_row<C>(self.dtype, from + done * stride, stride, static_cast<size_t>(n),
			    numbers);
		for (int64_t i = 0; i < n; i++) {
			if (found >= 0 && !is_better(numbers[i], best, is_least))
				continue;
			best = numbers[i];
			found = done + i;
		}
	}
	return found;
}

int64_t find_extreme(const Call &call, const View &self, uint64_t row)
{
	const bool is_least = is_least_wanted(call);
	if (call.compute == UNPU_DTYPE_I64)
		return find_extreme<int64_t>(self, row, is_least);
	if (call.compute == UNPU_DTYPE_F64)
		return find_extreme<double>(self, row, is_least);
	return find_extreme<float>(self, row, is_least);
}

bool check_rows(const Call &call, const View &self)
{
	const int64_t length = row_length(self);
	return length > 0 && length <= UNPU_TENSOR_MAX_ROW && is_arithmetic(call.compute);
}

bool check_index(const Call &call)
{
	return have_rows(call) && is_index_type(call.view(0).dtype) &&
	       row_length(call.view(0)) == 1 && check_rows(call, call.view(1));
}

Finding run_index(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0), &self = call.view(1);
	for_unit_rows(call, first, count, [&](uint64_t row) {
		const int64_t found = find_extreme(call, self, row);
		store_row<int64_t>(out.dtype, row_place(out, row), 0, 1, &found);
	});
	return {};
}

bool check_element(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2))
		return false;
	const View &out = call.view(0), &index = call.view(1), &self = call.view(2);
	View same = self;
	if (self.ndim)
		same.dims[self.ndim - 1] = 1;
	return out.has_shape_of(same) && index.has_shape_of(same) && out.dtype == self.dtype &&
	       element_bits(self.dtype) >= 8 && is_index_type(index.dtype) &&
	       check_rows(call, self);
}

uint64_t element_units(const Call &call)
{
	return units_of_rows(call.view(2));
}

uint64_t element_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(call.view(2).count()) * 2 * sizeof(float));
}

Finding run_element(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0), &index = call.view(1), &self = call.view(2);
	const auto bytes = static_cast<unsigned>(element_bytes(self));
	for_rows_of(self, first, count, [&](uint64_t row) {
		const int64_t found = find_extreme(call, self, row);
		copy_row(row_place(out, row), 0, row_place(self, row) + found * inner_stride(self),
			 0, 1, bytes);
		store_row<int64_t>(index.dtype, row_place(index, row), 0, 1, &found);
	});
	return {};
}

constexpr Kernel EXTREME_KERNELS[] = {
	{UNPU_TENSOR_ARGMAX, check_index, row_units, row_cost, nullptr, run_index},
	{UNPU_TENSOR_ARGMIN, check_index, row_units, row_cost, nullptr, run_index},
	{UNPU_TENSOR_MAX_DIM, check_element, element_units, element_cost, nullptr, run_element},
	{UNPU_TENSOR_MIN_DIM, check_element, element_units, element_cost, nullptr, run_element},
};

} // namespace

const std::span<const Kernel> extreme_kernels = EXTREME_KERNELS;

} // namespace fw::tensor
