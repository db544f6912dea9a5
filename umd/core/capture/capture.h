// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/sync/mutex.h"
#include "umd/core/event/event.h"
#include "umd/core/model/model.h"
#include "umd/core/object/context_object.h"
#include "umd/core/object/graph.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/stream/stream.h"
#include "umd/core/task/task_sink.h"

namespace umd {

struct Condition;
struct TaskGroup;

/** struct CaptureRules - the rules in which the APIs differ. */
struct CaptureRules {
	/* if a thread that must not end the capture tries to, the capture fails */
	bool stranger_ends;
	bool back_by_record; /* A joined stream is back if its last task is a record for which another
				stream waits. False: if the origin's next task follows all its nodes. */
	/* an event with EVENT_IPC carries dependencies as any other event does */
	bool takes_ipc_events;
	/* Returns the context in which a captured task will run. nullptr: tasks run where the graph is
	 * launched, and only streams of the origin's context may join. */
	NodePlacement (*home)(const Stream &stream, const GraphTask &task);
};

/**
 * class Capture - one capture under way: its member streams, the events that carry its dependencies, and
 * the graph so far.
 */
class Capture final : public CaptureSink {
public:
	/** begin() - @stream becomes the origin of a new capture. */
	static base::Status begin(Stream &stream, CaptureMode mode);

	/** begin_inside() - the same for a model that a conditional task of another capture runs.
	 * Return: INVALID_ARGUMENT for another model, STREAM_CAPTURED. */
	static base::Status begin_inside(Stream &stream, Model &model, CaptureMode mode);

	/** end() - ends the capture of @stream. @model: receives the result, or nullptr on failure. The
	 * argument may be nullptr for a model inside another. */
	static base::Status end(Stream &stream, Model **model);

	/** of() - the capture into a model in which @stream takes part.
	 * Return: NOT_CAPTURING. */
	static base::Result<Capture *> of(Stream &stream) REQUIRES(TaskSink::mutex);

	/** all() - all captures under way. */
	static std::vector<Capture *> &all() REQUIRES(TaskSink::mutex);

	/** using Closed - a function that is called when a capture has ended. @complete: its graph is
	 * complete. */
	using Closed = std::function<void(bool complete)>;

	/** begin_into() - @stream becomes the origin of a capture that adds its nodes to @graph. @stream is
	 * not a default stream and not in a capture. @tag: any value of the caller. @after: the nodes that
	 * the first task follows. */
	static void begin_into(Stream &stream, CaptureMode mode, const CaptureRules &rules,
			       Graph &graph, uint64_t tag, std::vector<uint32_t> after,
			       Closed closed) REQUIRES(TaskSink::mutex);

	/** end_into() - ends a capture of begin_into(). It stays under way after the failures NOT_CAPTURING,
	 * CAPTURE_UNMATCHED and, depending on its rules, CAPTURE_WRONG_THREAD. */
	static base::Status end_into(Stream &stream) REQUIRES(TaskSink::mutex);

	/** drop() - ends a capture without a result. Any thread may call it. */
	static void drop(Capture &capture) REQUIRES(TaskSink::mutex);

	base::Status take(Stream &stream, const GraphTask &task) override REQUIRES(TaskSink::mutex)
	{
		return add(stream, task);
	}
	base::Status take_graph(Stream &stream, const Graph &graph) override
		REQUIRES(TaskSink::mutex);
	/** leave() - @stream ends. Its captured tasks stay in the graph, and the origin must still follow
	 * them at the end of the capture. If the origin itself ends, the capture is invalid, and each member
	 * may end it. A capture into a model ends when the first of its streams ends. */
	void leave(Stream &stream) override REQUIRES(TaskSink::mutex);

	/** add() - appends a task of a member stream.
	 * Return: CAPTURE_INVALIDATED; TASK_KIND in a task group. */
	base::Status add(Stream &stream, const GraphTask &task) REQUIRES(TaskSink::mutex);

	/** add_child() - adds a child graph as a node of a member stream. Return: as add(). */
	base::Status add_child(Stream &stream, const Graph &child, uint8_t label)
		REQUIRES(TaskSink::mutex);

