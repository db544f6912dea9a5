// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "base/mutex.h"
#include "base/result.h"
#include "drv/fence.h"
#include "umd/capture_notes.h"
#include "umd/context.h"
#include "umd/device_state.h"
#include "umd/event_ids.h"
#include "umd/event_record.h"
#include "umd/fence_set.h"
#include "umd/handle.h"
#include "umd/ipc_event.h"
#include "umd/process.h"
#include "umd/task_sink.h"

namespace umd {

struct Stream;

/** enum class EventMode - which of the three creation calls made the event. */
enum class EventMode {
	DEFAULT, /* aclrtCreateEvent: snapshots, fixed flags */
	FLAG,	 /* aclrtCreateEventWithFlag: with SYNC a flag that is set and reset */
	EX,	 /* aclrtCreateEventExWithFlag: snapshots */
};

/* Flag bits, numbers as in acl_rt.h. */
constexpr uint32_t EVENT_SYNC = 0x01;
constexpr uint32_t EVENT_PROGRESS = 0x02;
constexpr uint32_t EVENT_INTERNAL = 0x04;
constexpr uint32_t EVENT_TIME_LINE = 0x08;
constexpr uint32_t EVENT_DEVICE_USE_ONLY = 0x10;
constexpr uint32_t EVENT_EXTERNAL = 0x20;
constexpr uint32_t EVENT_IPC = 0x40;

/**
 * struct Event - the latest record's fence, with a time stamp if asked for. A re-record replaces the
 * reference; waits that are queued keep the fence they took.
 */
struct alignas(64) Event {
	/* One line has what a plain record, a query and a wait look at. */
	HandleWord handle;
	std::atomic<CaptureSink *> capture{nullptr}; /* the capture whose record it refers to */
	DeviceRef device;			     /* that it was made on */
	EventMode mode = EventMode::DEFAULT;
	uint32_t flags = 0;
	bool plain = false;			/* a record and a look need no more than @record */
	std::atomic<bool> in_model{false};	/* the latest record is a task of a model */
	std::atomic<bool> last_captured{false}; /* its latest record was in a capture */
	EventRecord record;

	uint64_t owner = 0;	/* handle of the context it was made in */
	uint32_t api_flags = 0; /* of the API that made it */
	uint32_t flag_sem = 0;	/* FLAG with SYNC or EXTERNAL: 1 = set, 0 = reset */

	base::Mutex mutex{"Event::mutex"}; /* protects the following */
	std::shared_ptr<IpcEvent> ipc;	   /* with EVENT_IPC: all there is to the event */
	uint32_t stamp_sem = 0;		   /* carries the time stamp of the latest record */
	uint64_t stamp_value = 0;
	bool stamp_borrowed = false; /* stamp_sem belongs to a graph */

	/* A record that is being made has borrowed stamp_sem. Whether it still is the event's: */
	static constexpr uint32_t KEPT = 0;	/* no record has borrowed it */
	static constexpr uint32_t LENT = 1;	/* one has; ended by that one, without the lock */
	static constexpr uint32_t REPLACED = 2; /* one has, and the event got another semaphore */
	uint32_t loan = KEPT;			/* atomic */

	FenceSet waits;	      /* queued wait tasks, for QueryEventWaitStatus */
	int record_flag = -1; /* sticky from the first RecordEventWithFlag */
	int wait_flag = -1;
	bool in_graph = false;	     /* a graph or model sets or waits for flag_sem */
	uint32_t capture_record = 0; /* number of that record in the capture */

	/* Of the device's event_ids. */
	EventId id;

	/** come_free() - the event was destroyed, and no thread holds it any more. */
	void come_free();

	/** is_scarce() - it may have semaphores or descriptors. */
	bool is_scarce() const { return !plain; }

	/** is_flag() - set and reset instead of snapshots. */
	bool is_flag() const
	{
		return mode == EventMode::FLAG && flags & (EVENT_SYNC | EVENT_EXTERNAL);
	}

