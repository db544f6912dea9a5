// SPDX-License-Identifier: MIT
/*
 * DOC: Reduction kernels, tested
 *
 * Random shapes, strides and types against naive loops in double.
 */
#include <functional>
#include <numeric>

#include "random_call.h"

namespace {

using namespace random_call;

constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};
constexpr double CLOSE = 1e-8;

void repeat(unsigned usual, const std::function<void(Random &, unsigned)> &one)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(usual) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		one(random, i);
	}
}

/* group() - the elements that each result of shape @result reduces, in row-major order. */
std::vector<std::vector<double>> group(const Operand &self, const Dims &result)
{
	size_t count = 1;
	for (const int64_t dim : result)
		count *= static_cast<size_t>(dim);
	std::vector<std::vector<double>> groups(count);
	const Dims dims = self.dims();
	for_each(dims, [&](const Dims &at) {
		size_t number = 0;
		for (size_t d = 0; d < dims.size(); d++) {
			const int64_t place = result[d] == dims[d] ? at[d] : 0;
			number = number * static_cast<size_t>(result[d]) +
				 static_cast<size_t>(place);
		}
		groups[number].push_back(self.get(at));
	});
	return groups;
}

/* test_reduced() - a kind that reduces some dims. @expected: the result of the elements as double
 * @configure: adds attributes */
