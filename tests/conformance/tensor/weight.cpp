// SPDX-License-Identifier: MIT
/*
 * DOC: weights and triangular systems
 *
 * Weights that are prepared for products, quantised weights, and systems of equations, against plain loops.
 */
#include "operator/half.h"
#include "tensor/calls.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using WeightOperators = DeviceTest;

TEST_F(WeightOperators, SizesAreInWholeBlocks)
{
	uint64_t size = 0;
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({17, 33}), ACL_FLOAT16, &size), 0);
	EXPECT_EQ(size, 32u * 48u);
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({3, 17, 33}), ACL_INT8, &size), 0);
	EXPECT_EQ(size, 3u * 32u * 48u);
	EXPECT_EQ(aclnnCalculateMatmulWeightSize(IntArray({16, 16}), &size), 0);
	EXPECT_EQ(size, 256u);
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({16}), ACL_FLOAT16, &size),
		  kInvalidParameter);
	EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(IntArray({16, 16}), ACL_INT4, &size),
		  kInvalidParameter);
	for (const Dims &dims : {Dims{INT64_MAX, 16}, Dims{1LL << 32, 1LL << 32}, Dims{-1, 16}})
		EXPECT_EQ(aclnnCalculateMatmulWeightSize(IntArray(dims), &size), kInvalidParameter);
	EXPECT_EQ(aclnnCalculateMatmulWeightSize(nullptr, &size), kNullPointer);
	EXPECT_EQ(size, 256u);
}

/* A weight that a program has prepared is multiplied as it lies, whatever its format is. */
TEST_F(WeightOperators, PreparedWeightsKeepTheirForm)
{
	const std::vector<float> weight = {1, 2, 3, 4, 5, 6};
	const DeviceBuffer memory = device_copy(weight), out(2 * sizeof(float));
	const DeviceBuffer row = device_copy(std::vector<float>{10, 100, 1000});
	run<BOTH(TransMatmulWeight)>(Tensor(memory, ACL_FLOAT, {2, 3}));
	EXPECT_EQ(memory.load<float>(), weight);
	const Dims dims = {3, 2}, strides = {1, 3}, storage = {6};
	aclTensor *transposed =
		aclCreateTensor(dims.data(), 2, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_FRACTAL_NZ,
				storage.data(), 1, memory.data());
	run<BOTH(Mm)>(Tensor(row, ACL_FLOAT, {1, 3}), transposed, Tensor(out, ACL_FLOAT, {1, 2}),
		      int8_t{2});
	EXPECT_EQ(aclDestroyTensor(transposed), 0);
	EXPECT_EQ(out.load<float>(), (std::vector<float>{3210, 6540}));
	refuse<aclnnTransMatmulWeightGetWorkspaceSize>("2 to 6 dims",
						       Tensor(memory, ACL_FLOAT, {6}));
	refuse<aclnnTransMatmulWeightGetWorkspaceSize>("allowed are FLOAT",
						       Tensor(memory, ACL_INT32, {2, 3}));
}

/* struct Quantised - a weight [K, N], kept as its transposed [N, K], with scales for groups of 4 rows. */
struct Quantised {
	static constexpr size_t M = 3, K = 8, N = 5, GROUP = 4;

	Quantised() : x(M * K), weight(N * K), scale(N * K / GROUP)
	{
		for (size_t i = 0; i < x.size(); ++i)
			x[i] = static_cast<float>(i * 5 % 7) - 3;
		for (size_t i = 0; i < weight.size(); ++i)
			weight[i] = static_cast<int8_t>(int(i * 7 % 16) - 8);
		for (size_t i = 0; i < scale.size(); ++i)
			scale[i] = static_cast<float>(i % 4 + 1) / 4;
	}

	/* product() - of groups of @group rows, with @offset added to each weight and @bias to each result. */
	std::vector<float> product(size_t group, float offset, float bias) const
	{
		std::vector<float> y(M * N);
		for (size_t m = 0; m < M; ++m)
			for (size_t n = 0; n < N; ++n) {
				y[m * N + n] = bias;
				for (size_t k = 0; k < K; ++k)
					y[m * N + n] += x[m * K + k] *
							(float(weight[n * K + k]) + offset) *
							scale[n * (K / group) + k / group];
			}
		return y;
	}

