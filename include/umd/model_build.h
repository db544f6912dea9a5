// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "uapi/packet.h"
#include "umd/model.h"

namespace umd {

struct Label;
struct LabelList;
struct Stream;

/** begin_build() - a model that takes its tasks from streams that are bound to it.
 * Return: NO_RESOURCE. */
base::Result<Model *> begin_build(Context &context);

/** bind_stream() - the tasks of @stream, collected before or after this, belong to the model.
 * @head: they run from the start of an execution; else when a task starts the stream
 * Return: INVALID_ARGUMENT, NOT_SUPPORTED, STREAM_CAPTURED, MODEL_CONTEXT. */
base::Status bind_stream(Model &model, Stream &stream, bool head);

/** unbind_stream() - takes @stream out; a model that was whole can't be executed any more.
 * Return: STREAM_MODEL, STREAM_CAPTURED. */
base::Status unbind_stream(Model &model, Stream &stream);

/** unbind_all() - the model goes away. */
void unbind_all(Model &model);

/** end_stream() - @stream takes no more tasks, and its end is an end of the model.
 * Return: STREAM_MODEL, STREAM_CAPTURED, INVALID_ARGUMENT. */
base::Status end_stream(Model &model, Stream &stream);

/** end_build() - makes the graph. Return: INVALID_ARGUMENT with what is missing or contradicts
 * itself, STREAM_MODEL, what GraphExec::create() says. */
base::Status end_build(Model &model);

/** run_model() - executes a built model and waits for its end.
 * Return: INVALID_ARGUMENT for a captured one, MODEL_NOT_READY, MODEL_CONTEXT, STREAM_TIMEOUT, the
 * failure of a task. */
base::Status run_model(Model &model, uint64_t deadline_ns);

/** abort_model() - ends the executions of a built model, and with them all tasks of the streams they
 * were given to. Return: NOT_SUPPORTED for a captured one, DEVICE_LOST. */
base::Status abort_model(Model &model);

/** require_bound() - STREAM_MODEL for a stream that no model has. @name: of the argument */
base::Status require_bound(const Stream &stream, const char *name);

/** struct BuiltTask - a task of a whole built model. */
struct BuiltTask {
	Model *model;
	uint32_t node;
};

/** find_built_task() - the task that a bound stream was given as its @number-th.
 * Return: STREAM_MODEL, MODEL_NOT_READY, INVALID_ARGUMENT for a number that is no task's. */
base::Result<BuiltTask> find_built_task(const Stream &stream, uint32_t number);

/** set_label() - the next task of @stream has the label.
 * Return: STREAM_MODEL; INVALID_ARGUMENT for a label that is somewhere already. */
base::Status set_label(Label &label, Stream &stream);

/** switch_label() - @stream goes on at one of the first @count labels of @list: the one whose number
 * is in device memory at @va, or the last. Return: STREAM_MODEL, INVALID_ARGUMENT. */
base::Status switch_label(Stream &stream, uint64_t va, uint32_t count, const LabelList &list);

/** activate_stream() - @stream starts @target, always or as @rule says; the line is not set.
 * Return: STREAM_MODEL unless one model has both. */
base::Status activate_stream(Stream &stream, const Stream &target, const unpu_activate &rule);

} // namespace umd
