// SPDX-License-Identifier: MIT
/*
 * DOC: Forms of kernels, tested
 *
 * Kernels that compile as they are written elsewhere compute what they say, on the cores that their code needs.
 */
#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "abilities.h"
#include "acl/acl.h"
#include "kernel_tiling/kernel_tiling.h"

int launch_form(int which, void *stream, void *x, void *y);
void launch_product(bool is_registered, void *stream, void *a, void *b, void *c, void *tiling);
void launch_by_hand(void *stream, void *out);
void launch_beside(void *stream, void *out);
void launch_half(int which, void *stream, void *out);

namespace {

class KernelForms : public testing::Test {
protected:
	static void SetUpTestSuite()
	{
		ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
		ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	}
	static void TearDownTestSuite()
	{
		ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
		ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
	}
	void SetUp() override
	{
		SKIP_WITHOUT_WORKERS();
		ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
	}
	void TearDown() override
	{
		if (IsSkipped())
			return;
		for (void *memory : memory_)
			EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
		EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
	}

	template <class T> T *put(const std::vector<T> &values)
	{
		void *memory = nullptr;
		const size_t bytes = values.size() * sizeof(T);

		EXPECT_EQ(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
		memory_.push_back(memory);
		EXPECT_EQ(
			aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE),
			ACL_SUCCESS);
		return static_cast<T *>(memory);
	}
	std::vector<float> get(const float *from, size_t count)
	{
		std::vector<float> values(count);

		EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << aclGetRecentErrMsg();
		EXPECT_EQ(aclrtMemcpy(values.data(), count * sizeof(float), from,
				      count * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST),
			  ACL_SUCCESS);
		return values;
	}
	/* The product of two matrices of ones, 32 x 32 x 32: 32 everywhere. */
	std::vector<float> multiply(bool is_registered)
	{
		constexpr uint16_t ONE = 0x3c00; /* of half */
		TCubeTiling tiling;

		tiling.usedCoreNum = 1;
		tiling.M = tiling.N = tiling.Ka = tiling.Kb = 32;
		tiling.singleCoreM = tiling.singleCoreN = tiling.singleCoreK = 32;
		tiling.baseM = tiling.baseN = tiling.baseK = 32;
		const std::vector<uint16_t> ones(1024, ONE);
		uint16_t *a = put(ones), *b = put(ones);
		float *c = put(std::vector<float>(1024));
		TCubeTiling *of_device = put(std::vector<TCubeTiling>{tiling});

		launch_product(is_registered, stream_, a, b, c, of_device);
		return get(c, 1024);
	}

	aclrtStream stream_ = nullptr;

private:
	std::vector<void *> memory_;
};

TEST_F(KernelForms, NamesOfTheNamespaceWithTemplateArgumentsAreFound)
{
	std::vector<float> x(64);

	std::iota(x.begin(), x.end(), 1.0f);
	float *from = put(x), *to = put(std::vector<float>(8));
	launch_form(0, stream_, from, to);
	EXPECT_EQ(get(to, 1)[0], 64 * 65 / 2);
}

TEST_F(KernelForms, WhatTheChipToleratesPasses)
{
	const std::vector<float> x(64, 1.0f);
	float *from = put(x), *to = put(std::vector<float>(128));

	launch_form(1, stream_, from, to);
	const std::vector<float> y = get(to, 128);
	for (size_t i = 0; i < 64; i++) {
		EXPECT_EQ(y[i], float(i + 1)) << i;
		EXPECT_EQ(y[64 + i], float(i + 1)) << i;
	}
}

TEST_F(KernelForms, AnObjectOfTheCubeUnitNeedsACubeCore)
{
	EXPECT_EQ(multiply(false), std::vector<float>(1024, 32.0f));
}

TEST_F(KernelForms, CubeOnlyCountsBehindTheFirstHeader)
{
	EXPECT_EQ(multiply(true), std::vector<float>(1024, 32.0f));
}

TEST_F(KernelForms, ProductsByHandBesideVectorCodeNeedBothKindsOfCores)
{
	float *to = put(std::vector<float>(256));

	launch_by_hand(stream_, to);
	const std::vector<float> out = get(to, 256);
	for (size_t i = 0; i < 256; i++)
		EXPECT_EQ(out[i], float(1 + i / 64)) << i;
}

TEST_F(KernelForms, VectorCodeThatAsksForTheRatioIsAMixBesideAMix)
{
	float *to = put(std::vector<float>(128));

	launch_beside(stream_, to);
	const std::vector<float> out = get(to, 128);
	for (size_t i = 0; i < 128; i++)
		EXPECT_EQ(out[i], float(20 + i / 64)) << i;
}

TEST_F(KernelForms, EachKindOfCoreRunsItsHalf)
{
	float *to = put(std::vector<float>(192));

	launch_half(0, stream_, to);
	const std::vector<float> out = get(to, 192);
	EXPECT_EQ(out[0], 1.0f);
	for (size_t i = 64; i < 192; i++)
		EXPECT_EQ(out[i], i < 128 ? 2.0f : 3.0f) << i;
}

TEST_F(KernelForms, AnEmptyHalfForVectorCoresLeavesCubeCoresAlone)
{
	float *to = put(std::vector<float>(8));

	launch_half(1, stream_, to);
	EXPECT_EQ(get(to, 3), (std::vector<float>{1, 1, 0}));
}

TEST_F(KernelForms, WhereNothingNeedsACubeCoreTheHalfForVectorCoresRuns)
{
	float *to = put(std::vector<float>(8));

	launch_half(2, stream_, to);
	EXPECT_EQ(get(to, 2), (std::vector<float>{6, 0}));
}

TEST_F(KernelForms, ADeclaredTypeRulesHalvesOfAKernelWithoutAName)
{
	float *to = put(std::vector<float>(8));

	launch_half(3, stream_, to);
	EXPECT_EQ(get(to, 3), (std::vector<float>{1, 2, 0}));
}

} // namespace