	std::vector<float> x;
	std::vector<int8_t> weight;
	std::vector<float> scale;
};

DeviceBuffer halves_of(const std::vector<float> &values)
{
	std::vector<uint16_t> halves;
	for (const float value : values)
		halves.push_back(f16_of_float(value));
	return device_copy(halves);
}

/* pack() - two elements of INT4 a byte, the first one in its low half. */
std::vector<uint8_t> pack(const std::vector<int8_t> &values)
{
	std::vector<uint8_t> bytes(values.size() / 2);
	for (size_t i = 0; i < values.size(); ++i)
		bytes[i / 2] |= static_cast<uint8_t>((values[i] & 15) << (i % 2 * 4));
	return bytes;
}

std::vector<float> floats_of(const DeviceBuffer &halves)
{
	std::vector<float> values;
	for (const uint16_t half : halves.load<uint16_t>())
		values.push_back(float_of_f16(half));
	return values;
}

TEST_F(WeightOperators, QuantisedWeightsOfBothWidths)
{
	constexpr int64_t M = Quantised::M, K = Quantised::K, N = Quantised::N;
	const Quantised own;
	const DeviceBuffer x = halves_of(own.x), scale = halves_of(own.scale);
	const DeviceBuffer bytes = device_copy(own.weight), nibbles = device_copy(pack(own.weight));
	const DeviceBuffer y(M * N * sizeof(uint16_t));
	const aclTensor *none = nullptr;
	const Tensor left(x, ACL_FLOAT16, {M, K}), out(y, ACL_FLOAT16, {M, N});
	const Tensor groups(scale, ACL_FLOAT16, {2, N}, {1, 2}, 0);
	run<BOTH(WeightQuantBatchMatmulV2)>(left, Tensor(bytes, ACL_INT8, {K, N}, {1, K}, 0),
					    groups, none, none, none, none, 4, out);
	EXPECT_EQ(floats_of(y), own.product(4, 0, 0));
	/* A part of the columns of INT4: the view begins at byte 8. */
	const Tensor part(nibbles, ACL_INT4, {K, N - 2}, {1, K}, 2 * K);
	run<BOTH(WeightQuantBatchMatmulV2)>(
		left, part, Tensor(scale, ACL_FLOAT16, {2, N - 2}, {1, 2}, 4), none, none, none,
		none, 4, Tensor(y, ACL_FLOAT16, {M, N - 2}, {N, 1}, 2));
	EXPECT_EQ(floats_of(y), own.product(4, 0, 0));
}

TEST_F(WeightOperators, QuantisedWeightsWithOneScaleForEachColumn)
{
	constexpr int64_t M = Quantised::M, K = Quantised::K, N = Quantised::N;
	Quantised own;
	own.scale.resize(N);
	const DeviceBuffer x = halves_of(own.x), scale = halves_of(own.scale);
	const DeviceBuffer nibbles = device_copy(pack(own.weight)), y(M * N * sizeof(uint16_t));
	const DeviceBuffer offset = halves_of({2}), bias = halves_of(std::vector<float>(N, 0.5f));
	const Tensor left(x, ACL_FLOAT16, {M, K}), out(y, ACL_FLOAT16, {M, N});
	const Tensor right(nibbles, ACL_INT4, {K, N}, {1, K}, 0);
	const aclTensor *none = nullptr;
	run<BOTH(WeightQuantBatchMatmulV2)>(left, right, Tensor(scale, ACL_FLOAT16, {1, N}), none,
					    none, none, none, 0, out);
	EXPECT_EQ(floats_of(y), own.product(K, 0, 0));
	run<BOTH(WeightQuantBatchMatmulV2)>(left, right, Tensor(scale, ACL_FLOAT16, {N}),
					    Tensor(offset, ACL_FLOAT16, {1}), none, none,
					    Tensor(bias, ACL_FLOAT16, {N}), 0, out);
	EXPECT_EQ(floats_of(y), own.product(K, 2, 0.5f));
}

