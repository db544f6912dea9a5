// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions, tested
 *
 * Random windows, groups, strides and types against naive loops in double. Those of a transposed convolution go
 * from the input to the result, so they share nothing with the kernel.
 */
#include <functional>

#include "random_window.h"

namespace {

using namespace random_window;

constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};

/* What a random convolution may have. */
struct Sizes {
	int64_t groups, in_channels, out_channels; /* the last two of a group, at most */
	int64_t kernel;
};

struct Convolution {
	Convolution(Random &random, const Sizes &most, bool transposed)
		: is_transposed(transposed), has_bias(random() % 2), images(below(random, 3)),
		  groups(1 + below(random, most.groups)),
		  in_channels(1 + below(random, most.in_channels)),
		  out_channels(1 + below(random, most.out_channels)),
		  high(axis(random, most.kernel, {true, true, false})),
		  wide(axis(random, most.kernel, {true, true, false})),
		  more_high(widen(random, high)), more_wide(widen(random, wide)),
		  out(operand(random, out_dims(), true)), input(operand(random, in_dims(), false)),
		  weight(operand(random, weight_dims(), false)),
		  bias(operand(random, {groups * out_channels}, false))
	{
		fill(random, input, 1, false);
		fill(random, weight, 1, false);
		fill(random, bias, 1, false);
	}

	static int64_t below(Random &random, int64_t limit)
	{
		return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
	}

	static Operand operand(Random &random, const Dims &dims, bool is_out)
	{
		const uint32_t dtype =
			random() % 2 ? uint32_t{UNPU_DTYPE_F32} : floats[random() % 3];
		return Operand(random, dtype, dims, random() % 2, !is_out && random() % 4 == 0);
	}

	/* widen() - how much the result of a transposed convolution has at its end. It must have an element. */
	int64_t widen(Random &random, Axis &axis) const
	{
		if (!is_transposed)
			return 0;
		axis.stride = 1 + below(random, 5);
		axis.size = 1 + below(random, 8);
		const int64_t rest = (axis.size - 1) * axis.stride - 2 * axis.low +
				     axis.dilation * (axis.kernel - 1) + 1;
		const int64_t more = below(random, 3) + (rest < 1 ? 1 - rest : 0);
		axis.positions = rest + more;
		return more;
	}

	Dims out_dims() const
	{
		return {images, groups * out_channels, high.positions, wide.positions};
	}
	Dims in_dims() const { return {images, groups * in_channels, high.size, wide.size}; }
	Dims weight_dims() const
	{
		if (is_transposed)
			return {groups * in_channels, out_channels, high.kernel, wide.kernel};
		return {groups * out_channels, in_channels, high.kernel, wide.kernel};
	}

	CallBuilder &call(CallBuilder &builder) const
	{
		builder.add(0, out).add(1, input).add(2, weight);
		if (has_bias)
			builder.add(3, bias);
		return builder.words(pair(high.stride, wide.stride))
			.words(pair(high.low, wide.low))
			.words(pair(high.dilation, wide.dilation))
			.integer(is_transposed)
			.words(pair(more_high, more_wide))
			.integer(groups);
	}

	/* visit() - calls @add(result, input, kh, kw) for each product along H and W. */
	void visit(const std::function<void(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t)>
			   &add) const
	{
		const auto along = [&](const Axis &axis, const auto &each) {
			for (int64_t k = 0; k < axis.kernel; k++)
				for (int64_t i = 0;
				     i < (is_transposed ? axis.size : axis.positions); i++) {
					const int64_t other = at(axis, i, k);
					const int64_t result = is_transposed ? other : i;
					const int64_t from = is_transposed ? i : other;
					if (result >= 0 && result < axis.positions &&
					    is_inside(axis, from))
						each(result, from, k);
				}
		};
		along(high, [&](int64_t y, int64_t from_y, int64_t kh) {
			along(wide, [&](int64_t x, int64_t from_x, int64_t kw) {
				add(y, x, from_y, from_x, kh, kw);
			});
		});
	}

	/* One image and channel of the result: the sums and the sums of absolute values. */
	void expect(int64_t image, int64_t channel, std::vector<double> &sums,
		    std::vector<double> &magnitudes) const
	{
		const double first = has_bias ? bias.get({channel}) : 0;
		const auto count = static_cast<size_t>(high.positions * wide.positions);
		sums.assign(count, first);
		magnitudes.assign(count, std::fabs(first));
		const int64_t group = channel / out_channels, to = channel % out_channels;
		visit([&](int64_t y, int64_t x, int64_t from_y, int64_t from_x, int64_t kh,
			  int64_t kw) {
			const auto number = static_cast<size_t>(y * wide.positions + x);
			for (int64_t c = 0; c < in_channels; c++) {
				const int64_t from = group * in_channels + c;
				const Dims place = is_transposed ? Dims{from, to, kh, kw}
								 : Dims{channel, c, kh, kw};
				const double product = input.get({image, from, from_y, from_x}) *
						       weight.get(place);
				sums[number] += product;
				magnitudes[number] += std::fabs(product);
			}
		});
	}