	base::Status record(Event &event, Stream &stream) override REQUIRES(TaskSink::mutex);
	base::Status join(Event &event, Stream &stream) override REQUIRES(TaskSink::mutex);
	void drop_event(Event &event) override REQUIRES(TaskSink::mutex);

	/** record_outside(), wait_outside() - add nodes that order the graph with work outside it. Each
	 * launch records the event, or waits for the record that the event has at the time of the launch.
	 * Return: INVALID_ARGUMENT, NOT_SUPPORTED. */
	base::Status record_outside(Event &event, Stream &stream) REQUIRES(TaskSink::mutex);
	base::Status wait_outside(Event &event, Stream &stream) REQUIRES(TaskSink::mutex);

	/** begin_group(), end_group() - the tasks of @stream between the two calls can be updated together.
	 * Return: TASK_GROUP, TASK_GROUP_BROKEN. */
	base::Status begin_group(Stream &stream) REQUIRES(TaskSink::mutex);
	base::Result<TaskGroup *> end_group(Stream &stream) REQUIRES(TaskSink::mutex);

	/** add_condition() - a task that runs one of @count models, or none.
	 * @models: receives them. Return: INVALID_ARGUMENT, NO_RESOURCE. */
	base::Status add_condition(Stream &stream, const Condition &condition, unpu_cond_kind kind,
				   uint32_t count, std::vector<Model *> &models)
		REQUIRES(TaskSink::mutex);

	/** invalidate() - makes the capture fail at its end, and keeps the first reason. */
	void invalidate(std::string why) REQUIRES(TaskSink::mutex);

	bool valid() const REQUIRES(TaskSink::mutex) { return valid_; }

	const CaptureRules &rules() const { return rules_; }

	/** model() - the model under construction; nullptr for a capture into a graph. */
	Model *model() { return model_; }
	uint64_t tag() const { return tag_; }

	/** id() - unique in the process, never reused. */
	uint64_t id() const { return id_; }

	/** origin() - handle of the stream that began the capture, which may have ended. */
	uint64_t origin() const { return origin_handle_; }
	Graph &graph() { return graph_; }

	/** last_node() - the task that @stream captured last, or Graph::NONE. */
	uint32_t last_node(Stream &stream) const REQUIRES(TaskSink::mutex);

	/** frontier() - the nodes that the next task of @stream follows. */
	std::vector<uint32_t> &frontier(Stream &stream) REQUIRES(TaskSink::mutex)
	{
		return members_.at(&stream).frontier;
	}

	/** clear_frontier() - the next task of @stream follows nothing. What it would have followed need not
	 * come back to the origin, except the nodes in @kept. */
	void clear_frontier(Stream &stream, const std::vector<uint32_t> &kept)
		REQUIRES(TaskSink::mutex);

	/** note_cut() - the program removed the dependency of @node on @on from the graph. At the end @on
	 * still counts as followed by @node. */
	void note_cut(uint32_t node, uint32_t on) REQUIRES(TaskSink::mutex)
	{
		cuts_.emplace(node, on);
	}

	/** any_member() - whether @test returns true for at least one member stream. */
	template <class Test> bool any_member(Test test) const REQUIRES(TaskSink::mutex)
	{
		for (const auto &[stream, member] : members_) {
			if (test(*stream))
				return true;
		}
		return false;
	}

private:
	/* Tasks that the program updates together. */
	struct Group {
		bool is_open = false;
		bool is_broken = false;
		std::vector<uint32_t> nodes;
	};

	struct Member {
		uint32_t stream = 0;		/* number in order of joining */
		uint32_t id = 0;		/* id of the stream, for error messages */
		std::vector<uint32_t> frontier; /* nodes the next task follows */
		int64_t last_record = -1;	/* the record that was its last task, or -1 */
		Group group;
	};

	struct Record {
		Stream *stream;
		std::vector<uint32_t> frontier;
		bool is_waited = false;
		bool is_waited_by_origin = false;
	};

