// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels of pools and IM2COL, tested
 *
 * Random windows, strides and types against naive loops in double.
 */
#include <functional>

#include "random_window.h"

namespace {

using namespace random_window;

constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};

/* One pool of random sizes. */
struct Pool {
	Pool(Random &random, bool wants_mean, bool is_large)
		: is_mean(wants_mean), rounds_up(random() % 2), counts_padding(random() % 2),
		  divisor(random() % 4 ? 0 : static_cast<int64_t>(random() % 7) - 3),
		  high(axis(random, 5, {is_mean, !is_mean, rounds_up})),
		  wide(axis(random, is_large ? 1500 : 5, {is_mean, !is_mean, rounds_up})),
		  out(random, floats[random() % 3], {2, 3, high.positions, wide.positions},
		      random() % 2, false),
		  self(random, floats[random() % 3], {2, 3, high.size, wide.size}, random() % 2,
		       true)
	{
	}

	CallBuilder &call(CallBuilder &builder) const
	{
		const auto bits = [](int64_t value) { return static_cast<uint64_t>(value); };
		builder.add(0, out).add(1, self);
		builder.words(pair(high.kernel, wide.kernel)).words(pair(high.stride, wide.stride));
		if (is_mean)
			return builder.words(pair(high.low, wide.low))
				.integer(rounds_up)
				.integer(counts_padding)
				.integer(divisor);
		return builder
			.words({bits(high.low), bits(wide.low), bits(high.high), bits(wide.high)})
			.words(pair(high.dilation, wide.dilation))
			.integer(rounds_up);
	}

	/* visit() - calls @take with each element of a window. */
	void visit(const Dims &at, const std::function<void(double)> &take) const
	{
		for (int64_t kh = 0; kh < high.kernel; kh++)
			for (int64_t kw = 0; kw < wide.kernel; kw++) {
				const int64_t y = random_window::at(high, at[2], kh);
				const int64_t x = random_window::at(wide, at[3], kw);
				if (is_inside(high, y) && is_inside(wide, x))
					take(self.get({at[0], at[1], y, x}));
			}
	}

	/* length() - elements of a window along one dim, those of the padding counted. */
	static int64_t length(const Axis &axis, int64_t position)
	{
		const int64_t start = position * axis.stride - axis.low;
		return std::min(axis.kernel, axis.size + axis.high - start);
	}

	double mean(const Dims &at) const
	{
		double sum = 0, count = 0;
		visit(at, [&](double value) {
			sum += value;
			count++;
		});
		if (count == 0)
			return 0;
		if (divisor != 0)
			return sum / static_cast<double>(divisor);
		if (counts_padding)
			count = static_cast<double>(length(high, at[2]) * length(wide, at[3]));
		return sum / count;
	}

	double maximum(const Dims &at) const
	{
		double top = -INFINITY;
		visit(at, [&](double value) {
			if (value > top || std::isnan(value))
				top = value;
		});
		return top;
	}

	bool is_mean, rounds_up, counts_padding;
	int64_t divisor;
	Axis high, wide;
	Operand out, self;
};

void test_pools(bool is_mean, double limit)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Pool pool(random, is_mean, i % 64 == 0);
		fill(random, pool.self, 4, random() % 4 == 0);
		const auto outside = bytes_outside(pool.out);
		CallBuilder builder(is_mean ? UNPU_TENSOR_AVG_POOL : UNPU_TENSOR_MAX_POOL,
				    UNPU_DTYPE_F32);
		run(random, pool.call(builder).call);
		Comparison comparison;
		for_each(pool.out.dims(), [&](const Dims &at) {
			comparison.add(pool.out.get(at), is_mean ? pool.mean(at) : pool.maximum(at),
				       pool.out.view.dtype);
		});
		ASSERT_LE(comparison.nmse(), limit);
		ASSERT_EQ(bytes_outside(pool.out), outside);
	}
}

TEST(Pool, Mean)
{
	test_pools(true, 1e-12);
}

TEST(Pool, Maximum)
{
	test_pools(false, 0);
}

