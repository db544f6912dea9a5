// SPDX-License-Identifier: MIT
/*
 * DOC: external events in captures
 *
 * A record or wait with the external flag is about work that is not part of the graph: each execution
 * records the event anew, or waits for what was recorded last when the execution was asked for.
 */
#include "capture/capture_objects.h"

namespace conformance {

namespace {

using CaptureExternal = DeviceTest;

void record_external(aclrtEvent event, aclrtStream stream)
{
	EXPECT_OK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL));
}

void wait_external(aclrtEvent event, aclrtStream stream)
{
	EXPECT_OK(aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
}

} // namespace

TEST_F(CaptureExternal, EachExecutionRecordsTheEvent)
{
	const Stream stream;
	const Stream outside;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer value(64);
	const DeviceBuffer input(64);
	const DeviceBuffer seen(64);

	begin_capture(stream);
	copy_async(value, input, stream);
	record_external(event, stream);
	const Model model(stream);
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE)
		<< "it was never recorded, so far";
	for (const int round : {1, 2, 3}) {
		Gate gate;
		gate.block(stream);
		input.fill_async(round, stream);
		model.execute(stream);
		EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
		EXPECT_OK(aclrtStreamWaitEvent(outside, event));
		copy_async(seen, value, outside);
		turn_device();
		EXPECT_TRUE(holds(seen, round - 1));
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(outside));
		EXPECT_TRUE(holds(seen, round));
		EXPECT_OK(aclrtSynchronizeEvent(event));
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
}

TEST_F(CaptureExternal, AnExecutionWaitsForTheLatestRecordBeforeIt)
{
	const Stream stream;
	const Stream outside;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer value(64);
	const DeviceBuffer seen(64);

	begin_capture(stream);
	wait_external(event, stream);
	copy_async(seen, value, stream);
	const Model model(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	for (const int round : {1, 2, 3}) {
		Gate gate;
		gate.block(outside);
		value.fill_async(round, outside);
		EXPECT_OK(aclrtRecordEvent(event, outside));
		model.execute(stream);
		turn_device();
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_TRUE(holds(seen, round - 1));
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(seen, round));
	}
}

TEST_F(CaptureExternal, OneModelWaitsForAnother)
{
	const Stream first;
	const Stream second;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer input(64);
	const DeviceBuffer value(64);
	const DeviceBuffer seen(64);

	begin_capture(first);
	copy_async(value, input, first);
	record_external(event, first);
	const Model producer(first);
	const Event same = Event::ex(ACL_EVENT_SYNC);
	begin_capture(second);
	wait_external(event, second);
	copy_async(seen, value, second);
	const Model consumer(second);
	for (const int round : {1, 2, 3}) {
		Gate gate;
		gate.block(first);
		input.fill_async(round, first);
		producer.execute(first);
		consumer.execute(second);
		turn_device();
		EXPECT_TRUE(holds(seen, round - 1));
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(second));
		EXPECT_TRUE(holds(seen, round));
	}
	EXPECT_OK(aclrtSynchronizeStream(first));
}

TEST_F(CaptureExternal, ManyEventsOfOneModel)
{
	const Stream stream;
	const Stream outside;
	const DeviceBuffer value(64);
	const DeviceBuffer seen(64);
	std::vector<Event> events;

	begin_capture(stream);
	for (int i = 0; i < 100; ++i) {
		events.push_back(Event::ex(ACL_EVENT_SYNC));
		wait_external(events.back(), stream);
	}
	copy_async(seen, value, stream);
	const Model model(stream);
	Gate gate;
	gate.block(outside);
	value.fill_async(1, outside);
	for (const Event &event : events)
		EXPECT_OK(aclrtRecordEvent(event, outside));
	model.execute(stream);
	turn_device();
	EXPECT_TRUE(holds(seen, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(seen, 1));
}

TEST_F(CaptureExternal, EventsCanBeDestroyedBeforeTheModel)
{
	const Stream stream;
	const DeviceBuffer value(64);

	begin_capture(stream);
	{
		const Event waited = Event::ex(ACL_EVENT_SYNC);
		const Event recorded = Event::ex(ACL_EVENT_SYNC);
		wait_external(waited, stream);
		value.fill_async(1, stream);
		record_external(recorded, stream);
	}
	const Model model(stream);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(value, 1));
}

TEST_F(CaptureExternal, WhatIsRefused)
{
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const Event timed = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
	const Event plain = Event::plain();
	const Event late = Event::ex(ACL_EVENT_SYNC);
	const Event carried = Event::ex(ACL_EVENT_SYNC);

	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "captur",
		     aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
	begin_capture(stream);
	for (const aclrtEvent wrong : {aclrtEvent(timed), aclrtEvent(plain)}) {
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "SYNC",
			     aclrtRecordEventWithFlag(wrong, stream, ACL_EVENT_RECORD_EXTERNAL));
		EXPECT_FAILS(
			ACL_ERROR_RT_PARAM_INVALID, "SYNC",
			aclrtStreamWaitEventWithFlag(stream, wrong, 0, ACL_EVENT_WAIT_EXTERNAL));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "timeout",
		     aclrtStreamWaitEventWithFlag(stream, late, 5, ACL_EVENT_WAIT_EXTERNAL));
	wait_external(event, stream);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "already",
		     aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL));
	EXPECT_OK(aclrtRecordEvent(carried, stream));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, "depend",
		     aclrtStreamWaitEventWithFlag(stream, carried, 0, ACL_EVENT_WAIT_EXTERNAL));
	const Model model(stream);
}

TEST_F(CaptureExternal, ModelsOfConditionalTasksHaveNone)
{
	const Stream stream;
	const Stream inner;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	aclmdlRI capturing = nullptr;
	aclmdlRI body = nullptr;
	aclmdlRICondHandle handle = nullptr;

	begin_capture(stream);
	ASSERT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &capturing));
	ASSERT_OK(aclmdlRICondHandleCreate(capturing, 0, raw_enum<aclmdlRICondHandleFlag>(0),
					   &handle));
	ASSERT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &body}, stream, 0));
	ASSERT_OK(aclmdlRICaptureToModelRIBegin(inner, body, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "condition",
		     aclrtRecordEventWithFlag(event, inner, ACL_EVENT_RECORD_EXTERNAL));
	EXPECT_OK(aclmdlRICaptureEnd(inner, nullptr));
	const Model model(stream);
}

} // namespace conformance
