// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions with few channels
 *
 * Used where groups have so few channels that panels would cost more than they save, and slabs can't be used: for
 * transposed convolutions, and for windows of an unusual size. A piece is a part of a row of the result, of one phase:
 * each tap adds a row of the input, times a weight. A unit is a number of pieces.
 */
#include <cstring>

#include "convolution.h"
#include "fold.h"

namespace fw::tensor {

namespace {

constexpr int64_t ROW_PIECE = 2048;
constexpr int64_t DIRECT_WORK = 256 << 10; /* approximate number of products of a unit */

struct DirectScratch {
	float sums[ROW_PIECE];
	float row[ROW_PIECE];
};

uint64_t pieces_across(const Geometry &geometry)
{
	const int64_t parts = (geometry.positions(1) + ROW_PIECE - 1) / ROW_PIECE;
	return static_cast<uint64_t>(geometry.phases(1) * parts);
}

uint64_t all_pieces(const Geometry &geometry)
{
	const View &out = geometry.out;
	return static_cast<uint64_t>(out.count() / out.dims[3]) * pieces_across(geometry);
}

/* Values that are the same for each unit of a call. */
uint64_t pieces_each(const Geometry &geometry)
{
	unsigned __int128 work = static_cast<uint64_t>(std::min(geometry.positions(1), ROW_PIECE));
	work *= static_cast<uint64_t>(std::max<int64_t>(1, geometry.in_channels));
	const unsigned __int128 taps =
		static_cast<uint64_t>(geometry.weight.dims[2] * geometry.weight.dims[3] /
					      (geometry.phases(0) * geometry.phases(1)) +
				      8);
	work = std::min(work, static_cast<unsigned __int128>(DIRECT_WORK)) *
	       std::min(taps, static_cast<unsigned __int128>(DIRECT_WORK));
	return std::max<uint64_t>(1, DIRECT_WORK / static_cast<uint64_t>(work));
}

/* struct RowPiece - positions [@first, @end) of a row of the result. */
struct RowPiece {
	Index at; /* index of the first position of the row */
	const Walk *down, *across;
	int64_t position; /* position along H, in the phase of @down */
	int64_t first, end;
};

float load_weight(const Geometry &geometry, const Index &at)
{
	const std::byte *from = place(geometry.weight, at);
	float value;
	if (geometry.weight.dtype == UNPU_DTYPE_F32)
		std::memcpy(&value, from, sizeof(value));
	else
		load_row<float>(geometry.weight.dtype, from, 0, 1, &value);
	return value;
}

/* input_row() - @n elements of the input as floats. Return: their place in the input, or @buffer with the
 * converted elements. */
const float *input_row(const View &input, const Index &at, int64_t step, size_t n, float *buffer)
{
	const std::byte *from = place(input, at);
	const int64_t stride = inner_stride(input) * step;
	if (input.dtype == UNPU_DTYPE_F32 && (stride == sizeof(float) || n == 1) &&
	    reinterpret_cast<uintptr_t>(from) % alignof(float) == 0)
		return reinterpret_cast<const float *>(from);
	load_row<float>(input.dtype, from, stride, n, buffer);
	return buffer;
}

/* add_column() - adds tap @tap of each of the rows @rows of the window. @from, @weight_at: of its channel */
void add_column(const Geometry &geometry, const RowPiece &piece, const Positions &rows, int64_t tap,
		Index from, Index weight_at, DirectScratch &scratch)
{
	const Walk &walk = *piece.across, &down = *piece.down;
	const int64_t start = walk.in_first + tap * walk.in_tap;
	const Positions known =
		inside(start, walk.in_step, geometry.input.dims[3], piece.first, piece.end);
	if (known.first == known.end)
		return;
	const auto n = static_cast<size_t>(known.end - known.first);
	weight_at[3] = walk.tap_first + tap * walk.tap_step;
	from[3] = start + known.first * walk.in_step;
	for (int64_t row = rows.first; row < rows.end; row++) {
		weight_at[2] = down.tap_first + row * down.tap_step;
		from[2] = down.in_first + piece.position * down.in_step + row * down.in_tap;
		add_scaled(scratch.sums + (known.first - piece.first),
			   input_row(geometry.input, from, walk.in_step, n, scratch.row),
			   load_weight(geometry, weight_at), n);
	}
}

void compute_row_piece(const Geometry &geometry, const RowPiece &piece, DirectScratch &scratch)
{
	const int64_t channel = piece.at[1], group = channel / geometry.out_channels;
	const Walk &down = *piece.down;
	const View &out = geometry.out;
	std::fill_n(scratch.sums, piece.end - piece.first, 0.0f);
	Index from{piece.at[0]};
	for (int64_t c = 0; c < geometry.in_channels; c++) {
		from[1] = group * geometry.in_channels + c;
		const Positions taps = inside(down.in_first + piece.position * down.in_step,
					      down.in_tap, geometry.input.dims[2], 0, down.taps);
		const Index weight_at =
			geometry.weight_index(group, channel % geometry.out_channels, c, 0, 0);
		/* The loop goes column by column, as in pool.cpp. */
		for (int64_t tap = 0; tap < piece.across->taps; tap++)
			add_column(geometry, piece, taps, tap, from, weight_at, scratch);
	}
	const float bias = load_bias(geometry, channel);
	const int64_t n = piece.end - piece.first;
	for (int64_t i = 0; i < n; i++)
		scratch.sums[i] += bias;
	Index at = piece.at;
	at[3] = piece.across->out_first + piece.first * piece.across->out_step;
	store_row<float>(out.dtype, place(out, at), inner_stride(out) * piece.across->out_step,
			 static_cast<size_t>(n), scratch.sums);
}

} // namespace

uint64_t direct_units(const Geometry &geometry)
{
	const uint64_t pieces = all_pieces(geometry), each = pieces_each(geometry);
	return parts_of(pieces, each);
}

size_t direct_bytes(const Geometry &)
{
	return sizeof(DirectScratch);
}

void run_direct(const Geometry &geometry, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &out = geometry.out;
	const uint64_t each = pieces_each(geometry), across = pieces_across(geometry);
	const auto phases = static_cast<uint64_t>(geometry.phases(1));
	const uint64_t end = std::min(all_pieces(geometry), (first + count) * each);
	for (uint64_t number = first * each; number < end; number++) {
		const uint64_t row = number / across, part = number % across;
		const auto y = static_cast<int64_t>(row % static_cast<uint64_t>(out.dims[2]));
		const uint64_t channel = row / static_cast<uint64_t>(out.dims[2]);
		const auto channels = static_cast<uint64_t>(out.dims[1]);
		const Walk down = geometry.walk(0, y % geometry.phases(0));
		const Walk along = geometry.walk(1, static_cast<int64_t>(part % phases));
		RowPiece piece{};
		piece.at = {static_cast<int64_t>(channel / channels),
			    static_cast<int64_t>(channel % channels), y};
		piece.down = &down;
		piece.across = &along;
		piece.position = (y - down.out_first) / down.out_step;
		piece.first = static_cast<int64_t>(part / phases) * ROW_PIECE;
		piece.end = std::min(along.positions, piece.first + ROW_PIECE);
		if (piece.first < piece.end)
			compute_row_piece(geometry, piece,
					  *reinterpret_cast<DirectScratch *>(scratch));
	}
}

} // namespace fw::tensor
