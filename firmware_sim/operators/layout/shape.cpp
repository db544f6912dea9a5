// SPDX-License-Identifier: MIT
/*
 * DOC: TRIL, TRIU, ARANGE and UPSAMPLE_NEAREST
 *
 * TRIL and TRIU: slot 0 is the result, slot 1 the operand, which may be the same view; attribute 0 is the
 * diagonal that is kept in the matrices of the last two dims, the rest becomes zero. ARANGE: slot 0 gets
 * attribute 0 + i * attribute 1. UPSAMPLE_NEAREST: slot 0 and slot 1 are images [N, C, H, W].
 */
#include <cmath>

#include "layout.h"

namespace fw::tensor {

namespace {

bool check_triangle(const Call &call)
{
	return have_one_type(call) && call.view(0).ndim >= 2 &&
	       call.view(0).has_shape_of(call.view(1));
}

/* How many elements of @row lie on the diagonal or left of it, at most @width. */
int64_t left_of(int64_t row, int64_t diagonal, int64_t width)
{
	int64_t end;
	if (__builtin_add_overflow(row + 1, diagonal, &end))
		return diagonal < 0 ? 0 : width;
	return std::clamp(end, int64_t{0}, width);
}

/* Keeps the elements of a row from @first_kept to @last_kept - 1 and makes the others zero. */
void keep_part(const Call &call, Index at, int64_t n, int64_t first_kept, int64_t last_kept)
{
	const View &out = call.view(0), &self = call.view(1);
	int64_t &column = at[out.ndim - 1];
	const int64_t end = column + n;
	const int64_t from = std::clamp(first_kept, column, end);
	const int64_t to = std::clamp(last_kept, from, end);
	fill_part(out, at, {}, from - column);
	column = from;
	if (to > from)
		copy_part(out, at, self, at, to - from);
	column = to;
	fill_part(out, at, {}, end - to);
}

Finding run_tril(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const int64_t diagonal = call.integer(0), width = row_length(call.view(0));
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t) {
		keep_part(call, at, n, 0, left_of(at[call.view(0).ndim - 2], diagonal, width));
	});
	return {};
}

Finding run_triu(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const int64_t diagonal = call.integer(0), width = row_length(call.view(0));
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t) {
		const int64_t row = at[call.view(0).ndim - 2];
		const bool keeps_all = diagonal == INT64_MIN;
		keep_part(call, at, n, keeps_all ? 0 : left_of(row, diagonal - 1, width), width);
	});
	return {};
}

bool check_arange(const Call &call)
{
	return call.has(0) && element_bits(call.view(0).dtype) >= 8 &&
	       (call.compute == UNPU_DTYPE_F32 || call.compute == UNPU_DTYPE_F64 ||
		call.compute == UNPU_DTYPE_I64);
}

/* Each value is computed from the start, so that no error adds up. */
Finding run_arange(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0);
	const Scalar start = call.scalar(0), step = call.scalar(1);
	for_units(call, first, count, [&](const Index &at, int64_t n, uint64_t number) {
		std::byte *to = place(out, at);
		for (int64_t i = 0; i < n; i++, to += inner_stride(out)) {
			const uint64_t k = number + static_cast<uint64_t>(i);
			const double real = start.real + static_cast<double>(k) * step.real;
			const auto integer =
				static_cast<int64_t>(static_cast<uint64_t>(start.integer) +
						     k * static_cast<uint64_t>(step.integer));
			if (call.compute == UNPU_DTYPE_I64)
				store_row<int64_t>(out.dtype, to, 0, 1, &integer);
			else
				store_row<double>(out.dtype, to, 0, 1, &real);
		}
	});
	return {};
}

bool check_upsample(const Call &call)
{
	if (!have_one_type(call))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	return out.ndim == 4 && self.ndim == 4 && out.dims[0] == self.dims[0] &&
	       out.dims[1] == self.dims[1] && self.dims[2] > 0 && self.dims[3] > 0;
}

/* nearest() - which element of @in elements is nearest to element @index of @out. */
int64_t nearest(int64_t index, int64_t in, int64_t out)
{
	const float scale = static_cast<float>(in) / static_cast<float>(out);
	const float source = std::floor(static_cast<float>(index) * scale);
	return source < static_cast<float>(in - 1) ? static_cast<int64_t>(source) : in - 1;
}

Finding run_upsample(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0), &self = call.view(1);
	for_units(call, first, count, [&](Index at, int64_t n, uint64_t) {
		Index from = at;
		from[2] = nearest(at[2], self.dims[2], out.dims[2]);
		for (int64_t i = 0; i < n; i++, at[3]++) {
			from[3] = nearest(at[3], self.dims[3], out.dims[3]);
			copy_part(out, at, self, from, 1);
		}
	});
	return {};
}

constexpr Kernel SHAPE_KERNELS[] = {
	{UNPU_TENSOR_TRIL, check_triangle, elementwise_units, layout_cost, nullptr, run_tril},
	{UNPU_TENSOR_TRIU, check_triangle, elementwise_units, layout_cost, nullptr, run_triu},
	{UNPU_TENSOR_ARANGE, check_arange, elementwise_units, layout_cost, nullptr, run_arange},
	{UNPU_TENSOR_UPSAMPLE_NEAREST, check_upsample, elementwise_units, layout_cost, nullptr,
	 run_upsample},
};

} // namespace

const std::span<const Kernel> shape_kernels = SHAPE_KERNELS;

} // namespace fw::tensor
