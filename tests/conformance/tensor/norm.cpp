// SPDX-License-Identifier: MIT
/*
 * DOC: norms
 *
 * RmsNorm, AddRmsNorm, LayerNorm and GroupNorm against loops in double, with views that are not dense, results of
 * another rank, absent operands, and what they refuse.
 */
#include <cmath>

#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using NormOperators = DeviceTest;

std::vector<float> numbers(size_t count)
{
	std::vector<float> values(count);
	for (size_t i = 0; i < count; ++i)
		values[i] = static_cast<float>(i * 7 % 23) / 4 - 2.5f;
	return values;
}

void expect_near(const std::vector<float> &got, const std::vector<float> &wanted)
{
	ASSERT_EQ(got.size(), wanted.size());
	for (size_t i = 0; i < got.size(); ++i)
		EXPECT_NEAR(got[i], wanted[i], 1e-6f + 1e-6f * std::fabs(wanted[i])) << i;
}

/* struct Row - mean and 1 / sqrt(.. + eps) of a row. */
struct Row {
	Row(const float *row, size_t n, double eps)
	{
		double squares = 0;
		for (size_t i = 0; i < n; ++i)
			mean += double(row[i]) / double(n);
		for (size_t i = 0; i < n; ++i) {
			squares += double(row[i]) * double(row[i]) / double(n);
			variance += (double(row[i]) - mean) * (double(row[i]) - mean) / double(n);
		}
		root = 1 / std::sqrt(squares + eps);
		deviation = 1 / std::sqrt(variance + eps);
	}

	double mean = 0, variance = 0, root = 0, deviation = 0;
};

TEST_F(NormOperators, RootMeanOfRowsWithGaps)
{
	const std::vector<float> values = numbers(60), factors = {1, -2, 0.5f, 3};
	const DeviceBuffer x = device_copy(values), gamma = device_copy(factors);
	const DeviceBuffer y(48 * sizeof(float)), rstd(12 * sizeof(float));
	/* [2, 3, 2, 4], whose rows are 5 apart; rstd lacks the last dim. */
	run<BOTH(RmsNorm)>(Tensor(x, ACL_FLOAT, {2, 3, 2, 4}, {30, 10, 5, 1}, 1),
			   Tensor(gamma, ACL_FLOAT, {4}), 1e-3, Tensor(y, ACL_FLOAT, {2, 3, 2, 4}),
			   Tensor(rstd, ACL_FLOAT, {2, 3, 2}));
	std::vector<float> wanted, roots;
	for (size_t row = 0; row < 12; ++row) {
		const Row norm(&values[5 * row + 1], 4, 1e-3);
		roots.push_back(static_cast<float>(norm.root));
		for (size_t i = 0; i < 4; ++i)
			wanted.push_back(static_cast<float>(double(values[5 * row + 1 + i]) *
							    norm.root * double(factors[i])));
	}
	expect_near(y.load<float>(), wanted);
	expect_near(rstd.load<float>(), roots);
}

