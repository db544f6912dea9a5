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

/* wrapped() - an integer as the type has it. */
double wrapped(uint32_t dtype, int64_t integer)
{
	std::byte bits[8];
	store_row<int64_t>(dtype, bits, 0, 1, &integer);
	double value;
	load_row<double>(dtype, bits, 0, 1, &value);
	return value;
}

constexpr auto no_attributes = [](CallBuilder &) {};

/* test_unary() - a kind of one operand against @expected, which gets and returns double.
 * @attributes: adds the attributes of the call */
template <class Expected, class Attributes>
void test_unary(uint32_t kind, double range, double limit, Expected expected, Attributes attributes)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Dims dims = random_dims(random, 8, i % 16 ? 300 : 20000);
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, random() % 4 == 0);
		fill(random, self, range, true);
		const auto outside = bytes_outside(out);
		CallBuilder builder(kind, UNPU_DTYPE_F32);
		builder.add(0, out).add(1, self);
		attributes(builder);
		run(random, builder.call);
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

/* test_integers() - the same for integers; @expected gets and returns int64_t and wraps. */
template <class Expected, class Attributes>
void test_integers(uint32_t kind, Expected expected, Attributes attributes)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		const Dims dims = random_dims(random, 4, 300);
		const uint32_t dtype = integers[random() % std::size(integers)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		CallBuilder builder(kind, UNPU_DTYPE_I64);
		builder.add(0, out).add(1, self);
		attributes(builder);
		run(random, builder.call);
		for_each(dims, [&](const Dims &at) {
			const auto exact = expected(static_cast<int64_t>(self.get(at)));
			EXPECT_EQ(out.get(at), wrapped(dtype, exact));
		});
		if (::testing::Test::HasFailure())
			return;
	}
}

double sigmoid(double x)
{
	return 1 / (1 + std::exp(-x));
}

double hardsigmoid(double x)
{
	const double line = x / 6 + 0.5;
	return std::isnan(x) ? x : std::min(std::max(line, 0.0), 1.0);
}

double gelu(double x)
{
	return x * 0.5 * std::erfc(-x * std::sqrt(0.5));
}

double gelu_tanh(double x)
{
	const double y = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
	return x / (1 + std::exp(-2 * y));
}

double sign(double x)
{
	return x > 0 ? 1 : x < 0 ? -1 : x;
}

/* One result in a hundred may be rounded to the other neighbour in F16. */
constexpr double CLOSE = 1e-8;

TEST(Elementwise, FunctionsOfOneOperand)
{
	const auto test = [](uint32_t kind, double range, double limit, auto expected) {
		SCOPED_TRACE("kind " + std::to_string(kind));
		test_unary(kind, range, limit, expected, no_attributes);
	};
	test(UNPU_TENSOR_ABS, 10, 0, [](double x) { return std::fabs(x); });
	test(UNPU_TENSOR_NEG, 10, 0, [](double x) { return -x; });
	test(UNPU_TENSOR_RELU, 10, 0, [](double x) { return x < 0 ? 0 : x; });
	test(UNPU_TENSOR_SIGN, 10, 0, sign);
	test(UNPU_TENSOR_SQRT, 10, 0, [](double x) { return std::sqrt(x); });
	test(UNPU_TENSOR_EXP, 100, CLOSE, [](double x) { return std::exp(x); });
	test(UNPU_TENSOR_LOG, 100, CLOSE, [](double x) { return std::log(x); });
	test(UNPU_TENSOR_SIN, 800, CLOSE, [](double x) { return std::sin(x); });
	test(UNPU_TENSOR_COS, 800, CLOSE, [](double x) { return std::cos(x); });
	test(UNPU_TENSOR_SIN, 1e9, CLOSE, [](double x) { return std::sin(x); });
	test(UNPU_TENSOR_COS, 1e9, CLOSE, [](double x) { return std::cos(x); });
	test(UNPU_TENSOR_TANH, 10, CLOSE, [](double x) { return std::tanh(x); });
	test(UNPU_TENSOR_SIGMOID, 100, CLOSE, sigmoid);
	test(UNPU_TENSOR_SILU, 80, CLOSE, [](double x) { return x * sigmoid(x); });
	test(UNPU_TENSOR_HARDSIGMOID, 10, CLOSE, hardsigmoid);
	test(UNPU_TENSOR_HARDSWISH, 10, CLOSE, [](double x) { return x * hardsigmoid(x); });
}

