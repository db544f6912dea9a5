// SPDX-License-Identifier: MIT
/*
 * DOC: events - record, wait, query, synchronise, time
 *
 * Checks 1 to 7, 11 to 13, 15 and 16: what a record captures, what a wait and a query refer to, and
 * what the time stamps say.
 */
#include "support/fixture.h"

#include <cmath>

using namespace conformance;

namespace {

using Events = DeviceTest;

constexpr size_t kBytes = 4096;

/*
 * Check 5: b waits for the first record; the second one replaces the reference but not the copy
 * that b took.
 */
void expect_first_snapshot_kept(aclrtEvent event)
{
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream a;
	const Stream b;
	Gate first;
	Gate second;

	first.block(a);
	x.fill_async(1, a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	EXPECT_OK(aclrtStreamWaitEvent(b, event));
	EXPECT_OK(aclrtMemcpyAsync(y.data(), kBytes, x.data(), kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
				   b));
	second.block(a);
	x.fill_async(2, a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);

	first.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(y, 1));
	EXPECT_TRUE(holds(x, 1));
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
	EXPECT_EQ(query(a), ACL_STREAM_STATUS_NOT_READY);

	second.open();
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_TRUE(holds(x, 2));
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

float elapsed_ms(aclrtEvent start, aclrtEvent end)
{
	float ms = NAN;

	EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
	return ms;
}

} // namespace

TEST_F(Events, Check01_StatusOfNeverRecordedDependsOnTheFlavour)
{
	const Event ex = Event::ex(ACL_EVENT_SYNC);
	const Event plain = Event::plain();
	const Event flagged = Event::with_flag(ACL_EVENT_SYNC);

	EXPECT_EQ(query_event(ex), ACL_EVENT_RECORDED_STATUS_COMPLETE);
	EXPECT_EQ(query_event(plain), ACL_EVENT_RECORDED_STATUS_NOT_READY);
	EXPECT_EQ(query_event(flagged), ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(Events, Check02_OldQueryOfNeverRecorded)
{
	const Event plain = Event::plain();
	const Event ex = Event::ex(ACL_EVENT_SYNC);
	aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;

	EXPECT_OK(aclrtQueryEvent(plain, &status));
	EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "event", aclrtQueryEvent(ex, &status));
}

TEST_F(Events, Check02_OldQueryFollowsTheWork)
{
	const Stream stream;
	const Event event = Event::plain();
	Gate gate;
	aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;

	gate.block(stream);
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtQueryEvent(event, &status));
	EXPECT_EQ(status, ACL_EVENT_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_OK(aclrtQueryEvent(event, &status));
	EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
}

TEST_F(Events, Check03_SynchronizeNeverRecordedReturnsAtOnce)
{
	const Event plain = Event::plain();
	const Event old_sync = Event::with_flag(ACL_EVENT_SYNC);
	const Event old_time = Event::with_flag(ACL_EVENT_TIME_LINE);
	const Event ex_sync = Event::ex(ACL_EVENT_SYNC);
	const Event ex_time = Event::ex(ACL_EVENT_TIME_LINE | ACL_EVENT_CAPTURE_STREAM_PROGRESS);
	const Event external = Event::with_flag(ACL_EVENT_EXTERNAL);

	EXPECT_OK(aclrtSynchronizeEvent(plain));
	EXPECT_OK(aclrtSynchronizeEvent(old_sync));
	EXPECT_OK(aclrtSynchronizeEvent(old_time));
	EXPECT_OK(aclrtSynchronizeEvent(ex_sync));
	EXPECT_OK(aclrtSynchronizeEvent(ex_time));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "external", aclrtSynchronizeEvent(external));
}

TEST_F(Events, Check04_WaitForNeverRecordedExEventDelaysNothing)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_OK(aclrtStreamWaitEvent(stream, event));
	buffer.fill_async(7, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 7));
}

TEST_F(Events, Check04_WaitForNeverRecordedPlainEventIsRefused)
{
	const Stream stream;
	const Event event = Event::plain();

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "record", aclrtStreamWaitEvent(stream, event));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Events, Check05_ReRecordKeepsFirstSnapshotForQueuedWait)
{
	const Event event = Event::plain();

	expect_first_snapshot_kept(event);
}

TEST_F(Events, Check05_ReRecordKeepsFirstSnapshotForQueuedWaitOfExEvent)
{
	const Event event = Event::ex(ACL_EVENT_SYNC);

	expect_first_snapshot_kept(event);
}

