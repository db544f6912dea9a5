// SPDX-License-Identifier: MIT
/**
 * DOC: Queries of events
 *
 * What the host can ask of an event: whether its record and the waits for it are done, its time stamp, and
 * its number.
 */
#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "event.h"
#include "umd/core/context/context_streams.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/open_device.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/pool.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/task/own_function.h"
#include "umd/core/watch/blocked.h"
#include "umd/core/watch/vain_queries.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

static Status refuse_external(const Event &event)
{
	if (event.flags != EVENT_EXTERNAL)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 "event was made with $EVENT_EXTERNAL: the host can't query it; "
			 "synchronise the stream that waits for it");
}

Status sync_event(Event &event, uint64_t deadline_ns, hal::WaitWay way)
{
	if (is_ipc(event))
		return sync_ipc(event, deadline_ns, way);
	TRY(check::refuse_wait_in_function("an event ($synchronize_event)"));
	TRY(refuse_external(event));
	TRY(refuse_captured(event, "synchronised"));
	if (event.is_in_model.load())
		return set_error(Status::INVALID_ARGUMENT,
				 "the event's latest record is a task of a model; "
				 "synchronise the stream that executes the model");
	/* An event stores its device's state when it is created and keeps it. */
	DeviceHold device = event.device.hold();
	if (!device)
		return Status::OK;
	recorder::observer.note_event(san::Kind::BLOCKED, event);
	const Fence fence = event.record.fence();
	Status status = device->wait(fence, deadline_ns, way);
	if (status == Status::TIMEOUT)
		return set_error(Status::EVENT_TIMEOUT,
				 "the event's record did not complete within the "
				 "time limit; it can be synchronised again" +
					 blocked_sentence(device.open(), fence));
	if (status != Status::OK)
		return device_failed(*device, status, "the event's record can't complete");
	device.drop(); /* close_idle() below may close the device */
	recorder::observer.look_behind_event(event.device, fence);
	recorder::observer.note_event(san::Kind::EVENT_SYNC, event);
	Pools::get().trim_idle();
	return status;
}

/* Whether the failed task of @channel comes before the packet of @record. */
static bool stands_before(const drv::Channel &channel, const Fence &record)
{
	const drv::Failure failure = channel.failure();
	const drv::Command command = drv::decode_cookie(failure.cookie);
	return failure.status != Status::OK && (command.channel == drv::COOKIE_GRAPH ||
						command.index <= channel.task_number(record));
}

/* Does the work of report_recorded() for the streams of @context. */
static Status report_in(Context &context, const Fence &record)
{
	std::vector<Stream *> streams;
	{
		std::lock_guard lock(context.mutex);
		streams = context.streams;
	}
	Status status = Status::OK;
	visit_streams(context, streams, [&](Stream &stream) {
		if (stream.channel && stream.channel->timeline() == record.sem &&
		    stands_before(*stream.channel, record))
			status = report_failure(stream);
	});
	return status;
}

Status report_recorded(const Event &event)
{
	const Fence record = event.record.fence();
	int32_t index = 0;
	{
		const DeviceHold device = event.device.hold();
		if (record.empty() || !device || device->status(record.sem) == Status::OK)
			return Status::OK;
		index = device.state().index;
	}
	for (const uint64_t handle : Contexts::get().contexts_on(index)) {
		if (const ContextHold context = Contexts::hold_context(handle))
			TRY(report_in(*context, record));
	}
	return Status::OK;
}

static Status query_record(const Event &event, bool &done)
{
	const DeviceHold device = event.device.hold();
	done = true;
	const Fence fence = event.record.fence();
	Status status = device ? device->query(fence, done) : Status::OK;
	if (status != Status::OK)
		return device_failed(*device, status, "the event can't be queried");
	if (done) {
		recorder::observer.look_behind_event(event.device, fence);
		recorder::observer.note_event(san::Kind::EVENT_DONE, event);
	} else if (device)
		note_vain_query(*device, fence);
	return Status::OK;
}

