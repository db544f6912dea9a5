// SPDX-License-Identifier: MIT
/*
 * DOC: IM2COL
 *
 * Slot 0 [N, C * KH * KW, L] gets the elements of slot 1 [N, C, H, W] that a window covers: column l has those of
 * its position l, in row-major order of the positions. Elements of the padding are zero. Attributes: kernel,
 * dilation, padding and stride, for H and W each.
 */
#include "firmware_sim/operators/layout/layout.h"
#include "window.h"

namespace fw::tensor {

namespace {

Window column_window(const Call &call, unsigned axis)
{
	const int64_t padding = call.integers(2)[axis];
	return {call.integers(0)[axis], call.integers(3)[axis], padding, padding,
		call.integers(1)[axis]};
}

bool check_im2col(const Call &call)
{
	if (!have_one_type(call) || call.view(0).ndim != 3 || call.view(1).ndim != 4)
		return false;
	for (unsigned a = 0; a < 4; a++)
		if (call.integers(a).size() != 2)
			return false;
	const View &out = call.view(0), &self = call.view(1);
	const Window high = column_window(call, 0), wide = column_window(call, 1);
	if (!is_good_window(high, self.dims[2]) || !is_good_window(wide, self.dims[3]))
		return false;
	int64_t down, across;
	return out.dims[0] == self.dims[0] &&
	       !__builtin_mul_overflow(high.kernel * wide.kernel, self.dims[1], &down) &&
	       out.dims[1] == down &&
	       !__builtin_mul_overflow(count_windows(high, self.dims[2], false),
				       count_windows(wide, self.dims[3], false), &across) &&
	       out.dims[2] == across;
}

/* One row of the result has one element of each window: element [kh, kw] of channel c. */
struct ColumnRow {
	Index from;	      /* into the operand */
	int64_t down, across; /* where the element of the first window is */
};

ColumnRow column_row(const Index &at, const Window &high, const Window &wide)
{
	const int64_t element = at[1] % (high.kernel * wide.kernel);
	ColumnRow row{{at[0], at[1] / (high.kernel * wide.kernel)}, 0, 0};
	row.down = element / wide.kernel * high.dilation - high.low;
	row.across = element % wide.kernel * wide.dilation - wide.low;
	return row;
}

/* fill_segment() - the windows of one row of positions: elements @at[2] .. @at[2] + @n - 1, @first the position
 * along W. */
void fill_segment(const Call &call, Index at, ColumnRow row, int64_t y, int64_t first, int64_t n,
		  const Window &wide)
{
	const View &out = call.view(0), &self = call.view(1);
	Positions known{first, first};
	if (y >= 0 && y < self.dims[2])
		known = inside(row.across, wide.stride, self.dims[3], first, first + n);
	fill_part(out, at, {}, known.first - first);
	at[2] += known.first - first;
	if (known.first < known.end) {
		row.from[2] = y;
		row.from[3] = row.across + known.first * wide.stride;
		copy_row(place(out, at), inner_stride(out), place(self, row.from),
			 inner_stride(self) * wide.stride,
			 static_cast<size_t>(known.end - known.first),
			 static_cast<unsigned>(element_bytes(out)));
	}
	at[2] += known.end - known.first;
	fill_part(out, at, {}, first + n - known.end);
}

Finding run_im2col(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const Window high = column_window(call, 0), wide = column_window(call, 1);
	const int64_t across = count_windows(wide, call.view(1).dims[3], false);
	for_units(call, first, count, [&](Index at, int64_t n, uint64_t) {
		const ColumnRow row = column_row(at, high, wide);
		for (int64_t end = at[2] + n; at[2] < end;) {
			const int64_t x = at[2] % across;
			const int64_t part = std::min(across - x, end - at[2]);
			fill_segment(call, at, row, row.down + at[2] / across * high.stride, x,
				     part, wide);
			at[2] += part;
		}
	});
	return {};
}

constexpr Kernel IM2COL_KERNELS[] = {
	{UNPU_TENSOR_IM2COL, check_im2col, elementwise_units, layout_cost, nullptr, run_im2col},
};

} // namespace

const std::span<const Kernel> im2col_kernels = IM2COL_KERNELS;

} // namespace fw::tensor
