// SPDX-License-Identifier: MIT
/*
 * DOC: streams that fail, stop and are aborted
 *
 * Checks 25 to 27. A context that has stopped stays so: these tests work in one of their own.
 */
#include <atomic>
#include <future>
#include <thread>

#include <pthread.h>

#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using StreamFailure = DeviceTest;

/* A float on the device that operators add to. */
class Counter {
public:
	Counter() : memory_(device_copy(std::vector<float>{0, 1})) {}

	void add_one(aclrtStream stream) const { add_from(memory_.at(sizeof(float)), stream); }

	/* Adds something at an address where there is nothing. */
	void trap(aclrtStream stream) const { add_from(reinterpret_cast<void *>(64), stream); }

	float value() const { return memory_.load<float>()[0]; }

private:
	void add_from(void *address, aclrtStream stream) const
	{
		const int64_t one = 1;
		const Tensor self(memory_, ACL_FLOAT, {1});
		const Scalar alpha(1.0f, ACL_FLOAT);
		aclTensor *other = aclCreateTensor(&one, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND, &one,
						   1, address);

		ASSERT_NE(other, nullptr);
		add(self, other, alpha, self, stream);
		EXPECT_EQ(aclDestroyTensor(other), 0);
	}

	DeviceBuffer memory_;
};

/* Waits for a stream on another thread, until the end of the scope. */
class Waiter {
public:
	explicit Waiter(aclrtStream stream)
		: result_(std::async(std::launch::async, [this, stream] {
			  EXPECT_OK(aclrtSetDevice(0));
			  started_.set_value();
			  const aclError rc = aclrtSynchronizeStream(stream);
			  EXPECT_OK(aclrtResetDevice(0));
			  return rc;
		  }))
	{
		started_.get_future().wait();
	}

	aclError result() { return result_.get(); }

private:
	std::promise<void> started_;
	std::future<aclError> result_;
};

/* Tasks queued behind @gate in @context start only when all of them are queued. */
void open_from_outside(Gate &gate, const ForeignContext &context)
{
	context.leave();
	gate.open();
	context.enter();
}

} // namespace

TEST_F(StreamFailure, Check25_ContinueRunsWhatFollowsAndReportsOnce)
{
	const Counter counter;
	const Stream stream;

	counter.add_one(stream);
	counter.trap(stream);
	counter.add_one(stream);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "operator|address",
		     aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 2);
}

/* Whichever stream it was, whenever it came to its end, and once: the device forgets streams that have
 * nothing to tell. */
TEST_F(StreamFailure, SynchronizingTheDeviceTellsOfAnyStream)
{
	constexpr size_t kStreams = 40;
	const Counter counter;
	std::vector<Stream> streams(kStreams);

	EXPECT_OK(aclrtSynchronizeDevice());
	for (unsigned round = 0; round < 3; round++) {
		for (const Stream &stream : streams)
			counter.add_one(stream);
		if (round == 0) {
			EXPECT_OK(aclrtSynchronizeDevice());
		}
		const Stream &failing = streams[13 * round + 7];
		counter.trap(failing);
		/* It has come to its end by now, or nearly. */
		counter.add_one(streams[1]);
		EXPECT_OK(aclrtSynchronizeStream(streams[1]));
		counter.trap(streams[kStreams - 1]);
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeDevice());
		EXPECT_OK(aclrtSynchronizeDevice());
		EXPECT_OK(aclrtSynchronizeDevice());
	}
	/* One that had nothing to do since is found again. */
	counter.trap(streams[0]);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeDevice());
	EXPECT_OK(aclrtStreamAbort(streams[20]));
	EXPECT_NE(aclrtSynchronizeDevice(), ACL_SUCCESS) << "it was aborted";
	EXPECT_OK(aclrtSynchronizeDevice());
	const float before = counter.value();
	counter.add_one(streams[30]);
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(counter.value(), before + 1);
}

TEST_F(StreamFailure, Check25_StopRunsNothingThatFollows)
{
	const Counter counter;
	Gate gate;
	const ForeignContext context;
	Stream stream;

	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	gate.block(stream);
	counter.add_one(stream);
	counter.trap(stream);
	counter.add_one(stream);
	open_from_outside(gate, context);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 1);
	EXPECT_OK(aclrtDestroyStream(stream.release()));
}

/* By NULL and by its handle, by the function and by the attribute. */
TEST_F(StreamFailure, TheDefaultStreamStopsEitherWay)
{
	const Counter counter;
	aclrtStreamAttrValue value = {};

	value.failureMode = ACL_STOP_ON_FAILURE;
	for (const bool by_attribute : {false, true}) {
		Gate gate;
		const ForeignContext context;
		aclrtStream handle = nullptr;

		EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&handle));
		EXPECT_OK(by_attribute ? aclrtSetStreamAttribute(
						 handle, ACL_STREAM_ATTR_FAILURE_MODE, &value)
				       : aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
		const float before = counter.value();
		gate.block(nullptr);
		counter.trap(nullptr);
		counter.add_one(nullptr);
		open_from_outside(gate, context);
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
			     aclrtSynchronizeStream(nullptr));
		EXPECT_EQ(counter.value(), before);
	}
}

