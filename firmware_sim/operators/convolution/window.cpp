// SPDX-License-Identifier: MIT
/*
 * DOC: Windows
 *
 * Convolutions and pools move a window along H and W. Its numbers come from the client. Each fits into 31
 * bits, so sums of a few products of two of them fit into 64.
 */
#include "window.h"

namespace fw::tensor {

namespace {

bool is_between(int64_t value, int64_t least)
{
	return value >= least && value <= UNPU_TENSOR_MAX_WINDOW;
}

} // namespace

bool is_good_window(const Window &window, int64_t size)
{
	return is_between(window.kernel, 1) && is_between(window.stride, 1) &&
	       is_between(window.dilation, 1) && is_between(window.low, 0) &&
	       is_between(window.high, 0) && is_between(size, 0);
}

int64_t count_windows(const Window &window, int64_t size, bool rounds_up)
{
	const int64_t rest = size + window.low + window.high - window.extent();
	const int64_t steps = rest + (rounds_up ? window.stride - 1 : 0);
	if (steps < 0)
		return 0;
	const int64_t count = steps / window.stride + 1;
	return rounds_up && window.start(count - 1) >= size ? count - 1 : count;
}

Positions inside(int64_t start, int64_t step, int64_t size, int64_t first, int64_t end)
{
	int64_t low, high;
	if (step == 1) {
		low = -start;
		high = size - start;
	} else if (step > 0) {
		low = start < 0 ? (-start + step - 1) / step : 0;
		high = start < size ? (size - start + step - 1) / step : 0;
	} else {
		low = start >= size ? (start - size) / -step + 1 : 0;
		high = start >= 0 ? start / -step + 1 : 0;
	}
	const int64_t from = std::clamp(low, first, end);
	return {from, std::clamp(high, from, end)};
}

} // namespace fw::tensor
