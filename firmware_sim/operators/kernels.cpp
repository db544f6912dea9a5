// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels of tensor operators
 *
 * The kernels of all families by kind. A kind without a kernel is refused as an operator that does not
 * exist.
 */
#include "kernels.h"

namespace fw::tensor {

Scalar Call::scalar(unsigned attribute) const
{
	const auto parts = integers(attribute);
	Scalar scalar;
	scalar.is_floating = parts[0] == UNPU_DTYPE_F64;
	if (scalar.is_floating) {
		scalar.real = std::bit_cast<double>(parts[1]);
		scalar.integer = scalar.real >= -0x1p63 && scalar.real < 0x1p63
					 ? static_cast<int64_t>(scalar.real)
					 : 0;
	} else {
		scalar.real = parts[0] == UNPU_DTYPE_U64
				      ? static_cast<double>(static_cast<uint64_t>(parts[1]))
				      : static_cast<double>(parts[1]);
		scalar.integer = parts[1];
	}
	return scalar;
}

const Kernel *find_kernel(uint32_t kind)
{
	const std::span<const Kernel> *const families[] = {
		&unary_kernels,	     &activation_kernels, &scalar_kernels,	&binary_kernels,
		&comparison_kernels, &quotient_kernels,	  &function_kernels,	&several_kernels,
		&scatter_kernels,    &elements_kernels,	  &gated_kernels,	&cast_kernels,
		&join_kernels,	     &pad_kernels,	  &index_kernels,	&shape_kernels,
		&reduce_kernels,     &fold_kernels,	  &scan_kernels,	&extreme_kernels,
		&sort_kernels,	     &softmax_kernels,	  &matmul_kernels,	&rms_norm_kernels,
		&layer_norm_kernels, &group_norm_kernels, &rotary_kernels,	&attention_kernels,
		&triangular_kernels, &quant_kernels,	  &im2col_kernels,	&pool_kernels,
		&resize_kernels,     &recurrent_kernels,  &convolution_kernels, &aipp_kernels,
		&picture_kernels,    &batch_norm_kernels, &packed_kernels,
	};
	for (const auto *family : families)
		for (const Kernel &kernel : *family)
			if (kernel.kind == kind)
				return &kernel;
	return nullptr;
}

} // namespace fw::tensor
