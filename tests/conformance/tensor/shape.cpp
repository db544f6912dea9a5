// SPDX-License-Identifier: MIT
/*
 * DOC: gated units, triangles, ranges and images
 *
 * SwiGlu, GeGluV3, Tril, Triu, Arange and UpsampleNearest2d against plain loops, with views on both sides, and what
 * they refuse.
 */
#include <cmath>

#include "operator/half.h"
#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using ShapeOperators = DeviceTest;

std::vector<float> numbers(size_t count)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>(i * 7 % 23) / 4 - 2.5f;
	return values;
}

float silu(float x)
{
	return x / (1 + std::exp(-x));
}

float gelu(float x)
{
	return 0.5f * x * std::erfc(-x * std::sqrt(0.5f));
}

float gelu_tanh(float x)
{
	return 0.5f * x * (1 + std::tanh(std::sqrt(2 / 3.14159265f) * (x + 0.044715f * x * x * x)));
}

void expect_near(const std::vector<float> &got, const std::vector<float> &wanted)
{
	ASSERT_EQ(got.size(), wanted.size());
	for (size_t i = 0; i < got.size(); ++i)
		EXPECT_NEAR(got[i], wanted[i], 1e-6f + 1e-6f * std::fabs(wanted[i])) << i;
}

TEST_F(ShapeOperators, SwiGluOfStridedRowsAndOfAnyDim)
{
	const std::vector<float> values = numbers(60);
	const DeviceBuffer memory = device_copy(values), out(12 * sizeof(float));
	std::vector<float> wanted(12);
	/* [2, 2, 6] with rows 10 apart. */
	for (size_t i = 0; i < 12; ++i) {
		const float *row = &values[i / 6 * 30 + i / 3 % 2 * 10 + 1];
		wanted[i] = silu(row[i % 3]) * row[3 + i % 3];
	}
	for (const int64_t dim : {2, -1}) {
		out.store(std::vector<float>(12, -1));
		run<BOTH(SwiGlu)>(Tensor(memory, ACL_FLOAT, {2, 2, 6}, {30, 10, 1}, 1), dim,
				  Tensor(out, ACL_FLOAT, {2, 2, 3}));
		expect_near(out.load<float>(), wanted);
	}
	/* Along dim 0 of [4, 6] the halves are two matrices. */
	for (size_t i = 0; i < 12; ++i)
		wanted[i] = silu(values[i]) * values[12 + i];
	run<BOTH(SwiGlu)>(Tensor(memory, ACL_FLOAT, {4, 6}), 0, Tensor(out, ACL_FLOAT, {2, 6}));
	expect_near(out.load<float>(), wanted);
}

TEST_F(ShapeOperators, GeGluActivatesEitherHalf)
{
	const std::vector<float> values = numbers(24);
	const DeviceBuffer memory = device_copy(values), out(48), activated(48);
	for (const bool is_left : {true, false})
		for (const int64_t approximate : {0, 1}) {
			std::vector<float> wanted(12), wanted_gelu(12);
			for (size_t i = 0; i < 12; ++i) {
				const float *row = &values[i / 3 * 6 + i % 3];
				wanted_gelu[i] =
					(approximate ? gelu_tanh : gelu)(row[is_left ? 0 : 3]);
				wanted[i] = wanted_gelu[i] * row[is_left ? 3 : 0];
			}
			run<BOTH(GeGluV3)>(Tensor(memory, ACL_FLOAT, {1, 2, 2, 6}), 3, approximate,
					   is_left, Tensor(out, ACL_FLOAT, {1, 2, 2, 3}),
					   Tensor(activated, ACL_FLOAT, {1, 2, 2, 3}));
			expect_near(out.load<float>(), wanted);
			expect_near(activated.load<float>(), wanted_gelu);
		}
}

TEST_F(ShapeOperators, TrianglesOfTransposedMatrices)
{
	const std::vector<float> values = numbers(24);
	const DeviceBuffer memory = device_copy(values), out(24 * sizeof(float));
	for (const int64_t diagonal : {-4, -1, 0, 2, 9}) {
		std::vector<float> low(24), high(24);
		for (int64_t i = 0; i < 24; ++i) {
			const int64_t row = i / 4 % 3, column = i % 4;
			const size_t at = static_cast<size_t>(i / 12 * 12 + row + 3 * column);
			low[static_cast<size_t>(i)] = column <= row + diagonal ? values[at] : 0;
			high[static_cast<size_t>(i)] = column >= row + diagonal ? values[at] : 0;
		}
		const Tensor self(memory, ACL_FLOAT, {2, 3, 4}, {12, 1, 3}, 0);
		run<BOTH(Tril)>(self, diagonal, Tensor(out, ACL_FLOAT, {2, 3, 4}));
		EXPECT_EQ(out.load<float>(), low);
		run<BOTH(Triu)>(self, diagonal, Tensor(out, ACL_FLOAT, {2, 3, 4}));
		EXPECT_EQ(out.load<float>(), high);
	}
}

TEST_F(ShapeOperators, TriangleInPlaceOfInfinities)
{
	const DeviceBuffer memory = device_copy(std::vector<float>(9, -INFINITY));
	run<BOTH(InplaceTriu)>(Tensor(memory, ACL_FLOAT, {3, 3}), 1);
	const float x = -INFINITY;
	EXPECT_EQ(memory.load<float>(), (std::vector<float>{0, x, x, 0, 0, x, 0, 0, 0}));
}

