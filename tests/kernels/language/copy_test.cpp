// SPDX-License-Identifier: MIT
/*
 * DOC: Copies: the units of lengths, gaps and paddings, and atomic copies.
 */
#include "ub.h"

#include <numeric>

using namespace AscendC;
using namespace kernel_test;

static std::vector<int32_t> numbers(size_t count)
{
	std::vector<int32_t> values(count);

	std::iota(values.begin(), values.end(), 0);
	return values;
}

/* Runs @kernel with a tensor of 1024 numbers, and one of 1024 with -1. */
static std::vector<int32_t> copied(
	const std::function<void(Ub &, GlobalTensor<int32_t>, GlobalTensor<int32_t>)> &kernel,
	uint32_t level = 1)
{
	BlockHost host(level);
	int32_t *in = host.make(numbers(1024));
	int32_t *out = host.make(std::vector<int32_t>(1024, -1));

	EXPECT_TRUE(host.run(1, [&] {
		Ub ub;
		GlobalTensor<int32_t> from, to;

		from.SetGlobalBuffer(in, 1024);
		to.SetGlobalBuffer(out, 1024);
		kernel(ub, from, to);
	})) << host.failure().sentence;
	return std::vector<int32_t>(out, out + 1024);
}

/* As on the chip; from level 1 on that is a mistake. */
TEST(KernelDataCopy, CountsAreRoundedDownToBlocks)
{
	const auto out = copied(
		[](Ub &ub, auto from, auto to) {
			auto tensor = ub.make<int32_t>(64);

			DataCopy(tensor, from[3], 21);
			DataCopy(to[1], tensor, 21);
			DataCopy(to[40], tensor, 7);
		},
		0);

	for (int i = 0; i < 1024; i++)
		ASSERT_EQ(out[size_t(i)], i >= 1 && i < 17 ? i + 2 : -1) << i;
}

/* By sizeof it is a block, by the width half of one. */
TEST(KernelDataCopy, HalfABlockOfInt4IsReadAsOne)
{
	for (const uint32_t level : {0u, 1u, 2u, 3u}) {
		BlockHost host(level);
		auto *in = host.make(std::vector<uint8_t>(32, 0x7f));
		half *out = host.zeros<half>(32);
		const bool is_good = host.run(1, [&] {
			TPipe pipe;
			TQue<QuePosition::VECIN, 1> packed;
			TQue<QuePosition::VECOUT, 1> wide;
			GlobalTensor<int4b_t> from;
			GlobalTensor<half> to;

			from.SetGlobalBuffer(reinterpret_cast<int4b_t *>(in));
			to.SetGlobalBuffer(out);
			pipe.InitBuffer(packed, 1, 32);
			pipe.InitBuffer(wide, 1, 64);
			auto a = packed.AllocTensor<int4b_t>();
			DataCopy(a, from, 32);
			packed.EnQue(a);
			a = packed.DeQue<int4b_t>();
			auto b = wide.AllocTensor<half>();
			Cast(b, a, RoundMode::CAST_NONE, 32);
			wide.EnQue(b);
			b = wide.DeQue<half>();
			DataCopy(to, b, 32);
			wide.FreeTensor(b);
			packed.FreeTensor(a);
		});

		EXPECT_TRUE(is_good) << host.failure().sentence;
		for (int i = 0; i < 32; i++)
			EXPECT_EQ(float(out[i]), i % 2 == 0 ? -1.0f : 7.0f) << i;
		EXPECT_EQ(host.output().find(
				  "32 int4b_t are 16 bytes; the whole block of 32 bytes is "
				  "copied") != std::string::npos,
			  level > 1)
			<< host.output();
	}
}

/* A write of the whole block could hit what follows. */
TEST(KernelDataCopy, HalfABlockOfInt4IsNotWritten)
{
	BlockHost host(1);
	auto *out = host.zeros<uint8_t>(64);

	EXPECT_FALSE(host.run(1, [&] {
		Ub ub;
		GlobalTensor<int4b_t> to;

		to.SetGlobalBuffer(reinterpret_cast<int4b_t *>(out));
		DataCopy(to, ub.put(std::vector<uint8_t>(32, 1)).ReinterpretCast<int4b_t>(), 32);
	}));
	EXPECT_NE(host.failure().sentence.find("32 elements are 16 bytes"), std::string::npos)
		<< host.failure().sentence;
}

