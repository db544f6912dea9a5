// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions with few channels, by slabs
 *
 * The usual way for groups with few channels that the others are not for: windows of a normal size that are not
 * transposed. A slab is a part of one channel of the input with its padding, in F32: the rows and columns under the
 * windows of some rows of the result. With a stride along W, the columns of a row lie in as many parts as the stride
 * has steps, so that each tap adds elements which lie side by side. A unit is a number of slabs.
 */
#include <cstring>

#include "convolution.h"
#include "fold.h"

namespace fw::tensor {

namespace {

constexpr int64_t MOST_STRIDE = 4, MOST_EXTENT = 64, MOST_TAPS = 256;
constexpr int64_t SLAB_COLUMNS = 256;
constexpr int64_t SLAB_FLOATS =
	6 << 10; /* of a channel of the input, which the first-level cache keeps */
constexpr int64_t SLAB_WORK = 256 << 10; /* approximate number of products of a unit */
constexpr int64_t LONGEST_ROW = SLAB_COLUMNS * MOST_STRIDE + MOST_EXTENT;

/* struct Slabs - how a convolution is divided. It depends only on the call. */
struct Slabs {
	explicit Slabs(const Geometry &geometry) : of(geometry)
	{
		const View &out = of.out;
		columns = std::min(out.dims[3], SLAB_COLUMNS);
		part = (columns + extent(1) / stride(1) + 1 + 2 * ROW_SLACK - 1) / ROW_SLACK *
		       ROW_SLACK;
		pitch = part * stride(1);
		const int64_t fitting = std::max<int64_t>(SLAB_FLOATS / pitch - extent(0), 0);
		rows = std::clamp<int64_t>(fitting / stride(0) + 1, 1, out.dims[2]);
		across = static_cast<uint64_t>(parts_of(out.dims[3], columns));
		down = static_cast<uint64_t>(parts_of(out.dims[2], rows));
		slabs = static_cast<uint64_t>(out.dims[0] * out.dims[1]) * down * across;
		const int64_t products =
			rows * columns * std::max<int64_t>(1, of.in_channels * taps());
		each = static_cast<uint64_t>(std::max<int64_t>(1, SLAB_WORK / products));
	}

	int64_t stride(unsigned axis) const { return of.window(axis).stride; }
	int64_t extent(unsigned axis) const { return of.window(axis).extent(); }
	int64_t taps() const { return of.weight.dims[2] * of.weight.dims[3]; }
	int64_t in_rows() const { return (rows - 1) * stride(0) + extent(0); }
	int64_t sum_step() const { return columns + ROW_SLACK; }

