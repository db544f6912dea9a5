// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes with streams, events and captures
 */
#include "mistakes.h"

static constexpr size_t kBytes = 4096;

static void stream_used_after_its_end()
{
	begin();
	aclrtStream stream = make_stream();
	void *memory = make_memory(kBytes);
	NEED(aclrtDestroyStream(stream));
	TELL(aclrtMemsetAsync(memory, kBytes, 0, kBytes, stream));
}

static void event_destroyed_twice()
{
	begin();
	aclrtEvent event = nullptr;
	NEED(aclrtCreateEvent(&event));
	NEED(aclrtDestroyEvent(event));
	TELL(aclrtDestroyEvent(event));
}

static void stream_of_another_context()
{
	begin();
	aclrtContext other = nullptr;
	aclrtStream stream = make_stream();
	void *memory = make_memory(kBytes);
	NEED(aclrtCreateContext(&other, 0));
	TELL(aclrtMemsetAsync(memory, kBytes, 0, kBytes, stream));
}

static void unknown_stream_flag()
{
	begin();
	aclrtStream stream = nullptr;
	TELL(aclrtCreateStreamWithConfig(&stream, 0, 0x1000));
}

static void wait_for_an_event_never_recorded()
{
	begin();
	aclrtEvent event = nullptr;
	NEED(aclrtCreateEvent(&event));
	TELL(aclrtStreamWaitEvent(make_stream(), event));
}

static void time_of_an_event_without_time()
{
	begin();
	aclrtEvent first = nullptr;
	aclrtEvent second = nullptr;
	float time_ms = 0;
	aclrtStream stream = make_stream();
	NEED(aclrtCreateEventExWithFlag(&first, ACL_EVENT_SYNC));
	NEED(aclrtCreateEventExWithFlag(&second, ACL_EVENT_SYNC));
	NEED(aclrtRecordEvent(first, stream));
	NEED(aclrtRecordEvent(second, stream));
	NEED(aclrtSynchronizeStream(stream));
	TELL(aclrtEventElapsedTime(&time_ms, first, second));
}

static void synchronised_while_it_captures()
{
	begin();
	aclrtStream stream = make_stream();
	NEED(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	TELL(aclrtSynchronizeStream(stream));
}

static void capture_that_is_not_joined()
{
	begin();
	aclrtStream first = make_stream();
	aclrtStream second = make_stream();
	aclrtEvent event = nullptr;
	aclmdlRI model = nullptr;
	void *memory = make_memory(kBytes);
	NEED(aclrtCreateEvent(&event));
	NEED(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	NEED(aclrtRecordEvent(event, first));
	NEED(aclrtStreamWaitEvent(second, event));
	NEED(aclrtMemsetAsync(memory, kBytes, 0, kBytes, second));
	TELL(aclmdlRICaptureEnd(first, &model));
}

static void failure_that_comes_later()
{
	begin();
	aclrtEvent flag = nullptr;
	aclrtStream stream = make_stream();
	NEED(aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC));
	NEED(aclrtStreamWaitEventWithTimeout(stream, flag, 1));
	TELL(aclrtSynchronizeStream(stream));
}

const Mistake stream_mistakes[] = {
	{"stream-used-after-its-end", stream_used_after_its_end},
	{"event-destroyed-twice", event_destroyed_twice},
	{"stream-of-another-context", stream_of_another_context},
	{"unknown-stream-flag", unknown_stream_flag},
	{"wait-for-an-event-never-recorded", wait_for_an_event_never_recorded},
	{"time-of-an-event-without-time", time_of_an_event_without_time},
	{"synchronised-while-it-captures", synchronised_while_it_captures},
	{"capture-that-is-not-joined", capture_that_is_not_joined},
	{"failure-that-comes-later", failure_that_comes_later},
	{nullptr, nullptr},
};
