// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "drv/channel.h"
#include "umd/call.h"
#include "umd/capture_notes.h"
#include "umd/context.h"
#include "umd/fence_set.h"
#include "umd/handle.h"
#include "umd/held.h"
#include "umd/named_callbacks.h"
#include "umd/process.h"
#include "umd/resource_limits.h"
#include "umd/task_sink.h"
#include "umd/thread_state.h"

namespace umd {

class TaskList;
struct GraphTask;

/* Flag bits, numbers as in acl_rt.h. */
constexpr uint32_t STREAM_FAST_LAUNCH = 0x01;
constexpr uint32_t STREAM_FAST_SYNC = 0x02;
constexpr uint32_t STREAM_PERSISTENT = 0x04;
constexpr uint32_t STREAM_HUGE = 0x08;
constexpr uint32_t STREAM_CPU_SCHEDULE = 0x10;
constexpr uint32_t STREAM_DEVICE_USE_ONLY = 0x20;
constexpr uint32_t STREAM_FLAGS = 0x3f;
/* The host does not run the tasks of a stream with one of these. */
constexpr uint32_t STREAM_COLLECTS =
	STREAM_PERSISTENT | STREAM_CPU_SCHEDULE | STREAM_DEVICE_USE_ONLY;

/* More than on the chip: as many as a device has channels. */
constexpr uint32_t MAX_STREAMS = 4096;

/** struct StreamSettings - what a program sets for a stream's later tasks. */
struct StreamSettings {
	std::atomic<bool> overflow_check{false};
	std::atomic<bool> cache_op_info{false};
	std::atomic<uint32_t> user_tag{0};
	ResourceLimits limits;
};

/** struct Stream - an ordered sequence of tasks: one channel. */
struct alignas(64) Stream {
	/* What submits have to look at before they go on. */
	static constexpr uint32_t GATED = 0x1;	 /* @gate is not empty */
	static constexpr uint32_t REFUSES = 0x2; /* new work may have to be refused */

	/* One line has what a submit looks at. */
	HandleWord handle;
	Context *context = nullptr; /* nullptr: its device was reset, only destroy works */
	std::unique_ptr<drv::Channel> channel;
	std::atomic<uint32_t> attention{0};
	uint32_t flags = 0;
	SinkSlot sink; /* takes the tasks in place of the channel */
	uint32_t id = 0;
	bool is_default = false;
	bool detached = false;		     /* its handle is stale; under the context's lock */
	bool takes_turns = false;	     /* with the default stream, where the API has that */
	std::atomic<uint8_t> wait_policy{1}; /* how threads wait for it, where the API has that */
	bool saturates = false;		     /* operators have no infinite results */
	/* See Stay. The thread that sets it, under the context's lock, ends the stream. */
	std::atomic<bool> ends{true};

	uint64_t serial = 0; /* its handle, also once that is stale */
	std::atomic<uint32_t> priority{0};
	std::atomic<bool> stops_on_failure{false};
	std::atomic<bool> uses_runtime_thread{false}; /* for host functions */
	std::atomic<bool> has_threads{false};	      /* or had, of the program for its functions */
	TaskSink *update = nullptr;	 /* under TaskSink::lock(): new arguments of a task group */
	std::unique_ptr<TaskList> tasks; /* with a flag of STREAM_COLLECTS */
	size_t place = 0;		 /* in the context's list, under its lock */
	std::atomic<uint64_t> model{0};	 /* handle of the built model that has it */

	base::Mutex gate_mutex{"Stream::gate_mutex"};
	FenceSet gate; /* fences of other channels that the next task has to wait for */

	StreamSettings settings;

