// SPDX-License-Identifier: MIT
/*
 * DOC: Types, macros and identity: what a kernel is made of before it computes.
 */
#include "ub.h"

#include <cstring>
#include <limits>

using namespace AscendC;
using namespace kernel_test;

TEST(KernelTypes, HalfRoundsOncePerOperation)
{
	const half big = 2048;
	const half sum = half(big + half(1)) + half(1);

	EXPECT_EQ(float(sum), 2048.0f);
	EXPECT_EQ(float(half(1.0f) / half(3.0f)), 0.333251953125f);
	EXPECT_EQ(float(half(65520.0f)), std::numeric_limits<float>::infinity());
	EXPECT_EQ(float(half(65519.0f)), 65504.0f);
	EXPECT_EQ(float(half(5.9604645e-8f)), 5.9604645e-8f);
	EXPECT_TRUE(half(1) < half(2));
	EXPECT_TRUE(half(1) == 1.0f);
}

TEST(KernelTypes, BitsOfHalfAgreeWithTheTypeForAllNumbers)
{
	for (uint32_t bits = 0; bits < 65536; bits++) {
		const float value = unpu::lang::float_of_half(uint16_t(bits));

		if (std::isnan(value))
			continue;
		ASSERT_EQ(float(unpu::lang::half_of_bits(uint16_t(bits))), value) << bits;
		ASSERT_EQ(unpu::lang::half_of_float(value), bits);
		/* Halfway to the next one: to even. */
		const float next = unpu::lang::float_of_half(uint16_t(bits + 1));

		if ((bits & 0x7fff) < 0x7bff) {
			ASSERT_EQ(unpu::lang::half_of_float((value + next) / 2),
				  bits & 1 ? bits + 1 : bits)
				<< bits;
		}
	}
}

TEST(KernelTypes, WidenAndNarrowAgreeWithSingleNumbers)
{
	std::vector<half> in(1000);
	std::vector<half> out(1000);
	std::vector<float> wide(1000);

	for (size_t i = 0; i < in.size(); i++)
		in[i] = unpu::lang::half_of_bits(uint16_t(i * 61 % 0x7c00));
	unpu::lang::widen(wide.data(), in.data(), 1000);
	for (size_t i = 0; i < in.size(); i++)
		ASSERT_EQ(wide[i], float(in[i]));
	for (float &value : wide)
		value *= 1.0003f;
	unpu::lang::narrow(out.data(), wide.data(), 1000);
	for (size_t i = 0; i < in.size(); i++)
		ASSERT_EQ(unpu::lang::bits_of(out[i]), unpu::lang::half_of_float(wide[i]));
}

TEST(KernelTypes, Bfloat16ConvertsToNearest)
{
	EXPECT_EQ(ToFloat(ToBfloat16(1.0f)), 1.0f);
	EXPECT_EQ(ToBfloat16(1.00390625f).bits, 0x3f80); /* halfway, to even */
	EXPECT_EQ(ToBfloat16(1.01171875f).bits, 0x3f82);
	EXPECT_EQ(bfloat16_t(3.0e38f).bits, 0x7f62);
	EXPECT_TRUE(std::isnan(float(bfloat16_t(std::nanf("")))));
}

TEST(KernelTypes, Int4HasTwoNumbersInAByte)
{
	unsigned char bytes[2] = {0, 0};

	for (int i = 0; i < 4; i++)
		unpu::lang::set_int4(bytes, uint64_t(i), i - 3);
	EXPECT_EQ(bytes[0], 0xed);
	EXPECT_EQ(bytes[1], 0x0f);
	for (int i = 0; i < 4; i++)
		EXPECT_EQ(unpu::lang::get_int4(bytes, uint64_t(i)), i - 3);
	EXPECT_EQ(int8_t(int4b_t(-8)), -8);
}

TEST(KernelTypes, TraitsAndScalarHelpers)
{
	static_assert(IsSameType<half, half>::value && !IsSameType<half, float>::value);
	static_assert(Std::is_same<Std::conditional<true, int, float>::type, int>::value);
	EXPECT_EQ(AlignUp(33, 32), 64);
	EXPECT_EQ(DivCeil(33, 32), 2);
	EXPECT_EQ(::min(3, 4u), 3u);
	EXPECT_EQ(::max(half(2), half(1)), half(2));
	EXPECT_EQ(Std::min(5, 4), 4);
}

extern "C" __global__ __aicore__ void writes_identity(GM_ADDR out)
{
	KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
	__gm__ int64_t *numbers = (__gm__ int64_t *)out;

	numbers[GetBlockIdx() * 2] = block_idx;
	numbers[GetBlockIdx() * 2 + 1] = GetBlockNum() + (g_coreType == AIV ? 100 : 0);
	if ASCEND_IS_AIC {
		numbers[GetBlockIdx() * 2] = -1;
	}
}

TEST(KernelTypes, QualifiersAndIdentityOfBlocks)
{
	BlockHost host;
	int64_t *out = host.zeros<int64_t>(8);

	ASSERT_TRUE(host.run(4, [&] { writes_identity(reinterpret_cast<GM_ADDR>(out)); }))
		<< host.failure().sentence;
	for (int i = 0; i < 4; i++) {
		EXPECT_EQ(out[i * 2], i);
		EXPECT_EQ(out[i * 2 + 1], 104);
	}
}

TEST(KernelTypes, MixedKernelsNumberTheirVectorInstances)
{
	BlockHost host;
	int64_t *vectors = host.zeros<int64_t>(6);
	int64_t *cubes = host.zeros<int64_t>(3);

	host.type = KERNEL_TYPE_MIX_AIC_1_2;
	ASSERT_TRUE(host.run(3, [&] {
		(ASCEND_IS_AIV ? vectors : cubes)[GetBlockIdx()] =
			1 + GetSubBlockIdx() + 10 * GetSubBlockNum() + 100 * GetTaskRatio();
	}));
	for (int i = 0; i < 6; i++)
		EXPECT_EQ(vectors[i], 221 + i % 2);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(cubes[i], 111);
}

TEST(KernelTypes, SystemCycleCountsAt50MHz)
{
	run_one([](Ub &) {
		const int64_t first = GetSystemCycle();

		EXPECT_EQ(GetSystemCycle() - first, 50);
	});
}
