// SPDX-License-Identifier: MIT
/*
 * DOC: Random windows
 *
 * Sizes of windows for the tests of convolutions and pools.
 */
#pragma once

#include "random_call.h"

namespace random_window {

using namespace random_call;

/* struct Axis - a window along one dim of @size elements, and how many positions it has. */
struct Axis {
	int64_t size, kernel, stride, low, high, dilation, positions;
};

/* struct Options - what a kind of windows has. */
struct Options {
	bool has_one_padding, has_dilation, rounds_up;
};

/* axis() - a window that fits at least once. */
inline Axis axis(Random &random, int64_t most_kernel, const Options &options)
{
	const auto below = [&](int64_t limit) {
		return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
	};
	Axis axis{};
	axis.kernel = 1 + below(most_kernel);
	axis.stride = random() % 2 ? 1 : 1 + below(4);
	axis.dilation = !options.has_dilation || random() % 2 ? 1 : 1 + below(3);
	axis.low = random() % 2 ? 0 : below(4);
	axis.high = options.has_one_padding ? axis.low : below(4);
	const int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
	axis.size = std::max<int64_t>(0, extent - axis.low - axis.high) + below(12);
	const int64_t rest = axis.size + axis.low + axis.high - extent;
	axis.positions = (rest + (options.rounds_up ? axis.stride - 1 : 0)) / axis.stride + 1;
	if (options.rounds_up && (axis.positions - 1) * axis.stride >= axis.size + axis.low)
		axis.positions--;
	return axis;
}

/* at() - the index of element @k of the window at @position; it may lie outside. */
inline int64_t at(const Axis &axis, int64_t position, int64_t k)
{
	return position * axis.stride - axis.low + k * axis.dilation;
}

inline bool is_inside(const Axis &axis, int64_t index)
{
	return index >= 0 && index < axis.size;
}

/* pair() - the words of an attribute with a number for H and one for W. */
inline std::vector<uint64_t> pair(int64_t high, int64_t wide)
{
	return {static_cast<uint64_t>(high), static_cast<uint64_t>(wide)};
}

} // namespace random_window