/* 33 elements are several whole vectors and one element more. */
TEST(Elementwise, OddFunctionsKeepTheSignOfZero)
{
	Random random(seed());
	const Dims dims{33};
	for (const uint32_t kind : {UNPU_TENSOR_SIN, UNPU_TENSOR_TANH}) {
		for (const uint32_t dtype : floats) {
			const Operand out(random, dtype, dims, false, false);
			const Operand self(random, dtype, dims, false, false);
			for_each(dims,
				 [&](const Dims &at) { self.set(at, at[0] % 2 ? -0.0 : 0.0); });
			CallBuilder builder(kind, UNPU_DTYPE_F32);
			builder.add(0, out).add(1, self);
			run(random, builder.call);
			for_each(dims, [&](const Dims &at) {
				EXPECT_EQ(out.get(at), 0) << kind << " " << dtype;
				EXPECT_EQ(std::signbit(out.get(at)), at[0] % 2 == 1)
					<< kind << " " << dtype;
			});
		}
	}
}

TEST(Elementwise, FunctionsOfOneInteger)
{
	test_integers(
		UNPU_TENSOR_ABS, [](int64_t x) { return x < 0 ? -x : x; }, no_attributes);
	test_integers(
		UNPU_TENSOR_NEG, [](int64_t x) { return -x; }, no_attributes);
	test_integers(
		UNPU_TENSOR_RELU, [](int64_t x) { return x < 0 ? 0 : x; }, no_attributes);
	test_integers(
		UNPU_TENSOR_SIGN, [](int64_t x) { return x > 0	 ? 1
							 : x < 0 ? -1
								 : 0; },
		no_attributes);
}

TEST(Elementwise, PositivePartOfMinusZeroIsZeroInEachType)
{
	Random random(seed());
	for (const uint32_t compute : {uint32_t{UNPU_DTYPE_F32}, uint32_t{UNPU_DTYPE_F64}}) {
		const Operand out(random, UNPU_DTYPE_F64, {40}, false, false);
		const Operand self(random, UNPU_DTYPE_F64, {40}, false, false);
		for_each({40}, [&](const Dims &at) { self.set(at, -0.0); });
		CallBuilder builder(UNPU_TENSOR_RELU, compute);
		builder.add(0, out).add(1, self);
		run(random, builder.call);
		for_each({40}, [&](const Dims &at) {
			EXPECT_EQ(out.get(at), 0);
			EXPECT_FALSE(std::signbit(out.get(at))) << compute;
		});
	}
}

TEST(Elementwise, Activations)
{
	test_unary(UNPU_TENSOR_GELU, 12, CLOSE, gelu, [](CallBuilder &call) { call.integer(0); });
	test_unary(UNPU_TENSOR_GELU, 6, CLOSE, gelu_tanh,
		   [](CallBuilder &call) { call.integer(1); });
	test_unary(
		UNPU_TENSOR_ELU, 20, CLOSE,
		[](double x) { return x > 0 ? 1.5 * x : 0.75 * 1.5 * std::expm1(0.5 * x); },
		[](CallBuilder &call) { call.scalar(0.75).scalar(1.5).scalar(0.5); });
	test_unary(
		UNPU_TENSOR_SOFTPLUS, 40, CLOSE,
		[](double x) { return 2 * x > 20 ? x : std::log1p(std::exp(2 * x)) / 2; },
		[](CallBuilder &call) { call.scalar_integer(2).scalar(20); });
	test_unary(
		UNPU_TENSOR_LEAKY_RELU, 10, 0, [](double x) { return x > 0 ? x : x * 0.25; },
		[](CallBuilder &call) { call.scalar(0.25); });
}

