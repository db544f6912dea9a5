// SPDX-License-Identifier: MIT
/*
 * DOC: RMS_NORM and ADD_RMS_NORM
 *
 * RMS_NORM: slot 0 = slot 2 / sqrt(mean of its squares + epsilon) * slot 3, which has the last dims of slot 2; these
 * are a row. Slot 1 gets 1 / sqrt(..) of each row. ADD_RMS_NORM: the operand is slot 3 + slot 4, and slot 2 gets this
 * sum; slot 5 has the factors.
 */
#include "norm.h"

namespace fw::tensor {

namespace {

/* struct Slots - where a kind has its operands. */
struct Slots {
	unsigned input, factors, addends; /* @addends: 0: there are none */
};

constexpr Slots RMS{2, 3, 0}, ADD_RMS{2, 5, 3};

template <const Slots &S> bool check_rms(const Call &call)
{
	if (!call.has(0) || !call.has(S.input) || !call.has(S.factors) || !have_bytes(call) ||
	    call.compute != UNPU_DTYPE_F32)
		return false;
	const View &input = call.view(S.input), &factors = call.view(S.factors);
	if (!call.view(0).has_shape_of(input) || !is_end_of(factors, input) || !is_short(factors))
		return false;
	for (unsigned slot = S.addends; slot != 0 && slot < S.factors; slot++)
		if (!call.has(slot) || !call.view(slot).has_shape_of(input))
			return false;
	return has_count(call, 1, cut_rows(input, factors.ndim).rows.count());
}

template <const Slots &S> Norm rms_of(const Call &call)
{
	const View &factors = call.view(S.factors);
	Norm norm(cut_rows(call.view(0), factors.ndim), cut_rows(call.view(S.input), factors.ndim));
	if (S.addends) {
		norm.addends = norm.add(cut_rows(call.view(S.addends), factors.ndim));
		norm.add(cut_rows(call.view(S.addends + 1), factors.ndim));
	}
	norm.factors = norm.add(repeat_row(factors, norm[Norm::INPUT].rows));
	norm.rstd = call.has(1) ? &call.view(1) : nullptr;
	norm.epsilon = call.real(0);
	return norm;
}

constexpr Kernel RMS_NORM_KERNELS[] = {
	norm_kernel<rms_of<RMS>>(UNPU_TENSOR_RMS_NORM, check_rms<RMS>),
	norm_kernel<rms_of<ADD_RMS>>(UNPU_TENSOR_ADD_RMS_NORM, check_rms<ADD_RMS>),
};

} // namespace

const std::span<const Kernel> rms_norm_kernels = RMS_NORM_KERNELS;

} // namespace fw::tensor
