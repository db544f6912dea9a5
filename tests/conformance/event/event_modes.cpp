// SPDX-License-Identifier: MIT
/*
 * DOC: events - the three creation calls side by side
 *
 * One test for each row of what an event may do, with a line for each of aclrtCreateEvent,
 * aclrtCreateEventWithFlag and aclrtCreateEventExWithFlag.
 */
#include "capture/capture_objects.h"

using namespace conformance;

namespace {

using EventModes = DeviceTest;

constexpr uint32_t kTimed = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;

/* One event of each kind that streams can wait for. */
struct Three {
	Event plain = Event::plain();
	Event flag = Event::with_flag(kTimed);
	Event ex = Event::ex(kTimed);
};

bool elapsed_known(aclrtEvent event)
{
	float ms = 0;

	return aclrtEventElapsedTime(&ms, event, event) == ACL_SUCCESS;
}

uint32_t events_left()
{
	uint32_t left = 0;

	EXPECT_OK(aclrtGetEventAvailNum(&left));
	return left;
}

} // namespace

TEST_F(EventModes, HardwareLimit)
{
	const Stream stream;
	const uint32_t all = events_left();

	EXPECT_GT(all, 1000u);
	{
		/* Old mode: taken with the first record. */
		const Event plain = Event::plain();
		EXPECT_EQ(events_left(), all);
		EXPECT_OK(aclrtRecordEvent(plain, stream));
		EXPECT_EQ(events_left(), all - 1);
		EXPECT_OK(aclrtRecordEvent(plain, stream));
		EXPECT_EQ(events_left(), all - 1);
	}
	EXPECT_EQ(events_left(), all);
	{
		/* With an explicit flag: taken at once, if it can be waited for. */
		const Event sync = Event::with_flag(ACL_EVENT_SYNC);
		const Event external = Event::with_flag(ACL_EVENT_EXTERNAL);
		EXPECT_EQ(events_left(), all - 2);
		const Event time_line = Event::with_flag(ACL_EVENT_TIME_LINE);
		EXPECT_OK(aclrtRecordEvent(time_line, stream));
		EXPECT_EQ(events_left(), all - 2);
	}
	EXPECT_EQ(events_left(), all);
	{
		/* New mode: never. */
		const Event ex = Event::ex(ACL_EVENT_SYNC);
		EXPECT_OK(aclrtRecordEvent(ex, stream));
		EXPECT_EQ(events_left(), all);
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "eventCount", aclrtGetEventAvailNum(nullptr));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventModes, HardwareEventsRunOutAndComeBack)
{
	const Stream stream;
	Gate gate;
	std::vector<Event> flags;
	const uint32_t all = events_left();
	aclrtEvent more = nullptr;

	flags.reserve(all);
	for (uint32_t i = 0; i < all; ++i)
		flags.push_back(Event::with_flag(ACL_EVENT_SYNC));
	EXPECT_EQ(events_left(), 0u);
	EXPECT_FAILS(ACL_ERROR_RT_NO_EVENT_RESOURCE, "event",
		     aclrtCreateEventWithFlag(&more, ACL_EVENT_SYNC));
	/* Those of the other calls can still be made, and new ones recorded. */
	const Event plain = Event::plain();
	const Event ex = Event::ex(kTimed);
	EXPECT_FAILS(ACL_ERROR_RT_NO_EVENT_RESOURCE, "event", aclrtRecordEvent(plain, stream));
	EXPECT_OK(aclrtRecordEvent(ex, stream));
	flags.pop_back();
	gate.block(stream);
	EXPECT_OK(aclrtRecordEvent(plain, stream));
	/* A completed record passes its number to the next record; a pending record does not. */
	const Event next = Event::plain();
	EXPECT_FAILS(ACL_ERROR_RT_NO_EVENT_RESOURCE, "event", aclrtRecordEvent(next, stream));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtRecordEvent(next, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventModes, RecordAgain)
{
	const Stream a;
	const Stream b;
	const DeviceBuffer buffer(64);
	const Three events;
	Gate gate;

	/* Snapshots: the wait keeps the record it was made for. */
	for (const aclrtEvent event : {aclrtEvent(events.plain), aclrtEvent(events.ex)}) {
		EXPECT_OK(aclrtRecordEvent(event, a));
		EXPECT_OK(aclrtStreamWaitEvent(b, event));
		gate.block(a);
		EXPECT_OK(aclrtRecordEvent(event, a));
		EXPECT_OK(aclrtSynchronizeStream(b));
		EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(a));
		EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
		gate.reset();
	}
	/* A flag: set is set. */
	EXPECT_OK(aclrtRecordEvent(events.flag, a));
	EXPECT_OK(aclrtRecordEvent(events.flag, a));
	EXPECT_OK(aclrtStreamWaitEvent(b, events.flag));
	EXPECT_OK(aclrtStreamWaitEvent(b, events.flag));
	EXPECT_OK(aclrtSynchronizeStream(b));
}

