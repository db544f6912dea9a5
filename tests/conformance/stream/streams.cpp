// SPDX-License-Identifier: MIT
/*
 * DOC: streams and host functions
 *
 * Checks 21 to 24 and 29: how a stream is made, queried, waited for and destroyed, and that streams
 * do not hold each other up. Host functions are checked here as they are work of a stream.
 */
#include "support/fixture.h"

#include <future>
#include <thread>

using namespace conformance;

namespace {

using Streams = DeviceTest;

constexpr size_t kBytes = 4096;

/* The argument of a host function under test. */
struct HostCall {
	std::thread::id thread;
	std::promise<void> entered;
	std::promise<void> may_return;
};

void note_thread(void *args)
{
	static_cast<HostCall *>(args)->thread = std::this_thread::get_id();
}

void hold_stream(void *args)
{
	HostCall *call = static_cast<HostCall *>(args);

	call->entered.set_value();
	call->may_return.get_future().wait();
}

void add_one_to_each_byte(void *args)
{
	const PinnedBuffer *buffer = static_cast<const PinnedBuffer *>(args);

	for (size_t i = 0; i < buffer->size(); ++i)
		++buffer->as<uint8_t>()[i];
}

} // namespace

TEST_F(Streams, Check21_DestroyErrors)
{
	Stream stream;
	const aclrtStream dead = stream.release();

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtDestroyStream(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtDestroyStreamForce(nullptr));
	EXPECT_OK(aclrtDestroyStream(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtDestroyStream(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtDestroyStreamForce(dead));
}

TEST_F(Streams, Check21_DestroyOfAForeignStream)
{
	const ForeignContext foreign;
	const Stream stream;

	foreign.leave();
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", aclrtDestroyStream(stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", aclrtDestroyStreamForce(stream));
	foreign.enter();
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Streams, Check21_DestroyWaitsForQueuedWork)
{
	const DeviceBuffer buffer(kBytes);
	Stream stream;

	for (int i = 0; i <= 100; ++i)
		buffer.fill_async(i, stream);
	EXPECT_OK(aclrtDestroyStream(stream.release()));
	EXPECT_TRUE(holds(buffer, 100));
}

TEST_F(Streams, Check21_ForcedDestroyDropsQueuedWork)
{
	const DeviceBuffer buffer(kBytes);
	Stream stream;
	Gate gate;

	gate.block(stream);
	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
	gate.open();
	turn_device();
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds(buffer, 0));
}

TEST_F(Streams, AForcedDestroyRunsWhatIsReady)
{
	const DeviceBuffer buffer(kBytes);
	Stream stream;
	Gate gate;

	for (int i = 0; i <= 100; ++i)
		buffer.fill_async(i, stream);
	gate.block(stream);
	buffer.fill_async(200, stream);
	EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
	EXPECT_TRUE(holds(buffer, 100));
	gate.open();
	turn_device();
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds(buffer, 100));
}

TEST_F(Streams, AForcedDestroyRunsWhatWaitsForAStreamThatRuns)
{
	const DeviceBuffer buffer(kBytes);
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const Stream first;
	Stream second;

	for (int i = 0; i <= 100; ++i)
		buffer.fill_async(i, first);
	EXPECT_OK(aclrtRecordEvent(event, first));
	EXPECT_OK(aclrtStreamWaitEvent(second, event));
	buffer.fill_async(101, second);
	EXPECT_OK(aclrtDestroyStreamForce(second.release()));
	EXPECT_TRUE(holds(buffer, 101));
	EXPECT_OK(aclrtSynchronizeStream(first));
}

/* For an event, dropped work counts as done. */
TEST_F(Streams, Check21_EventsOfADestroyedStreamAreDone)
{
	const Event event = Event::ex(ACL_EVENT_SYNC);
	Stream stream;
	Gate gate;

	gate.block(stream);
	EXPECT_OK(aclrtRecordEvent(event, stream));
	turn_device();
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
	EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
	EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 5000));
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(Streams, Check22_SynchronizeTimesOutAndSucceedsLater)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	buffer.fill_async(4, stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "10|limit|timeout",
		     aclrtSynchronizeStreamWithTimeout(stream, 10));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout",
		     aclrtSynchronizeStreamWithTimeout(stream, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout",
		     aclrtSynchronizeStreamWithTimeout(stream, -2));
	EXPECT_TRUE(holds(buffer, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 4));
	EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 1));
	EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
}

