// SPDX-License-Identifier: MIT
/*
 * DOC: convolutions, columns and pools
 *
 * Convolution, Im2col, AvgPool2d and MaxPool against plain loops, with views on both sides, and what they refuse.
 */
#include <algorithm>
#include <cfloat>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using WindowOperators = DeviceTest;

std::vector<float> numbers(size_t count)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>(i * 7 % 23) / 4 - 2.5f;
	return values;
}

/* struct Image - [channels, height, width] numbers; outside of it are zeros. */
struct Image {
	float at(int64_t c, int64_t y, int64_t x) const
	{
		if (y < 0 || y >= height || x < 0 || x >= width)
			return 0;
		return values[static_cast<size_t>((c * height + y) * width + x)];
	}

	std::vector<float> values;
	int64_t height, width;
};

void expect_near(const std::vector<float> &got, const std::vector<float> &wanted)
{
	ASSERT_EQ(got.size(), wanted.size());
	for (size_t i = 0; i < got.size(); ++i)
		EXPECT_NEAR(got[i], wanted[i], 2e-5f) << i;
}

TEST_F(WindowOperators, ConvolveImagesInGroups)
{
	/* [1, 4, 5, 6] by [6, 2, 3, 2] in 2 groups, stride 2 and 1, padding 1 and 2, dilation 1 and 2. */
	const Image image{numbers(120), 5, 6};
	const std::vector<float> weight = numbers(72), bias = {1, 2, 3, 4, 5, 6};
	const DeviceBuffer input = device_copy(image.values), factors = device_copy(weight);
	const DeviceBuffer addends = device_copy(bias), out(6 * 3 * 8 * sizeof(float));
	std::vector<float> wanted;
	for (int64_t o = 0; o < 6; ++o)
		for (int64_t y = 0; y < 3; ++y)
			for (int64_t x = 0; x < 8; ++x) {
				float sum = bias[size_t(o)];
				for (int64_t i = 0; i < 12; ++i) {
					const int64_t c = i / 6, kh = i / 2 % 3, kw = i % 2;
					sum += weight[size_t(o * 12 + i)] *
					       image.at(o / 3 * 2 + c, 2 * y - 1 + kh,
							x - 2 + 2 * kw);
				}
				wanted.push_back(sum);
			}
	run<BOTH(Convolution)>(Tensor(input, ACL_FLOAT, {1, 4, 5, 6}),
			       Tensor(factors, ACL_FLOAT, {6, 2, 3, 2}),
			       Tensor(addends, ACL_FLOAT, {6}), IntArray({2, 1}), IntArray({1, 2}),
			       IntArray({1, 2}), false, IntArray({1, 2}), 2,
			       Tensor(out, ACL_FLOAT, {1, 6, 3, 8}), int8_t{0});
	expect_near(out.load<float>(), wanted);
}

TEST_F(WindowOperators, ConvolveRowsOfEachChannel)
{
	/* [2, 3, 7] by a [3, 1, 4] view with gaps; the result has its channels last in memory. */
	const std::vector<float> values = numbers(42), weight = numbers(18);
	const DeviceBuffer input = device_copy(values), factors = device_copy(weight);
	const DeviceBuffer out(24 * sizeof(float));
	const aclTensor *none = nullptr;
	std::vector<float> wanted(24);
	for (size_t n = 0; n < 2; ++n)
		for (size_t c = 0; c < 3; ++c)
			for (size_t x = 0; x < 4; ++x)
				for (size_t k = 0; k < 4; ++k)
					wanted[n * 12 + x * 3 + c] +=
						values[n * 21 + c * 7 + x + k] * weight[6 * c + k];
	run<BOTH(Convolution)>(Tensor(input, ACL_FLOAT, {2, 3, 7}),
			       Tensor(factors, ACL_FLOAT, {3, 1, 4}, {6, 6, 1}, 0), none,
			       IntArray({1}), IntArray({0}), IntArray({1}), false, IntArray({0}), 3,
			       Tensor(out, ACL_FLOAT, {2, 3, 4}, {12, 1, 3}, 0), int8_t{0});
	expect_near(out.load<float>(), wanted);
}

TEST_F(WindowOperators, ConvolveTransposed)
{
	/* [1, 2, 4] by [2, 3, 3], stride 2, padding 1, 1 more behind: 4 * 2 - 2 * 1 + 1 + 1 = 8. */
	const std::vector<float> values = numbers(8), weight = numbers(18);
	const DeviceBuffer input = device_copy(values), factors = device_copy(weight);
	const DeviceBuffer out(24 * sizeof(float));
	const aclTensor *none = nullptr;
	std::vector<float> wanted(24);
	for (size_t c = 0; c < 2; ++c)
		for (size_t i = 0; i < 4; ++i)
			for (size_t o = 0; o < 3; ++o)
				for (size_t k = 0; k < 3; ++k) {
					const size_t at =
						2 * i + k; /* with the padding before it */
					if (at >= 1 && at - 1 < 8)
						wanted[o * 8 + at - 1] += values[c * 4 + i] *
									  weight[c * 9 + o * 3 + k];
				}
	run<BOTH(Convolution)>(Tensor(input, ACL_FLOAT, {1, 2, 4}),
			       Tensor(factors, ACL_FLOAT, {2, 3, 3}), none, IntArray({2}),
			       IntArray({1}), IntArray({1}), true, IntArray({1}), 1,
			       Tensor(out, ACL_FLOAT, {1, 3, 8}), int8_t{0});
	expect_near(out.load<float>(), wanted);
}

