// SPDX-License-Identifier: MIT
/*
 * DOC: operators that copy
 *
 * Copy, Cast, Permute, Slice, Repeat and RepeatInterleave against plain loops, with views on both sides, and what
 * they refuse.
 */
#include <cmath>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using ViewOperators = DeviceTest;

std::vector<float> count_up(size_t count)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>(i) + 1;
	return values;
}

/* struct Copied - an operand of 24 numbers and a result of @count. */
struct Copied {
	explicit Copied(size_t count)
		: self(device_copy(values)), out(device_copy(std::vector<float>(count, -1)))
	{
	}

	std::vector<float> values = count_up(24);
	DeviceBuffer self, out;
};

TEST_F(ViewOperators, CopyBetweenViewsAndBroadcast)
{
	const Copied memory(24);
	/* The columns of a 4 x 6 matrix become every second number of rows of 4. */
	run<BOTH(InplaceCopy)>(Tensor(memory.out, ACL_FLOAT, {3, 4}, {8, 2}, 1),
			       Tensor(memory.self, ACL_FLOAT, {3, 4}, {1, 6}, 2));
	std::vector<float> wanted(24, -1);
	for (size_t i = 0; i < 3; ++i)
		for (size_t j = 0; j < 4; ++j)
			wanted[1 + 8 * i + 2 * j] = memory.values[2 + i + 6 * j];
	EXPECT_EQ(memory.out.load<float>(), wanted);
	run<BOTH(InplaceCopy)>(Tensor(memory.out, ACL_FLOAT, {2, 3, 4}),
			       Tensor(memory.self, ACL_FLOAT, {3, 1}, {2, -99}, 0));
	for (size_t i = 0; i < 24; ++i)
		wanted[i] = memory.values[2 * (i / 4 % 3)];
	EXPECT_EQ(memory.out.load<float>(), wanted);
}

TEST_F(ViewOperators, CastToAnotherType)
{
	const DeviceBuffer self = device_copy(std::vector<float>{-2.75f, 0, 3.5f, 100});
	const DeviceBuffer integers(4 * sizeof(int64_t)), narrow(4 * sizeof(int32_t));
	run<BOTH(Cast)>(Tensor(self, ACL_FLOAT, {4}), ACL_INT64, Tensor(integers, ACL_INT64, {4}));
	EXPECT_EQ(integers.load<int64_t>(), (std::vector<int64_t>{-2, 0, 3, 100}));
	/* Backwards, from a transposed view. */
	run<BOTH(Cast)>(Tensor(integers, ACL_INT64, {2, 2}, {1, 2}, 0), ACL_INT32,
			Tensor(narrow, ACL_INT32, {2, 2}));
	EXPECT_EQ(narrow.load<int32_t>(), (std::vector<int32_t>{-2, 3, 0, 100}));
}

/* As the conversion unit of a device does it, for each integer. */
TEST_F(ViewOperators, CastOfLargeNumbersSaturates)
{
	const DeviceBuffer self =
		device_copy(std::vector<float>{INFINITY, -1e30f, NAN, 3e9f, -129, 128});
	const DeviceBuffer words(6 * sizeof(int32_t)), bytes(6), naturals(6);
	const Tensor from(self, ACL_FLOAT, {6});
	run<BOTH(Cast)>(from, ACL_INT32, Tensor(words, ACL_INT32, {6}));
	EXPECT_EQ(words.load<int32_t>(),
		  (std::vector<int32_t>{INT32_MAX, INT32_MIN, 0, INT32_MAX, -129, 128}));
	run<BOTH(InplaceCopy)>(Tensor(bytes, ACL_INT8, {6}), from);
	EXPECT_EQ(bytes.load<int8_t>(), (std::vector<int8_t>{127, -128, 0, 127, -128, 127}));
	run<BOTH(Cast)>(from, ACL_UINT8, Tensor(naturals, ACL_UINT8, {6}));
	EXPECT_EQ(naturals.load<uint8_t>(), (std::vector<uint8_t>{255, 0, 0, 255, 0, 128}));
}

