// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "umd/core/task/task.h"
#include "umd/core/task/task_sink.h"

namespace umd {

/** struct Step - one entry of the list: a task, or a step that only built models know. */
struct Step {
	enum class Kind : uint8_t { TASK, GRAPH, LABEL, JUMP, ACTIVATE };

	Kind kind = Kind::TASK;
	GraphTask task; /* TASK; @op points into the list */
	/* LABEL: handle of the label; ACTIVATE: handle of the stream that it starts */
	uint64_t handle = 0;
	uint64_t va = 0;		      /* JUMP: address of the number that selects a label */
	std::vector<uint64_t> labels;	      /* JUMP: handles of the labels */
	unpu_activate rule{};		      /* ACTIVATE: the rule, without the line */
	std::shared_ptr<const Graph> graph{}; /* GRAPH */
};

/**
 * class TaskList - the tasks that a stream collects for a model, in order. Context: any thread.
 */
class TaskList final : public TaskSink {
public:
	/** TaskList() - @stream: number of the stream, for error messages. */
	explicit TaskList(uint32_t stream) : TaskSink(SinkKind::LIST), stream_(stream) {}

	/** add() - appends a task or another step.
	 * Return: its number, from 0 on; STREAM_MODEL once the list is sealed, sets the error message. */
	base::Result<uint32_t> add(const GraphTask &task);
	base::Result<uint32_t> add(Step step);

	base::Status take(Stream &stream, const GraphTask &task) override;
	base::Status take_graph(Stream &stream, const Graph &graph) override;
	void leave(Stream &) override {}

	/** seal() - @sealed: true makes add() fail, false allows it again. */
	void seal(bool sealed);

	void clear();

	/** steps() - a copy of the steps so far. Their operators stay valid until clear(). */
	std::vector<Step> steps();

private:
	const uint32_t stream_;
	base::Mutex mutex_{"TaskList::mutex_"};
	bool sealed_ GUARDED_BY(mutex_) = false;
	std::vector<Step> steps_ GUARDED_BY(mutex_);
	std::deque<unpu_operator> operators_ GUARDED_BY(mutex_);
};

} // namespace umd