	bool is_transposed, has_bias;
	int64_t images, groups, in_channels, out_channels;
	Axis high, wide;
	int64_t more_high, more_wide;
	Operand out, input, weight, bias;
};

/* Infinities and NaN come out where they should: no unit of another position sees them. */
void check_class(double got, double wanted)
{
	ASSERT_EQ(std::isnan(got), std::isnan(wanted)) << got << " " << wanted;
	if (std::isinf(wanted)) {
		ASSERT_EQ(got, wanted);
	}
}

void compare(const Convolution &one)
{
	double error = 0, square = 0, terms = 0;
	std::vector<double> sums, magnitudes;
	for (int64_t image = 0; image < one.images; image++)
		for (int64_t channel = 0; channel < one.groups * one.out_channels; channel++) {
			one.expect(image, channel, sums, magnitudes);
			for (size_t i = 0; i < sums.size(); i++) {
				const auto x = static_cast<int64_t>(i);
				const double got =
					one.out.get({image, channel, x / one.wide.positions,
						     x % one.wide.positions});
				ASSERT_NO_FATAL_FAILURE(check_class(got, sums[i]));
				if (!std::isfinite(sums[i]))
					continue;
				error += (got - sums[i]) * (got - sums[i]);
				square += sums[i] * sums[i];
				terms += magnitudes[i] * magnitudes[i];
			}
		}
	/* Half a unit in the last place, and the error of sums in F32. */
	const uint32_t dtype = one.out.view.dtype;
	const double half = dtype == UNPU_DTYPE_BF16  ? 0x1p-16
			    : dtype == UNPU_DTYPE_F16 ? 0x1p-22
						      : 0;
	/* F16 has no smaller unit than this one. */
	const double least =
		dtype == UNPU_DTYPE_F16 ? 0x1p-48 * static_cast<double>(one.out.view.count()) : 0;
	ASSERT_LE(error, half * square + least + 1e-13 * terms);
}

void test_convolutions(const Sizes &most, unsigned usual)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(usual) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Convolution one(random, most, random() % 2);
		if (random() % 8 == 0)
			for_each(one.input.dims(), [&](const Dims &at) {
				constexpr double odd[] = {INFINITY, -INFINITY, NAN};
				if (random() % 64 == 0)
					one.input.set(at, odd[random() % 3]);
			});
		const auto outside = bytes_outside(one.out);
		CallBuilder builder(UNPU_TENSOR_CONVOLUTION, UNPU_DTYPE_F32);
		run(random, one.call(builder).call);
		compare(one);
		ASSERT_EQ(bytes_outside(one.out), outside);
	}
}

TEST(Convolution, OfFewChannels)
{
	test_convolutions({4, 3, 3, 4}, 100);
}

TEST(Convolution, OfPanels)
{
	test_convolutions({2, 6, 12, 3}, 100);
}

TEST(Convolution, OfPixels)
{
	test_convolutions({2, 12, 12, 1}, 100);
}

/* Sizes beyond one tile, one block and one slab: channels, positions, depth, and pieces of a row. */
TEST(Convolution, OfManyTiles)
{
	constexpr Dims::value_type sizes[][7] = {
		/* in, out, high, wide, kernel, groups, transposed */
		{4, 300, 3, 5, 1, 1, 0},  {60, 5, 20, 20, 3, 1, 0}, {2, 2, 1, 5000, 3, 2, 0},
		{3, 6, 1, 3000, 4, 1, 1}, {2, 2, 2, 3000, 3, 2, 1}, {600, 4, 2, 2, 1, 1, 1},
		{3, 3, 90, 131, 5, 3, 0}, {2, 1, 40, 700, 3, 1, 0},
	};
	Random random(seed());
	for (const auto &size : sizes) {
		Convolution one(random, {1, 1, 1, 1}, size[6]);
		one.images = 2;
		one.groups = size[5];
		one.in_channels = size[0] / size[5];
		one.out_channels = size[1] / size[5];
		one.high = {size[2], std::min(size[4], size[2]), 1, 0, 0, 1, 0};
		one.wide = {size[3], size[4], 2, 1, 1, 1, 0};
		one.more_high = one.more_wide = 0;
		for (Axis *axis : {&one.high, &one.wide}) {
			const int64_t rest = one.is_transposed
						     ? (axis->size - 1) * axis->stride -
							       2 * axis->low + axis->kernel
						     : 0;
			axis->positions = one.is_transposed ? rest
							    : (axis->size + 2 * axis->low -
							       axis->kernel) / axis->stride +
								      1;
		}
		one.out = Operand(random, UNPU_DTYPE_F32, one.out_dims(), true, false);
		one.input = Operand(random, UNPU_DTYPE_F32, one.in_dims(), false, false);
		one.weight = Operand(random, UNPU_DTYPE_F16, one.weight_dims(), false, false);
		one.bias = Operand(random, UNPU_DTYPE_F32, {size[1]}, false, false);
		fill(random, one.input, 1, false);
		fill(random, one.weight, 1, false);
		fill(random, one.bias, 1, false);
		CallBuilder builder(UNPU_TENSOR_CONVOLUTION, UNPU_DTYPE_F32);
		run(random, one.call(builder).call);
		compare(one);
	}
}

