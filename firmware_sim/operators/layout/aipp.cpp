// SPDX-License-Identifier: MIT
/*
 * DOC: AIPP
 *
 * Reads images of bytes as the input of a network in one pass: uapi/aipp.h has the operands and the steps. The steps of
 * an image are data of the client, which may change them at any time: they are copied and checked before each use. Bad
 * ones fail as a bad index, with the number of the image.
 */
#include <cmath>

#include "base/aipp_image.h"
#include "layout.h"

namespace fw::tensor {

namespace {

using Steps = unpu_aipp;

constexpr int64_t SPAN = 256; /* pixels that are read at once */
constexpr unsigned CHANNELS = 4;

bool is_result_type(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16 ||
	       dtype == UNPU_DTYPE_U8 || dtype == UNPU_DTYPE_I8;
}

bool check_aipp(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2))
		return false;
	const View &out = call.view(0), &image = call.view(1), &steps = call.view(2);
	return out.ndim == 4 && is_result_type(out.dtype) && out.dims[1] >= 1 &&
	       out.dims[1] <= CHANNELS &&
	       std::max(out.dims[2], out.dims[3]) <= UNPU_TENSOR_MAX_WINDOW && image.ndim == 1 &&
	       image.dtype == UNPU_DTYPE_U8 && (image.dims[0] <= 1 || image.strides[0] == 1) &&
	       steps.ndim == 2 && steps.dtype == UNPU_DTYPE_I32 && steps.dims[0] == out.dims[0] &&
	       steps.dims[1] == UNPU_AIPP_WORDS && steps.strides[1] == 1;
}

int64_t rows_of_unit(const Call &call)
{
	const View &out = call.view(0);
	return rows_per_unit(out.dims[1] * out.dims[3]);
}

uint64_t units_of_image(const Call &call)
{
	const int64_t rows = rows_of_unit(call);
	return static_cast<uint64_t>((call.view(0).dims[2] + rows - 1) / rows);
}

uint64_t aipp_units(const Call &call)
{
	const View &out = call.view(0);
	return out.count() == 0 ? 0 : static_cast<uint64_t>(out.dims[0]) * units_of_image(call);
}

uint64_t aipp_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(call.view(0).count()) * 8);
}

bool is_byte(int32_t number)
{
	return number >= 0 && number <= 255;
}

/* are_good() - whether image @n has pixels for all of the result. */
bool are_good(const Call &call, const Steps &steps, uint64_t n)
{
	const View &out = call.view(0);
	const unsigned channels = base::aipp_channels(steps.format);
	const auto fits = [](uint32_t low, uint32_t size, uint64_t high, uint64_t all) {
		return uint64_t{low} + size + high == all;
	};
	const auto lies_in = [](uint32_t first, uint32_t size, uint32_t all) {
		return uint64_t{first} + size <= all;
	};
	if (steps.magic != UNPU_AIPP_MAGIC || channels < static_cast<unsigned>(out.dims[1]) ||
	    (steps.flags & ~UNPU_AIPP_FLAGS) != 0 ||
	    ((steps.flags & UNPU_AIPP_CONVERT) != 0 && channels < 3) ||
	    std::max(steps.width, steps.height) > UNPU_TENSOR_MAX_WINDOW ||
	    steps.width % base::aipp_columns(steps.format) != 0 ||
	    steps.height % base::aipp_rows(steps.format) != 0 ||
	    !lies_in(steps.crop_left, steps.crop_width, steps.width) ||
	    !lies_in(steps.crop_top, steps.crop_height, steps.height) ||
	    !fits(steps.pad_left, steps.crop_width, steps.pad_right,
		  static_cast<uint64_t>(out.dims[3])) ||
	    !fits(steps.pad_top, steps.crop_height, steps.pad_bottom,
		  static_cast<uint64_t>(out.dims[2])))
		return false;
	for (const int32_t entry : steps.matrix)
		if (entry < INT16_MIN || entry > INT16_MAX)
			return false;
	for (unsigned k = 0; k < 3; k++)
		if (!is_byte(steps.input_bias[k]) || !is_byte(steps.output_bias[k]))
			return false;
	for (const uint32_t word : steps.reserved)
		if (word != 0)
			return false;
	const auto bytes = static_cast<unsigned __int128>(
		base::aipp_bytes(steps.format, steps.width, steps.height).all());
	return (n + 1) * bytes <= static_cast<uint64_t>(call.view(1).dims[0]);
}

