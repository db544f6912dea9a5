// SPDX-License-Identifier: MIT
/*
 * DOC: capture - what a model records and does
 *
 * Checks 49, 50, 53, 57, 59 and 60: nothing runs between begin and end, every execution runs all of
 * it once, and what must not be done to a stream, an event or a model while it is being captured.
 */
#include "capture/capture_objects.h"

#include <cstdlib>

using namespace conformance;

namespace {

using Capture = DeviceTest;

constexpr size_t kBytes = 4096;

void count_call(void *args)
{
	++*static_cast<int *>(args);
}

} // namespace

TEST_F(Capture, Check49_NothingRunsBeforeExecuteAndEachExecutionRunsAllOnce)
{
	const Counter counter;
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	int calls = 0;

	begin_capture(stream);
	EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
	counter.step(stream);
	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtLaunchHostFunc(stream, count_call, &calls));
	{
		const RelaxedScope relaxed;

		turn_device();
		EXPECT_EQ(counter.value(), 0u);
		EXPECT_TRUE(holds(buffer, 0));
	}
	const Model model(stream);

	turn_device();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 0u);
	EXPECT_EQ(calls, 0);
	for (size_t runs = 1; runs <= 10; ++runs) {
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(counter.value(), runs);
		EXPECT_EQ(calls, int(runs));
		EXPECT_TRUE(holds(buffer, 1));
	}
}

TEST_F(Capture, Check49_ExecutionsMayBeQueuedWithoutWaiting)
{
	const Counter counter;
	const Stream stream;

	begin_capture(stream);
	counter.step(stream);
	counter.step(stream);

	const Model model(stream);

	for (int i = 0; i < 100; ++i)
		model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 200u);
}

TEST_F(Capture, Check49_ExecutionsOfOneModelOnTwoStreamsFollowEachOther)
{
	const Counter counter;
	const Stream a;
	const Stream b;

	begin_capture(a);
	counter.step(a);

	const Model model(a);

	for (int i = 0; i < 50; ++i) {
		model.execute(a);
		model.execute(b);
		model.execute(nullptr);
	}
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(counter.value(), 150u);
}

TEST_F(Capture, ExecutionIsOrderedLikeATaskOfItsStream)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer middle(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream origin;
	const Stream stream;
	Gate gate;

	begin_capture(origin);
	copy_async(middle, in, origin);

	const Model model(origin);

	gate.block(stream);
	in.fill_async(5, stream);
	model.execute(stream);
	copy_async(out, middle, stream);
	turn_device();
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(middle, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(out, 5));
}

TEST_F(Capture, EmptyModelRuns)
{
	const Stream stream;

	begin_capture(stream);

	const Model model(stream);

	model.execute(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Capture, LongModelRunsInOrder)
{
	const DeviceBuffer bytes(2000);
	const Stream stream;

	begin_capture(stream);
	for (size_t i = 1; i < bytes.size(); ++i) {
		EXPECT_OK(aclrtMemcpyAsync(bytes.at(i), 1, bytes.at(i - 1), 1,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	}
	const Model model(stream);

	for (const int value : {3, 4}) {
		EXPECT_OK(aclrtMemset(bytes.data(), 1, value, 1));
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(bytes, value));
	}
}

TEST_F(Capture, ModelOfAMillionTasksRuns)
{
	constexpr unsigned tasks = 1000000;
	Stream stream;
	const DeviceBuffer buffer(64);

	begin_capture(stream);
	for (unsigned i = 1; i <= tasks; i++)
		ASSERT_OK(
			aclrtMemsetAsync(buffer.data(), 64, static_cast<int>(i % 256), 64, stream));
	const Model model(stream);
	for (int value : {1, 2}) {
		buffer.fill_async(value, stream);
		model.execute(stream);
		ASSERT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(buffer, tasks % 256));
	}
}

TEST_F(Capture, ModelOutlivesTheStreamItCameFrom)
{
	const Counter counter;
	const Stream stream;
	Stream origin;

	begin_capture(origin);
	counter.step(origin);

	const Model model(origin);

	EXPECT_OK(aclrtDestroyStream(origin.release()));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 1u);
}