TEST(Elementwise, FunctionsOfAScalar)
{
	const auto one = [](CallBuilder &call) { call.scalar(0.5); };
	const auto two = [](CallBuilder &call) { call.scalar(0.5).scalar(2); };
	test_unary(
		UNPU_TENSOR_GT_SCALAR, 1, 0, [](double x) { return x > 0.5; }, one);
	test_unary(
		UNPU_TENSOR_MULS, 1, 0, [](double x) { return x * 0.5; }, one);
	test_unary(
		UNPU_TENSOR_ADDS, 1, 0, [](double x) { return float(x) + 1.0f; }, two);
	test_unary(
		UNPU_TENSOR_SUBS, 1, 0, [](double x) { return float(x) - 1.0f; }, two);
	test_unary(
		UNPU_TENSOR_DIVS, 1, 0, [](double x) { return x / 0.5; }, one);
	test_unary(
		UNPU_TENSOR_THRESHOLD, 1, 0, [](double x) { return x <= 0.5 ? 2 : x; }, two);
	test_unary(
		UNPU_TENSOR_CLAMP, 4, 0,
		[](double x) { return std::isnan(x) ? x : std::min(std::max(x, 0.5), 2.0); }, two);
	test_unary(
		UNPU_TENSOR_CLAMP, 4, 0, [](double x) { return x > 2 ? 2 : x; },
		[](CallBuilder &call) { call.words({}).scalar(2); });
	test_unary(
		UNPU_TENSOR_CLAMP, 4, 0, [](double x) { return x < 0.5 ? 0.5 : x; },
		[](CallBuilder &call) { call.scalar(0.5).words({}); });
}

TEST(Elementwise, FunctionsOfAnIntegerAndAScalar)
{
	const auto one = [](CallBuilder &call) { call.scalar_integer(5); };
	const auto two = [](CallBuilder &call) { call.scalar_integer(5).scalar_integer(-7); };
	test_integers(
		UNPU_TENSOR_GT_SCALAR, [](int64_t x) { return x > 5; }, one);
	test_integers(
		UNPU_TENSOR_MULS, [](int64_t x) { return x * 5; }, one);
	test_integers(
		UNPU_TENSOR_ADDS, [](int64_t x) { return x - 35; }, two);
	test_integers(
		UNPU_TENSOR_SUBS, [](int64_t x) { return x + 35; }, two);
	test_integers(
		UNPU_TENSOR_THRESHOLD, [](int64_t x) { return x > 5 ? x : -7; }, two);
	test_integers(
		UNPU_TENSOR_CLAMP, [](int64_t x) { return std::clamp<int64_t>(x, -7, 5); },
		[](CallBuilder &call) { call.scalar_integer(-7).scalar_integer(5); });
	/* The upper bound wins over a higher lower one. */
	test_integers(
		UNPU_TENSOR_CLAMP, [](int64_t) { return -7; }, two);
}

TEST(Elementwise, ABoundThatIsNanGivesNan)
{
	Random random(seed());
	for (const uint32_t type : {uint32_t{UNPU_DTYPE_F32}, uint32_t{UNPU_DTYPE_F64}}) {
		const Operand out(random, type, {3}, false, false),
			self(random, type, {3}, false, false);
		for (int64_t i = 0; i < 3; i++)
			self.set({i}, static_cast<double>(i));
		for (const bool is_low : {true, false}) {
			CallBuilder builder(UNPU_TENSOR_CLAMP, type);
			builder.add(0, out).add(1, self);
			builder.scalar(is_low ? NAN : 0).scalar(is_low ? 1 : NAN);
			run(random, builder.call);
			for (int64_t i = 0; i < 3; i++)
				EXPECT_TRUE(std::isnan(out.get({i}))) << i;
		}
	}
}

TEST(Elementwise, Fills)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		const Dims dims = random_dims(random, 8, 40000);
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_FILL, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).scalar(-HUGE_VAL).call);
		for_each(dims, [&](const Dims &at) { EXPECT_EQ(out.get(at), -HUGE_VAL); });
		ASSERT_EQ(bytes_outside(out), outside);
	}
}

