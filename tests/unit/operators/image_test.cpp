// SPDX-License-Identifier: MIT
/*
 * DOC: AIPP, tested
 *
 * Random images and steps against a loop that reads one pixel at a time.
 */
#include "base/aipp_image.h"
#include "random_call.h"

namespace {

using namespace random_call;
using Steps = unpu_aipp;

constexpr uint32_t FORMATS[] = {UNPU_AIPP_YUV420SP, UNPU_AIPP_XRGB8888, UNPU_AIPP_RGB888,
				UNPU_AIPP_YUV400,   UNPU_AIPP_ARGB8888, UNPU_AIPP_YUYV,
				UNPU_AIPP_YUV422SP, UNPU_AIPP_AYUV444};

uint32_t below(Random &random, uint64_t end)
{
	return static_cast<uint32_t>(random() % end);
}

/* struct Case - images of one size and their steps. */
struct Case {
	explicit Case(Random &random)
		: format(FORMATS[below(random, std::size(FORMATS))]), count(1 + below(random, 3))
	{
		width = (1 + below(random, 300)) * base::aipp_columns(format);
		height = (1 + below(random, 20)) * base::aipp_rows(format);
		each = base::aipp_bytes(format, width, height).all();
		const unsigned from = base::aipp_channels(format);
		channels = from == 1 ? 1 : from == 4 && random() % 2 ? 4 : random() % 2 ? 3 : 1;
		right = below(random, 4);
		bottom = below(random, 4);
		crop_width = 1 + below(random, width);
		crop_height = 1 + below(random, height);
		for (unsigned n = 0; n < count; n++)
			steps.push_back(make(random));
	}

	Steps make(Random &random) const
	{
		const bool converts = base::aipp_channels(format) >= 3 && random() % 2;
		Steps made{};
		made.magic = UNPU_AIPP_MAGIC;
		made.format = format;
		made.flags = (converts ? UNPU_AIPP_CONVERT : 0u) |
			     (random() % 2 ? UNPU_AIPP_SWAP_COLOURS : 0u) |
			     (random() % 2 ? UNPU_AIPP_SWAP_ALPHA : 0u);
		made.width = width;
		made.height = height;
		made.crop_left = below(random, width - crop_width + 1);
		made.crop_top = below(random, height - crop_height + 1);
		made.crop_width = crop_width;
		made.crop_height = crop_height;
		made.pad_left = below(random, right + 1);
		made.pad_right = right - made.pad_left;
		made.pad_top = below(random, bottom + 1);
		made.pad_bottom = bottom - made.pad_top;
		made.padding = static_cast<float>(below(random, 100)) - 50;
		for (int32_t &entry : made.matrix)
			entry = static_cast<int32_t>(below(random, 1024)) - 512;
		for (unsigned k = 0; k < 3; k++) {
			made.input_bias[k] = static_cast<int32_t>(below(random, 256));
			made.output_bias[k] = static_cast<int32_t>(below(random, 256));
		}
		for (unsigned c = 0; c < 4; c++) {
			made.mean[c] = static_cast<int32_t>(below(random, 256));
			made.minimum[c] = static_cast<float>(below(random, 1000)) / 7;
			made.factor[c] = static_cast<float>(below(random, 1000)) / 51000;
		}
		return made;
	}

	Dims dims() const
	{
		return {count, channels, int64_t{crop_height} + bottom,
			int64_t{crop_width} + right};
	}

