// SPDX-License-Identifier: MIT
/*
 * DOC: Matrix kernels, tested
 *
 * Random shapes, strides and types against naive loops in double.
 */
#include "random_call.h"

namespace {

using namespace random_call;

constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};

/* A matrix, perhaps transposed in memory, after the dims of a batch. */
Operand random_matrix(Random &random, uint32_t dtype, Dims batch, int64_t m, int64_t n, bool out)
{
	batch.push_back(m);
	batch.push_back(n);
	return Operand(random, dtype, batch, random() % 2, !out && random() % 4 == 0);
}

TEST(Matrix, MatMul)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100) && !HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const bool is_large = i % 16 == 0;
		const Dims batch = random_dims(random, is_large ? 0 : 6, 12);
		const int64_t m = 1 + static_cast<int64_t>(random() % (is_large ? 300 : 12));
		const int64_t n = 1 + static_cast<int64_t>(random() % (is_large ? 700 : 12));
		const auto k = static_cast<int64_t>(random() % (i % 32 == 1 ? 9000 : 40));
		const Operand out = random_matrix(random, floats[random() % 3], batch, m, n, true);
		const Operand self =
			random_matrix(random, floats[random() % 3], batch, m, k, false);
		const Operand other =
			random_matrix(random, floats[random() % 3], batch, k, n, false);
		fill(random, self, 1, false);
		fill(random, other, 1, false);
		const auto outside = bytes_outside(out);
		run(random, CallBuilder(UNPU_TENSOR_MATMUL, UNPU_DTYPE_F32)
				    .add(0, out)
				    .add(1, self)
				    .add(2, other)
				    .call);
		/* The error of a sum is that of its terms, so it is not compared one by one. */
		double error = 0, square = 0;
		for_each(out.dims(), [&](const Dims &at) {
			Dims a = at, b = at;
			double sum = 0;
			for (int64_t j = 0; j < k; j++) {
				a.back() = j;
				b[b.size() - 2] = j;
				sum += self.get(a) * other.get(b);
			}
			error += (out.get(at) - sum) * (out.get(at) - sum);
			square += sum * sum;
		});
		const double limit = out.view.dtype == UNPU_DTYPE_BF16 ? 1e-5 : 1e-6;
		ASSERT_LE(error, limit * square);
		ASSERT_EQ(bytes_outside(out), outside);
	}
}

/* Engines share a product of a usual size, and its tiles together are the whole. */
TEST(Matrix, SmallProductsHaveSeveralTiles)
{
	struct Size {
		int64_t m, k, n;
		uint64_t tiles;
	};
	Random random(seed());
	for (const Size size : {Size{128, 384, 384, 4},
				{64, 20, 190, 1},
				{130, 30, 200, 6},
				{600, 20, 1100, 15},
				{8, 20, 1000, 1}}) {
		const Operand out(random, UNPU_DTYPE_F32, {size.m, size.n}, false, false);
		const Operand self(random, UNPU_DTYPE_F32, {size.m, size.k}, false, false);
		const Operand other(random, UNPU_DTYPE_F32, {size.k, size.n}, false, false);
		fill(random, self, 1, false);
		fill(random, other, 1, false);
		CallBuilder builder(UNPU_TENSOR_MATMUL, UNPU_DTYPE_F32);
		const Call &call = builder.add(0, out).add(1, self).add(2, other).call;
		EXPECT_EQ(find_kernel(UNPU_TENSOR_MATMUL)->units(call), size.tiles) << size.m;
		run(random, call);
		for_each(out.dims(), [&](const Dims &at) {
			double sum = 0;
			for (int64_t j = 0; j < size.k; j++)
				sum += self.get({at[0], j}) * other.get({j, at[1]});
			ASSERT_NEAR(out.get(at), sum, 1e-4) << at[0] << " " << at[1];
		});
	}
}

