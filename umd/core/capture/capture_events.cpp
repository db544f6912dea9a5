// SPDX-License-Identifier: MIT
/**
 * DOC: Events in captures
 *
 * A captured record or wait of a snapshot event adds no node; it only adds dependencies. An event that is a
 * flag is set, awaited and reset by nodes. An external event is recorded or awaited by a node too; each
 * launch gives that node its fence.
 */
#include <fmt/format.h>

#include "capture.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/object/ipc_event_object.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Status;

static uint64_t cookie_of(Call call)
{
	return drv::cookie_call(static_cast<uint16_t>(call));
}

/* The event and the stream belong to different captures: invalidates both captures. */
Status Capture::clash(Event &event, Stream &stream)
{
	invalidate(fmt::format("stream {} met an event of another capture", stream.id));
	capture_of(event)->invalidate("one of its events was used in another capture");
	return refuse(Status::CAPTURE_CONFLICT,
		      "event belongs to another capture; both captures are invalid now; end both "
		      "and use an event of its own in each",
		      &stream, &event);
}

static GraphTask flag_task(TaskKind kind, const Event &event, const unpu_packet &packet)
{
	GraphTask task;
	task.kind = kind;
	task.packet = packet;
	task.event = event.handle;
	return task;
}

static constexpr const char *FLAGS_REFUSED =
	"events made by $create_event_with_flag can be captured only with $EVENT_EXTERNAL; events "
	"that join streams in a capture are made by $create_event_ex_with_flag";

Status Capture::set_flag(Event &event, Stream &stream)
{
	if (!(event.flags & EVENT_EXTERNAL))
		return refuse(Status::NOT_SUPPORTED, FLAGS_REFUSED, &stream, &event);
	event.in_graph = true;
	return add(stream, flag_task(TaskKind::SET_FLAG, event,
				     drv::signal_packet(cookie_of(Call::RECORD_EVENT),
							event.flag_sem, UNPU_SIGNAL_SET, 1)));
}

Status Capture::await_flag(Event &event, Stream &stream)
{
	if (!(event.flags & EVENT_EXTERNAL))
		return refuse(Status::NOT_SUPPORTED, FLAGS_REFUSED, &stream, &event);
	event.in_graph = true;
	return add(stream,
		   flag_task(TaskKind::AWAIT_FLAG, event,
			     drv::wait_packet(cookie_of(Call::WAIT_EVENT), event.flag_sem, 1, 0)));
}

Status Capture::check_ipc(const Event &event, const Stream &stream) const
{
	if (!is_ipc(event) || rules_.takes_ipc_events)
		return Status::OK;
	return refuse(Status::NOT_SUPPORTED,
		      "events of $EVENT_IPC can't be captured; use one without that flag", &stream,
		      &event);
}

Status Capture::record(Event &event, Stream &stream)
{
	std::lock_guard guard(event.mutex);
	if (event.capture.load() && event.capture.load() != this)
		return clash(event, stream);
	TRY(check_valid(&stream, &event));
	TRY(check_ipc(event, stream));
	if (event.is_flag())
		return set_flag(event, stream);
	/* Without the SYNC flag no task can wait for the event. */
	if (!(event.flags & EVENT_SYNC) && !is_ipc(event))
		return Status::OK;
	if (!event.capture)
		events_.push_back(&event);
	Member &member = members_.at(&stream);
	member.last_record = static_cast<int64_t>(records_.size());
	event.capture = this;
	event.is_last_captured = true;
	event.capture_record = static_cast<uint32_t>(records_.size());
	records_.push_back({&stream, member.frontier, false, false});
	return Status::OK;
}

void Capture::follow(Record &record, Event &event, Stream &stream)
{
	(void)event;
	if (members_.find(&stream) == members_.end()) {
		Member joined;
		joined.stream = static_cast<uint32_t>(members_.size() + gone_.size());
		joined.id = stream.id;
		members_.emplace(&stream, std::move(joined));
		enter(*stream.context);
		stream.sink.set(this);
	}
	Member &member = members_.at(&stream);
	if (record.stream != &stream)
		member.last_record = -1;
	member.frontier.insert(member.frontier.end(), record.frontier.begin(),
			       record.frontier.end());
	record.is_waited = record.is_waited || record.stream != &stream;
	record.is_waited_by_origin = record.is_waited_by_origin || &stream == origin_;
}

static bool is_recorded(const Event &event) REQUIRES(event.mutex)
{
	return event.ipc ? event.ipc->recorded() : event.record.recorded();
}

Status Capture::join(Event &event, Stream &stream)
{
	std::lock_guard guard(event.mutex);
	Capture *mine = capture_of(stream);
	if (stream.is_default)
		return refuse(Status::CAPTURE_IMPLICIT,
			      "the default stream can't wait for an event that is captured; use a "
			      "created one",
			      &stream, &event);
	TRY(check_ipc(event, stream));
	if (event.is_flag())
		return await_flag(event, stream);
	if (!event.capture && !is_recorded(event)) {
		if (event.mode == EventMode::EX)
			return Status::OK;
		return refuse(Status::INVALID_ARGUMENT,
			      "event was never recorded; record it in the capture before a stream "
			      "waits for it",
			      &stream, &event);
	}
	if (!event.capture)
		return refuse(Status::CAPTURE_DEPENDENCY,
			      "event was recorded outside the capture; a graph can't depend on "
			      "work that is not part of it, unless it waits with "
			      "$EVENT_WAIT_EXTERNAL",
			      &stream, &event);
	if (mine && event.capture.load() != mine)
		return mine->clash(event, stream);
	if (stream.context != &context_ && !rules_.home)
		return set_error(Status::WRONG_CONTEXT,
				 "stream belongs to another context than the capture; use a stream "
				 "of that context");
	TRY(check_valid(&stream, &event));
	follow(records_[event.capture_record], event, stream);
	return Status::OK;
}

Status Capture::check_outside(Event &event, const Stream &stream)
{
	TRY(check_valid(&stream, &event));
	if (event.mode != EventMode::EX || event.flags != EVENT_SYNC)
		return refuse(Status::INVALID_ARGUMENT,
			      "an external record or wait needs an event made by "
			      "$create_event_ex_with_flag with $EVENT_SYNC alone",
			      &stream, &event);
	if (model_ && model_->parent)
		return refuse(Status::NOT_SUPPORTED,
			      "external records and waits can't be in a model that a conditional "
			      "task runs; make them before or after that task",
			      &stream, &event);
	if (event.capture.load())
		return refuse(Status::EVENT_CAPTURED,
			      "event carries a dependency inside a capture; use another one for "
			      "work outside",
			      &stream, &event);
	if (!outside_.insert(event.handle).second)
		return refuse(Status::INVALID_ARGUMENT,
			      "event is used by an external record or wait of this capture "
			      "already; use another event",
			      &stream, &event);
	return Status::OK;
}

Status Capture::record_outside(Event &event, Stream &stream)
{
	std::lock_guard guard(event.mutex);
	TRY(check_outside(event, stream));
	return add(stream, record_task(cookie_of(Call::RECORD_EVENT), event.handle, false));
}

Status Capture::wait_outside(Event &event, Stream &stream)
{
	std::lock_guard guard(event.mutex);
	TRY(check_outside(event, stream));
	return add(stream, wait_task(cookie_of(Call::WAIT_EVENT), event.handle));
}

void Capture::drop_event(Event &event)
{
	std::erase(events_, &event);
	event.capture = nullptr;
}

} // namespace umd
