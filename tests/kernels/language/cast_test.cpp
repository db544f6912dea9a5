// SPDX-License-Identifier: MIT
/*
 * DOC: Cast: pairs of types, rounding modes, limits, strides.
 */
#include "ub.h"

using namespace AscendC;
using namespace kernel_test;

template <class D, class S> static std::vector<double> cast(std::vector<S> values, RoundMode mode)
{
	std::vector<double> results;

	values.resize(64, S(0));
	run_one([&](Ub &ub) {
		auto src = ub.put(values);
		auto dst = ub.make<D>(64);

		Cast(dst, src, mode, 64);
		results = as_doubles(Ub::get(dst));
	});
	return results;
}

TEST(KernelCast, RoundsToIntegersByMode)
{
	const std::vector<float> in = {2.5f, -2.5f, 3.5f, -3.5f, 1.2f, -1.2f, 1.7f, -1.7f};
	const std::pair<RoundMode, std::vector<double>> table[] = {
		{RoundMode::CAST_RINT, {2, -2, 4, -4, 1, -1, 2, -2}},
		{RoundMode::CAST_FLOOR, {2, -3, 3, -4, 1, -2, 1, -2}},
		{RoundMode::CAST_CEIL, {3, -2, 4, -3, 2, -1, 2, -1}},
		{RoundMode::CAST_ROUND, {3, -3, 4, -4, 1, -1, 2, -2}},
		{RoundMode::CAST_TRUNC, {2, -2, 3, -3, 1, -1, 1, -1}},
	};

	for (const auto &[mode, expected] : table) {
		for (size_t i = 0; i < in.size(); i++) {
			EXPECT_EQ((cast<int32_t, float>(in, mode)[i]), expected[i])
				<< int(mode) << " " << in[i];
			EXPECT_EQ((cast<int16_t, float>(in, mode)[i]), expected[i]);
			EXPECT_EQ((cast<int64_t, float>(in, mode)[i]), expected[i]);
			EXPECT_EQ((cast<float, float>(in, mode)[i]), expected[i]);
			EXPECT_EQ((cast<int32_t, half>(std::vector<half>(in.begin(), in.end()),
						       mode)[i]),
				  std::round(expected[i]));
		}
	}
}

TEST(KernelCast, RoundsToHalfByMode)
{
	/* Between 1 and the next half, 1 + 2^-10. */
	const float low = 1.0f + 0x1p-12f, middle = 1.0f + 0x1p-11f, high = 1.0f + 0x1p-10f;
	const std::vector<float> in = {low, -low, middle, -middle, 1.0f, 65519.0f, 0x1p-26f};

	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_NONE)[2]), 1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_RINT)[2]), 1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_ROUND)[2]), high);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_ROUND)[3]), -high);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_ROUND)[0]), 1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_FLOOR)[0]), 1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_FLOOR)[1]), -high);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_CEIL)[0]), high);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_CEIL)[1]), -1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_TRUNC)[1]), -1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_ODD)[0]), high);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_ODD)[4]), 1.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_TRUNC)[5]), 65504.0);
	EXPECT_EQ((cast<half, float>(in, RoundMode::CAST_CEIL)[6]), 0x1p-24);
}