/* Windows that share most of their elements: each column is added up once. Maxima too, where they are too long for one
 * line. A few results are compared. */
TEST(Pool, LongWindowsAreComputedByColumns)
{
	for (const bool is_mean : {true, false}) {
		Random random(seed() + is_mean);
		Pool pool(random, is_mean, false);
		const Axis high = {12, 10, 1, 1, 1, 1, 5}, wide = {5000, 3500, 1, 2, 2, 1, 1505};
		pool.high = high;
		pool.wide = wide;
		const Operand self(random, UNPU_DTYPE_BF16, {1, 1, 12, 5000}, true, false);
		const Operand out(random, UNPU_DTYPE_F32, {1, 1, 5, 1505}, true, false);
		pool.self = self;
		pool.out = out;
		fill(random, self, 4, false);
		self.set({0, 0, 1, 4000}, NAN);
		CallBuilder builder(is_mean ? UNPU_TENSOR_AVG_POOL : UNPU_TENSOR_MAX_POOL,
				    UNPU_DTYPE_F32);
		const Call &call = pool.call(builder).call;
		/* The windows of a row have 53 million elements, the whole operand 60 thousand. */
		EXPECT_LT(find_kernel(call.kind)->cost_bytes(call), uint64_t{200} << 20);
		run(random, call);
		Comparison comparison;
		for (const int64_t y : {0, 2, 4})
			for (const int64_t x : {0, 700, 1023, 1024, 1504}) {
				const Dims at = {0, 0, y, x};
				comparison.add(out.get(at),
					       is_mean ? pool.mean(at) : pool.maximum(at),
					       UNPU_DTYPE_F32);
			}
		EXPECT_LE(comparison.nmse(), 1e-12);
	}
}

/* A good call whose parts a test changes. */
struct Parts {
	Dims out, self;
	std::vector<int64_t> first, second, third, fourth;
	uint32_t out_type = UNPU_DTYPE_F32, self_type = UNPU_DTYPE_F32;
};

std::vector<uint64_t> words_of(const std::vector<int64_t> &values)
{
	return {values.begin(), values.end()};
}

bool is_refused(uint32_t kind, const Parts &parts)
{
	Random random(1);
	Operand out(random, parts.out_type, {1}, false, false);
	Operand self(random, parts.self_type, {1}, false, false);
	for (const auto &[operand, dims] : {std::pair{&out, &parts.out}, {&self, &parts.self}}) {
		operand->view.ndim = static_cast<unsigned>(dims->size());
		std::copy(dims->begin(), dims->end(), operand->view.dims.begin());
	}
	CallBuilder builder(kind);
	builder.add(0, out).add(1, self);
	for (const auto *values : {&parts.first, &parts.second, &parts.third, &parts.fourth})
		if (!values->empty() || values != &parts.fourth)
			builder.words(words_of(*values));
	if (kind == UNPU_TENSOR_AVG_POOL)
		builder.integer(0).integer(0).integer(0);
	else if (kind == UNPU_TENSOR_MAX_POOL)
		builder.integer(0);
	return !find_kernel(kind)->check(builder.call);
}

/* hostile() - what no number of a window may be. */
constexpr int64_t hostile[] = {0,
			       -1,
			       INT64_MIN,
			       INT64_MAX,
			       INT64_MIN + 1,
			       int64_t{1} << 31,
			       int64_t{1} << 32,
			       int64_t{1} << 62};

