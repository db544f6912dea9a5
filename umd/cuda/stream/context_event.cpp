// SPDX-License-Identifier: MIT
/**
 * DOC: Events for all streams of a context
 *
 * A record is made in a temporary stream that first waits for all work of the other streams. A wait
 * adds a gate to each stream of the context, and to each stream that is created later.
 */
#include "drv/device.h"
#include "umd/core/context/context_streams.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/object/event_checks.h"

namespace umd::cuda {

/* Calls @visit for each stream of the context, with the context's lock held. */
template <class F> static void for_streams(Context &context, F visit)
{
	std::lock_guard lock(context.mutex);
	for (Stream *stream : context.streams) {
		if (stream->channel)
			visit(*stream);
	}
}

static CUresult record_all(Context &context, Event &event)
{
	Stream *collector = nullptr;
	TRY(make_stream(context, CU_STREAM_NON_BLOCKING, LEAST_PRIORITY, collector));
	FenceSet tails;
	for_streams(context, [&](Stream &stream) {
		if (&stream == collector)
			return;
		append_tail(stream, tails);
		recorder::observer.note_order(stream, *collector);
	});
	(void)tails.for_each([&](const drv::Fence &fence) {
		if (!context.device().done(fence))
			add_gate(*collector, fence);
		return true;
	});
	CUresult code = result(record_event(event, *collector));
	if (code == CUDA_SUCCESS)
		note(event.handle, Action::RECORDED);
	(void)detach_stream(*collector, stream_handle(*collector));
	return code;
}

/* The host can't find out which lane of a shared event has the latest record, so a temporary stream
 * waits for the event. */
static CUresult reach_shared(Event &event, Context &context, drv::Fence &fence)
{
	Stream *waiter = nullptr;
	TRY(make_stream(context, CU_STREAM_NON_BLOCKING, LEAST_PRIORITY, waiter));
	CUresult code = result(wait_event(event, *waiter, 0));
	if (code == CUDA_SUCCESS)
		fence = waiter->channel->last();
	(void)detach_stream(*waiter, stream_handle(*waiter));
	return code;
}

static CUresult wait_in_all(Context &context, Event &event)
{
	drv::Fence fence;
	TRY(is_ipc(event) ? reach_shared(event, context, fence)
			  : reach(event, *context.open, fence));
	const uint64_t point = recorder::observer.note_point(event);
	if (fence.empty() && point == 0)
		return CUDA_SUCCESS;
	for_streams(context, [&](Stream &stream) {
		if (stream.is_detached)
			return;
		if (!fence.empty())
			add_gate(stream, fence);
		recorder::observer.begin_event(san::Kind::EVENT_WAIT, event, stream).publish();
	});
	add_entry(context, {fence, point});
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Context;
using umd::Event;

CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent)
{
	TRY(enter());
	ContextHold context;
	Held<Event> event;
	TRY(find_context(hCtx, context));
	TRY(find_usable_event(hEvent, "hEvent", event));
	if (event->owner != context->handle)
		return refuse_foreign(*event, *context);
	TRY(refuse_context_capturing(*context, "cuCtxRecordEvent"));
	const umd::recorder::CallScope scope({.event_call = number_of(CudaCall::CTX_RECORD_EVENT)});
	return record_all(*context, *event);
}

CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent)
{
	TRY(enter());
	ContextHold context;
	Held<Event> event;
	TRY(find_context(hCtx, context));
	TRY(find_usable_event(hEvent, "hEvent", event));
	TRY(refuse_context_capturing(*context, "cuCtxWaitEvent"));
	TRY(check_not_captured(*event));
	const umd::recorder::CallScope scope({.event_call = number_of(CudaCall::CTX_WAIT_EVENT)});
	return wait_in_all(*context, *event);
}