/* Whatever the processor does with them: products of few rows and of many are the same. */
TEST(Matrix, SubnormalNumbersOfBfloatCount)
{
	Random random(seed());
	struct Case {
		double one, other;
	};
	for (const auto [one, other] :
	     {Case{0x1p-130, 0x1p100}, {0x1p100, 0x1p-130}, {0x1p-70, 0x1p-70}})
		for (const int64_t m : {int64_t{8}, int64_t{9}, int64_t{200}}) {
			const Operand out(random, UNPU_DTYPE_F32, {m, 20}, false, false);
			const Operand self(random, UNPU_DTYPE_BF16, {m, 40}, false, false);
			const Operand mat(random, UNPU_DTYPE_BF16, {40, 20}, false, false);
			for_each(self.dims(),
				 [&, one = one](const Dims &at) { self.set(at, one); });
			for_each(mat.dims(),
				 [&, other = other](const Dims &at) { mat.set(at, other); });
			run(random, CallBuilder(UNPU_TENSOR_MATMUL, UNPU_DTYPE_F32)
					    .add(0, out)
					    .add(1, self)
					    .add(2, mat)
					    .call);
			for_each(out.dims(), [&, one = one, other = other](const Dims &at) {
				EXPECT_EQ(out.get(at), 40 * one * other) << m;
			});
		}
}

/* A system of equations: the triangle of A, with NaN in the other half, and B. */
struct System {
	System(Random &random, const Dims &batch, int64_t n, int64_t k)
		: is_upper(random() % 2), is_transposed(random() % 2), is_unit(random() % 2),
		  x(random_matrix(random, floats[random() % 3], batch, n, k, true)),
		  b(random_matrix(random, floats[random() % 3], batch, n, k, false)),
		  a(random, floats[random() % 3], with(batch, n, n), random() % 2, false),
		  copy(random, a.view.dtype, with(batch, n, n), random() % 2, false)
	{
		fill(random, b, 1, false);
		for_each(a.dims(), [&](const Dims &at) {
			const int64_t i = at[at.size() - 2], j = at.back();
			const double value = static_cast<double>(random() % 64) / 64 - 0.5;
			if (i == j)
				a.set(at, is_unit ? NAN : 1 + value);
			else
				a.set(at, (i < j) == is_upper ? value / 8 : NAN);
		});
	}

	static Dims with(Dims batch, int64_t m, int64_t n)
	{
		batch.push_back(m);
		batch.push_back(n);
		return batch;
	}

	CallBuilder &call(CallBuilder &builder) const
	{
		return builder.add(0, x)
			.add(1, copy)
			.add(2, b)
			.add(3, a)
			.integer(is_upper)
			.integer(is_transposed)
			.integer(is_unit);
	}

	/* solve() - column @at of X, in the order and the precision that the kernel promises. */
	std::vector<float> solve(Dims at) const
	{
		const bool is_backward = is_upper != is_transposed;
		const int64_t n = a.view.dims[a.view.ndim - 1];
		const size_t row = at.size() - 2, column = row + 1;
		std::vector<float> solved(static_cast<size_t>(n));
		for (int64_t k = 0; k < n; k++) {
			const int64_t i = is_backward ? n - 1 - k : k;
			Dims in_a = at;
			const auto entry = [&](int64_t j) {
				in_a[row] = is_transposed ? j : i;
				in_a[column] = is_transposed ? i : j;
				return static_cast<float>(a.get(in_a));
			};
			float sum = 0;
			for (int64_t j = is_backward ? i + 1 : 0; j < (is_backward ? n : i); j++)
				sum += entry(j) * solved[static_cast<size_t>(j)];
			at[row] = i;
			const float rest = static_cast<float>(b.get(at)) - sum;
			solved[static_cast<size_t>(i)] = is_unit ? rest : rest / entry(i);
		}
		return solved;
	}

	bool is_upper, is_transposed, is_unit;
	Operand x, b, a, copy;
};

/* The bits of an element as its type has it. */
uint64_t bits_of(const Operand &operand, const Dims &at)
{
	uint64_t bits = 0;
	std::memcpy(&bits, operand.place(at), element_bits(operand.view.dtype) / 8);
	return bits;
}