TEST_F(WindowOperators, ColumnsOfWindows)
{
	/* [2, 4, 5], kernel 2 x 3, dilation 2 x 1, padding 1 x 0, stride 1 x 2: 4 x 2 positions. */
	const Image image{numbers(40), 4, 5};
	const DeviceBuffer self = device_copy(image.values), out(96 * sizeof(float));
	std::vector<float> wanted;
	for (int64_t row = 0; row < 12; ++row)
		for (int64_t y = 0; y < 4; ++y)
			for (int64_t x = 0; x < 2; ++x)
				wanted.push_back(image.at(row / 6, y - 1 + 2 * (row / 3 % 2),
							  2 * x + row % 3));
	const IntArray kernel({2, 3}), dilation({2, 1}), padding({1, 0}), stride({1, 2});
	run<BOTH(Im2col)>(Tensor(self, ACL_FLOAT, {1, 2, 4, 5}), kernel, dilation, padding, stride,
			  Tensor(out, ACL_FLOAT, {1, 12, 8}));
	EXPECT_EQ(out.load<float>(), wanted);
	out.store(std::vector<float>(96, -1));
	run<BOTH(Im2col)>(Tensor(self, ACL_FLOAT, {2, 4, 5}), kernel, dilation, padding, stride,
			  Tensor(out, ACL_FLOAT, {12, 8}));
	EXPECT_EQ(out.load<float>(), wanted);
}

TEST_F(WindowOperators, MeansOfWindows)
{
	/* [1, 2, 4, 5], kernel 2 x 3, padding 1: 5 x 5 positions, or 3 x 3 of stride 2. */
	const Image image{numbers(40), 4, 5};
	const DeviceBuffer self = device_copy(image.values), out(50 * sizeof(float));
	for (const int64_t divisor : {0, 4})
		for (const bool counts : {true, false}) {
			std::vector<float> wanted;
			for (int64_t i = 0; i < 50; ++i) {
				const int64_t y = i / 5 % 5 - 1, x = i % 5 - 1;
				float sum = 0, inside = 0;
				for (int64_t k = 0; k < 6; ++k) {
					const int64_t row = y + k / 3, column = x + k % 3;
					sum += image.at(i / 25, row, column);
					inside += row >= 0 && row < 4 && column >= 0 && column < 5;
				}
				const float by = divisor ? float(divisor) : counts ? 6 : inside;
				wanted.push_back(sum / by);
			}
			run<BOTH(AvgPool2d)>(Tensor(self, ACL_FLOAT, {1, 2, 4, 5}),
					     IntArray({2, 3}), IntArray({1}), IntArray({1, 1}),
					     false, counts, divisor, int8_t{0},
					     Tensor(out, ACL_FLOAT, {1, 2, 5, 5}));
			expect_near(out.load<float>(), wanted);
		}
}

TEST_F(WindowOperators, GreatestElementsOfWindows)
{
	/* [2, 5, 5], kernel 2, no strides: as the kernel. Rounded up there are 3 x 3 positions, else 2 x 2. */
	const Image image{numbers(50), 5, 5};
	const DeviceBuffer self = device_copy(image.values), out(18 * sizeof(float));
	for (const int64_t rounds_up : {0, 1}) {
		const int64_t n = rounds_up ? 3 : 2;
		std::vector<float> wanted;
		for (int64_t i = 0; i < 2 * n * n; ++i) {
			float top = -FLT_MAX;
			for (int64_t k = 0; k < 4; ++k) {
				const int64_t y = i / n % n * 2 + k / 2, x = i % n * 2 + k % 2;
				if (y < 5 && x < 5)
					top = std::max(top, image.at(i / (n * n), y, x));
			}
			wanted.push_back(top);
		}
		wanted.resize(18, -1);
		out.store(std::vector<float>(18, -1));
		run<BOTH(MaxPool)>(Tensor(self, ACL_FLOAT, {2, 5, 5}), IntArray({2, 2}),
				   IntArray({}), 0, IntArray({0, 0, 0, 0}), IntArray({1, 1}),
				   rounds_up, Tensor(out, ACL_FLOAT, {2, n, n}));
		EXPECT_EQ(out.load<float>(), wanted);
	}
	/* Padding on the left and below only. */
	std::vector<float> wanted;
	for (int64_t i = 0; i < 50; ++i) {
		float top = -FLT_MAX;
		for (int64_t k = 0; k < 4; ++k) {
			const int64_t y = i / 5 % 5 + k / 2, x = i % 5 - 1 + k % 2;
			if (y < 5 && x >= 0)
				top = std::max(top, image.at(i / 25, y, x));
		}
		wanted.push_back(top);
	}
	const DeviceBuffer wide(50 * sizeof(float));
	run<BOTH(MaxPool)>(Tensor(self, ACL_FLOAT, {2, 5, 5}), IntArray({2}), IntArray({1}), 0,
			   IntArray({0, 1, 1, 0}), IntArray({}), 0,
			   Tensor(wide, ACL_FLOAT, {2, 5, 5}));
	EXPECT_EQ(wide.load<float>(), wanted);
}

