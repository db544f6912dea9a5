// SPDX-License-Identifier: MIT
/*
 * DOC: PICTURE
 *
 * Makes a picture, or a region of one, of another: uapi/picture.h has the operands. A row of a channel of the result is
 * found between two rows of the source, by the weights of OpenCV's INTER_LINEAR for bytes, or copied by those of
 * INTER_NEAREST. Colours are converted behind that, by the integers of OpenCV for BT.601 with limited range.
 */
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/picture_format.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

namespace {

using base::PictureFormat;

enum Slot : unsigned { OUT = 0, IN = 2 };
enum Attribute : unsigned { OUT_FORMAT = 0, IN_FORMAT = 1, FILTER = 2 };

constexpr int32_t ONE = 1 << 11; /* the sum of two weights */
constexpr int64_t ROWS = 2;	 /* that have one row of U and V */

/* struct Side - the result or the source. */
struct Side {
	Side(const Call &call, unsigned slot, unsigned attribute)
		: format(base::picture_format(static_cast<uint64_t>(call.integer(attribute)))),
		  plane{&call.view(slot), call.has(slot + 1) ? &call.view(slot + 1) : nullptr},
		  height(plane[0]->ndim == 2 ? plane[0]->dims[0] : 0),
		  width(plane[0]->ndim == 2 ? plane[0]->dims[1] / format.bytes : 0)
	{
	}

	bool is_good() const
	{
		if (format.planes != (plane[1] ? 2 : 1) || width < 1 || height < 1 ||
		    std::max(width, height) > UNPU_PICTURE_MAX_LENGTH ||
		    width % format.columns != 0 || height % format.rows != 0)
			return false;
		for (unsigned p = 0; p < format.planes; p++) {
			const View &view = *plane[p];
			if (view.ndim != 2 || view.dtype != UNPU_DTYPE_U8 ||
			    view.dims[0] != format.plane_rows(p, height) ||
			    view.dims[1] != format.row_bytes(p, width) ||
			    (view.dims[1] > 1 && view.strides[1] != 1))
				return false;
		}
		return true;
	}

	/* columns(), rows() - how many values a channel has. */
	int64_t columns(unsigned channel) const
	{
		return is_colour(channel) ? width / format.columns : width;
	}
	int64_t rows(unsigned channel) const
	{
		return is_colour(channel) ? height / format.rows : height;
	}
	bool is_colour(unsigned channel) const { return format.is_yuv && channel > 0; }

	uint8_t *row(unsigned channel, int64_t y) const
	{
		const View &view = *plane[format.channels[channel].plane];
		return reinterpret_cast<uint8_t *>(view.data) + y * view.strides[0] +
		       format.channels[channel].offset;
	}

	const PictureFormat format;
	const View *const plane[2];
	const int64_t height, width;
};

bool check_picture(const Call &call)
{
	if (!call.has(OUT) || !call.has(IN) ||
	    static_cast<uint64_t>(call.integer(FILTER)) > UNPU_PICTURE_NEAREST)
		return false;
	return Side(call, OUT, OUT_FORMAT).is_good() && Side(call, IN, IN_FORMAT).is_good();
}

int64_t rows_of_unit(const Call &call)
{
	return (rows_per_unit(call.view(OUT).dims[1]) + ROWS - 1) / ROWS * ROWS;
}

uint64_t picture_units(const Call &call)
{
	const int64_t rows = rows_of_unit(call);
	return static_cast<uint64_t>((call.view(OUT).dims[0] + rows - 1) / rows);
}

uint64_t picture_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(call.view(OUT).count()) * 8);
}

/* struct Tap - a value is found at @at and behind it, with weights that add up to ONE; without @high only at @at. */
struct Tap {
	int32_t at;
	int16_t low, high;
};

/* find_tap() - where value @i of @to ones is among @from. */
Tap find_tap(int64_t i, int64_t from, int64_t to, bool is_nearest)
{
	/* As OpenCV rounds: the quotient of the sizes, and then its reciprocal. */
	const double scale = 1 / (static_cast<double>(to) / static_cast<double>(from));
	const double place = is_nearest ? std::floor(static_cast<double>(i) * scale)
					: (static_cast<double>(i) + 0.5) * scale - 0.5;
	const auto at = static_cast<int64_t>(std::floor(place));
	if (at < 0 || at >= from - 1)
		return {static_cast<int32_t>(std::clamp<int64_t>(at, 0, from - 1)), ONE, 0};
	const auto high = static_cast<int16_t>(std::lrint((place - static_cast<double>(at)) * ONE));
	return {static_cast<int32_t>(at), static_cast<int16_t>(ONE - high), high};
}