TEST_F(StreamFailure, Check26_OtherStreamsOfTheContextStopToo)
{
	const Counter counter;
	const DeviceBuffer buffer(64);
	const ForeignContext context;
	const Stream stops;
	const Stream other;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_OK(aclrtSetStreamFailureMode(stops, ACL_STOP_ON_FAILURE));
	counter.trap(other);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(other));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(stops));
	for (const aclrtStream stream :
	     {aclrtStream(stops), aclrtStream(other), aclrtStream(nullptr)}) {
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
			     aclrtMemsetAsync(buffer.data(), 64, 1, 64, stream));
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
			     aclrtRecordEvent(event, stream));
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
			     aclrtStreamWaitEvent(stream, event));
	}
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeDevice());
	const Stream late;
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
		     aclrtMemsetAsync(buffer.data(), 64, 1, 64, late));

	/* The other contexts of the device continue, and so do copies that need no stream. */
	context.leave();
	EXPECT_TRUE(holds(buffer, 0));
	{
		const Stream fine;
		buffer.fill_async(3, fine);
		EXPECT_OK(aclrtSynchronizeStream(fine));
		EXPECT_TRUE(holds(buffer, 3));
	}
	context.enter();
}

namespace {

void count_call(void *data)
{
	++*static_cast<std::atomic<int> *>(data);
}

/* Every kind of task can be submitted. */
void expect_takes_work(aclrtStream stream, aclrtStream other, const DeviceBuffer &buffer,
		       std::atomic<int> &calls)
{
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_OK(aclrtLaunchCallback(count_call, &calls, ACL_CALLBACK_NO_BLOCK, stream));
	EXPECT_OK(aclrtLaunchCallback(count_call, &calls, ACL_CALLBACK_BLOCK, stream));
	EXPECT_OK(aclrtLaunchHostFunc(other, count_call, &calls));
	buffer.fill_async(9, stream);
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtStreamWaitEvent(stream, event));
}

} // namespace

/* The task may have failed by then or not. A program cannot know before a call reports it. */
TEST_F(StreamFailure, WorkIsRefusedOnceTheFailureWasReported)
{
	const Counter counter;
	const DeviceBuffer buffer(64);
	const DeviceBuffer copied(64);
	const std::vector<uint8_t> pageable(64, 5);
	std::atomic<int> calls{0};
	const ForeignContext context;
	const auto thread = static_cast<uint64_t>(pthread_self());
	Stream stream;
	const Stream other;

	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	EXPECT_OK(aclrtSubscribeReport(thread, stream));
	counter.trap(stream);
	while (query(stream) != ACL_STREAM_STATUS_COMPLETE) {
		context.leave();
		turn_device();
		context.enter();
	}
	expect_takes_work(stream, other, buffer, calls);
	/* The copy waits for the stream, so the copy reports the failure. */
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
		     aclrtMemcpyAsync(copied.data(), 64, pageable.data(), 64,
				      ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
		     aclrtLaunchCallback(count_call, &calls, ACL_CALLBACK_NO_BLOCK, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop",
		     aclrtMemsetAsync(buffer.data(), 64, 1, 64, other));
	EXPECT_TRUE(holds(buffer, 0)) << "nothing that follows a failed task is done";
	EXPECT_TRUE(holds(copied, 0));
	EXPECT_EQ(calls, 0);
	EXPECT_OK(aclrtUnSubscribeReport(thread, stream));
	EXPECT_OK(aclrtDestroyStream(stream.release()));
}

TEST_F(StreamFailure, AStreamThatContinuesTakesWorkBeforeAndAfterTheReport)
{
	const Counter counter;
	const DeviceBuffer buffer(64);
	std::atomic<int> calls{0};
	const auto thread = static_cast<uint64_t>(pthread_self());
	const Stream stream;
	const Stream other;

	EXPECT_OK(aclrtSubscribeReport(thread, stream));
	counter.trap(stream);
	for (int round = 1; round <= 2; ++round) {
		turn_device();
		expect_takes_work(stream, other, buffer, calls);
		EXPECT_OK(aclrtSynchronizeStream(other));
		while (calls < 3 * round)
			(void)aclrtProcessReport(1000);
		if (round == 1) {
			EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "operator|address",
				     aclrtSynchronizeStream(stream));
		}
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	EXPECT_TRUE(holds(buffer, 9));
	EXPECT_OK(aclrtUnSubscribeReport(thread, stream));
}

TEST_F(StreamFailure, Check26_QueuedWorkOfOtherStreamsIsSkipped)
{
	const Counter counter;
	const DeviceBuffer buffer(64);
	Gate gate;
	const ForeignContext context;
	const Stream stops;
	const Stream other;

	EXPECT_OK(aclrtSetStreamFailureMode(stops, ACL_STOP_ON_FAILURE));
	gate.block(other);
	buffer.fill_async(1, other);
	counter.trap(stops);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(stops));
	open_from_outside(gate, context);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "stop", aclrtSynchronizeStream(other));
	EXPECT_TRUE(holds(buffer, 0));
}

