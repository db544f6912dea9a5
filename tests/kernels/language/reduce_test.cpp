// SPDX-License-Identifier: MIT
/*
 * DOC: Reductions, with the order of their additions, and sorts.
 */
#include "ub.h"

#include <algorithm>

using namespace AscendC;
using namespace kernel_test;

/* The tree of a repeat: neighbours first. */
static half tree(const half *values, size_t count)
{
	if (count == 1)
		return values[0];
	const size_t half_count = count / 2;
	std::vector<half> sums;

	for (size_t i = 0; i < half_count; i++)
		sums.push_back(half(float(values[2 * i]) + float(values[2 * i + 1])));
	return tree(sums.data(), half_count);
}

TEST(KernelReduce, SumsOfHalfFollowTheTree)
{
	run_one([](Ub &ub) {
		const auto values = random_values<half>(256, 5);
		auto src = ub.put(values);
		auto tmp = ub.make<half>(64);
		auto dst = ub.put(std::vector<half>(16, half(-7)));

		ReduceSum(dst, src, tmp, 256);
		EXPECT_EQ(float(dst.GetValue(0)), float(half(float(tree(&values[0], 128)) +
							     float(tree(&values[128], 128)))));
		EXPECT_EQ(float(dst.GetValue(1)), -7.0f);
		EXPECT_EQ(float(GetAccVal<half>()), float(dst.GetValue(0)));
		ReduceSum(dst, src, tmp, uint64_t(64), 2, 8);
		EXPECT_EQ(float(dst.GetValue(0)),
			  float(half(float(tree(&values[0], 64)) + float(tree(&values[128], 64)))));
	});
}

TEST(KernelReduce, MaximumAndMinimumWithIndex)
{
	run_one([](Ub &ub) {
		auto values = random_values<float>(300, 5);

		values[210] = values[250] = 1000;
		values[3] = -1000;
		auto src = ub.put(values);
		auto tmp = ub.make<float>(300);
		auto dst = ub.make<float>(8);

		ReduceMax(dst, src, tmp, 300, true);
		EXPECT_EQ(dst.GetValue(0), 1000.0f);
		EXPECT_EQ(dst.ReinterpretCast<uint32_t>().GetValue(1), 210u);
		ReduceMin<float>(dst, src, tmp, 300, 1);
		EXPECT_EQ(dst.GetValue(0), -1000.0f);
		EXPECT_EQ(dst.ReinterpretCast<uint32_t>().GetValue(1), 3u);
	});
}