	uint32_t format;
	unsigned count, channels;
	uint32_t width, height, right, bottom, crop_width, crop_height;
	uint64_t each;
	std::vector<Steps> steps;
};

/* The channels of a pixel as they lie in memory, with A behind the others. */
std::array<int32_t, 4> pixel(const Case &of, const Steps &steps, const std::byte *image, uint32_t x,
			     uint32_t y)
{
	const auto at = [&](uint64_t offset) { return static_cast<int32_t>(image[offset]); };
	const uint64_t w = of.width, plane = w * of.height, place = y * w + x;
	const uint64_t pair = x / 2 * 2;
	std::array<int32_t, 4> p{};
	switch (of.format) {
	case UNPU_AIPP_YUV420SP:
		p = {at(place), at(plane + y / 2 * w + pair), at(plane + y / 2 * w + pair + 1), 0};
		break;
	case UNPU_AIPP_YUV422SP:
		p = {at(place), at(plane + y * w + pair), at(plane + y * w + pair + 1), 0};
		break;
	case UNPU_AIPP_YUYV:
		p = {at(2 * place), at(2 * (y * w + pair) + 1), at(2 * (y * w + pair) + 3), 0};
		break;
	case UNPU_AIPP_YUV400:
		p = {at(place), 0, 0, 0};
		break;
	case UNPU_AIPP_RGB888:
		p = {at(3 * place), at(3 * place + 1), at(3 * place + 2), 0};
		break;
	default:
		p = {at(4 * place), at(4 * place + 1), at(4 * place + 2), at(4 * place + 3)};
		if (!(steps.flags & UNPU_AIPP_SWAP_ALPHA))
			p = {p[1], p[2], p[3], p[0]};
	}
	if (steps.flags & UNPU_AIPP_SWAP_COLOURS && of.format != UNPU_AIPP_YUV400)
		std::swap(p[base::aipp_is_yuv(of.format) ? 1 : 0], p[2]);
	return p;
}

float wanted(const Case &of, const Steps &steps, const std::byte *image, const Dims &at,
	     bool is_integer)
{
	const int64_t x = at[3] - int64_t{steps.pad_left}, y = at[2] - int64_t{steps.pad_top};
	if (x < 0 || y < 0 || x >= int64_t{of.crop_width} || y >= int64_t{of.crop_height})
		return steps.padding;
	std::array<int32_t, 4> p =
		pixel(of, steps, image, steps.crop_left + static_cast<uint32_t>(x),
		      steps.crop_top + static_cast<uint32_t>(y));
	const std::array<int32_t, 4> from = p;
	for (unsigned k = 0; k < 3 && steps.flags & UNPU_AIPP_CONVERT; k++) {
		int32_t sum = 0;
		for (unsigned j = 0; j < 3; j++)
			sum += steps.matrix[3 * k + j] * (from[j] - steps.input_bias[j]);
		p[k] = std::clamp((sum >> 8) + steps.output_bias[k], 0, 255);
	}
	const auto c = static_cast<size_t>(at[1]);
	const float moved = static_cast<float>(p[c]) - static_cast<float>(steps.mean[c]);
	return is_integer ? moved : (moved - steps.minimum[c]) * steps.factor[c];
}

TEST(Images, AreReadByTheirSteps)
{
	Random random(seed());
	constexpr uint32_t TYPES[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_U8, UNPU_DTYPE_I8};
	for (unsigned i = 0; i < cases(200); i++) {
		const Case of(random);
		const uint32_t type = TYPES[random() % 4];
		const bool is_integer = type == UNPU_DTYPE_U8 || type == UNPU_DTYPE_I8;
		const double low = type == UNPU_DTYPE_I8 ? -128 : 0;
		const Operand out(random, type, of.dims(), true, false);
		const Operand image(random, UNPU_DTYPE_U8,
				    {static_cast<int64_t>(of.each) * of.count}, false, false);
		const Operand steps(random, UNPU_DTYPE_I32, {of.count, UNPU_AIPP_WORDS}, false,
				    false);
		for (unsigned n = 0; n < of.count; n++)
			std::memcpy(steps.place({n, 0}), &of.steps[n], sizeof(Steps));
		CallBuilder builder(UNPU_TENSOR_AIPP);
		const Finding found =
			run(random, builder.add(0, out).add(1, image).add(2, steps).call);
		ASSERT_EQ(found.status, base::Status::OK) << i;
		for_each(of.dims(), [&](const Dims &at) {
			const auto n = static_cast<size_t>(at[0]);
			double value = static_cast<double>(wanted(
				of, of.steps[n], image.view.data + n * of.each, at, is_integer));
			value = is_integer ? std::clamp(value, low, low + 255) : value;
			std::byte bits[8];
			store_row<double>(type, bits, 0, 1, &value);
			load_row<double>(type, bits, 0, 1, &value);
			ASSERT_EQ(out.get(at), value) << i << " format " << of.format;
		});
	}
}

/* A change that no image has. */
using Change = void (*)(Steps &);

TEST(Images, NeedStepsThatFitThem)
{
	constexpr Change CHANGES[] = {
		[](Steps &s) { s.magic++; },
		[](Steps &s) { s.format = 5; },
		[](Steps &s) { s.flags = 8; },
		[](Steps &s) { s.width += 2; },
		[](Steps &s) { s.width++; },
		[](Steps &s) { s.height++; },
		[](Steps &s) { s.crop_left = UINT32_MAX; },
		[](Steps &s) { s.crop_top = 7; },
		[](Steps &s) { s.crop_width--; },
		[](Steps &s) { s.pad_left = UINT32_MAX; },
		[](Steps &s) { s.pad_bottom = 1; },
		[](Steps &s) { s.matrix[8] = 1 << 16; },
		[](Steps &s) { s.input_bias[1] = 256; },
		[](Steps &s) { s.output_bias[2] = -1; },
		[](Steps &s) { s.reserved[0] = 1; },
	};
	Random random(seed());
	for (const Change change : CHANGES) {
		Steps steps{};
		steps.magic = UNPU_AIPP_MAGIC;
		steps.format = UNPU_AIPP_YUV420SP;
		steps.width = steps.crop_width = 8;
		steps.height = steps.crop_height = 6;
		const Operand out(random, UNPU_DTYPE_F32, {1, 3, 6, 8}, false, false);
		const Operand image(random, UNPU_DTYPE_U8, {72}, false, false);
		const Operand words(random, UNPU_DTYPE_I32, {1, UNPU_AIPP_WORDS}, false, false);
		CallBuilder builder(UNPU_TENSOR_AIPP);
		builder.add(0, out).add(1, image).add(2, words);
		std::memcpy(words.view.data, &steps, sizeof(steps));
		EXPECT_EQ(run(random, builder.call).status, base::Status::OK);
		change(steps);
		std::memcpy(words.view.data, &steps, sizeof(steps));
		const Finding found = run(random, builder.call);
		EXPECT_EQ(found.status, base::Status::BAD_INDEX) << &change - CHANGES;
		EXPECT_EQ(found.view, 2u);
	}
}

} // namespace