TEST_F(ViewOperators, Permute)
{
	const Copied memory(24);
	std::vector<float> wanted(24);
	for (size_t i = 0; i < 2; ++i)
		for (size_t j = 0; j < 3; ++j)
			for (size_t k = 0; k < 4; ++k)
				wanted[6 * k + 3 * i + j] = memory.values[12 * i + 4 * j + k];
	for (const Dims &order : {Dims{2, 0, 1}, Dims{-1, -3, 1}}) {
		memory.out.store(std::vector<float>(24, -1));
		run<BOTH(Permute)>(Tensor(memory.self, ACL_FLOAT, {2, 3, 4}), IntArray(order),
				   Tensor(memory.out, ACL_FLOAT, {4, 2, 3}));
		EXPECT_EQ(memory.out.load<float>(), wanted);
	}
}

TEST_F(ViewOperators, Slice)
{
	const Copied memory(12);
	const Tensor self(memory.self, ACL_FLOAT, {4, 6}), out(memory.out, ACL_FLOAT, {4, 3});
	std::vector<float> wanted(12);
	for (size_t i = 0; i < 4; ++i)
		for (size_t j = 0; j < 3; ++j)
			wanted[3 * i + j] = memory.values[6 * i + 1 + 2 * j];
	run<BOTH(Slice)>(self, 1, 1, 6, 2, out);
	EXPECT_EQ(memory.out.load<float>(), wanted);
	memory.out.store(std::vector<float>(12, -1));
	run<BOTH(Slice)>(self, -1, -5, INT64_MAX, 2, out);
	EXPECT_EQ(memory.out.load<float>(), wanted);
	/* Nothing is left of the dim, so nothing is written. */
	run<BOTH(Slice)>(self, 0, 9, 20, 1, Tensor(memory.out, ACL_FLOAT, {0, 6}));
	EXPECT_EQ(memory.out.load<float>(), wanted);
}

TEST_F(ViewOperators, Repeat)
{
	const Copied memory(72);
	std::vector<float> wanted(72);
	/* self is 3 x 2, transposed; it is repeated 3 times in front, 2 and 2 times. */
	for (size_t i = 0; i < 72; ++i)
		wanted[i] = memory.values[i / 4 % 6 % 3 + 3 * (i % 4 % 2)];
	run<BOTH(Repeat)>(Tensor(memory.self, ACL_FLOAT, {3, 2}, {1, 3}, 0), IntArray({3, 2, 2}),
			  Tensor(memory.out, ACL_FLOAT, {3, 6, 4}));
	EXPECT_EQ(memory.out.load<float>(), wanted);
	run<BOTH(Repeat)>(Tensor(memory.self, ACL_FLOAT, {3}), IntArray({0}),
			  Tensor(memory.out, ACL_FLOAT, {0}));
	EXPECT_EQ(memory.out.load<float>(), wanted);
}

TEST_F(ViewOperators, RepeatInterleave)
{
	const Copied memory(48);
	std::vector<float> wanted(48);
	for (int64_t dim : {1, -2}) {
		for (size_t i = 0; i < 48; ++i)
			wanted[i] = memory.values[12 * (i / 24) + 4 * (i / 8 % 3) + i % 4];
		memory.out.store(std::vector<float>(48, -1));
		run<BOTH(RepeatInterleaveIntWithDim)>(Tensor(memory.self, ACL_FLOAT, {2, 3, 4}), 2,
						      dim, 6,
						      Tensor(memory.out, ACL_FLOAT, {2, 6, 4}));
		EXPECT_EQ(memory.out.load<float>(), wanted);
	}
}

