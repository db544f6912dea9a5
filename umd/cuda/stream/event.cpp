// SPDX-License-Identifier: MIT
/**
 * DOC: Events
 *
 * A record stores the fence of the stream's last packet in the event. It needs a packet only if the
 * event takes a time stamp. A query takes no lock.
 */
#include "event.h"

#include "drv/device.h"
#include "order.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream_tail.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/object/event_checks.h"
#include "umd/cuda/task/tasks.h"

namespace umd::cuda {

using base::Status;

/* Whether the event and the stream are of two devices, and neither is in a capture. */
static bool is_across(const Event &event, const Stream &stream)
{
	return event.device.state != stream.context->state && !is_ipc(event) &&
	       !event.capture.load() && !capturing(stream);
}

/* Makes a stream wait for an event of another device. */
static CUresult wait_across(Stream &stream, Event &event)
{
	drv::Fence fence;
	auto entry = recorder::observer.begin_event(san::Kind::EVENT_WAIT, event, stream);
	TRY(reach(event, *stream.context->open, fence));
	if (!fence.empty())
		add_gate(stream, fence);
	entry.publish();
	return CUDA_SUCCESS;
}

static CUresult refuse_pending(const Event &event)
{
	if (!explains_answers())
		return CUDA_ERROR_NOT_READY;
	mention(event.handle);
	return refuse(CUDA_ERROR_NOT_READY,
		      fmt::format("the latest record of event {:#x} is not done", event.handle));
}

static CUresult query_shared(Event &event)
{
	bool done = false;
	TRY(query_ipc(event, done));
	if (done)
		return CUDA_SUCCESS;
	return refuse_pending(event);
}

/* Fast path: no capture, no call history, not inside a host function, and the work is complete without
 * error. */
static inline bool plainly_done(CUevent handle)
{
	if (base::load_relaxed(attention) != 0 || ThreadState::mine().is_in_host_function)
		return false;
	const Held<Event> event(Event::table(), handle);
	if (!event || event->is_last_captured.load() || is_ipc(*event))
		return false;
	const DeviceHold device = event->device.hold();
	if (!device || outlives_context(*event))
		return false;
	const drv::Fence fence = event->record.fence();
	return fence.empty() || (device->done(fence) &&
				 device->status(failing_semaphore(*event, fence)) == Status::OK);
}

static CUresult query(Event &event)
{
	TRY(check_event_call(event, "cuEventQuery"));
	TRY(check_not_captured(event));
	if (is_ipc(event)) [[unlikely]]
		return query_shared(event);
	drv::Fence fence = event.record.fence();
	const DeviceHold device = event.device.hold();
	if (!device)
		return refuse_outliving(event);
	if (!device->done(fence))
		return refuse_pending(event);
	recorder::observer.look_behind_event(event.device, fence);
	if (!fence.empty())
		recorder::observer.note_event(san::Kind::EVENT_DONE, event);
	return check_failure(event, fence);
}

static CUresult synchronize(Event &event)
{
	TRY(check_event_call(event, "cuEventSynchronize"));
	TRY(check_not_captured(event));
	const auto way = event.api_flags & CU_EVENT_BLOCKING_SYNC ? hal::WaitWay::SLEEP
								  : hal::WaitWay::POLITE;
	drv::Fence fence = event.record.fence();
	if (const DeviceHold device = event.device.hold();
	    device && !fence.empty() && device->done(fence)) {
		recorder::observer.look_behind_event(event.device, fence);
		recorder::observer.note_event(san::Kind::EVENT_SYNC, event);
		return check_failure(event, fence);
	}
	TRY(sync_event(event, base::NO_DEADLINE, way));
	return check_failure(event, fence);
}

/* Adds an external record or wait as a node to the capture of the stream. */
static CUresult external(Stream &stream, const Event &event, TaskKind kind, unsigned flags)
{
	if (flags == CU_EVENT_RECORD_EXTERNAL && capturing(stream))
		return capture_task(
			stream, event_task(event, kind,
					   kind == TaskKind::WAIT
						   ? Call::WAIT_EVENT
						   : number_of(CudaCall::EVENT_RECORD_WITH_FLAGS)));
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("flags is {:#x}; it must be 0, or EXTERNAL (1) on a stream that "
				  "captures",
				  flags));
}

/* A record outside a capture replaces the event's record in a capture. */
static void leave_capture(Event &event, const Stream &stream)
{
	if (!event.capture.load() || capturing(stream))
		return;
	std::unique_lock lock(TaskSink::mutex);
	if (Capture *capture = capture_of(event))
		capture->drop_event(event);
}

/* record() while a capture is active, call history is kept or flags are given. */
static CUresult record_carefully(Event &event, Stream &stream, unsigned flags)
{
	mention(event.handle);
	if (flags != CU_EVENT_RECORD_DEFAULT)
		return external(stream, event, TaskKind::RECORD, flags);
	leave_capture(event, stream);
	Turn turn(stream);
	TRY(note_violation(stream, result(record_event(event, stream)), "cuEventRecord"));
	note(event.handle, Action::RECORDED, stream.handle);
	return CUDA_SUCCESS;
}

static CUresult record(CUevent handle, CUstream stream_handle, unsigned flags)
{
	Held<Event> event;
	Held<Stream> stream;
	TRY(find_usable_event(handle, "hEvent", event));
	TRY(take_stream(stream_handle, stream, "cuEventRecord"));
	if (event->owner != stream->context->handle) [[unlikely]]
		return refuse_foreign(*event, *stream->context);
	if (captures_open() || flags != CU_EVENT_RECORD_DEFAULT) [[unlikely]]
		return record_carefully(*event, *stream, flags);
	Turn turn(*stream);
	return result(record_event(*event, *stream));
}

