// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/result.h"
#include "model.h"
#include "umd/core/handle/handle.h"
#include "umd/core/object/graph.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct ModelStream - one of the streams that took part in a capture. */
struct ModelStream {
	HandleWord handle;
	Model *model = nullptr;
	uint32_t number = 0;

	using Table = HandleTable<ModelStream, Kind::MODEL_STREAM>;
	/** table() - all model streams of the process. */
	static Table &table();
};

inline ModelStream::Table &ModelStream::table()
{
	return Process::own<Table>();
}

/** struct ModelTask - a captured task, for queries and changes. */
struct ModelTask {
	HandleWord handle;
	Model *model = nullptr;
	uint32_t node = 0;

	using Table = HandleTable<ModelTask, Kind::MODEL_TASK>;
	/** table() - all model tasks of the process. */
	static Table &table();
};

inline ModelTask::Table &ModelTask::table()
{
	return Process::own<Table>();
}

/** model_streams(), model_tasks() - the streams and tasks of a model, in the order of the capture. The model
 * owns them.
 * Return: MODEL_CAPTURED, NO_RESOURCE. */
base::Result<std::vector<ModelStream *>> model_streams(Model &model);
base::Result<std::vector<ModelTask *>> model_tasks(const ModelStream &stream);

/** find_model_stream(), find_model_task() - find an object by its handle. Return: NULL_POINTER,
 * INVALID_HANDLE. */
base::Result<ModelStream *> find_model_stream(const void *handle);
base::Result<ModelTask *> find_model_task(const void *handle);

/** current_task() - the task of a node with all changes so far. */
GraphTask current_task(const Model &model, uint32_t node) REQUIRES(model.lock);

/** change_task() - replaces the task at the next update_model(). @change.op is copied.
 * Return: MODEL_CAPTURED, NOT_SUPPORTED for kinds that can't be changed. */
base::Status change_task(ModelTask &task, const GraphTask &change);

/** disable_task() - makes the task do nothing after the next update_model(). Return: as change_task(). */
base::Status disable_task(ModelTask &task);

/** update_model() - applies the changes of the outermost model, and of all models in it, to later launches. A
 * launch by another thread meanwhile may use a part of the changes.
 * Return: MODEL_CAPTURED, MODEL_UPDATE. */
base::Status update_model(Model &model);

/** drop_model_tasks() - destroys the task handles of a model that ends. */
void drop_model_tasks(Model &model) REQUIRES(model.lock);

/** for_inner() - visits the models that conditional tasks of @model run, recursively. */
template <class F> void for_inner(Model &model, const F &visit)
{
	for (Model *inner : model.inner) {
		visit(*inner);
		for_inner(*inner, visit);
	}
}

} // namespace umd
