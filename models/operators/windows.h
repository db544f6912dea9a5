// SPDX-License-Identifier: MIT
#pragma once

#include "row.h"

namespace models::windows {

/* struct Window - the numbers of a window, by dim of the image. */
struct Window {
	unsigned axes = 0;
	Integers kernel, strides, dilations, low, high, extra;
	bool rounds_up = false;
};

/* read_window() - of a node whose operand 0 is an image of one dim to three. */
bool read_window(Inference &at, Window &window, std::span<const int64_t> kernel);

/* check_kernel() - the same by the sizes that the weight has. */
bool check_kernel(Inference &at, Window &window, std::span<const int64_t> weight);

/* slide() - how many places the window has along dim @d; less than 1 where it does not fit. */
int64_t slide(const Window &window, unsigned d, int64_t size);

/* conv_dims() - of a convolution of operand 0 by @operand. */
bool conv_dims(Inference &at, size_t operand, ir::Dims &dims);

/* struct Convolution - @bias: or nothing @out: of the same type */
struct Convolution {
	Tensor image, weight;
	Operand bias;
	Tensor out;
	bool is_transposed = false;
};

/* convolve() - along one dim or two, in the groups of the node. */
bool convolve(Lowering &l, const Window &window, const Convolution &of);

/* convolve_cube() - along three. */
bool convolve_cube(Lowering &l, const Window &window, const Convolution &of);

/* pool_cube() - a pool along three dims, by @pool along one or two. */
using Pool = bool(Lowering &l, Window window, const Tensor &image, const Tensor &out);
bool pool_cube(Lowering &l, const Window &window, Pool *pool, Tensor image, const Tensor &out);

} // namespace models::windows
