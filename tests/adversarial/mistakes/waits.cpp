// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes that make a program wait
 */
#include "mistakes.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>

#include <pthread.h>

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

static void limit_at_a_flag_that_was_destroyed()
{
	begin();
	aclrtStream stream = make_stream();
	aclrtEvent flag = make_flag();
	NEED(aclrtStreamWaitEvent(stream, flag));
	NEED(aclrtDestroyEvent(flag));
	TELL(aclrtSynchronizeStreamWithTimeout(stream, kLimitMs));
}

static void limit_at_a_word()
{
	begin();
	aclrtStream stream = make_stream();
	void *word = make_memory(64);
	NEED(aclrtMemset(word, 64, 0, 64));
	NEED(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_EQ, stream));
	TELL(aclrtSynchronizeStreamWithTimeout(stream, kLimitMs));
}

/* A stepped device does nothing while a program queries. */
static void queries_of_a_stepped_device()
{
	begin();
	aclrtStream stream = make_stream();
	aclrtEvent event = nullptr;
	const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
	aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;

	NEED(aclrtCreateEvent(&event));
	NEED(aclrtMemsetAsync(make_memory(64), 64, 0, 64, stream));
	NEED(aclrtRecordEvent(event, stream));
	while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE &&
	       std::chrono::steady_clock::now() < end)
		NEED(aclrtQueryEventStatus(event, &status));
	NEED(aclrtSynchronizeStream(stream));
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

/* Work that the end of the device waits for. */
static void make_stuck_stream()
{
	aclrtEvent flag = nullptr;

	begin();
	NEED(aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC));
	NEED(aclrtStreamWaitEvent(make_stream(), flag));
}

static void reset_of_a_stuck_stream()
{
	make_stuck_stream();
	TELL(aclrtResetDevice(0));
}

static void work_left_at_finalize()
{
	make_stuck_stream();
	TELL(aclFinalize());
}

/* Three tasks: the wait, and two that come after it. */
static aclrtStream make_stream_with_work_left()
{
	begin();
	aclrtStream stream = make_stream();
	void *memory = nullptr;
	NEED(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
	NEED(aclrtStreamWaitEvent(stream, make_flag()));
	NEED(aclrtMemsetAsync(memory, 64, 1, 64, stream));
	NEED(aclrtMemsetAsync(memory, 64, 2, 64, stream));
	return stream;
}

static void work_left_at_a_forced_reset()
{
	make_stream_with_work_left();
	TELL(aclrtResetDeviceForce(0));
	std::puts("the end");
}

static void work_left_at_a_forced_destroy()
{
	TELL(aclrtDestroyStreamForce(make_stream_with_work_left()));
	TELL(aclrtResetDeviceForce(0));
	std::puts("the end");
}

static void hang_at_a_callback()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
	NEED(aclrtLaunchCallback([](void *) {}, nullptr, ACL_CALLBACK_BLOCK, stream));
	TELL(aclrtSynchronizeStream(stream));
}

/* A function of the program that runs for 2.5 s. */
static void outlast(void *)
{
	std::promise<void> never;
	(void)never.get_future().wait_for(std::chrono::milliseconds(2500));
}

static void function_that_outlasts_the_end()
{
	begin();
	NEED(aclrtLaunchHostFunc(make_stream(), outlast, nullptr));
	TELL(aclFinalize());
}

static void function_that_destroys_its_stream()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(
		stream,
		[](void *own) {
			NEED(aclrtSetDevice(0));
			TELL(aclrtDestroyStream(own));
			NEED(aclrtResetDevice(0));
		},
		stream));
	NEED(aclrtSynchronizeStream(stream));
}

static void tell_state(int32_t, aclrtDeviceState state, void *)
{
	if (state == ACL_RT_DEVICE_STATE_RESET_PRE)
		std::puts("a reset begins");
}

/* The components that the program registered are not told of a reset that is none. */
static void function_that_resets_its_device()
{
	begin();
	NEED(aclrtRegDeviceStateCallback("mistakes", tell_state, nullptr));
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(
		stream, [](void *) { TELL(aclrtResetDevice(0)); }, nullptr));
	NEED(aclrtSynchronizeStream(stream));
}

static void function_that_ends_its_context()
{
	aclrtContext context = nullptr;
	begin();
	NEED(aclrtCreateContext(&context, 0));
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(
		stream, [](void *own) { TELL(aclrtDestroyContext(own)); }, context));
	NEED(aclrtSynchronizeStream(stream));
}

static void function_that_finalises()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclrtLaunchHostFunc(
		stream, [](void *) { TELL(aclFinalize()); }, nullptr));
	NEED(aclrtSynchronizeStream(stream));
}

const Mistake wait_mistakes[] = {
	{"limit-at-a-flag-never-recorded", limit_at_a_flag_never_recorded},
	{"limit-at-a-flag-that-was-reset", limit_at_a_flag_that_was_reset},
	{"limit-at-a-flag-that-was-destroyed", limit_at_a_flag_that_was_destroyed},
	{"limit-at-a-word", limit_at_a_word},
	{"queries-of-a-stepped-device", queries_of_a_stepped_device},
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
	{"hang-of-a-reset", reset_of_a_stuck_stream},
	{"limit-of-a-reset", reset_of_a_stuck_stream},
	{"work-left-at-finalize", work_left_at_finalize},
	{"work-left-at-a-forced-reset", work_left_at_a_forced_reset},
	{"work-left-at-a-forced-destroy", work_left_at_a_forced_destroy},
	{"hang-at-a-callback", hang_at_a_callback},
	{"function-that-outlasts-the-end", function_that_outlasts_the_end},
	{"function-that-destroys-its-stream", function_that_destroys_its_stream},
	{"function-that-resets-its-device", function_that_resets_its_device},
	{"function-that-ends-its-context", function_that_ends_its_context},
	{"function-that-finalises", function_that_finalises},
	{nullptr, nullptr},
};