TEST_F(WindowOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(4096);
	const Tensor image(memory, ACL_FLOAT, {1, 4, 5, 5}), rows(memory, ACL_FLOAT, {1, 4, 5});
	const Tensor weight(memory, ACL_FLOAT, {4, 4, 3, 3}),
		narrow(memory, ACL_FLOAT, {4, 2, 3, 3});
	const Tensor matrix(memory, ACL_FLOAT, {4, 5}), integers(memory, ACL_INT32, {1, 4, 5, 5});
	const IntArray one({1, 1}), zero({0, 0}), two({2, 2}), less({-1, 0}), three({1, 1, 1});
	const aclTensor *none = nullptr;
	constexpr auto CONVOLVE = aclnnConvolutionGetWorkspaceSize;
	const int8_t cube = 0;
	refuse<CONVOLVE>("has shape [1, 4, 3, 3]", image, weight, none, one, zero, one, false, zero,
			 1, image, cube);
	refuse<CONVOLVE>("input has 4 channels in 1 groups", image, narrow, none, one, one, one,
			 false, zero, 1, image, cube);
	refuse<CONVOLVE>("groups is 3", image, weight, none, one, one, one, false, zero, 3, image,
			 cube);
	refuse<CONVOLVE>("weight is FLOAT [1, 4, 5]", image, rows, none, one, one, one, false, zero,
			 1, image, cube);
	refuse<CONVOLVE>("stride has the entry 0", image, weight, none, zero, one, one, false, zero,
			 1, image, cube);
	refuse<CONVOLVE>("padding has the entry -1", image, weight, none, one, less, one, false,
			 zero, 1, image, cube);
	refuse<CONVOLVE>("dilation has 3 entries", image, weight, none, one, one, three, false,
			 zero, 1, image, cube);
	refuse<CONVOLVE>("bias is FLOAT [4, 5]", image, weight, matrix, one, one, one, false, zero,
			 1, image, cube);
	refuse<CONVOLVE>("the result has shape [1, 4, 4, 5]", image, weight, none, one,
			 IntArray({1, 0, 1, 1}), one, false, zero, 1, image, cube);
	refuse<aclnnIm2colGetWorkspaceSize>("3 to 4 dims", matrix, one, one, zero, one, matrix);
	refuse<aclnnIm2colGetWorkspaceSize>("has shape [1, 4, 25]", image, one, one, zero, one,
					    rows);
	refuse<aclnnIm2colGetWorkspaceSize>("kernelSize has the entry 0", image, zero, one, zero,
					    one, rows);
	refuse<aclnnAvgPool2dGetWorkspaceSize>("has shape [1, 4, 2, 2]", image, two, two, zero,
					       false, true, 0, cube, image);
	refuse<aclnnAvgPool2dGetWorkspaceSize>("allowed are FLOAT", integers, two, two, zero, false,
					       true, 0, cube, integers);
	refuse<aclnnMaxPoolGetWorkspaceSize>("autoPad is 1", image, one, one, 1, zero, one, 0,
					     image);
	refuse<aclnnMaxPoolGetWorkspaceSize>("pads has the entry -1", image, one, one, 0,
					     IntArray({-1, 0, 0, 0}), one, 0, image);
	refuse<aclnnMaxPoolGetWorkspaceSize>("dilations has the entry 0", image, one, one, 0, zero,
					     zero, 0, image);
}

/* 263 thousand elements in each of 16 thousand windows, which share most of them: a column is added up once for all. */
TEST_F(WindowOperators, AverageOfHugeWindows)
{
	constexpr int64_t kSize = 640, kKernel = 513, kCount = kSize - kKernel + 1;
	std::vector<float> image(kSize * kSize, 1);
	image[600 * kSize + 5] = 1 + kKernel * kKernel;
	const DeviceBuffer self = device_copy(image), out(kCount * kCount * sizeof(float));
	run<BOTH(AvgPool2d)>(Tensor(self, ACL_FLOAT, {1, 1, kSize, kSize}),
			     IntArray({kKernel, kKernel}), IntArray({1, 1}), IntArray({0, 0}),
			     false, true, 0, int8_t{0},
			     Tensor(out, ACL_FLOAT, {1, 1, kCount, kCount}));
	const std::vector<float> got = out.load<float>();
	for (int64_t y = 0; y < kCount; ++y)
		for (int64_t x = 0; x < kCount; ++x) {
			const float wanted = y > 600 - kKernel && x <= 5 ? 2 : 1;
			ASSERT_EQ(got[static_cast<size_t>(y * kCount + x)], wanted)
				<< y << " " << x;
		}
}

} // namespace
