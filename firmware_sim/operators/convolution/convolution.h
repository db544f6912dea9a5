// SPDX-License-Identifier: MIT
#pragma once

#include "window.h"

namespace fw::tensor {

/** convolution_window() - the window along H (0) or W (1) that a call has. */
Window convolution_window(const Call &call, unsigned axis);

/**
 * struct Walk - which elements belong together along one dim, in one phase. Position p of a phase has the
 * index @out_first + p * @out_step in the result. Tap t is the kernel element with the index @tap_first + t *
 * @tap_step. For position p, tap t is multiplied with the input element at the index @in_first + p * @in_step
 * + t * @in_tap. An index outside of the input stands for 0.
 */
struct Walk {
	int64_t positions;
	int64_t out_first, out_step;
	int64_t taps;
	int64_t tap_first, tap_step;
	int64_t in_first, in_step, in_tap;
};

/**
 * class Geometry - the sizes that follow from the views and attributes of a call of CONVOLUTION.
 *
 * A transposed convolution with stride s is s convolutions with stride 1: in the phase p, results p, p + s,
 * .. use the same taps. Any other convolution has one phase.
 */
class Geometry {
public:
	explicit Geometry(const Call &call);

	/** phases() - the number of phases along H (0) and W (1). Each phase has at least one result. */
	int64_t phases(unsigned axis) const;
	/** positions() - the maximum number of positions in a phase. */
	int64_t positions(unsigned axis) const;
	Walk walk(unsigned axis, int64_t phase) const;

	/** window() - the window along H (0) or W (1). */
	const Window &window(unsigned axis) const { return windows_[axis]; }

	/** weight_index() - the index of kernel element [@kh, @kw] for channel @out of the result and @in of the
	 * input; both are counted within group @group. */
	Index weight_index(int64_t group, int64_t out, int64_t in, int64_t kh, int64_t kw) const;

	const View &out, &input, &weight;
	const View *bias;
	bool is_transposed;
	int64_t groups;
	int64_t out_channels, in_channels; /* channels of a group */

private:
	Window windows_[2];
};

/** load_bias() - the bias of channel @channel, or 0. */
float load_bias(const Geometry &geometry, int64_t channel);

/* The ways to compute a convolution. Each has functions for the number of units, for the size of the scratch memory,
 * and to compute some units. */
uint64_t direct_units(const Geometry &geometry);
size_t direct_bytes(const Geometry &geometry);
void run_direct(const Geometry &geometry, uint64_t first, uint64_t count, std::byte *scratch);

/** has_slabs() - whether run_slabs() can compute the convolution. It is good where groups have few channels. */
bool has_slabs(const Geometry &geometry);
uint64_t slab_units(const Geometry &geometry);
size_t slab_bytes(const Geometry &geometry);
void run_slabs(const Geometry &geometry, uint64_t first, uint64_t count, std::byte *scratch);

uint64_t panel_units(const Geometry &geometry);
size_t panel_bytes(const Geometry &geometry);
void run_panels(const Geometry &geometry, uint64_t first, uint64_t count, std::byte *scratch);

} // namespace fw::tensor