	const Geometry &of;
	int64_t rows, columns; /* of the result in a slab */
	int64_t part, pitch;   /* floats of a part of a row, and of a row, of the slab */
	uint64_t down, across; /* slabs along the rows and columns of a channel */
	uint64_t slabs, each;  /* of the call, and of a unit */
};

struct SlabBuffers {
	Tap taps[MOST_TAPS];
	float row[LONGEST_ROW + ROW_SLACK];
};

/* struct Slab - a part of the result. @y, @x: its first row and column */
struct Slab {
	int64_t image, channel, y, x, rows, columns;
};

Slab slab_of(const Slabs &cut, uint64_t number)
{
	const View &out = cut.of.out;
	const auto take = [&number](uint64_t count) {
		const auto part = static_cast<int64_t>(number % count);
		number /= count;
		return part;
	};
	Slab slab{};
	slab.x = take(cut.across) * cut.columns;
	slab.y = take(cut.down) * cut.rows;
	slab.channel = take(static_cast<uint64_t>(out.dims[1]));
	slab.image = static_cast<int64_t>(number);
	slab.rows = std::min(cut.rows, out.dims[2] - slab.y);
	slab.columns = std::min(cut.columns, out.dims[3] - slab.x);
	return slab;
}

/* load_line() - @count elements of a row of the input from column @x on, of which those outside are 0. */
void load_line(const View &input, Index at, int64_t x, int64_t count, float *to)
{
	const Positions known = inside(x, 1, input.dims[3], 0, count);
	std::fill_n(to, known.first, 0.0f);
	if (known.first < known.end) {
		at[3] = x + known.first;
		load_row<float>(input.dtype, place(input, at), inner_stride(input),
				static_cast<size_t>(known.end - known.first), to + known.first);
	}
	std::fill_n(to + known.end, count - known.end, 0.0f);
}

/* load_slab() - the elements of channel @channel of the input under the windows of a slab. */
void load_slab(const Slabs &cut, const Slab &slab, int64_t channel, float *row, float *to)
{
	const View &input = cut.of.input;
	const int64_t stride = cut.stride(1);
	const int64_t length = (slab.columns - 1) * stride + cut.extent(1);
	const int64_t rows = (slab.rows - 1) * cut.stride(0) + cut.extent(0);
	Index at{slab.image, channel};
	for (int64_t r = 0; r < rows; r++, to += cut.pitch) {
		at[2] = cut.of.window(0).start(slab.y) + r;
		if (at[2] < 0 || at[2] >= input.dims[2]) {
			std::fill_n(to, cut.pitch, 0.0f);
			continue;
		}
		const int64_t x = cut.of.window(1).start(slab.x);
		if (stride == 1) {
			load_line(input, at, x, length, to);
			continue;
		}
		load_line(input, at, x, length, row);
		std::fill_n(row + length, stride, 0.0f);
		const auto n = static_cast<size_t>(parts_of(length, stride));
		if (stride == 2) {
			split_pairs(to, to + cut.part, row, n);
			continue;
		}
		for (int64_t phase = 0; phase < stride; phase++)
			for (size_t i = 0; i < n; i++)
				to[phase * cut.part + static_cast<int64_t>(i)] =
					row[static_cast<int64_t>(i) * stride + phase];
	}
}

/* find_taps() - the taps of a channel of the result for channel @from of its group. */
void find_taps(const Slabs &cut, int64_t channel, int64_t from, Tap *taps)
{
	const View &weight = cut.of.weight;
	const int64_t stride = cut.stride(1);
	for (int64_t kh = 0; kh < weight.dims[2]; kh++)
		for (int64_t kw = 0; kw < weight.dims[3]; kw++, taps++) {
			const int64_t x = kw * cut.of.window(1).dilation;
			taps->offset = kh * cut.of.window(0).dilation * cut.pitch +
				       x % stride * cut.part + x / stride;
			load_row<float>(weight.dtype, place(weight, {channel, from, kh, kw}), 0, 1,
					&taps->weight);
		}
}

void compute_slab(const Slabs &cut, const Slab &slab, std::byte *scratch)
{
	const Geometry &of = cut.of;
	auto &buffers = *reinterpret_cast<SlabBuffers *>(scratch);
	float *rows = aligned(scratch + sizeof(SlabBuffers));
	float *sums = aligned(reinterpret_cast<std::byte *>(rows + cut.in_rows() * cut.pitch));
	const int64_t group = slab.channel / of.out_channels;
	std::fill_n(sums, slab.rows * cut.sum_step(), load_bias(of, slab.channel));
	for (int64_t c = 0; c < of.in_channels; c++) {
		find_taps(cut, slab.channel, c, buffers.taps);
		load_slab(cut, slab, group * of.in_channels + c, buffers.row, rows);
		add_taps({buffers.taps, static_cast<size_t>(cut.taps()), rows,
			  cut.pitch * cut.stride(0), sums, cut.sum_step(), slab.rows,
			  slab.columns});
	}
	Index at{slab.image, slab.channel, slab.y, slab.x};
	for (int64_t r = 0; r < slab.rows; r++, at[2]++)
		store_row<float>(of.out.dtype, place(of.out, at), inner_stride(of.out),
				 static_cast<size_t>(slab.columns), sums + r * cut.sum_step());
}

} // namespace

bool has_slabs(const Geometry &geometry)
{
	const Window &down = geometry.window(0), &across = geometry.window(1);
	return !geometry.is_transposed && across.stride <= MOST_STRIDE &&
	       down.extent() <= MOST_EXTENT && across.extent() <= MOST_EXTENT &&
	       down.kernel * across.kernel <= MOST_TAPS;
}

uint64_t slab_units(const Geometry &geometry)
{
	const Slabs cut(geometry);
	return parts_of(cut.slabs, cut.each);
}

size_t slab_bytes(const Geometry &geometry)
{
	const Slabs cut(geometry);
	return sizeof(SlabBuffers) + 2 * 64 +
	       static_cast<size_t>(cut.in_rows() * cut.pitch + cut.rows * cut.sum_step()) *
		       sizeof(float);
}

void run_slabs(const Geometry &geometry, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Slabs cut(geometry);
	const uint64_t end = std::min(cut.slabs, (first + count) * cut.each);
	for (uint64_t number = first * cut.each; number < end; number++)
		compute_slab(cut, slab_of(cut, number), scratch);
}

} // namespace fw::tensor