size_t picture_scratch(const Call &call)
{
	const auto width = static_cast<size_t>(call.view(OUT).dims[1]);
	return width * (2 * sizeof(Tap) + 2 * ROWS * 4);
}

uint8_t to_byte(int32_t number)
{
	return static_cast<uint8_t>(std::clamp(number, 0, 255));
}

/* class Maker - makes rows of the result. */
class Maker {
public:
	Maker(const Call &call, std::byte *scratch)
		: out_(call, OUT, OUT_FORMAT), in_(call, IN, IN_FORMAT),
		  is_nearest_(call.integer(FILTER) == UNPU_PICTURE_NEAREST),
		  is_alike_(out_.format.is_yuv == in_.format.is_yuv),
		  colours_(is_alike_ ? out_.columns(1)
				     : (out_.width + in_.format.columns - 1) / in_.format.columns),
		  taps_(reinterpret_cast<Tap *>(scratch)), colour_taps_(taps_ + out_.width),
		  rows_(reinterpret_cast<uint8_t *>(colour_taps_ + out_.width))
	{
		for (int64_t x = 0; x < out_.width; x++)
			taps_[x] = find_tap(x, in_.width, out_.width, is_nearest_);
		for (int64_t x = 0; in_.format.count > 1 && x < colours_; x++)
			colour_taps_[x] = find_tap(x, in_.columns(1), colours_, is_nearest_);
	}

	/* make() - rows @y and @y + 1, if there are both. @y: even */
	void make(int64_t y)
	{
		const int64_t end = std::min(y + ROWS, out_.height);
		if (is_alike_) {
			for (unsigned c = 0; c < out_.format.count; c++)
				move(c, y, end);
			return;
		}
		for (int64_t row = y; row < end; row++)
			for (unsigned c = 0; c < std::max<unsigned>(in_.format.count, 3); c++)
				gather(c, row, line(row - y, c));
		if (out_.format.is_yuv)
			return to_yuv(y, end);
		for (int64_t row = y; row < end; row++)
			to_red_green_blue(row, row - y);
	}

private:
	uint8_t *line(int64_t row, unsigned channel) const
	{
		return rows_ + (row * 4 + channel) * out_.width;
	}

	/* find() - row @y of @rows ones of channel @c, @count values with @step between them. */
	void find(unsigned c, int64_t y, int64_t rows, int64_t count, uint8_t *to,
		  unsigned step) const
	{
		const Tap *const taps = in_.is_colour(c) ? colour_taps_ : taps_;
		const Tap tap = find_tap(y, in_.rows(c), rows, is_nearest_);
		const uint8_t *const upper = in_.row(c, tap.at);
		const uint8_t *const lower = in_.row(c, tap.at + (tap.high != 0));
		const unsigned width = in_.format.channels[c].step;
		if (is_nearest_ || (tap.high == 0 && count == in_.columns(c))) {
			for (int64_t x = 0; x < count; x++)
				to[x * step] = upper[taps[x].at * width];
			return;
		}
		for (int64_t x = 0; x < count; x++) {
			const Tap &at = taps[x];
			const int64_t first = int64_t{at.at} * width;
			const int64_t second = first + (at.high != 0 ? width : 0);
			const int32_t one = upper[first] * at.low + upper[second] * at.high;
			const int32_t two = lower[first] * at.low + lower[second] * at.high;
			to[x * step] = to_byte(((tap.low * (one >> 4) >> 16) +
						(tap.high * (two >> 4) >> 16) + 2) >>
					       2);
		}
	}

	/* move() - channel @c, which the source has too, or which is grey or opaque. */
	void move(unsigned c, int64_t y, int64_t end) const
	{
		const bool is_colour = out_.is_colour(c);
		const int64_t each = is_colour ? out_.format.rows : 1;
		const unsigned step = out_.format.channels[c].step;
		const int64_t count = out_.columns(c);
		for (int64_t row = y / each; row < (end + each - 1) / each; row++) {
			uint8_t *const to = out_.row(c, row);
			if (c < in_.format.count)
				find(c, row, out_.rows(c), count, to, step);
			else
				for (int64_t x = 0; x < count; x++)
					to[x * step] = is_colour ? 128 : 255;
		}
	}

