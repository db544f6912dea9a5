// SPDX-License-Identifier: MIT
/*
 * DOC: operators that work along dims
 *
 * Softmax, Cumsum, ArgMax, Argsort, ReduceSum, Mean and Norm against plain loops, along each dim of a transposed
 * view, and what they refuse.
 */
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using RowOperators = DeviceTest;
using Row = std::vector<float>;

/* A [2, 3, 4] view, whose last two dims are swapped in memory, and its rows along each dim. */
struct Cube {
	Cube() : values(24)
	{
		for (size_t i = 0; i < 24; ++i)
			values[i] = static_cast<float>(i * 7 % 24) / 4 - 2;
		memory = std::make_unique<DeviceBuffer>(device_copy(values));
		self = std::make_unique<Tensor>(*memory, ACL_FLOAT, Dims{2, 3, 4}, Dims{12, 1, 3},
						0);
	}

	/* apply() - @function of each row along @dim, one after the other along that dim in the result. */
	std::vector<float> apply(size_t dim, const std::function<Row(const Row &)> &function) const
	{
		Dims size = {2, 3, 4};
		const size_t stride[] = {12, 1, 3};
		const size_t length = static_cast<size_t>(size[dim]);
		std::vector<float> out;
		size_t inner = dim == 0 ? 12 : dim == 1 ? 4 : 1;
		const size_t outer = 24 / inner / length;
		for (size_t o = 0; o < outer; ++o) {
			std::vector<Row> results;
			for (size_t i = 0; i < inner; ++i) {
				const size_t at = dim == 0   ? i / 4 + i % 4 * 3
						  : dim == 1 ? o * 12 + i * 3
							     : o / 3 * 12 + o % 3;
				Row row(length);
				for (size_t k = 0; k < length; ++k)
					row[k] = values[at + k * stride[dim]];
				results.push_back(function(row));
			}
			for (size_t k = 0; k < results[0].size(); ++k)
				for (const Row &result : results)
					out.push_back(result[k]);
		}
		return out;
	}

	std::vector<float> values;
	std::unique_ptr<DeviceBuffer> memory;
	std::unique_ptr<Tensor> self;
};

void expect_near(const std::vector<float> &got, const std::vector<float> &wanted)
{
	ASSERT_EQ(got.size(), wanted.size());
	for (size_t i = 0; i < got.size(); ++i)
		EXPECT_NEAR(got[i], wanted[i], 1e-6f + 1e-6f * std::fabs(wanted[i])) << i;
}

const Dims CUBE = {2, 3, 4};

Row softmax(const Row &row)
{
	Row out = row;
	float sum = 0;
	for (float &x : out)
		sum += x = std::exp(x);
	for (float &x : out)
		x /= sum;
	return out;
}

Row running_sums(const Row &row)
{
	Row out(row.size());
	std::partial_sum(row.begin(), row.end(), out.begin());
	return out;
}

TEST_F(RowOperators, SoftmaxAndCumsumAlongEachDim)
{
	const Cube cube;
	for (int64_t dim = -3; dim < 3; ++dim) {
		const DeviceBuffer out(24 * sizeof(float));
		const Tensor result(out, ACL_FLOAT, CUBE);
		const size_t d = static_cast<size_t>((dim + 3) % 3);
		run<BOTH(Softmax)>(*cube.self, dim, result);
		expect_near(out.load<float>(), cube.apply(d, softmax));
		run<BOTH(Cumsum)>(*cube.self, dim, ACL_FLOAT, result);
		expect_near(out.load<float>(), cube.apply(d, running_sums));
	}
}

Row order(const Row &row, bool is_descending)
{
	Row out(row.size());
	std::iota(out.begin(), out.end(), 0.0f);
	std::stable_sort(out.begin(), out.end(), [&](float a, float b) {
		const float x = row[static_cast<size_t>(a)], y = row[static_cast<size_t>(b)];
		return is_descending ? x > y : x < y;
	});
	return out;
}

template <class T> std::vector<T> to(const std::vector<float> &values)
{
	return {values.begin(), values.end()};
}

