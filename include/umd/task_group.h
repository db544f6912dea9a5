// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "umd/graph.h"
#include "umd/handle_word.h"

namespace umd {

struct Model;
struct Stream;

/** struct TaskGroup - operators of a captured model that get new arguments together. */
struct TaskGroup {
	HandleWord handle;
	Model *model = nullptr;
	std::vector<uint32_t> nodes;
	Stream *updater = nullptr; /* collects new arguments; under Model::mutex of the top model */
};

/** struct TaskUpdate - what a stream has collected for a group. */
struct TaskUpdate {
	TaskGroup *group;
	std::vector<GraphTask> tasks;
	std::vector<std::unique_ptr<unpu_operator>> operators;
};

/** make_task_group() - Return: NO_RESOURCE. */
base::Result<TaskGroup *> make_task_group(Model &model, std::vector<uint32_t> nodes);

/** begin_update() - operators given to @stream from now on are new arguments of the group.
 * Return: STREAM_CAPTURED, STREAM_MODEL, MODEL_CAPTURED, MODEL_CONTEXT, TASK_GROUP. */
base::Status begin_update(Stream &stream, TaskGroup &group);

/** end_update() - appends the update to @stream. Return: TASK_GROUP. */
base::Status end_update(Stream &stream);

/** collect_update() - a task of a stream between the two. Return: UPDATE_KIND. */
base::Status collect_update(Stream &stream, const unpu_packet &packet, const unpu_operator *op);

/** cancel_update() - the stream goes away; what it collected is forgotten. */
void cancel_update(Stream &stream);

/** drop_task_groups() - of a model that goes away. */
void drop_task_groups(Model &model);

} // namespace umd