TEST(Matrix, TriangularSolve)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100) && !HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const bool is_large = i % 64 == 0;
		const Dims batch = random_dims(random, is_large ? 0 : 6, 12);
		const auto n = static_cast<int64_t>(random() % (is_large ? 100 : 12));
		const auto k = static_cast<int64_t>(random() % (is_large ? 300 : 12));
		const System system(random, batch, n, k);
		const auto outside = bytes_outside(system.x);
		CallBuilder builder(UNPU_TENSOR_TRIANGULAR_SOLVE, UNPU_DTYPE_F32);
		run(random, system.call(builder).call);
		for_each(system.copy.dims(), [&](const Dims &at) {
			ASSERT_EQ(bits_of(system.copy, at), bits_of(system.a, at));
		});
		for_each(system.x.dims(), [&](Dims at) {
			if (at[at.size() - 2] != 0)
				return;
			const std::vector<float> wanted = system.solve(at);
			for (int64_t row = 0; row < n; row++) {
				at[at.size() - 2] = row;
				double rounded;
				std::byte bytes[4];
				const float exact = wanted[static_cast<size_t>(row)];
				store_row<float>(system.x.view.dtype, bytes, 0, 1, &exact);
				load_row<double>(system.x.view.dtype, bytes, 0, 1, &rounded);
				ASSERT_EQ(system.x.get(at), rounded);
			}
		});
		ASSERT_EQ(bytes_outside(system.x), outside);
	}
}

/* weight_of() - an element of I8 or I4. */
double weight_of(const Operand &weight, int64_t k, int64_t n)
{
	const View &view = weight.view;
	const int64_t at = k * view.strides[0] + n * view.strides[1];
	if (view.dtype == UNPU_DTYPE_I8)
		return static_cast<int8_t>(view.data[at]);
	const unsigned both = std::to_integer<unsigned>(view.data[at >> 1]);
	const unsigned nibble = at & 1 ? both >> 4 : both & 15;
	return nibble < 8 ? nibble : static_cast<double>(nibble) - 16;
}

/* A product with quantised weights of random sizes. */
struct QuantProduct {
	QuantProduct(Random &random, int64_t m, int64_t k, int64_t n, int64_t rows_of_scales,
		     int64_t group_size)
		: group(group_size), y(random_matrix(random, floats[random() % 3], {}, m, n, true)),
		  x(random_matrix(random, floats[random() % 3], {}, m, k, false)),
		  weight(random_matrix(random, types[random() % 2], {}, k, n, random() % 2)),
		  scale(random_matrix(random, floats[random() % 3], {}, rows_of_scales, n, false)),
		  offset(random_matrix(random, floats[random() % 3], {}, rows_of_scales, n, false)),
		  bias(random, floats[random() % 3], {n}, random() % 2, true),
		  has_offset(random() % 2), has_bias(random() % 2)
	{
		fill(random, x, 1, false);
		fill(random, scale, 0.1, false);
		fill(random, offset, 8, false);
		fill(random, bias, 1, false);
		if (random() % 2)
			transpose_weights();
	}

	/* The weights of a column side by side, as a program has them that transposes a view. */
	void transpose_weights()
	{
		const int64_t k = weight.view.dims[0], n = weight.view.dims[1];
		weight = Operand(noise, weight.view.dtype, {n, k}, false, false);
		std::swap(weight.view.dims[0], weight.view.dims[1]);
		std::swap(weight.view.strides[0], weight.view.strides[1]);
	}

	CallBuilder &call(CallBuilder &builder) const
	{
		builder.add(0, y).add(1, x).add(2, weight).add(3, scale);
		if (has_offset)
			builder.add(4, offset);
		if (has_bias)
			builder.add(5, bias);
		return builder.integer(group);
	}

	/* @magnitude: the sum of the terms' absolute values */
	double expected(const Dims &at, double &magnitude) const
	{
		double sum = has_bias ? bias.get({at[1]}) : 0;
		magnitude = std::fabs(sum);
		for (int64_t k = 0; k < x.view.dims[1]; k++) {
			const int64_t row = scale.view.dims[0] == 1 ? 0 : k / group;
			double w = weight_of(weight, k, at[1]);
			w += has_offset ? offset.get({row, at[1]}) : 0;
			const double term = x.get({at[0], k}) * w * scale.get({row, at[1]});
			sum += term;
			magnitude += std::fabs(term);
		}
		return sum;
	}

