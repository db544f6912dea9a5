// SPDX-License-Identifier: MIT
/*
 * DOC: Instructions of one and two tensors, in all their forms, against plain loops.
 */
#include "ub.h"

using namespace AscendC;
using namespace kernel_test;

/* Runs an instruction of two tensors with a count that leaves elements alone, and in place. */
template <class T, class Run, class Reference>
static void check_binary(Run run, Reference reference)
{
	run_one([&](Ub &ub) {
		const auto a = random_values<T>(333, 1, -30, 30);
		const auto b = random_values<T>(333, 2, 1, 30);
		auto first = ub.put(a);
		auto second = ub.put(b);
		auto result = ub.put(std::vector<T>(333, T(7)));

		run(result, first, second, 300);
		run(first, first, second, 300);
		for (size_t i = 0; i < 333; i++) {
			const T expected = i < 300 ? reference(a[i], b[i]) : T(7);

			ASSERT_EQ(result.GetValue(uint32_t(i)), expected) << i;
			if (i < 300) {
				ASSERT_EQ(first.GetValue(uint32_t(i)), expected) << i;
			}
		}
	});
}

#define CHECK_BINARY(Name, T, expression) \
	check_binary<T>([](auto &dst, auto &a, auto &b, int count) { Name(dst, a, b, count); }, \
			[](T a, T b) { return T(expression); })

TEST(KernelBinary, Add)
{
	CHECK_BINARY(Add, float, a + b);
	CHECK_BINARY(Add, half, float(a) + float(b));
	CHECK_BINARY(Add, int16_t, a + b);
	CHECK_BINARY(Add, int32_t, a + b);
}

TEST(KernelBinary, Sub)
{
	CHECK_BINARY(Sub, float, a - b);
	CHECK_BINARY(Sub, half, float(a) - float(b));
	CHECK_BINARY(Sub, int16_t, a - b);
	CHECK_BINARY(Sub, int32_t, a - b);
}

TEST(KernelBinary, Mul)
{
	CHECK_BINARY(Mul, float, a *b);
	CHECK_BINARY(Mul, half, float(a) * float(b));
	CHECK_BINARY(Mul, int16_t, a * b);
	CHECK_BINARY(Mul, int32_t, a * b);
}

TEST(KernelBinary, IntegersWrap)
{
	run_one([](Ub &ub) {
		auto a = ub.put(std::vector<int32_t>(8, 2147483647));
		auto b = ub.put(std::vector<int16_t>(16, 30000));
		auto c = ub.put(std::vector<int16_t>(16, -32768));

		Add(a, a, a, 8);
		Mul(b, b, b, 16);
		EXPECT_EQ(a.GetValue(0), -2);
		EXPECT_EQ(b.GetValue(0), int16_t(900000000));
		Muls(c, c, int16_t(-1), 16);
		EXPECT_EQ(c.GetValue(0), -32768);
		Adds(c, c, int16_t(-16000), 16);
		EXPECT_EQ(c.GetValue(0), 16768);
	});
}

template <class T> static std::vector<T> steps(size_t count)
{
	std::vector<T> values(count);

	for (size_t i = 0; i < count; i++)
		values[i] = T(int(i % 500));
	return values;
}

TEST(KernelMask, CountsOfElementsAndStrides)
{
	run_one([](Ub &ub) {
		auto a = ub.put(steps<float>(256));
		auto b = ub.put(std::vector<float>(256, 1000.0f));
		auto dst = ub.put(std::vector<float>(256, -1.0f));

		/* 2 repeats, 20 elements of each; src1 stays in place, src0 uses each second block. */
		Add(dst, a, b, 20, 2, {1, 2, 0, 8, 16, 0});
		for (uint32_t i = 0; i < 256; i++) {
			const uint32_t in_repeat = i % 64;
			const uint32_t from = (i / 64) * 128 + in_repeat / 8 * 16 + in_repeat % 8;
			const float expected =
				i < 128 && in_repeat < 20 ? float(from % 500) + 1000.0f : -1.0f;

			ASSERT_EQ(dst.GetValue(i), expected) << i;
		}
	});
}

TEST(KernelMask, BitsSelectElements)
{
	run_one([](Ub &ub) {
		auto a = ub.put(steps<half>(256));
		auto dst = ub.put(std::vector<half>(256, half(-1)));
		uint64_t mask[2] = {0x8000000000000005ull, 0x2ull};

		Adds(dst, a, half(1), mask, 2, {1, 1, 8, 8});
		for (uint32_t i = 0; i < 256; i++) {
			const uint32_t bit = i % 128;
			const bool has = bit == 0 || bit == 2 || bit == 63 || bit == 65;

			ASSERT_EQ(float(dst.GetValue(i)), has ? float(i % 500) + 1 : -1.0f) << i;
		}
	});
}

