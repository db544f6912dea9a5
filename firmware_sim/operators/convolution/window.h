// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/** struct Window - a window that moves along one dim: H or W. */
struct Window {
	int64_t kernel; /* elements of the window */
	int64_t stride;
	int64_t low, high; /* padding before and behind the dim */
	int64_t dilation;

	/** extent() - the number of elements of the dim from the first to the last element of the window,
	 * both included. */
	int64_t extent() const { return dilation * (kernel - 1) + 1; }

	/** start() - where window @position begins; negative inside of the padding. */
	int64_t start(int64_t position) const { return position * stride - low; }
};

/** is_good_window() - whether no number of a window, nor @size of the dim that it moves along, is so large or
 * small that arithmetic with them could overflow. */
bool is_good_window(const Window &window, int64_t size);

/** count_windows() - how many positions a good window has; none or a negative number if it doesn't fit.
 * @rounds_up: the last window may end behind the padding, but it must not begin there */
int64_t count_windows(const Window &window, int64_t size, bool rounds_up);

/** struct Positions - a range of positions at which an index lies inside of a dim. */
struct Positions {
	int64_t first, end;
};

/** inside() - which positions p of [@first, @end) have 0 <= @start + p * @step < @size.
 * @step: not 0 */
Positions inside(int64_t start, int64_t step, int64_t size, int64_t first, int64_t end);

/** is_window_type() - whether convolutions and pools can compute with elements of the type. */
inline bool is_window_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16;
}

} // namespace fw::tensor