/* Dims that lie behind each other in both views are one, so a tensor of 8 dims can be repeated along some of them. */
TEST_F(ViewOperators, RepeatTensorsOfEightDims)
{
	const Copied memory(1536);
	const std::vector<float> values = count_up(256);
	const DeviceBuffer self = device_copy(values);
	std::vector<float> wanted(1536);
	const Tensor from(self, ACL_FLOAT, {2, 2, 2, 2, 2, 2, 2, 2});
	run<BOTH(Repeat)>(from, IntArray({1, 3, 1, 1, 1, 1, 1, 2}),
			  Tensor(memory.out, ACL_FLOAT, {2, 6, 2, 2, 2, 2, 2, 4}));
	for (size_t i = 0; i < 1536; ++i)
		wanted[i] = values[i / 768 * 128 + i / 128 % 2 * 64 + i / 4 % 32 * 2 + i % 2];
	EXPECT_EQ(memory.out.load<float>(), wanted);
	run<BOTH(RepeatInterleaveIntWithDim)>(
		from, 3, 4, 6, Tensor(memory.out, ACL_FLOAT, {2, 2, 2, 2, 6, 2, 2, 2}));
	for (size_t i = 0; i < 768; ++i)
		wanted[i] = values[i / 48 * 16 + i % 48 / 24 * 8 + i % 8];
	EXPECT_EQ(memory.out.load<float>(), wanted);
	refuse<aclnnRepeatGetWorkspaceSize>(
		"it would need more than 8 dims", from, IntArray({2, 2, 2, 2, 1, 1, 1, 2}),
		Tensor(memory.out, ACL_FLOAT, {4, 4, 4, 4, 2, 2, 2, 4}));
}

TEST_F(ViewOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), halves(memory, ACL_FLOAT16, {2, 3});
	const Tensor wide(memory, ACL_UINT64, {2, 3}), column(memory, ACL_FLOAT, {2, 1});
	const Tensor shared(memory, ACL_FLOAT, {2, 3}, {0, 1}, 0);
	refuse<aclnnInplaceCopyGetWorkspaceSize>("can't be broadcast to the shape [2, 1]", column,
						 matrix);
	refuse<aclnnInplaceCopyGetWorkspaceSize>("share memory", shared, matrix);
	refuse<aclnnInplaceCopyGetWorkspaceSize>("src is UINT64 [2, 3]; allowed are", matrix, wide);
	refuse<aclnnCastGetWorkspaceSize>("dtype is FLOAT", matrix, ACL_FLOAT, halves);
	refuse<aclnnCastGetWorkspaceSize>("shape [2, 3]", matrix, ACL_FLOAT, column);
	refuse<aclnnPermuteGetWorkspaceSize>("dims has 0 twice", matrix, IntArray({0, -2}), matrix);
	refuse<aclnnPermuteGetWorkspaceSize>("dims has 3 entries", matrix, IntArray({0, 1, 2}),
					     matrix);
	refuse<aclnnPermuteGetWorkspaceSize>("an entry of dims is 2; allowed are -2 to 1", matrix,
					     IntArray({0, 2}), matrix);
	refuse<aclnnPermuteGetWorkspaceSize>("out is FLOAT16 [2, 3]; the result has the type FLOAT",
					     matrix, IntArray({0, 1}), halves);
	refuse<aclnnSliceGetWorkspaceSize>("dim is -3", matrix, -3, 0, 1, 1, matrix);
	refuse<aclnnSliceGetWorkspaceSize>("step is 0", matrix, 1, 0, 1, 0, column);
	refuse<aclnnSliceGetWorkspaceSize>("shape [2, 2]", matrix, 1, 0, 3, 2, column);
	refuse<aclnnRepeatGetWorkspaceSize>("repeats has 1 entries", matrix, IntArray({1}), matrix);
	refuse<aclnnRepeatGetWorkspaceSize>("the entry -1", matrix, IntArray({1, -1}), matrix);
	refuse<aclnnRepeatInterleaveIntWithDimGetWorkspaceSize>("outputSize is 5; it must be 6",
								matrix, 2, 1, 5, matrix);
	refuse<aclnnRepeatInterleaveIntWithDimGetWorkspaceSize>("repeats is -1", matrix, -1, 1, 3,
								matrix);
}

} // namespace
