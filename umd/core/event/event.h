// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "drv/channel/fence.h"
#include "event_ids.h"
#include "event_record.h"
#include "umd/core/capture/capture_notes.h"
#include "umd/core/context/context.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"
#include "umd/core/share/ipc_event.h"
#include "umd/core/stream/fence_set.h"
#include "umd/core/stream/task_sink.h"

namespace umd {

struct Stream;

/** enum class EventMode - which of the three creation calls made the event. */
enum class EventMode {
	DEFAULT, /* snapshots, fixed flags */
	FLAG,	 /* with SYNC a flag that is set and reset */
	EX,	 /* snapshots, flags of its own */
};

/* Flag bits. The front end that passes the program's flags on asserts that their numbers are the same. */
constexpr uint32_t EVENT_SYNC = 0x01;
constexpr uint32_t EVENT_PROGRESS = 0x02;
constexpr uint32_t EVENT_INTERNAL = 0x04;
constexpr uint32_t EVENT_TIME_LINE = 0x08;
constexpr uint32_t EVENT_DEVICE_USE_ONLY = 0x10;
constexpr uint32_t EVENT_EXTERNAL = 0x20;
constexpr uint32_t EVENT_IPC = 0x40;

/**
 * struct Event - the fence of the latest record, with a time stamp if the flags ask for one. A new record
 * replaces the fence; wait tasks that are queued already keep the fence of the earlier record.
 */
struct alignas(64) Event {
	/* A plain record, a query and a wait read only this cache line. */
	HandleWord handle;
	std::atomic<CaptureSink *> capture{
		nullptr}; /* the capture that contains the latest record */
	DeviceRef device; /* the device it was created on */
	EventMode mode = EventMode::DEFAULT;
	uint32_t flags = 0;
	bool is_plain = false;			   /* records and queries need only @record */
	std::atomic<bool> is_in_model{false};	   /* the latest record is a task in a model */
	std::atomic<bool> is_last_captured{false}; /* the latest record was in a capture */
	EventRecord record;

	uint64_t owner = 0;	/* handle of the context in which it was created */
	uint32_t api_flags = 0; /* flags of the API that created it */
	bool outlives_peers =
		false; /* EVENT_IPC: a wait for a process that is gone ends, and does not fail */
	uint32_t flag_sem = 0; /* FLAG with SYNC or EXTERNAL: 1 = set, 0 = reset */
	/* The last record by a graph that was launched in the event's context: bits 32-63 are the semaphore of
	 * the record, 0-31 the timeline of the launch stream. Atomic. */
	uint64_t graph_record = 0;

	base::Mutex mutex{"Event::mutex"};
	std::shared_ptr<IpcEvent> ipc
		GUARDED_BY(mutex);		  /* with EVENT_IPC: the whole state of the event */
	uint32_t stamp_sem GUARDED_BY(mutex) = 0; /* carries the time stamp of the latest record */
	uint64_t stamp_value GUARDED_BY(mutex) = 0;
	bool stamp_borrowed GUARDED_BY(mutex) = false; /* stamp_sem belongs to a graph */

	/* While a thread submits a record without the lock, the record borrows stamp_sem. The loan's
	 * state: */
	static constexpr uint32_t KEPT = 0; /* no record borrows it */
	static constexpr uint32_t LENT =
		1; /* a record borrows it, and ends the loan without the lock */
	static constexpr uint32_t REPLACED =
		2;	      /* a record borrows it; the event has another one now */
	uint32_t loan = KEPT; /* atomic */

	FenceSet waits GUARDED_BY(mutex);	/* queued wait tasks, for QueryEventWaitStatus */
	int record_flag GUARDED_BY(mutex) = -1; /* sticky from the first RecordEventWithFlag */
	int wait_flag GUARDED_BY(mutex) = -1;
	bool in_graph GUARDED_BY(mutex) = false; /* a graph or model sets or waits for flag_sem */
	uint32_t capture_record GUARDED_BY(mutex) =
		0; /* number of the latest record within @capture */

	/* Taken from the device's event_ids. */
	EventId id;

	uint64_t traced = 0; /* its number in the trace of the recorder; 0: none */

	/** come_free() - frees what the destroyed event owns. Context: no thread holds the event any more. */
	void come_free();

	/** is_scarce() - it may have semaphores or descriptors. */
	bool is_scarce() const { return !is_plain; }

	/** is_flag() - whether the event is a flag that tasks set and reset, not a snapshot. */
	bool is_flag() const
	{
		return mode == EventMode::FLAG && flags & (EVENT_SYNC | EVENT_EXTERNAL);
	}

	using Table = HandleTable<Event, Kind::EVENT>;
	/** table() - all events of the process. */
	static Table &table();
};

inline Event::Table &Event::table()
{
	return Process::own<Table>();
}

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

/** subject_of() - for refuse_for_capture(). */
inline CaptureSubject subject_of(const Event &event)
{
	return {event.capture.load(), {}, event.handle.now()};
}

/** subject_of() - the same for a call on a stream, an event or both; nullptr for the one not used. */
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

/** report_recorded() - report_failure() of the stream that recorded the event, if the failed task stands before the
 * latest record; a node of a graph counts for each record. Context: after sync_event(). */
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
	drv::Fence fence;	   /* of the latest record */
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

/** is_ipc() - whether the event has EVENT_IPC. The calls above pass such an event to the functions below. */
inline bool is_ipc(const Event &event)
{
	return event.flags == EVENT_IPC;
}
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