TEST_F(StreamFailure, Check27_AbortWakesWaitersAndDropsQueuedTasks)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	buffer.fill_async(1, stream);
	Waiter waiter(stream);
	EXPECT_OK(aclrtStreamAbort(stream));
	EXPECT_EQ(waiter.result(), ACL_ERROR_RT_STREAM_ABORT);
	gate.open();
	turn_device();
	EXPECT_TRUE(holds(buffer, 0));
	/* A thread that began to wait before the abort does not take the report from a later one. */
	const aclError rc = aclrtSynchronizeStream(stream);
	EXPECT_TRUE(rc == ACL_ERROR_RT_STREAM_ABORT || rc == ACL_SUCCESS) << rc;
	EXPECT_OK(aclrtSynchronizeStream(stream));
	buffer.fill_async(2, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 2));
}

TEST_F(StreamFailure, Check27_WorkAfterAnAbortIsAsGoodAsAny)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	EXPECT_OK(aclrtStreamAbort(stream));
	buffer.fill_async(2, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 2));
	EXPECT_OK(aclrtStreamAbort(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "abort", aclrtSynchronizeStream(nullptr));
}

TEST_F(StreamFailure, Check27_StreamsThatWaitForTheAbortedOneAreNotReleased)
{
	const DeviceBuffer buffer(64);
	const Stream aborted;
	const Stream waiting;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	Gate gate;

	gate.block(aborted);
	EXPECT_OK(aclrtRecordEvent(event, aborted));
	EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
	buffer.fill_async(1, waiting);
	turn_device();
	EXPECT_OK(aclrtStreamAbort(aborted));
	turn_device();
	EXPECT_EQ(query(waiting), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_OK(aclrtStreamAbort(waiting));
	EXPECT_TRUE(holds(buffer, 0));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "abort", aclrtSynchronizeStream(waiting));
	EXPECT_OK(aclrtSynchronizeEvent(event));
}

