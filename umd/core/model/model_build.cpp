// SPDX-License-Identifier: MIT
/**
 * DOC: Built models
 *
 * A built model is a graph like a captured one, made of the tasks that its streams collected. Each stream is
 * a chain of nodes. A head stream's chain runs from the start; another chain sleeps until a node starts it.
 * A label is an empty node, and a switch is a jump inside the chain.
 */
#include "model_build.h"

#include <algorithm>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "label.h"
#include "model.h"
#include "model_graph.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/stream/task_list.h"

namespace umd {

using base::Result;
using base::Status;

static Stream *find(uint64_t handle)
{
	Stream *stream = Stream::table().get(reinterpret_cast<void *>(handle));
	return stream && stream->context ? stream : nullptr;
}

Result<Model *> begin_build(Context &context)
{
	auto model = make_model(context);
	if (!model)
		return model;
	base::BiasedGuard lock((*model)->lock);
	(*model)->is_built = true;
	(*model)->state = Model::State::BUILDING;
	return model;
}

static Status refuse_captured(const Stream &stream, const char *what)
{
	return capturing(stream) ? stream_captured(stream, what) : Status::OK;
}

static Status require_building(const Model &model) REQUIRES(model.lock)
{
	if (!model.is_built)
		return set_error(Status::INVALID_ARGUMENT,
				 "the model was captured; only models from $model_build_begin are "
				 "built of streams");
	if (model.state == Model::State::BUILDING)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 "the model is built already; it takes no more streams or tasks");
}

static Status check_bind(const Model &model, const Stream &stream) REQUIRES(model.lock)
{
	TRY(require_building(model));
	if (model.context != stream.context)
		return set_error(
			Status::MODEL_CONTEXT,
			"the model belongs to another context than the stream; bind streams of "
			"that context");
	if (!(stream.flags & STREAM_PERSISTENT))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("stream {} was made without $STREAM_PERSISTENT; a model "
				    "can have only streams that keep their tasks",
				    stream.id));
	if (stream.stops_on_failure.load())
		return set_error(Status::NOT_SUPPORTED,
				 fmt::format("stream {} stops on failure; a model can't have it; "
					     "bind one that goes on",
					     stream.id));
	if (stream.model.load() != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("stream {} is bound to a model already; "
					     "$model_unbind_stream takes it from there",
					     stream.id));
	return Status::OK;
}

Status bind_stream(Model &model, Stream &stream, bool head)
{
	TRY(refuse_captured(stream, "bound to a model"));
	base::BiasedGuard lock(model.lock);
	TRY(check_bind(model, stream));
	stream.model = model.handle;
	model.bound.push_back({stream.handle, head, false});
	return Status::OK;
}

static Result<size_t> bound_index(const Model &model, const Stream &stream) REQUIRES(model.lock)
{
	for (size_t i = 0; i < model.bound.size(); i++) {
		if (model.bound[i].stream == stream.handle)
			return i;
	}
	return set_error(
		Status::STREAM_MODEL,
		fmt::format("stream {} is not bound to this model; $model_bind_stream binds it",
			    stream.id));
}

static void release(Stream &stream)
{
	stream.model = 0;
	if (stream.tasks)
		stream.tasks->seal(false);
}

Status unbind_stream(Model &model, Stream &stream)
{
	TRY(refuse_captured(stream, "unbound"));
	base::BiasedGuard lock(model.lock);
	auto index = TRY(bound_index(model, stream));
	if (model.state == Model::State::ENDING)
		return set_error(
			Status::MODEL_NOT_READY,
			"another thread is in $model_build_end with the model; wait for that call");
	model.bound.erase(model.bound.begin() + static_cast<std::ptrdiff_t>(index));
	if (model.state == Model::State::READY)
		model.state = Model::State::PARTED;
	release(stream);
	return Status::OK;
}

void unbind_all(Model &model)
{
	for (const Model::Bound &bound : model.bound) {
		if (Stream *stream = find(bound.stream))
			release(*stream);
	}
	model.bound.clear();
}

Status end_stream(Model &model, Stream &stream)
{
	TRY(refuse_captured(stream, "ended"));
	base::BiasedGuard lock(model.lock);
	auto index = TRY(bound_index(model, stream));
	TRY(require_building(model));
	model.bound[index].has_ended = true;
	stream.tasks->seal(true);
	return Status::OK;
}

static Status check_ends(const Model &model) REQUIRES(model.lock)
{
	auto any = [&](auto has) REQUIRES(model.lock) {
		return std::any_of(model.bound.begin(), model.bound.end(), has);
	};
	if (!any([](const Model::Bound &bound) { return bound.is_head; }))
		return set_error(Status::INVALID_ARGUMENT,
				 "no stream is bound with $MODEL_STREAM_FLAG_HEAD, so nothing "
				 "would ever run; bind one with it");
	if (!any([](const Model::Bound &bound) { return bound.has_ended; }))
		return set_error(Status::INVALID_ARGUMENT,
				 "no stream of the model has an end; call $model_end_task for the "
				 "last one");
	return Status::OK;
}