TEST(KernelCast, WidensExactlyAndNarrowsToBfloat16)
{
	EXPECT_EQ((cast<float, half>({half(0.1f)}, RoundMode::CAST_NONE)[0]),
		  double(float(half(0.1f))));
	EXPECT_EQ((cast<bfloat16_t, float>({1.00390625f}, RoundMode::CAST_RINT)[0]), 1.0);
	EXPECT_EQ((cast<bfloat16_t, float>({1.00390625f}, RoundMode::CAST_ROUND)[0]), 1.0078125);
	EXPECT_EQ((cast<float, bfloat16_t>({bfloat16_t(3.0f)}, RoundMode::CAST_NONE)[0]), 3.0);
	EXPECT_EQ((cast<int32_t, bfloat16_t>({bfloat16_t(2.5f)}, RoundMode::CAST_CEIL)[0]), 3.0);
	EXPECT_EQ((cast<half, uint8_t>({200}, RoundMode::CAST_NONE)[0]), 200.0);
	EXPECT_EQ((cast<half, int8_t>({-100}, RoundMode::CAST_NONE)[0]), -100.0);
	EXPECT_EQ((cast<float, int16_t>({-12345}, RoundMode::CAST_NONE)[0]), -12345.0);
	EXPECT_EQ((cast<float, int32_t>({16777217}, RoundMode::CAST_RINT)[0]), 16777216.0);
	EXPECT_EQ((cast<float, int32_t>({16777217}, RoundMode::CAST_CEIL)[0]), 16777218.0);
	EXPECT_EQ((cast<float, int64_t>({(int64_t(1) << 40) + 1}, RoundMode::CAST_CEIL)[0]),
		  0x1p40 + 0x1p17);
	EXPECT_EQ((cast<int64_t, int32_t>({-7}, RoundMode::CAST_NONE)[0]), -7.0);
}

TEST(KernelCast, IntegersEndAtTheirLimits)
{
	EXPECT_EQ((cast<int8_t, half>({half(300)}, RoundMode::CAST_RINT)[0]), 127.0);
	EXPECT_EQ((cast<uint8_t, half>({half(-3)}, RoundMode::CAST_RINT)[0]), 0.0);
	EXPECT_EQ((cast<int16_t, float>({-1e9f}, RoundMode::CAST_RINT)[0]), -32768.0);
	EXPECT_EQ((cast<int32_t, float>({3e9f}, RoundMode::CAST_RINT)[0]), 2147483647.0);
	EXPECT_EQ((cast<int32_t, float>({NAN}, RoundMode::CAST_RINT)[0]), 0.0);
	EXPECT_EQ((cast<int64_t, float>({-INFINITY}, RoundMode::CAST_RINT)[0]), -0x1p63);
	EXPECT_EQ((cast<int16_t, int32_t>({70000}, RoundMode::CAST_NONE)[0]), 32767.0);
	EXPECT_EQ((cast<int32_t, int64_t>({-(int64_t(1) << 40)}, RoundMode::CAST_NONE)[0]),
		  -2147483648.0);
}

TEST(KernelCast, Int4AndBack)
{
	run_one([](Ub &ub) {
		std::vector<half> values(128);

		for (int i = 0; i < 128; i++)
			values[size_t(i)] = half(i - 64);
		auto src = ub.put(values);
		auto packed = ub.make<int4b_t>(128);
		auto back = ub.make<half>(128);

		Cast(packed, src, RoundMode::CAST_RINT, 128);
		Cast(back, packed, RoundMode::CAST_NONE, 128);
		EXPECT_EQ(float(back.GetValue(0)), -8.0f);
		EXPECT_EQ(float(back.GetValue(61)), -3.0f);
		EXPECT_EQ(float(back.GetValue(127)), 7.0f);
		Cast(packed, src[64], RoundMode::CAST_RINT, 64, 1, {1, 1, 1, 4});
		EXPECT_EQ(int8_t(packed.GetValue(3)), 3);
	});
}

TEST(KernelCast, MasksCountTheWiderType)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<half>(256));
		auto dst = ub.put(std::vector<float>(256, -1000.0f));

		Cast(dst, src, RoundMode::CAST_NONE, 40, 3, {1, 1, 8, 4});
		for (uint32_t i = 0; i < 256; i++)
			ASSERT_EQ(dst.GetValue(i),
				  i < 192 && i % 64 < 40 ? float(src.GetValue(i)) : -1000.0f)
				<< i;
	});
}

TEST(KernelCast, SetDeqScaleScalesIntegers)
{
	run_one([](Ub &ub) {
		auto src = ub.put(std::vector<int32_t>(64, 100));
		auto dst = ub.make<half>(64);

		SetDeqScale(half(0.5f));
		Cast(dst, src, RoundMode::CAST_NONE, 64);
		EXPECT_EQ(float(dst.GetValue(63)), 50.0f);
	});
}
