// SPDX-License-Identifier: MIT
/**
 * DOC: Task sinks
 *
 * A stream normally submits its tasks to its channel. An object that takes the tasks instead is the
 * stream's sink: a capture, the update of a task group, or the task list of a stream that collects tasks
 * for a model. A capture has precedence over an update, and an update over a list.
 *
 * A submit checks for a sink without a lock: one load and one branch. A thread that finds a sink takes
 * TaskSink::mutex and reads it again, because the sink may have ended in between.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/status.h"
#include "base/sync/mutex.h"
#include "umd/core/process/thread_state.h"

namespace umd {

class Graph;
struct Event;
struct GraphTask;
struct Stream;

/** enum class SinkKind - the object that takes the tasks of a stream. */
enum class SinkKind : uint8_t { CHANNEL, CAPTURE, UPDATE, LIST };

/** class TaskSink - takes the tasks of a stream in place of its channel. */
class alignas(8) TaskSink {
public:
	/** mutex - one lock for all sinks of the process, because an event may connect the capture of one stream
	 * with that of another. Sinks are not on the hot path. */
	static inline constinit base::Mutex mutex{"TaskSink::mutex"};

	SinkKind kind() const { return kind_; }

	/** take() - keeps a copy of @task. Return: why it can't be kept, sets the error message. */
	virtual base::Status take(Stream &stream, const GraphTask &task) REQUIRES(mutex) = 0;

	/** take_graph() - keeps a copy of @graph as one task. */
	virtual base::Status take_graph(Stream &stream, const Graph &graph) REQUIRES(mutex) = 0;

	/** leave() - called when the stream ends. This call may delete the sink. */
	virtual void leave(Stream &stream) REQUIRES(mutex) = 0;

protected:
	explicit TaskSink(SinkKind kind) : kind_(kind) {}
	~TaskSink() = default;

private:
	const SinkKind kind_;
};

/** class CaptureSink - the interface of a capture for streams and events. */
class CaptureSink : public TaskSink {
public:
	/** record() - records @event after the tasks that @stream has captured so far. */
	virtual base::Status record(Event &event, Stream &stream) REQUIRES(mutex) = 0;

	/** join() - makes later tasks of @stream follow the event's record. A stream that does not capture
	 * yet becomes a member. */
	virtual base::Status join(Event &event, Stream &stream) REQUIRES(mutex) = 0;

	/** drop_event() - called when the event is destroyed. */
	virtual void drop_event(Event &event) REQUIRES(mutex) = 0;

	CaptureMode mode() const { return mode_; }
	std::thread::id thread() const { return thread_; }

protected:
	/** CaptureSink() - makes the calling thread the thread() that has begun the capture. */
	explicit CaptureSink(CaptureMode mode)
		: TaskSink(SinkKind::CAPTURE), mode_(mode), thread_(std::this_thread::get_id())
	{
	}
	~CaptureSink() = default;

private:
	const CaptureMode mode_;
	const std::thread::id thread_;
};

/** class SinkSlot - the sink of a stream and its kind in one word, so that a thread can check the kind
 * without a lock and without access to the sink, which another thread may delete. */
class SinkSlot {
public:
	bool is_empty() const { return word_.load() == 0; }
	SinkKind kind() const { return static_cast<SinkKind>(word_.load() & KIND); }

	/** get() - the sink, or nullptr. A caller without TaskSink::mutex may only compare it. */
	TaskSink *get() const { return reinterpret_cast<TaskSink *>(word_.load() & ~KIND); }

	/** capture() - the same if the sink is a capture, else nullptr. */
	CaptureSink *capture() const
	{
		return kind() == SinkKind::CAPTURE ? static_cast<CaptureSink *>(get()) : nullptr;
	}

	/** set() - @sink: nullptr for none. Context: TaskSink::mutex held. */
	void set(TaskSink *sink)
	{
		const auto kind = sink ? static_cast<uintptr_t>(sink->kind()) : 0;
		word_ = reinterpret_cast<uintptr_t>(sink) | kind;
	}

private:
	static constexpr uintptr_t KIND = 7;

	std::atomic<uintptr_t> word_{0};
};

} // namespace umd