/* Checks that the event has a time stamp. */
static CUresult check_timed(const Event &event, const char *name, const EventView &view)
{
	if (!(event.flags & EVENT_TIME_LINE))
		return refuse(CUDA_ERROR_INVALID_HANDLE,
			      fmt::format("{} was made with CU_EVENT_DISABLE_TIMING, so it has no "
					  "time stamp; make it without that flag",
					  name));
	if (!view.is_recorded)
		return refuse(CUDA_ERROR_INVALID_HANDLE,
			      fmt::format("{} was never recorded; call cuEventRecord first", name));
	return CUDA_SUCCESS;
}

CUresult elapsed_time(float *milliseconds, CUevent start_handle, CUevent end_handle)
{
	constexpr double NS_PER_MS = 1e6;
	Held<Event> start;
	Held<Event> end;
	if (!milliseconds)
		return null_argument("pMilliseconds");
	TRY(find_usable_event(start_handle, "hStart", start));
	TRY(find_usable_event(end_handle, "hEnd", end));
	mention(start->handle);
	mention(end->handle);
	for (const Event *event : {start.get(), end.get()})
		TRY(check_not_captured(*event));
	if (start->device.state != end->device.state)
		return refuse(CUDA_ERROR_INVALID_HANDLE, "hStart and hEnd are of two devices, "
							 "whose clocks differ; record both on one");
	EventView from = view_event(*start);
	EventView to = view_event(*end);
	TRY(check_timed(*start, "hStart", from));
	TRY(check_timed(*end, "hEnd", to));
	if (!from.is_done)
		return refuse_pending(*start);
	if (!to.is_done)
		return refuse_pending(*end);
	recorder::observer.note_event(san::Kind::EVENT_DONE, *start);
	recorder::observer.note_event(san::Kind::EVENT_DONE, *end);
	auto difference = static_cast<int64_t>(to.timestamp_ns - from.timestamp_ns);
	*milliseconds = static_cast<float>(static_cast<double>(difference) / NS_PER_MS);
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Context;
using umd::Event;
using umd::Stream;
using umd::ThreadState;

static CUresult check_create_flags(unsigned flags)
{
	constexpr unsigned KNOWN =
		CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
	if (flags & ~KNOWN)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; it must be an OR of BLOCKING_SYNC (1), "
					  "DISABLE_TIMING (2) and INTERPROCESS (4)",
					  flags));
	if (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "Flags has CU_EVENT_INTERPROCESS without CU_EVENT_DISABLE_TIMING: "
			      "other processes can't read a time stamp; pass both");
	return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
	TRY(enter());
	if (!phEvent)
		return null_argument("phEvent");
	TRY(check_create_flags(Flags));
	ContextHold context;
	TRY(current_context(context));
	uint32_t flags = umd::EVENT_SYNC;
	if (Flags & CU_EVENT_INTERPROCESS)
		flags = umd::EVENT_IPC;
	else if (!(Flags & CU_EVENT_DISABLE_TIMING))
		flags |= umd::EVENT_TIME_LINE;
	auto event = TRY(umd::create_event(*context, umd::EventMode::EX, flags));
	event->api_flags = Flags;
	event->outlives_peers = true;
	note(event->handle, Action::MADE);
	*phEvent = reinterpret_cast<CUevent>(event->handle.now());
	return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
	TRY(enter());
	return record(hEvent, hStream, CU_EVENT_RECORD_DEFAULT);
}

CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags)
{
	TRY(enter());
	const umd::recorder::CallScope scope(
		{.event_call = number_of(CudaCall::EVENT_RECORD_WITH_FLAGS)});
	return record(hEvent, hStream, flags);
}

CUresult cuEventQuery(CUevent hEvent)
{
	if (plainly_done(hEvent)) [[likely]]
		return CUDA_SUCCESS;
	TRY(enter());
	Held<Event> event;
	TRY(find_usable_event(hEvent, "hEvent", event));
	return query(*event);
}

CUresult cuEventSynchronize(CUevent hEvent)
{
	if (plainly_done(hEvent)) [[likely]]
		return CUDA_SUCCESS;
	TRY(enter());
	Held<Event> event;
	TRY(find_usable_event(hEvent, "hEvent", event));
	return synchronize(*event);
}

CUresult cuEventDestroy(CUevent hEvent)
{
	TRY(enter());
	Held<Event> event;
	TRY(find_event(hEvent, "hEvent", event));
	CUresult alive = check_owner(*event);
	note(event->handle, Action::DESTROYED);
	return umd::destroy_event(*event, hEvent) ? alive : refuse_event(hEvent, "hEvent");
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
	TRY(enter());
	return elapsed_time(pMilliseconds, hStart, hEnd);
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
	TRY(enter());
	Held<Event> event;
	Held<Stream> stream;
	TRY(find_usable_event(hEvent, "hEvent", event));
	TRY(take_stream(hStream, stream, "cuStreamWaitEvent"));
	if (Flags != CU_EVENT_WAIT_DEFAULT) [[unlikely]]
		return external(*stream, *event, umd::TaskKind::WAIT, Flags);
	mention(event->handle);
	TRY(check_not_captured(*event));
	Turn turn(*stream);
	const bool across = is_across(*event, *stream);
	TRY(across ? wait_across(*stream, *event)
		   : note_violation(*stream, result(umd::wait_event(*event, *stream, 0)),
				    "cuStreamWaitEvent"));
	/* A wait is a task even if it needs no packet: it comes after everything that a task would wait
	 * for. */
	if (!capturing(*stream))
		TRY(umd::stream_tail(*stream));
	if (keeps_history() && !across)
		note_joined(*stream);
	return CUDA_SUCCESS;
}