TEST_F(ShapeOperators, RangesOfEachType)
{
	const DeviceBuffer out(8 * sizeof(int64_t));
	run<BOTH(Arange)>(Scalar(1.5f, ACL_FLOAT), Scalar(4.0f, ACL_FLOAT), Scalar(0.5f, ACL_FLOAT),
			  Tensor(out, ACL_FLOAT, {1, 1, 1, 5}));
	std::vector<float> floats = out.load<float>();
	floats.resize(5);
	EXPECT_EQ(floats, (std::vector<float>{1.5f, 2, 2.5f, 3, 3.5f}));
	run<BOTH(Arange)>(Scalar(5.0f, ACL_FLOAT), Scalar(-3.0f, ACL_FLOAT),
			  Scalar(-2.0f, ACL_FLOAT), Tensor(out, ACL_INT32, {4}));
	std::vector<int32_t> integers = out.load<int32_t>();
	integers.resize(4);
	EXPECT_EQ(integers, (std::vector<int32_t>{5, 3, 1, -1}));
	run<BOTH(Arange)>(Scalar(0.0f, ACL_FLOAT), Scalar(3.0f, ACL_FLOAT), Scalar(1.0f, ACL_FLOAT),
			  Tensor(out, ACL_FLOAT16, {3}, {2}, 1));
	const std::vector<uint16_t> halves = out.load<uint16_t>();
	for (size_t i = 0; i < 3; ++i)
		EXPECT_EQ(halves[1 + 2 * i], f16_of_float(static_cast<float>(i)));
	/* In float the quotient is 3, in double a little more. */
	run<BOTH(Arange)>(Scalar(0.0f, ACL_FLOAT), Scalar(2.1f, ACL_FLOAT), Scalar(0.7f, ACL_FLOAT),
			  Tensor(out, ACL_FLOAT, {3}));
	floats = out.load<float>();
	EXPECT_FLOAT_EQ(floats[2], 1.4f);
}

TEST_F(ShapeOperators, ImagesOfAnotherSize)
{
	const std::vector<float> values = numbers(24);
	const DeviceBuffer memory = device_copy(values), out(2 * 2 * 5 * 3 * sizeof(float));
	/* [2, 2, 2, 3], transposed in its last two dims. */
	std::vector<float> wanted(60);
	for (size_t i = 0; i < 60; ++i) {
		const size_t y = i / 3 % 5 * 2 / 5, x = i % 3;
		wanted[i] = values[i / 15 * 6 + y + 2 * x];
	}
	run<BOTH(UpsampleNearest2d)>(Tensor(memory, ACL_FLOAT, {2, 2, 2, 3}, {12, 6, 1, 2}, 0),
				     IntArray({5, 3}), Tensor(out, ACL_FLOAT, {2, 2, 5, 3}));
	EXPECT_EQ(out.load<float>(), wanted);
}

TEST_F(ShapeOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), half(memory, ACL_FLOAT, {1, 3});
	const Tensor integers(memory, ACL_INT32, {2, 3}), row(memory, ACL_FLOAT, {3});
	const Tensor image(memory, ACL_FLOAT, {1, 1, 2, 2}), none(memory, ACL_FLOAT, {1, 1, 0, 2});
	const Scalar zero(0.0f, ACL_FLOAT), three(3.0f, ACL_FLOAT), part(0.5f, ACL_FLOAT);
	refuse<aclnnSwiGluGetWorkspaceSize>("its size must be even", matrix, 1, matrix);
	refuse<aclnnSwiGluGetWorkspaceSize>("has shape [1, 3]", matrix, 0, matrix);
	refuse<aclnnSwiGluGetWorkspaceSize>("dim is 2", matrix, 2, matrix);
	refuse<aclnnSwiGluGetWorkspaceSize>("allowed are FLOAT", integers, 0, half);
	refuse<aclnnGeGluV3GetWorkspaceSize>("approximate is 2", matrix, 0, 2, true, half, half);
	refuse<aclnnGeGluV3GetWorkspaceSize>("outGelu is FLOAT [3]", matrix, 0, 0, true, half, row);
	refuse<aclnnTrilGetWorkspaceSize>("it must have 2 to 8 dims", row, 0, row);
	refuse<aclnnTriuGetWorkspaceSize>("must have the type FLOAT", matrix, 0, integers);
	refuse<aclnnTriuGetWorkspaceSize>("has shape [2, 3]", matrix, 0, row);
	refuse<aclnnArangeGetWorkspaceSize>("the result has 3 elements", zero, three,
					    Scalar(1.0f, ACL_FLOAT), matrix);
	refuse<aclnnArangeGetWorkspaceSize>("step is 0.0", zero, three, zero, row);
	refuse<aclnnArangeGetWorkspaceSize>("does not lead", three, zero, part, row);
	for (const float bad : {INFINITY, -INFINITY, NAN}) {
		const Scalar number(bad, ACL_FLOAT);
		refuse<aclnnArangeGetWorkspaceSize>("end is", zero, number, part, row);
		refuse<aclnnArangeGetWorkspaceSize>("start is", number, zero, part, row);
	}
	refuse<aclnnArangeGetWorkspaceSize>("step is nan", zero, three, Scalar(NAN, ACL_FLOAT),
					    row);
	refuse<aclnnArangeGetWorkspaceSize>("the result is floating", zero, three, part, integers);
	refuse<aclnnUpsampleNearest2dGetWorkspaceSize>("must have 4 dims", matrix, IntArray({2, 2}),
						       image);
	refuse<aclnnUpsampleNearest2dGetWorkspaceSize>("has the entry 0", image, IntArray({0, 2}),
						       image);
	refuse<aclnnUpsampleNearest2dGetWorkspaceSize>("has 1 entries", image, IntArray({2}),
						       image);
	refuse<aclnnUpsampleNearest2dGetWorkspaceSize>("must have an element", none,
						       IntArray({2, 2}), image);
}

} // namespace