/* struct Pixels - some pixels of a row, channel by channel. */
struct Pixels {
	uint8_t channel[CHANNELS][SPAN];
};

/* class Image - the rows of one image. */
class Image {
public:
	Image(const Call &call, const Steps &steps, uint64_t n)
		: steps_(steps), width_(steps.width),
		  bytes_(reinterpret_cast<const uint8_t *>(call.view(1).data) +
			 n * base::aipp_bytes(steps.format, steps.width, steps.height).all())
	{
	}

	/* read() - @n pixels of row @y, from column @x on, converted. */
	void read(int64_t y, int64_t x, int64_t n, Pixels &to) const
	{
		switch (steps_.format) {
		case UNPU_AIPP_YUV400:
			std::memcpy(to.channel[0], bytes_ + y * width_ + x, static_cast<size_t>(n));
			break;
		case UNPU_AIPP_RGB888:
			take<3>(y, x, n, to, {0, 1, 2, 0});
			break;
		case UNPU_AIPP_YUV420SP:
			take_planes(y, y / 2, x, n, to);
			break;
		case UNPU_AIPP_YUV422SP:
			take_planes(y, y, x, n, to);
			break;
		case UNPU_AIPP_YUYV:
			take_pairs(y, x, n, to);
			break;
		default:
			if (steps_.flags & UNPU_AIPP_SWAP_ALPHA)
				take<4>(y, x, n, to, {0, 1, 2, 3});
			else
				take<4>(y, x, n, to, {1, 2, 3, 0});
		}
		if (steps_.flags & UNPU_AIPP_CONVERT)
			convert(n, to);
	}

private:
	using Order = std::array<uint8_t, CHANNELS>;

	bool swaps() const { return (steps_.flags & UNPU_AIPP_SWAP_COLOURS) != 0; }

	/* @order: the byte of a pixel that each channel is */
	template <unsigned Bytes>
	void take(int64_t y, int64_t x, int64_t n, Pixels &to, Order order) const
	{
		const uint8_t *from = bytes_ + (y * width_ + x) * Bytes;
		if (swaps())
			std::swap(order[base::aipp_is_yuv(steps_.format) ? 1 : 0], order[2]);
		for (unsigned c = 0; c < Bytes; c++)
			for (int64_t i = 0; i < n; i++)
				to.channel[c][i] = from[i * Bytes + order[c]];
	}

	/* @uv: row of the second plane */
	void take_planes(int64_t y, int64_t uv, int64_t x, int64_t n, Pixels &to) const
	{
		const uint8_t *const colours =
			bytes_ + int64_t{steps_.height} * width_ + uv * width_;
		std::memcpy(to.channel[0], bytes_ + y * width_ + x, static_cast<size_t>(n));
		for (int64_t i = 0; i < n; i++) {
			const uint8_t *const pair = colours + (x + i) / 2 * 2;
			to.channel[1][i] = pair[swaps()];
			to.channel[2][i] = pair[!swaps()];
		}
	}

	void take_pairs(int64_t y, int64_t x, int64_t n, Pixels &to) const
	{
		for (int64_t i = 0; i < n; i++) {
			const uint8_t *const pair = bytes_ + y * width_ * 2 + (x + i) / 2 * 4;
			to.channel[0][i] = pair[(x + i) % 2 * 2];
			to.channel[1][i] = pair[swaps() ? 3 : 1];
			to.channel[2][i] = pair[swaps() ? 1 : 3];
		}
	}

	void convert(int64_t n, Pixels &pixels) const
	{
		const int32_t *const m = steps_.matrix, *const low = steps_.input_bias;
		uint8_t(&c)[CHANNELS][SPAN] = pixels.channel;
		for (int64_t i = 0; i < n; i++) {
			const int32_t a = c[0][i] - low[0], b = c[1][i] - low[1],
				      d = c[2][i] - low[2];
			for (unsigned k = 0; k < 3; k++) {
				const int32_t sum =
					m[3 * k] * a + m[3 * k + 1] * b + m[3 * k + 2] * d;
				c[k][i] = static_cast<uint8_t>(
					std::clamp((sum >> 8) + steps_.output_bias[k], 0, 255));
			}
		}
	}

