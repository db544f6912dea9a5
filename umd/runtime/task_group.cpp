// SPDX-License-Identifier: MIT
/**
 * DOC: Task groups
 *
 * A group is a run of operators of a captured model. To update it a stream launches as many of them
 * again, which are collected and not run; the end of that is one task of the stream, which changes the
 * nodes when the device comes to it.
 */
#include "umd/task_group.h"

#include <fmt/format.h>

#include "umd/capture_notes.h"
#include "umd/error.h"
#include "umd/model.h"
#include "umd/runtime.h"

namespace umd {

using base::Result;
using base::Status;

Result<TaskGroup *> make_task_group(Model &model, std::vector<uint32_t> nodes)
{
	TaskGroup *group = Runtime::get().task_groups.create();
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

Status begin_update(Stream &stream, TaskGroup &group)
{
	if (capturing(stream))
		return refuse_for_capture(*stream.context, Status::STREAM_CAPTURED,
					  "the stream captures; tasks are updated by one that does "
					  "not",
					  &stream);
	if (collects(stream))
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} keeps its tasks for a model; tasks are "
					     "updated by one that runs them",
					     stream.id));
	Model &top = group.model->top();
	base::BiasedGuard guard(top.lock);
	TRY(require_ready(top));
	if (top.context != stream.context)
		return set_error(Status::MODEL_CONTEXT,
				 "the group's model belongs to another context than the stream; "
				 "use a stream of that context");
	if (stream.update.load())
		return set_error(Status::TASK_GROUP, "the stream updates a group already; call "
						     "aclmdlRICaptureTaskUpdateEnd first");
	if (group.updater)
		return set_error(
			Status::TASK_GROUP,
			fmt::format("the group is being updated by stream {}", group.updater->id));
	group.updater = &stream;
	stream.update = new TaskUpdate{&group, {}, {}};
	return Status::OK;
}

Status collect_update(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	TaskUpdate &update = *stream.update.load();
	base::BiasedGuard guard(update.group->model->top().lock);
	GraphTask task = graph_task(packet, op);
	if (task.kind != TaskKind::OPERATOR)
		return set_error(Status::UPDATE_KIND,
				 "the stream updates a task group, which holds operators alone; "
				 "call aclmdlRICaptureTaskUpdateEnd first");
	if (op) {
		update.operators.push_back(std::make_unique<unpu_operator>(*op));
		task.op = update.operators.back().get();
	}
	update.tasks.push_back(task);
	return Status::OK;
}

/* What the stream collected; it collects no more. */
static std::unique_ptr<TaskUpdate> take_update(Stream &stream)
{
	std::unique_ptr<TaskUpdate> update(stream.update.exchange(nullptr));
	if (update) {
		base::BiasedGuard guard(update->group->model->top().lock);
		update->group->updater = nullptr;
	}
	return update;
}

void cancel_update(Stream &stream)
{
	(void)take_update(stream);
}

Status end_update(Stream &stream)
{
	auto update = take_update(stream);
	if (!update)
		return set_error(Status::TASK_GROUP, "the stream updates no task group; call "
						     "aclmdlRICaptureTaskUpdateBegin first");
	TaskGroup &group = *update->group;
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

void drop_task_groups(Model &model)
{
	for (TaskGroup *group : model.groups) {
		if (group->updater)
			delete group->updater->update.exchange(nullptr);
		Runtime::get().task_groups.destroy(*group);
	}
	model.groups.clear();
}

} // namespace umd
