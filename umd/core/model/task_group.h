// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <vector>

#include "base/result.h"
#include "umd/core/handle/handle.h"
#include "umd/core/object/graph.h"
#include "umd/core/process/process.h"
#include "umd/core/task/task_sink.h"

namespace umd {

struct Model;
struct Stream;

/** struct TaskGroup - operators of a captured model whose arguments are updated together. */
struct TaskGroup {
	static constexpr bool IS_RARE = true;
	HandleWord handle;
	Model *model = nullptr;
	std::vector<uint32_t> nodes;
	std::atomic<Stream *> updater{
		nullptr}; /* collects the new arguments; under TaskSink::mutex */

	using Table = HandleTable<TaskGroup, Kind::TASK_GROUP>;
	/** table() - all task groups of the process. */
	static Table &table();
};

inline TaskGroup::Table &TaskGroup::table()
{
	return Process::own<Table>();
}

/** is_operator() - whether @task can be in a group; so can the empty task of an operator without elements. */
bool is_operator(const GraphTask &task);

/** make_task_group() - Return: NO_RESOURCE. */
base::Result<TaskGroup *> make_task_group(Model &model, std::vector<uint32_t> nodes);

/** begin_update() - from now on, operator launches on @stream give the group's operators new arguments.
 * Return: STREAM_CAPTURED, STREAM_MODEL, MODEL_CAPTURED, MODEL_CONTEXT, TASK_GROUP. */
base::Status begin_update(Stream &stream, TaskGroup &group);

/** end_update() - appends the update to @stream. Return: TASK_GROUP. */
base::Status end_update(Stream &stream);

/** drop_task_groups() - destroys the task groups of a model that ends. */
void drop_task_groups(Model &model);

} // namespace umd
