// SPDX-License-Identifier: MIT
/**
 * DOC: Task groups
 *
 * A group is a sequence of operators of a captured model. To update it, a stream launches as many operators
 * again; the TaskUpdate collects them, and they do not run. The end of the update submits one task, which
 * changes the nodes when the device runs it.
 */
#include "task_group.h"

#include <memory>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "model.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;

bool is_operator(const GraphTask &task)
{
	return task.kind == TaskKind::OPERATOR ||
	       (task.kind == TaskKind::EMPTY &&
		is_operator(drv::decode_cookie(task.packet.cookie).call));
}

Result<TaskGroup *> make_task_group(Model &model, std::vector<uint32_t> nodes)
{
	TaskGroup *group = TaskGroup::table().create();
	if (!group)
		return set_error(Status::NO_RESOURCE,
				 "too many task groups; destroy models that have some");
	group->model = &model;
	group->nodes = std::move(nodes);
	group->updater = nullptr;
	base::BiasedGuard guard(model.lock);
	model.groups.push_back(group);
	return group;
}

/* class TaskUpdate - collects the operators that a stream launches to update a group. */
class TaskUpdate final : public TaskSink {
public:
	TaskUpdate(TaskGroup &of, Stream &stream) : TaskSink(SinkKind::UPDATE), group(of)
	{
		group.updater = &stream;
		stream.update = this;
		choose_sink(stream);
	}

	/* Return: UPDATE_KIND for a task that is not an operator. */
	Status take(Stream &, const GraphTask &task) override REQUIRES(TaskSink::mutex);

	Status take_graph(Stream &stream, const Graph &) override REQUIRES(TaskSink::mutex)
	{
		return take(stream, {});
	}

	/* unlink() - the stream stops collecting. */
	void unlink(Stream &stream) REQUIRES(TaskSink::mutex)
	{
		group.updater = nullptr;
		stream.update = nullptr;
		choose_sink(stream);
	}

	/* Drops the update and its operators. */
	void leave(Stream &stream) override REQUIRES(TaskSink::mutex)
	{
		unlink(stream);
		delete this;
	}

	TaskGroup &group;
	std::vector<GraphTask> tasks;

private:
	std::vector<std::unique_ptr<unpu_operator>> operators_;
};

Status TaskUpdate::take(Stream &, const GraphTask &task)
{
	if (!is_operator(task))
		return set_error(Status::UPDATE_KIND,
				 "the stream updates a task group, which holds operators alone; "
				 "call $model_capture_task_update_end first");
	tasks.push_back(task);
	if (task.op) {
		operators_.push_back(std::make_unique<unpu_operator>(*task.op));
		tasks.back().op = operators_.back().get();
	}
	return Status::OK;
}

static Status check_update(const Stream &stream, TaskGroup &group)
{
	Model &top = group.model->top();
	base::BiasedGuard guard(top.lock);
	TRY(require_ready(top));
	if (top.context == stream.context)
		return Status::OK;
	return set_error(Status::MODEL_CONTEXT,
			 "the group's model belongs to another context than the stream; use a "
			 "stream of that context");
}

Status begin_update(Stream &stream, TaskGroup &group)
{
	if (capturing(stream))
		return refuse_for_capture(stream.context->notes, Status::STREAM_CAPTURED,
					  "the stream captures; tasks are updated by one that does "
					  "not",
					  subject_of(stream));
	if (collects(stream))
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} keeps its tasks for a model; tasks are "
					     "updated by one that runs them",
					     stream.id));
	std::unique_lock lock(TaskSink::mutex);
	TRY(check_update(stream, group));
	if (stream.update)
		return set_error(Status::TASK_GROUP, "the stream updates a group already; call "
						     "$model_capture_task_update_end first");
	if (const Stream *other = group.updater.load())
		return set_error(
			Status::TASK_GROUP,
			fmt::format("the group is being updated by stream {}; call "
				    "$model_capture_task_update_end with that stream first",
				    other->id));
	/* The stream owns it; end_update() or leave() deletes it. */
	(void)new TaskUpdate(group, stream);
	return Status::OK;
}

static std::unique_ptr<TaskUpdate> take_update(Stream &stream)
{
	std::unique_lock lock(TaskSink::mutex);
	std::unique_ptr<TaskUpdate> update(static_cast<TaskUpdate *>(stream.update));
	if (update)
		update->unlink(stream);
	return update;
}

Status end_update(Stream &stream)
{
	auto update = take_update(stream);
	if (!update)
		return set_error(Status::TASK_GROUP, "the stream updates no task group; call "
						     "$model_capture_task_update_begin first");
	TaskGroup &group = update->group;
	Model &top = group.model->top();
	if (update->tasks.size() != group.nodes.size())
		return set_error(Status::TASK_GROUP,
				 fmt::format("the group has {} tasks, but {} were launched to "
					     "update it; nothing is changed",
					     group.nodes.size(), update->tasks.size()));
	if (group.nodes.empty())
		return Status::OK;
	return top.exec
		->update_now(stream, static_cast<uint8_t>(Call::UPDATE_TASKS), *group.model->graph,
			     group.nodes, update->tasks)
		.status();
}

/* Without an update it must not take the lock: while the model is being captured, the caller may hold it. */
static void end_group_update(TaskGroup &group)
{
	if (!group.updater.load())
		return;
	std::unique_lock lock(TaskSink::mutex);
	if (Stream *stream = group.updater.load())
		stream->update->leave(*stream);
}

void drop_task_groups(Model &model)
{
	for (TaskGroup *group : model.groups) {
		end_group_update(*group);
		TaskGroup::table().destroy(*group);
	}
	model.groups.clear();
}

} // namespace umd