template <class Expected, class Configure>
void test_reduced(uint32_t kind, uint32_t compute, double limit, Expected expected,
		  Configure configure)
{
	repeat(100, [&](Random &random, unsigned i) {
		const Dims dims = random_dims(random, 8, i % 16 ? 600 : 40000);
		Dims result = dims;
		for (int64_t &dim : result)
			dim = random() % 2 ? 1 : dim;
		const bool is_whole = compute == UNPU_DTYPE_I64;
		const uint32_t dtype = is_whole ? uint32_t{UNPU_DTYPE_I32} : floats[random() % 3];
		const Operand out(random, is_whole ? UNPU_DTYPE_I64 : UNPU_DTYPE_F32, result,
				  random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		if (!is_whole)
			fill(random, self, 4, random() % 8 == 0);
		const auto outside = bytes_outside(out);
		CallBuilder builder(kind, compute);
		builder.add(0, out).add(1, self);
		configure(builder);
		run(random, builder.call);
		Comparison comparison;
		const std::vector<std::vector<double>> groups = group(self, result);
		size_t number = 0;
		for_each(result, [&](const Dims &at) {
			comparison.add(out.get(at), expected(groups[number++]), out.view.dtype);
		});
		ASSERT_LE(comparison.nmse(), limit);
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

double sum(const std::vector<double> &elements)
{
	return std::accumulate(elements.begin(), elements.end(), 0.0);
}

TEST(Reduction, Sums)
{
	const auto none = [](CallBuilder &) {};
	/* A sum near zero has a great relative error. */
	const auto shifted = [](const std::vector<double> &e) { return sum(e); };
	test_reduced(UNPU_TENSOR_REDUCE_SUM, UNPU_DTYPE_F32, 1e-6, shifted, none);
	test_reduced(UNPU_TENSOR_REDUCE_SUM, UNPU_DTYPE_I64, 0, sum, none);
}

TEST(Reduction, Means)
{
	test_reduced(
		UNPU_TENSOR_MEAN, UNPU_DTYPE_F32, 1e-6,
		[](const std::vector<double> &e) { return sum(e) / static_cast<double>(e.size()); },
		[](CallBuilder &) {});
}

TEST(Reduction, Norms)
{
	for (const double p : {2.0, 1.0, 0.0, 3.0, HUGE_VAL, -HUGE_VAL}) {
		SCOPED_TRACE("p = " + std::to_string(p));
		test_reduced(
			UNPU_TENSOR_NORM, UNPU_DTYPE_F32, CLOSE,
			[p](const std::vector<double> &elements) {
				double total = p == -HUGE_VAL ? HUGE_VAL : 0;
				for (const double element : elements) {
					const double size = std::fabs(element);
					if (p == 0)
						total += size != 0;
					else if (std::isinf(p) && std::isnan(size))
						return double(NAN);
					else if (std::isinf(p))
						total = p > 0 ? std::max(total, size)
							      : std::min(total, size);
					else
						total += std::pow(size, p);
				}
				return p == 0 || std::isinf(p) ? total : std::pow(total, 1 / p);
			},
			[p](CallBuilder &builder) { builder.scalar(p); });
	}
}

TEST(Reduction, CumulativeSums)
{
	repeat(100, [](Random &random, unsigned i) {
		Dims dims = random_dims(random, 6, 30);
		dims.push_back(1 + static_cast<int64_t>(random() % (i % 16 ? 40 : 3000)));
		const uint32_t dtype = floats[random() % 3];
		const Operand out(random, UNPU_DTYPE_F32, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		for_each(dims, [&](const Dims &at) {
			self.set(at, static_cast<double>(random() % 1000) / 1000);
		});
		CallBuilder builder(UNPU_TENSOR_CUMSUM, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).add(1, self).call);
		Comparison comparison;
		double total = 0;
		for_each(dims, [&](const Dims &at) {
			total = at.back() == 0 ? self.get(at) : total + self.get(at);
			comparison.add(out.get(at), total, UNPU_DTYPE_F32);
		});
		ASSERT_LE(comparison.nmse(), CLOSE);
	});
}

/* greater() - the order in which a NaN is greater than every number. */
bool greater(double a, double b)
{
	if (std::isnan(a) || std::isnan(b))
		return std::isnan(a) && !std::isnan(b);
	return a > b;
}

TEST(Reduction, ArgMaxFindsTheFirst)
{
	repeat(100, [](Random &random, unsigned i) {
		Dims dims = random_dims(random, 6, 30);
		dims.push_back(1 + static_cast<int64_t>(random() % (i % 16 ? 40 : 3000)));
		Dims result = dims;
		result.back() = 1;
		const uint32_t dtype = floats[random() % 3];
		const uint32_t to = random() % 2 ? UNPU_DTYPE_I32 : UNPU_DTYPE_I64;
		const Operand out(random, to, result, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		fill(random, self, 2, random() % 2);
		CallBuilder builder(UNPU_TENSOR_ARGMAX, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).add(1, self).call);
		for_each(result, [&](Dims at) {
			const Dims place = at;
			int64_t best = 0;
			double most = 0;
			for (int64_t k = 0; k < dims.back(); k++) {
				at.back() = k;
				if (k > 0 && !greater(self.get(at), most))
					continue;
				most = self.get(at);
				best = k;
			}
			ASSERT_EQ(out.get(place), static_cast<double>(best));
		});
	});
}

TEST(Reduction, ArgSortIsStable)
{
	repeat(100, [](Random &random, unsigned i) {
		Dims dims = random_dims(random, 6, 30);
		dims.push_back(1 + static_cast<int64_t>(random() % (i % 16 ? 40 : 3000)));
		const uint32_t dtype = i % 2 ? floats[random() % 3] : uint32_t{UNPU_DTYPE_I8};
		const uint32_t to = random() % 2 ? UNPU_DTYPE_I32 : UNPU_DTYPE_I64;
		const Operand out(random, to, dims, random() % 2, false);
		const Operand self(random, dtype, dims, random() % 2, true);
		if (i % 2)
			fill(random, self, 2, random() % 2);
		const bool descending = random() % 2;
		CallBuilder builder(UNPU_TENSOR_ARGSORT, i % 2 ? UNPU_DTYPE_F32 : UNPU_DTYPE_I64);
		run(random, builder.add(0, out).add(1, self).integer(descending).call);
		Dims rows = dims;
		rows.back() = 1;
		for_each(rows, [&](Dims at) {
			std::vector<int64_t> order(static_cast<size_t>(dims.back()));
			std::iota(order.begin(), order.end(), 0);
			const auto value = [&](int64_t k) {
				at.back() = k;
				return self.get(at);
			};
			std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
				return descending ? greater(value(a), value(b))
						  : greater(value(b), value(a));
			});
			for (int64_t k = 0; k < dims.back(); k++) {
				at.back() = k;
				ASSERT_EQ(out.get(at), static_cast<double>(order[k]));
			}
		});
	});
}

TEST(Reduction, Softmax)
{
	repeat(100, [](Random &random, unsigned i) {
		Dims dims = random_dims(random, 6, 30);
		dims.push_back(1 + static_cast<int64_t>(random() % (i % 16 ? 40 : 20000)));
		const uint32_t dtype = floats[random() % 3];
		const Operand out(random, dtype, dims, random() % 2, false);
		const Operand other(random, dtype, dims, random() % 2, true);
		const Operand &self = random() % 4 ? other : out;
		fill(random, self, 20, random() % 8 == 0);
		for_each(dims, [&](const Dims &at) {
			if (random() % 8 == 0)
				self.set(at, -HUGE_VAL);
		});
		std::vector<double> values;
		for_each(dims, [&](const Dims &at) { values.push_back(self.get(at)); });
		CallBuilder builder(UNPU_TENSOR_SOFTMAX, UNPU_DTYPE_F32);
		run(random, builder.add(0, out).add(1, self).call);
		Comparison comparison;
		size_t number = 0;
		double top = 0, total = 0;
		const auto length = static_cast<size_t>(dims.back());
		for_each(dims, [&](const Dims &at) {
			if (number % length == 0) {
				const double *row = &values[number];
				top = -HUGE_VAL;
				total = 0;
				for (size_t k = 0; k < length; k++)
					top = std::isnan(row[k]) || std::isnan(top)
						      ? NAN
						      : std::max(top, row[k]);
				for (size_t k = 0; k < length; k++)
					total += std::exp(row[k] - top);
			}
			const double expected = std::exp(values[number++] - top) / total;
			/* What is below the range of F32 may be lost. */
			if (!(expected < 1e-30))
				comparison.add(out.get(at), expected, dtype);
		});
		ASSERT_LE(comparison.nmse(), 1e-7);
	});
}

TEST(Reduction, CrossEntropy)
{
	repeat(100, [](Random &random, unsigned i) {
		const Dims dims = {1 + static_cast<int64_t>(random() % 20),
				   1 + static_cast<int64_t>(random() % (i % 16 ? 40 : 9000))};
		const Operand loss(random, UNPU_DTYPE_F32, {dims[0]}, random() % 2, false);
		const Operand back(random, UNPU_DTYPE_F32, dims, random() % 2, false);
		const Operand features(random, UNPU_DTYPE_F32, dims, random() % 2, true);
		const Operand labels(random, UNPU_DTYPE_F32, dims, random() % 2, true);
		fill(random, features, 5, false);
		for_each(dims, [&](const Dims &at) {
			labels.set(at, static_cast<double>(random() % 100) / 100);
		});
		CallBuilder builder(UNPU_TENSOR_CROSS_ENTROPY, UNPU_DTYPE_F32);
		builder.add(0, loss).add(1, back).add(2, features).add(3, labels);
		run(random, builder.call);
		Comparison losses;
		for (int64_t r = 0; r < dims[0]; r++) {
			double total = 0, expected = 0;
			for (int64_t c = 0; c < dims[1]; c++)
				total += std::exp(features.get({r, c}));
			for (int64_t c = 0; c < dims[1]; c++) {
				const double share = std::exp(features.get({r, c})) / total;
				expected -= labels.get({r, c}) * std::log(share);
				EXPECT_NEAR(back.get({r, c}), share - labels.get({r, c}), 1e-6);
			}
			losses.add(loss.get({r}), expected, UNPU_DTYPE_F32);
		}
		ASSERT_LE(losses.nmse(), CLOSE);
	});
}

TEST(Reduction, RefusesWhatDoesNotBelongTogether)
{
	Random random(seed());
	constexpr uint32_t F32 = UNPU_DTYPE_F32;
	const Operand two(random, F32, {2, 2}, false, false);
	const Operand three(random, F32, {2, 3}, false, false);
	const Operand one(random, F32, {2, 1}, false, false);
	const Operand line(random, F32, {2}, false, false);
	const Operand index(random, UNPU_DTYPE_I32, {2, 1}, false, false);
	const Operand empty(random, F32, {2, 0}, false, false);
	const auto refused = [](const CallBuilder &builder) {
		return !find_kernel(builder.call.kind)->check(builder.call);
	};
	const auto call = [](uint32_t kind) { return CallBuilder(kind, F32); };

	EXPECT_TRUE(refused(call(UNPU_TENSOR_REDUCE_SUM).add(0, two).add(1, three)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_REDUCE_SUM).add(0, line).add(1, three)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_MEAN).add(0, one)));
	EXPECT_TRUE(refused(CallBuilder(UNPU_TENSOR_NORM, 0).add(0, one).add(1, two).scalar(2)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_CUMSUM).add(0, two).add(1, three)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_ARGMAX).add(0, one).add(1, three)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_ARGMAX).add(0, index).add(1, empty)));
	EXPECT_FALSE(refused(call(UNPU_TENSOR_ARGMAX).add(0, index).add(1, three)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_ARGSORT).add(0, index).add(1, three).integer(0)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_SOFTMAX).add(0, two).add(1, three)));
	EXPECT_TRUE(refused(call(UNPU_TENSOR_CROSS_ENTROPY)
				    .add(0, line)
				    .add(1, two)
				    .add(2, two)
				    .add(3, three)));
	EXPECT_TRUE(refused(
		call(UNPU_TENSOR_CROSS_ENTROPY).add(0, two).add(1, two).add(2, two).add(3, two)));
}

} // namespace
