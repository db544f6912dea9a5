// SPDX-License-Identifier: MIT
/*
 * DOC: joins and pads
 *
 * Cat, ConstantPadNd, ReflectionPad1d and Roll against plain loops, with views on both sides, and what they refuse.
 */
#include <cfloat>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using JoinOperators = DeviceTest;

std::vector<float> count_up(size_t count)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>(i) + 1;
	return values;
}

TEST_F(JoinOperators, CatOfViewsAlongEachDim)
{
	const std::vector<float> values = count_up(24);
	const DeviceBuffer memory = device_copy(values), out(36 * sizeof(float));
	/* Two [2, 3, 3] views: the first one is transposed, the second one has a gap. */
	const auto element = [&values](size_t member, size_t i, size_t j, size_t k) {
		return values[member ? 1 + 12 * i + 4 * j + k : 9 * i + j + 3 * k];
	};
	for (int64_t dim = -3; dim < 3; ++dim) {
		const size_t d = static_cast<size_t>((dim + 3) % 3);
		const TensorList list({new_tensor(memory, ACL_FLOAT, {2, 3, 3}, {9, 1, 3}),
				       new_tensor(memory, ACL_FLOAT, {0}),
				       new_tensor(memory, ACL_FLOAT, {2, 3, 3}, {12, 4, 1}, 1)});
		Dims dims = {2, 3, 3};
		dims[d] *= 2;
		out.store(std::vector<float>(36, -1));
		run<BOTH(Cat)>(list, dim, Tensor(out, ACL_FLOAT, dims));
		std::vector<float> wanted;
		for (size_t i = 0; i < size_t(dims[0]); ++i)
			for (size_t j = 0; j < size_t(dims[1]); ++j)
				for (size_t k = 0; k < size_t(dims[2]); ++k) {
					const size_t at[] = {i, j, k}, size[] = {2, 3, 3};
					const bool is_second = at[d] >= size[d];
					wanted.push_back(element(is_second, d == 0 ? i % 2 : i,
								 d == 1 ? j % 3 : j,
								 d == 2 ? k % 3 : k));
				}
		EXPECT_EQ(out.load<float>(), wanted) << dim;
	}
}

TEST_F(JoinOperators, CatOfManyMembersAndOfNone)
{
	const std::vector<int8_t> values = {1, 2, 3, 4};
	const DeviceBuffer memory = device_copy(values), out(16);
	std::vector<const aclTensor *> members;
	std::vector<int8_t> wanted(16);
	for (size_t i = 0; i < 15; ++i) {
		members.push_back(new_tensor(memory, ACL_INT8, {1}, {1}, int64_t(i % 4)));
		wanted[i] = values[i % 4];
	}
	out.store(std::vector<int8_t>(16));
	run<BOTH(Cat)>(TensorList(members), 0, Tensor(out, ACL_INT8, {15}));
	EXPECT_EQ(out.load<int8_t>(), wanted);
	run<BOTH(Cat)>(TensorList({new_tensor(memory, ACL_INT8, {3, 0})}), 1,
		       Tensor(out, ACL_INT8, {3, 0}));
	EXPECT_EQ(out.load<int8_t>(), wanted);
}