TEST_F(RowOperators, IndicesAlongEachDim)
{
	const Cube cube;
	for (int64_t dim = -3; dim < 3; ++dim) {
		const size_t d = static_cast<size_t>((dim + 3) % 3);
		for (const bool is_descending : {false, true}) {
			const DeviceBuffer out(24 * sizeof(int64_t));
			run<BOTH(Argsort)>(*cube.self, dim, is_descending,
					   Tensor(out, ACL_INT64, CUBE));
			const auto sort = [&](const Row &row) { return order(row, is_descending); };
			EXPECT_EQ(out.load<int64_t>(), to<int64_t>(cube.apply(d, sort)));
		}
		Dims dims = CUBE;
		dims.erase(dims.begin() + static_cast<int64_t>(d));
		const auto wanted = to<int32_t>(
			cube.apply(d, [](const Row &row) { return Row{order(row, true)[0]}; }));
		const DeviceBuffer out(wanted.size() * sizeof(int32_t));
		run<BOTH(ArgMax)>(*cube.self, dim, false, Tensor(out, ACL_INT32, dims));
		EXPECT_EQ(out.load<int32_t>(), wanted);
	}
}

TEST_F(RowOperators, ReduceEachDim)
{
	const Cube cube;
	const Scalar two(2.0f, ACL_FLOAT);
	for (int64_t dim = -3; dim < 3; ++dim) {
		const size_t d = static_cast<size_t>((dim + 3) % 3);
		Dims dims = CUBE;
		dims[d] = 1;
		const auto sum = [](const Row &row) { return Row{running_sums(row).back()}; };
		const auto mean = [&](const Row &row) {
			return Row{sum(row)[0] / float(row.size())};
		};
		const auto norm = [](const Row &row) {
			float squares = 0;
			for (const float x : row)
				squares += x * x;
			return Row{std::sqrt(squares)};
		};
		const DeviceBuffer out(24 / static_cast<size_t>(CUBE[d]) * sizeof(float));
		const Tensor kept(out, ACL_FLOAT, dims);
		run<BOTH(ReduceSum)>(*cube.self, IntArray({dim}), true, ACL_FLOAT, kept);
		expect_near(out.load<float>(), cube.apply(d, sum));
		run<BOTH(Norm)>(*cube.self, two, IntArray({dim}), true, kept);
		expect_near(out.load<float>(), cube.apply(d, norm));
		dims.erase(dims.begin() + static_cast<int64_t>(d));
		const Tensor less(out, ACL_FLOAT, dims);
		run<BOTH(Mean)>(*cube.self, IntArray({dim}), false, ACL_FLOAT, less);
		expect_near(out.load<float>(), cube.apply(d, mean));
	}
}

TEST_F(RowOperators, ReduceAllDimsAndIntegers)
{
	const DeviceBuffer self = device_copy(std::vector<int32_t>{INT32_MAX, 5, -2, INT32_MAX});
	const DeviceBuffer out(sizeof(int64_t));
	for (const Dims &dims : {Dims{0, 1}, Dims{}}) {
		run<BOTH(ReduceSum)>(Tensor(self, ACL_INT32, {2, 2}), IntArray(dims), false,
				     ACL_INT64, Tensor(out, ACL_INT64, {}));
		EXPECT_EQ(out.load<int64_t>(), std::vector<int64_t>{2 * int64_t{INT32_MAX} + 3});
		out.store(std::vector<int64_t>{0});
	}
}

