// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "drv/packet/fence.h"
#include "hal/wait_policy.h"
#include "umd/core/object/event_object.h"

namespace umd {

struct Context;
class IpcEvent;
struct Stream;

/** create_event() - Return: INVALID_ARGUMENT for a combination @mode does not allow. */
base::Result<Event *> create_event(Context &context, EventMode mode, uint32_t flags);

/** destroy_event() - never blocks; queued tasks that use the event still run.
 * Return: false if another thread destroyed the event first, so that @handle is stale. */
bool destroy_event(Event &event, const void *handle);

base::Status record_event(Event &event, Stream &stream);
/** wait_event() - makes the next task of @stream wait for @event. Like a record, it allocates no memory and
 * makes no system call while the stream's channel is awake.
 * @timeout_ns: 0 for no limit; after the limit the stream fails with WAIT_TIMEOUT. */
base::Status wait_event(Event &event, Stream &stream, uint64_t timeout_ns);
base::Status reset_event(Event &event, Stream &stream);

/** subject_of() - the object of a call, for the rules of captures: a stream, an event, or both; nullptr for
 * the one that is not used. */
CaptureSubject subject_of(const Stream *stream, const Event *event);

/** refuse_captured() - Return: EVENT_CAPTURED while @event is part of a capture, else OK. */
base::Status refuse_captured(const Event &event, const char *what);

/** record_event_flagged(), wait_event_flagged() - the WithFlag calls; @flag 0 plain, 1 external. */
base::Status record_event_flagged(Event &event, Stream &stream, uint32_t flag);
base::Status wait_event_flagged(Event &event, Stream &stream, uint64_t timeout_ns, uint32_t flag);

/** graph_wait_target() - the fence for which a launch waits at a node that waits for the event @handle.
 * Return: an empty fence if there is nothing to wait for. */
drv::Fence graph_wait_target(uint64_t handle, drv::Device &device);

/** graph_record() - makes @fence, which a node of a graph launched in @stream signals, the event's latest
 * record. */
void graph_record(uint64_t handle, const Stream &stream, const drv::Fence &fence);

/** failing_semaphore() - the semaphore that has the failure of the work before @record, a record of @event. */
inline uint32_t failing_semaphore(const Event &event, const drv::Fence &record)
{
	const uint64_t graph = base::load_relaxed(event.graph_record);
	return graph >> 32 == record.sem ? static_cast<uint32_t>(graph) : record.sem;
}

/** graph_leave() - notes that a graph will not record the event any more.
 * Return: whether the event keeps the graph's semaphore @sem, which has its time stamp. */
bool graph_leave(uint64_t handle, const drv::Device &device, uint32_t sem);

/** sync_event() - blocks until the latest record is done. Return: EVENT_TIMEOUT, EVENT_CAPTURED,
 * NOT_SUPPORTED for an EXTERNAL event. */
base::Status sync_event(Event &event, uint64_t deadline_ns, hal::WaitWay way = hal::WaitWay::BRIEF);

/** report_recorded() - calls report_failure() of the stream that recorded the event, if the failed task comes
 * before the latest record. A failed node of a graph counts for each record. Context: after sync_event(). */
base::Status report_recorded(const Event &event);

/** query_event() - @done: the latest record is done, or there was none. */
base::Status query_event(Event &event, bool &done);
/** query_event_recorded() - @done: the latest record is done; an event that was never
 * recorded is done only in mode EX. */
base::Status query_event_recorded(Event &event, bool &done);
/** query_event_waits() - @done: no wait task is pending. */
base::Status query_event_waits(Event &event, bool &done);

/** struct EventView - a copy of an event's state. */
struct EventView {
	bool is_recorded = false;
	bool is_done = true;
	drv::Fence fence;	   /* fence of the latest record */
	uint64_t timestamp_ns = 0; /* 0 unless the record is done and has a time stamp */
};

/** view_event() - Context: any thread; the event's device is open. */
EventView view_event(Event &event);

/** event_timestamp() - the time stamp of the latest record, in nanoseconds since the device started. */
base::Status event_timestamp(Event &event, uint64_t &timestamp_ns);
base::Status event_id(Event &event, uint32_t &id);

/** events_left() - how many hardware events of the current context's device are free. */
base::Result<uint32_t> events_left();

/** open_event() - opens an event with EVENT_IPC of another process. Return: as IpcEvent::open(). */
base::Result<Event *> open_event(Context &context, const unpu_export_key &key);

/** event_key() - the key with which other processes open the event.
 * Return: INVALID_ARGUMENT for an event without EVENT_IPC. */
base::Result<unpu_export_key> event_key(Event &event);

/* What the calls above do for an event with EVENT_IPC. */
base::Status record_ipc(Event &event, Stream &stream);
base::Status wait_ipc(Event &event, Stream &stream, uint64_t timeout_ns);
base::Status sync_ipc(Event &event, uint64_t deadline_ns, hal::WaitWay way);
base::Status query_ipc(Event &event, bool &done);
/** shared_event() - the part of the event @handle that processes share; nullptr for an event without
 * EVENT_IPC and for a stale handle. */
std::shared_ptr<IpcEvent> shared_event(uint64_t handle);
/** refuse_ipc() - Return: NOT_SUPPORTED for an event with EVENT_IPC, which can't do @what; else OK. */
base::Status refuse_ipc(const Event &event, const char *what);

} // namespace umd
