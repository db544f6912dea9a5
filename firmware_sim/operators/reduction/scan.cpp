// SPDX-License-Identifier: MIT
/*
 * DOC: CUMSUM
 *
 * Running sums along the last dim. Slot 0 is the result, slot 1 the operand.
 */
#include "firmware_sim/operators/elementwise/elementwise_views.h"
#include "reduction.h"

namespace fw::tensor {

namespace {

bool check_cumsum(const Call &call)
{
	return have_rows(call) && call.view(0).has_shape_of(call.view(1)) &&
	       is_arithmetic(call.compute) && row_length(call.view(1)) <= UNPU_TENSOR_MAX_ROW;
}

template <class C, class Sum> void add_up(const Call &call, uint64_t row)
{
	const View &out = call.view(0), &self = call.view(1);
	const int64_t length = row_length(self);
	const std::byte *from = row_place(self, row);
	std::byte *to = row_place(out, row);
	alignas(64) C numbers[ROW_BLOCK];
	Sum sum = 0;
	for (int64_t done = 0; done < length; done += ROW_BLOCK) {
		const auto n = static_cast<size_t>(std::min(length - done, ROW_BLOCK));
		load_row<C>(self.dtype, from + done * inner_stride(self), inner_stride(self), n,
			    numbers);
		for (size_t i = 0; i < n; i++) {
			sum += static_cast<Sum>(numbers[i]);
			numbers[i] = static_cast<C>(sum);
		}
		store_row<C>(out.dtype, to + done * inner_stride(out), inner_stride(out), n,
			     numbers);
	}
}

Finding run_cumsum(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	for_unit_rows(call, first, count, [&](uint64_t row) {
		if (call.compute == UNPU_DTYPE_I64)
			add_up<int64_t, uint64_t>(call, row);
		else if (call.compute == UNPU_DTYPE_F64)
			add_up<double, double>(call, row);
		else
			add_up<float, double>(call, row);
	});
	return {};
}

constexpr Kernel SCAN_KERNELS[] = {
	{UNPU_TENSOR_CUMSUM, check_cumsum, row_units, row_cost, nullptr, run_cumsum},
};

} // namespace

const std::span<const Kernel> scan_kernels = SCAN_KERNELS;

} // namespace fw::tensor