/* Undoes seal_parts(): streams that have not ended take tasks again. */
static void unseal_parts(const Model &model) REQUIRES(model.lock)
{
	for (const Model::Bound &bound : model.bound) {
		if (Stream *stream = find(bound.stream))
			stream->tasks->seal(bound.has_ended);
	}
}

/* Seals the bound streams and returns the tasks that they collected. */
static Result<std::vector<ModelPart>> seal_parts(const Model &model) REQUIRES(model.lock)
{
	std::vector<ModelPart> parts;
	for (const Model::Bound &bound : model.bound) {
		Stream *stream = find(bound.stream);
		if (!stream) {
			unseal_parts(model);
			return set_error(Status::STREAM_MODEL,
					 "a stream of the model was destroyed with its device; "
					 "build another model");
		}
		stream->tasks->seal(true);
		parts.push_back({bound.stream, stream->id, bound.is_head, stream->tasks->steps()});
	}
	return parts;
}

/* Context: no lock held, because loading may wait until unfinished work releases memory. */
static Result<std::unique_ptr<GraphExec>> load_parts(const DeviceHold &device,
						     std::vector<ModelPart> parts)
{
	if (!device)
		return set_error(
			Status::DEVICE_LOST,
			"the model's device was reset; set the device and build another model");
	auto graph = TRY(make_model_graph(std::move(parts)));
	return GraphExec::create(device.open(), std::move(graph));
}

Status end_build(Model &model)
{
	std::vector<ModelPart> parts;
	uint32_t id;
	{
		base::BiasedGuard lock(model.lock);
		TRY(require_building(model));
		TRY(check_ends(model));
		parts = TRY(seal_parts(model));
		model.state = Model::State::ENDING;
		id = model.id;
	}
	auto exec = load_parts(model.device.hold(), std::move(parts));
	base::BiasedGuard lock(model.lock);
	if (model.state != Model::State::ENDING || model.id != id)
		return set_error(Status::INVALID_HANDLE,
				 "another thread has destroyed the model meanwhile; destroy it "
				 "when no thread uses it");
	if (!exec) {
		unseal_parts(model);
		model.state = Model::State::BUILDING;
		return exec.status();
	}
	model.exec = exec.take();
	model.graph = &model.exec->graph();
	model.streams = static_cast<uint32_t>(model.bound.size());
	model.state = Model::State::READY;
	return Status::OK;
}

Result<BuiltTask> find_built_task(const Stream &stream, uint32_t number)
{
	TRY(require_bound(stream, "taskStream"));
	Model *model = Model::table().get(reinterpret_cast<void *>(stream.model.load()));
	if (!model)
		return set_error(
			Status::STREAM_MODEL,
			fmt::format(
				"the model of stream {} was destroyed; bind the stream to another",
				stream.id));
	base::BiasedGuard lock(model->lock);
	TRY(require_ready(*model));
	auto part = TRY(bound_index(*model, stream));
	const Graph &graph = *model->graph;
	uint32_t first = 0;
	while (first < graph.size() && graph.stream(first) != part)
		first++;
	uint64_t node = uint64_t{first} + number;
	if (node < graph.size() && graph.stream(static_cast<uint32_t>(node)) == part)
		return BuiltTask{model, static_cast<uint32_t>(node)};
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("taskId is {}; stream {} has no task of that number that can "
				     "run; $get_thread_last_task_id tells it after the launch",
				     number, stream.id));
}

Status require_bound(const Stream &stream, const char *name)
{
	if (stream.model.load() != 0)
		return Status::OK;
	return set_error(Status::STREAM_MODEL,
			 fmt::format("{} {} is bound to no model; call $model_bind_stream first",
				     name, stream.id));
}

static Status add_step(const Stream &stream, Step step)
{
	return stream.tasks->add(std::move(step)).status();
}

Status set_label(Label &label, Stream &stream)
{
	TRY(require_bound(stream, "stream"));
	if (label.stream != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 "the label is set already; create another one");
	Step step;
	step.kind = Step::Kind::LABEL;
	step.handle = label.handle;
	TRY(add_step(stream, std::move(step)));
	label.stream = stream.handle;
	return Status::OK;
}

Status switch_label(Stream &stream, uint64_t va, uint32_t count, const LabelList &list)
{
	TRY(require_bound(stream, "stream"));
	if (count == 0 || count > list.labels.size())
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("maxValue is {}; it must be 1 to {}, the labels in the "
				    "list",
				    count, list.labels.size()));
	Step step;
	step.kind = Step::Kind::JUMP;
	step.va = va;
	step.labels.assign(list.labels.begin(), list.labels.begin() + count);
	return add_step(stream, std::move(step));
}

Status activate_stream(Stream &stream, const Stream &target, const unpu_activate &rule)
{
	TRY(require_bound(stream, "stream"));
	TRY(require_bound(target, "the stream to be started,"));
	if (target.model.load() != stream.model.load())
		return set_error(
			Status::STREAM_MODEL,
			fmt::format(
				"streams {} and {} are bound to different models; bind both to one",
				stream.id, target.id));
	Step step;
	step.kind = Step::Kind::ACTIVATE;
	step.handle = target.handle;
	step.rule = rule;
	return add_step(stream, std::move(step));
}

} // namespace umd
