// SPDX-License-Identifier: MIT
/*
 * DOC: Packed convolutions and pools of images, tested
 *
 * Random windows over images whose channels lie side by side, against naive loops in double.
 */
#include "random_window.h"

namespace {

using namespace random_window;

/* image() - an operand N, C, H, W whose channels lie side by side, with gaps between pixels, rows and images. */
Operand image(Random &random, const Dims &dims)
{
	const Dims more = {dims[0], dims[2] + static_cast<int64_t>(random() % 2),
			   dims[3] + static_cast<int64_t>(random() % 2),
			   dims[1] + static_cast<int64_t>(random() % 3)};
	Operand made(random, UNPU_DTYPE_F32, more, false, false);
	View &view = made.view;
	view.data -= reinterpret_cast<uintptr_t>(view.data) % alignof(float);
	const int64_t strides[] = {more[1] * more[2] * more[3], 1, more[2] * more[3], more[3]};
	for (unsigned d = 0; d < 4; d++) {
		view.dims[d] = dims[d];
		view.strides[d] = dims[d] > 1 ? strides[d] : 0;
	}
	return made;
}

Operand table(Random &random, const Dims &dims)
{
	Operand made(random, UNPU_DTYPE_F32, dims, false, false);
	made.view.data -= reinterpret_cast<uintptr_t>(made.view.data) % alignof(float);
	return made;
}

/* struct Packed - @is_deep: each channel has a window of its own. */
struct Packed {
	Packed(Random &random, int64_t most_in, int64_t most_out, int64_t kernel)
		: is_deep(random() % 3 == 0), images(1 + below(random, 2)),
		  ins(1 + below(random, most_in)),
		  outs(is_deep ? ins : 1 + below(random, most_out)),
		  high(axis(random, kernel, {false, true, false})),
		  wide(axis(random, kernel, {false, true, false})), function(below(random, 4)),
		  has_bias(random() % 2), has_more(random() % 2),
		  out(image(random, {images, outs, high.positions, wide.positions})),
		  more(image(random, {images, outs, high.positions, wide.positions})),
		  input(image(random, {images, ins, high.size, wide.size})),
		  weight(table(random, weight_dims())), bias(table(random, {outs}))
	{
		for (const Operand *each : {&more, &input, &bias})
			fill(random, *each, 1, false);
		for_each(weight.dims(), [&](const Dims &at) { weight.set(at, 0); });
		fill(random, weight, 0.5, false);
		if (random() % 8 == 0)
			for_each(input.dims(), [&](const Dims &at) {
				constexpr double odd[] = {INFINITY, -INFINITY, NAN};
				if (random() % 256 == 0)
					input.set(at, odd[random() % 3]);
			});
	}

	static int64_t below(Random &random, int64_t limit)
	{
		return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
	}

	Dims weight_dims() const
	{
		if (is_deep)
			return {high.kernel, wide.kernel, ins};
		return {(outs + 31) / 32, high.kernel, wide.kernel, ins, 32};
	}

	CallBuilder &call(CallBuilder &builder) const
	{
		builder.add(0, out).add(1, input).add(2, weight);
		if (has_bias)
			builder.add(3, bias);
		if (has_more)
			builder.add(4, more);
		std::vector<uint64_t> padding = pair(high.low, wide.low);
		for (const int64_t each : {high.high, wide.high})
			padding.push_back(static_cast<uint64_t>(each));
		return builder.words(pair(high.stride, wide.stride))
			.words(padding)
			.words(pair(high.dilation, wide.dilation))
			.integer(function)
			.real(0.75);
	}

	double finish(double x) const
	{
		switch (function) {
		case UNPU_FINISH_RELU:
			return std::isnan(x) ? x : std::min(std::max(x, 0.0), 0.75);
		case UNPU_FINISH_SILU:
			return x / (1 + std::exp(-x));
		case UNPU_FINISH_HARDSWISH:
			return std::isnan(x) ? x : x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
		default:
			return x;
		}
	}

	/* expect() - @terms: receives the sum of absolute values */
	double expect(int64_t n, int64_t o, int64_t y, int64_t x, double &terms) const
	{
		terms = 0;
		double sum =
			(has_bias ? bias.get({o}) : 0) + (has_more ? more.get({n, o, y, x}) : 0);
		for (int64_t kh = 0; kh < high.kernel; kh++)
			for (int64_t kw = 0; kw < wide.kernel; kw++)
				for (int64_t c = is_deep ? o : 0; c < (is_deep ? o + 1 : ins);
				     c++) {
					const int64_t row = at(high, y, kh),
						      column = at(wide, x, kw);
					if (!is_inside(high, row) || !is_inside(wide, column))
						continue;
					const Dims place =
						is_deep ? Dims{kh, kw, c}
							: Dims{o / 32, kh, kw, c, o % 32};
					const double product =
						input.get({n, c, row, column}) * weight.get(place);
					sum += product;
					terms += std::fabs(product);
				}
		return finish(sum);
	}

