// SPDX-License-Identifier: MIT
/*
 * DOC: operators - as work of a stream, and what they refuse
 *
 * An operator is a task like a copy: in the order of its stream, recorded by a capture, independent
 * of the tensors and scalars that described it once the second phase has returned.
 */
#include "capture/capture_objects.h"
#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using OperatorStreams = DeviceTest;

constexpr size_t kCount = 1000;
constexpr size_t kBytes = kCount * sizeof(float);

void fill(const PinnedBuffer &buffer, float value)
{
	std::fill_n(buffer.as<float>(), kCount, value);
}

std::vector<float> all(float value)
{
	return std::vector<float>(kCount, value);
}

} // namespace

TEST_F(OperatorStreams, OperatorRunsInTheOrderOfItsStream)
{
	const PinnedBuffer in(kBytes);
	const PinnedBuffer out(kBytes);
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream stream;
	Gate gate;

	fill(in, 20.0f);
	gate.block(stream);
	EXPECT_OK(aclrtMemcpyAsync(x.data(), kBytes, in.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
				   stream));
	{
		/* Gone long before the operator runs. */
		const Tensor tensor_x(x, ACL_FLOAT, {int64_t{kCount}});
		const Tensor tensor_y(y, ACL_FLOAT, {int64_t{kCount}});
		const Scalar one(1.0f, ACL_FLOAT);

		add(tensor_x, tensor_x, one, tensor_y, stream);
		add(tensor_y, tensor_x, one, tensor_y, stream);
	}
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, y.data(), kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
				   stream));
	turn_device();
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_EQ(y.load<float>(), all(0.0f));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(y.load<float>(), all(60.0f));
	EXPECT_TRUE(std::equal(out.as<float>(), out.as<float>() + kCount, all(60.0f).begin()));
}

TEST_F(OperatorStreams, OperatorsOnTwoStreamsMeetAtAnEvent)
{
	const DeviceBuffer x = device_copy(all(1.0f));
	const DeviceBuffer y = device_copy(all(2.0f));
	const Tensor tensor_x(x, ACL_FLOAT, {int64_t{kCount}});
	const Tensor tensor_y(y, ACL_FLOAT, {int64_t{kCount}});
	const Scalar one(1.0f, ACL_FLOAT);
	const Stream a;
	const Stream b;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	for (int i = 0; i < 10; ++i) {
		add(tensor_x, tensor_y, one, tensor_x, a);
		EXPECT_OK(aclrtRecordEvent(event, a));
		EXPECT_OK(aclrtStreamWaitEvent(b, event));
		multiply(tensor_y, tensor_y, tensor_y, b);
		add(tensor_y, tensor_x, Scalar(0.0f, ACL_FLOAT), tensor_y, b);
		EXPECT_OK(aclrtMemsetAsync(y.data(), kBytes, 0, kBytes, b));
		add(tensor_y, tensor_x, one, tensor_y, b);
		EXPECT_OK(aclrtRecordEvent(event, b));
		EXPECT_OK(aclrtStreamWaitEvent(a, event));
	}
	EXPECT_OK(aclrtSynchronizeDevice());
	/* x = 3, y = 3; then x doubles each time and y follows it */
	EXPECT_EQ(x.load<float>(), all(1536.0f));
	EXPECT_EQ(y.load<float>(), all(1536.0f));
}

TEST_F(OperatorStreams, CapturedOperatorRunsWithEachExecution)
{
	const DeviceBuffer x(kBytes);
	const DeviceBuffer step = device_copy(all(3.0f));
	const Stream stream;

	begin_capture(stream);
	{
		const Tensor tensor_x(x, ACL_FLOAT, {int64_t{kCount}});
		const Tensor tensor_step(step, ACL_FLOAT, {int64_t{kCount}});

		add(tensor_x, tensor_step, Scalar(1.0f, ACL_FLOAT), tensor_x, stream);
	}
	const Model model(stream);

	EXPECT_EQ(x.load<float>(), all(0.0f));
	for (int i = 0; i < 20; ++i)
		model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(x.load<float>(), all(60.0f));
	/* The addresses are frozen, the contents are not. */
	step.store(all(1.0f));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(x.load<float>(), all(61.0f));
}