TEST_F(Capture, Check50_BeginTwiceAndEndWithoutBegin)
{
	const Stream stream;
	aclmdlRI model = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclmdlRICaptureEnd(stream, &model));
	begin_capture(stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);

	const Model ended(stream);

	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclmdlRICaptureEnd(stream, &model));
}

TEST_F(Capture, Check50_EndOnAJoinedStreamLeavesTheCaptureAlone)
{
	const Counter counter;
	const Stream origin;
	const Stream joined;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);
	aclmdlRI model = nullptr;

	begin_capture(origin);
	follow(joined, origin, fork);
	EXPECT_EQ(capture_status(joined), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, "", aclmdlRICaptureEnd(joined, &model));
	counter.step(joined);
	follow(origin, joined, join);

	const Model ended(origin);

	ended.execute(origin);
	EXPECT_OK(aclrtSynchronizeStream(origin));
	EXPECT_EQ(counter.value(), 1u);
}

TEST_F(Capture, BeginRefusesWhatItCannotCapture)
{
	const Stream stream;
	aclrtStream default_stream = nullptr;

	EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream",
		     aclmdlRICaptureBegin(nullptr, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, "default",
		     aclmdlRICaptureBegin(default_stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mode",
		     aclmdlRICaptureBegin(stream, raw_enum<aclmdlRICaptureMode>(3)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "", aclmdlRICaptureGetInfo(stream, nullptr, nullptr));
	EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
}

TEST_F(Capture, Check53_CapturingStreamMayNotBeWaitedForQueriedOrDestroyed)
{
	const Stream origin;
	const Stream joined;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);
	aclrtStreamStatus status;

	begin_capture(origin);
	follow(joined, origin, fork);
	for (const aclrtStream stream : {aclrtStream(origin), aclrtStream(joined)}) {
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
			     aclrtSynchronizeStream(stream));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
			     aclrtSynchronizeStreamWithTimeout(stream, 10));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
			     aclrtStreamQuery(stream, &status));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclrtDestroyStream(stream));
		EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
			     aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	}
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclrtSynchronizeDevice());
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclrtSynchronizeDeviceWithTimeout(10));
	follow(origin, joined, join);

	const Model model(origin);

	EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(Capture, WhatACapturingStreamRefusesBesides)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	const Event shared = Event::ex(ACL_EVENT_IPC);
	aclrtStreamAttrValue tag = {};
	aclmdlRI built = nullptr;
	aclmdlRI model = nullptr;

	ASSERT_OK(aclmdlRIBuildBegin(&built, 0));
	begin_capture(stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtSetStreamOverflowSwitch(stream, 1));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &tag));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtGetOverflowStatus(buffer.data(), 64, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclrtResetOverflowStatus(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtNpuGetFloatOverFlowStatus(buffer.data(), 64, 0, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclrtNpuClearFloatOverFlowStatus(0, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur",
		     aclmdlRIBindStream(built, stream, ACL_MODEL_STREAM_FLAG_HEAD));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclmdlRIEndTask(built, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclmdlRIUnbindStream(built, stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC", aclrtRecordEvent(shared, stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC", aclrtStreamWaitEvent(stream, shared));
	EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_OK(aclmdlRIDestroy(built));
}

TEST_F(Capture, Check53_CapturedEventMayNotBeLookedAt)
{
	const Stream origin;
	const Event event = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
	const Event done = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
	aclrtEventRecordedStatus status;
	uint64_t stamp_us;
	float ms;

	EXPECT_OK(aclrtRecordEvent(done, origin));
	EXPECT_OK(aclrtSynchronizeEvent(done));
	begin_capture(origin);
	EXPECT_OK(aclrtRecordEvent(event, origin));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, "captur", aclrtSynchronizeEvent(event));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, "captur",
		     aclrtSynchronizeEventWithTimeout(event, 10));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, "captur", aclrtQueryEventStatus(event, &status));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, "captur",
		     aclrtEventElapsedTime(&ms, done, event));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, "captur",
		     aclrtEventGetTimestamp(event, &stamp_us));
	EXPECT_EQ(query_event(done), ACL_EVENT_RECORDED_STATUS_COMPLETE);

	const Model model(origin);
}