static Status refuse_new_mode(const Event &event, const char *instead)
{
	if (event.mode != EventMode::EX)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("event was made by $create_event_ex_with_flag; {}", instead));
}

Status query_event(Event &event, bool &done)
{
	TRY(refuse_new_mode(event, "use $query_event_status"));
	TRY(refuse_external(event));
	TRY(refuse_captured(event, "queried"));
	return query_record(event, done);
}

Status query_event_recorded(Event &event, bool &done)
{
	if (is_ipc(event))
		return query_ipc(event, done);
	TRY(refuse_external(event));
	TRY(refuse_captured(event, "queried"));
	if (event.record.recorded())
		return query_record(event, done);
	done = event.mode == EventMode::EX;
	return Status::OK;
}

Status query_event_waits(Event &event, bool &done)
{
	TRY(refuse_new_mode(event, "its waits are not counted; query the streams instead"));
	TRY(refuse_external(event));
	if (!(event.flags & EVENT_SYNC))
		return set_error(Status::NOT_SUPPORTED,
				 "event was made without $EVENT_SYNC, so no stream waits for it; "
				 "make it with that flag");
	std::lock_guard lock(event.mutex);
	TRY(refuse_captured(event, "queried"));
	const DeviceHold device = event.device.hold();
	done = !device || event.waits.all_done(*device);
	if (!done && device->hal().lost())
		return device_failed(*device, Status::DEVICE_LOST, "the event can't be queried");
	if (done)
		recorder::observer.note_event(san::Kind::EVENT_DONE, event);
	return Status::OK;
}

EventView view_event(Event &event)
{
	std::lock_guard lock(event.mutex);
	const Fence fence = event.record.fence();
	const DeviceHold device = event.device.hold();
	EventView view{!fence.empty(), !device || device->done(fence), fence, 0};
	if (device && view.is_done && event.stamp_sem != 0)
		view.timestamp_ns = device->timestamp_ns(event.stamp_sem);
	return view;
}

Status event_timestamp(Event &event, uint64_t &timestamp_ns)
{
	TRY(refuse_ipc(event, "time stamp"));
	TRY(refuse_external(event));
	std::lock_guard lock(event.mutex);
	TRY(refuse_captured(event, "asked for its time stamp"));
	const DeviceHold device = event.device.hold();
	if (!event.record.recorded() || !device)
		return set_error(Status::EVENT_NEVER_RECORDED,
				 "event was never recorded; call $record_event first");
	if (!(event.flags & EVENT_TIME_LINE) || event.stamp_sem == 0)
		return set_error(Status::EVENT_NO_TIMESTAMP,
				 "event was made without $EVENT_TIME_LINE, so it has no time "
				 "stamp; make it with that flag");
	if (!device->done(event.record.fence()))
		return set_error(Status::EVENT_NO_TIMESTAMP,
				 "event's record is not complete; synchronise "
				 "the event first");
	timestamp_ns = device->timestamp_ns(event.stamp_sem);
	recorder::observer.note_event(san::Kind::EVENT_DONE, event);
	return Status::OK;
}

/* Events that are snapshots have no hardware event. Their numbers begin after the last hardware
 * event's. */
static uint32_t snapshot_id(const Event &event)
{
	return EventIds::COUNT + HandleTable<Event, Kind::EVENT>::index(event);
}

Status event_id(Event &event, uint32_t &id)
{
	TRY(refuse_ipc(event, "hardware id"));
	std::lock_guard lock(event.mutex);
	bool snapshot =
		event.mode == EventMode::EX && event.record.recorded() && event.flags & EVENT_SYNC;
	uint32_t hardware = event.id.number.load();
	if (hardware == EventIds::NONE && !snapshot)
		return set_error(Status::EVENT_NO_ID,
				 "event has no hardware id: it was never recorded, or was made "
				 "without $EVENT_SYNC; make it with that flag and record it");
	id = snapshot ? snapshot_id(event) : hardware;
	return Status::OK;
}

Result<uint32_t> events_left()
{
	auto context = TRY(Contexts::get().current());
	return context->open->event_ids.left();
}

} // namespace umd