TEST_F(JoinOperators, PadAndCutEachSide)
{
	const std::vector<float> values = count_up(12);
	const DeviceBuffer memory = device_copy(values);
	/* [3, 4], transposed in memory: 1 and 2 columns more, 1 and 3 rows more. */
	const Tensor self(memory, ACL_FLOAT, {3, 4}, {1, 3}, 0);
	std::vector<float> wanted(49, -FLT_MAX);
	for (size_t i = 0; i < 3; ++i)
		for (size_t j = 0; j < 4; ++j)
			wanted[7 * (i + 1) + j + 1] = values[i + 3 * j];
	const DeviceBuffer large(49 * sizeof(float));
	run<BOTH(ConstantPadNd)>(self, IntArray({1, 2, 1, 3}), Scalar(-FLT_MAX, ACL_FLOAT),
				 Tensor(large, ACL_FLOAT, {7, 7}));
	EXPECT_EQ(large.load<float>(), wanted);
	/* One entry pair: the rows stay. The first column is cut off. */
	wanted.assign(18, 0);
	for (size_t i = 0; i < 3; ++i)
		for (size_t j = 1; j < 4; ++j)
			wanted[6 * i + j - 1] = values[i + 3 * j];
	const DeviceBuffer small(18 * sizeof(float));
	run<BOTH(ConstantPadNd)>(self, IntArray({-1, 3}), Scalar(0.0f, ACL_FLOAT),
				 Tensor(small, ACL_FLOAT, {3, 6}));
	EXPECT_EQ(small.load<float>(), wanted);
	/* Nothing of the operand is left. */
	run<BOTH(ConstantPadNd)>(self, IntArray({-2, -2, 0, 3}), Scalar(0.0f, ACL_FLOAT),
				 Tensor(small, ACL_FLOAT, {6, 0}));
	run<BOTH(ConstantPadNd)>(self, IntArray({0, 2, -1, -2}), Scalar(7.0f, ACL_FLOAT),
				 Tensor(small, ACL_FLOAT, {0, 6}));
	EXPECT_EQ(small.load<float>(), wanted);
	run<BOTH(ConstantPadNd)>(self, IntArray({-4, 6}), Scalar(7.0f, ACL_FLOAT),
				 Tensor(small, ACL_FLOAT, {3, 6}));
	EXPECT_EQ(small.load<float>(), std::vector<float>(18, 7));
}

TEST_F(JoinOperators, PadIntegersByAnInteger)
{
	const DeviceBuffer memory = device_copy(std::vector<int64_t>{INT64_MAX, -3});
	const DeviceBuffer out(4 * sizeof(int64_t));
	run<BOTH(ConstantPadNd)>(Tensor(memory, ACL_INT64, {2}), IntArray({1, 1}),
				 Scalar(int64_t{(1LL << 60) + 1}, ACL_INT64),
				 Tensor(out, ACL_INT64, {4}));
	EXPECT_EQ(out.load<int64_t>(),
		  (std::vector<int64_t>{(1LL << 60) + 1, INT64_MAX, -3, (1LL << 60) + 1}));
}

TEST_F(JoinOperators, ReflectAtBothEnds)
{
	const DeviceBuffer memory = device_copy(count_up(12)), out(36 * sizeof(float));
	std::vector<float> wanted;
	for (size_t row = 0; row < 4; ++row)
		for (const float x : {3, 2, 1, 2, 3, 2})
			wanted.push_back(x + 3 * static_cast<float>(row));
	wanted.resize(36, -1);
	out.store(std::vector<float>(36, -1));
	run<BOTH(ReflectionPad1d)>(Tensor(memory, ACL_FLOAT, {2, 2, 3}), IntArray({2, 1}),
				   Tensor(out, ACL_FLOAT, {2, 2, 6}));
	EXPECT_EQ(out.load<float>(), wanted);
}

TEST_F(JoinOperators, RollDimsAndRows)
{
	const std::vector<float> values = count_up(12);
	const DeviceBuffer memory = device_copy(values), out(12 * sizeof(float));
	std::vector<float> wanted(12);
	/* 1 row down, and 5 - 2 columns back: the shifts of a dim that is named twice are added. */
	for (size_t i = 0; i < 12; ++i)
		wanted[i] = values[(i / 4 + 2) % 3 * 4 + (i % 4 + 3) % 4];
	run<BOTH(Roll)>(Tensor(memory, ACL_FLOAT, {3, 4}), IntArray({1, -5, 2}),
			IntArray({0, 1, -1}), Tensor(out, ACL_FLOAT, {3, 4}));
	EXPECT_EQ(out.load<float>(), wanted);
	for (size_t i = 0; i < 12; ++i)
		wanted[(i + 5) % 12] = values[i];
	run<BOTH(Roll)>(Tensor(memory, ACL_FLOAT, {3, 4}), IntArray({5}), IntArray({}),
			Tensor(out, ACL_FLOAT, {3, 4}));
	EXPECT_EQ(out.load<float>(), wanted);
}