	Capture(Stream &origin, CaptureMode mode, const CaptureRules &rules, Graph &graph,
		Model *model);

	static void start(Stream &stream, Model &model, CaptureMode mode) REQUIRES(TaskSink::mutex);
	static base::Status check_end(Stream &stream, bool &over) REQUIRES(TaskSink::mutex);
	base::Status check_valid(const Stream *stream, const Event *event) const
		REQUIRES(TaskSink::mutex);
	base::Status refuse(base::Status status, std::string sentence, const Stream *stream,
			    const Event *event = nullptr) const REQUIRES(TaskSink::mutex);
	base::Status check_ipc(const Event &event, const Stream &stream) const
		REQUIRES(TaskSink::mutex);
	base::Status clash(Event &event, Stream &stream) REQUIRES(TaskSink::mutex);
	base::Status set_flag(Event &event, Stream &stream) REQUIRES(TaskSink::mutex, event.mutex);
	base::Status await_flag(Event &event, Stream &stream)
		REQUIRES(TaskSink::mutex, event.mutex);
	base::Status check_outside(Event &event, const Stream &stream) REQUIRES(TaskSink::mutex);
	void follow(Record &record, Event &event, Stream &stream) REQUIRES(TaskSink::mutex);
	base::Status check_back() const REQUIRES(TaskSink::mutex);
	base::Status check_joined() const REQUIRES(TaskSink::mutex);
	base::Status check_ended() const REQUIRES(TaskSink::mutex);
	base::Status check_open() const REQUIRES(TaskSink::mutex);
	void finish() REQUIRES(TaskSink::mutex);
	base::Status explain(base::Status status) REQUIRES(TaskSink::mutex);
	void enter(Context &context) REQUIRES(TaskSink::mutex);
	void exit(Context &context) REQUIRES(TaskSink::mutex);
	base::Status check_before(const Member &member, const std::vector<bool> &before) const
		REQUIRES(TaskSink::mutex);
	void dissolve(bool complete) REQUIRES(TaskSink::mutex);
	static void drop_inside(Model &model) REQUIRES(TaskSink::mutex);

	Stream *origin_ GUARDED_BY(TaskSink::mutex); /* nullptr: the origin has ended */
	const uint64_t origin_handle_;
	const uint32_t origin_id_;
	Context &context_;					      /* context of the origin */
	std::vector<Context *> contexts_ GUARDED_BY(TaskSink::mutex); /* contexts of the members */
	const CaptureRules rules_;
	bool valid_ GUARDED_BY(TaskSink::mutex) = true;
	std::string why_ GUARDED_BY(TaskSink::mutex);
	const uint64_t id_;
	uint64_t tag_ = 0;
	Closed closed_ GUARDED_BY(TaskSink::mutex);
	Graph &graph_;
	Model *const model_; /* owns @graph_; nullptr for a capture into a graph */
	std::unordered_map<Stream *, Member> members_ GUARDED_BY(TaskSink::mutex);
	/* members whose streams have ended */
	std::vector<Member> gone_ GUARDED_BY(TaskSink::mutex);
	std::vector<Record> records_ GUARDED_BY(TaskSink::mutex);
	std::vector<Event *> events_ GUARDED_BY(TaskSink::mutex);
	std::set<uint32_t> released_
		GUARDED_BY(TaskSink::mutex); /* nodes that need not come back to the origin */
	std::set<std::pair<uint32_t, uint32_t>> cuts_
		GUARDED_BY(TaskSink::mutex); /* arguments of note_cut() */
	std::set<uint64_t> outside_ GUARDED_BY(
		TaskSink::mutex); /* handles of the events of record_outside() and wait_outside() */
};

/** capture_of() - the capture in which a stream takes part or an event was recorded, else nullptr. A caller
 * without TaskSink::mutex may compare the pointer but not use it. */
inline Capture *capture_of(const Stream &stream)
{
	return static_cast<Capture *>(stream.sink.capture());
}
inline Capture *capture_of(const Event &event)
{
	return static_cast<Capture *>(event.capture.load());
}

} // namespace umd