	static constexpr uint32_t types[] = {UNPU_DTYPE_I8, UNPU_DTYPE_I4};
	Random noise;
	int64_t group;
	Operand y, x, weight, scale, offset, bias;
	bool has_offset, has_bias;
};

TEST(Matrix, QuantMatMul)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100) && !HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const bool is_tall = i % 64 == 0, is_wide = i % 64 == 1, is_deep = i % 64 == 2;
		const auto m = static_cast<int64_t>(random() % (is_tall ? 300 : 12));
		const auto n = static_cast<int64_t>(random() % (is_wide ? 300 : 12));
		const auto k = static_cast<int64_t>(random() % (is_deep ? 4000 : 80));
		const auto group = static_cast<int64_t>(random() % (k + 2));
		const bool is_whole = group == 0 || random() % 4 == 0;
		const int64_t groups = is_whole ? 1 : (k + group - 1) / group;
		const QuantProduct product(random, m, k, n, groups,
					   is_whole && group ? k + group : group);
		const auto outside = bytes_outside(product.y);
		CallBuilder builder(UNPU_TENSOR_QUANT_MATMUL, UNPU_DTYPE_F32);
		run(random, product.call(builder).call);
		double error = 0, square = 0, terms = 0;
		for_each(product.y.dims(), [&](const Dims &at) {
			double magnitude;
			const double wanted = product.expected(at, magnitude);
			const double difference = product.y.get(at) - wanted;
			error += difference * difference;
			square += wanted * wanted;
			terms += magnitude * magnitude;
		});
		/* Half a unit in the last place, and the error of sums in F32. */
		const double limit = product.y.view.dtype == UNPU_DTYPE_BF16 ? 0x1p-16 : 0x1p-22;
		ASSERT_LE(error, limit * square + 1e-12 * terms);
		ASSERT_EQ(bytes_outside(product.y), outside);
	}
}

TEST(Matrix, RefusesWhatDoesNotBelongTogether)
{
	Random random(seed());
	constexpr uint32_t F32 = UNPU_DTYPE_F32;
	const Operand two(random, F32, {2, 2}, false, false);
	const Operand wide(random, F32, {2, 3}, false, false);
	const Operand tall(random, F32, {3, 2}, false, false);
	const Operand line(random, F32, {2}, false, false);
	const Operand batch(random, F32, {2, 2, 2}, false, false);
	const Operand integers(random, UNPU_DTYPE_I32, {2, 2}, false, false);
	const auto refused = [](const Operand &out, const Operand &self, const Operand &other) {
		CallBuilder call(UNPU_TENSOR_MATMUL, UNPU_DTYPE_F32);
		call.add(0, out).add(1, self).add(2, other);
		return !find_kernel(UNPU_TENSOR_MATMUL)->check(call.call);
	};
	EXPECT_FALSE(refused(two, wide, tall));
	EXPECT_TRUE(refused(two, wide, wide));
	EXPECT_TRUE(refused(wide, wide, tall));
	EXPECT_TRUE(refused(two, batch, two));
	EXPECT_TRUE(refused(line, line, line));
	EXPECT_TRUE(refused(two, integers, two));
}

TEST(Matrix, RefusesSystemsThatDoNotBelongTogether)
{
	Random random(seed());
	constexpr uint32_t F32 = UNPU_DTYPE_F32;
	const Operand two(random, F32, {2, 2}, false, false);
	const Operand wide(random, F32, {2, 3}, false, false);
	const Operand line(random, F32, {2}, false, false);
	const Operand batch(random, F32, {2, 2, 2}, false, false);
	const Operand half(random, UNPU_DTYPE_F16, {2, 2}, false, false);
	const Operand integers(random, UNPU_DTYPE_I32, {2, 2}, false, false);
	const auto refused = [](const Operand &x, const Operand &copy, const Operand &b,
				const Operand &a) {
		CallBuilder call(UNPU_TENSOR_TRIANGULAR_SOLVE, UNPU_DTYPE_F32);
		call.add(0, x).add(1, copy).add(2, b).add(3, a).integer(0).integer(0).integer(0);
		return !find_kernel(UNPU_TENSOR_TRIANGULAR_SOLVE)->check(call.call);
	};
	EXPECT_FALSE(refused(wide, two, wide, two));
	EXPECT_FALSE(refused(half, two, two, two));
	EXPECT_TRUE(refused(wide, two, two, two));
	EXPECT_TRUE(refused(wide, wide, wide, wide));
	EXPECT_TRUE(refused(wide, two, wide, wide));
	EXPECT_TRUE(refused(wide, half, wide, two));
	EXPECT_TRUE(refused(wide, batch, wide, two));
	EXPECT_TRUE(refused(line, line, line, line));
	EXPECT_TRUE(refused(two, integers, two, integers));
	EXPECT_TRUE(refused(integers, two, two, two));
	Operand huge = two;
	huge.view.dims = {(1 << 20) + 1, (1 << 20) + 1};
	EXPECT_TRUE(refused(huge, huge, huge, huge));
}