TEST_F(OperatorStreams, EmptyTensorsAreNoWork)
{
	const DeviceBuffer x(kBytes);
	const Tensor empty(x, ACL_FLOAT, {0, 5});
	const Scalar one(1.0f, ACL_FLOAT);

	add(empty, empty, one, empty, nullptr);
	multiply(empty, empty, empty, nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(x.load<float>(), all(0.0f));
}

TEST_F(OperatorStreams, NullArguments)
{
	const DeviceBuffer x(kBytes);
	const Tensor tensor(x, ACL_FLOAT, {int64_t{kCount}});
	const Scalar one(1.0f, ACL_FLOAT);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;

	EXPECT_FAILS(kNullPointer, "self",
		     aclnnAddGetWorkspaceSize(nullptr, tensor, one, tensor, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "other",
		     aclnnAddGetWorkspaceSize(tensor, nullptr, one, tensor, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "alpha",
		     aclnnAddGetWorkspaceSize(tensor, tensor, nullptr, tensor, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "out",
		     aclnnAddGetWorkspaceSize(tensor, tensor, one, nullptr, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "workspace",
		     aclnnAddGetWorkspaceSize(tensor, tensor, one, tensor, nullptr, &executor));
	EXPECT_FAILS(kNullPointer, "executor",
		     aclnnAddGetWorkspaceSize(tensor, tensor, one, tensor, &bytes, nullptr));
	EXPECT_FAILS(kNullPointer, "self",
		     aclnnMulGetWorkspaceSize(nullptr, tensor, tensor, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "other",
		     aclnnMulGetWorkspaceSize(tensor, nullptr, tensor, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "out",
		     aclnnMulGetWorkspaceSize(tensor, tensor, nullptr, &bytes, &executor));
	EXPECT_FAILS(kNullPointer, "executor", aclnnAdd(nullptr, 0, nullptr, nullptr));
	EXPECT_FAILS(kNullPointer, "executor", aclnnMul(nullptr, 0, nullptr, nullptr));
}

TEST_F(OperatorStreams, ShapesThatDoNotFit)
{
	const DeviceBuffer x(kBytes);
	const Tensor three(x, ACL_FLOAT, {2, 3});
	const Tensor four(x, ACL_FLOAT, {2, 4});
	const Scalar one(1.0f, ACL_FLOAT);
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;

	EXPECT_FAILS(kInvalidParameter, "shape|broadcast|dim",
		     aclnnAddGetWorkspaceSize(three, four, one, three, &bytes, &executor));
	EXPECT_FAILS(kInvalidParameter, "shape|broadcast|dim|out",
		     aclnnAddGetWorkspaceSize(three, three, one, four, &bytes, &executor));
	EXPECT_FAILS(kInvalidParameter, "shape|broadcast|dim",
		     aclnnMulGetWorkspaceSize(three, four, three, &bytes, &executor));
}

TEST_F(OperatorStreams, TypesThatAreNotNumbers)
{
	const DeviceBuffer x(kBytes);
	const int64_t dim = 8;
	const int64_t stride = 1;
	aclTensor *strings =
		aclCreateTensor(&dim, 1, ACL_STRING, &stride, 0, ACL_FORMAT_ND, &dim, 1, x.data());
	const Tensor tensor(x, ACL_FLOAT, {dim});
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;

	/* Refused when it is made or when it is used. */
	if (!strings)
		return;
	EXPECT_FAILS(kInvalidParameter, "allowed are FLOAT",
		     aclnnMulGetWorkspaceSize(strings, tensor, tensor, &bytes, &executor));
	EXPECT_EQ(aclDestroyTensor(strings), 0);
}

TEST_F(OperatorStreams, StaleStream)
{
	const DeviceBuffer x(kBytes);
	const Tensor tensor(x, ACL_FLOAT, {int64_t{kCount}});
	aclOpExecutor *executor = nullptr;
	uint64_t bytes = 0;
	Stream stream;
	const aclrtStream dead = stream.release();

	EXPECT_OK(aclrtDestroyStream(dead));
	EXPECT_OK(aclnnMulGetWorkspaceSize(tensor, tensor, tensor, &bytes, &executor));
	take_message();
	EXPECT_NE(aclnnMul(nullptr, 0, executor, dead), 0);
	EXPECT_NE(take_message(), "");
	EXPECT_OK(aclrtSynchronizeDevice());
}