TEST(KernelMask, RepeatsThatStayInPlaceAccumulate)
{
	run_one([](Ub &ub) {
		auto a = ub.put(steps<float>(256));
		auto sum = ub.put(std::vector<float>(64, 0.0f));

		Add(sum, sum, a, 64, 4, {1, 1, 1, 0, 0, 8});
		for (uint32_t i = 0; i < 64; i++)
			ASSERT_EQ(sum.GetValue(i), float(4 * i + 64 + 128 + 192));
	});
}

TEST(KernelScalar, Adds)
{
	run_one([](Ub &ub) {
		const auto values = random_values<half>(200);
		auto a = ub.put(values);
		auto b = ub.put(random_values<int32_t>(200));
		const int32_t before = b.GetValue(199);

		Adds(a, a, 1.5f, 200);
		Adds(b, b, 7, 200);
		EXPECT_EQ(float(a.GetValue(10)), float(half(float(values[10]) + 1.5f)));
		EXPECT_EQ(b.GetValue(199), before + 7);
	});
}

TEST(KernelScalar, Muls)
{
	run_one([](Ub &ub) {
		const auto values = random_values<float>(200);
		auto a = ub.put(values);
		auto b = ub.put(random_values<half>(200, 3));
		const half before = b.GetValue(5);

		Muls(a, a, -0.25f, 200);
		Muls<half>(b, b, half(3.3f), 200);
		EXPECT_EQ(a.GetValue(150), values[150] * -0.25f);
		EXPECT_EQ(float(b.GetValue(5)), float(half(float(before) * float(half(3.3f)))));
	});
}

TEST(KernelScalar, HalfOverflowFollowsTheMode)
{
	for (uint32_t saturate = 0; saturate < 2; saturate++) {
		BlockHost host;

		host.saturate = saturate;
		ASSERT_TRUE(host.run(1, [&] {
			Ub ub;
			auto a = ub.put(std::vector<half>(16, half(60000.0f)));

			Add(a, a, a, 16);
			EXPECT_EQ(float(a.GetValue(0)), saturate ? 65504.0f : INFINITY);
		}));
	}
}

TEST(KernelBinary, Div)
{
	CHECK_BINARY(Div, float, a / b);
	CHECK_BINARY(Div, half, float(a) / float(b));
}

TEST(KernelBinary, MaxAndMin)
{
	CHECK_BINARY(Max, float, std::max(a, b));
	CHECK_BINARY(Max, half, std::max(float(a), float(b)));
	CHECK_BINARY(Max, int32_t, std::max(a, b));
	CHECK_BINARY(Min, int16_t, std::min(a, b));
	CHECK_BINARY(Min, half, std::min(float(a), float(b)));
}

TEST(KernelBinary, AndOrNot)
{
	CHECK_BINARY(And, int16_t, a & b);
	CHECK_BINARY(Or, uint16_t, a | b);
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<int16_t>(100));
		auto b = ub.make<int16_t>(100);

		Not(b, a, 100);
		EXPECT_EQ(b.GetValue(99), int16_t(~a.GetValue(99)));
	});
}

TEST(KernelBinary, AddRelu)
{
	CHECK_BINARY(AddRelu, float, std::max(a + b, 0.0f));
	CHECK_BINARY(SubRelu, float, std::max(a - b, 0.0f));
}

TEST(KernelBinary, MulAddDstRoundsOnce)
{
	run_one([](Ub &ub) {
		auto dst = ub.put(std::vector<float>(64, -1.0f));
		auto a = ub.put(std::vector<float>(64, 1.0f + 0x1p-12f));
		auto h = ub.put(std::vector<half>(64, half(3)));

		MulAddDst(dst, a, a, 64);
		EXPECT_EQ(dst.GetValue(63), std::fma(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -1.0f));
		MulAddDst(dst, h, h, 64, 1, {1, 1, 1, 8, 4, 4});
		EXPECT_FLOAT_EQ(dst.GetValue(20), 9.0f + 0x1p-11f);
	});
}

TEST(KernelScalar, MaxsAndMins)
{
	run_one([](Ub &ub) {
		auto a = ub.put(random_values<half>(200));
		auto b = ub.put(random_values<int32_t>(200));
		const float before = float(a.GetValue(7));
		const int32_t integer = b.GetValue(7);

		Maxs(a, a, half(5), 200);
		Mins(b, b, -5, 200);
		EXPECT_EQ(float(a.GetValue(7)), std::max(before, 5.0f));
		EXPECT_EQ(b.GetValue(7), std::min(integer, -5));
	});
}