TEST_F(Capture, Check57_PinnedMemoryIsReadAtExecution)
{
	const PinnedBuffer in(kBytes);
	const PinnedBuffer out(kBytes);
	const DeviceBuffer device(kBytes);
	const Stream stream;

	in.fill(1);
	begin_capture(stream);
	EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, in.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, device.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_HOST, stream));

	const Model model(stream);

	for (int value = 2; value < 10; ++value) {
		in.fill(value);
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(device, value));
		EXPECT_TRUE(holds(out, value));
	}
}

TEST_F(Capture, Check59_ModelMayNotBeUsedWhileItIsCaptured)
{
	const Stream origin;
	const Stream other;
	const Stream second;
	aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
	aclmdlRI capturing = nullptr;

	begin_capture(second);

	const Model ready(second);

	begin_capture(origin);
	EXPECT_OK(aclmdlRICaptureGetInfo(origin, &status, &capturing));
	ASSERT_NE(capturing, nullptr);
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, "captur", aclmdlRIDestroy(capturing));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, "captur", aclmdlRIExecuteAsync(capturing, other));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "captur", aclmdlRIExecuteAsync(ready, origin));

	const Model model(origin);

	model.execute(other);
	ready.execute(origin);
	EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(Capture, Check60_AfterTheEndEventsAreAsIfNeverCaptured)
{
	const DeviceBuffer buffer(kBytes);
	const Stream origin;
	const Stream joined;
	const Event fork = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
	const Event join = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
	float ms = 0;

	begin_capture(origin);
	follow(joined, origin, fork);
	follow(origin, joined, join);

	const Model model(origin);

	for (const aclrtStream stream : {aclrtStream(origin), aclrtStream(joined)})
		EXPECT_EQ(capture_status(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
	for (const aclrtEvent event : {aclrtEvent(fork), aclrtEvent(join)}) {
		EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
		EXPECT_OK(aclrtSynchronizeEvent(event));
	}
	EXPECT_OK(aclrtRecordEvent(fork, origin));
	buffer.fill_async(1, origin);
	EXPECT_OK(aclrtRecordEvent(join, origin));
	EXPECT_OK(aclrtStreamWaitEvent(joined, join));
	EXPECT_OK(aclrtSynchronizeStream(joined));
	EXPECT_OK(aclrtEventElapsedTime(&ms, fork, join));
	EXPECT_GE(ms, 0.0f);
	model.execute(joined);
	EXPECT_OK(aclrtSynchronizeStream(joined));
}

TEST_F(Capture, DestroyOfAModelThatRunsWaitsForIt)
{
	const Counter counter;
	const Stream stream;

	begin_capture(stream);
	for (int i = 0; i < 50; ++i)
		counter.step(stream);
	{
		const Model model(stream);

		model.execute(stream);
	}
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 50u);
}

/* Takes ten seconds, so it runs only if UNPU_LONG_TESTS is set. */
TEST_F(Capture, DestroyOfAModelThatRunsTooLongFails)
{
	if (!getenv("UNPU_LONG_TESTS"))
		GTEST_SKIP() << "UNPU_LONG_TESTS is not set";
	const Counter counter;
	const Stream stream;
	Gate gate;

	begin_capture(stream);
	counter.step(stream);
	const Model model(stream);
	gate.block(stream);
	model.execute(stream);
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_RUNNING, "still runs", aclmdlRIDestroy(model));
	/* The model is unchanged. */
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 1u);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(counter.value(), 2u);
}
