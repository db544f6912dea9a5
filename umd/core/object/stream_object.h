// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "base/sync/mutex.h"
#include "context_object.h"
#include "fence_set.h"
#include "uapi/packet.h"
#include "umd/core/device/resource_limits.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/task/capture_notes.h"
#include "umd/core/task/task_sink.h"

namespace drv {
class Channel;
} // namespace drv

namespace umd {

class TaskList;

/* Flag bits. They have the same values as the flags of the API: the front end asserts that, and passes the
 * program's flags on unchanged. */
constexpr uint32_t STREAM_FAST_LAUNCH = 0x01;
constexpr uint32_t STREAM_FAST_SYNC = 0x02;
constexpr uint32_t STREAM_PERSISTENT = 0x04;
constexpr uint32_t STREAM_HUGE = 0x08;
constexpr uint32_t STREAM_CPU_SCHEDULE = 0x10;
constexpr uint32_t STREAM_DEVICE_USE_ONLY = 0x20;
constexpr uint32_t STREAM_FLAGS = 0x3f;
/* A stream with one of these flags does not run its tasks; it keeps them for a model. */
constexpr uint32_t STREAM_COLLECTS =
	STREAM_PERSISTENT | STREAM_CPU_SCHEDULE | STREAM_DEVICE_USE_ONLY;

/* The number of channels of a device. It is more than the number of streams of the chip. */
constexpr uint32_t MAX_STREAMS = 4096;

/** struct StreamSettings - settings by the program for later tasks of a stream. */
struct StreamSettings {
	std::atomic<bool> overflow_check{false};
	std::atomic<bool> cache_op_info{false};
	std::atomic<uint32_t> user_tag{0};
	ResourceLimits limits;
};

/** struct Stream - an ordered sequence of tasks: one channel. */
struct alignas(64) Stream {
	/* Bits of @attention: if any is set, a submit leaves the fast path. */
	static constexpr uint32_t GATED = 0x1;	 /* @gate or @turn is not empty */
	static constexpr uint32_t REFUSES = 0x2; /* refusal() may refuse new work */
	static constexpr uint32_t WATCHED = 0x4; /* its work is recorded (umd/core/record) */

	/* A submit reads only this cache line. */
	HandleWord handle;
	/* nullptr: the device was reset, the stream can only be destroyed */
	Context *context = nullptr;
	std::unique_ptr<drv::Channel> channel;
	std::atomic<uint32_t> attention{0};
	uint32_t flags = 0;
	SinkSlot sink; /* if set, takes the tasks instead of the channel */
	uint32_t id = 0;
	bool is_default = false;
	bool is_detached = false; /* the handle is stale; under the context's lock */
	bool takes_turns = false; /* ordered with the default stream, if the API demands that */
	std::atomic<uint8_t> wait_policy{
		1};		/* how threads wait for the stream, if the API has set it */
	bool saturates = false; /* operators return the largest number instead of infinity */
	/* The mark that a HazardGuard checks. The thread that sets it, under the context's lock, has to end the
	 * stream. */
	std::atomic<bool> ends{true};

	uint64_t serial = 0; /* the handle; it stays here after the handle has become stale */
	std::atomic<uint32_t> priority{0};
	std::atomic<bool> stops_on_failure{false};
	std::atomic<bool> has_failure_mode{false}; /* the program has set a failure mode */
	std::atomic<uint64_t> noted{
		0}; /* cookie of the failure that note_failure() returned last */
	std::atomic<bool> uses_runtime_thread{
		/* the runtime's thread has run host functions of the stream */
		false};
	/* the program has or had threads for host functions of the stream */
	std::atomic<bool> has_threads{false};
	/* the update of a task group under way; under TaskSink::mutex */
	TaskSink *update = nullptr;
	std::unique_ptr<TaskList> tasks;  /* exists only with a flag of STREAM_COLLECTS */
	size_t place = 0;		  /* index in the list of the context, under its lock */
	std::atomic<uint64_t> model{0};	  /* handle of the built model that contains the stream */
	std::atomic<uint64_t> printed{0}; /* argument of has_kernel_output() */
	std::atomic<uint32_t> traced{0};  /* its number in the trace; 0: none yet */

	base::Mutex gate_mutex{"Stream::gate_mutex"};
	FenceSet gate GUARDED_BY(
		gate_mutex); /* fences of other channels that the next task has to wait for */
	/* Fences that the next task also has to wait for, because of the order between the streams of the
	 * API. No call of the program gave them to the stream. So they do not count as its work, and a query
	 * or a synchronisation does not wait for them. */
	FenceSet turn GUARDED_BY(gate_mutex);

	StreamSettings settings;

	using Table = HandleTable<Stream, Kind::STREAM>;
	/** table() - all streams of the process. */
	static Table &table();
};

inline Stream::Table &Stream::table()
{
	return Process::own<Table>();
}

/** struct Submission - what goes into a ring at once. */
struct Submission {
	const unpu_packet &packet;
	const void *page = nullptr; /* contents of its page, of @bytes bytes */
	size_t bytes = 0;
	std::span<const unpu_packet>
		next{}; /* right behind it, without pages; fewer than a ring has slots */
	bool is_long =
		false; /* @page may be longer than one, and needs slots behind the packet; no @next */
};

/** capturing() - whether the stream takes part in a capture. */
inline bool capturing(const Stream &stream)
{
	return stream.sink.kind() == SinkKind::CAPTURE;
}

/** is_current() - whether @stream, which the caller holds, has not ended and belongs to the thread's current
 * context. The handle of an ended context equals that of no thread. */
inline bool is_current(const Stream &stream)
{
	const uint64_t current = ThreadState::mine().context;
	return current != 0 && !stream.ends.load() && stream.context->handle.now() == current;
}

/** subject_of() - the argument for refuse_for_capture() about @stream. */
inline CaptureSubject subject_of(const Stream &stream)
{
	return {stream.sink.capture(), stream.id, 0};
}

/** collects() - whether tasks of the stream are kept for a model instead of run. */
inline bool collects(const Stream &stream)
{
	return stream.flags & STREAM_COLLECTS;
}

} // namespace umd
