// SPDX-License-Identifier: MIT
/**
 * DOC: Events with the IPC flag
 *
 * The event calls for an event that several processes share.
 */
#include <fmt/format.h>

#include "capture.h"
#include "drv/channel/channel.h"
#include "umd/core/event/event.h"
#include "umd/core/object/ipc_event_object.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;

/* Keeps the shared event alive if another thread destroys the event meanwhile. */
static Result<std::shared_ptr<IpcEvent>> part_of(Event &event)
{
	std::lock_guard lock(event.mutex);
	if (event.ipc)
		return event.ipc;
	return set_error(Status::INVALID_HANDLE,
			 "event is being destroyed; destroy it when no thread uses it");
}

std::shared_ptr<IpcEvent> shared_event(uint64_t handle)
{
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	if (!event)
		return nullptr;
	std::lock_guard lock(event->mutex);
	return event->ipc;
}

static Status refuse_capture(const Event &event, const Stream &stream, const char *what)
{
	if (!capturing(stream))
		return Status::OK;
	return refuse_for_capture(
		stream.context->notes, Status::NOT_SUPPORTED,
		fmt::format("event was made with $EVENT_IPC: it can't be {} on a stream that "
			    "captures; use an event without that flag there",
			    what),
		subject_of(&stream, &event));
}

/* The capture that handles the event of a call on @stream, so that the call does not affect the processes
 * that share the event; nullptr if there is none. Context: TaskSink::mutex held. */
static Capture *capture_for(const Event &event, const Stream &stream)
{
	Capture *capture = capture_of(stream);
	if (!capture)
		capture = capture_of(event);
	return capture && capture->rules().takes_ipc_events ? capture : nullptr;
}

Status record_ipc(Event &event, Stream &stream)
{
	if (capturing(stream)) [[unlikely]] {
		std::unique_lock lock(TaskSink::mutex);
		if (Capture *capture = capture_for(event, stream))
			return capture->record(event, stream);
	}
	TRY(refuse_capture(event, stream, "recorded"));
	auto ipc = part_of(event);
	auto entry = recorder::observer.begin_event(san::Kind::EVENT_RECORD, event, stream);
	auto fence = TRY(ipc ? (*ipc)->record(stream) : ipc.status());
	entry.publish_task(stream.channel->task_number(fence));
	event.is_last_captured = false;
	return Status::OK;
}

Status wait_ipc(Event &event, Stream &stream, uint64_t timeout_ns)
{
	if (event.capture.load() || capturing(stream)) [[unlikely]] {
		std::unique_lock lock(TaskSink::mutex);
		if (Capture *capture = capture_for(event, stream))
			return capture->join(event, stream);
	}
	TRY(refuse_capture(event, stream, "waited for"));
	auto ipc = part_of(event);
	auto entry = recorder::observer.begin_event(san::Kind::EVENT_WAIT, event, stream);
	auto fence =
		TRY(ipc ? (*ipc)->wait(stream, timeout_ns, event.outlives_peers) : ipc.status());
	if (fence.empty())
		entry.publish(); /* there is nothing to wait for */
	else
		entry.publish_task(stream.channel->task_number(fence));
	return Status::OK;
}

Status sync_ipc(Event &event, uint64_t deadline_ns, hal::WaitWay way)
{
	auto ipc = TRY(part_of(event));
	recorder::observer.note_event(san::Kind::BLOCKED, event);
	Status status = ipc->sync(deadline_ns, way);
	if (status == Status::OK)
		recorder::observer.note_event(san::Kind::EVENT_SYNC, event);
	if (status == Status::TIMEOUT)
		return set_error(Status::EVENT_TIMEOUT,
				 "the event's record did not complete within the time limit; it "
				 "can be synchronised again");
	if (status == Status::DEVICE_LOST)
		return set_error(status, fmt::format("the event's record can't complete: {}",
						     base::status_sentence(status)));
	return status;
}

Status query_ipc(Event &event, bool &done)
{
	auto ipc = TRY(part_of(event));
	auto over = ipc->done();
	if (over)
		done = *over;
	if (over && *over)
		recorder::observer.note_event(san::Kind::EVENT_DONE, event);
	return over.status();
}

Status refuse_ipc(const Event &event, const char *what)
{
	if (!is_ipc(event))
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("event was made with $EVENT_IPC, which has no {}", what));
}

Result<unpu_export_key> event_key(Event &event)
{
	if (!is_ipc(event))
		return set_error(Status::INVALID_ARGUMENT,
				 "event was made without $EVENT_IPC, so no other process can "
				 "open it; make it with $create_event_ex_with_flag($EVENT_IPC)");
	auto ipc = TRY(part_of(event));
	return ipc->key();
}

} // namespace umd
