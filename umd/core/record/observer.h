// SPDX-License-Identifier: MIT
/**
 * DOC: the observer of the runtime
 *
 * The runtime calls the functions of this table to have calls of the program recorded. The table is empty, and
 * a call costs one test, until a recording begins: then the recorder fills the table. So the runtime does not
 * know the recorder.
 *
 * A begin_...() function reserves a record and returns it as an Entry; the caller publishes the Entry when the
 * call has succeeded. A note_...() function writes a complete record.
 *
 * The table stays filled when a recording ends, in a child of fork() too: the recorder may still keep the
 * program from pages that the next call has to give back.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/result.h"
#include "base/sync/ordering.h"
#include "entry.h"
#include "graph_record.h"

struct unpu_export_key;
struct unpu_sem_wait;

namespace umd {

struct Box;
struct Context;
struct DeviceRef;
struct DeviceState;
struct Event;
struct Notify;
struct OpenDevice;
struct Submission;

} // namespace umd

namespace umd::recorder {

template <class Signature> class Hook;

/** class Hook - a function of the observer. */
template <class Result, class... Arguments> class Hook<Result(Arguments...)> {
public:
	/** operator() - calls the function. Return: an empty value if there is none. */
	Result operator()(Arguments... arguments) const
	{
		const auto function = base::load_acquire(function_);
		if (!function) [[likely]]
			return Result();
		return function(std::forward<Arguments>(arguments)...);
	}
	/** fill() - @function: called from now on */
	void fill(Result (*function)(Arguments...)) { base::store_release(function_, function); }

private:
	Result (*function_)(Arguments...) = nullptr; /* atomic */
};

/** struct Allocated - an allocation, for note_allocation(). */
struct Allocated {
	const void *address;
	uint64_t bytes;
	uint16_t flags = 0;   /* AllocFlag bits, in addition to those of CallNotes */
	uint64_t block = 0;   /* number of the block; 0: a new one */
	uint64_t padding = 0; /* number of bytes after those that the program asked for */
};

/** struct Observer - the table. The functions of calls that are counted in instructions come first. */
struct alignas(64) Observer {
	uint32_t is_recording = 0; /* atomic; 1 while calls are recorded */

	/* note_stream: records a wait for a stream, or a query of it. Kind: BLOCKED before a wait, STREAM_SYNC
	 * after it; STREAM_DONE after a query */
	Hook<void(san::Kind kind, Stream &stream)> note_stream;
	/* note_event: records a wait for an event, or a query of it. Kind: BLOCKED before a wait, EVENT_SYNC
	 * after it; EVENT_DONE after a query */
	Hook<void(san::Kind kind, const Event &event)> note_event;
	/* look_behind: called when the host learns that @fence has passed, right before the record of that
	 * call. Compares the copies before the fence with their sources. look_behind_event: the same for the
	 * fence of an event, whose device may be closed. */
	Hook<void(OpenDevice &device, const drv::Fence &fence)> look_behind;
	Hook<void(const DeviceRef &device, const drv::Fence &fence)> look_behind_event;
	/* stream_number: the number of a stream. The first call records the stream. */
	Hook<uint32_t(Stream &stream)> stream_number;

	/* look_behind_all: as look_behind, when the host learns that all work has ended. look: compares the
	 * copies that have ended. Context: no lock held. */
	Hook<void()> look_behind_all;
	Hook<void()> look;
	/* forget_sources: the sources of earlier copies are no longer compared with what the device has read,
	 * because pinned memory will be freed, or work was dropped. Context: any lock may be held. */
	Hook<void()> forget_sources;

	/* submit: post_now() on a stream with Stream::WATCHED, which is set only while the table is filled */
	base::Result<drv::Fence> (*submit)(Stream &stream, const Submission &one) = nullptr;

	/* begin_box: records a copy in the order of the stream that the host makes.
	 * is_now: the call first waits for the stream, and then copies; else the copy runs when the stream
	 * reaches it */
	Hook<Entry(Stream &stream, const Box &box, uint16_t call, bool is_now)> begin_box;
	/* begin_host_task: records a host function, or a copy or fill that the host makes when the stream
	 * reaches it. A host function gets the number by which note_callback refers to it. */
	Hook<Entry(Stream &stream, GraphTask &task)> begin_host_task;
	/* begin_host_copy, begin_host_fill: record a copy or a fill that the call makes at once, outside of
	 * any stream.
	 * call: a literal, the name of the API function */
	Hook<Entry(const Box &box, const char *call)> begin_host_copy;
	Hook<Entry(uint64_t dst, uint64_t bytes, const char *call)> begin_host_fill;

	/* note_dropped: records that the work of the stream was dropped, and uses no memory any more. */
	Hook<void(Stream &stream)> note_dropped;
	/* note_order: orders the later work of @to after the work of @from so far. The runtime implies this
	 * order; the program made no call for it. note_handle_order: the same; @from is the handle of a
	 * stream, which may have ended. */
	Hook<void(Stream &from, Stream &to)> note_order;
	Hook<void(uint64_t from, Stream &to)> note_handle_order;
	/* note_stream_end: @waits: the call has waited for the stream's work */
	Hook<void(Stream &stream, bool waits)> note_stream_end;
	/* note_context_wait, note_context: record that a call begins to wait, or has waited, for all work of a
	 * context. */
	Hook<void()> note_context_wait;
	Hook<void(Context &context)> note_context;