	bool is_deep;
	int64_t images, ins, outs;
	Axis high, wide;
	int64_t function;
	bool has_bias, has_more;
	Operand out, more, input, weight, bias;
};

void test_packed(int64_t ins, int64_t outs, int64_t kernel, unsigned usual)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(usual) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Packed one(random, ins, outs, kernel);
		const auto outside = bytes_outside(one.out);
		CallBuilder builder(UNPU_TENSOR_PACKED_CONVOLUTION, UNPU_DTYPE_F32);
		run(random, one.call(builder).call);
		for_each(one.out.dims(), [&](const Dims &at) {
			const double got = one.out.get(at);
			double terms;
			const double wanted = one.expect(at[0], at[1], at[2], at[3], terms);
			/* An infinity times the function may be one or NaN. */
			if (!std::isfinite(wanted)) {
				EXPECT_FALSE(one.function == UNPU_FINISH_NONE &&
					     std::isfinite(got));
				return;
			}
			EXPECT_NEAR(got, wanted, 1e-6 * (10 + terms));
		});
		ASSERT_EQ(bytes_outside(one.out), outside);
	}
}

TEST(Packed, OfWindows)
{
	test_packed(20, 70, 4, 150);
}

TEST(Packed, OfPixels)
{
	test_packed(70, 40, 1, 150);
}

/* More than a unit, and more than a part of an image. */
TEST(Packed, OfManyParts)
{
	test_packed(600, 200, 2, 5);
}

TEST(Packed, Refusals)
{
	Random random(seed());
	Packed good(random, 4, 40, 3);
	while (good.is_deep || good.outs < 2 || good.ins < 2 || good.high.positions < 2 ||
	       good.wide.positions < 2)
		good = Packed(random, 4, 40, 3);
	good.has_bias = good.has_more = true;
	const auto is_refused = [&](const auto &change) {
		Packed bad = good;
		change(bad);
		CallBuilder builder(UNPU_TENSOR_PACKED_CONVOLUTION, UNPU_DTYPE_F32);
		return !find_kernel(UNPU_TENSOR_PACKED_CONVOLUTION)->check(bad.call(builder).call);
	};
	EXPECT_FALSE(is_refused([](Packed &) {}));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.out.view.strides[1] = 2; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.input.view.strides[1] = 2; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.more.view.strides[1] = 2; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.more.view.dims[3]--; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.out.view.dims[2]++; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.input.view.dtype = UNPU_DTYPE_F16; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.weight.view.dims[0]++; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.weight.view.dims[3]++; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.weight.view.strides[3]++; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.weight.view.ndim = 4; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.bias.view.dims[0]--; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.function = 4; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.high.stride = 0; }));
	EXPECT_TRUE(is_refused([](Packed &bad) { bad.wide.dilation = INT32_MAX; }));
}

TEST(Packed, PoolsOfImages)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(100) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		const Axis high = axis(random, 5, {false, true, true});
		const Axis wide = axis(random, 5, {false, true, true});
		const int64_t n = 1 + Packed::below(random, 2), c = 1 + Packed::below(random, 40);
		const Operand out = image(random, {n, c, high.positions, wide.positions});
		const Operand in = image(random, {n, c, high.size, wide.size});
		fill(random, in, 1, random() % 4 == 0);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_MAX_POOL, UNPU_DTYPE_F32);
		std::vector<uint64_t> padding = pair(high.low, wide.low);
		for (const int64_t each : {high.high, wide.high})
			padding.push_back(static_cast<uint64_t>(each));
		builder.add(0, out).add(1, in).words(pair(high.kernel, wide.kernel));
		builder.words(pair(high.stride, wide.stride)).words(padding);
		builder.words(pair(high.dilation, wide.dilation)).integer(1);
		run(random, builder.call);
		for_each(out.dims(), [&](const Dims &place) {
			double top = -INFINITY;
			for (int64_t kh = 0; kh < high.kernel; kh++)
				for (int64_t kw = 0; kw < wide.kernel; kw++) {
					const int64_t y = at(high, place[2], kh),
						      x = at(wide, place[3], kw);
					if (!is_inside(high, y) || !is_inside(wide, x))
						continue;
					const double value = in.get({place[0], place[1], y, x});
					top = value > top || std::isnan(value) ? value : top;
				}
			const double got = out.get(place);
			EXPECT_TRUE(got == top || (std::isnan(got) && std::isnan(top)))
				<< got << " " << top;
		});
		ASSERT_EQ(bytes_outside(out), outside);
	}
}

} // namespace
