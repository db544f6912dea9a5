// SPDX-License-Identifier: MIT
/*
 * DOC: Norm kernels, tested
 *
 * Random shapes, strides and types against naive loops in double.
 */
#include <functional>
#include <memory>

#include "random_call.h"

namespace {

using namespace random_call;

constexpr uint32_t F32 = UNPU_DTYPE_F32;
constexpr uint32_t floats[] = {UNPU_DTYPE_F32, UNPU_DTYPE_F16, UNPU_DTYPE_BF16};

void repeat(unsigned usual, const std::function<void(Random &, unsigned)> &one)
{
	Random random(seed());
	for (unsigned i = 0; i < cases(usual) && !::testing::Test::HasFailure(); i++) {
		SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed()));
		one(random, i);
	}
}

int64_t product(const Dims &dims)
{
	int64_t count = 1;
	for (const int64_t dim : dims)
		count *= dim;
	return count;
}

/* number_of() - the number of an element in row-major order. */
size_t number_of(const Dims &dims, const Dims &at)
{
	size_t number = 0;
	for (size_t d = 0; d < dims.size(); d++)
		number = number * static_cast<size_t>(dims[d]) + static_cast<size_t>(at[d]);
	return number;
}

/* class Limit - compares numbers with expected ones: the errors together stay below those of one rounding
 * to the type of the result, and of the F32 arithmetic. */
class Limit {
public:
	explicit Limit(uint32_t dtype) : dtype_(dtype) {}

	/* @scale: sum of the sizes of what was added up to @wanted */
	void add(double got, double wanted, double scale)
	{
		double rounded;
		std::byte bits[8];
		store_row<double>(dtype_, bits, 0, 1, &wanted);
		load_row<double>(dtype_, bits, 0, 1, &rounded);
		if (!std::isfinite(rounded) || !std::isfinite(got)) {
			ASSERT_EQ(std::isnan(got), std::isnan(rounded)) << got << " " << rounded;
			/* A rounding may end on either side of the greatest number. */
			const double top = dtype_ == UNPU_DTYPE_F16 ? 6.5e4 : 3.3e38;
			ASSERT_TRUE(std::isnan(got) ||
				    (std::fabs(got) > top && std::fabs(rounded) > top &&
				     std::signbit(got) == std::signbit(rounded)))
				<< got << " " << rounded;
			return;
		}
		const double least = dtype_ == UNPU_DTYPE_F16 ? 0x1p-24 : 0x1p-133;
		error_ += (got - wanted) * (got - wanted);
		square_ += scale * scale;
		floor_ += least * least;
	}

	void check() const
	{
		const double share = dtype_ == F32		? 1e-13
				     : dtype_ == UNPU_DTYPE_F16 ? 0x1p-22
								: 0x1p-16;
		ASSERT_LE(error_, 1.01 * share * square_ + floor_);
	}

private:
	uint32_t dtype_;
	double error_ = 0, square_ = 0, floor_ = 0;
};

/* struct Numbers - what a norm computes of, by the row-major number of the element. */
struct Numbers {
	std::vector<double> input, factors, summands;
	std::vector<size_t> rows; /* number of the row */
	size_t row_count;
	bool is_centered;
	double epsilon;

	explicit Numbers(const Dims &dims)
		: input(static_cast<size_t>(product(dims))), factors(input.size(), 1),
		  summands(input.size()), rows(input.size())
	{
	}
};

struct Statistics {
	std::vector<double> mean, rstd;
};

Statistics statistics_of(const Numbers &numbers)
{
	Statistics s{std::vector<double>(numbers.row_count),
		     std::vector<double>(numbers.row_count)};
	std::vector<double> counts(numbers.row_count);
	for (size_t i = 0; i < numbers.input.size(); i++) {
		s.mean[numbers.rows[i]] += numbers.input[i];
		counts[numbers.rows[i]]++;
	}
	for (size_t r = 0; r < numbers.row_count; r++)
		s.mean[r] = numbers.is_centered ? s.mean[r] / counts[r] : 0;
	for (size_t i = 0; i < numbers.input.size(); i++)
		s.rstd[numbers.rows[i]] += std::pow(numbers.input[i] - s.mean[numbers.rows[i]], 2);
	for (size_t r = 0; r < numbers.row_count; r++)
		s.rstd[r] = 1 / std::sqrt(s.rstd[r] / counts[r] + numbers.epsilon);
	return s;
}