TEST(KernelDataCopy, LengthsAndGapsAreBlocks)
{
	const auto out = copied([](Ub &ub, auto from, auto to) {
		auto tensor = ub.put(std::vector<int32_t>(128, -2));

		/* 3 blocks of 16 numbers, 8 between them; in UB 8 between them. */
		DataCopy(tensor, from, {3, 2, 1, 1});
		DataCopy(to, tensor, {1, 9, 0, 0});
	});

	for (int i = 0; i < 72; i++) {
		const int in_block = i % 24;

		ASSERT_EQ(out[size_t(i)], in_block < 16 ? i : -2) << i;
	}
}

TEST(KernelDataCopy, BetweenTensorsOfUb)
{
	run_one([](Ub &ub) {
		auto from = ub.put(numbers(64));
		auto to = ub.make<int32_t>(64);

		DataCopy(to, from, 64);
		EXPECT_EQ(Ub::get(to), numbers(64));
		DataCopyParams params;

		params.blockCount = 2;
		params.blockLen = 1;
		params.srcGap = 3;
		DataCopy(to, from, params);
		EXPECT_EQ(to.GetValue(8), 32);
	});
}

TEST(KernelDataCopyPad, PadsOnTheWayIn)
{
	const auto out = copied([](Ub &ub, auto from, auto to) {
		auto tensor = ub.make<int32_t>(64);

		/* 2 blocks of 5 numbers, 12 bytes between them in global memory, 1 block of 32 bytes in UB. */
		DataCopyPad(tensor, from, {2, 20, 12, 1, 0}, {true, 1, 2, 77});
		DataCopy(to, tensor, 24);
	});
	const std::vector<int32_t> first = {77, 0, 1, 2, 3, 4, 77, 77};
	const std::vector<int32_t> second = {77, 8, 9, 10, 11, 12, 77, 77};

	EXPECT_EQ(std::vector<int32_t>(out.begin(), out.begin() + 8), first);
	EXPECT_EQ(std::vector<int32_t>(out.begin() + 16, out.begin() + 24), second);
}

TEST(KernelDataCopyPad, TheTailIsTheFirstElementWithoutPadding)
{
	const auto out = copied([](Ub &ub, auto from, auto to) {
		auto tensor = ub.make<int32_t>(16);
		DataCopyExtParams params;
		DataCopyPadExtParams<int32_t> pad;

		params.blockLen = 12;
		DataCopyPad(tensor, from[5], params, pad);
		DataCopy(to, tensor, 8);
	});
	const std::vector<int32_t> expected = {5, 6, 7, 5, 5, 5, 5, 5};

	EXPECT_EQ(std::vector<int32_t>(out.begin(), out.begin() + 8), expected);
}

TEST(KernelDataCopyPad, WritesExactlyItsBytes)
{
	const auto out = copied([](Ub &ub, auto, auto to) {
		auto tensor = ub.put(numbers(64));

		/* Blocks begin at 32 bytes in UB; 8 bytes between them in global memory. */
		DataCopyPad(to, tensor, DataCopyExtParams(3, 12, 1, 8, 0));
		DataCopyPad(to[100], tensor, DataCopyParams{1, 4, 0, 0});
	});
	const std::vector<int32_t> expected = {0,  1,  2,  -1, -1, 16, 17, 18,
					       -1, -1, 32, 33, 34, -1, -1};

	EXPECT_EQ(std::vector<int32_t>(out.begin(), out.begin() + 15), expected);
	EXPECT_EQ(out[100], 0);
	EXPECT_EQ(out[101], -1);
}