TEST_F(Streams, Check22_SynchronizeDeviceTimesOutAndSucceedsLater)
{
	const Stream stream;
	Gate gate;

	gate.block(stream);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "10|limit|timeout",
		     aclrtSynchronizeDeviceWithTimeout(10));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout", aclrtSynchronizeDeviceWithTimeout(0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout", aclrtSynchronizeDeviceWithTimeout(-2));
	gate.open();
	EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(Streams, Check23_QuerySaysNotReadyThenComplete)
{
	const Stream stream;
	Gate gate;

	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_COMPLETE);
	EXPECT_EQ(query(nullptr), ACL_STREAM_STATUS_COMPLETE);
	for (const aclrtStream blocked : {aclrtStream(stream), aclrtStream(nullptr)}) {
		gate.block(blocked);
		EXPECT_EQ(query(blocked), ACL_STREAM_STATUS_NOT_READY);
	}
	gate.open();
	for (const aclrtStream blocked : {aclrtStream(stream), aclrtStream(nullptr)}) {
		EXPECT_OK(aclrtSynchronizeStream(blocked));
		EXPECT_EQ(query(blocked), ACL_STREAM_STATUS_COMPLETE);
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status", aclrtStreamQuery(stream, nullptr));
}

TEST_F(Streams, Check24_BlockedDefaultStreamHoldsNoOther)
{
	const DeviceBuffer mine(kBytes);
	const DeviceBuffer blocked(kBytes);
	const Stream stream;
	Gate gate;

	gate.block(nullptr);
	blocked.fill_async(1, nullptr);
	mine.fill_async(2, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(mine, 2));
	EXPECT_TRUE(holds(blocked, 0));
	EXPECT_EQ(query(nullptr), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(blocked, 1));
}

TEST_F(Streams, Check24_BlockedStreamDoesNotHoldTheDefaultOne)
{
	const DeviceBuffer mine(kBytes);
	const DeviceBuffer blocked(kBytes);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	blocked.fill_async(1, stream);
	mine.fill_async(2, nullptr);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(mine, 2));
	EXPECT_TRUE(holds(blocked, 0));
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(blocked, 1));
}

TEST_F(Streams, Check24_SynchronousCopyDoesNotWaitForStreams)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	gate.block(nullptr);
	buffer.store(std::vector<uint8_t>(kBytes, 3));
	EXPECT_OK(aclrtMemset(buffer.data(), kBytes, 4, kBytes / 2));
	EXPECT_EQ(buffer.load<uint8_t>().front(), 4);
	EXPECT_EQ(buffer.load<uint8_t>().back(), 3);
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(Streams, Check29_PriorityIsClampedAndFlagsAreKept)
{
	const Stream low(100, 0);
	const Stream high(0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC);
	const Stream unknown_bit(3, 0x80000001u);
	uint32_t value = 99;

	EXPECT_OK(aclrtStreamGetPriority(low, &value));
	EXPECT_EQ(value, 7u);
	EXPECT_OK(aclrtStreamGetFlags(low, &value));
	EXPECT_EQ(value, 0u);
	EXPECT_OK(aclrtStreamGetPriority(high, &value));
	EXPECT_EQ(value, 0u);
	EXPECT_OK(aclrtStreamGetFlags(high, &value));
	EXPECT_EQ(value, 3u);
	EXPECT_OK(aclrtStreamGetPriority(unknown_bit, &value));
	EXPECT_EQ(value, 3u);
	EXPECT_OK(aclrtStreamGetFlags(unknown_bit, &value));
	EXPECT_EQ(value & 0x3fu, 1u);
	EXPECT_OK(aclrtStreamGetPriority(nullptr, &value));
	EXPECT_OK(aclrtStreamGetFlags(nullptr, &value));
	EXPECT_EQ(value, 0u);
}

TEST_F(Streams, Check29_PriorityRange)
{
	int32_t least = -1;
	int32_t greatest = -1;

	EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
	EXPECT_EQ(least, 7);
	EXPECT_EQ(greatest, 0);
	least = greatest = -1;
	EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, nullptr));
	EXPECT_OK(aclrtDeviceGetStreamPriorityRange(nullptr, &greatest));
	EXPECT_EQ(least, 7);
	EXPECT_EQ(greatest, 0);
}

