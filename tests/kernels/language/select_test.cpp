// SPDX-License-Identifier: MIT
/*
 * DOC: Compare, Select, Gather, GatherMask, and instructions that fill a tensor.
 */
#include "ub.h"

using namespace AscendC;
using namespace kernel_test;

TEST(KernelCompare, AllModesOfTensorsAndScalars)
{
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<float>(128, 1, -3, 3));
		auto b = ub.put(random_values<float>(128, 2, -3, 3));
		auto bits = ub.make<uint8_t>(32);
		const CMPMODE modes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ,
					 CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};

		for (int mode = 0; mode < 6; mode++) {
			Compare(bits, a, b, modes[mode], 128);
			for (uint32_t i = 0; i < 128; i++) {
				const float x = a.GetValue(i), y = b.GetValue(i);
				const bool expected[] = {x<y, x> y, x == y, x <= y, x >= y, x != y};

				ASSERT_EQ(bits.GetValue(i / 8) >> (i % 8) & 1, expected[mode]);
			}
			CompareScalar(bits, a, 0.5f, modes[mode], 128);
			const float x = a.GetValue(77);
			const bool expected[] = {x<0.5f, x> 0.5f, x == 0.5f, x <= 0.5f, x >= 0.5f,
						 x != 0.5f};

			ASSERT_EQ(bits.GetValue(77 / 8) >> (77 % 8) & 1, expected[mode]);
		}
	});
}

TEST(KernelCompare, WithMaskAndIntoTheRegister)
{
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<half>(256, 1));
		auto b = ub.put(std::vector<half>(256, half(0)));
		auto bits = ub.make<uint8_t>(32);
		auto out = ub.make<half>(256);

		Compare(bits, a, b, CMPMODE::GT, uint64_t(128), 2, {1, 1, 1, 8, 8, 8});
		EXPECT_EQ(bits.GetValue(200 / 8) >> (200 % 8) & 1, float(a.GetValue(200)) > 0);
		Compare(a, b, CMPMODE::LT, uint64_t(128), {1, 1, 1, 8, 8, 8});
		GetCmpMask(bits);
		for (uint32_t i = 0; i < 128; i++)
			ASSERT_EQ(bits.GetValue(i / 8) >> (i % 8) & 1, float(a.GetValue(i)) < 0);
		Select<half>(out, bits, a, b, SELMODE::VSEL_CMPMASK_SPR, uint64_t(128), 2,
			     {1, 1, 1, 8, 8, 8});
		for (uint32_t i = 0; i < 256; i++)
			ASSERT_EQ(float(out.GetValue(i)),
				  float(a.GetValue(i % 128)) < 0 ? float(a.GetValue(i)) : 0.0f)
				<< i;
	});
}

TEST(KernelSelect, TheModeMayBeATemplateArgument)
{
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<half>(256, 1));
		auto b = ub.put(random_values<half>(256, 2));
		auto bits = ub.make<uint8_t>(32);
		auto out = ub.put(std::vector<half>(256, half(9)));

		CompareScalar(bits, a, half(0), CMPMODE::GE, 128);
		SetVectorMask<half>(100);
		Select<SELMODE::VSEL_CMPMASK_SPR>(out, bits, a, b, 2, {1, 1, 1, 8, 8, 8});
		ResetMask();
		for (uint32_t i = 0; i < 256; i++) {
			const half other =
				float(a.GetValue(i % 128)) >= 0 ? a.GetValue(i) : b.GetValue(i);

			ASSERT_EQ(float(out.GetValue(i)), i % 128 < 100 ? float(other) : 9.0f) << i;
		}
	});
}

TEST(KernelSelect, TensorsAndScalars)
{
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<float>(128, 1));
		auto b = ub.put(random_values<float>(128, 2));
		auto bits = ub.make<uint8_t>(32);
		auto out = ub.make<float>(128);

		CompareScalar(bits, a, 0.0f, CMPMODE::GE, 128);
		Select(out, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
		for (uint32_t i = 0; i < 128; i++)
			ASSERT_EQ(out.GetValue(i),
				  a.GetValue(i) >= 0 ? a.GetValue(i) : b.GetValue(i));
		Select(out, bits, a, -1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
		for (uint32_t i = 0; i < 128; i++)
			ASSERT_EQ(out.GetValue(i), a.GetValue(i) >= 0 ? a.GetValue(i) : -1.0f);
	});
}

