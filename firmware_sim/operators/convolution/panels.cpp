// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions as products of panels
 *
 * A unit is a tile of the result: some channels of a group, at some positions of a phase in row-major order.
 * It is the product of two matrices: the weights of the channels, and a panel of the input. Row [c, kh, kw]
 * of the panel has, for each position, the input element under this tap. The unit makes the panel block by
 * block: some rows at a time, in order. If a window is one element, the input itself is the panel.
 */
#include <cstring>

#include "convolution.h"
#include "firmware_sim/operators/matrix/gemm.h"

namespace fw::tensor {

namespace {

constexpr int64_t PANEL_CHANNELS = 256, PANEL_POSITIONS = 288, PANEL_DEPTH = 512;
/* Tiles are made smaller, down to these sizes, until there are this many tiles for the engines to share. */
constexpr int64_t LEAST_CHANNELS = 128, LEAST_POSITIONS = 72;
constexpr uint64_t WANTED_TILES = 8;

struct PanelScratch {
	float weights[PANEL_CHANNELS * PANEL_DEPTH];
	float input[PANEL_DEPTH * PANEL_POSITIONS];
	float result[PANEL_CHANNELS * PANEL_POSITIONS];
};

uint64_t tiles_of(int64_t size, int64_t each)
{
	return static_cast<uint64_t>(size / each + (size % each != 0));
}

/* struct Cut - how the result is divided into tiles. It depends only on the call. */
struct Cut {
	explicit Cut(const Geometry &geometry)
	{
		count(geometry);
		for (; units < WANTED_TILES && positions > LEAST_POSITIONS; count(geometry))
			positions /= 2;
		for (; units < WANTED_TILES && channels > LEAST_CHANNELS; count(geometry))
			channels /= 2;
	}

	void count(const Geometry &geometry)
	{
		/* Both are below 2^31. */
		along = tiles_of(geometry.positions(0) * geometry.positions(1), positions);
		down = tiles_of(geometry.out_channels, channels);
		units = static_cast<uint64_t>(geometry.out.dims[0]) *
			static_cast<uint64_t>(geometry.groups) *
			static_cast<uint64_t>(geometry.phases(0)) *
			static_cast<uint64_t>(geometry.phases(1)) * along * down;
	}

	/* channels and positions of one tile */
	int64_t channels = PANEL_CHANNELS, positions = PANEL_POSITIONS;
	/* number of tiles along the positions, and along the channels */
	uint64_t along = 0, down = 0;
	uint64_t units = 0;
};

/* struct PanelTile - what a unit computes. */
struct PanelTile {
	int64_t image, group;
	Walk down, across;
	int64_t channel, channels; /* channels of the result, counted in the group */
	/* positions of the phase, in row-major order; some units have no positions */
	int64_t first, positions;