void compare(const Numbers &numbers, const Operand &out, const Operand *mean, const Operand *rstd)
{
	const Statistics s = statistics_of(numbers);
	Limit limit(out.view.dtype);
	for_each(out.dims(), [&](const Dims &at) {
		const size_t i = number_of(out.dims(), at), row = numbers.rows[i];
		const double product =
			(numbers.input[i] - s.mean[row]) * s.rstd[row] * numbers.factors[i];
		limit.add(out.get(at), product + numbers.summands[i],
			  std::fabs(product) + std::fabs(numbers.summands[i]));
	});
	limit.check();
	for (const Operand *operand : {mean, rstd}) {
		if (!operand)
			continue;
		Limit each(operand->view.dtype);
		for_each(operand->dims(), [&](const Dims &at) {
			const size_t row = number_of(operand->dims(), at);
			const double wanted = operand == mean ? s.mean[row] : s.rstd[row];
			/* The error of a mean near 0 is that of its terms. */
			each.add(operand->get(at), wanted,
				 std::isfinite(s.rstd[row])
					 ? std::max(std::fabs(wanted), 1 / s.rstd[row])
					 : std::fabs(wanted));
		});
		each.check();
	}
}

/* A row's numbers may be far from 0 and near to each other, and some rows are constant. */
void fill_input(Random &random, const Operand &operand)
{
	if (random() % 4)
		return fill(random, operand, random() % 2 ? 4 : 1e-3, random() % 8 == 0);
	const bool is_constant = random() % 8 == 0;
	for_each(operand.dims(), [&](const Dims &at) {
		operand.set(at, 1000 + (is_constant ? 0.0 : static_cast<double>(random() % 64)));
	});
}

double random_epsilon(Random &random)
{
	static constexpr double all[] = {1e-5, 1e-6, 0, 1, 10};
	return all[random() % std::size(all)];
}

/* A statistic of @count rows: any shape. */
std::unique_ptr<Operand> random_statistic(Random &random, int64_t count)
{
	if (random() % 2)
		return nullptr;
	Dims dims{count};
	if (count % 2 == 0 && random() % 2)
		dims = {count / 2, 1, 2};
	return std::make_unique<Operand>(random, floats[random() % 3], dims, random() % 2, false);
}

/* A shape, of which the last @inner dims are a row. */
Dims random_rows(Random &random, unsigned i, unsigned &inner)
{
	Dims dims = random_dims(random, 7, i % 16 ? 150 : 1500);
	if (i % 64 == 1)
		dims.resize(std::min<size_t>(dims.size(), 1));
	if (i % 64 == 1)
		dims.push_back(1000 + static_cast<int64_t>(random() % 2000));
	inner = static_cast<unsigned>(random() % (dims.size() + 1));
	return dims;
}

void add_optional(CallBuilder &builder, unsigned slot, const Operand *operand)
{
	if (operand)
		builder.add(slot, *operand);
}

void set_parameters(Random &random, Numbers &numbers, const Dims &dims, const Operand *factors,
		    const Operand *summands, const std::function<Dims(const Dims &)> &place)
{
	for (const Operand *operand : {factors, summands}) {
		if (!operand)
			continue;
		fill(random, *operand, 2, random() % 16 == 0);
		std::vector<double> &to = operand == factors ? numbers.factors : numbers.summands;
		for_each(dims, [&](const Dims &at) {
			to[number_of(dims, at)] = operand->get(place(at));
		});
	}
}

/* The rows are the first dims, the parameters have the last ones. */
void set_rows(Numbers &numbers, const Dims &dims, unsigned inner)
{
	const Dims rows(dims.begin(), dims.end() - inner);
	numbers.row_count = static_cast<size_t>(product(rows));
	for_each(dims, [&](const Dims &at) {
		numbers.rows[number_of(dims, at)] =
			number_of(rows, Dims(at.begin(), at.end() - inner));
	});
}

void get_input(Numbers &numbers, const Operand &operand)
{
	for_each(operand.dims(), [&](const Dims &at) {
		numbers.input[number_of(operand.dims(), at)] = operand.get(at);
	});
}

