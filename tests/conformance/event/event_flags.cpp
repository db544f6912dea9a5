// SPDX-License-Identifier: MIT
/*
 * DOC: events - what the creation flags allow
 *
 * Checks 8 to 10, 14 and 17 to 19: which flags exist, which calls they open or close, the event
 * that behaves like a flag, and the codes for events and streams that are not what they should be.
 */
#include "support/fixture.h"

using namespace conformance;

namespace {

using EventFlags = DeviceTest;

constexpr size_t kBytes = 4096;

} // namespace

TEST_F(EventFlags, Check08_RefusedFlagCombinations)
{
	aclrtEvent event = nullptr;

	for (const uint32_t flag : {0u, 0x11u, 0x28u, 0x30u, 0x80u, 0x81u, 0xffffffffu}) {
		SCOPED_TRACE(flag);
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
			     aclrtCreateEventWithFlag(&event, flag));
	}
	for (const uint32_t flag : {0u, 0x10u, 0x20u, 0x41u, 0x80u, 0x81u, 0xffffffffu}) {
		SCOPED_TRACE(flag);
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
			     aclrtCreateEventExWithFlag(&event, flag));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtCreateEvent(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event",
		     aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event",
		     aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC));
}

TEST_F(EventFlags, Check08_AcceptedFlagCombinations)
{
	for (const uint32_t flag : {0x1u, 0x2u, 0x3u, 0x8u, 0x9u, 0xau, 0xbu, 0x10u, 0x20u}) {
		SCOPED_TRACE(flag);
		const Event event = Event::with_flag(flag);
	}
	for (const uint32_t flag : {0x1u, 0x2u, 0x3u, 0x8u, 0x9u, 0xau, 0xbu}) {
		SCOPED_TRACE(flag);
		const Event event = Event::ex(flag);
	}
}

TEST_F(EventFlags, Check09_WaitAndResetNeedTheSyncFlag)
{
	const Stream stream;
	const Event old_time = Event::with_flag(ACL_EVENT_TIME_LINE);
	const Event ex_time = Event::ex(ACL_EVENT_TIME_LINE);

	for (const aclrtEvent event : {aclrtEvent(old_time), aclrtEvent(ex_time)}) {
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "sync",
			     aclrtStreamWaitEvent(stream, event));
		EXPECT_OK(aclrtRecordEvent(event, stream));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "sync",
			     aclrtStreamWaitEvent(stream, event));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "", aclrtResetEvent(event, stream));
	}
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, Check10_ResetOfExEventIsNotSupported)
{
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "event", aclrtResetEvent(event, stream));
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "event", aclrtResetEvent(event, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, Check14_StreamOfAnotherContext)
{
	const Event event = Event::plain();
	const Event sync = Event::with_flag(ACL_EVENT_SYNC);
	const Stream at_home;
	const ForeignContext foreign;
	const Stream stream;

	foreign.leave();
	EXPECT_OK(aclrtRecordEvent(event, at_home));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", aclrtRecordEvent(event, stream));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", aclrtStreamWaitEvent(stream, event));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "context", aclrtResetEvent(sync, stream));
	EXPECT_OK(aclrtSynchronizeEvent(event));
	foreign.enter();
}

TEST_F(EventFlags, Check14_NullEvent)
{
	const Stream stream;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtRecordEvent(nullptr, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtStreamWaitEvent(stream, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtResetEvent(nullptr, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtDestroyEvent(nullptr));
}

TEST_F(EventFlags, Check14_DestroyedEvent)
{
	const Stream stream;
	Event event = Event::plain();
	const aclrtEvent dead = event.release();

	EXPECT_OK(aclrtDestroyEvent(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", aclrtRecordEvent(dead, stream));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", aclrtStreamWaitEvent(stream, dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", aclrtSynchronizeEvent(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", aclrtDestroyEvent(dead));
}

TEST_F(EventFlags, Check17_EventBehavesLikeAFlag)
{
	const DeviceBuffer buffer(kBytes);
	const Stream a;
	const Stream b;
	const Event flag = Event::with_flag(ACL_EVENT_SYNC);

	/* A wait before any record really waits. */
	EXPECT_OK(aclrtStreamWaitEvent(b, flag));
	buffer.fill_async(1, b);
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(buffer, 0));
	EXPECT_OK(aclrtRecordEvent(flag, a));
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(buffer, 1));

	/* It stays set for the second wait. */
	EXPECT_OK(aclrtStreamWaitEvent(b, flag));
	buffer.fill_async(2, b);
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(buffer, 2));

	/* After a reset in the order of the stream the next wait waits again. */
	EXPECT_OK(aclrtResetEvent(flag, b));
	EXPECT_OK(aclrtStreamWaitEvent(b, flag));
	buffer.fill_async(3, b);
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(buffer, 2));
	EXPECT_OK(aclrtRecordEvent(flag, a));
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(buffer, 3));
	EXPECT_OK(aclrtSynchronizeStream(a));
}