	using Table = HandleTable<Stream, Kind::STREAM>;
	/** table() - all there are. */
	static Table &table();
};

inline Stream::Table &Stream::table()
{
	return Process::own<Table>();
}

/** create_stream() - in @context; @priority past 7 is 7, unknown @flags are dropped.
 * Return: NO_STREAM, NO_RESOURCE, NO_MEMORY. */
base::Result<Stream *> create_stream(Context &context, uint32_t priority, uint32_t flags);

/** destroy_stream() - @wait: lets queued work finish first, else it is dropped.
 * @handle: that the caller knows the stream by
 * Return: STREAM_CAPTURED, WRONG_CONTEXT, STREAM_MODEL, INVALID_HANDLE where another thread was first. */
base::Status destroy_stream(Stream &stream, const void *handle, bool wait);

/** detach_stream() - destroys the handle; the stream stays with its context until queued work is done.
 * @handle: that the caller knows the stream by
 * Return: STREAM_CAPTURED, INVALID_HANDLE where another thread was first. */
base::Status detach_stream(Stream &stream, const void *handle);

/** stop_stream_on_failure() - tasks after a failed one are skipped from now on. */
base::Status stop_stream_on_failure(Stream &stream);
/** announce_end() - tells who registered for it that the context's streams are about to go. */
void announce_end(Context &context);

/** reap_detached() - streams of the context that were detached and have nothing to do are gone. */
void reap_detached(Context &context);

/** claim_streams() - the streams of the context that no thread ends yet; the caller has to end them. */
std::vector<Stream *> claim_streams(Context &context);

/** end_streams() - drops what the streams have to do, lets their users go, and returns when no hazard
 * pointer of another thread names them. Context: the caller has claimed them; no lock held. */
void end_streams(const std::vector<Stream *> &streams);

/** release_stream() - takes the channel away of a stream that has ended and is in no list any more. The
 * object is used again if its handle is stale, else it stays for who has the handle. Context: no lock
 * held. */
void release_stream(Stream &stream);

/** refuse_stale_stream() - INVALID_HANDLE, with the sentence set. */
base::Status refuse_stale_stream(const void *handle);

/** hold_stream() - a stream that was not found by its handle. Return: INVALID_HANDLE when it has ended,
 * with the sentence set. */
Held<Stream> hold_stream(Stream &stream);

/** submit() - appends a packet to a stream that neither captures nor collects.
 * Return: its fence; what check_accepts() says; DEVICE_LOST, with the sentence set. */
base::Result<drv::Fence> submit(Stream &stream, const unpu_packet &packet,
				const unpu_operator *op = nullptr);

/** submit_page() - the same for a packet that has something else in its page. */
base::Result<drv::Fence> submit_page(Stream &stream, const unpu_packet &packet, const void *page,
				     size_t bytes);

/** begin_submit() - what has to be so before a try_submit(): the stream accepts work, and its gate is
 * passed. May block. Return: what check_accepts() says, DEVICE_LOST, with the sentence set. */
base::Status begin_submit(Stream &stream);

/** struct Submission - a packet and what its page holds. */
struct Submission {
	unpu_packet packet;
	const void *page = nullptr;
	size_t bytes = 0;
};

/** try_submit() - appends a packet without blocking.
 * @aborts: of the stream's channel, when the caller began
 * Return: its fence; NOT_READY while the ring is full; DEVICE_LOST, with the sentence set. */
base::Result<drv::Fence> try_submit(Stream &stream, const Submission &one, uint32_t aborts);

/** try_submit_pair() - two packets that nothing comes between, or none. Return: the second's fence; as
 * try_submit(). */
base::Result<drv::Fence> try_submit_pair(Stream &stream, const Submission &one,
					 const unpu_packet &next, uint32_t aborts);

/** wait_for_room() - after a NOT_READY, until the ring has room for @packets. Context: no lock held.
 * Return: INVALID_HANDLE when the stream was ended meanwhile; DEVICE_LOST; with the sentence set. */
base::Status wait_for_room(Stream &stream, uint32_t packets = 1);

/** enqueue() - appends a task: to the stream's sink if it has one, else to the stream. */
base::Status enqueue(Stream &stream, const unpu_packet &packet, const unpu_operator *op = nullptr);

/** offer_task() - gives a task to the stream's sink.
 * Return: what the sink says; nothing where the stream has no sink. */
std::optional<base::Status> offer_task(Stream &stream, const GraphTask &task);

/** choose_sink() - a capture stays the stream's sink. Without one its update is, else its list, else it
 * has none. Context: TaskSink::lock() held. */
void choose_sink(Stream &stream);

/** add_gate() - the stream's next task waits for @fence, and for no earlier one of its semaphore. */
void add_gate(Stream &stream, const drv::Fence &fence);

/** post_gate() - submits the waits that add_gate() has noted, as far as the ring has room. Never blocks.
 * Return: NOT_READY while some are left because the ring is full, DEVICE_LOST. */
base::Status post_gate(Stream &stream);

/** pass_gate() - submits all of them; blocks while the ring is full. Context: no lock held.
 * Return: INVALID_HANDLE when the stream was ended meanwhile, DEVICE_LOST; with the sentence set. */
base::Status pass_gate(Stream &stream);

/** append_tail() - adds to @fences what has passed when the stream has nothing to do and its next task
 * nothing to wait for. Never blocks. */
void append_tail(Stream &stream, FenceSet &fences);

/** stream_tail() - one fence of everything the stream has to do, what its next task would have to
 * wait for included; blocks while the ring is full. Context: no lock held.
 * Return: as pass_gate(). */
inline base::Result<drv::Fence> stream_tail(Stream &stream)
{
	if (stream.attention.load() & Stream::GATED) [[unlikely]]
		TRY(pass_gate(stream));
	return stream.channel->last();
}

/** stream_gone() - the failure of a call whose stream another thread has ended meanwhile. */
base::Status stream_gone(const Stream &stream);

/** wait_stream() - until everything submitted so far is done; reports a failure once.
 * @spin: false sleeps at once.
 * Return: STREAM_CAPTURED, STREAM_TIMEOUT, CHANNEL_STOPPED, DEVICE_ABORTED, the failure's status. */
base::Status wait_stream(Stream &stream, uint64_t deadline_ns, bool spin = true);

/** drain_stream() - waits for what the stream has to do, in its own channel only, so that an abort or
 * the end of the stream lets the caller go. Context: no lock held, and the caller stays at the stream.
 * @tail: receives the last fence. Return: TIMEOUT, DEVICE_LOST, without a sentence. */
base::Status drain_stream(Stream &stream, uint64_t deadline_ns, bool spin, drv::Fence &tail);

/** query_stream() - @ready tells whether everything is done. Never blocks. Return: STREAM_CAPTURED. */
base::Status query_stream(Stream &stream, bool &ready);

/** leave_sinks() - a capture and an update that the stream takes part in end. */
void leave_sinks(Stream &stream);

/** capturing() - whether the stream takes part in a capture. */
inline bool capturing(const Stream &stream)
{
	return stream.sink.kind() == SinkKind::CAPTURE;
}

/** is_current() - whether @stream, which is held, belongs to the thread's current context and has not
 * ended. A context that has ended has another handle than any thread's. */
inline bool is_current(const Stream &stream)
{
	const uint64_t current = ThreadState::mine().context;
	return current != 0 && !stream.ends.load() && stream.context->handle.now() == current;
}

/** subject_of() - for refuse_for_capture(). */
inline CaptureSubject subject_of(const Stream &stream)
{
	return {stream.sink.capture(), stream.id, 0};
}

/** collects() - whether tasks of the stream are kept for a model instead of run. */
inline bool collects(const Stream &stream)
{
	return stream.flags & STREAM_COLLECTS;
}

/** set_priority() - of later turns; past 7 is 7. */
base::Status set_priority(Stream &stream, uint32_t priority);

/** operator_flags() - packet flags of an operator that the stream launches now. */
uint8_t operator_flags(const Stream &stream);

/** drop_tasks() - forgets the tasks that a PERSISTENT stream has collected.
 * Return: INVALID_ARGUMENT for other streams, STREAM_MODEL while a built model has them. */
base::Status drop_tasks(Stream &stream);

/** enum class StreamState - numbers as in aclrtStreamState. */
enum class StreamState { CREATED = 1, DESTROYING = 2 };

using StreamCallback = std::function<void(Stream &, StreamState)>;

/** struct StreamCallbacks - the program's functions that are told of streams. */
struct StreamCallbacks : NamedCallbacks<StreamCallback> {
	static StreamCallbacks &get() { return Process::own<StreamCallbacks>(); }
};

} // namespace umd
