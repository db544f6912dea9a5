// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "drv/packet/fence.h"
#include "hal/wait_policy.h"
#include "umd/core/handle/held.h"
#include "umd/core/object/fence_set.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/task/named_callbacks.h"

struct unpu_operator;

namespace umd {

struct GraphTask;

namespace recorder {
class Entry;
} // namespace recorder

/** most_streams() - how many streams a context can have: MAX_STREAMS minus the channels that host functions
 * and staged copies use. */
uint32_t most_streams(const Context &context);

/** create_stream() - creates a stream in @context. A @priority above 7 becomes 7; unknown @flags are ignored.
 * Return: NO_STREAM, NO_RESOURCE, NO_MEMORY. */
base::Result<Stream *> create_stream(Context &context, uint32_t priority, uint32_t flags);

/** destroy_stream() - @wait: true waits until queued work is done; false lets ready tasks run (run_ready()),
 * and drops the rest.
 * @handle: the handle that the caller used
 * Return: STREAM_CAPTURED, WRONG_CONTEXT, STREAM_MODEL, INVALID_HANDLE if another thread was first. */
base::Status destroy_stream(Stream &stream, const void *handle, bool wait);

/** detach_stream() - makes the handle stale; the stream stays with its context until queued work is done.
 * @handle: the handle that the caller used
 * Return: STREAM_CAPTURED, INVALID_HANDLE if another thread was first. */
base::Status detach_stream(Stream &stream, const void *handle);

/** stop_stream_on_failure() - from now on, skip the tasks that follow a failed task. */
base::Status stop_stream_on_failure(Stream &stream);
/** announce_end() - calls the StreamCallbacks with DESTROYING for each live stream of the context. */
void announce_end(Context &context);

/** reap_detached() - frees the context's detached streams whose work is done. */
void reap_detached(Context &context);

/** claim_streams() - sets `ends` in all streams of the context where it is clear, and returns these. The
 * caller has to end them. */
std::vector<Stream *> claim_streams(Context &context);

/** end_streams() - drops the streams' work, which wakes the threads that wait for it, and returns when no
 * hazard pointer of another thread names a stream. Context: the caller has claimed them; no lock held. */
void end_streams(const std::vector<Stream *> &streams);

/** release_stream() - frees the channel of a stream that has ended and is in no list any more. If the handle
 * is stale the object is reused, else it stays until the program destroys the handle. Context: no lock
 * held. */
void release_stream(Stream &stream);

/** refuse_stale_stream() - refuses a stale handle. Return: INVALID_HANDLE; sets the error message. */
base::Status refuse_stale_stream(const void *handle);

/** hold_stream() - holds a stream that the caller did not find by its handle. Return: INVALID_HANDLE if the
 * stream has ended; sets the error message. */
Held<Stream> hold_stream(Stream &stream);

/** submit() - appends a packet to a stream that neither captures nor collects.
 * Return: its fence; the result of check_accepts(); DEVICE_LOST; sets the error message. */
base::Result<drv::Fence> submit(Stream &stream, const unpu_packet &packet,
				const unpu_operator *op = nullptr);

/** begin_submit() - call it before try_submit(): checks that the stream accepts work, and submits the waits
 * of its gate. May block. Return: as check_accepts(); DEVICE_LOST; sets the error message. */
base::Status begin_submit(Stream &stream);

/** try_submit() - appends packets without blocking, with no other packet between them, or none of them.
 * @aborts: the abort count of the stream's channel when the caller began
 * Return: the fence of the last one; NOT_READY while the ring is full; DEVICE_LOST, with the sentence set. */
base::Result<drv::Fence> try_submit(Stream &stream, const Submission &one, uint32_t aborts);

/** wait_for_room() - after NOT_READY, waits until the ring has room for @packets. Context: no lock held.
 * Return: INVALID_HANDLE if another thread ended the stream; DEVICE_LOST; sets the error message. */
base::Status wait_for_room(Stream &stream, uint32_t packets = 1);

/** enqueue() - appends a task to the stream's sink if it has one, else to its channel. */
base::Status enqueue(Stream &stream, const unpu_packet &packet, const unpu_operator *op = nullptr);

/** enqueue_noted() - the same, and publishes the record of the task. */
base::Status enqueue_noted(Stream &stream, const unpu_packet &packet, recorder::Entry &entry);

/** enqueue_tensor() - the same for a tensor operator; the words are copied.
 * @packet: a TENSOR
 * @words: its descriptor */
base::Status enqueue_tensor(Stream &stream, const unpu_packet &packet,
			    std::span<const uint64_t> words);

/** enqueue_tensor() - the same for words that a task of a sink shares.
 * @packet: a TENSOR or KERNEL
 * @fence: out, may be NULL: the fence of the packet; unchanged if a sink took the task */
base::Status enqueue_tensor(Stream &stream, const unpu_packet &packet,
			    const std::shared_ptr<const std::vector<uint64_t>> &words,
			    drv::Fence *fence = nullptr);

/** offer_task() - gives a task to the stream's sink.
 * Return: the sink's status; nothing if the stream has no sink. */
std::optional<base::Status> offer_task(Stream &stream, const GraphTask &task);

/** enqueue_graph() - gives a graph as one task to the sink of a stream that has one. Return: NOT_SUPPORTED for a stream
 * without a sink, which another thread may have ended. */
base::Status enqueue_graph(Stream &stream, const Graph &graph);

/** choose_sink() - sets the stream's sink: its capture, if there is one; otherwise its update; otherwise its
 * task list. A stream with none of these has no sink. Context: TaskSink::mutex held. */
void choose_sink(Stream &stream);

/** add_gate() - gives the stream a wait for @fence, which replaces an earlier fence of the same semaphore.
 * The wait counts as work of the stream, and comes after the waits of its turn. */
void add_gate(Stream &stream, const drv::Fence &fence);

/** add_turn() - makes the stream's next task wait for @fence, which does not count as work of the stream. */
void add_turn(Stream &stream, const drv::Fence &fence);

/** post_gate() - submits the waits of the gate for which the ring has room. Never blocks.
 * Return: NOT_READY if some are left because the ring is full, DEVICE_LOST. */
base::Status post_gate(Stream &stream);

/** post_turn() - the same for the waits of the gate and of the turn. */
base::Status post_turn(Stream &stream);

/** pass_gate() - submits all waits of the gate and of the turn; blocks while the ring is full. Context: no
 * lock held.
 * Return: INVALID_HANDLE if another thread ended the stream, DEVICE_LOST; sets the error message. */
base::Status pass_gate(Stream &stream);

/** append_tail() - adds to @fences the stream's last fence and the fences of its gate: when all have passed,
 * the stream has done its work. Never blocks. */
void append_tail(Stream &stream, FenceSet &fences);

/** append_turn() - the same with the fences of its turn: when all have passed, its next task can start. */
void append_turn(Stream &stream, FenceSet &fences);

/** stream_captured() - the failure of a call that a capturing stream does not allow. @what: as "destroyed". */
base::Status stream_captured(const Stream &stream, const char *what);

/** stream_failed() - sets the error message for a failure of the stream's device. Return: @status. */
base::Status stream_failed(const Stream &stream, base::Status status);

/** stream_gone() - the failure of a call during which another thread ended the stream. */
base::Status stream_gone(const Stream &stream);

/** wait_stream() - waits until everything submitted so far is done; reports each failure once.
 * Return: STREAM_CAPTURED, STREAM_TIMEOUT, CHANNEL_STOPPED, DEVICE_ABORTED, the failure's status. */
base::Status wait_stream(Stream &stream, uint64_t deadline_ns,
			 hal::WaitWay way = hal::WaitWay::BRIEF);

/** drain_stream() - waits for the stream's submitted work. It waits for the stream's own channel only, so
 * that an abort or the end of the stream ends the wait. Context: no lock held; the caller holds the stream.
 * @tail: receives the last fence. Return: TIMEOUT, DEVICE_LOST; sets no error message. */
base::Status drain_stream(Stream &stream, uint64_t deadline_ns, hal::WaitWay way, drv::Fence &tail);

/** query_stream() - @ready tells whether everything is done. Never blocks. Return: STREAM_CAPTURED. */
base::Status query_stream(Stream &stream, bool &ready);

/** leave_sinks() - removes an ending stream from its capture and its update. */
void leave_sinks(Stream &stream);

/** set_priority() - sets the priority of later turns; a value above 7 becomes 7. */
base::Status set_priority(Stream &stream, uint32_t priority);

/** operator_flags() - packet flags for an operator launch, from the stream's present settings. */
uint8_t operator_flags(const Stream &stream);

/** drop_tasks() - deletes the tasks that a PERSISTENT stream has collected.
 * Return: INVALID_ARGUMENT for other streams, STREAM_MODEL while a built model uses them. */
base::Status drop_tasks(Stream &stream);

/** enum class StreamState - the numbers are the interface's. */
enum class StreamState { CREATED = 1, DESTROYING = 2 };

using StreamCallback = std::function<void(Stream &, StreamState)>;

/** announce() - calls the StreamCallbacks. Context: no lock held. */
void announce(Stream &stream, StreamState state);

/** struct StreamCallbacks - functions of the program, called when a stream is created or destroyed. */
struct StreamCallbacks : NamedCallbacks<StreamCallback> {
	static StreamCallbacks &get() { return Process::own<StreamCallbacks>(); }
};

} // namespace umd