/* A good call whose parts a test changes. */
struct Parts {
	Dims out, input, weight, bias;
	std::vector<int64_t> stride{3, 2}, padding{0, 0}, dilation{1, 2}, more{0, 0};
	int64_t is_transposed = 0, groups = 2;
	uint32_t out_type = UNPU_DTYPE_F32, input_type = UNPU_DTYPE_F32;
	uint32_t weight_type = UNPU_DTYPE_F32, bias_type = UNPU_DTYPE_F32;
};

bool is_refused(const Parts &parts)
{
	Random random(1);
	CallBuilder builder(UNPU_TENSOR_CONVOLUTION, UNPU_DTYPE_F32);
	const auto add = [&](unsigned slot, uint32_t dtype, const Dims &dims) {
		Operand operand(random, dtype, {1}, false, false);
		operand.view.ndim = static_cast<unsigned>(dims.size());
		std::copy(dims.begin(), dims.end(), operand.view.dims.begin());
		builder.add(slot, operand);
	};
	add(0, parts.out_type, parts.out);
	add(1, parts.input_type, parts.input);
	add(2, parts.weight_type, parts.weight);
	add(3, parts.bias_type, parts.bias);
	const auto words = [&](const std::vector<int64_t> &values) {
		builder.words({values.begin(), values.end()});
	};
	words(parts.stride);
	words(parts.padding);
	words(parts.dilation);
	builder.integer(parts.is_transposed);
	words(parts.more);
	builder.integer(parts.groups);
	return !find_kernel(UNPU_TENSOR_CONVOLUTION)->check(builder.call);
}

void test_refusals(const Parts &good)
{
	constexpr int64_t hostile[] = {0,
				       -1,
				       INT64_MIN,
				       INT64_MAX,
				       INT64_MIN + 1,
				       int64_t{1} << 31,
				       int64_t{1} << 32,
				       int64_t{1} << 62};
	const auto changed = [&](auto change) {
		Parts parts = good;
		change(parts);
		return is_refused(parts);
	};
	EXPECT_FALSE(is_refused(good));
	for (std::vector<int64_t> Parts::*part :
	     {&Parts::stride, &Parts::padding, &Parts::dilation, &Parts::more}) {
		const bool is_used = part != &Parts::more || good.is_transposed;
		EXPECT_EQ(changed([&](Parts &p) { (p.*part).push_back(1); }), is_used);
		EXPECT_EQ(changed([&](Parts &p) { (p.*part).clear(); }), is_used);
		for (size_t i = 0; i < 2; i++)
			for (const int64_t value : hostile)
				EXPECT_EQ(changed([&](Parts &p) { (p.*part)[i] = value; }),
					  is_used && value != (good.*part)[i])
					<< i << " " << value;
	}
	for (const int64_t value : hostile)
		EXPECT_TRUE(changed([&](Parts &p) { p.groups = value; }));
	EXPECT_TRUE(changed([](Parts &p) { p.groups = 1; }));
	EXPECT_TRUE(changed([](Parts &p) { p.groups = 4; }));
	EXPECT_TRUE(changed([](Parts &p) { p.is_transposed = !p.is_transposed; }));
	for (Dims Parts::*part : {&Parts::out, &Parts::input, &Parts::weight, &Parts::bias}) {
		EXPECT_TRUE(changed([&](Parts &p) { (p.*part).push_back(1); }));
		EXPECT_TRUE(changed([&](Parts &p) { (p.*part).pop_back(); }));
		for (size_t d = 0; d < (good.*part).size(); d++) {
			/* A longer input may have as many windows. */
			if (part != &Parts::input || d < 2 || good.is_transposed) {
				EXPECT_TRUE(changed([&](Parts &p) { (p.*part)[d]++; })) << d;
			}
			EXPECT_TRUE(changed([&](Parts &p) { (p.*part)[d] = int64_t{1} << 40; }));
		}
	}
	for (uint32_t Parts::*part :
	     {&Parts::out_type, &Parts::input_type, &Parts::weight_type, &Parts::bias_type})
		for (const uint32_t dtype : {UNPU_DTYPE_I32, UNPU_DTYPE_BOOL})
			EXPECT_TRUE(changed([&](Parts &p) { p.*part = dtype; }));
}

TEST(Convolution, RefusesWhatDoesNotBelongTogether)
{
	Parts parts;
	parts.out = {2, 6, 2, 1};
	parts.input = {2, 4, 5, 5};
	parts.weight = {6, 2, 2, 3};
	parts.bias = {6};
	test_refusals(parts);
	parts.is_transposed = 1;
	parts.out = {2, 6, 14, 13};
	parts.weight = {4, 3, 2, 3};
	test_refusals(parts);
}

} // namespace
