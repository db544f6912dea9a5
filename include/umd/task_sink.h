// SPDX-License-Identifier: MIT
/**
 * DOC: Task sinks
 *
 * A stream submits its tasks to its channel. While a capture, the update of a task group or the list of
 * a stream that collects tasks for a model takes them instead, that object is the stream's sink. A
 * capture goes before an update, and an update before a list.
 *
 * A submit looks at the sink without a lock: one load and one branch. A thread that finds a sink takes
 * TaskSink::lock() and reads it again, because the sink may have ended meanwhile.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/mutex.h"
#include "base/status.h"
#include "umd/thread_state.h"

namespace umd {

struct Event;
struct GraphTask;
struct Stream;

/** enum class SinkKind - what takes the tasks of a stream. */
enum class SinkKind : uint8_t { CHANNEL, CAPTURE, UPDATE, LIST };

/** class TaskSink - takes the tasks of a stream in place of its channel. Context: every function but
 * kind() needs lock() held. */
class alignas(8) TaskSink {
public:
	/** lock() - the one lock of all sinks in the process. Sinks are no hot path. */
	static std::unique_lock<base::Mutex> lock();

	SinkKind kind() const { return kind_; }

	/** take() - keeps a copy of @task. Return: why it can't be kept, with the sentence set. */
	virtual base::Status take(Stream &stream, const GraphTask &task) = 0;

	/** leave() - the stream ends and gives no more tasks. The sink may be deleted by this. */
	virtual void leave(Stream &stream) = 0;

protected:
	explicit TaskSink(SinkKind kind) : kind_(kind) {}
	~TaskSink() = default;

private:
	const SinkKind kind_;
};

/** class CaptureSink - a capture as streams and events know it. */
class CaptureSink : public TaskSink {
public:
	/** record() - @event now means: what @stream has captured so far. */
	virtual base::Status record(Event &event, Stream &stream) = 0;

	/** join() - tasks that @stream captures from now on follow the event's record. A stream that
	 * does not capture yet becomes a member. */
	virtual base::Status join(Event &event, Stream &stream) = 0;

	/** drop_event() - the event goes away. */
	virtual void drop_event(Event &event) = 0;

	CaptureMode mode() const { return mode_; }
	std::thread::id thread() const { return thread_; }

protected:
	/** CaptureSink() - begun by the calling thread. */
	explicit CaptureSink(CaptureMode mode)
		: TaskSink(SinkKind::CAPTURE), mode_(mode), thread_(std::this_thread::get_id())
	{
	}
	~CaptureSink() = default;

private:
	const CaptureMode mode_;
	const std::thread::id thread_;
};

/** class SinkSlot - which sink a stream has, and its kind, in one word: a look needs no lock and does
 * not touch the sink, which may end meanwhile. */
class SinkSlot {
public:
	bool is_empty() const { return word_.load() == 0; }
	SinkKind kind() const { return static_cast<SinkKind>(word_.load() & KIND); }

	/** get() - the sink, or nullptr. A caller without TaskSink::lock() may only compare it. */
	TaskSink *get() const { return reinterpret_cast<TaskSink *>(word_.load() & ~KIND); }

	/** capture() - the same where it is a capture, else nullptr. */
	CaptureSink *capture() const
	{
		return kind() == SinkKind::CAPTURE ? static_cast<CaptureSink *>(get()) : nullptr;
	}

	/** set() - @sink: nullptr for none. Context: TaskSink::lock() held. */
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