/* test_binary() - a kind of two operands against @expected. */
template <class Expected>
void test_binary(uint32_t kind, double range, double limit, Expected expected)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Dims dims = random_dims(random, 8, i % 16 ? 300 : 20000);
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		const Operand other(random, dtype, dims, random() % 2, true);
		fill(random, self, range, true);
		fill(random, other, range, true);
		const auto outside = bytes_outside(out);
		CallBuilder builder(kind, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).add(1, self).add(2, other).call);
		Comparison comparison;
		for_each(dims, [&](const Dims &at) {
			comparison.add(out.get(at), expected(self.get(at), other.get(at)), dtype);
		});
		ASSERT_LE(comparison.nmse(), limit);
		ASSERT_EQ(bytes_outside(out), outside);
		if (::testing::Test::HasFailure())
			return;
	}
}

TEST(Elementwise, FunctionsOfTwoOperands)
{
	test_binary(UNPU_TENSOR_DIV, 10, 0, [](double x, double y) {
		return static_cast<float>(x) / static_cast<float>(y);
	});
	test_binary(UNPU_TENSOR_EQ, 1, 0, [](double x, double y) { return x == y; });
	test_binary(UNPU_TENSOR_POW, 3, 0,
		    [](double x, double y) { return static_cast<float>(std::pow(x, y)); });
}

uint64_t power_of_three(int64_t exponent)
{
	if (exponent == 0)
		return 1;
	const uint64_t root = power_of_three(exponent / 2);
	return root * root * (exponent % 2 ? 3 : 1);
}

TEST(Elementwise, PowersOfAScalar)
{
	test_unary(
		UNPU_TENSOR_POW_SCALAR, 8, 0,
		[](double x) { return static_cast<float>(std::pow(0.5, x)); },
		[](CallBuilder &call) { call.scalar(0.5); });
	test_integers(
		UNPU_TENSOR_POW_SCALAR,
		[](int64_t x) { return x < 0 ? 0 : static_cast<int64_t>(power_of_three(x)); },
		[](CallBuilder &call) { call.scalar_integer(3); });
	/* -1, and 2^64 - 1, which has the same bits. */
	test_integers(
		UNPU_TENSOR_POW_SCALAR, [](int64_t x) { return x % 2 ? -1 : 1; },
		[](CallBuilder &call) { call.scalar_integer(-1); });
	test_integers(
		UNPU_TENSOR_POW_SCALAR, [](int64_t x) { return x < 0   ? 0
							       : x % 2 ? -1
								       : 1; },
		[](CallBuilder &call) { call.scalar_above(UINT64_MAX); });
}

/* Splits a view with twice the size along @dim as a gated unit does. */
Dims in_half(const Dims &at, size_t dim, int64_t size, bool is_second)
{
	Dims there = at;
	there[dim] += is_second ? size : 0;
	return there;
}

TEST(Elementwise, SwiGlu)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		Dims dims = random_dims(random, 7, i % 16 ? 300 : 20000);
		dims.push_back(1 + static_cast<int64_t>(random() % 5));
		const size_t dim = random() % dims.size();
		Dims whole = dims;
		whole[dim] *= 2;
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand x(random, dtype, whole, random() % 2, true);
		fill(random, x, 10, true);
		CallBuilder builder(UNPU_TENSOR_SWIGLU, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).add(1, x).integer(static_cast<int64_t>(dim)).call);
		Comparison comparison;
		for_each(dims, [&](const Dims &at) {
			const double a = x.get(in_half(at, dim, dims[dim], false));
			const double b = x.get(in_half(at, dim, dims[dim], true));
			comparison.add(out.get(at), static_cast<float>(a * sigmoid(a)) * b, dtype);
		});
		ASSERT_LE(comparison.nmse(), CLOSE);
		if (HasFailure())
			return;
	}
}

