// SPDX-License-Identifier: MIT
/*
 * DOC: PICTURE, tested
 *
 * Random pictures of all pairs of formats against doubles, pixel by pixel.
 */
#include "base/picture_format.h"
#include "random_call.h"

namespace {

using namespace random_call;
using base::PictureFormat;

/* class Picture - planes with padded rows. */
class Picture {
public:
	Picture(Random &random, uint32_t format_number, int64_t columns, int64_t lines)
		: format(base::picture_format(format_number)), number(format_number),
		  width(columns), height(lines)
	{
		for (unsigned p = 0; p < format.planes; p++) {
			const int64_t bytes = format.row_bytes(p, width),
				      rows = format.plane_rows(p, height);
			planes.emplace_back(random, UNPU_DTYPE_U8, Dims{rows, bytes + 3}, false,
					    false);
			planes.back().view.dims[1] = bytes;
		}
	}

	uint8_t &at(unsigned c, int64_t x, int64_t y) const
	{
		const PictureFormat::Channel &channel = format.channels[c];
		return reinterpret_cast<uint8_t &>(
			*planes[channel.plane].place({y, channel.offset + x * channel.step}));
	}

	bool is_colour(unsigned c) const { return format.is_yuv && c > 0; }
	int64_t columns(unsigned c) const { return is_colour(c) ? width / format.columns : width; }
	int64_t rows(unsigned c) const { return is_colour(c) ? height / format.rows : height; }

	/* find() - the value at @x, @y when the channel has @columns and @lines values. */
	double find(unsigned c, int64_t x, int64_t y, int64_t columns_wanted, int64_t rows_wanted,
		    bool is_nearest) const
	{
		const auto last = [](int64_t count) { return static_cast<double>(count - 1); };
		/* The reciprocal of a quotient, as OpenCV has it: it is not always the other quotient. */
		const auto scale = [](int64_t from, int64_t to) {
			return 1 / (static_cast<double>(to) / static_cast<double>(from));
		};
		const double sx = scale(columns(c), columns_wanted),
			     sy = scale(rows(c), rows_wanted);
		const auto dx = static_cast<double>(x), dy = static_cast<double>(y);
		if (is_nearest)
			return at(
				c,
				static_cast<int64_t>(
					std::min(std::floor(dx * sx), last(columns(c)))),
				static_cast<int64_t>(std::min(std::floor(dy * sy), last(rows(c)))));
		const double fx = std::clamp((dx + 0.5) * sx - 0.5, 0.0, last(columns(c))),
			     fy = std::clamp((dy + 0.5) * sy - 0.5, 0.0, last(rows(c)));
		const auto left = static_cast<int64_t>(fx), top = static_cast<int64_t>(fy);
		const int64_t right = std::min(left + 1, columns(c) - 1),
			      bottom = std::min(top + 1, rows(c) - 1);
		const double h = fx - static_cast<double>(left), v = fy - static_cast<double>(top);
		return (at(c, left, top) * (1 - h) + at(c, right, top) * h) * (1 - v) +
		       (at(c, left, bottom) * (1 - h) + at(c, right, bottom) * h) * v;
	}

	PictureFormat format;
	uint32_t number;
	int64_t width, height;
	std::vector<Operand> planes;
};

Picture any(Random &random)
{
	const auto number = static_cast<uint32_t>(random() % UNPU_PICTURE_FORMATS);
	const PictureFormat format = base::picture_format(number);
	return {random, number, static_cast<int64_t>(1 + random() % 40) * format.columns,
		static_cast<int64_t>(1 + random() % 30) * format.rows};
}

Finding make(Random &random, const Picture &out, const Picture &in, int64_t filter)
{
	CallBuilder builder(UNPU_TENSOR_PICTURE);
	for (size_t p = 0; p < out.planes.size(); p++)
		builder.add(static_cast<unsigned>(p), out.planes[p]);
	for (size_t p = 0; p < in.planes.size(); p++)
		builder.add(static_cast<unsigned>(2 + p), in.planes[p]);
	builder.integer(out.number).integer(in.number).integer(filter);
	return run(random, builder.call);
}

TEST(Pictures, KeepTheirColoursWhenTheyAreScaled)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(400); i++) {
		const Picture out = any(random), in = any(random);
		const bool is_nearest = random() % 2;
		if (out.format.is_yuv != in.format.is_yuv)
			continue;
		ASSERT_EQ(make(random, out, in, is_nearest).status, base::Status::OK);
		for (unsigned c = 0; c < out.format.count; c++)
			for_each({out.rows(c), out.columns(c)}, [&](const Dims &at) {
				const double missing = out.is_colour(c) ? 128 : 255;
				const double wanted =
					c < in.format.count
						? in.find(c, at[1], at[0], out.columns(c),
							  out.rows(c), is_nearest)
						: missing;
				ASSERT_NEAR(out.at(c, at[1], at[0]), wanted, is_nearest ? 0 : 1)
					<< i << ": " << in.number << " to " << out.number;
			});
	}
}