/* The streams of a model come after its executions, without having asked to wait for them. */
TEST_F(StreamFailure, Check27_AbortOfAnExecutionLetsTheStreamsOfItsModelGo)
{
	const DeviceBuffer buffer(64);
	const Stream member;
	const Stream aborted;
	Gate gate;
	aclmdlRI model = nullptr;

	ASSERT_OK(aclmdlRICaptureBegin(member, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
	buffer.fill_async(1, member);
	ASSERT_OK(aclmdlRICaptureEnd(member, &model));
	gate.block(aborted);
	EXPECT_OK(aclmdlRIExecuteAsync(model, aborted));
	buffer.fill_async(2, member);
	turn_device();
	EXPECT_EQ(query(member), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_OK(aclrtStreamAbort(aborted));
	EXPECT_OK(aclrtSynchronizeStreamWithTimeout(member, 5000));
	EXPECT_TRUE(holds(buffer, 2));
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(StreamFailure, Check27_AnAbortedStreamWaitsForNoExecutionBeforeIt)
{
	const DeviceBuffer buffer(64);
	const Stream member;
	const Stream executing;
	Gate gate;
	aclmdlRI model = nullptr;

	ASSERT_OK(aclmdlRICaptureBegin(member, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
	buffer.fill_async(1, member);
	ASSERT_OK(aclmdlRICaptureEnd(member, &model));
	gate.block(executing);
	EXPECT_OK(aclmdlRIExecuteAsync(model, executing));
	EXPECT_OK(aclrtStreamAbort(member));
	buffer.fill_async(2, member);
	EXPECT_OK(aclrtSynchronizeStreamWithTimeout(member, 5000));
	EXPECT_TRUE(holds(buffer, 2));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(executing));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(StreamFailure, Check27_AbortKeepsTheFailureThatCameFirst)
{
	const Counter counter;
	const Stream stream;

	counter.trap(stream);
	turn_device();
	EXPECT_OK(aclrtStreamAbort(stream));
	const aclError rc = aclrtSynchronizeStream(stream);
	EXPECT_TRUE(rc == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION || rc == ACL_ERROR_RT_STREAM_ABORT)
		<< rc;
}

TEST_F(StreamFailure, Check27_AnAbortReleasesAThreadBlockedOnAFullStream)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	Gate gate;
	std::promise<void> done;

	gate.block(stream);
	std::thread filler([&] {
		EXPECT_OK(aclrtSetDevice(0));
		/* More than any queue holds: it blocks until the abort. */
		for (int i = 0; i < 5000; ++i)
			EXPECT_OK(aclrtMemsetAsync(buffer.data(), 64, 1, 64, stream));
		done.set_value();
		EXPECT_OK(aclrtResetDevice(0));
	});
	auto finished = done.get_future();
	while (finished.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
		EXPECT_OK(aclrtStreamAbort(stream));
	filler.join();
	EXPECT_OK(aclrtStreamAbort(stream));
	buffer.fill_async(7, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 7));
}

TEST_F(StreamFailure, StopEndsTheRunningTaskOnly)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	buffer.fill_async(1, stream);
	turn_device();
	EXPECT_OK(aclrtStreamStop(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "stop", aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_OK(aclrtStreamStop(stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtStreamStop(nullptr));
}

/* Nothing runs on them, so there is nothing to stop. The call is meant for them and no others. */
TEST_F(StreamFailure, StreamsOfTheDeviceCanBeStopped)
{
	const DeviceBuffer buffer(64);
	const Stream device_only(0, ACL_STREAM_DEVICE_USE_ONLY);
	const Stream scheduled(0, ACL_STREAM_CPU_SCHEDULE);

	buffer.fill_async(1, device_only);
	EXPECT_OK(aclrtStreamStop(device_only));
	EXPECT_TRUE(holds(buffer, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ACL_STREAM_DEVICE_USE_ONLY",
		     aclrtStreamAbort(device_only));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "ACL_STREAM_CPU_SCHEDULE",
		     aclrtStreamStop(scheduled));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "ACL_STREAM_DEVICE_USE_ONLY",
		     aclrtSetStreamFailureMode(device_only, ACL_STOP_ON_FAILURE));
}

TEST_F(StreamFailure, AbortsAreNotForStreamsOfModelsAndCaptures)
{
	const Stream persistent(0, ACL_STREAM_PERSISTENT);
	const Stream stream;
	aclmdlRI model = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "model", aclrtStreamAbort(persistent));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "model", aclrtStreamStop(persistent));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model",
		     aclrtSetStreamFailureMode(persistent, ACL_STOP_ON_FAILURE));
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclrtStreamAbort(stream));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroy(model));
}

namespace {

struct Stages {
	std::vector<int> seen;
	int32_t answer = 0;
};

int32_t note_stage(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void *args)
{
	auto *stages = static_cast<Stages *>(args);

	EXPECT_EQ(device, 0);
	EXPECT_EQ(timeout, 1000u);
	stages->seen.push_back(stage);
	return stages->answer;
}

} // namespace

TEST_F(StreamFailure, AbortOfADeviceEndsAllItsTasks)
{
	const DeviceBuffer buffer(64);
	Stages stages;

	EXPECT_OK(aclrtSetDeviceTaskAbortCallback("test", note_stage, &stages));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "test",
		     aclrtSetDeviceTaskAbortCallback("test", note_stage, &stages));
	{
		Stream stream;
		Gate gate;

		gate.block(stream);
		buffer.fill_async(1, stream);
		Waiter waiter(stream);
		stages.answer = 5;
		EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "5", aclrtDeviceTaskAbort(0, 1000));
		stages.answer = 0;
		EXPECT_OK(aclrtDeviceTaskAbort(0, 1000));
		EXPECT_EQ(waiter.result(), ACL_ERROR_RT_DEVICE_TASK_ABORT);
		EXPECT_FAILS(ACL_ERROR_RT_DEVICE_TASK_ABORT, "abort",
			     aclrtMemsetAsync(buffer.data(), 64, 1, 64, stream));
		EXPECT_FAILS(ACL_ERROR_RT_DEVICE_TASK_ABORT, "abort",
			     aclrtSynchronizeStream(stream));
		EXPECT_FAILS(ACL_ERROR_RT_DEVICE_TASK_ABORT, "abort", aclrtSynchronizeDevice());
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout",
			     aclrtDeviceTaskAbort(0, 36 * 60 * 1000 + 1));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "device",
			     aclrtDeviceTaskAbort(99, 1000));
		EXPECT_TRUE(holds(buffer, 0));

		aclrtErrorInfo info = {};
		EXPECT_OK(aclrtRepairError(0, &info));
	}
	EXPECT_EQ(stages.seen, (std::vector<int>{0, 0, 1}));
	EXPECT_OK(aclrtSetDeviceTaskAbortCallback("test", nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "test",
		     aclrtSetDeviceTaskAbortCallback("test", nullptr, nullptr));
	turn_device();
}
