// SPDX-License-Identifier: MIT
/*
 * DOC: products of matrices
 *
 * Each entry point with the views that programs give it: transposed weights, batches that are broadcast, vectors,
 * and results of another type. Small whole numbers make every product exact.
 */
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "capture/capture_objects.h"
#include "operator/half.h"
#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using MatrixOperators = DeviceTest;
using First = aclnnStatus (*)(const aclTensor *, const aclTensor *, aclTensor *, int8_t, uint64_t *,
			      aclOpExecutor **);
using Second = aclnnStatus (*)(void *, uint64_t, aclOpExecutor *, aclrtStream);

void multiply(First first, Second second, const aclTensor *left, const aclTensor *right,
	      aclTensor *out, aclrtStream stream = nullptr)
{
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;
	ASSERT_OK(first(left, right, out, 1, &workspace_bytes, &executor));
	EXPECT_EQ(workspace_bytes, 0u);
	ASSERT_OK(second(nullptr, 0, executor, stream));
}

std::vector<float> whole_numbers(size_t count)
{
	std::vector<float> numbers(count);
	for (size_t i = 0; i < count; ++i)
		numbers[i] = static_cast<float>(i * 7 % 11) - 5;
	return numbers;
}

/* The product of an [m, k] and a [k, n] matrix. */
std::vector<float> product(const float *a, const float *b, size_t m, size_t n, size_t k)
{
	std::vector<float> c(m * n);
	for (size_t i = 0; i < m; ++i)
		for (size_t j = 0; j < n; ++j)
			for (size_t l = 0; l < k; ++l)
				c[i * n + j] += a[i * k + l] * b[l * n + j];
	return c;
}

TEST_F(MatrixOperators, MultiplyByATransposedWeight)
{
	constexpr size_t m = 3, n = 600, k = 40;
	const std::vector<float> a = whole_numbers(m * k), b = whole_numbers(k * n);
	std::vector<float> weight(n * k);
	for (size_t l = 0; l < k; ++l)
		for (size_t j = 0; j < n; ++j)
			weight[j * k + l] = b[l * n + j];
	const DeviceBuffer left = device_copy(a), right = device_copy(weight);
	const DeviceBuffer out(m * n * sizeof(float));
	multiply(aclnnMmGetWorkspaceSize, aclnnMm, Tensor(left, ACL_FLOAT, {m, k}),
		 Tensor(right, ACL_FLOAT, {k, n}, {1, k}, 0), Tensor(out, ACL_FLOAT, {m, n}));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), product(a.data(), b.data(), m, n, k));
}

TEST_F(MatrixOperators, MixTypes)
{
	const std::vector<float> a = whole_numbers(6), b = whole_numbers(12);
	std::vector<uint16_t> halves;
	for (const float number : b)
		halves.push_back(f16_of_float(number));
	const DeviceBuffer left = device_copy(a), right = device_copy(halves);
	const DeviceBuffer out(8 * sizeof(float));
	multiply(aclnnMatmulGetWorkspaceSize, aclnnMatmul, Tensor(left, ACL_FLOAT, {2, 3}),
		 Tensor(right, ACL_FLOAT16, {3, 4}), Tensor(out, ACL_FLOAT, {2, 4}));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), product(a.data(), b.data(), 2, 4, 3));
}

TEST_F(MatrixOperators, BroadcastBatches)
{
	/* [2, 1, 2, 3] times [3, 3, 4] gives [2, 3, 2, 4]. */
	const std::vector<float> a = whole_numbers(12), b = whole_numbers(36);
	const DeviceBuffer left = device_copy(a), right = device_copy(b);
	const DeviceBuffer out(48 * sizeof(float));
	multiply(aclnnMatmulGetWorkspaceSize, aclnnMatmul, Tensor(left, ACL_FLOAT, {2, 1, 2, 3}),
		 Tensor(right, ACL_FLOAT, {3, 3, 4}), Tensor(out, ACL_FLOAT, {2, 3, 2, 4}));
	std::vector<float> wanted;
	for (size_t i = 0; i < 2; ++i)
		for (size_t j = 0; j < 3; ++j) {
			const auto one = product(&a[6 * i], &b[12 * j], 2, 4, 3);
			wanted.insert(wanted.end(), one.begin(), one.end());
		}
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), wanted);
	/* The first matrix of the left side serves a batch of 3. */
	const DeviceBuffer batch(24 * sizeof(float));
	multiply(aclnnBatchMatMulGetWorkspaceSize, aclnnBatchMatMul,
		 Tensor(left, ACL_FLOAT, {1, 2, 3}), Tensor(right, ACL_FLOAT, {3, 3, 4}),
		 Tensor(batch, ACL_FLOAT, {3, 2, 4}));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	wanted.resize(24);
	EXPECT_EQ(batch.load<float>(), wanted);
}