TEST_F(EventModes, WaitBeforeAnyRecord)
{
	const Stream a;
	const Stream b;
	const Three events;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "record", aclrtStreamWaitEvent(b, events.plain));
	EXPECT_OK(aclrtStreamWaitEvent(b, events.ex));
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_OK(aclrtStreamWaitEvent(b, events.flag));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_OK(aclrtRecordEvent(events.flag, a));
	EXPECT_OK(aclrtSynchronizeStream(b));
}

TEST_F(EventModes, NeedOfTheSyncBit)
{
	const Stream stream;
	const Three events;
	const Event flag_without = Event::with_flag(ACL_EVENT_TIME_LINE);
	const Event ex_without = Event::ex(ACL_EVENT_CAPTURE_STREAM_PROGRESS);

	for (const aclrtEvent event :
	     {aclrtEvent(events.plain), aclrtEvent(events.flag), aclrtEvent(events.ex)}) {
		EXPECT_OK(aclrtRecordEvent(event, stream));
		EXPECT_OK(aclrtStreamWaitEvent(stream, event));
	}
	for (const aclrtEvent event : {aclrtEvent(flag_without), aclrtEvent(ex_without)}) {
		EXPECT_OK(aclrtRecordEvent(event, stream));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "sync",
			     aclrtStreamWaitEvent(stream, event));
	}
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventModes, Reset)
{
	const Stream stream;
	const Three events;
	const Event external = Event::with_flag(ACL_EVENT_EXTERNAL);
	const Event without = Event::with_flag(ACL_EVENT_TIME_LINE);

	EXPECT_OK(aclrtResetEvent(events.flag, stream));
	EXPECT_OK(aclrtResetEvent(external, stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "sync", aclrtResetEvent(without, stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "", aclrtResetEvent(events.ex, stream));
	/* Undefined for the first call; here it is as if the event had never been recorded. */
	EXPECT_OK(aclrtRecordEvent(events.plain, stream));
	EXPECT_OK(aclrtResetEvent(events.plain, stream));
	EXPECT_EQ(query_event(events.plain), ACL_EVENT_RECORDED_STATUS_NOT_READY);
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventModes, QueriesOfNeverRecorded)
{
	const Three events;
	aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
	aclrtEventWaitStatus wait = ACL_EVENT_WAIT_STATUS_RESERVED;

	for (const aclrtEvent event : {aclrtEvent(events.plain), aclrtEvent(events.flag)}) {
		EXPECT_OK(aclrtQueryEvent(event, &status));
		EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
		EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
		EXPECT_OK(aclrtQueryEventWaitStatus(event, &wait));
		EXPECT_EQ(wait, ACL_EVENT_WAIT_STATUS_COMPLETE);
	}
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "QueryEventStatus",
		     aclrtQueryEvent(events.ex, &status));
	EXPECT_EQ(query_event(events.ex), ACL_EVENT_RECORDED_STATUS_COMPLETE);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "wait",
		     aclrtQueryEventWaitStatus(events.ex, &wait));
	for (const aclrtEvent event :
	     {aclrtEvent(events.plain), aclrtEvent(events.flag), aclrtEvent(events.ex)})
		EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(EventModes, WaitsAreCountedOnlyForEventsThatStreamsWaitFor)
{
	const Event event = Event::with_flag(ACL_EVENT_TIME_LINE);
	aclrtEventWaitStatus wait = ACL_EVENT_WAIT_STATUS_RESERVED;

	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "ACL_EVENT_SYNC",
		     aclrtQueryEventWaitStatus(event, &wait));
}