	const Steps &steps_;
	const int64_t width_;
	const uint8_t *const bytes_;
};

/* class Result - the place for one image. */
class Result {
public:
	Result(const Call &call, const Steps &steps, uint64_t n)
		: steps_(steps), out_(call.view(0)), n_(static_cast<int64_t>(n)),
		  low_(out_.dtype == UNPU_DTYPE_I8 ? -128.0f : 0.0f)
	{
	}

	/* row() - row @y, from the image or around it. */
	void row(const Image &image, int64_t y) const
	{
		const int64_t from = y - int64_t{steps_.pad_top};
		if (from < 0 || from >= int64_t{steps_.crop_height})
			return fill(y, 0, out_.dims[3]);
		const int64_t left = steps_.pad_left, width = steps_.crop_width;
		fill(y, 0, left);
		Pixels pixels;
		for (int64_t x = 0; x < width; x += SPAN) {
			const int64_t n = std::min(width - x, SPAN);
			image.read(from + int64_t{steps_.crop_top}, x + int64_t{steps_.crop_left},
				   n, pixels);
			put(pixels, y, left + x, n);
		}
		fill(y, left + width, steps_.pad_right);
	}

private:
	bool is_integer() const
	{
		return out_.dtype == UNPU_DTYPE_U8 || out_.dtype == UNPU_DTYPE_I8;
	}

	void store(int64_t c, int64_t y, int64_t x, int64_t n, float *values) const
	{
		for (int64_t i = 0; is_integer() && i < n; i++)
			values[i] = std::clamp(values[i], low_, low_ + 255);
		store_row<float>(out_.dtype, place(out_, {n_, c, y, x}), inner_stride(out_),
				 static_cast<size_t>(n), values);
	}

	void put(const Pixels &pixels, int64_t y, int64_t x, int64_t n) const
	{
		alignas(64) float values[SPAN];
		for (int64_t c = 0; c < out_.dims[1]; c++) {
			const uint8_t *const from = pixels.channel[c];
			const auto mean = static_cast<float>(steps_.mean[c]);
			const float minimum = is_integer() ? 0 : steps_.minimum[c];
			const float factor = is_integer() ? 1 : steps_.factor[c];
			for (int64_t i = 0; i < n; i++)
				values[i] = (static_cast<float>(from[i]) - mean - minimum) * factor;
			store(c, y, x, n, values);
		}
	}

	void fill(int64_t y, int64_t first, int64_t count) const
	{
		alignas(64) float values[SPAN];
		for (int64_t c = 0; c < out_.dims[1]; c++)
			for (int64_t x = 0; x < count; x += SPAN) {
				const int64_t n = std::min(count - x, SPAN);
				std::fill_n(values, n,
					    std::isnan(steps_.padding) ? 0 : steps_.padding);
				store(c, y, first + x, n, values);
			}
	}

	const Steps &steps_;
	const View &out_;
	const int64_t n_;
	const float low_;
};

Finding run_aipp(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0), &all = call.view(2);
	const uint64_t each = units_of_image(call);
	const int64_t rows = rows_of_unit(call);
	Steps steps;
	for (uint64_t unit = first; unit < first + count; unit++) {
		const uint64_t n = unit / each;
		const int64_t begin = static_cast<int64_t>(unit % each) * rows;
		const int64_t offset = static_cast<int64_t>(n) * all.strides[0] * 4;
		if (unit == first || unit % each == 0) {
			std::memcpy(&steps, all.data + offset, sizeof(steps));
			if (!are_good(call, steps, n))
				return {base::Status::BAD_INDEX, call.first[2],
					static_cast<uint64_t>(offset), static_cast<int64_t>(n)};
		}
		const Image image(call, steps, n);
		const Result result(call, steps, n);
		for (int64_t y = begin; y < std::min(begin + rows, out.dims[2]); y++)
			result.row(image, y);
	}
	return {};
}

constexpr Kernel AIPP_KERNELS[] = {
	{UNPU_TENSOR_AIPP, check_aipp, aipp_units, aipp_cost, nullptr, run_aipp},
};

} // namespace

const std::span<const Kernel> aipp_kernels = AIPP_KERNELS;

} // namespace fw::tensor
