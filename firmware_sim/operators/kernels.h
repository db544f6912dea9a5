// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "view.h"

namespace fw::tensor {

/* The kernels of each family: a family is a room, and each of its files that has kernels lists them. */
extern const std::span<const Kernel> unary_kernels;
extern const std::span<const Kernel> activation_kernels;
extern const std::span<const Kernel> scalar_kernels;
extern const std::span<const Kernel> binary_kernels;
extern const std::span<const Kernel> comparison_kernels;
extern const std::span<const Kernel> quotient_kernels;
extern const std::span<const Kernel> function_kernels;
extern const std::span<const Kernel> several_kernels;
extern const std::span<const Kernel> gated_kernels;
extern const std::span<const Kernel> cast_kernels;
extern const std::span<const Kernel> join_kernels;
extern const std::span<const Kernel> pad_kernels;
extern const std::span<const Kernel> index_kernels;
extern const std::span<const Kernel> scatter_kernels;
extern const std::span<const Kernel> elements_kernels;
extern const std::span<const Kernel> shape_kernels;
extern const std::span<const Kernel> reduce_kernels;
extern const std::span<const Kernel> fold_kernels;
extern const std::span<const Kernel> scan_kernels;
extern const std::span<const Kernel> extreme_kernels;
extern const std::span<const Kernel> sort_kernels;
extern const std::span<const Kernel> softmax_kernels;
extern const std::span<const Kernel> matmul_kernels;
extern const std::span<const Kernel> rms_norm_kernels;
extern const std::span<const Kernel> layer_norm_kernels;
extern const std::span<const Kernel> group_norm_kernels;
extern const std::span<const Kernel> batch_norm_kernels;
extern const std::span<const Kernel> rotary_kernels;
extern const std::span<const Kernel> attention_kernels;
extern const std::span<const Kernel> quant_kernels;
extern const std::span<const Kernel> triangular_kernels;
extern const std::span<const Kernel> convolution_kernels;
extern const std::span<const Kernel> packed_kernels;
extern const std::span<const Kernel> im2col_kernels;
extern const std::span<const Kernel> pool_kernels;
extern const std::span<const Kernel> resize_kernels;
extern const std::span<const Kernel> recurrent_kernels;
extern const std::span<const Kernel> aipp_kernels;
extern const std::span<const Kernel> picture_kernels;

/** find_kernel() - the kernel of a kind; nullptr if there is none. */
const Kernel *find_kernel(uint32_t kind);

} // namespace fw::tensor