TEST_F(MatrixOperators, MultiplyVectors)
{
	const std::vector<float> a = whole_numbers(12), v = {1, -2, 3};
	const DeviceBuffer matrix = device_copy(a), vector = device_copy(v), out(4 * sizeof(float));
	/* The matrix is the transposed view of a [3, 4] one. */
	multiply(aclnnMvGetWorkspaceSize, aclnnMv, Tensor(matrix, ACL_FLOAT, {4, 3}, {1, 4}, 0),
		 Tensor(vector, ACL_FLOAT, {3}), Tensor(out, ACL_FLOAT, {4}));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), product(v.data(), a.data(), 1, 4, 3));
	const DeviceBuffer again(4 * sizeof(float)), dot(sizeof(float));
	multiply(aclnnMatmulGetWorkspaceSize, aclnnMatmul, Tensor(vector, ACL_FLOAT, {3}),
		 Tensor(matrix, ACL_FLOAT, {3, 4}), Tensor(again, ACL_FLOAT, {4}));
	multiply(aclnnMatmulGetWorkspaceSize, aclnnMatmul, Tensor(vector, ACL_FLOAT, {3}),
		 Tensor(vector, ACL_FLOAT, {3}), Tensor(dot, ACL_FLOAT, {}));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(again.load<float>(), out.load<float>());
	EXPECT_EQ(dot.load<float>(), std::vector<float>{14});
}

TEST_F(MatrixOperators, AreNodesOfCapturedModels)
{
	const std::vector<float> a = whole_numbers(6), b = whole_numbers(12);
	const DeviceBuffer left = device_copy(a), right = device_copy(b), out(8 * sizeof(float));
	const Stream stream;
	begin_capture(stream);
	multiply(aclnnMmGetWorkspaceSize, aclnnMm, Tensor(left, ACL_FLOAT, {2, 3}),
		 Tensor(right, ACL_FLOAT, {3, 4}), Tensor(out, ACL_FLOAT, {2, 4}), stream);
	aclmdlRI model = nullptr;
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(out.load<float>(), product(a.data(), b.data(), 2, 4, 3));
	EXPECT_OK(aclmdlRIDestroy(model));
}

/* expect_refused() - the product is refused with a sentence that has @text. */
void expect_refused(First first, const aclTensor *left, const aclTensor *right, aclTensor *out,
		    const char *text)
{
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
	EXPECT_EQ(first(left, right, out, 1, &workspace_bytes, &executor), kInvalidParameter);
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find(text), std::string::npos)
		<< aclGetRecentErrMsg();
}

TEST_F(MatrixOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), square(memory, ACL_FLOAT, {3, 3});
	const Tensor integers(memory, ACL_INT32, {3, 3}), row(memory, ACL_FLOAT, {3});
	const Tensor batch(memory, ACL_FLOAT, {4, 3, 3}), other(memory, ACL_FLOAT, {5, 3, 3});
	expect_refused(aclnnMmGetWorkspaceSize, matrix, matrix, matrix, "added up has size 3");
	expect_refused(aclnnMmGetWorkspaceSize, matrix, square, square, "has shape [2, 3]");
	expect_refused(aclnnMmGetWorkspaceSize, matrix, row, row, "it must have 2 dims");
	expect_refused(aclnnMmGetWorkspaceSize, matrix, integers, matrix, "allowed are FLOAT");
	expect_refused(aclnnMatmulGetWorkspaceSize, batch, other, batch, "can't be broadcast");
	expect_refused(aclnnBatchMatMulGetWorkspaceSize, matrix, square, matrix, "3 dims");
	expect_refused(aclnnMvGetWorkspaceSize, matrix, square, matrix, "it must have 1 dim");
}

} // namespace
