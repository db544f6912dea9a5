// SPDX-License-Identifier: MIT
/*
 * DOC: tensor operators
 *
 * The path of a tensor operator from its first phase to its result: eager, captured, large, refused. What each
 * kernel computes is tested in tests/unit/operators.
 */
#include <cmath>

#include "capture/capture_objects.h"
#include "operator/operator_objects.h"
#include "tensor/missing_arguments.h"

using namespace conformance;

namespace {

using TensorOperators = DeviceTest;

aclOpExecutor *prepare_sub(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
			   aclTensor *out)
{
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;

	EXPECT_OK(aclnnSubGetWorkspaceSize(self, other, alpha, out, &workspace_bytes, &executor));
	EXPECT_EQ(workspace_bytes, 0u);
	return executor;
}

void subtract(const aclTensor *self, const aclTensor *other, const aclScalar *alpha, aclTensor *out,
	      aclrtStream stream)
{
	EXPECT_OK(aclnnSub(nullptr, 0, prepare_sub(self, other, alpha, out), stream));
}

void exponentiate(const aclTensor *self, aclTensor *out, aclrtStream stream)
{
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;

	ASSERT_OK(aclnnExpGetWorkspaceSize(self, out, &workspace_bytes, &executor));
	EXPECT_EQ(workspace_bytes, 0u);
	EXPECT_OK(aclnnExp(nullptr, 0, executor, stream));
}

void expect_close(const std::vector<float> &got, const std::vector<float> &wanted)
{
	ASSERT_EQ(got.size(), wanted.size());
	for (size_t i = 0; i < got.size(); ++i)
		ASSERT_NEAR(got[i], wanted[i], 2e-6f * std::fabs(wanted[i])) << i;
}

TEST_F(TensorOperators, ComputeStridedAndBroadcastViews)
{
	std::vector<float> a(24), b(4), wanted(24), powers(24);
	for (size_t i = 0; i < a.size(); ++i)
		a[i] = 0.25f * static_cast<float>(i) - 2;
	for (size_t i = 0; i < b.size(); ++i)
		b[i] = static_cast<float>(i) - 1.5f;
	const DeviceBuffer device_a = device_copy(a), device_b = device_copy(b);
	const DeviceBuffer difference(24 * sizeof(float)), power(24 * sizeof(float));
	const Scalar alpha(2.0f, ACL_FLOAT);
	/* self is the transposed view of a 4 x 6 matrix; the stride of the dim of size 1 is garbage. */
	subtract(Tensor(device_a, ACL_FLOAT, {6, 1, 4}, {1, -12345, 6}, 0),
		 Tensor(device_b, ACL_FLOAT, {4}), alpha, Tensor(difference, ACL_FLOAT, {6, 1, 4}),
		 nullptr);
	exponentiate(Tensor(difference, ACL_FLOAT, {24}), Tensor(power, ACL_FLOAT, {24}), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	for (size_t row = 0; row < 6; ++row)
		for (size_t column = 0; column < 4; ++column)
			wanted[4 * row + column] = a[6 * column + row] - 2 * b[column];
	for (size_t i = 0; i < powers.size(); ++i)
		powers[i] = std::exp(wanted[i]);
	EXPECT_EQ(difference.load<float>(), wanted);
	expect_close(power.load<float>(), powers);
}

TEST_F(TensorOperators, WorkInPlaceAndOnIntegers)
{
	const std::vector<int32_t> a = {5, -7, INT32_MIN, 100}, b = {1, 2, 3, 4};
	const DeviceBuffer device_a = device_copy(a), device_b = device_copy(b);
	const Scalar alpha(1.0f, ACL_FLOAT);
	uint64_t workspace_bytes = 99;
	aclOpExecutor *executor = nullptr;
	ASSERT_OK(aclnnInplaceSubGetWorkspaceSize(Tensor(device_a, ACL_INT32, {4}),
						  Tensor(device_b, ACL_INT32, {4}), alpha,
						  &workspace_bytes, &executor));
	EXPECT_OK(aclnnInplaceSub(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(device_a.load<int32_t>(), (std::vector<int32_t>{4, -9, INT32_MAX - 2, 96}));
}

TEST_F(TensorOperators, HaveUpToEightDims)
{
	std::vector<float> a(256), wanted(256);
	for (size_t i = 0; i < a.size(); ++i)
		a[i] = static_cast<float>(i);
	for (size_t i = 0; i < a.size(); ++i)
		wanted[i] = a[i] - 0.5f * a[i];
	const DeviceBuffer device_a = device_copy(a), out(256 * sizeof(float));
	const Dims dims(8, 2);
	subtract(Tensor(device_a, ACL_FLOAT, dims), Tensor(device_a, ACL_FLOAT, dims),
		 Scalar(0.5f, ACL_FLOAT), Tensor(out, ACL_FLOAT, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(out.load<float>(), wanted);
}

TEST_F(TensorOperators, AreCutOverEngines)
{
	constexpr size_t count = 3'000'001;
	std::vector<float> a(count), wanted(count);
	for (size_t i = 0; i < count; ++i) {
		a[i] = static_cast<float>(i % 1000) / 100;
		wanted[i] = std::exp(a[i]);
	}
	const DeviceBuffer device_a = device_copy(a), out(count * sizeof(float));
	const Dims dims = {static_cast<int64_t>(count)};
	exponentiate(Tensor(device_a, ACL_FLOAT, dims), Tensor(out, ACL_FLOAT, dims), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	expect_close(out.load<float>(), wanted);
}

TEST_F(TensorOperators, AreNodesOfCapturedModels)
{
	const std::vector<float> a = {0, 1, -1, 2};
	const DeviceBuffer device_a = device_copy(a), b(4 * sizeof(float)), c(4 * sizeof(float));
	const Stream stream;
	begin_capture(stream);
	{
		const Tensor self(device_a, ACL_FLOAT, {4}), middle(b, ACL_FLOAT, {4});
		exponentiate(self, middle, stream);
		subtract(middle, self, Scalar(1.0f, ACL_FLOAT), Tensor(c, ACL_FLOAT, {4}), stream);
	}
	aclmdlRI model = nullptr;
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));
	for (int turn = 0; turn < 3; ++turn) {
		std::vector<float> input(4), wanted(4);
		for (size_t i = 0; i < 4; ++i) {
			input[i] = a[i] + static_cast<float>(turn);
			wanted[i] = std::exp(input[i]) - input[i];
		}
		device_a.store(input);
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		expect_close(c.load<float>(), wanted);
	}
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(TensorOperators, FillALongRing)
{
	const DeviceBuffer value = device_copy(std::vector<float>{100'000});
	const DeviceBuffer one = device_copy(std::vector<float>{1});
	/* More operators than the ring has slots. */
	const Dims dims(8, 1);
	const Tensor self(value, ACL_FLOAT, dims), other(one, ACL_FLOAT, dims);
	const Scalar alpha(1.0f, ACL_FLOAT);
	for (int i = 0; i < 5000; ++i)
		subtract(self, other, alpha, self, nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(value.load<float>(), std::vector<float>{95'000});
}

TEST_F(TensorOperators, RepeatWithoutAnotherFirstPhase)
{
	const DeviceBuffer a = device_copy(std::vector<float>{10, 20});
	const DeviceBuffer b = device_copy(std::vector<float>{1, 2});
	aclOpExecutor *executor = nullptr;
	{
		const Tensor self(a, ACL_FLOAT, {2});
		executor =
			prepare_sub(self, Tensor(b, ACL_FLOAT, {2}), Scalar(1.0f, ACL_FLOAT), self);
	}
	ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
	for (int i = 0; i < 3; ++i)
		EXPECT_OK(aclnnSub(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(a.load<float>(), (std::vector<float>{7, 14}));
	EXPECT_OK(aclDestroyAclOpExecutor(executor));
}

TEST_F(TensorOperators, TakeOtherAddresses)
{
	const DeviceBuffer a = device_copy(std::vector<float>{0, 10, 20});
	const DeviceBuffer other_a = device_copy(std::vector<float>{0, 100, 200});
	const DeviceBuffer b = device_copy(std::vector<float>{1, 2}), c(8), other_c(8);
	const Tensor self(a, ACL_FLOAT, {2}, {1}, 1), out(c, ACL_FLOAT, {2});
	aclOpExecutor *executor =
		prepare_sub(self, Tensor(b, ACL_FLOAT, {2}), Scalar(1.0f, ACL_FLOAT), out);
	ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
	EXPECT_OK(aclnnSub(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclSetInputTensorAddr(executor, 0, self, other_a.data()));
	EXPECT_OK(aclSetTensorAddr(executor, 2, out, other_c.data()));
	EXPECT_OK(aclnnSub(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(c.load<float>(), (std::vector<float>{9, 18}));
	EXPECT_EQ(other_c.load<float>(), (std::vector<float>{99, 198}));
	EXPECT_OK(aclSetOutputTensorAddr(executor, 0, out, c.data()));
	EXPECT_OK(aclnnSub(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(c.load<float>(), (std::vector<float>{99, 198}));
	EXPECT_EQ(aclSetOutputTensorAddr(executor, 1, out, c.data()), kInvalidParameter);
	EXPECT_EQ(aclSetTensorAddr(executor, 3, out, c.data()), kInvalidParameter);
	EXPECT_EQ(aclSetTensorAddr(executor, 0, nullptr, c.data()), kNullPointer);
	EXPECT_OK(aclDestroyAclOpExecutor(executor));
}

/* An operator in place reads and writes at the new address. */
TEST_F(TensorOperators, InPlaceTakeOtherAddresses)
{
	const DeviceBuffer a = device_copy(std::vector<float>{10, 20});
	const DeviceBuffer other_a = device_copy(std::vector<float>{100, 200});
	const DeviceBuffer b = device_copy(std::vector<float>{1, 2});
	const Tensor self(a, ACL_FLOAT, {2}), other(b, ACL_FLOAT, {2});
	const Scalar alpha(1.0f, ACL_FLOAT);
	using Setter = aclnnStatus (*)(aclOpExecutor *, size_t, aclTensor *, void *);
	float times = 0;
	for (const Setter set : {Setter(aclSetTensorAddr), Setter(aclSetInputTensorAddr),
				 Setter(aclSetOutputTensorAddr)}) {
		aclOpExecutor *executor = nullptr;
		uint64_t bytes = 0;
		ASSERT_OK(aclnnInplaceAddGetWorkspaceSize(self, other, alpha, &bytes, &executor));
		ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
		EXPECT_OK(set(executor, 0, self, other_a.data()));
		EXPECT_EQ(set(executor, 2, self, other_a.data()), kInvalidParameter);
		EXPECT_OK(aclnnInplaceAdd(nullptr, 0, executor, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
		times++;
		EXPECT_EQ(a.load<float>(), (std::vector<float>{10, 20}));
		EXPECT_EQ(other_a.load<float>(),
			  (std::vector<float>{100 + times, 200 + 2 * times}));
		EXPECT_OK(aclDestroyAclOpExecutor(executor));
	}
}

TEST_F(TensorOperators, MembersOfAListTakeOtherAddresses)
{
	const DeviceBuffer a = device_copy(std::vector<float>{1, 2});
	const DeviceBuffer b = device_copy(std::vector<float>{3, 4});
	const DeviceBuffer other_b = device_copy(std::vector<float>{7, 8});
	const DeviceBuffer c(16), other_c(16);
	const Tensor out(c, ACL_FLOAT, {4});
	const int64_t two = 2, one = 1;
	const auto member = [&](const DeviceBuffer &data) {
		return aclCreateTensor(&two, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND, &two, 1,
				       data.data());
	};
	const aclTensor *members[] = {member(a), member(b)};
	aclTensorList *list = aclCreateTensorList(members, 2);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;
	ASSERT_OK(aclnnCatGetWorkspaceSize(list, 0, out, &bytes, &executor));
	ASSERT_OK(aclSetAclOpExecutorRepeatable(executor));
	EXPECT_OK(
		aclSetTensorAddr(executor, 1, const_cast<aclTensor *>(members[1]), other_b.data()));
	EXPECT_OK(aclSetTensorAddr(executor, 2, out, other_c.data()));
	EXPECT_EQ(aclSetTensorAddr(executor, 3, out, other_c.data()), kInvalidParameter);
	EXPECT_OK(aclnnCat(nullptr, 0, executor, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(other_c.load<float>(), (std::vector<float>{1, 2, 7, 8}));
	EXPECT_EQ(b.load<float>(), (std::vector<float>{3, 4}));
	EXPECT_OK(aclDestroyAclOpExecutor(executor));
	EXPECT_OK(aclDestroyTensorList(list));
}

TEST_F(TensorOperators, DoNothingWithoutElements)
{
	const Tensor empty(DeviceBuffer(4), ACL_FLOAT, {3, 0});
	exponentiate(empty, empty, nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

/* expect_refused() - Sub is refused with a sentence that has @text. */
void expect_refused(const aclTensor *self, const aclTensor *other, aclTensor *out, const char *text)
{
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
	const Scalar alpha(1.0f, ACL_FLOAT);
	EXPECT_EQ(aclnnSubGetWorkspaceSize(self, other, alpha, out, &workspace_bytes, &executor),
		  kInvalidParameter);
	EXPECT_EQ(executor, nullptr);
	const std::string sentence = aclGetRecentErrMsg();
	EXPECT_NE(sentence.find("aclnnSub: "), std::string::npos) << sentence;
	EXPECT_NE(sentence.find(text), std::string::npos) << sentence;
}

TEST_F(TensorOperators, RefuseShapesAndTypes)
{
	const DeviceBuffer memory(1024);
	const Tensor matrix(memory, ACL_FLOAT, {2, 3}), row(memory, ACL_FLOAT, {4});
	const Tensor integers(memory, ACL_INT32, {2, 3}), wide(memory, ACL_UINT64, {2, 3});
	const Tensor shared(memory, ACL_FLOAT, {2, 3}, {0, 1}, 0);
	const Tensor far(memory, ACL_FLOAT, {2, 3}, {INT64_MAX, 1}, 0);
	expect_refused(matrix, row, matrix, "other is FLOAT [4]; it can't be broadcast");
	expect_refused(matrix, matrix, row, "out is FLOAT [4]; the result has shape [2, 3]");
	expect_refused(matrix, matrix, integers, "out is INT32 [2, 3]; the result is floating");
	expect_refused(matrix, wide, matrix, "other is UINT64 [2, 3]; allowed are FLOAT");
	expect_refused(matrix, matrix, shared, "share memory");
	expect_refused(far, matrix, matrix, "leaves the address space");
	/* Its address range fits, but not the number of its bytes. */
	const Tensor wide_bytes(memory, ACL_UINT8, {3}, {INT64_MAX / 2 + 1}, 0);
	expect_refused(wide_bytes, wide_bytes, wide_bytes, "leaves the address space");
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
	EXPECT_EQ(aclnnExpGetWorkspaceSize(integers, integers, &workspace_bytes, &executor),
		  kInvalidParameter);
}

TEST_F(TensorOperators, NameEachMissingArgument)
{
	const DeviceBuffer memory(1024);
	const Tensor tensor(memory, ACL_FLOAT, {2, 3});
	const Scalar scalar(1.0f, ACL_FLOAT);
	const IntArray integers({1, 1});
	const TensorList tensors({new_tensor(memory, ACL_FLOAT, {2, 3})});
	const float scales[] = {1, 1};
	aclFloatArray *reals = aclCreateFloatArray(scales, 2);
	[[maybe_unused]] char text[] = "BSND";
	uint64_t workspace = 0;
	aclOpExecutor *executor = nullptr;
#define EXPECT_MISSING(name, argument, ...) \
	EXPECT_EQ(aclnn##name##GetWorkspaceSize(__VA_ARGS__, &workspace, &executor), kNullPointer) \
		<< #name; \
	EXPECT_NE(std::string(aclGetRecentErrMsg()).find(argument " is NULL"), std::string::npos) \
		<< aclGetRecentErrMsg();
	MISSING_ARGUMENTS(EXPECT_MISSING)
#undef EXPECT_MISSING
	aclDestroyFloatArray(reals);
	EXPECT_EQ(executor, nullptr);
}

TEST_F(TensorOperators, FailOnMemoryThatIsNotThere)
{
	const DeviceBuffer memory(1024);
	const int64_t dims[] = {1 << 20};
	aclTensor *outside = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, int64_t{1} << 40,
					     ACL_FORMAT_ND, dims, 1, memory.data());
	const Stream stream;
	exponentiate(outside, outside, stream);
	EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
	EXPECT_OK(aclDestroyTensor(outside));
}

} // namespace