TEST(KernelSelect, CountsOfNoWholeByte)
{
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<float>(192, 1));
		auto b = ub.put(random_values<float>(192, 2));
		auto bits = ub.put(random_values<uint8_t>(32, 3, 0, 255));
		auto out = ub.put(std::vector<float>(192, 9));
		const auto bit = [&](uint32_t i) { return bits.GetValue(i / 8) >> (i % 8) & 1; };

		for (uint32_t count : {1u, 8u, 13u, 64u, 75u, 191u}) {
			Select(out, bits, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
			for (uint32_t i = 0; i < count; i++)
				ASSERT_EQ(out.GetValue(i), bit(i) ? a.GetValue(i) : b.GetValue(i));
			ASSERT_EQ(out.GetValue(count), 9.0f);
			Select(out, bits, a, 7.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
			for (uint32_t i = 0; i < count; i++)
				ASSERT_EQ(out.GetValue(i), bit(i) ? a.GetValue(i) : 7.0f);
			ASSERT_EQ(out.GetValue(count), 9.0f);
		}
	});
}

TEST(KernelGather, ElementsAndBlocks)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<half>(256));
		std::vector<uint32_t> at(128);

		for (uint32_t i = 0; i < 128; i++)
			at[i] = i * 74 % 254 / 2 * 4;
		auto offsets = ub.put(at);
		auto dst = ub.make<half>(128);

		Gather(dst, src, offsets, 2, 100);
		for (uint32_t i = 0; i < 100; i++)
			ASSERT_EQ(float(dst.GetValue(i)), float(src.GetValue((at[i] + 2) / 2)));
		auto blocks = ub.put<uint32_t>({480, 0, 32, 64, 96, 128, 160, 192});

		Gatherb(dst, src, blocks, 1, {1, 8});
		EXPECT_EQ(float(dst.GetValue(0)), float(src.GetValue(240)));
		EXPECT_EQ(float(dst.GetValue(17)), float(src.GetValue(1)));
	});
}

TEST(KernelGatherMask, PatternsAndTensors)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<float>(128));
		auto dst = ub.make<float>(128);
		uint64_t kept = 0;

		GatherMask(dst, src, 2, false, 0, {1, 2, 8, 0}, kept);
		EXPECT_EQ(kept, 64u);
		EXPECT_EQ(dst.GetValue(33), src.GetValue(67));
		GatherMask(dst, src, 5, true, 70, {1, 1, 0, 0}, kept);
		EXPECT_EQ(kept, 17u);
		EXPECT_EQ(dst.GetValue(16), src.GetValue(66));
		auto pattern = ub.put<uint32_t>({0x80000001u, 0, 0, 0, 0, 0, 0, 0});

		GatherMask(dst, src, pattern, false, 0, {1, 2, 8, 0}, kept);
		EXPECT_EQ(kept, 4u);
		EXPECT_EQ(dst.GetValue(1), src.GetValue(31));
		EXPECT_EQ(dst.GetValue(2), src.GetValue(64));
		EXPECT_EQ(GetGatherMaskRemainCount(), 4);
	});
}

TEST(KernelFill, DuplicateForms)
{
	run_one([](Ub &ub) {
		auto a = ub.put(std::vector<half>(256, half(0)));
		uint64_t mask[2] = {5, 0};

		Duplicate(a, half(3), 100);
		EXPECT_EQ(float(a.GetValue(99)), 3.0f);
		EXPECT_EQ(float(a.GetValue(100)), 0.0f);
		Duplicate<half>(a, 4, 16, 2, 1, 8);
		EXPECT_EQ(float(a.GetValue(128 + 15)), 4.0f);
		EXPECT_EQ(float(a.GetValue(128 + 16)), 0.0f);
		Duplicate(a, half(5), mask, 1, 1, 8);
		EXPECT_EQ(float(a.GetValue(1)), 4.0f);
		EXPECT_EQ(float(a.GetValue(2)), 5.0f);
	});
}

TEST(KernelFill, IndicesAndProgressions)
{
	run_one([](Ub &ub) {
		auto a = ub.make<int32_t>(100);
		auto b = ub.make<half>(100);

		CreateVecIndex(a, 5, 100);
		ArithProgression(b, half(1), half(0.5f), 100);
		EXPECT_EQ(a.GetValue(99), 104);
		EXPECT_EQ(float(b.GetValue(99)), 50.5f);
	});
}

TEST(KernelFill, BrcbAndCopy)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<float>(16));
		auto dst = ub.make<float>(128);

		Brcb(dst, src, 2, {1, 8});
		for (uint32_t i = 0; i < 128; i++)
			ASSERT_EQ(dst.GetValue(i), src.GetValue(i / 8));
		auto copy = ub.put(std::vector<float>(128, 0.0f));

		/* Each second block, 2 repeats, of each 32 elements. */
		Copy(copy, dst, 32, 2, {1, 2, 4, 8});
		EXPECT_EQ(copy.GetValue(8), src.GetValue(2));
		EXPECT_EQ(copy.GetValue(32), src.GetValue(8));
		EXPECT_EQ(copy.GetValue(64), 0.0f);
	});
}
