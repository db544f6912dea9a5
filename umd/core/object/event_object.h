// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>

#include "base/sync/mutex.h"
#include "event_record.h"
#include "fence_set.h"
#include "umd/core/device/device_state.h"
#include "umd/core/device/event_ids.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"
#include "umd/core/task/capture_notes.h"
#include "umd/core/task/task_sink.h"

namespace umd {

class IpcEvent;

/** enum class EventMode - which of the three creation calls made the event. */
enum class EventMode {
	DEFAULT, /* a wait uses the latest record at that time; the program chooses no flags */
	FLAG,	 /* with the flag SYNC: a flag that tasks set and reset */
	EX,	 /* as DEFAULT, with flags that the program chooses */
};

/* Flag bits. They have the same values as the flags of the API: the front end asserts that, and passes the
 * program's flags on unchanged. */
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
	DeviceRef device; /* the device on which the event was created */
	EventMode mode = EventMode::DEFAULT;
	uint32_t flags = 0;
	bool is_plain = false;			   /* records and queries use only @record */
	std::atomic<bool> is_in_model{false};	   /* the latest record is a task in a model */
	std::atomic<bool> is_last_captured{false}; /* the latest record was in a capture */
	EventRecord record;

	uint64_t owner = 0;	/* handle of the context in which it was created */
	uint32_t api_flags = 0; /* flags of the API that created it */
	/* for EVENT_IPC: a wait for a process that has ended ends without a failure */
	bool outlives_peers = false;
	uint32_t flag_sem = 0; /* FLAG with SYNC or EXTERNAL: 1 = set, 0 = reset */
	/* The last record by a graph that was launched in the event's context: bits 32-63 are the semaphore of
	 * the record, 0-31 the timeline of the launch stream. Atomic. */
	uint64_t graph_record = 0;

	base::Mutex mutex{"Event::mutex"};
	std::shared_ptr<IpcEvent> ipc
		GUARDED_BY(mutex); /* with EVENT_IPC: the whole state of the event */
	/* semaphore with the time stamp of the latest record */
	uint32_t stamp_sem GUARDED_BY(mutex) = 0;
	uint64_t stamp_value GUARDED_BY(mutex) = 0;
	bool stamp_borrowed GUARDED_BY(mutex) = false; /* stamp_sem belongs to a graph */

	/* While a thread submits a record without the lock, the record borrows stamp_sem. The state of the
	 * loan is one of these: */
	static constexpr uint32_t KEPT = 0; /* no record borrows it */
	/* a record borrows it, and ends the loan without the lock */
	static constexpr uint32_t LENT = 1;
	/* a record borrows it, and the event has got another semaphore in the meantime */
	static constexpr uint32_t REPLACED = 2;
	uint32_t loan = KEPT; /* atomic */

	/* wait tasks that are queued, for QueryEventWaitStatus */
	FenceSet waits GUARDED_BY(mutex);
	int record_flag GUARDED_BY(mutex) = -1; /* fixed by the first call of RecordEventWithFlag */
	int wait_flag GUARDED_BY(mutex) = -1;
	bool in_graph GUARDED_BY(mutex) = false; /* a graph or model sets or waits for flag_sem */
	/* number of the latest record within @capture */
	uint32_t capture_record GUARDED_BY(mutex) = 0;

	/* An id from the device's event_ids. */
	EventId id;

	uint64_t traced = 0; /* its number in the trace; 0: none */

	/** on_idle() - frees what the destroyed event owns. Context: no thread holds the event any more. */
	void on_idle();

	/** is_scarce() - whether the event may own semaphores or descriptors. */
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

/** subject_of() - the argument for refuse_for_capture() about @event. */
inline CaptureSubject subject_of(const Event &event)
{
	return {event.capture.load(), {}, event.handle.now()};
}

/** is_ipc() - whether the event has EVENT_IPC. */
inline bool is_ipc(const Event &event)
{
	return event.flags == EVENT_IPC;
}
} // namespace umd
