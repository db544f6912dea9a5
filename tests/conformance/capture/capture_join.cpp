// SPDX-License-Identifier: MIT
/*
 * DOC: capture - several streams
 *
 * Checks 51 and 52: a stream joins a capture by waiting for a captured event, and has to be joined
 * to the origin before the end. A capture refuses an event or a stream that would tie it to work
 * outside of it.
 */
#include "capture/capture_objects.h"

using namespace conformance;

namespace {

using CaptureJoin = DeviceTest;

constexpr size_t kBytes = 4096;

/* in -> left and right on two streams -> out is left half and right half */
void expect_diamond_works(const Event &fork, const Event &join)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer left(kBytes);
	const DeviceBuffer right(kBytes);
	const DeviceBuffer out(2 * kBytes);
	const Stream origin;
	const Stream side;

	begin_capture(origin);
	in.fill_async(1, origin);
	follow(side, origin, fork);
	copy_async(left, in, origin);
	copy_async(right, in, side);
	follow(origin, side, join);
	EXPECT_OK(aclrtMemcpyAsync(out.data(), kBytes, left.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, origin));
	EXPECT_OK(aclrtMemcpyAsync(out.at(kBytes), kBytes, right.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, origin));

	const Model model(origin);

	EXPECT_TRUE(holds(out, 0));
	for (int i = 0; i < 3; ++i) {
		EXPECT_OK(aclrtMemset(out.data(), 2 * kBytes, 9, 2 * kBytes));
		model.execute(origin);
		EXPECT_OK(aclrtSynchronizeStream(origin));
		EXPECT_TRUE(holds(out, 1));
	}
}

} // namespace

TEST_F(CaptureJoin, Check51_ForkAndJoinOverTwoStreams)
{
	expect_diamond_works(Event::ex(ACL_EVENT_SYNC), Event::ex(ACL_EVENT_SYNC));
}

TEST_F(CaptureJoin, Check51_ForkAndJoinWithPlainEvents)
{
	/* Programs in the field do it, so it works although newer texts ask for the new kind. */
	expect_diamond_works(Event::plain(), Event::plain());
}

TEST_F(CaptureJoin, Check51_OneEventForForkAndJoin)
{
	const Counter counter;
	const Stream origin;
	const Stream side;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	follow(side, origin, event);
	counter.step(side);
	follow(origin, side, event);
	counter.step(origin);

	const Model model(origin);

	for (int i = 0; i < 20; ++i)
		model.execute(origin);
	EXPECT_OK(aclrtSynchronizeStream(origin));
	EXPECT_EQ(counter.value(), 40u);
}

TEST_F(CaptureJoin, Check51_TransitiveJoinOverThreeStreams)
{
	const DeviceBuffer a(kBytes);
	const DeviceBuffer b(kBytes);
	const DeviceBuffer c(kBytes);
	const DeviceBuffer d(kBytes);
	const Stream origin;
	const Stream second;
	const Stream third;
	const Event events[] = {Event::ex(ACL_EVENT_SYNC), Event::ex(ACL_EVENT_SYNC),
				Event::ex(ACL_EVENT_SYNC), Event::ex(ACL_EVENT_SYNC)};

	begin_capture(origin);
	a.fill_async(1, origin);
	follow(second, origin, events[0]);
	copy_async(b, a, second);
	follow(third, second, events[1]);
	EXPECT_EQ(capture_status(third), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
	copy_async(c, b, third);
	follow(second, third, events[2]);
	copy_async(d, c, second);
	follow(origin, second, events[3]);

	const Model model(origin);

	model.execute(origin);
	EXPECT_OK(aclrtSynchronizeStream(origin));
	EXPECT_TRUE(holds(d, 1));
}

TEST_F(CaptureJoin, Check51_ThreeStreamsJoinDirectly)
{
	const Counter left;
	const Counter right;
	const Stream origin;
	const Stream second;
	const Stream third;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join_second = Event::ex(ACL_EVENT_SYNC);
	const Event join_third = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	EXPECT_OK(aclrtRecordEvent(fork, origin));
	EXPECT_OK(aclrtStreamWaitEvent(second, fork));
	EXPECT_OK(aclrtStreamWaitEvent(third, fork));
	left.step(second);
	right.step(third);
	follow(origin, second, join_second);
	follow(origin, third, join_third);
	left.step(origin);
	right.step(origin);

	const Model model(origin);

	for (int i = 0; i < 20; ++i)
		model.execute(second);
	EXPECT_OK(aclrtSynchronizeStream(second));
	EXPECT_EQ(left.value(), 40u);
	EXPECT_EQ(right.value(), 40u);
}

TEST_F(CaptureJoin, Check51_UnjoinedStreamFailsTheEnd)
{
	const DeviceBuffer buffer(kBytes);
	const Stream origin;
	const Stream side;
	const Event fork = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	follow(side, origin, fork);
	buffer.fill_async(1, side);
	expect_failed_end(ACL_ERROR_RT_STREAM_UNJOINED, origin, {origin, side});
	EXPECT_TRUE(holds(buffer, 0));
}

TEST_F(CaptureJoin, Check51_ARecordWithoutAWaitFailsTheEnd)
{
	const DeviceBuffer buffer(kBytes);
	const Stream origin;
	const Stream side;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	follow(side, origin, fork);
	buffer.fill_async(1, side);
	EXPECT_OK(aclrtRecordEvent(join, side));
	expect_failed_end(ACL_ERROR_RT_STREAM_UNJOINED, origin, {origin, side});
}

/* It is each stream that has to come back: another one that did makes up for nothing. */
TEST_F(CaptureJoin, Check51_ARecordWithoutAWaitFailsTheEndBesideAJoin)
{
	const DeviceBuffer buffer(kBytes);
	const Stream origin;
	const Stream joined;
	const Stream lost;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);
	const Event unused = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	EXPECT_OK(aclrtRecordEvent(fork, origin));
	EXPECT_OK(aclrtStreamWaitEvent(joined, fork));
	EXPECT_OK(aclrtStreamWaitEvent(lost, fork));
	buffer.fill_async(1, lost);
	EXPECT_OK(aclrtRecordEvent(unused, lost));
	follow(origin, joined, join);
	expect_failed_end(ACL_ERROR_RT_STREAM_UNJOINED, origin, {origin, joined, lost});
	EXPECT_TRUE(holds(buffer, 0));
}

