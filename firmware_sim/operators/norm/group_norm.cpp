// SPDX-License-Identifier: MIT
/*
 * DOC: GROUP_NORM
 *
 * Slot 3 is [N, C, ..]; each `group` of neighbouring channels of a sample is a row: slot 0 = (slot 3 - mean) /
 * sqrt(variance + eps) * slot 4 + slot 5, both with an element for each channel. Slots 1 and 2 get the mean and
 * 1 / sqrt(..) of each group. Slots 1, 2, 4 and 5 may be absent.
 */
#include "norm.h"

namespace fw::tensor {

/* The product of the dims behind [N, C]. */
static int64_t pixels_of(const View &view)
{
	int64_t product = 1;
	for (unsigned d = 2; d < view.ndim; d++)
		product *= view.dims[d];
	return product;
}

/* Rows are [N, group], and a row is [C / group, ..]. */
static RowsOf cut_groups(const View &view, int64_t groups)
{
	RowsOf cut = cut_rows(view, view.ndim - 1);
	cut.row.dims[0] /= groups;
	cut.rows.ndim = 2;
	cut.rows.dims[1] = groups;
	cut.rows.strides[1] = view.strides[1] * cut.row.dims[0];
	return cut;
}

static bool check_group(const Call &call)
{
	if (!call.has(0) || !call.has(3) || !have_bytes(call) || call.compute != UNPU_DTYPE_F32)
		return false;
	const View &input = call.view(3);
	const int64_t groups = call.integer(3);
	if (!call.view(0).has_shape_of(input) || input.ndim < 2 ||
	    call.integer(0) != input.dims[0] || call.integer(1) != input.dims[1] ||
	    call.integer(2) != pixels_of(input))
		return false;
	if (groups < 1 || groups > input.dims[1] || input.dims[1] % groups != 0)
		return false;
	for (unsigned slot = 4; slot < 6; slot++)
		if (call.has(slot) &&
		    (call.view(slot).ndim != 1 || call.view(slot).dims[0] != input.dims[1]))
			return false;
	if (!is_short(cut_groups(input, groups).row))
		return false;
	/* No more than N * C, which the firmware has checked. */
	const int64_t rows = input.dims[0] * groups;
	return has_count(call, 1, rows) && has_count(call, 2, rows);
}

/* spread_channels() - the number of its channel for each element of @input. */
static RowsOf spread_channels(const View &channels, const RowsOf &input)
{
	RowsOf cut = input;
	cut.rows.data = cut.row.data = channels.data;
	cut.rows.dtype = cut.row.dtype = channels.dtype;
	cut.row.strides = {channels.strides[0]};
	cut.rows.strides = {0, channels.strides[0] * input.row.dims[0]};
	return cut;
}

static Norm group_of(const Call &call)
{
	const int64_t groups = call.integer(3);
	Norm norm(cut_groups(call.view(0), groups), cut_groups(call.view(3), groups));
	const RowsOf &input = norm[Norm::INPUT];
	norm.factors = call.has(4) ? norm.add(spread_channels(call.view(4), input)) : 0;
	norm.summands = call.has(5) ? norm.add(spread_channels(call.view(5), input)) : 0;
	norm.mean = call.has(1) ? &call.view(1) : nullptr;
	norm.rstd = call.has(2) ? &call.view(2) : nullptr;
	norm.is_centered = true;
	norm.epsilon = call.real(4);
	return norm;
}

static constexpr Kernel GROUP_NORM_KERNELS[] = {
	norm_kernel<group_of>(UNPU_TENSOR_GROUP_NORM, check_group),
};

const std::span<const Kernel> group_norm_kernels = GROUP_NORM_KERNELS;

} // namespace fw::tensor
