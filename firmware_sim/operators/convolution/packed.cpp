// SPDX-License-Identifier: MIT
/*
 * DOC: PACKED_CONVOLUTION
 *
 * A CONVOLUTION of F32 whose channels lie side by side in memory: the stride of dim 1 of slots 0, 1 and 4 is 1. Slot 2
 * has the weights in the order in which the loops read them: [Co / 32, rounded up, KH, KW, Ci, 32], where the
 * channels behind the last one are zeros, or [KH, KW, C] where each channel has a window of its own. Slot 3 [Co] and
 * slot 4 [N, Co, OH, OW] are added, if they are there, and then a function is applied. Attributes: stride, padding at
 * the beginning and at the end, and dilation for H and W each; enum unpu_finish, and its number.
 *
 * A unit is a part of the rows and columns of an image, and a number of channels. Where there is padding, it makes a
 * copy of its part of the input with zeros around it.
 */
#include <cstring>

#include "firmware_sim/operators/blocks.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"
#include "strip.h"
#include "window.h"

namespace fw::tensor {

namespace {

/* Of the input below the windows of a unit, which the second-level cache keeps beside the weights. */
constexpr int64_t PART_FLOATS = 32 << 10;
constexpr int64_t LEAST_COLUMNS = UNPU_PACKED_COLUMNS;
constexpr int64_t WANTED_UNITS = 8;

Window window_of(const Call &call, unsigned axis)
{
	const View &weight = call.view(2);
	const std::span<const int64_t> padding = call.integers(1);
	return {weight.dims[weight.ndim == 3 ? axis : 1 + axis], call.integers(0)[axis],
		padding[axis], padding[2 + axis], call.integers(2)[axis]};
}

/* struct Parts - how a convolution is divided. It depends only on the call. */
struct Parts {
	explicit Parts(const Call &call);

	int64_t in_rows(int64_t count) const { return (count - 1) * down.stride + down.extent(); }
	int64_t in_columns(int64_t count) const
	{
		return (count - 1) * across.stride + across.extent();
	}
	/* in_channels() - of the input, for @count channels of the result */
	int64_t in_channels(int64_t count) const { return is_deep ? count : in.dims[1]; }

