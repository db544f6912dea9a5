// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "uapi/tensor.h"

namespace fw::tensor {

constexpr int64_t PACKED_CHANNELS = UNPU_PACKED_CHANNELS;

/**
 * struct Strip - some pixels that lie in a row of a result whose channels lie side by side, and at most
 * PACKED_CHANNELS channels of them. Steps are counted in floats.
 *
 * Below a window lie @rows times @runs runs of @length elements, one behind the other. All of them are inside of
 * the input.
 */
struct Strip {
	const float *input; /* the first element below the window of the first pixel */
	int64_t in_step;    /* between the windows of two pixels */
	int64_t rows, row_step;
	int64_t runs, run_step;
	int64_t length;
	const float *
		weights; /* of each of these elements in order, PACKED_CHANNELS or @weight_step apart */
	int64_t weight_step;
	const float *bias; /* one for each channel, or nullptr */
	const float *more; /* is added to the results, or nullptr */
	int64_t more_step; /* between two pixels */
	float *out;
	int64_t out_step;
	int64_t pixels, channels;
	int64_t function; /* enum unpu_finish */
	float number;
};

/** compute_strip() - each element of the input has a weight for each channel. */
void compute_strip(const Strip &strip);

/** compute_depths() - channel c of the result is that of channel c of the input alone; @channels may be any number, and
 * @length is 1. */
void compute_depths(const Strip &strip);

} // namespace fw::tensor