TEST(KernelScalar, LeakyRelu)
{
	run_one([](Ub &ub) {
		auto a = ub.put<float>({-2, -1, 0, 1, 2, 3, 4, 5});

		LeakyRelu(a, a, 0.25f, 8);
		EXPECT_EQ(a.GetValue(0), -0.5f);
		EXPECT_EQ(a.GetValue(7), 5.0f);
	});
}

TEST(KernelScalar, AxpyAddsToItsDestination)
{
	run_one([](Ub &ub) {
		auto dst = ub.put(std::vector<float>(64, 10.0f));
		auto src = ub.put(steps<half>(64));

		Axpy(dst, src, half(0.5f), 64);
		EXPECT_EQ(dst.GetValue(9), 14.5f);
		Axpy(dst, src, half(2), 64, 1, {1, 1, 8, 4});
		EXPECT_EQ(dst.GetValue(9), 32.5f);
	});
}

TEST(KernelScalar, Shifts)
{
	run_one([](Ub &ub) {
		auto a = ub.put<int32_t>({1, -1, 5, -5, 100, -100, 7, -7});
		auto b = ub.make<int32_t>(8);
		auto c = ub.put(std::vector<uint16_t>(128, 0x8001));

		ShiftLeft(b, a, 4, 8);
		EXPECT_EQ(b.GetValue(3), -80);
		ShiftRight(b, a, 1, 8);
		EXPECT_EQ(b.GetValue(3), -3);
		ShiftRight(b, a, 1, 8, 1, {1, 1, 8, 8}, true);
		EXPECT_EQ(b.GetValue(2), 3);
		ShiftRight(c, c, uint16_t(1), 128);
		EXPECT_EQ(c.GetValue(127), 0x4000);
	});
}

TEST(KernelUnary, AbsExpLnSqrtAndOthers)
{
	run_one([](Ub &ub) {
		auto a = ub.put<float>({-4, 0.25f, 1, 2, -9, 16, 3, -0.0f});
		auto b = ub.make<float>(8);
		auto h = ub.put(std::vector<half>(16, half(2)));

		Abs(b, a, 8);
		EXPECT_EQ(b.GetValue(4), 9.0f);
		EXPECT_FALSE(std::signbit(b.GetValue(7)));
		Sqrt(b, b, 8);
		EXPECT_EQ(b.GetValue(4), 3.0f);
		Ln(b, a, 8);
		EXPECT_FLOAT_EQ(b.GetValue(3), std::log(2.0f));
		Exp(b, a, 8);
		EXPECT_FLOAT_EQ(b.GetValue(0), std::exp(-4.0f));
		Relu(b, a, 8);
		EXPECT_EQ(b.GetValue(0), 0.0f);
		Reciprocal(b, a, 8);
		EXPECT_FLOAT_EQ(b.GetValue(1), 4.0f);
		Rsqrt(b, a, 8);
		EXPECT_FLOAT_EQ(b.GetValue(5), 0.25f);
		Exp(h, h, 16);
		EXPECT_EQ(float(h.GetValue(15)), float(half(std::exp(2.0f))));
	});
}

TEST(KernelMask, RegistersAreUsedWithoutAMaskOfTheCall)
{
	run_one([](Ub &ub) {
		auto a = ub.put(std::vector<float>(256, 1.0f));

		SetMaskNorm();
		SetVectorMask<float>(0, 3);
		Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
		EXPECT_EQ(a.GetValue(1), 2.0f);
		EXPECT_EQ(a.GetValue(2), 1.0f);
		SetMaskCount();
		SetVectorMask<float, MaskMode::COUNTER>(0, 100);
		Muls<float, false>(a, a, 5.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
		EXPECT_EQ(a.GetValue(99), 5.0f);
		EXPECT_EQ(a.GetValue(100), 1.0f);
		SetMaskNorm();
		ResetMask();
		Duplicate<float, false>(a, 7.0f, MASK_PLACEHOLDER, 4, 1, 8);
		EXPECT_EQ(a.GetValue(255), 7.0f);
	});
}

TEST(KernelTensor, ExpressionsAreInstructions)
{
	run_one([](Ub &ub) {
		auto a = ub.put(steps<float>(64));
		auto b = ub.put(std::vector<float>(64, 2.0f));
		auto c = ub.make<float>(64);
		auto bits = ub.make<uint8_t>(32);

		c = a + b;
		EXPECT_EQ(c.GetValue(9), 11.0f);
		c = a * b;
		EXPECT_EQ(c.GetValue(9), 18.0f);
		c = a / b;
		EXPECT_EQ(c.GetValue(9), 4.5f);
		bits = a < b;
		EXPECT_EQ(bits.GetValue(0), 3);
	});
}