	const Call &call;
	View out, in, more; /* with one row if the rows need not be told apart */
	Window down, across;
	bool is_deep, has_padding;
	int64_t rows, columns, channels; /* of the result in a unit, at most */
	int64_t parts_down, parts_across, parts_deep, units;
};

/* is_flat() - whether the rows of each image are one. */
bool is_flat(const View &view)
{
	return view.dims[2] == 1 || view.dims[3] == 1 ||
	       view.strides[2] == view.strides[3] * view.dims[3];
}

/* flatten() - makes a row of an image. */
void flatten(View &view)
{
	if (view.dims[3] == 1)
		view.strides[3] = view.strides[2];
	view.dims[3] *= view.dims[2];
	view.dims[2] = 1;
}

Parts::Parts(const Call &from)
	: call(from), out(from.view(0)), in(from.view(1)), down(window_of(from, 0)),
	  across(window_of(from, 1)), is_deep(from.view(2).ndim == 3)
{
	if (call.has(4))
		more = call.view(4);
	const auto is_pixel = [](const Window &window) {
		return window.kernel == 1 && window.stride == 1 && window.low == 0 &&
		       window.high == 0;
	};
	if (is_pixel(down) && is_pixel(across) && is_flat(out) && is_flat(in) &&
	    (!call.has(4) || is_flat(more))) {
		flatten(out);
		flatten(in);
		if (call.has(4))
			flatten(more);
	}
	has_padding = (down.low | down.high | across.low | across.high) != 0;
	const int64_t depth = std::max<int64_t>(in.dims[1], 1);
	const int64_t below = PART_FLOATS / (depth * down.extent() * across.stride);
	columns = std::clamp<int64_t>(below, LEAST_COLUMNS, std::max(out.dims[3], LEAST_COLUMNS));
	const int64_t row = depth * in_columns(std::min(columns, out.dims[3]));
	rows = std::clamp<int64_t>((PART_FLOATS / row - down.extent()) / down.stride + 1, 1,
				   std::max<int64_t>(out.dims[2], 1));
	parts_across = parts_of(out.dims[3], columns);
	parts_down = parts_of(out.dims[2], rows);
	/* Parts of about the same size. */
	columns = parts_of(out.dims[3], std::max<int64_t>(parts_across, 1));
	rows = parts_of(out.dims[2], std::max<int64_t>(parts_down, 1));
	const int64_t blocks = parts_of(out.dims[1], PACKED_CHANNELS);
	const int64_t images = out.dims[0] * parts_across * parts_down;
	const int64_t wanted =
		std::min(blocks, parts_of(WANTED_UNITS, std::max<int64_t>(images, 1)));
	channels = parts_of(blocks, std::max<int64_t>(wanted, 1)) * PACKED_CHANNELS;
	parts_deep = parts_of(out.dims[1], channels);
	units = images * parts_deep;
}

/* struct Part - what a unit computes, and the input below its first window. */
struct Part {
	int64_t image, y, x, channel, rows, columns, channels;
	const float *input;
	int64_t row, column; /* floats from one of the input to the next */
};

Part part_of(const Parts &cut, int64_t unit)
{
	const auto take = [&unit](int64_t count) {
		const int64_t part = unit % count;
		unit /= count;
		return part;
	};
	Part part{};
	part.channel = take(cut.parts_deep) * cut.channels;
	part.x = take(cut.parts_across) * cut.columns;
	part.y = take(cut.parts_down) * cut.rows;
	part.image = unit;
	part.channels = std::min(cut.channels, cut.out.dims[1] - part.channel);
	part.columns = std::min(cut.columns, cut.out.dims[3] - part.x);
	part.rows = std::min(cut.rows, cut.out.dims[2] - part.y);
	return part;
}

float *floats_at(const View &view, const Index &at)
{
	return reinterpret_cast<float *>(place(view, at));
}

/* copy_part() - the input below a part, with zeros where it ends. */
void copy_part(const Parts &cut, Part &part, float *to)
{
	const View &in = cut.in;
	const int64_t channels = cut.in_channels(part.channels);
	const int64_t columns = cut.in_columns(part.columns), rows = cut.in_rows(part.rows);
	const int64_t left = cut.across.start(part.x), above = cut.down.start(part.y);
	part.input = to;
	part.column = channels;
	part.row = channels * columns;
	const Positions known = inside(left, 1, in.dims[3], 0, columns);
	for (int64_t r = 0; r < rows; r++, to += part.row) {
		const bool is_inside = above + r >= 0 && above + r < in.dims[2];
		const int64_t first = is_inside ? known.first : columns;
		const int64_t end = is_inside ? known.end : columns;
		std::fill_n(to, first * channels, 0.0f);
		if (first < end) {
			const float *from =
				floats_at(in, {part.image, cut.is_deep ? part.channel : 0,
					       above + r, left + first});
			const bool is_whole = in.strides[3] == channels;
			const int64_t each = is_whole ? channels * (end - first) : channels;
			for (int64_t x = first; x < end; x += is_whole ? end - first : 1)
				std::memcpy(to + x * channels, from + (x - first) * in.strides[3],
					    static_cast<size_t>(each) * sizeof(float));
		}
		std::fill_n(to + end * channels, (columns - end) * channels, 0.0f);
	}
}

/* compute_row() - a row of a part, PACKED_CHANNELS at a time. */
void compute_row(const Parts &cut, const Part &part, int64_t y, int64_t channel, int64_t channels)
{
	const Call &call = cut.call;
	const View &weight = call.view(2);
	const int64_t depth = cut.is_deep ? 1 : cut.in.dims[1];
	Strip strip{};
	strip.input = part.input + y * cut.down.stride * part.row +
		      (cut.is_deep ? channel - part.channel : 0);
	strip.in_step = cut.across.stride * part.column;
	strip.rows = cut.down.kernel;
	strip.row_step = cut.down.dilation * part.row;
	strip.runs = cut.across.kernel;
	strip.run_step = cut.across.dilation * part.column;
	strip.length = depth;
	if (strip.run_step == depth) {
		strip.length *= strip.runs;
		strip.runs = 1;
	}
	const Index at{part.image, channel, part.y + y, part.x};
	strip.bias = call.has(3) ? floats_at(call.view(3), {channel}) : nullptr;
	strip.out = floats_at(cut.out, at);
	strip.out_step = cut.out.strides[3];
	if (call.has(4)) {
		strip.more = floats_at(cut.more, at);
		strip.more_step = cut.more.strides[3];
	}
	strip.pixels = part.columns;
	strip.channels = channels;
	strip.function = call.integer(3);
	strip.number = static_cast<float>(call.real(4));
	if (cut.is_deep) {
		strip.weights = floats_at(weight, {0, 0, channel});
		strip.weight_step = cut.out.dims[1];
		compute_depths(strip);
		return;
	}
	strip.weights = floats_at(weight, {channel / PACKED_CHANNELS});
	compute_strip(strip);
}

void compute_part(const Parts &cut, Part part, float *scratch)
{
	if (cut.has_padding) {
		copy_part(cut, part, scratch);
	} else {
		part.input = floats_at(cut.in, {part.image, cut.is_deep ? part.channel : 0,
						cut.down.start(part.y), cut.across.start(part.x)});
		part.row = cut.in.strides[2];
		part.column = cut.in.strides[3];
	}
	const int64_t end = part.channel + part.channels;
	const int64_t each = cut.is_deep ? part.channels : PACKED_CHANNELS;
	for (int64_t channel = part.channel; channel < end; channel += each)
		for (int64_t y = 0; y < part.rows; y++)
			compute_row(cut, part, y, channel, std::min(each, end - channel));
}

/* is_image() - whether a view has floats whose channels lie side by side. */
bool is_image(const View &view)
{
	return view.ndim == 4 && view.dtype == UNPU_DTYPE_F32 &&
	       (view.strides[1] == 1 || view.dims[1] == 1);
}

/* is_table() - whether a view has floats without gaps. */
bool is_table(const View &view)
{
	int64_t stride = 1;
	for (unsigned d = view.ndim; d-- > 0; stride *= view.dims[d])
		if (view.dims[d] != 1 && view.strides[d] != stride)
			return false;
	return view.dtype == UNPU_DTYPE_F32;
}

bool has_channels(const Call &call)
{
	const View &out = call.view(0), &in = call.view(1), &weight = call.view(2);
	if (!is_table(weight))
		return false;
	if (weight.ndim == 3)
		return weight.dims[2] == out.dims[1] && out.dims[1] == in.dims[1];
	return weight.ndim == 5 && weight.dims[4] == PACKED_CHANNELS &&
	       weight.dims[3] == in.dims[1] &&
	       weight.dims[0] == parts_of(out.dims[1], PACKED_CHANNELS);
}

bool check_packed(const Call &call)
{
	const View &out = call.view(0), &in = call.view(1);
	if (!is_image(out) || !is_image(in) || !has_channels(call) || out.dims[0] != in.dims[0] ||
	    call.integers(0).size() != 2 || call.integers(1).size() != 4 ||
	    call.integers(2).size() != 2)
		return false;
	if (call.has(3) && (call.view(3).ndim != 1 || call.view(3).dims[0] != out.dims[1] ||
			    !is_table(call.view(3))))
		return false;
	if (call.has(4) && (!is_image(call.view(4)) || !call.view(4).has_shape_of(out)))
		return false;
	if (call.integer(3) < UNPU_FINISH_NONE || call.integer(3) > UNPU_FINISH_HARDSWISH)
		return false;
	for (unsigned axis = 0; axis < 2; axis++) {
		const Window window = window_of(call, axis);
		if (!is_good_window(window, in.dims[2 + axis]) ||
		    out.dims[2 + axis] != count_windows(window, in.dims[2 + axis], false))
			return false;
	}
	/* A row of a part with the padding around it fits into the memory of a unit. */
	const Window down = window_of(call, 0), across = window_of(call, 1);
	constexpr int64_t MOST = UNPU_TENSOR_MAX_TAPS;
	return down.extent() <= MOST && across.extent() <= MOST && across.stride <= MOST &&
	       static_cast<__int128>(in.dims[1]) * down.extent() *
			       (across.stride * UNPU_PACKED_COLUMNS + across.extent()) <=
		       MOST;
}

uint64_t packed_units(const Call &call)
{
	return call.view(0).count() == 0 ? 0 : static_cast<uint64_t>(Parts(call).units);
}

uint64_t packed_cost(const Call &call)
{
	const View &weight = call.view(2);
	const auto count = static_cast<unsigned __int128>(call.view(0).count());
	const int64_t taps = weight.ndim == 3 ? weight.dims[0] * weight.dims[1]
					      : weight.dims[1] * weight.dims[2] * weight.dims[3];
	return limit_cost(count * static_cast<uint64_t>(taps) / 4 + count * sizeof(float));
}

size_t packed_bytes(const Call &call)
{
	if (call.view(0).count() == 0)
		return 0;
	const Parts cut(call);
	return cut.has_padding
		       ? static_cast<size_t>(cut.in_rows(cut.rows) * cut.in_columns(cut.columns) *
					     cut.in_channels(cut.channels)) *
				 sizeof(float)
		       : 0;
}

Finding run_packed(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Parts cut(call);
	for (uint64_t unit = first; unit < first + count; unit++)
		compute_part(cut, part_of(cut, static_cast<int64_t>(unit)),
			     reinterpret_cast<float *>(scratch));
	return {};
}

constexpr Kernel PACKED_KERNELS[] = {
	{UNPU_TENSOR_PACKED_CONVOLUTION, check_packed, packed_units, packed_cost, packed_bytes,
	 run_packed},
};

} // namespace

const std::span<const Kernel> packed_kernels = PACKED_KERNELS;

} // namespace fw::tensor