TEST(Elementwise, GeGlu)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		Dims dims = random_dims(random, 7, i % 16 ? 300 : 20000);
		dims.push_back(1 + static_cast<int64_t>(random() % 5));
		const size_t dim = random() % dims.size();
		Dims whole = dims;
		whole[dim] *= 2;
		const uint32_t dtype = floats[random() % std::size(floats)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand second(random, dtype, dims, random() % 2, false);
		const Operand x(random, dtype, whole, random() % 2, true);
		fill(random, x, 6, true);
		const bool is_tanh = random() % 2, is_left = random() % 2;
		CallBuilder builder(UNPU_TENSOR_GEGLU, UNPU_DTYPE_F32);
		builder.add(0, out).add(1, second).add(2, x);
		builder.integer(static_cast<int64_t>(dim)).integer(is_tanh).integer(is_left);
		run(random, builder.call);
		Comparison comparison;
		for_each(dims, [&](const Dims &at) {
			const double a = x.get(in_half(at, dim, dims[dim], !is_left));
			const double b = x.get(in_half(at, dim, dims[dim], is_left));
			const double active = is_tanh ? gelu_tanh(a) : gelu(a);
			comparison.add(second.get(at), active, dtype);
			comparison.add(out.get(at), static_cast<float>(active) * b, dtype);
		});
		ASSERT_LE(comparison.nmse(), CLOSE);
		if (HasFailure())
			return;
	}
}

TEST(Elementwise, RefusesWhatDoesNotBelongTogether)
{
	Random random(seed());
	const Operand two(random, UNPU_DTYPE_F32, {2}, false, false);
	const Operand three(random, UNPU_DTYPE_F32, {3}, false, false);
	const Operand four(random, UNPU_DTYPE_F32, {4}, false, false);
	const Operand packed(random, UNPU_DTYPE_I4, {2}, false, false);
	const auto refused = [](const CallBuilder &builder) {
		return !find_kernel(builder.call.kind)->check(builder.call);
	};
	constexpr uint32_t F32 = UNPU_DTYPE_F32, I64 = UNPU_DTYPE_I64;

	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_EXP, F32).add(0, two).add(1, three)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_EXP, F32).add(0, two)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_EXP, I64).add(0, two).add(1, two)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_ABS, F32).add(0, two).add(1, packed)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_GELU, F32).add(0, two).add(1, two).integer(2)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_MULS, 0).add(0, two).add(1, two).scalar(1)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_DIVS, I64).add(0, two).add(1, two).scalar(1)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_FILL, F32).add(0, packed).scalar(1)));
	EXPECT_TRUE(
		refused(CallBuilder(UNPU_TENSOR_DIV, F32).add(0, two).add(1, two).add(2, three)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_POW_SCALAR, F32).add(0, two).add(1, four)));
	EXPECT_TRUE(
		refused(CallBuilder(UNPU_TENSOR_SWIGLU, F32).add(0, two).add(1, three).integer(0)));
	EXPECT_TRUE(
		refused(CallBuilder(UNPU_TENSOR_SWIGLU, F32).add(0, two).add(1, four).integer(1)));
	EXPECT_TRUE(
		refused(CallBuilder(UNPU_TENSOR_SWIGLU, F32).add(0, two).add(1, four).integer(-1)));
	EXPECT_FALSE(
		refused(CallBuilder(UNPU_TENSOR_SWIGLU, F32).add(0, two).add(1, four).integer(0)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_GEGLU, F32)
				    .add(0, two)
				    .add(1, three)
				    .add(2, four)
				    .integer(0)
				    .integer(0)
				    .integer(0)));
}

TEST(Elementwise, SubtractsFloats)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Dims dims = random_dims(random, 8, i % 16 ? 300 : 20000);
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
	for (unsigned i = 0; i < cases(100); i++) {
		const Dims dims = random_dims(random, 8, 300);
		const uint32_t dtype = integers[random() % std::size(integers)];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		const Operand other(random, dtype, dims, random() % 2, true);
		CallBuilder builder(UNPU_TENSOR_SUB, UNPU_DTYPE_I64);
		run(random, builder.add(0, out).add(1, self).add(2, other).scalar_integer(-3).call);
		for_each(dims, [&](const Dims &at) {
			const double exact = self.get(at) + 3 * other.get(at);
			EXPECT_EQ(out.get(at), wrapped(dtype, static_cast<int64_t>(exact)));
		});
		if (HasFailure())
			return;
	}
}

} // namespace