	int64_t depth(const Geometry &geometry) const
	{
		return geometry.in_channels * down.taps * across.taps;
	}
};

PanelTile tile_of(const Geometry &geometry, const Cut &cut, uint64_t unit)
{
	const auto take = [&unit](uint64_t count) {
		const auto part = static_cast<int64_t>(unit % count);
		unit /= count;
		return part;
	};
	PanelTile tile{};
	tile.first = take(cut.along) * cut.positions;
	tile.channel = take(cut.down) * cut.channels;
	tile.across = geometry.walk(1, take(static_cast<uint64_t>(geometry.phases(1))));
	tile.down = geometry.walk(0, take(static_cast<uint64_t>(geometry.phases(0))));
	tile.group = take(static_cast<uint64_t>(geometry.groups));
	tile.image = static_cast<int64_t>(unit);
	tile.channels = std::min(cut.channels, geometry.out_channels - tile.channel);
	const int64_t all = tile.down.positions * tile.across.positions;
	tile.positions = std::clamp(all - tile.first, int64_t{0}, cut.positions);
	return tile;
}

/* struct Block - rows [@first, @first + @depth) of the panel of the input. */
struct Block {
	int64_t first, depth;
};

/* flat_stride() - the stride of dims [@first, 4) of a view as one dim; 0 if they can't be one. */
int64_t flat_stride(const View &view, unsigned first)
{
	int64_t stride = 1, size = 1;
	for (unsigned d = 4; d-- > first;) {
		if (view.dims[d] == 1)
			continue;
		if (size == 1)
			stride = view.strides[d];
		else if (view.strides[d] != stride * size)
			return 0;
		size *= view.dims[d];
	}
	return stride;
}

/* panel_of() - a matrix of elements of a view as floats. */
Panel panel_of(const View &view, const Index &at, int64_t m, int64_t n, int64_t down,
	       int64_t across, float *buffer)
{
	View matrix{place(view, at), view.dtype, 2, {m, n}, {down, across}};
	return load_panel(matrix, {}, m, n, buffer);
}

/* visit_taps() - divides the rows of a block into runs of @n taps along W, and calls @visit(channel, kh, kw,
 * n) for each run. */
template <class Visit> void visit_taps(const PanelTile &tile, const Block &block, Visit visit)
{
	const int64_t down = tile.down.taps, across = tile.across.taps;
	for (int64_t k = block.first, end = block.first + block.depth; k < end;) {
		const int64_t kw = k % across, n = std::min(across - kw, end - k);
		visit(k / across / down, k / across % down, kw, n);
		k += n;
	}
}

Panel load_weights_panel(const Geometry &geometry, const PanelTile &tile, const Block &block,
			 float *buffer)
{
	const View &weight = geometry.weight;
	const int64_t flat = geometry.is_transposed ? 0 : flat_stride(weight, 1);
	if (flat != 0) {
		/* The strides allow to treat the channels, rows and columns of the kernel as one dim. */
		Index at = geometry.weight_index(tile.group, tile.channel, 0, 0, 0);
		View rest = weight;
		rest.data = place(weight, at) + block.first * flat * element_bytes(weight);
		return panel_of(rest, {}, tile.channels, block.depth, weight.strides[0], flat,
				buffer);
	}
	/* A row of the transposed panel has the weights of one tap for all channels of the result. */
	const int64_t stride =
		weight.strides[geometry.is_transposed ? 1 : 0] * element_bytes(weight);
	float *to = buffer;
	visit_taps(tile, block, [&](int64_t from, int64_t kh, int64_t kw, int64_t n) {
		for (int64_t i = kw; i < kw + n; i++, to += tile.channels) {
			const Index at = geometry.weight_index(
				tile.group, tile.channel, from,
				tile.down.tap_first + kh * tile.down.tap_step,
				tile.across.tap_first + i * tile.across.tap_step);
			load_row<float>(weight.dtype, place(weight, at), stride,
					static_cast<size_t>(tile.channels), to);
		}
	});
	return {buffer, tile.channels, true};
}

/* is_shift() - whether the elements under a tap are a contiguous part of a channel, except for positions at
 * the edges. */
bool is_shift(const Geometry &geometry, const PanelTile &tile)
{
	return tile.down.in_step == 1 && tile.across.in_step == 1 &&
	       tile.across.positions == geometry.input.dims[3] &&
	       flat_stride(geometry.input, 2) != 0;
}

/* load_shifted() - as load_tap(), but copies all elements in one piece. A position beyond the first or last
 * column of the input first gets an element of another row, which is then replaced by 0. */
void load_shifted(const Geometry &geometry, const PanelTile &tile, const Index &at, int64_t kh,
		  int64_t kw, float *to)
{
	const View &input = geometry.input;
	const int64_t width = input.dims[3], flat = flat_stride(input, 2);
	/* A row or column at this distance lies outside of the input for every position. */
	constexpr int64_t FAR = int64_t{1} << 31;
	const int64_t below = std::clamp(tile.down.in_first + kh * tile.down.in_tap, -FAR, FAR);
	const int64_t right = std::clamp(tile.across.in_first + kw * tile.across.in_tap, -FAR, FAR);
	const int64_t shift = below * width + right;
	const int64_t end = tile.first + tile.positions;
	const Positions known = inside(shift, 1, input.dims[2] * width, tile.first, end);
	std::fill_n(to, known.first - tile.first, 0.0f);
	if (known.first < known.end)
		load_row<float>(
			input.dtype,
			place(input, at) + (known.first + shift) * flat * element_bytes(input),
			flat * element_bytes(input), static_cast<size_t>(known.end - known.first),
			to + (known.first - tile.first));
	std::fill_n(to + (known.end - tile.first), end - known.end, 0.0f);
	const Positions good = inside(right, 1, width, 0, width);
	for (int64_t row = tile.first - tile.first % width; row < end; row += width) {
		for (int64_t p = std::max(row, tile.first); p < std::min(row + good.first, end);
		     p++)
			to[p - tile.first] = 0;
		for (int64_t p = std::max(row + good.end, tile.first);
		     p < std::min(row + width, end); p++)
			to[p - tile.first] = 0;
	}
}

/* load_tap() - the elements of channel @at[1] under tap [@kh, @kw] for each position of a tile. */
void load_tap(const Geometry &geometry, const PanelTile &tile, const Index &channel, int64_t kh,
	      int64_t kw, float *to)
{
	Index at = channel;
	const View &input = geometry.input;
	const Walk &down = tile.down, &across = tile.across;
	const int64_t start = across.in_first + kw * across.in_tap;
	const Positions known = inside(start, across.in_step, input.dims[3], 0, across.positions);
	const int64_t stride = inner_stride(input) * across.in_step;
	int64_t y = tile.first / across.positions, x = tile.first % across.positions;
	for (int64_t left = tile.positions; left > 0; y++, x = 0) {
		const int64_t n = std::min(across.positions - x, left);
		at[2] = down.in_first + y * down.in_step + kh * down.in_tap;
		const bool is_inside = at[2] >= 0 && at[2] < input.dims[2];
		const int64_t from = is_inside ? std::clamp(known.first, x, x + n) : x + n;
		const int64_t end = is_inside ? std::clamp(known.end, from, x + n) : x + n;
		std::fill_n(to, from - x, 0.0f);
		if (from < end) {
			at[3] = start + from * across.in_step;
			load_row<float>(input.dtype, place(input, at), stride,
					static_cast<size_t>(end - from), to + (from - x));
		}
		std::fill_n(to + (end - x), x + n - end, 0.0f);
		to += n;
		left -= n;
	}
}

/* is_pixel() - whether a window is one element, and each element of the input has a position. */
bool is_pixel(const Geometry &geometry, const PanelTile &tile)
{
	const auto is_whole = [](const Walk &walk, int64_t size) {
		return walk.taps == 1 && walk.in_first == 0 && walk.in_step == 1 &&
		       walk.positions == size;
	};
	return is_whole(tile.down, geometry.input.dims[2]) &&
	       is_whole(tile.across, geometry.input.dims[3]);
}

Panel load_input_panel(const Geometry &geometry, const PanelTile &tile, const Block &block,
		       float *buffer)
{
	const View &input = geometry.input;
	Index at{tile.image, tile.group * geometry.in_channels};
	const int64_t flat = is_pixel(geometry, tile) ? flat_stride(input, 2) : 0;
	if (flat != 0) {
		View plane = input;
		at[1] += block.first;
		plane.data = place(input, at) + tile.first * flat * element_bytes(input);
		return panel_of(plane, {}, block.depth, tile.positions, input.strides[1], flat,
				buffer);
	}
	float *to = buffer;
	const int64_t first = at[1];
	const auto load = is_shift(geometry, tile) ? load_shifted : load_tap;
	visit_taps(tile, block, [&](int64_t channel, int64_t kh, int64_t kw, int64_t n) {
		at[1] = first + channel;
		for (int64_t i = 0; i < n; i++, to += tile.positions)
			load(geometry, tile, at, kh, kw + i, to);
	});
	return {buffer, tile.positions, false};
}

/* store_channel() - stores one row of a tile: one channel of the result. */
void store_channel(const Geometry &geometry, const PanelTile &tile, int64_t channel, float *result)
{
	const View &out = geometry.out;
	const Walk &down = tile.down, &across = tile.across;
	Index at{tile.image, tile.group * geometry.out_channels + tile.channel + channel};
	const float bias = load_bias(geometry, at[1]);
	for (int64_t i = 0; i < tile.positions; i++)
		result[i] += bias;
	int64_t y = tile.first / across.positions, x = tile.first % across.positions;
	for (int64_t left = tile.positions; left > 0; y++, x = 0) {
		const int64_t n = std::min(across.positions - x, left);
		at[2] = down.out_first + y * down.out_step;
		at[3] = across.out_first + x * across.out_step;
		store_row<float>(out.dtype, place(out, at), inner_stride(out) * across.out_step,
				 static_cast<size_t>(n), result);
		result += n;
		left -= n;
	}
}

void compute_panels(const Geometry &geometry, const PanelTile &tile, PanelScratch &scratch)
{
	const int64_t depth = tile.depth(geometry);
	if (depth == 0)
		std::fill_n(scratch.result, tile.channels * tile.positions, 0.0f);
	for (Block block{0, 0}; block.first < depth; block.first += PANEL_DEPTH) {
		block.depth = std::min(PANEL_DEPTH, depth - block.first);
		multiply_panels(tile.channels, tile.positions, block.depth,
				load_weights_panel(geometry, tile, block, scratch.weights),
				load_input_panel(geometry, tile, block, scratch.input),
				scratch.result, block.first > 0);
	}
	for (int64_t channel = 0; channel < tile.channels; channel++)
		store_channel(geometry, tile, channel, scratch.result + channel * tile.positions);
}

} // namespace

uint64_t panel_units(const Geometry &geometry)
{
	return Cut(geometry).units;
}

size_t panel_bytes(const Geometry &)
{
	return sizeof(PanelScratch);
}

void run_panels(const Geometry &geometry, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Cut cut(geometry);
	auto &buffers = *reinterpret_cast<PanelScratch *>(scratch);
	for (uint64_t unit = first; unit < first + count; unit++) {
		const PanelTile tile = tile_of(geometry, cut, unit);
		if (tile.positions > 0)
			compute_panels(geometry, tile, buffers);
	}
}

} // namespace fw::tensor