TEST_F(NormOperators, RootMeanInPlaceAndOfASum)
{
	const std::vector<float> a = numbers(12), ones(6, 1);
	std::vector<float> b = numbers(24);
	b.erase(b.begin(), b.begin() + 12);
	const DeviceBuffer x1 = device_copy(a), x2 = device_copy(b), gamma = device_copy(ones);
	const DeviceBuffer y(48), sum(48), rstd(2 * sizeof(float));
	const Tensor one(x1, ACL_FLOAT, {2, 2, 3}), factors(gamma, ACL_FLOAT, {2, 3});
	/* Strides of rstd are garbage; its two elements follow each other. */
	run<BOTH(AddRmsNorm)>(one, Tensor(x2, ACL_FLOAT, {2, 2, 3}), factors, 0.0,
			      Tensor(y, ACL_FLOAT, {2, 2, 3}),
			      Tensor(rstd, ACL_FLOAT, {2, 1, 1}, {INT64_MAX / 2, -77, 1}, 0),
			      Tensor(sum, ACL_FLOAT, {2, 2, 3}));
	std::vector<float> sums(12), wanted(12), roots;
	for (size_t i = 0; i < 12; ++i)
		sums[i] = a[i] + b[i];
	for (size_t row = 0; row < 2; ++row) {
		const Row norm(&sums[6 * row], 6, 0);
		roots.push_back(static_cast<float>(norm.root));
		for (size_t i = 6 * row; i < 6 * row + 6; ++i)
			wanted[i] = static_cast<float>(double(sums[i]) * norm.root);
	}
	EXPECT_EQ(sum.load<float>(), sums);
	expect_near(y.load<float>(), wanted);
	expect_near(rstd.load<float>(), roots);
	/* The norm of the sum, in its own memory. */
	const Tensor again(sum, ACL_FLOAT, {2, 2, 3});
	run<BOTH(RmsNorm)>(again, factors, 0.0, again, Tensor(rstd, ACL_FLOAT, {2}));
	expect_near(sum.load<float>(), wanted);
}

TEST_F(NormOperators, LayersOfTransposedViews)
{
	const std::vector<float> values = numbers(24), weight = {1, 2, 3, 4}, bias = {0, 1, 0, -1};
	const DeviceBuffer input = device_copy(values), out(96), mean(24), rstd(24);
	const DeviceBuffer factors = device_copy(weight), addends = device_copy(bias);
	/* [2, 3, 4], whose last two dims are swapped in memory. */
	const Tensor self(input, ACL_FLOAT, {2, 3, 4}, {12, 1, 3}, 0);
	const Tensor result(out, ACL_FLOAT, {2, 3, 4});
	std::vector<float> plain, weighted, means, deviations;
	for (size_t row = 0; row < 6; ++row) {
		float own[4];
		for (size_t i = 0; i < 4; ++i)
			own[i] = values[row / 3 * 12 + row % 3 + 3 * i];
		const Row norm(own, 4, 1e-5);
		means.push_back(static_cast<float>(norm.mean));
		deviations.push_back(static_cast<float>(norm.deviation));
		for (size_t i = 0; i < 4; ++i) {
			const double x = (double(own[i]) - norm.mean) * norm.deviation;
			plain.push_back(static_cast<float>(x));
			weighted.push_back(
				static_cast<float>(x * double(weight[i]) + double(bias[i])));
		}
	}
	const aclTensor *none = nullptr;
	aclTensor *no_result = nullptr;
	run<BOTH(LayerNorm)>(self, IntArray({4}), none, none, 1e-5, result, no_result, no_result);
	expect_near(out.load<float>(), plain);
	run<BOTH(LayerNorm)>(self, IntArray({4}), Tensor(factors, ACL_FLOAT, {4}),
			     Tensor(addends, ACL_FLOAT, {4}), 1e-5, result,
			     Tensor(mean, ACL_FLOAT, {2, 3, 1}),
			     Tensor(rstd, ACL_FLOAT, {2, 3, 1}));
	expect_near(out.load<float>(), weighted);
	expect_near(mean.load<float>(), means);
	expect_near(rstd.load<float>(), deviations);
}