	/* note_event_created: sets the event's number in the trace. note_event_end: records that the event is
	 * destroyed. */
	Hook<void(Event &event)> note_event_created;
	Hook<void(const Event &event)> note_event_end;
	/* begin_event: Kind: EVENT_RECORD, EVENT_WAIT, EVENT_RESET */
	Hook<Entry(san::Kind kind, const Event &event, Stream &stream)> begin_event;

	/* note_point: makes an event that exists only in the trace, and records it at the last record of
	 * @event. Return: its number; 0 if no trace is recorded. note_point_wait: records that @stream waits
	 * for it. note_point_end: destroys it. */
	Hook<uint64_t(const Event &event)> note_point;
	Hook<void(uint64_t point, Stream &stream)> note_point_wait;
	Hook<void(uint64_t point)> note_point_end;
	/* note_run: records @point at the end of @stream so far. @point: 0: makes it first. Return: its number; 0 if no
	 * trace is recorded. note_point_sync: records that the host has waited for @point. */
	Hook<uint64_t(uint64_t point, Stream &stream)> note_run;
	Hook<void(uint64_t point)> note_point_sync;

	/* note_notify_created: sets the notify's number in the trace. note_notify_shared: sets it to one that
	 * all processes that know @key have. */
	Hook<void(Notify &notify)> note_notify_created;
	Hook<void(Notify &notify, const unpu_export_key &key)> note_notify_shared;
	/* begin_signal: records a task that changes the latch by @op and @value. begin_await: records a task
	 * that waits for it. */
	Hook<Entry(const Notify &notify, Stream &stream, uint8_t op, uint64_t value)> begin_signal;
	Hook<Entry(const Notify &notify, Stream &stream, const unpu_sem_wait &wait)> begin_await;
	/* note_notify_cleared: records that the host has set the notify to 0. */
	Hook<void(const Notify &notify)> note_notify_cleared;
	/* note_captured: records that a graph task uses the notify. @sem: its semaphore on the stream's
	 * device; from now on no other notify gets this semaphore */
	Hook<void(const Notify &notify, const Stream &stream, uint32_t sem)> note_captured;

	Hook<void(const Allocated &allocated)> note_allocation;
	/* begin_free: records the free of an allocation. @word: the call that frees it, such as "$free" */
	Hook<Entry(const void *address, const char *word)> begin_free;
	/* note_given_back: records that the program owns the memory again, for example after it was
	 * unregistered. */
	Hook<void(const void *address, uint64_t bytes)> note_given_back;
	/* note_block: records physical memory without an address. Return: its number; 0 if nothing is
	 * recorded. */
	Hook<uint64_t(uint64_t bytes, bool host)> note_block;
	/* begin_map, begin_unmap: record that a block is mapped at an address, or unmapped.
	 * @in_stream: in the order of the stream of CallNotes */
	Hook<Entry(uint64_t address, uint64_t bytes, uint64_t block)> begin_map;
	Hook<Entry(uint64_t address, uint64_t bytes, bool in_stream)> begin_unmap;

	/* number_of_key: the number of an object that processes share. It is the same in all of them. */
	Hook<uint64_t(const unpu_export_key &key)> number_of_key;
	/* note_export, note_import: record that other processes can import the memory by @key, or that this
	 * process has imported it. */
	Hook<void(const void *address, uint64_t bytes, const unpu_export_key &key)> note_export;
	Hook<void(uint64_t address, uint64_t bytes, const unpu_export_key &key)> note_import;

	/* note_acquire: records that the program has read at @address what commands wrote there. */
	Hook<void(const void *address, uint64_t bytes)> note_acquire;

	/* note_callback: records that a host function begins or ends. Kind: CALLBACK_BEGIN, CALLBACK_END.
	 * @number: number of the host function, or 0 */
	Hook<void(san::Kind kind, uint64_t number)> note_callback;

	/* note_graph: records an executable graph. @device: the device of nodes that name no device */
	Hook<std::unique_ptr<GraphRecord>(const Graph &graph, const DeviceState *device)>
		note_graph;
	/* next_command: a number for a command whose record comes later */
	Hook<uint64_t()> next_command;
	/* note_kernel_accesses: records what a launch has accessed.
	 * @observer: number by which the launch is OBSERVED. @accesses: an array of struct unpu_kernel_access,
	 * of @bytes bytes */
	Hook<void(uint64_t observer, const void *accesses, size_t bytes)> note_kernel_accesses;
	/* site: the number of the present call stack */
	Hook<uint32_t()> site;
};

/** observer - the table of the process. */
inline constinit Observer observer;

/** is_on() - whether calls are recorded. */
inline bool is_on()
{
	return base::load_acquire(observer.is_recording) != 0;
}

} // namespace umd::recorder