TEST_F(Events, Check06_OneRecordReleasesTwoStreamsAndNeitherEarly)
{
	const DeviceBuffer source(kBytes);
	const DeviceBuffer out_b(kBytes);
	const DeviceBuffer out_c(kBytes);
	const Stream a;
	const Stream b;
	const Stream c;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	Gate gate;

	gate.block(a);
	source.fill_async(9, a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	for (const aclrtStream waiter : {aclrtStream(b), aclrtStream(c)})
		EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
	EXPECT_OK(aclrtMemcpyAsync(out_b.data(), kBytes, source.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, b));
	EXPECT_OK(aclrtMemcpyAsync(out_c.data(), kBytes, source.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, c));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_EQ(query(c), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(out_b, 0));
	EXPECT_TRUE(holds(out_c, 0));

	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_OK(aclrtSynchronizeStream(c));
	EXPECT_TRUE(holds(out_b, 9));
	EXPECT_TRUE(holds(out_c, 9));
}

TEST_F(Events, Check07_RecordCapturesOnlyEarlierWork)
{
	const DeviceBuffer before(kBytes);
	const DeviceBuffer later(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream a;
	const Stream b;
	const Event event = Event::plain();
	Gate gate;

	before.fill_async(3, a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	gate.block(a);
	later.fill_async(4, a);
	EXPECT_OK(aclrtStreamWaitEvent(b, event));
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, before.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, b));
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_TRUE(holds(out, 3));
	EXPECT_TRUE(holds(later, 0));
	EXPECT_EQ(query(a), ACL_STREAM_STATUS_NOT_READY);

	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_TRUE(holds(later, 4));
}

TEST_F(Events, Check11_ElapsedTimeErrors)
{
	const Stream stream;
	const Event start = Event::plain();
	const Event end = Event::plain();
	const Event no_stamp = Event::ex(ACL_EVENT_SYNC);
	Gate gate;
	float ms = 0;
	uint64_t stamp_us = 0;

	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "record", aclrtEventElapsedTime(&ms, start, end));
	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "record", aclrtEventGetTimestamp(end, &stamp_us));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "ms|null",
		     aclrtEventElapsedTime(nullptr, start, end));

	EXPECT_OK(aclrtRecordEvent(start, stream));
	EXPECT_OK(aclrtRecordEvent(no_stamp, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "record", aclrtEventElapsedTime(&ms, start, end));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "time",
		     aclrtEventElapsedTime(&ms, start, no_stamp));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "time",
		     aclrtEventGetTimestamp(no_stamp, &stamp_us));

	gate.block(stream);
	EXPECT_OK(aclrtRecordEvent(end, stream));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "complete|finish|ready|pending",
		     aclrtEventElapsedTime(&ms, start, end));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "complete|finish|ready|pending",
		     aclrtEventGetTimestamp(end, &stamp_us));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtEventElapsedTime(&ms, start, end));
}

TEST_F(Events, Check11_SwappedArgumentsNegateTheElapsedTime)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	const Event start = Event::plain();
	const Event end = Event::ex(ACL_EVENT_TIME_LINE);

	EXPECT_OK(aclrtRecordEvent(start, stream));
	for (int i = 0; i < 100; ++i)
		buffer.fill_async(i, stream);
	EXPECT_OK(aclrtRecordEvent(end, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));

	EXPECT_GE(elapsed_ms(start, end), 0.0f);
	EXPECT_FLOAT_EQ(elapsed_ms(end, start), -elapsed_ms(start, end));
	EXPECT_EQ(elapsed_ms(start, start), 0.0f);
}

TEST_F(Events, Check12_TimestampsAgreeWithElapsedTime)
{
	const DeviceBuffer buffer(size_t{1} << 20);
	const Stream stream;
	const Event start = Event::plain();
	const Event end = Event::plain();
	uint64_t start_us = 0;
	uint64_t end_us = 0;

	EXPECT_OK(aclrtRecordEvent(start, stream));
	for (int i = 0; i < 50; ++i)
		buffer.fill_async(i, stream);
	EXPECT_OK(aclrtRecordEvent(end, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtEventGetTimestamp(start, &start_us));
	EXPECT_OK(aclrtEventGetTimestamp(end, &end_us));

	ASSERT_GE(end_us, start_us);
	const double difference_us = static_cast<double>(end_us - start_us);

	/* Each stamp is cut to a microsecond, the float keeps 24 bits of the difference. */
	EXPECT_NEAR(difference_us, 1e3 * static_cast<double>(elapsed_ms(start, end)),
		    2.0 + 1e-6 * difference_us);
}

TEST_F(Events, Check12_TimestampIsTheLatestRecords)
{
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_TIME_LINE);
	const Event between = Event::ex(ACL_EVENT_TIME_LINE);

	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtRecordEvent(between, stream));
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_GE(elapsed_ms(between, event), 0.0f);
}