/* Six columns become 34, as cv2.resize() of OpenCV 4.6 makes them. The quotient 6 / 34 itself gives 3 in column 17. */
TEST(Pictures, TakeTheNearestPixelThatOpenCvTakes)
{
	Random random(seed());
	const Picture in(random, UNPU_PICTURE_YUV400, 6, 2),
		out(random, UNPU_PICTURE_YUV400, 34, 2);
	for (int64_t x = 0; x < in.width; x++)
		in.at(0, x, 0) = in.at(0, x, 1) = static_cast<uint8_t>(x);
	ASSERT_EQ(make(random, out, in, UNPU_PICTURE_NEAREST).status, base::Status::OK);
	for (int64_t x = 0; x < out.width; x++)
		EXPECT_EQ(out.at(0, x, 0), x == 17 ? 2 : 6 * x / 34) << x;
}

TEST(Pictures, GetOtherColours)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(200); i++) {
		const Picture in(random, UNPU_PICTURE_RGB888, 16, 8),
			yuv(random, static_cast<uint32_t>(random() % 12), 16, 8),
			back(random, UNPU_PICTURE_BGRA8888, 16, 8);
		/* One colour, which the sub-sampling keeps. */
		const int64_t red = static_cast<int64_t>(random() % 256),
			      green = static_cast<int64_t>(random() % 256),
			      blue = static_cast<int64_t>(random() % 256);
		for_each({8, 16}, [&](const Dims &at) {
			in.at(0, at[1], at[0]) = static_cast<uint8_t>(red);
			in.at(1, at[1], at[0]) = static_cast<uint8_t>(green);
			in.at(2, at[1], at[0]) = static_cast<uint8_t>(blue);
		});
		ASSERT_EQ(make(random, yuv, in, 0).status, base::Status::OK);
		ASSERT_EQ(make(random, back, yuv, 0).status, base::Status::OK);
		const double grey = 0.299 * static_cast<double>(red) +
				    0.587 * static_cast<double>(green) +
				    0.114 * static_cast<double>(blue);
		for_each({8, 16}, [&](const Dims &at) {
			const bool has_colours = yuv.format.count > 1;
			ASSERT_NEAR(back.at(0, at[1], at[0]),
				    has_colours ? static_cast<double>(red) : grey, 5);
			ASSERT_NEAR(back.at(1, at[1], at[0]),
				    has_colours ? static_cast<double>(green) : grey, 5);
			ASSERT_NEAR(back.at(2, at[1], at[0]),
				    has_colours ? static_cast<double>(blue) : grey, 5);
			ASSERT_EQ(back.at(3, at[1], at[0]), 255);
		});
	}
}

TEST(Pictures, NeedPlanesOfTheirFormat)
{
	Random random(seed());
	const Picture out(random, UNPU_PICTURE_YUV420SP, 8, 6),
		in(random, UNPU_PICTURE_RGB888, 8, 6);
	const Kernel *const kernel = find_kernel(UNPU_TENSOR_PICTURE);
	const auto check = [&](const View &first, const View &second, int64_t format,
			       int64_t filter) {
		Operand one = out.planes[0], two = out.planes[1];
		one.view = first;
		two.view = second;
		CallBuilder builder(UNPU_TENSOR_PICTURE);
		builder.add(0, one).add(1, two).add(2, in.planes[0]);
		builder.integer(format).integer(UNPU_PICTURE_RGB888).integer(filter);
		return kernel->check(builder.call);
	};
	const View luma = out.planes[0].view, colours = out.planes[1].view;
	EXPECT_TRUE(check(luma, colours, UNPU_PICTURE_YUV420SP, 1));
	EXPECT_FALSE(check(luma, colours, UNPU_PICTURE_YUV420SP, 2));
	EXPECT_FALSE(check(luma, colours, UNPU_PICTURE_YUV420SP, -1));
	EXPECT_FALSE(check(luma, colours, UNPU_PICTURE_YUV422SP, 0));
	EXPECT_FALSE(check(luma, colours, UNPU_PICTURE_YUV400, 0));
	EXPECT_FALSE(check(luma, colours, UNPU_PICTURE_FORMATS, 0));
	EXPECT_FALSE(check(luma, colours, -1, 0));
	for (const unsigned dim : {0u, 1u}) {
		for (const int64_t change : {-1, 1}) {
			View odd = luma, wrong = colours;
			odd.dims[dim] += change;
			wrong.dims[dim] += change;
			EXPECT_FALSE(check(odd, colours, UNPU_PICTURE_YUV420SP, 0));
			EXPECT_FALSE(check(luma, wrong, UNPU_PICTURE_YUV420SP, 0));
		}
	}
	View wide = luma;
	wide.strides[1] = 2;
	EXPECT_FALSE(check(wide, colours, UNPU_PICTURE_YUV420SP, 0));
}

} // namespace
