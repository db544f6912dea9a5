// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "model.h"
#include "uapi/packet.h"

namespace umd {

struct Label;
struct LabelList;
struct Stream;

/** begin_build() - creates a model that takes its tasks from the streams that are bound to it.
 * Return: NO_RESOURCE. */
base::Result<Model *> begin_build(Context &context);

/** bind_stream() - makes the tasks that @stream collects, before or after this call, part of the model.
 * @head: true runs them from the start of an execution, false when a task activates the stream
 * Return: INVALID_ARGUMENT, NOT_SUPPORTED, STREAM_CAPTURED, MODEL_CONTEXT. */
base::Status bind_stream(Model &model, Stream &stream, bool head);

/** unbind_stream() - removes @stream. After that a completely built model can't be executed any more.
 * Return: STREAM_MODEL, STREAM_CAPTURED. */
base::Status unbind_stream(Model &model, Stream &stream);

/** unbind_all() - unbinds all streams of a model that ends. */
void unbind_all(Model &model) REQUIRES(model.lock);

/** end_stream() - makes @stream take no more tasks. end_build() needs at least one such stream.
 * Return: STREAM_MODEL, STREAM_CAPTURED, INVALID_ARGUMENT. */
base::Status end_stream(Model &model, Stream &stream);

/** end_build() - makes and loads the graph. Return: INVALID_ARGUMENT if parts are missing or contradict
 * each other, STREAM_MODEL, as GraphExec::create(). */
base::Status end_build(Model &model);

/** require_bound() - checks that a stream is bound to a model. @name: name of the argument. Return:
 * STREAM_MODEL if it is not. */
base::Status require_bound(const Stream &stream, const char *name);

/** struct BuiltTask - a task of a completely built model. */
struct BuiltTask {
	Model *model;
	uint32_t node;
};

/** find_built_task() - the task with number @number in a bound stream.
 * Return: STREAM_MODEL, MODEL_NOT_READY, INVALID_ARGUMENT if no task has the number. */
base::Result<BuiltTask> find_built_task(const Stream &stream, uint32_t number);

/** set_label() - puts the label before the next task of @stream.
 * Return: STREAM_MODEL; INVALID_ARGUMENT if the label has a place already. */
base::Status set_label(Label &label, Stream &stream);

/** switch_label() - adds a task that continues at one of the first @count labels of @list, in the stream
 * where the label is set. The next tasks of @stream then do not run. The number in device memory at @va
 * selects the label; a number past the end selects the last one. Return: STREAM_MODEL, INVALID_ARGUMENT. */
base::Status switch_label(Stream &stream, uint64_t va, uint32_t count, const LabelList &list);

/** activate_stream() - adds a task to @stream that starts @target, if @rule is fulfilled. The `line` of
 * @rule is not set. Return: STREAM_MODEL unless both streams are bound to the same model. */
base::Status activate_stream(Stream &stream, const Stream &target, const unpu_activate &rule);

} // namespace umd
