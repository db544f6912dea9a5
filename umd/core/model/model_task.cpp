// SPDX-License-Identifier: MIT
/**
 * DOC: Tasks of models
 *
 * The first query creates the handles for the streams and tasks of a model. change_task() only queues a
 * change. update_model() applies the queued changes; they take effect with the next launch.
 */
#include "model_task.h"

#include <fmt/format.h>

#include "drv/packet/packets.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;
using Trust = GraphExec::Trust;

Result<std::vector<ModelStream *>> model_streams(Model &model)
{
	base::BiasedGuard lock(model.lock);
	TRY(require_ready(model));
	while (model.stream_views.size() < model.streams) {
		ModelStream *view = ModelStream::table().create();
		if (!view)
			return set_error(Status::NO_RESOURCE,
					 "too many streams of models; destroy some models");
		view->model = &model;
		view->number = static_cast<uint32_t>(model.stream_views.size());
		model.stream_views.push_back(view);
	}
	return model.stream_views;
}

Result<std::vector<ModelTask *>> model_tasks(const ModelStream &stream)
{
	Model &model = *stream.model;
	base::BiasedGuard lock(model.lock);
	std::vector<ModelTask *> tasks;
	model.task_views.resize(model.graph->size());
	for (uint32_t node = 0; node < model.graph->size(); node++) {
		if (model.graph->stream(node) != stream.number)
			continue;
		ModelTask *&view = model.task_views[node];
		if (!view) {
			view = ModelTask::table().create();
			if (!view)
				return set_error(Status::NO_RESOURCE,
						 "too many tasks of models; destroy some models");
			view->model = &model;
			view->node = node;
		}
		tasks.push_back(view);
	}
	return tasks;
}

Result<ModelStream *> find_model_stream(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "stream is NULL");
	if (ModelStream *stream = ModelStream::table().get(handle))
		return stream;
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("stream {} is not from $model_get_streams, or its model was "
				     "destroyed",
				     fmt::ptr(handle)));
}

Result<ModelTask *> find_model_task(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "task is NULL");
	if (ModelTask *task = ModelTask::table().get(handle))
		return task;
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("task {} is not from $model_get_tasks_by_stream, or its model "
				     "was destroyed",
				     fmt::ptr(handle)));
}

GraphTask current_task(const Model &model, uint32_t node)
{
	for (auto change = model.changes.rbegin(); change != model.changes.rend(); ++change) {
		if (change->node != node)
			continue;
		GraphTask current = change->task;
		if (current.op)
			current.op = &change->op;
		return current;
	}
	return model.graph->task(node);
}

Status change_task(ModelTask &task, const GraphTask &change)
{
	Model &model = *task.model;
	base::BiasedGuard lock(model.lock);
	TRY(require_ready(model));
	unpu_operator op{};
	if (change.op)
		op = *change.op;
	model.changes.push_back({task.node, change, op});
	return Status::OK;
}

static bool can_be_disabled(TaskKind kind)
{
	switch (kind) {
	case TaskKind::RECORD:
	case TaskKind::WAIT:
	case TaskKind::CHILD:
	case TaskKind::COND:
	case TaskKind::JUMP:
	case TaskKind::ACTIVATE:
		return false;
	default:
		return true;
	}
}

Status disable_task(ModelTask &task)
{
	GraphTask nothing;
	{
		base::BiasedGuard lock(task.model->lock);
		GraphTask now = current_task(*task.model, task.node);
		if (!can_be_disabled(now.kind))
			return set_error(Status::NOT_SUPPORTED,
					 "conditional tasks, and records and waits that work "
					 "outside the model takes part in, can't be disabled; "
					 "capture the model without them");
		nothing.kind = TaskKind::EMPTY;
		nothing.packet = drv::nop_packet(now.packet.cookie);
	}
	return change_task(task, nothing);
}

static Status apply(Model &model, GraphExec &exec) REQUIRES(model.lock)
{
	std::vector<Model::Change> changes;
	changes.swap(model.changes);
	for (Model::Change &change : changes) {
		if (change.task.op)
			change.task.op = &change.op;
		const bool is_kernel = change.task.kind == TaskKind::OPERATOR;
		TRY(exec.set(*model.graph, change.node, change.task,
			     is_kernel ? Trust::PROGRAM : Trust::CHECKED));
	}
	return Status::OK;
}

/* A thread holds the lock of one model at a time. */
Status update_model(Model &model)
{
	Model &top = model.top();
	std::shared_ptr<GraphExec> exec;
	Status status = Status::OK;
	{
		base::BiasedGuard lock(top.lock);
		TRY(require_ready(top));
		exec = top.exec;
		status = apply(top, *exec);
	}
	for_inner(top, [&](Model &inner) {
		base::BiasedGuard lock(inner.lock);
		if (status == Status::OK)
			status = apply(inner, *exec);
	});
	return status == Status::OK ? status : Status::MODEL_UPDATE;
}

void drop_model_tasks(Model &model)
{
	for (ModelStream *view : model.stream_views)
		ModelStream::table().destroy(*view);
	for (ModelTask *view : model.task_views) {
		if (view)
			ModelTask::table().destroy(*view);
	}
	model.stream_views.clear();
	model.task_views.clear();
	model.changes.clear();
	model.shown.clear();
}

} // namespace umd