void test_refusals(uint32_t kind, const Parts &good)
{
	EXPECT_FALSE(is_refused(kind, good));
	const auto changed = [&](auto change) {
		Parts parts = good;
		change(parts);
		return is_refused(kind, parts);
	};
	for (std::vector<int64_t> Parts::*part :
	     {&Parts::first, &Parts::second, &Parts::third, &Parts::fourth}) {
		if ((good.*part).empty())
			continue;
		EXPECT_TRUE(changed([&](Parts &p) { (p.*part).push_back(1); }));
		EXPECT_TRUE(changed([&](Parts &p) { (p.*part).clear(); }));
		for (size_t i = 0; i < (good.*part).size(); i++)
			for (const int64_t value : hostile)
				EXPECT_EQ(changed([&](Parts &p) { (p.*part)[i] = value; }),
					  value != (good.*part)[i])
					<< i << " " << value;
	}
	for (size_t d = 0; d < good.out.size(); d++)
		EXPECT_TRUE(changed([&](Parts &p) { p.out[d]++; }));
	for (size_t d = 0; d < 2; d++)
		EXPECT_TRUE(changed([&](Parts &p) { p.self[d]++; }));
	for (size_t d = 2; d < 4; d++)
		EXPECT_TRUE(changed([&](Parts &p) { p.self[d] = int64_t{1} << 40; }));
	EXPECT_TRUE(changed([&](Parts &p) { p.out.push_back(1); }));
	EXPECT_TRUE(changed([&](Parts &p) { p.self.push_back(1); }));
	EXPECT_TRUE(changed([&](Parts &p) { p.out.pop_back(); }));
	EXPECT_TRUE(changed([&](Parts &p) { p.out_type = UNPU_DTYPE_I32; }));
	EXPECT_TRUE(changed([&](Parts &p) { p.self_type = UNPU_DTYPE_I4; }));
}

TEST(Pool, RefusesWhatDoesNotBelongTogether)
{
	const Parts good{{2, 3, 2, 2}, {2, 3, 5, 5}, {2, 3}, {3, 2}, {0, 0}, {}};
	test_refusals(UNPU_TENSOR_AVG_POOL, good);
	const Parts dilated{{2, 3, 2, 1}, {2, 3, 5, 5}, {2, 3}, {3, 2}, {0, 0, 0, 0}, {1, 2}};
	test_refusals(UNPU_TENSOR_MAX_POOL, dilated);
}

TEST(Im2col, RefusesWhatDoesNotBelongTogether)
{
	const Parts good{{2, 18, 2}, {2, 3, 5, 5}, {2, 3}, {1, 2}, {0, 0}, {3, 2}};
	test_refusals(UNPU_TENSOR_IM2COL, good);
}

TEST(Im2col, EqualsNaiveLoop)
{
	constexpr uint32_t types[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_U8,
				      UNPU_DTYPE_F64};
	Random random(seed());
	for (unsigned i = 0; i < cases(100) && !HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Axis high = axis(random, 4, {true, true, false}),
			   wide = axis(random, 4, {true, true, false});
		const auto n = static_cast<int64_t>(random() % 3);
		const int64_t c = i % 64 ? static_cast<int64_t>(random() % 4) : 100;
		const int64_t window = high.kernel * wide.kernel;
		const uint32_t dtype = types[random() % 4];
		const Operand out(random, dtype, {n, c * window, high.positions * wide.positions},
				  random() % 2, false);
		const Operand self(random, dtype, {n, c, high.size, wide.size}, random() % 2, true);
		fill(random, self, 100, random() % 4 == 0);
		const auto outside = bytes_outside(out);
		run(random, CallBuilder(UNPU_TENSOR_IM2COL)
				    .add(0, out)
				    .add(1, self)
				    .words(pair(high.kernel, wide.kernel))
				    .words(pair(high.dilation, wide.dilation))
				    .words(pair(high.low, wide.low))
				    .words(pair(high.stride, wide.stride))
				    .call);
		for_each(out.dims(), [&](const Dims &index) {
			const int64_t y = at(high, index[2] / wide.positions,
					     index[1] % window / wide.kernel);
			const int64_t x =
				at(wide, index[2] % wide.positions, index[1] % wide.kernel);
			std::byte wanted[8] = {};
			const size_t bytes = element_bits(dtype) / 8;
			if (is_inside(high, y) && is_inside(wide, x))
				std::memcpy(wanted, self.place({index[0], index[1] / window, y, x}),
					    bytes);
			ASSERT_EQ(std::memcmp(out.place(index), wanted, bytes), 0);
		});
		ASSERT_EQ(bytes_outside(out), outside);
	}
}

} // namespace