TEST_F(EventModes, WaitStatusCountsEveryPendingWait)
{
	constexpr size_t kStreams = 24;
	std::vector<Stream> streams(kStreams);
	const Event flag = Event::with_flag(ACL_EVENT_SYNC);
	const Stream a;
	aclrtEventWaitStatus wait = ACL_EVENT_WAIT_STATUS_RESERVED;

	for (int round = 0; round < 3; ++round) {
		for (const Stream &stream : streams) {
			EXPECT_OK(aclrtStreamWaitEvent(stream, flag));
			EXPECT_OK(aclrtStreamWaitEvent(stream, flag));
		}
		turn_device();
		EXPECT_OK(aclrtQueryEventWaitStatus(flag, &wait));
		EXPECT_EQ(wait, ACL_EVENT_WAIT_STATUS_NOT_READY);
		EXPECT_OK(aclrtRecordEvent(flag, a));
		EXPECT_OK(aclrtSynchronizeDevice());
		EXPECT_OK(aclrtQueryEventWaitStatus(flag, &wait));
		EXPECT_EQ(wait, ACL_EVENT_WAIT_STATUS_COMPLETE);
		EXPECT_OK(aclrtResetEvent(flag, a));
		EXPECT_OK(aclrtSynchronizeStream(a));
	}
}

TEST_F(EventModes, TimeStamps)
{
	const Stream stream;
	const Three events;
	const Event flag_without = Event::with_flag(ACL_EVENT_SYNC);
	const Event ex_without = Event::ex(ACL_EVENT_SYNC);

	for (const aclrtEvent event :
	     {aclrtEvent(events.plain), aclrtEvent(events.flag), aclrtEvent(events.ex),
	      aclrtEvent(flag_without), aclrtEvent(ex_without)})
		EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(elapsed_known(events.plain));
	EXPECT_TRUE(elapsed_known(events.flag));
	EXPECT_TRUE(elapsed_known(events.ex));
	EXPECT_FALSE(elapsed_known(flag_without));
	EXPECT_FALSE(elapsed_known(ex_without));
}

TEST_F(EventModes, TimeStampIsOfTheLatestRecordWhateverRunsLast)
{
	const Stream slow;
	const Stream fast;
	const Event mark = Event::ex(kTimed);
	const Event twice = Event::ex(kTimed);
	Gate gate;
	float ms = 0;

	/* The first record is done after the second one, and must not overwrite its stamp. */
	gate.block(slow);
	EXPECT_OK(aclrtRecordEvent(twice, slow));
	EXPECT_OK(aclrtRecordEvent(twice, fast));
	EXPECT_OK(aclrtSynchronizeStream(fast));
	EXPECT_OK(aclrtRecordEvent(mark, fast));
	EXPECT_OK(aclrtSynchronizeStream(fast));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(slow));
	EXPECT_OK(aclrtEventElapsedTime(&ms, twice, mark));
	EXPECT_GE(ms, 0);
	for (int i = 0; i < 3000; ++i)
		EXPECT_OK(aclrtRecordEvent(twice, i % 2 ? slow : fast));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_OK(aclrtEventElapsedTime(&ms, mark, twice));
	EXPECT_GE(ms, 0);
}