TEST_F(Streams, StreamIdsDifferAndNullIsTheDefaultStream)
{
	const Stream a;
	const Stream b;
	aclrtStream default_stream = nullptr;
	int32_t id_a = -1;
	int32_t id_b = -1;
	int32_t id_null = -1;
	int32_t id_default = -1;

	EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
	EXPECT_NE(default_stream, nullptr);
	EXPECT_OK(aclrtStreamGetId(a, &id_a));
	EXPECT_OK(aclrtStreamGetId(b, &id_b));
	EXPECT_OK(aclrtStreamGetId(nullptr, &id_null));
	EXPECT_OK(aclrtStreamGetId(default_stream, &id_default));
	EXPECT_NE(id_a, id_b);
	EXPECT_NE(id_a, id_null);
	EXPECT_EQ(id_null, id_default);
	EXPECT_NE(aclrtDestroyStream(default_stream), ACL_SUCCESS);
	EXPECT_OK(aclrtSynchronizeStream(default_stream));
}

TEST_F(Streams, DefaultStreamHandleIsTheSameStreamAsNull)
{
	const DeviceBuffer buffer(kBytes);
	aclrtStream default_stream = nullptr;
	Gate gate;

	EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
	gate.block(nullptr);
	buffer.fill_async(1, default_stream);
	EXPECT_EQ(query(default_stream), ACL_STREAM_STATUS_NOT_READY);
	buffer.fill_async(2, nullptr);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(default_stream));
	EXPECT_TRUE(holds(buffer, 2));
}

TEST_F(Streams, WorkOfAForeignStreamMayBeWaitedForButNotLaunched)
{
	const DeviceBuffer buffer(kBytes);
	const ForeignContext foreign;
	const Stream stream;
	const DeviceBuffer there(kBytes);

	there.fill_async(1, stream);
	foreign.leave();
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context",
		     aclrtMemsetAsync(buffer.data(), kBytes, 1, kBytes, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	foreign.enter();
	EXPECT_TRUE(holds(there, 1));
}

TEST_F(Streams, HostFunctionRunsInTheOrderOfTheStreamAndChangesWhatFollows)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer out(kBytes);
	PinnedBuffer between(kBytes);
	const Stream stream;

	/* Check 65 without the subscription: the copies on both sides see the function's place. */
	in.fill_async(41, stream);
	EXPECT_OK(aclrtMemcpyAsync(between.data(), kBytes, in.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_HOST, stream));
	EXPECT_OK(aclrtLaunchHostFunc(stream, add_one_to_each_byte, &between));
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, between.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(between, 42));
	EXPECT_TRUE(holds(out, 42));
}

TEST_F(Streams, HostFunctionRunsOnAThreadOfTheRuntime)
{
	const Stream stream;
	HostCall call;

	EXPECT_OK(aclrtLaunchHostFunc(stream, note_thread, &call));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_NE(call.thread, std::thread::id());
	EXPECT_NE(call.thread, std::this_thread::get_id());
}

TEST_F(Streams, HostFunctionHoldsItsStreamAndNoOther)
{
	const DeviceBuffer behind(kBytes);
	const DeviceBuffer beside(kBytes);
	const Stream stream;
	const Stream other;
	HostCall call;

	EXPECT_OK(aclrtLaunchHostFunc(stream, hold_stream, &call));
	behind.fill_async(1, stream);
	beside.fill_async(2, other);
	EXPECT_OK(aclrtSynchronizeStream(other));
	turn_device();
	EXPECT_TRUE(holds(beside, 2));
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(behind, 0));
	call.may_return.set_value();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	call.entered.get_future().wait();
	EXPECT_TRUE(holds(behind, 1));
}

TEST_F(Streams, ManyHostFunctionsRunOnceEach)
{
	PinnedBuffer counters(64);
	const Stream stream;

	for (int i = 0; i < 200; ++i)
		EXPECT_OK(aclrtLaunchHostFunc(stream, add_one_to_each_byte, &counters));
	EXPECT_OK(aclrtLaunchHostFunc(
		nullptr, [](void *) {}, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(counters, 200));
}

TEST_F(Streams, HostFunctionNeedsAFunction)
{
	const Stream stream;

	take_message();
	EXPECT_NE(aclrtLaunchHostFunc(stream, nullptr, nullptr), ACL_SUCCESS);
	EXPECT_NE(take_message(), "");
	EXPECT_OK(aclrtSynchronizeStream(stream));
}