TEST(KernelReduce, WholeReduceOrdersItsPairs)
{
	run_one([](Ub &ub) {
		const auto values = random_values<half>(256, 6);
		auto src = ub.put(values);
		auto dst = ub.make<half>(32);
		const size_t best =
			size_t(std::max_element(values.begin() + 128, values.begin() + 228) -
			       values.begin()) -
			128;

		WholeReduceSum<half>(dst, src, 100, 2, 1, 1, 8);
		EXPECT_NEAR(
			float(dst.GetValue(1)),
			[&] {
				float s = 0;
				for (int i = 128; i < 228; i++)
					s += float(values[size_t(i)]);
				return s;
			}(),
			2.0f);
		WholeReduceMax<half>(dst, src, 100, 2, 1, 1, 8);
		EXPECT_EQ(float(dst.GetValue(2)), float(values[128 + best]));
		EXPECT_EQ(dst.ReinterpretCast<uint16_t>().GetValue(3), best);
		WholeReduceMax<half>(dst, src, 100, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
		EXPECT_EQ(float(dst.GetValue(1)), float(values[128 + best]));
		WholeReduceMax<half>(dst, src, 100, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
		EXPECT_EQ(dst.ReinterpretCast<uint32_t>().GetValue(1), best);
		RepeatReduceSum<half>(dst, src, 2, 2, 0, 1, 1, 8);
		EXPECT_EQ(float(dst.GetValue(1)),
			  float(half(float(values[128]) + float(values[129]))));
	});
}

/* A number that is none stays where it is the first, and is passed over elsewhere. */
TEST(KernelReduce, ExtremesOfMasksOfTheFirstElements)
{
	run_one([](Ub &ub) {
		auto values = random_values<float>(128, 9, -5, 5);
		values[32] = values[70] = values[127] = NAN;
		auto src = ub.put(values);
		auto dst = ub.make<float>(16);

		for (uint32_t mask : {1u, 7u, 19u, 32u}) {
			WholeReduceMax(dst, src, mask, 4, 1, 1, 4, ReduceOrder::ORDER_ONLY_VALUE);
			WholeReduceMin(dst[8], src, mask, 4, 1, 1, 4,
				       ReduceOrder::ORDER_ONLY_VALUE);
			for (uint32_t group = 0; group < 4; group++) {
				float most = values[group * 32], least = most;

				for (uint32_t i = 1; i < mask; i++) {
					const float value = values[group * 32 + i];

					most = value > most ? value : most;
					least = value < least ? value : least;
				}
				EXPECT_TRUE(most == dst.GetValue(group) ||
					    (most != most &&
					     dst.GetValue(group) != dst.GetValue(group)))
					<< mask << " " << group;
				EXPECT_TRUE(least == dst.GetValue(8 + group) || least != least)
					<< mask << " " << group;
			}
		}
	});
}

TEST(KernelReduce, BlocksAndPairs)
{
	run_one([](Ub &ub) {
		auto values = random_values<float>(128, 7);
		auto src = ub.put(values);
		auto dst = ub.make<float>(128);

		BlockReduceMax<float>(dst, src, 2, 64, 1, 1, 8);
		EXPECT_EQ(dst.GetValue(9),
			  *std::max_element(values.begin() + 72, values.begin() + 80));
		BlockReduceMin<float>(dst, src, 2, 64, 1, 1, 8);
		EXPECT_EQ(dst.GetValue(9),
			  *std::min_element(values.begin() + 72, values.begin() + 80));
		BlockReduceSum<float>(dst, src, 2, 64, 1, 1, 8);
		float sum = 0;

		for (int i = 72; i < 80; i++)
			sum += values[size_t(i)];
		EXPECT_FLOAT_EQ(dst.GetValue(9), sum);
		PairReduceSum<float>(dst, src, 2, 64, 1, 1, 8);
		EXPECT_EQ(dst.GetValue(32), values[64] + values[65]);
		EXPECT_EQ(dst.GetValue(63), values[126] + values[127]);
	});
}

TEST(KernelSort, Sort32MrgSortAndExtract)
{
	run_one([](Ub &ub) {
		auto values = random_values<float>(128, 8);

		values[5] = values[9] = 500;
		std::vector<uint32_t> numbers(128);

		for (uint32_t i = 0; i < 128; i++)
			numbers[i] = i;
		auto score = ub.put(values);
		auto index = ub.put(numbers);
		auto sorted = ub.make<float>(256);
		auto merged = ub.make<float>(256);
		auto best = ub.make<float>(128);
		auto where = ub.make<uint32_t>(128);
		MrgSort4Info info;

		Sort32(sorted, score, index, 4);
		for (uint16_t &length : info.elementLengths)
			length = 32;
		MrgSort(merged, MrgSortSrcList<float>(sorted, sorted[64], sorted[128], sorted[192]),
			info);
		Extract(best, where, merged, 4);
		std::vector<float> expected = values;

		std::stable_sort(expected.begin(), expected.end(), std::greater<float>());
		EXPECT_EQ(Ub::get(best), expected);
		EXPECT_EQ(where.GetValue(0), 5u);
		EXPECT_EQ(where.GetValue(1), 9u);
		for (uint32_t i = 0; i < 128; i++)
			ASSERT_EQ(values[where.GetValue(i)], best.GetValue(i));
		uint16_t taken[4];

		GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
		EXPECT_EQ(taken[0] + taken[1] + taken[2] + taken[3], 128);
		Sort<float, true>(merged, score, index, best, 4);
		EXPECT_EQ(merged.GetValue(0), 500.0f);
		EXPECT_EQ(merged.GetValue(254), expected[127]);
	});
}