TEST_F(Events, Check13_DestroyWithPendingRecordAndWaitReturnsAtOnce)
{
	const DeviceBuffer source(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream a;
	const Stream b;
	const Stream other;
	Gate gate;

	gate.block(a);
	source.fill_async(5, a);
	{
		const Event event = Event::plain();

		EXPECT_OK(aclrtRecordEvent(event, a));
		EXPECT_OK(aclrtStreamWaitEvent(b, event));
	}
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, source.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, b));
	/* Events that take over what the dead one had must not release b. */
	for (int i = 0; i < 16; ++i) {
		const Event event = Event::plain();

		EXPECT_OK(aclrtRecordEvent(event, other));
		EXPECT_OK(aclrtSynchronizeEvent(event));
	}
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(out, 0));

	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(out, 5));
}

TEST_F(Events, Check15_SynchronizeEventTimesOutAndSucceedsLater)
{
	const Stream stream;
	const Event event = Event::plain();
	Gate gate;

	gate.block(stream);
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "10|limit|timeout",
		     aclrtSynchronizeEventWithTimeout(event, 10));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout",
		     aclrtSynchronizeEventWithTimeout(event, -2));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout",
		     aclrtSynchronizeEventWithTimeout(event, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 1));
	EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1));
}

TEST_F(Events, Check16_WaitStatusFollowsPendingWaits)
{
	const Stream a;
	const Stream b;
	const Event event = Event::plain();
	const Event ex = Event::ex(ACL_EVENT_SYNC);
	Gate gate;
	aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;

	EXPECT_OK(aclrtQueryEventWaitStatus(event, &status));
	EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_COMPLETE);
	gate.block(a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	EXPECT_OK(aclrtStreamWaitEvent(b, event));
	EXPECT_OK(aclrtQueryEventWaitStatus(event, &status));
	EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_OK(aclrtQueryEventWaitStatus(event, &status));
	EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_COMPLETE);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "event",
		     aclrtQueryEventWaitStatus(ex, &status));
}

TEST_F(Events, RecordAndWaitWorkOnTheDefaultStream)
{
	const DeviceBuffer source(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream stream;
	const Event event = Event::plain();

	source.fill_async(6, nullptr);
	EXPECT_OK(aclrtRecordEvent(event, nullptr));
	EXPECT_OK(aclrtStreamWaitEvent(stream, event));
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, source.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtStreamWaitEvent(nullptr, event));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(out, 6));
}

TEST_F(Events, WaitOnTheRecordingStreamItselfIsHarmless)
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;
	const Event plain = Event::plain();
	const Event ex = Event::ex(ACL_EVENT_SYNC);

	for (const aclrtEvent event : {aclrtEvent(plain), aclrtEvent(ex)}) {
		EXPECT_OK(aclrtRecordEvent(event, stream));
		EXPECT_OK(aclrtStreamWaitEvent(stream, event));
	}
	buffer.fill_async(8, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 8));
}

TEST_F(Events, OneEventRecordedManyTimesAcrossTwoStreamsKeepsTheOrder)
{
	const DeviceBuffer tokens(1024);
	const Stream a;
	const Stream b;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	/* Each turn copies the byte that the turn before wrote on the other stream. */
	EXPECT_OK(aclrtMemsetAsync(tokens.data(), 1024, 0x5a, 1, a));
	for (size_t i = 1; i < tokens.size(); ++i) {
		const aclrtStream from = i % 2 ? a : b;
		const aclrtStream to = i % 2 ? b : a;

		EXPECT_OK(aclrtRecordEvent(event, from));
		EXPECT_OK(aclrtStreamWaitEvent(to, event));
		EXPECT_OK(aclrtMemcpyAsync(tokens.at(i), 1, tokens.at(i - 1), 1,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, to));
	}
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds(tokens, 0x5a));
}