TEST_F(WeightOperators, SolveTrianglesOfEachForm)
{
	/* Of each matrix only one triangle may be read, and not the diagonal where it counts as 1. */
	const std::vector<float> a = {2, 0.5f, -1, 1, 4, 0.25f, -2, 3, 1};
	const std::vector<float> b = {1, 2, 3, 4, 5, 6};
	const DeviceBuffer matrix = device_copy(a), right = device_copy(b), x(24), copy(36);
	for (int form = 0; form < 8; ++form) {
		const bool upper = form & 1, transpose = form & 2, unit = form & 4;
		run<BOTH(TriangularSolve)>(Tensor(right, ACL_FLOAT, {3, 2}),
					   Tensor(matrix, ACL_FLOAT, {3, 3}), upper, transpose,
					   unit, Tensor(x, ACL_FLOAT, {3, 2}),
					   Tensor(copy, ACL_FLOAT, {3, 3}));
		EXPECT_EQ(copy.load<float>(), a);
		const std::vector<float> solved = x.load<float>();
		for (size_t i = 0; i < 6; ++i) {
			float sum = 0;
			for (size_t k = 0; k < 3; ++k) {
				const size_t row = transpose ? k : i / 2;
				const size_t column = transpose ? i / 2 : k;
				const bool is_read = upper ? column >= row : column <= row;
				float element = is_read ? a[3 * row + column] : 0;
				if (unit && row == column)
					element = 1;
				sum += element * solved[2 * k + i % 2];
			}
			EXPECT_NEAR(sum, b[i], 1e-4f) << form;
		}
	}
}

TEST_F(WeightOperators, SolveBatchesThatAreBroadcast)
{
	const DeviceBuffer matrix = device_copy(std::vector<float>{2, 9, 1, 4});
	const DeviceBuffer right = device_copy(std::vector<float>{2, 5, 4, 10});
	const DeviceBuffer x(16), copy(32);
	run<BOTH(TriangularSolve)>(
		Tensor(right, ACL_FLOAT, {2, 2, 1}), Tensor(matrix, ACL_FLOAT, {2, 2}), false,
		false, false, Tensor(x, ACL_FLOAT, {2, 2, 1}), Tensor(copy, ACL_FLOAT, {2, 2, 2}));
	EXPECT_EQ(x.load<float>(), (std::vector<float>{1, 1, 2, 2}));
	EXPECT_EQ(copy.load<float>(), (std::vector<float>{2, 9, 1, 4, 2, 9, 1, 4}));
}

TEST_F(WeightOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), square(memory, ACL_FLOAT, {2, 2});
	const Tensor batch(memory, ACL_FLOAT, {2, 2, 2}), other(memory, ACL_FLOAT, {3, 2, 2});
	const Tensor weight(memory, ACL_INT8, {3, 2}), row(memory, ACL_FLOAT, {2});
	const Tensor nibbles(memory, ACL_INT4, {3, 2}, {2, 1}, 1);
	const aclTensor *none = nullptr;
	constexpr auto QUANT = aclnnWeightQuantBatchMatmulV2GetWorkspaceSize;
	refuse<QUANT>("weight is FLOAT [2, 3]; allowed are INT8", matrix, matrix, row, none, none,
		      none, none, 0, square);
	refuse<QUANT>("quantScaleOptional must be NULL", matrix, weight, row, none, row, none, none,
		      0, square);
	refuse<QUANT>("x has 2 columns", square, weight, row, none, none, none, none, 0, square);
	refuse<QUANT>("antiquantScale is FLOAT [2]; it must have shape [2, 2]", matrix, weight, row,
		      none, none, none, none, 2, square);
	refuse<QUANT>("antiquantGroupSize is -1", matrix, weight, row, none, none, none, none, -1,
		      square);
	refuse<QUANT>("biasOptional is FLOAT [2, 2]", matrix, weight, row, none, none, none, square,
		      0, square);
	refuse<QUANT>("not at the begin of a byte", matrix, nibbles, row, none, none, none, none, 0,
		      square);
	refuse<aclnnTriangularSolveGetWorkspaceSize>("must be squares", matrix, matrix, false,
						     false, false, matrix, matrix);
	refuse<aclnnTriangularSolveGetWorkspaceSize>("can't be broadcast", batch, other, false,
						     false, false, batch, other);
	refuse<aclnnTriangularSolveGetWorkspaceSize>("mOut is FLOAT [2, 3]", square, square, false,
						     false, false, square, matrix);
	refuse<aclnnTriangularSolveGetWorkspaceSize>("must have 2 rows",
						     Tensor(memory, ACL_FLOAT, {3, 2}), square,
						     false, false, false, square, square);
}

} // namespace
