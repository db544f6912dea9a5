// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes that make a program wait
 */
#include "mistakes.h"

#include <cstdint>

static constexpr int32_t kLimitMs = 500;

static aclrtEvent make_flag()
{
	aclrtEvent event = nullptr;

	NEED(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	return event;
}

static void limit_at_a_flag_never_recorded()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtStreamWaitEvent(stream, make_flag()));
	TELL(aclrtSynchronizeStreamWithTimeout(stream, kLimitMs));
}

static void limit_at_a_flag_that_was_reset()
{
	begin();
	aclrtStream first = make_stream();
	aclrtStream second = make_stream();
	aclrtEvent flag = make_flag();
	NEED(aclrtRecordEvent(flag, first));
	NEED(aclrtResetEvent(flag, first));
	NEED(aclrtSynchronizeStream(first));
	NEED(aclrtStreamWaitEvent(second, flag));
	TELL(aclrtSynchronizeStreamWithTimeout(second, kLimitMs));
}

/* The second stream waits for the first one, which waits for a flag. */
static aclrtStream make_chain()
{
	aclrtStream first = make_stream();
	aclrtStream second = make_stream();
	aclrtEvent event = nullptr;

	NEED(aclrtCreateEvent(&event));
	NEED(aclrtStreamWaitEvent(first, make_flag()));
	NEED(aclrtRecordEvent(event, first));
	NEED(aclrtStreamWaitEvent(second, event));
	return second;
}

static void limit_behind_another_stream()
{
	begin();
	TELL(aclrtSynchronizeStreamWithTimeout(make_chain(), kLimitMs));
}

static void limit_of_an_event()
{
	begin();
	aclrtEvent event = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtCreateEvent(&event));
	NEED(aclrtStreamWaitEvent(stream, make_flag()));
	NEED(aclrtRecordEvent(event, stream));
	TELL(aclrtSynchronizeEventWithTimeout(event, kLimitMs));
}

static void limit_at_a_notify()
{
	begin();
	aclrtNotify notify = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtCreateNotify(&notify, 0));
	NEED(aclrtWaitAndResetNotify(notify, stream, 0));
	TELL(aclrtSynchronizeStreamWithTimeout(stream, kLimitMs));
}

static void limit_of_the_device()
{
	begin();
	NEED(aclrtStreamWaitEvent(make_stream(), make_flag()));
	TELL(aclrtSynchronizeDeviceWithTimeout(kLimitMs));
}

static void hang_at_a_flag_never_recorded()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtStreamWaitEvent(stream, make_flag()));
	TELL(aclrtSynchronizeStream(stream));
}

static void hang_behind_another_stream()
{
	begin();
	make_chain();
	TELL(aclrtSynchronizeDevice());
}

static void hang_of_streams_in_a_circle()
{
	begin();
	aclrtStream first = make_stream();
	aclrtStream second = make_stream();
	aclrtEvent one = make_flag();
	aclrtEvent other = make_flag();
	NEED(aclrtStreamWaitEvent(first, one));
	NEED(aclrtRecordEvent(other, first));
	NEED(aclrtStreamWaitEvent(second, other));
	NEED(aclrtRecordEvent(one, second));
	TELL(aclrtSynchronizeStream(first));
}

static void hang_at_a_notify()
{
	begin();
	aclrtNotify notify = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtCreateNotify(&notify, 0));
	NEED(aclrtWaitAndResetNotify(notify, stream, 0));
	TELL(aclrtSynchronizeStream(stream));
}

static void synchronise_own(void *stream)
{
	TELL(aclrtSynchronizeStream(stream));
}

static void function_that_waits_for_its_stream()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(stream, synchronise_own, stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void function_that_waits_for_another_stream()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(stream, synchronise_own, make_stream()));
	NEED(aclrtSynchronizeStream(stream));
}

static void synchronise_device(void *)
{
	TELL(aclrtSynchronizeDevice());
}

static void function_that_waits_for_its_device()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(
		stream,
		[](void *) {
			NEED(aclrtSetDevice(0));
			synchronise_device(nullptr);
		},
		nullptr));
	NEED(aclrtSynchronizeStream(stream));
}

const Mistake wait_mistakes[] = {
	{"limit-at-a-flag-never-recorded", limit_at_a_flag_never_recorded},
	{"limit-at-a-flag-that-was-reset", limit_at_a_flag_that_was_reset},
	{"limit-behind-another-stream", limit_behind_another_stream},
	{"limit-of-an-event", limit_of_an_event},
	{"limit-at-a-notify", limit_at_a_notify},
	{"limit-of-the-device", limit_of_the_device},
	{"hang-at-a-flag-never-recorded", hang_at_a_flag_never_recorded},
	{"hang-behind-another-stream", hang_behind_another_stream},
	{"hang-at-a-notify", hang_at_a_notify},
	{"hang-of-streams-in-a-circle", hang_of_streams_in_a_circle},
	{"function-that-waits-for-its-stream", function_that_waits_for_its_stream},
	{"function-that-waits-for-another-stream", function_that_waits_for_another_stream},
	{"function-that-waits-for-its-device", function_that_waits_for_its_device},
	{nullptr, nullptr},
};
