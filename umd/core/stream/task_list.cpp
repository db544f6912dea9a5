// SPDX-License-Identifier: MIT
/**
 * DOC: Task lists
 *
 * A stream made for models does not run its tasks. It keeps them until a model is built of them or the
 * program drops them.
 */
#include "task_list.h"

#include <fmt/format.h>

#include "umd/core/object/graph.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"

namespace umd {

using base::Result;
using base::Status;

Result<uint32_t> TaskList::add(const GraphTask &task)
{
	Step step;
	step.task = task;
	return add(std::move(step));
}

Result<uint32_t> TaskList::add(Step step)
{
	std::lock_guard lock(mutex_);
	if (sealed_)
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} takes no more tasks: its end or that of "
					     "its model is set; call $model_unbind_stream first",
					     stream_));
	if (step.task.op) {
		operators_.push_back(*step.task.op);
		step.task.op = &operators_.back();
	}
	steps_.push_back(std::move(step));
	return static_cast<uint32_t>(steps_.size()) - 1;
}

Status TaskList::take(Stream &, const GraphTask &task)
{
	auto number = TRY(add(task));
	ThreadState::mine().last_launch = number;
	return Status::OK;
}

Status TaskList::take_graph(Stream &, const Graph &graph)
{
	Step step;
	step.kind = Step::Kind::GRAPH;
	step.graph = graph.clone();
	ThreadState::mine().last_launch = TRY(add(std::move(step)));
	return Status::OK;
}

void TaskList::seal(bool sealed)
{
	std::lock_guard lock(mutex_);
	sealed_ = sealed;
}

void TaskList::clear()
{
	/* The tasks are destroyed outside of the lock, because tasks of kernels take a lock when they are
	 * destroyed. */
	std::vector<Step> steps;
	std::lock_guard lock(mutex_);
	steps.swap(steps_);
	operators_.clear();
}

std::vector<Step> TaskList::steps()
{
	std::lock_guard lock(mutex_);
	return steps_;
}

} // namespace umd
