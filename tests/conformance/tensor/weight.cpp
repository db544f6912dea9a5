// SPDX-License-Identifier: MIT
/*
 * DOC: weights and triangular systems
 *
 * Weights that are prepared for products, quantised weights, and systems of equations, against plain loops.
 */
#include "operator/half.h"
#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using WeightOperators = DeviceTest;

TEST_F(WeightOperators, SizesAreInWholeBlocks)
{
	uint64_t size = 0;
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({17, 33}), ACL_FLOAT16, &size), 0);
	EXPECT_EQ(size, 32u * 48u);
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({3, 17, 33}), ACL_INT8, &size), 0);
	EXPECT_EQ(size, 3u * 32u * 48u);
	EXPECT_EQ(aclnnCalculateMatmulWeightSize(IntArray({16, 16}), &size), 0);
	EXPECT_EQ(size, 256u);
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({16}), ACL_FLOAT16, &size),
		  kInvalidParameter);
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({16, 16}), ACL_INT4, &size),
		  kInvalidParameter);
	for (const Dims &dims : {Dims{INT64_MAX, 16}, Dims{1LL << 32, 1LL << 32}, Dims{-1, 16}})
		EXPECT_EQ(aclnnCalculateMatmulWeightSize(IntArray(dims), &size), kInvalidParameter);
	EXPECT_EQ(aclnnCalculateMatmulWeightSize(nullptr, &size), kNullPointer);
	EXPECT_EQ(size, 256u);
}

/* A weight that a program has prepared is multiplied as it lies, whatever its format is. */
TEST_F(WeightOperators, PreparedWeightsKeepTheirForm)
{
	const std::vector<float> weight = {1, 2, 3, 4, 5, 6};
	const DeviceBuffer memory = device_copy(weight), out(2 * sizeof(float));
	const DeviceBuffer row = device_copy(std::vector<float>{10, 100, 1000});
	run<BOTH(TransMatmulWeight)>(Tensor(memory, ACL_FLOAT, {2, 3}));
	EXPECT_EQ(memory.load<float>(), weight);
	const Dims dims = {3, 2}, strides = {1, 3}, storage = {6};
	aclTensor *transposed =
		aclCreateTensor(dims.data(), 2, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ,
				storage.data(), 1, memory.data());
	run<BOTH(Mm)>(Tensor(row, ACL_FLOAT, {1, 3}), transposed, Tensor(out, ACL_FLOAT, {1, 2}),
		      int8_t{2});
	EXPECT_EQ(aclDestroyTensor(transposed), 0);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{3210, 6540}));
	refuse<aclnnTransMatmulWeightGetWorkspaceSize>("2 to 6 dims",
						       Tensor(memory, ACL_FLOAT, {6}));
	refuse<aclnnTransMatmulWeightGetWorkspaceSize>("allowed are FLOAT",
						       Tensor(memory, ACL_INT32, {2, 3}));
}

} // namespace