TEST_F(EventFlags, Check17_WaitResetWaitIsAHandshakeRepeatable)
{
	const DeviceBuffer turns(256);
	const DeviceBuffer one(1);
	const Stream consumer;
	Gate gate;

	one.fill_async(1, consumer);
	EXPECT_OK(aclrtSynchronizeStream(consumer));
	for (size_t i = 0; i < turns.size(); ++i) {
		gate.block(consumer);
		EXPECT_OK(aclrtMemcpyAsync(turns.at(i), 1, one.data(), 1,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, consumer));
		EXPECT_EQ(query(consumer), ACL_STREAM_STATUS_NOT_READY);
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(consumer));
		gate.reset();
	}
	EXPECT_TRUE(holds(turns, 1));
}

TEST_F(EventFlags, Check17_OneRecordOpensForSeveralWaiters)
{
	const Stream a;
	const Stream b;
	const Stream c;
	Gate gate;

	for (const aclrtStream stream : {aclrtStream(a), aclrtStream(b), aclrtStream(c)})
		gate.block(stream);
	turn_device();
	for (const aclrtStream stream : {aclrtStream(a), aclrtStream(b), aclrtStream(c)})
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	for (const aclrtStream stream : {aclrtStream(a), aclrtStream(b), aclrtStream(c)})
		EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, Check18_DeviceUseOnlyEventIsNotForTheHost)
{
	const Stream stream;
	const Event event = Event::with_flag(ACL_EVENT_DEVICE_USE_ONLY);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device", aclrtRecordEvent(event, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device", aclrtStreamWaitEvent(stream, event));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device", aclrtResetEvent(event, stream));
}

TEST_F(EventFlags, Check19_RecordFlagSticksFromTheFirstAttempt)
{
	const Stream stream;
	const Event first_default = Event::ex(ACL_EVENT_SYNC);
	const Event first_external = Event::ex(ACL_EVENT_SYNC);

	EXPECT_OK(aclrtRecordEventWithFlag(first_default, stream, ACL_EVENT_RECORD_DEFAULT));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtRecordEventWithFlag(first_default, stream, ACL_EVENT_RECORD_EXTERNAL));

	/* The attempt fails as the stream does not capture, and counts all the same. */
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclrtRecordEventWithFlag(first_external, stream, ACL_EVENT_RECORD_EXTERNAL));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtRecordEventWithFlag(first_external, stream, ACL_EVENT_RECORD_DEFAULT));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, Check19_WaitFlagSticksApartFromTheRecordFlag)
{
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_OK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_DEFAULT));
	EXPECT_OK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, UnknownRecordAndWaitFlagsAreRefused)
{
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flag", aclrtRecordEventWithFlag(event, stream, 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flag",
		     aclrtStreamWaitEventWithFlag(stream, event, 0, 2));
}

TEST_F(EventFlags, ExternalEventIsNotForTheHostToLookAt)
{
	const Event event = Event::with_flag(ACL_EVENT_EXTERNAL);
	const Event other = Event::plain();
	aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
	aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_NOT_READY;
	aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
	uint64_t stamp_us = 0;
	float ms = 0;

	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external", aclrtQueryEvent(event, &status));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external",
		     aclrtQueryEventStatus(event, &recorded));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external",
		     aclrtQueryEventWaitStatus(event, &waited));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external",
		     aclrtEventElapsedTime(&ms, event, other));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external",
		     aclrtEventGetTimestamp(event, &stamp_us));
}

TEST_F(EventFlags, EventIdsAreKnownWhenTheEventHasOne)
{
	const Stream stream;
	const Event flagged = Event::with_flag(ACL_EVENT_SYNC);
	const Event second = Event::with_flag(ACL_EVENT_SYNC);
	const Event plain = Event::plain();
	const Event time_line = Event::with_flag(ACL_EVENT_TIME_LINE);
	uint32_t flagged_id = 0;
	uint32_t second_id = 0;
	uint32_t id = 0;

	EXPECT_OK(aclrtGetEventId(flagged, &flagged_id));
	EXPECT_OK(aclrtGetEventId(second, &second_id));
	EXPECT_NE(flagged_id, second_id);
	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "id|record", aclrtGetEventId(plain, &id));
	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "id", aclrtGetEventId(time_line, &id));
	EXPECT_OK(aclrtRecordEvent(plain, stream));
	EXPECT_OK(aclrtGetEventId(plain, &id));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, WaitTimeoutIsReportedByTheNextSynchronize)
{
	const Stream stream;
	Gate gate;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout",
		     aclrtStreamWaitEventWithTimeout(stream, gate.event(), -1));
	EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream, gate.event(), 1));
	EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "", aclrtSynchronizeStream(stream));
}

TEST_F(EventFlags, WaitTimeoutThatIsNotReachedIsNoError)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	Gate gate;

	EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream, gate.event(), 3600));
	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream, gate.event(), 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 1));
}
