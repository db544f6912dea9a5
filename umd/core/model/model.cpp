// SPDX-License-Identifier: MIT
/**
 * DOC: Model
 *
 * A model is a captured or built graph that the device keeps. An execution is one packet. It follows the
 * pending work of the streams that took part in the capture, and their next tasks follow it; fences give this
 * order. The models of conditional tasks belong to the captured model and are destroyed with it.
 */
#include "model.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "base/sync/mutex.h"
#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;

Result<Model *> find_model(const void *handle)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, "modelRI is NULL");
	if (Model *model = Model::table().get(handle))
		return model;
	TRY(Process::check_fork());
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format(
			"modelRI {} is not a live model: it was destroyed, or is something else",
			fmt::ptr(handle)));
}

namespace {

/* Maps the numbers of models to their handles; those of files have none here. */
struct Numbers {
	base::Mutex mutex{"model Numbers::mutex"};
	std::unordered_map<uint32_t, uint64_t> handles GUARDED_BY(mutex);
	uint32_t last GUARDED_BY(mutex) = 0;
};

Numbers &numbers()
{
	return Process::own<Numbers>();
}

} // namespace

Model *find_model_by_id(uint32_t id)
{
	Numbers &all = numbers();
	std::lock_guard lock(all.mutex);
	auto found = all.handles.find(id);
	if (found == all.handles.end() || found->second == 0)
		return nullptr;
	return Model::table().get(reinterpret_cast<void *>(found->second));
}

uint32_t next_model_number()
{
	Numbers &all = numbers();
	std::lock_guard lock(all.mutex);
	const uint32_t id = ++all.last;
	all.handles[id] = 0;
	return id;
}

bool has_model_number(uint32_t id)
{
	Numbers &all = numbers();
	std::lock_guard lock(all.mutex);
	return all.handles.contains(id);
}

/* Without analysis: no other thread knows the model yet. */
Result<Model *> make_model(Context &context) NO_THREAD_SAFETY_ANALYSIS
{
	Model *model = Model::table().create();
	if (!model)
		return set_error(Status::NO_RESOURCE, "too many models; destroy some");
	model->id = next_model_number();
	model->context = &context;
	model->context_handle = context.handle;
	model->device = DeviceRef(*context.open);
	model->state = Model::State::CAPTURING;
	model->is_built = false;
	model->streams = 0;
	model->making = std::make_unique<Graph>();
	model->graph = model->making.get();
	model->parent = nullptr;
	model->capture = nullptr;
	model->inner_captures = 0;
	Numbers &all = numbers();
	std::lock_guard lock(all.mutex);
	all.handles[model->id] = model->handle;
	return model;
}

void forget_number(uint32_t id)
{
	Numbers &all = numbers();
	std::lock_guard lock(all.mutex);
	all.handles.erase(id);
}

Status refuse_destroyed_model()
{
	return set_error(Status::INVALID_HANDLE, "another thread has destroyed the model "
						 "meanwhile; destroy it when no thread uses it");
}

Status require_ready(const Model &model)
{
	if (model.state == Model::State::READY)
		return Status::OK;
	if (model.state == Model::State::BUILDING || model.state == Model::State::ENDING)
		return set_error(Status::MODEL_NOT_READY,
				 "the model is still being built; call $model_build_end first");
	if (model.state == Model::State::GONE)
		return refuse_destroyed_model();
	if (model.state == Model::State::PARTED)
		return set_error(Status::MODEL_NOT_READY,
				 "a stream of the model was unbound; build another model");
	return set_error(Status::MODEL_CAPTURED,
			 "the model is still being captured; call $model_capture_end first");
}

Status refuse_inner(const Model &model, const char *what)
{
	if (!model.parent)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("the model belongs to a conditional task; it can't be {} by "
				     "itself; take the model that has the task",
				     what));
}

