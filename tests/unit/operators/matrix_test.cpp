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

} // namespace