	using Table = HandleTable<Event, Kind::EVENT>;
	/** table() - all there are. */
	static Table &table();
};

inline Event::Table &Event::table()
{
	return Process::own<Table>();
}

/** create_event() - Return: INVALID_ARGUMENT for a combination @mode does not allow. */
base::Result<Event *> create_event(Context &context, EventMode mode, uint32_t flags);

/** destroy_event() - never blocks; queued tasks that use it still run.
 * Return: false when @handle is not the event's any more: another thread was first. */
bool destroy_event(Event &event, const void *handle);

base::Status record_event(Event &event, Stream &stream);
/** wait_event() - @timeout_ns: 0 waits for ever; expiry fails the stream with WAIT_TIMEOUT. Needs no
 * memory and makes no system call while the stream's channel is awake; neither does a record. */
base::Status wait_event(Event &event, Stream &stream, uint64_t timeout_ns);
base::Status reset_event(Event &event, Stream &stream);

/** subject_of() - for refuse_for_capture(). */
inline CaptureSubject subject_of(const Event &event)
{
	return {event.capture.load(), {}, event.handle.now()};
}

/** subject_of() - the same for both; nullptr for what a call was not about. */
CaptureSubject subject_of(const Stream *stream, const Event *event);

/** refuse_captured() - EVENT_CAPTURED while @event is part of a capture, else OK. */
base::Status refuse_captured(const Event &event, const char *what);

/** record_event_flagged(), wait_event_flagged() - the WithFlag calls; @flag 0 plain, 1 external. */
base::Status record_event_flagged(Event &event, Stream &stream, uint32_t flag);
base::Status wait_event_flagged(Event &event, Stream &stream, uint64_t timeout_ns, uint32_t flag);

/** graph_wait_target() - what a launch that is made now waits for where its graph waits for an event.
 * @handle: of the event. Return: an empty fence when there is nothing to wait for. */
drv::Fence graph_wait_target(uint64_t handle, drv::Device &device);

/** graph_record() - the event's latest record is that of a launch; @fence: its place in the graph. */
void graph_record(uint64_t handle, drv::Device &device, const drv::Fence &fence);

/** graph_leave() - a graph will not record the event any more.
 * Return: whether the event keeps the semaphore @sem of the graph, where its time stamp is. */
bool graph_leave(uint64_t handle, const drv::Device &device, uint32_t sem);

/** sync_event() - blocks until the latest record is done. Return: EVENT_TIMEOUT, EVENT_CAPTURED,
 * NOT_SUPPORTED for EXTERNAL ones. */
base::Status sync_event(Event &event, uint64_t deadline_ns, bool spin = true);

/** query_event() - aclrtQueryEvent: @done of the latest record, true when never recorded. */
base::Status query_event(Event &event, bool &done);
/** query_event_recorded() - aclrtQueryEventStatus: a never recorded event is done only in mode EX. */
base::Status query_event_recorded(Event &event, bool &done);
/** query_event_waits() - @done when no wait task is pending. */
base::Status query_event_waits(Event &event, bool &done);

/** struct EventView - an event at one moment. */
struct EventView {
	bool recorded = false;
	bool done = true;
	drv::Fence fence;	   /* of the latest record */
	uint64_t timestamp_ns = 0; /* if it is done and takes one */
};

/** view_event() - Context: any thread; the event's device is open. */
EventView view_event(Event &event);

/** event_timestamp() - of the latest record, in nanoseconds since the device started. */
base::Status event_timestamp(Event &event, uint64_t &timestamp_ns);
base::Status event_id(Event &event, uint32_t &id);

/** events_left() - how many hardware events the current context's device has left. */
base::Result<uint32_t> events_left();

/** open_event() - another process's event with EVENT_IPC. Return: as IpcEvent::open(). */
base::Result<Event *> open_event(Context &context, const unpu_export_key &key);

/** event_key() - what names an event to other processes.
 * Return: INVALID_ARGUMENT for one without EVENT_IPC. */
base::Result<unpu_export_key> event_key(Event &event);

/** is_ipc() - the event has EVENT_IPC; the following are what the calls above do to it. */
inline bool is_ipc(const Event &event)
{
	return event.flags == EVENT_IPC;
}
base::Status record_ipc(Event &event, Stream &stream);
base::Status wait_ipc(Event &event, Stream &stream, uint64_t timeout_ns);
base::Status sync_ipc(Event &event, uint64_t deadline_ns, bool spin);
base::Status query_ipc(Event &event, bool &done);
/** refuse_ipc() - NOT_SUPPORTED for one with EVENT_IPC: it has no @what. */
base::Status refuse_ipc(const Event &event, const char *what);

} // namespace umd