/* Calls @visit for each member stream that still exists and is not @launching. */
template <class F>
static void for_members(const Model::Members *members, const Stream &launching, F visit)
{
	if (!members)
		return;
	for (uint64_t handle : *members) {
		if (handle == launching.serial)
			continue;
		const Held<Stream> stream(Stream::table(), reinterpret_cast<void *>(handle));
		if (stream && !stream->ends.load())
			visit(*stream);
	}
}

static bool has_others(const Model::Members *members, const Stream &launching)
{
	return members && std::any_of(members->begin(), members->end(),
				      [&](uint64_t handle) { return handle != launching.serial; });
}

/* Makes the launch wait for the pending work of the other member streams. */
[[gnu::noinline]] static void follow_members(const Model::Members &members, Stream &launching)
{
	const drv::Device &device = launching.context->device();
	FenceSet before;
	for_members(&members, launching, [&](Stream &member) {
		recorder::observer.note_order(member, launching);
		append_tail(member, before);
	});
	(void)before.for_each([&](const drv::Fence &fence) {
		if (!device.done(fence))
			add_gate(launching, fence);
		return true;
	});
}

/* A stream that updates a task group also has a sink; it may execute models. */
[[gnu::noinline]] static Status check_sink(const Stream &stream)
{
	if (capturing(stream))
		return refuse_for_capture(stream.context->notes, Status::STREAM_CAPTURED,
					  "the stream captures; a model can't be executed on it; "
					  "use one that does not capture",
					  subject_of(stream));
	if (collects(stream))
		return set_error(Status::INVALID_ARGUMENT,
				 "the stream collects tasks for a model; a model can't be executed "
				 "on it; use one that is bound to no model");
	return Status::OK;
}

static Status check_execute(const Model &model, const Stream &stream) REQUIRES(model.lock)
{
	TRY(require_ready(model));
	TRY(refuse_inner(model, "executed"));
	if (model.context != stream.context || model.context_handle != stream.context->handle)
		return set_error(
			Status::MODEL_CONTEXT,
			"the model belongs to another context than the stream; use a stream of "
			"that context");
	if (!stream.sink.is_empty()) [[unlikely]]
		return check_sink(stream);
	return Status::OK;
}

Result<drv::Fence> launch_model(Model &model, Stream &stream)
{
	/* Keep both alive: another thread may destroy the model after the lock is released. */
	std::shared_ptr<GraphExec> exec;
	std::shared_ptr<const Model::Members> members;
	{
		base::BiasedGuard lock(model.lock);
		TRY(check_execute(model, stream));
		exec = model.exec;
		if (has_others(model.members.get(), stream))
			members = model.members;
	}
	if (members)
		follow_members(*members, stream);
	/* Outside the model's lock: a full ring may block for long. */
	auto fence = exec->launch(stream, static_cast<uint8_t>(Call::EXECUTE_MODEL));
	if (!fence)
		return fence;
	for_members(members.get(), stream, [&](Stream &member) {
		add_gate(member, *fence);
		recorder::observer.note_order(stream, member);
	});
	return fence;
}

Status name_model(Model &model, const char *name)
{
	if (strnlen(name, MODEL_NAME_BYTES) == MODEL_NAME_BYTES)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("name is longer than {} characters", MODEL_NAME_BYTES - 1));
	base::BiasedGuard lock(model.lock);
	model.name = name;
	return Status::OK;
}

std::string model_name(Model &model)
{
	base::BiasedGuard lock(model.lock);
	return model.name;
}

Status on_model_destroy(Model &model, void (*fn)(void *), void *data)
{
	TRY(refuse_inner(model, "watched"));
	base::BiasedGuard lock(model.lock);
	model.on_destroy.push_back({fn, data});
	return Status::OK;
}

Status off_model_destroy(Model &model, void (*fn)(void *))
{
	base::BiasedGuard lock(model.lock);
	if (std::erase_if(model.on_destroy, [&](const auto &one) { return one.fn == fn; }) > 0)
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT, "func is not registered for the destruction of "
						   "this model; pass a function that is");
}

} // namespace umd