TEST_F(EventModes, AStampUnderWayOverwritesNoOtherEvents)
{
	constexpr size_t kEvents = 32;
	const Stream slow;
	const Stream fast;
	std::vector<Event> events;
	uint64_t before[kEvents] = {};
	uint64_t after = 0;
	Gate gate;

	gate.block(slow);
	for (size_t i = 0; i < kEvents; ++i) {
		events.push_back(Event::ex(kTimed));
		/* The semaphore of the first time stamp is free when the stream has done its work. */
		if (i == 0) {
			EXPECT_OK(aclrtRecordEvent(events[0], slow));
		}
		EXPECT_OK(aclrtRecordEvent(events[i], fast));
	}
	EXPECT_OK(aclrtSynchronizeStream(fast));
	for (size_t i = 0; i < kEvents; ++i)
		EXPECT_OK(aclrtEventGetTimestamp(events[i], &before[i]));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(slow));
	for (size_t i = 0; i < kEvents; ++i) {
		EXPECT_OK(aclrtEventGetTimestamp(events[i], &after));
		EXPECT_EQ(after, before[i]) << "event " << i;
	}
}

/* Two blocked streams record one event in turn, more often than the library tracks single time stamps. */
TEST_F(EventModes, StampsUnderWayOverwriteNothingHoweverManyThereAre)
{
	constexpr int kRecords = 1400;
	const Stream late;
	const Stream early;
	const Event event = Event::ex(kTimed);
	uint64_t before = 0;
	uint64_t after = 0;
	Gate late_gate;
	Gate early_gate;

	late_gate.block(late);
	early_gate.block(early);
	for (int i = 0; i < kRecords; ++i)
		EXPECT_OK(aclrtRecordEvent(event, i % 2 ? early : late));
	early_gate.open();
	EXPECT_OK(aclrtSynchronizeStream(early));
	EXPECT_OK(aclrtEventGetTimestamp(event, &before));
	late_gate.open();
	EXPECT_OK(aclrtSynchronizeStream(late));
	EXPECT_OK(aclrtEventGetTimestamp(event, &after));
	EXPECT_EQ(after, before);
}

TEST_F(EventModes, StreamsOfModels)
{
	const Stream persistent(0, ACL_STREAM_PERSISTENT);
	const Stream stream;
	const Three events;

	EXPECT_OK(aclrtRecordEvent(events.plain, stream));
	for (const aclrtEvent event : {aclrtEvent(events.plain), aclrtEvent(events.ex)}) {
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model",
			     aclrtRecordEvent(event, persistent));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "model",
			     aclrtStreamWaitEvent(persistent, event));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "",
			     aclrtResetEvent(event, persistent));
	}
	EXPECT_OK(aclrtStreamWaitEvent(persistent, events.flag));
	EXPECT_OK(aclrtResetEvent(events.flag, persistent));
	EXPECT_OK(aclrtRecordEvent(events.flag, persistent));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "model", aclrtSynchronizeEvent(events.flag));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(EventModes, Captures)
{
	const Stream stream;
	const Three events;
	const Event external = Event::with_flag(ACL_EVENT_EXTERNAL);
	aclmdlRI model = nullptr;

	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_OK(aclrtRecordEvent(events.plain, stream));
	EXPECT_OK(aclrtRecordEvent(events.ex, stream));
	EXPECT_OK(aclrtRecordEvent(external, stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external",
		     aclrtRecordEvent(events.flag, stream));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(EventModes, WaitsHaveTheLimitOfTheProcess)
{
	const Stream stream;
	Gate gate;

	EXPECT_OK(aclrtSetOpWaitTimeout(1));
	gate.block(stream);
	EXPECT_OK(aclrtSetOpWaitTimeout(0));
	EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "limit", aclrtSynchronizeStream(stream));
}