TEST_F(JoinOperators, RollViewsAsOneRow)
{
	const DeviceBuffer memory = device_copy(std::vector<float>{0, 3, 1, 4, 2, 5});
	const DeviceBuffer out = device_copy(std::vector<float>(8));
	const Tensor columns(memory, ACL_FLOAT, {2, 3}, {1, 2}, 0);
	run<BOTH(Roll)>(columns, IntArray({1}), IntArray({}), Tensor(out, ACL_FLOAT, {2, 3}));
	EXPECT_EQ(out.load<float>(), (std::vector<float>{5, 0, 1, 2, 3, 4, 0, 0}));
	out.store(std::vector<float>(8, -1));
	/* Rows of 3 that are 4 apart, backwards. */
	run<BOTH(Roll)>(columns, IntArray({-8}), IntArray({}),
			Tensor(out, ACL_FLOAT, {2, 3}, {-4, 1}, 4));
	EXPECT_EQ(out.load<float>(), (std::vector<float>{5, 0, 1, -1, 2, 3, 4, -1}));
}

TEST_F(JoinOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), row(memory, ACL_FLOAT, {3});
	const Tensor integers(memory, ACL_INT32, {2, 3});
	const Scalar zero(0.0f, ACL_FLOAT);
	const TensorList list(
		{new_tensor(memory, ACL_FLOAT, {1, 3}), new_tensor(memory, ACL_FLOAT, {2, 3})});
	refuse<aclnnCatGetWorkspaceSize>("tensors[1] is FLOAT [2, 3]; it does not fit", list, 0,
					 matrix);
	refuse<aclnnCatGetWorkspaceSize>("dim is 2", list, 2, matrix);
	refuse<aclnnCatGetWorkspaceSize>(
		"tensors[0] is FLOAT [1, 3]; the result has the type INT32", list, 0, integers);
	refuse<aclnnCatGetWorkspaceSize>("has 1 elements more", list, 0,
					 Tensor(memory, ACL_FLOAT, {4, 3}));
	std::vector<const aclTensor *> many;
	for (int i = 0; i < 16; ++i)
		many.push_back(new_tensor(memory, ACL_FLOAT, {1}));
	refuse<aclnnCatGetWorkspaceSize>("more than 15 members", TensorList(many), 0,
					 Tensor(memory, ACL_FLOAT, {16}));
	refuse<aclnnConstantPadNdGetWorkspaceSize>("pad has 3 entries", matrix, IntArray({1, 1, 1}),
						   zero, matrix);
	refuse<aclnnConstantPadNdGetWorkspaceSize>("pad has 4 entries", row, IntArray({1, 1, 1, 1}),
						   zero, row);
	refuse<aclnnConstantPadNdGetWorkspaceSize>("fewer elements than are cut off", row,
						   IntArray({-2, -2}), zero, row);
	refuse<aclnnConstantPadNdGetWorkspaceSize>("fewer elements", row,
						   IntArray({INT64_MIN, INT64_MIN}), zero, row);
	refuse<aclnnConstantPadNdGetWorkspaceSize>("too large", row,
						   IntArray({INT64_MAX, INT64_MAX}), zero, row);
	refuse<aclnnConstantPadNdGetWorkspaceSize>("has shape [5]", row, IntArray({1, 1}), zero,
						   row);
	refuse<aclnnConstantPadNdGetWorkspaceSize>("must have the type FLOAT", matrix,
						   IntArray({0, 0}), zero, integers);
	refuse<aclnnReflectionPad1dGetWorkspaceSize>("must be smaller", matrix, IntArray({3, 0}),
						     matrix);
	refuse<aclnnReflectionPad1dGetWorkspaceSize>("the entry -1", matrix, IntArray({-1, 0}),
						     matrix);
	refuse<aclnnReflectionPad1dGetWorkspaceSize>("2 to 3 dims", row, IntArray({1, 0}), row);
	refuse<aclnnRollGetWorkspaceSize>("shifts has 1 entries", matrix, IntArray({1}),
					  IntArray({0, 1}), matrix);
	refuse<aclnnRollGetWorkspaceSize>("an entry of dims is 2", matrix, IntArray({1}),
					  IntArray({2}), matrix);
	refuse<aclnnRollGetWorkspaceSize>("dims is empty", matrix, IntArray({1, 2}), IntArray({}),
					  matrix);
}

} // namespace