TEST(Norm, RmsNorm)
{
	repeat(200, [](Random &random, unsigned i) {
		unsigned inner;
		const Dims dims = random_rows(random, i, inner);
		const Dims row(dims.end() - inner, dims.end());
		const Operand x(random, floats[random() % 3], dims, random() % 2, false);
		const Operand other(random, floats[random() % 3], dims, random() % 2, false);
		const Operand &out = random() % 4 ? other : x;
		const Operand gamma(random, floats[random() % 3], row, random() % 2, true);
		fill_input(random, x);
		Numbers numbers(dims);
		get_input(numbers, x);
		set_rows(numbers, dims, inner);
		numbers.is_centered = false;
		numbers.epsilon = random_epsilon(random);
		set_parameters(random, numbers, dims, &gamma, nullptr,
			       [&](const Dims &at) { return Dims(at.end() - inner, at.end()); });
		const auto rstd = random_statistic(random, static_cast<int64_t>(numbers.row_count));
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_RMS_NORM, F32);
		builder.add(0, out);
		add_optional(builder, 1, rstd.get());
		run(random, builder.add(2, x).add(3, gamma).real(numbers.epsilon).call);
		compare(numbers, out, nullptr, rstd.get());
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Norm, AddRmsNorm)
{
	repeat(200, [](Random &random, unsigned i) {
		unsigned inner;
		const Dims dims = random_rows(random, i, inner);
		const Dims row(dims.end() - inner, dims.end());
		const Operand y(random, floats[random() % 3], dims, random() % 2, false);
		const Operand sum(random, floats[random() % 3], dims, random() % 2, false);
		const Operand other(random, floats[random() % 3], dims, random() % 2, true);
		const bool is_in_place = random() % 4 == 0;
		const Operand &left = is_in_place ? sum : other;
		const Operand right(random, floats[random() % 3], dims, random() % 2, true);
		const Operand gamma(random, floats[random() % 3], row, random() % 2, true);
		fill_input(random, left);
		fill_input(random, right);
		Numbers numbers(dims);
		for_each(dims, [&](const Dims &at) {
			/* The norm is that of the sum as it is stored. */
			const float total = static_cast<float>(left.get(at)) +
					    static_cast<float>(right.get(at));
			std::byte bits[8];
			store_row<float>(sum.view.dtype, bits, 0, 1, &total);
			load_row<double>(sum.view.dtype, bits, 0, 1,
					 &numbers.input[number_of(dims, at)]);
		});
		set_rows(numbers, dims, inner);
		numbers.is_centered = false;
		numbers.epsilon = random_epsilon(random);
		set_parameters(random, numbers, dims, &gamma, nullptr,
			       [&](const Dims &at) { return Dims(at.end() - inner, at.end()); });
		const auto rstd = random_statistic(random, static_cast<int64_t>(numbers.row_count));
		const auto outside = bytes_outside(y), outside_sum = bytes_outside(sum);
		CallBuilder builder(UNPU_TENSOR_ADD_RMS_NORM, F32);
		builder.add(0, y);
		add_optional(builder, 1, rstd.get());
		builder.add(2, sum).add(3, left).add(4, right).add(5, gamma);
		run(random, builder.real(numbers.epsilon).call);
		compare(numbers, y, nullptr, rstd.get());
		for_each(dims, [&](const Dims &at) {
			const double wanted = numbers.input[number_of(dims, at)];
			ASSERT_TRUE(sum.get(at) == wanted ||
				    (std::isnan(sum.get(at)) && std::isnan(wanted)));
		});
		ASSERT_EQ(bytes_outside(y), outside);
		ASSERT_EQ(bytes_outside(sum), outside_sum);
	});
}

TEST(Norm, LayerNorm)
{
	repeat(200, [](Random &random, unsigned i) {
		unsigned inner;
		const Dims dims = random_rows(random, i, inner);
		const Dims row(dims.end() - inner, dims.end());
		const Operand x(random, floats[random() % 3], dims, random() % 2, false);
		const Operand other(random, floats[random() % 3], dims, random() % 2, false);
		const Operand &out = random() % 4 ? other : x;
		const Operand weight(random, floats[random() % 3], row, random() % 2, true);
		const Operand bias(random, floats[random() % 3], row, random() % 2, true);
		const Operand *factors = random() % 2 ? &weight : nullptr;
		const Operand *summands = random() % 2 ? &bias : nullptr;
		fill_input(random, x);
		Numbers numbers(dims);
		get_input(numbers, x);
		set_rows(numbers, dims, inner);
		numbers.is_centered = true;
		numbers.epsilon = random_epsilon(random);
		set_parameters(random, numbers, dims, factors, summands,
			       [&](const Dims &at) { return Dims(at.end() - inner, at.end()); });
		const auto count = static_cast<int64_t>(numbers.row_count);
		const auto mean = random_statistic(random, count);
		const auto rstd = random_statistic(random, count);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_LAYER_NORM, F32);
		builder.add(0, out);
		add_optional(builder, 1, mean.get());
		add_optional(builder, 2, rstd.get());
		builder.add(3, x);
		add_optional(builder, 4, factors);
		add_optional(builder, 5, summands);
		run(random, builder.integer(inner).real(numbers.epsilon).call);
		compare(numbers, out, mean.get(), rstd.get());
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

TEST(Norm, GroupNorm)
{
	repeat(200, [](Random &random, unsigned i) {
		const int64_t samples = static_cast<int64_t>(random() % 4);
		const int64_t groups = 1 + static_cast<int64_t>(random() % 4);
		const int64_t each = 1 + static_cast<int64_t>(random() % 4);
		Dims dims{samples, groups * each};
		const Dims pixels = random_dims(random, 6, i % 16 ? 30 : 1500);
		dims.insert(dims.end(), pixels.begin(), pixels.end());
		const Operand x(random, floats[random() % 3], dims, random() % 2, false);
		const Operand other(random, floats[random() % 3], dims, random() % 2, false);
		const Operand &out = random() % 4 ? other : x;
		const Operand gamma(random, floats[random() % 3], {dims[1]}, random() % 2, true);
		const Operand beta(random, floats[random() % 3], {dims[1]}, random() % 2, true);
		const Operand *factors = random() % 2 ? &gamma : nullptr;
		const Operand *summands = random() % 2 ? &beta : nullptr;
		fill_input(random, x);
		Numbers numbers(dims);
		get_input(numbers, x);
		numbers.row_count = static_cast<size_t>(samples * groups);
		for_each(dims, [&](const Dims &at) {
			numbers.rows[number_of(dims, at)] =
				static_cast<size_t>(at[0] * groups + at[1] / each);
		});
		numbers.is_centered = true;
		numbers.epsilon = random_epsilon(random);
		set_parameters(random, numbers, dims, factors, summands,
			       [](const Dims &at) { return Dims{at[1]}; });
		const auto mean = random_statistic(random, samples * groups);
		const auto rstd = random_statistic(random, samples * groups);
		const auto outside = bytes_outside(out);
		CallBuilder builder(UNPU_TENSOR_GROUP_NORM, F32);
		builder.add(0, out);
		add_optional(builder, 1, mean.get());
		add_optional(builder, 2, rstd.get());
		builder.add(3, x);
		add_optional(builder, 4, factors);
		add_optional(builder, 5, summands);
		builder.integer(samples).integer(dims[1]).integer(product(pixels)).integer(groups);
		run(random, builder.real(numbers.epsilon).call);
		compare(numbers, out, mean.get(), rstd.get());
		ASSERT_EQ(bytes_outside(out), outside);
	});
}

/* class Refused - whether check() refuses a call, with one operand or attribute in place of a good one. */
class NormRefuses : public ::testing::Test {
protected:
	bool rms(const Operand &y, const Operand *rstd, const Operand &x, const Operand &gamma,
		 uint32_t compute = F32)
	{
		CallBuilder builder(UNPU_TENSOR_RMS_NORM, compute);
		builder.add(0, y);
		add_optional(builder, 1, rstd);
		builder.add(2, x).add(3, gamma).real(1e-5);
		return !find_kernel(UNPU_TENSOR_RMS_NORM)->check(builder.call);
	}

	bool add_rms(const Operand &y, const Operand &x, const Operand &x1, const Operand &x2,
		     const Operand &gamma)
	{
		CallBuilder builder(UNPU_TENSOR_ADD_RMS_NORM, F32);
		builder.add(0, y).add(2, x).add(3, x1).add(4, x2).add(5, gamma).real(1e-5);
		return !find_kernel(UNPU_TENSOR_ADD_RMS_NORM)->check(builder.call);
	}

	bool layer(const Operand &out, const Operand *mean, const Operand *rstd, const Operand &x,
		   const Operand *weight, const Operand *bias, int64_t dims)
	{
		CallBuilder builder(UNPU_TENSOR_LAYER_NORM, F32);
		builder.add(0, out);
		add_optional(builder, 1, mean);
		add_optional(builder, 2, rstd);
		builder.add(3, x);
		add_optional(builder, 4, weight);
		add_optional(builder, 5, bias);
		builder.integer(dims).real(1e-5);
		return !find_kernel(UNPU_TENSOR_LAYER_NORM)->check(builder.call);
	}

	/* @integers: N, C, HxW, group */
	bool group(const Operand &out, const Operand *rstd, const Operand &x, const Operand *gamma,
		   const Dims &integers)
	{
		CallBuilder builder(UNPU_TENSOR_GROUP_NORM, F32);
		builder.add(0, out);
		add_optional(builder, 2, rstd);
		builder.add(3, x);
		add_optional(builder, 4, gamma);
		for (const int64_t integer : integers)
			builder.integer(integer);
		builder.real(1e-5);
		return !find_kernel(UNPU_TENSOR_GROUP_NORM)->check(builder.call);
	}

	Operand operand(const Dims &dims, uint32_t dtype = F32)
	{
		return Operand(random_, dtype, dims, false, false);
	}

	Random random_{seed()};
};

TEST_F(NormRefuses, RmsNorm)
{
	const Operand x = operand({2, 6}), wide = operand({2, 7}), row = operand({6});
	const Operand two = operand({2}), three = operand({3}), cube = operand({1, 2, 6});
	EXPECT_FALSE(rms(x, &two, x, row));
	EXPECT_FALSE(rms(x, nullptr, x, x));
	EXPECT_TRUE(rms(wide, &two, x, row));
	EXPECT_TRUE(rms(x, &two, wide, row));
	EXPECT_TRUE(rms(cube, &two, x, row));
	EXPECT_TRUE(rms(x, &three, x, row));
	EXPECT_TRUE(rms(x, &two, x, two));
	EXPECT_TRUE(rms(x, &two, x, cube));
	EXPECT_TRUE(rms(x, &two, x, row, UNPU_DTYPE_I64));
	EXPECT_TRUE(rms(x, &two, x, operand({6}, UNPU_DTYPE_I4)));
	EXPECT_TRUE(rms(x, &two, operand({2, 6}, UNPU_DTYPE_I4), row));
}

TEST_F(NormRefuses, AddRmsNorm)
{
	const Operand x = operand({2, 6}), wide = operand({2, 7}), row = operand({6});
	EXPECT_FALSE(add_rms(x, x, x, x, row));
	EXPECT_TRUE(add_rms(wide, x, x, x, row));
	EXPECT_TRUE(add_rms(x, wide, x, x, row));
	EXPECT_TRUE(add_rms(x, x, wide, x, row));
	EXPECT_TRUE(add_rms(x, x, x, wide, row));
	EXPECT_TRUE(add_rms(x, x, x, x, operand({7})));
}

TEST_F(NormRefuses, LayerNorm)
{
	const Operand x = operand({2, 6}), wide = operand({2, 7}), row = operand({6});
	const Operand two = operand({2}), three = operand({3});
	EXPECT_FALSE(layer(x, &two, &two, x, &row, &row, 1));
	EXPECT_TRUE(layer(wide, &two, &two, x, &row, &row, 1));
	EXPECT_TRUE(layer(x, &three, &two, x, &row, &row, 1));
	EXPECT_TRUE(layer(x, &two, &three, x, &row, &row, 1));
	EXPECT_TRUE(layer(x, &two, &two, x, &three, &row, 1));
	EXPECT_TRUE(layer(x, &two, &two, x, &row, &three, 1));
	EXPECT_TRUE(layer(x, nullptr, nullptr, x, &row, nullptr, 2));
	EXPECT_FALSE(layer(x, nullptr, nullptr, x, nullptr, nullptr, 2));
	for (const int64_t dims : {int64_t{3}, int64_t{-1}, INT64_MAX, INT64_MIN})
		EXPECT_TRUE(layer(x, nullptr, nullptr, x, nullptr, nullptr, dims));
	EXPECT_TRUE(layer(x, nullptr, nullptr, x, nullptr, nullptr, (int64_t{1} << 32) + 1));
}

TEST_F(NormRefuses, GroupNorm)
{
	const Operand x = operand({2, 6, 3}), wide = operand({2, 6, 4});
	const Operand six = operand({6}), four = operand({4});
	EXPECT_FALSE(group(x, &four, x, &six, {2, 6, 3, 2}));
	EXPECT_TRUE(group(wide, &four, x, &six, {2, 6, 3, 2}));
	EXPECT_TRUE(group(x, &six, x, &six, {2, 6, 3, 2}));
	EXPECT_TRUE(group(x, &four, x, &four, {2, 6, 3, 2}));
	EXPECT_TRUE(group(six, nullptr, six, nullptr, {6, 1, 1, 1}));
	for (const Dims &integers :
	     {Dims{3, 6, 3, 2}, Dims{2, 5, 3, 1}, Dims{2, 6, 2, 2}, Dims{2, 6, 3, 4},
	      Dims{2, 6, 3, 0}, Dims{2, 6, 3, -1}, Dims{2, 6, 3, 12}, Dims{2, 6, 3, INT64_MIN}})
		EXPECT_TRUE(group(x, nullptr, x, nullptr, integers));
}

} // namespace