TEST_F(RowOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), integers(memory, ACL_INT32, {2, 3});
	const Tensor row(memory, ACL_FLOAT, {3}), none(memory, ACL_FLOAT, {2, 0});
	const Tensor pair(memory, ACL_INT32, {2});
	refuse<aclnnSoftmaxGetWorkspaceSize>("dim is 2; allowed are -2 to 1", matrix, 2, matrix);
	refuse<aclnnSoftmaxGetWorkspaceSize>("self is INT32 [2, 3]; allowed", integers, 0, matrix);
	refuse<aclnnSoftmaxGetWorkspaceSize>("has shape [2, 3]", matrix, 0, row);
	refuse<aclnnCumsumGetWorkspaceSize>("dtype is INT32", matrix, 0, ACL_INT32, matrix);
	refuse<aclnnArgsortGetWorkspaceSize>("allowed are INT32 and INT64", matrix, 0, true,
					     matrix);
	refuse<aclnnArgMaxGetWorkspaceSize>("has no maximum", none, 1, false, pair);
	refuse<aclnnReduceSumGetWorkspaceSize>("dim has 1 twice", matrix, IntArray({1, -1}), true,
					       ACL_FLOAT, matrix);
	refuse<aclnnMeanGetWorkspaceSize>("has shape [3]", matrix, IntArray({0}), false, ACL_FLOAT,
					  matrix);
	refuse<aclnnNormGetWorkspaceSize>("dim is -3", matrix, Scalar(1.0f, ACL_FLOAT),
					  IntArray({-3}), true, matrix);
}

TEST_F(RowOperators, LogSoftmaxOfRows)
{
	const DeviceBuffer self =
		device_copy(std::vector<float>{0, 0, 1000, 1000 + std::log(3.0f), 1e20f, 1e20f});
	const DeviceBuffer out(6 * sizeof(float));
	run<BOTH(LogSoftmax)>(Tensor(self, ACL_FLOAT, {3, 2}), -1, Tensor(out, ACL_FLOAT, {3, 2}));
	const std::vector<float> got = out.load<float>();
	const double wanted[] = {-0.6931472, -0.6931472, -1.386294,
				 -0.2876821, -0.6931472, -0.6931472};
	for (size_t i = 0; i < 6; ++i)
		EXPECT_NEAR(got[i], wanted[i], 5e-5) << i;
}

/* Programs that reduce a vector give a result of shape [1] as well as one without dims, with keepDims or without. */
TEST_F(RowOperators, OneResultMayHaveOneDimOrNone)
{
	const DeviceBuffer self = device_copy(std::vector<float>{1, 2, 3, 4}), out(sizeof(float));
	const DeviceBuffer index(sizeof(int64_t));
	const Tensor from(self, ACL_FLOAT, {4});
	for (const Dims &dims : {Dims{}, Dims{1}})
		for (const bool keeps : {false, true}) {
			const Tensor to(out, ACL_FLOAT, dims);
			run<BOTH(ReduceSum)>(from, IntArray({0}), keeps, ACL_FLOAT, to);
			EXPECT_EQ(out.load<float>()[0], 10);
			run<BOTH(Mean)>(from, IntArray(Dims{}), keeps, ACL_FLOAT, to);
			EXPECT_EQ(out.load<float>()[0], 2.5f);
			run<BOTH(Norm)>(from, Scalar(1.0f, ACL_FLOAT), IntArray({-1}), keeps, to);
			EXPECT_EQ(out.load<float>()[0], 10);
			run<BOTH(ArgMax)>(from, 0, keeps, Tensor(index, ACL_INT64, dims));
			EXPECT_EQ(index.load<int64_t>()[0], 3);
		}
	refuse<aclnnReduceSumGetWorkspaceSize>("the result has shape []", from, IntArray({0}),
					       false, ACL_FLOAT, Tensor(out, ACL_FLOAT, {1, 1}));
}

/* A sum that FLOAT can't hold: 2^24 + 1. */
TEST_F(RowOperators, CumsumIntoDoubleIsNotRoundedToFloat)
{
	const DeviceBuffer self = device_copy(std::vector<float>{16777216, 1, 1});
	const DeviceBuffer out(3 * sizeof(double));
	run<BOTH(Cumsum)>(Tensor(self, ACL_FLOAT, {3}), 0, ACL_DOUBLE,
			  Tensor(out, ACL_DOUBLE, {3}));
	EXPECT_EQ(out.load<double>(), (std::vector<double>{16777216, 16777217, 16777218}));
}

} // namespace