TEST_F(NormOperators, GroupsOfChannels)
{
	/* [2, 4, 3, 2] in groups of 2 channels. */
	const std::vector<float> values = numbers(48), weight = {1, 2, 3, 4}, bias = {0, 1, 0, -1};
	const DeviceBuffer self = device_copy(values), out(192), mean(16), rstd(16);
	const DeviceBuffer factors = device_copy(weight), addends = device_copy(bias);
	const aclTensor *none = nullptr;
	std::vector<float> plain(48), weighted(48), means, deviations;
	for (size_t row = 0; row < 4; ++row) {
		const Row norm(&values[12 * row], 12, 1e-5);
		means.push_back(static_cast<float>(norm.mean));
		deviations.push_back(static_cast<float>(norm.deviation));
		for (size_t i = 12 * row; i < 12 * row + 12; ++i) {
			const double x = (double(values[i]) - norm.mean) * norm.deviation;
			const size_t c = i / 6 % 4;
			plain[i] = static_cast<float>(x);
			weighted[i] = static_cast<float>(x * double(weight[c]) + double(bias[c]));
		}
	}
	const Tensor x(self, ACL_FLOAT, {2, 4, 3, 2}), y(out, ACL_FLOAT, {2, 4, 3, 2});
	const Tensor m(mean, ACL_FLOAT, {2, 2}), r(rstd, ACL_FLOAT, {2, 2});
	run<BOTH(GroupNorm)>(x, none, none, 2, 4, 6, 2, 1e-5, y, m, r);
	expect_near(out.load<float>(), plain);
	expect_near(mean.load<float>(), means);
	expect_near(rstd.load<float>(), deviations);
	run<BOTH(GroupNorm)>(x, Tensor(factors, ACL_FLOAT, {4}), Tensor(addends, ACL_FLOAT, {4}), 2,
			     4, 6, 2, 1e-5, y, m, r);
	expect_near(out.load<float>(), weighted);
}

TEST_F(NormOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), row(memory, ACL_FLOAT, {3});
	const Tensor pair(memory, ACL_FLOAT, {2}), integers(memory, ACL_INT32, {2, 3});
	const Tensor image(memory, ACL_FLOAT, {2, 4, 3}), four(memory, ACL_FLOAT, {2, 2});
	const aclTensor *none = nullptr;
	aclTensor *no_result = nullptr;
	refuse<aclnnRmsNormGetWorkspaceSize>("gamma is FLOAT [2]; it must have the last dims",
					     matrix, pair, 0.0, matrix, pair);
	refuse<aclnnRmsNormGetWorkspaceSize>("rstdOut is FLOAT [3]; it has 2 elements", matrix, row,
					     0.0, matrix, row);
	refuse<aclnnRmsNormGetWorkspaceSize>("has shape [2, 3]", matrix, row, 0.0, row, pair);
	refuse<aclnnRmsNormGetWorkspaceSize>("allowed are FLOAT", integers, row, 0.0, matrix, pair);
	refuse<aclnnAddRmsNormGetWorkspaceSize>("x1 is FLOAT [3]; it must have shape [2, 3]", row,
						matrix, row, 0.0, matrix, pair, matrix);
	refuse<aclnnAddRmsNormGetWorkspaceSize>("xOut is FLOAT [3]", matrix, matrix, row, 0.0,
						matrix, pair, row);
	refuse<aclnnLayerNormGetWorkspaceSize>("normalizedShape must have", matrix, IntArray({2}),
					       none, none, 0.0, matrix, no_result, no_result);
	refuse<aclnnLayerNormGetWorkspaceSize>("normalizedShape must have", matrix, IntArray({}),
					       none, none, 0.0, matrix, no_result, no_result);
	refuse<aclnnLayerNormGetWorkspaceSize>("weightOptional is FLOAT [2]", matrix, IntArray({3}),
					       pair, none, 0.0, matrix, no_result, no_result);
	refuse<aclnnLayerNormGetWorkspaceSize>("it has 2 elements", matrix, IntArray({3}), none,
					       none, 0.0, matrix, row, no_result);
	refuse<aclnnGroupNormGetWorkspaceSize>("N, C and HxW must be", image, none, none, 2, 4, 4,
					       2, 0.0, image, four, four);
	refuse<aclnnGroupNormGetWorkspaceSize>("group is 3", image, none, none, 2, 4, 3, 3, 0.0,
					       image, four, four);
	refuse<aclnnGroupNormGetWorkspaceSize>("meanOut is FLOAT [2]", image, none, none, 2, 4, 3,
					       2, 0.0, image, pair, four);
	refuse<aclnnGroupNormGetWorkspaceSize>("gamma is FLOAT [3]", image, row, none, 2, 4, 3, 2,
					       0.0, image, four, four);
}

} // namespace
