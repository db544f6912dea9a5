// SPDX-License-Identifier: MIT
/*
 * DOC: Element-wise kernels, tested
 *
 * Random shapes, strides, types and special values against a naive loop in double.
 */
#include "random_call.h"

namespace {

using namespace random_call;

constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};
constexpr uint32_t integers[] = {UNPU_DTYPE_I8, UNPU_DTYPE_I16, UNPU_DTYPE_I32, UNPU_DTYPE_U8};

template <class Expected>
void test_unary(uint32_t kind, double range, double limit, Expected expected)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(300); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Dims dims = random_dims(random, 8, i % 16 ? 300 : 40000);
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, random() % 4 == 0);
		fill(random, self, range, true);
		const auto outside = bytes_outside(out);
		run(random, CallBuilder(kind, UNPU_DTYPE_F32).add(0, out).add(1, self).call);
		Comparison comparison;
		for_each(dims, [&](const Dims &at) {
			comparison.add(out.get(at), expected(self.get(at)), dtype);
		});
		ASSERT_LE(comparison.nmse(), limit);
		ASSERT_EQ(bytes_outside(out), outside);
		if (::testing::Test::HasFailure())
			return;
	}
}

TEST(Elementwise, Exp)
{
	test_unary(UNPU_TENSOR_EXP, 100, 1e-8, [](double x) { return std::exp(x); });
}

TEST(Elementwise, SubtractsFloats)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(300); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Dims dims = random_dims(random, 8, i % 16 ? 300 : 40000);
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		const Operand other(random, dtype, dims, random() % 2, true);
		fill(random, self, 10, true);
		fill(random, other, 10, true);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_SUB, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).add(1, self).add(2, other).scalar(0.75).call);
		for_each(dims, [&](const Dims &at) {
			/* The arithmetic is F32, with two roundings. */
			const float product = 0.75f * static_cast<float>(other.get(at));
			const float result = static_cast<float>(self.get(at)) - product;
			Comparison comparison;
			comparison.add(out.get(at), result, dtype);
			EXPECT_EQ(comparison.nmse(), 0);
		});
		ASSERT_EQ(bytes_outside(out), outside);
		if (HasFailure())
			return;
	}
}

TEST(Elementwise, SubtractsIntegersModulo)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(300); i++) {
		const Dims dims = random_dims(random, 8, 300);
		const uint32_t dtype = integers[random() % std::size(integers)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		const Operand other(random, dtype, dims, random() % 2, true);
		CallBuilder builder(UNPU_TENSOR_SUB, UNPU_DTYPE_I64);
		run(random, builder.add(0, out).add(1, self).add(2, other).scalar_integer(-3).call);
		for_each(dims, [&](const Dims &at) {
			const double exact = self.get(at) + 3 * other.get(at);
			const int64_t integer = static_cast<int64_t>(exact);
			std::byte bits[8];
			store_row<int64_t>(dtype, bits, 0, 1, &integer);
			double wrapped;
			load_row<double>(dtype, bits, 0, 1, &wrapped);
			EXPECT_EQ(out.get(at), wrapped);
		});
		if (HasFailure())
			return;
	}
}

} // namespace