TEST(KernelDataCopyPad, OldParametersCountBytes)
{
	const auto out = copied([](Ub &ub, auto from, auto to) {
		auto tensor = ub.make<int32_t>(64);

		DataCopyPad(tensor, from, DataCopyParams{2, 8, 4, 0},
			    DataCopyPadParams{true, 0, 6, 9});
		DataCopy(to, tensor, 16);
	});
	const std::vector<int32_t> expected = {0, 1, 9, 9, 9, 9, 9, 9, 3, 4, 9, 9, 9, 9, 9, 9};

	EXPECT_EQ(std::vector<int32_t>(out.begin(), out.begin() + 16), expected);
}

template <class T> static void add_of_many_blocks()
{
	BlockHost host;
	T *sum = host.make(std::vector<T>(32, T(1)));

	ASSERT_TRUE(host.run(8, [&] {
		Ub ub;
		GlobalTensor<T> to;

		to.SetGlobalBuffer(sum);
		auto tensor = ub.put(std::vector<T>(32, T(float(GetBlockIdx()))));

		SetAtomicAdd<T>();
		DataCopyPad(to, tensor, {1, 31 * sizeof(T), 0, 0, 0});
		SetAtomicNone();
	})) << host.failure().sentence;
	EXPECT_EQ(float(sum[0]), 29.0f);
	EXPECT_EQ(float(sum[30]), 29.0f);
	EXPECT_EQ(float(sum[31]), 1.0f);
}

TEST(KernelAtomic, AddsOfAllBlocks)
{
	add_of_many_blocks<float>();
	add_of_many_blocks<half>();
	add_of_many_blocks<bfloat16_t>();
	add_of_many_blocks<int32_t>();
	add_of_many_blocks<int16_t>();
	add_of_many_blocks<int8_t>();
}

TEST(KernelAtomic, MaximumMinimumAndNone)
{
	BlockHost host;
	float *out = host.make(std::vector<float>(24, 3.0f));

	ASSERT_TRUE(host.run(1, [&] {
		Ub ub;
		GlobalTensor<float> to;

		to.SetGlobalBuffer(out);
		auto tensor = ub.put<float>({1, 2, 3, 4, 5, 6, 7, 8});

		SetAtomicMax<float>();
		DataCopy(to, tensor, 8);
		SetAtomicMin<float>();
		DataCopy(to[8], tensor, 8);
		SetAtomicNone();
		DataCopy(to[16], tensor, 8);
	}));
	for (int i = 0; i < 8; i++) {
		EXPECT_EQ(out[i], std::max(3.0f, float(i + 1)));
		EXPECT_EQ(out[8 + i], std::min(3.0f, float(i + 1)));
		EXPECT_EQ(out[16 + i], float(i + 1));
	}
}

TEST(KernelDataCopy, IsToldToTheSanitizer)
{
	BlockHost host;
	host.observe(true);
	float *memory = host.zeros<float>(256);

	ASSERT_TRUE(host.run(1, [&] {
		Ub ub;
		GlobalTensor<float> tensor;
		auto local = ub.make<float>(128);

		tensor.SetGlobalBuffer(memory);
		DataCopy(local, tensor, 64);
		DataCopyPad(tensor[64], local, {2, 20, 0, 12, 0});
		SetAtomicAdd<float>();
		DataCopy(tensor[128], local, 8);
		tensor.SetValue(200, 1);
		tensor.SetValue(201, 1);
	})) << host.failure().sentence;
	const uint64_t base = reinterpret_cast<uint64_t>(memory);

	ASSERT_EQ(host.observed().size(), 5u);
	EXPECT_EQ(host.observed()[0].address, base);
	EXPECT_EQ(host.observed()[0].bytes, 256u);
	EXPECT_EQ(host.observed()[0].write, 0u);
	EXPECT_EQ(host.observed()[1].address, base + 256);
	EXPECT_EQ(host.observed()[1].bytes, 20u);
	EXPECT_EQ(host.observed()[2].address, base + 288);
	EXPECT_EQ(host.observed()[3].write, 2u);
	EXPECT_EQ(host.observed()[4].address, base + 800);
	EXPECT_EQ(host.observed()[4].bytes, 8u);
}