	/* gather() - channel @c of row @y, one value for each pixel. */
	void gather(unsigned c, int64_t y, uint8_t *to) const
	{
		if (c >= in_.format.count) {
			std::memset(to, 128, static_cast<size_t>(out_.width));
			return;
		}
		if (!in_.is_colour(c))
			return find(c, y, out_.height, out_.width, to, 1);
		const int64_t each = in_.format.rows;
		find(c, y / each, (out_.height + each - 1) / each, colours_, to, 1);
		for (int64_t x = out_.width - 1; in_.format.columns > 1 && x > 0; x--)
			to[x] = to[x / in_.format.columns];
	}

	void to_red_green_blue(int64_t y, int64_t n) const
	{
		constexpr int32_t SHIFT = 20, HALF = 1 << (SHIFT - 1);
		const PictureFormat::Channel *const channel = out_.format.channels;
		for (int64_t x = 0; x < out_.width; x++) {
			const int32_t light = std::max(line(n, 0)[x] - 16, 0) * 1220542;
			const int32_t u = line(n, 1)[x] - 128, v = line(n, 2)[x] - 128;
			const auto put = [&](unsigned c, int32_t add) {
				out_.row(c, y)[x * channel[c].step] =
					to_byte((light + add + HALF) >> SHIFT);
			};
			put(0, 1673527 * v);
			put(1, -852492 * v - 409993 * u);
			put(2, 2116026 * u);
			if (out_.format.count > 3)
				out_.row(3, y)[x * channel[3].step] = 255;
		}
	}

	/* sum() - the sum of a channel in the pixels from (@x, row @n) on that share U and V. */
	int32_t sum(unsigned c, int64_t n, int64_t x) const
	{
		int32_t total = 0;
		for (int64_t row = n; row < n + out_.format.rows; row++)
			for (int64_t column = x; column < x + out_.format.columns; column++)
				total += line(row, c)[column];
		return total;
	}

	void to_yuv(int64_t y, int64_t end) const
	{
		const PictureFormat &to = out_.format;
		for (int64_t row = y; row < end; row++)
			for (int64_t x = 0; x < out_.width; x++)
				out_.row(0, row)[x * to.channels[0].step] = to_byte(
					((66 * line(row - y, 0)[x] + 129 * line(row - y, 1)[x] +
					  25 * line(row - y, 2)[x] + 128) >>
					 8) +
					16);
		const int32_t shared = to.columns * to.rows, all = shared * 256;
		for (int64_t row = y; to.count > 1 && row < end; row += to.rows)
			for (int64_t x = 0; x < out_.width; x += to.columns) {
				const int32_t red = sum(0, row - y, x), green = sum(1, row - y, x),
					      blue = sum(2, row - y, x);
				const auto put = [&](unsigned c, int32_t colour) {
					out_.row(c, row / to.rows)[x / to.columns *
								   to.channels[c].step] =
						to_byte((colour + all / 2 + 128 * all) / all);
				};
				put(1, -38 * red - 74 * green + 112 * blue);
				put(2, 112 * red - 94 * green - 18 * blue);
			}
	}

	const Side out_, in_;
	const bool is_nearest_, is_alike_;
	const int64_t
		colours_; /* values of U in a row of the source's format with the result's width */
	Tap *const taps_, *const colour_taps_;
	uint8_t *const rows_;
};

Finding run_picture(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	Maker maker(call, scratch);
	const int64_t rows = rows_of_unit(call);
	const auto begin = static_cast<int64_t>(first) * rows;
	const int64_t end =
		std::min(call.view(OUT).dims[0], begin + static_cast<int64_t>(count) * rows);
	for (int64_t y = begin; y < end; y += ROWS)
		maker.make(y);
	return {};
}

constexpr Kernel PICTURE_KERNELS[] = {
	{UNPU_TENSOR_PICTURE, check_picture, picture_units, picture_cost, picture_scratch,
	 run_picture},
};

} // namespace

const std::span<const Kernel> picture_kernels = PICTURE_KERNELS;

} // namespace fw::tensor
