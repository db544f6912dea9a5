// SPDX-License-Identifier: MIT
/*
 * DOC: LAYER_NORM
 *
 * Slot 0 = (slot 3 - mean) / sqrt(variance + eps) * slot 4 + slot 5, where a row consists of the last `dims`
 * dims. Slots 4 and 5 have the shape of a row. Slots 1 and 2 get the mean and 1 / sqrt(..) of each row. The
 * variance is the biased one. Slots 1, 2, 4 and 5 may be absent.
 */
#include "norm.h"

namespace fw::tensor {

static bool check_layer(const Call &call)
{
	if (!call.has(0) || !call.has(3) || !have_bytes(call) || call.compute != UNPU_DTYPE_F32)
		return false;
	const View &input = call.view(3);
	const int64_t dims = call.integer(0);
	if (!call.view(0).has_shape_of(input) || dims < 0 || dims > input.ndim)
		return false;
	const RowsOf cut = cut_rows(input, static_cast<unsigned>(dims));
	if (!is_short(cut.row))
		return false;
	for (unsigned slot = 4; slot < 6; slot++)
		if (call.has(slot) && !call.view(slot).has_shape_of(cut.row))
			return false;
	return has_count(call, 1, cut.rows.count()) && has_count(call, 2, cut.rows.count());
}

static Norm layer_of(const Call &call)
{
	const auto dims = static_cast<unsigned>(call.integer(0));
	Norm norm(cut_rows(call.view(0), dims), cut_rows(call.view(3), dims));
	const View &rows = norm[Norm::INPUT].rows;
	norm.factors = call.has(4) ? norm.add(repeat_row(call.view(4), rows)) : 0;
	norm.summands = call.has(5) ? norm.add(repeat_row(call.view(5), rows)) : 0;
	norm.mean = call.has(1) ? &call.view(1) : nullptr;
	norm.rstd = call.has(2) ? &call.view(2) : nullptr;
	norm.is_centered = true;
	norm.epsilon = call.real(1);
	return norm;
}

static constexpr Kernel LAYER_NORM_KERNELS[] = {
	norm_kernel<layer_of>(UNPU_TENSOR_LAYER_NORM, check_layer),
};

const std::span<const Kernel> layer_norm_kernels = LAYER_NORM_KERNELS;

} // namespace fw::tensor