TEST(Matrix, RefusesWeightsThatDoNotBelongTogether)
{
	Random random(seed());
	constexpr uint32_t F16 = UNPU_DTYPE_F16, I8 = UNPU_DTYPE_I8;
	const Operand y(random, F16, {3, 5}, false, false);
	const Operand x(random, F16, {3, 8}, false, false);
	const Operand weight(random, I8, {8, 5}, false, false);
	const Operand scale(random, F16, {2, 5}, false, false);
	const Operand bias(random, F16, {5}, false, false);
	const Operand cube(random, F16, {3, 5, 8}, false, false);
	struct Parts {
		Operand y, x, weight, scale, offset, bias;
		int64_t group;
	};
	const auto refused = [&](auto change) {
		Parts parts{y, x, weight, scale, scale, bias, 4};
		change(parts);
		CallBuilder call(UNPU_TENSOR_QUANT_MATMUL, UNPU_DTYPE_F32);
		call.add(0, parts.y).add(1, parts.x).add(2, parts.weight).add(3, parts.scale);
		call.add(4, parts.offset).add(5, parts.bias).integer(parts.group);
		return !find_kernel(UNPU_TENSOR_QUANT_MATMUL)->check(call.call);
	};
	EXPECT_FALSE(refused([](Parts &) {}));
	EXPECT_FALSE(refused([](Parts &p) { p.group = 7; }));
	EXPECT_TRUE(refused([](Parts &p) { p.group = 3; }));
	EXPECT_TRUE(refused([](Parts &p) { p.group = 8; }));
	EXPECT_TRUE(refused([](Parts &p) { p.group = 0; }));
	EXPECT_TRUE(refused([](Parts &p) { p.group = -4; }));
	EXPECT_TRUE(refused([](Parts &p) { p.group = INT64_MIN; }));
	EXPECT_TRUE(refused([](Parts &p) { p.group = INT64_MAX; }));
	EXPECT_TRUE(refused([](Parts &p) { p.y.view.dims[0] = 4; }));
	EXPECT_TRUE(refused([](Parts &p) { p.y.view.dims[1] = 6; }));
	EXPECT_TRUE(refused([](Parts &p) { p.x.view.dims[1] = 9; }));
	EXPECT_TRUE(refused([](Parts &p) { p.scale.view.dims[0] = 3; }));
	EXPECT_TRUE(refused([](Parts &p) { p.scale.view.dims[1] = 4; }));
	EXPECT_TRUE(refused([](Parts &p) { p.offset.view.dims[0] = 1; }));
	EXPECT_TRUE(refused([](Parts &p) { p.bias.view.dims[0] = 4; }));
	EXPECT_TRUE(refused([&](Parts &p) { p.bias = scale; }));
	EXPECT_TRUE(refused([&](Parts &p) { p.x = cube; }));
	EXPECT_TRUE(refused([&](Parts &p) { p.weight = cube; }));
	for (Operand Parts::*part :
	     {&Parts::y, &Parts::x, &Parts::scale, &Parts::offset, &Parts::bias})
		EXPECT_TRUE(refused([&](Parts &p) { (p.*part).view.dtype = UNPU_DTYPE_I32; }));
	EXPECT_TRUE(refused([](Parts &p) { p.weight.view.dtype = UNPU_DTYPE_U8; }));
}

} // namespace