TEST_F(CaptureJoin, Check51_WorkAfterTheJoinFailsTheEnd)
{
	const DeviceBuffer buffer(kBytes);
	const Stream origin;
	const Stream side;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	follow(side, origin, fork);
	follow(origin, side, join);
	buffer.fill_async(1, side);
	expect_failed_end(ACL_ERROR_RT_STREAM_UNJOINED, origin, {origin, side});
	EXPECT_TRUE(holds(buffer, 0));
}

TEST_F(CaptureJoin, Check51_StreamsMayCaptureAgainAfterAFailedEnd)
{
	const Counter counter;
	const Stream origin;
	const Stream side;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	follow(side, origin, fork);
	expect_failed_end(ACL_ERROR_RT_STREAM_UNJOINED, origin, {origin, side});

	begin_capture(origin);
	follow(side, origin, fork);
	counter.step(side);
	follow(origin, side, join);

	const Model model(origin);

	model.execute(side);
	EXPECT_OK(aclrtSynchronizeStream(side));
	EXPECT_EQ(counter.value(), 1u);
}

TEST_F(CaptureJoin, Check52_WaitForAnEventRecordedOutside)
{
	const Stream origin;
	const Stream outside;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	aclmdlRI model = nullptr;

	EXPECT_OK(aclrtRecordEvent(event, outside));
	begin_capture(origin);
	EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_DEPENDENCY, "captur",
		     aclrtStreamWaitEvent(origin, event));
	/* The failed wait may or may not have spoilt the capture; it is over in any case. */
	if (aclmdlRICaptureEnd(origin, &model) == ACL_SUCCESS) {
		EXPECT_OK(aclmdlRIDestroy(model));
	}
	EXPECT_EQ(capture_status(origin), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
	EXPECT_OK(aclrtSynchronizeStream(origin));
	EXPECT_OK(aclrtSynchronizeStream(outside));
}

TEST_F(CaptureJoin, Check52_WaitForANeverRecordedExEventIsNoTie)
{
	const Counter counter;
	const Stream origin;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	EXPECT_OK(aclrtStreamWaitEvent(origin, event));
	counter.step(origin);

	const Model model(origin);

	model.execute(origin);
	EXPECT_OK(aclrtSynchronizeStream(origin));
	EXPECT_EQ(counter.value(), 1u);
}

TEST_F(CaptureJoin, Check52_EventOfAnotherCaptureSpoilsBoth)
{
	const Stream a;
	const Stream b;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	begin_capture(a);
	begin_capture(b);
	EXPECT_OK(aclrtRecordEvent(event, a));
	EXPECT_FAILS(ACL_ERROR_STREAM_CAPTURE_CONFLICT, "captur", aclrtStreamWaitEvent(b, event));
	EXPECT_EQ(capture_status(a), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
	EXPECT_EQ(capture_status(b), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);

	aclmdlRI model = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "captur",
		     aclmdlRICaptureEnd(a, &model));
	EXPECT_EQ(model, nullptr);
	expect_failed_end(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, b, {a, b});
}

TEST_F(CaptureJoin, Check52_DefaultStreamMayNotJoin)
{
	const Stream origin;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	aclmdlRI model = nullptr;

	begin_capture(origin);
	EXPECT_OK(aclrtRecordEvent(event, origin));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, "default",
		     aclrtStreamWaitEvent(nullptr, event));
	if (aclmdlRICaptureEnd(origin, &model) == ACL_SUCCESS) {
		EXPECT_OK(aclmdlRIDestroy(model));
	}
	EXPECT_EQ(capture_status(origin), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(CaptureJoin, OtherStreamsRunDuringACapture)
{
	const DeviceBuffer buffer(kBytes);
	const Counter counter;
	const Stream origin;
	const Stream other;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	counter.step(origin);
	buffer.fill_async(1, other);
	EXPECT_OK(aclrtRecordEvent(event, other));
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_OK(aclrtSynchronizeStream(other));

	const Model model(origin);

	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_EQ(counter.value(), 0u);
}

TEST_F(CaptureJoin, EventsMayBeDestroyedBeforeTheEnd)
{
	const Counter counter;
	const Stream origin;
	const Stream side;

	begin_capture(origin);
	{
		const Event fork = Event::ex(ACL_EVENT_SYNC);
		const Event join = Event::ex(ACL_EVENT_SYNC);

		follow(side, origin, fork);
		counter.step(side);
		follow(origin, side, join);
	}
	const Model model(origin);

	model.execute(origin);
	EXPECT_OK(aclrtSynchronizeStream(origin));
	EXPECT_EQ(counter.value(), 1u);
}
