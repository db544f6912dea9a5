// SPDX-License-Identifier: MIT
/**
 * DOC: Loaded models
 *
 * The models of the process by their numbers. A thread that runs a model keeps it, so another may unload it meanwhile.
 */
#include "offline_model.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "acl/error_codes/ge_error_codes.h"
#include "base/clock.h"
#include "datasets.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "failure.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/check.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/unsafe_call.h"
#include "umd/core/task/own_function.h"

namespace umd {

using base::Status;
using drv::Failure;

namespace {

/* class OfflineModels - all of them. */
class OfflineModels {
public:
	static OfflineModels &get() { return Process::own<OfflineModels>(); }

	uint32_t next() { return ++numbers_; }

	void add(const std::shared_ptr<OfflineModel> &model)
	{
		const std::lock_guard lock(mutex_);
		models_[model->id()] = model;
	}

	std::shared_ptr<OfflineModel> find(uint32_t id)
	{
		const std::lock_guard lock(mutex_);
		const auto at = models_.find(id);
		return at == models_.end() ? nullptr : at->second;
	}

	std::shared_ptr<OfflineModel> take(uint32_t id)
	{
		const std::lock_guard lock(mutex_);
		const auto at = models_.find(id);
		if (at == models_.end())
			return nullptr;
		auto model = std::move(at->second);
		models_.erase(at);
		return model;
	}

	/* Takes out the models of contexts that have ended. The caller drops them without the lock. */
	template <class Test> std::vector<std::shared_ptr<OfflineModel>> take_if(Test test)
	{
		const std::lock_guard lock(mutex_);
		std::vector<std::shared_ptr<OfflineModel>> taken;
		std::erase_if(models_, [&](auto &each) {
			if (!test(*each.second))
				return false;
			taken.push_back(std::move(each.second));
			return true;
		});
		return taken;
	}

private:
	base::Mutex mutex_{"OfflineModels::mutex_"};
	std::map<uint32_t, std::shared_ptr<OfflineModel>> models_ GUARDED_BY(mutex_);
	std::atomic<uint32_t> numbers_{0};
};

aclError refuse_id(uint32_t id)
{
	return REFUSE(
		ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
		fmt::format("modelId is {}, which is no loaded model: it was unloaded, or its "
			    "context has ended, or no aclmdlLoad gave it",
			    id));
}

aclError broken()
{
	return REFUSE(ACL_ERROR_DESERIALIZE_MODEL,
		      "the model file is broken: its face and its graph do not fit together; "
		      "compile the model again");
}

/* The shapes of a model without open dims. */
aclError fixed_dims(const models::om::Face &face, std::vector<models::ir::Dims> &dims)
{
	for (const models::om::Port &port : face.inputs) {
		if (!port.dims.is_known())
			return broken();
		dims.push_back(port.dims);
	}
	return ACL_SUCCESS;
}

/* A program allocates by the face, so it has to tell the truth. */
bool fits(const std::vector<models::om::Port> &told, const std::vector<models::Port> &real)
{
	return std::equal(told.begin(), told.end(), real.begin(), real.end(),
			  [](const models::om::Port &a, const models::Port &b) {
				  return a.type == b.type && a.dims == b.dims && a.bytes == b.bytes;
			  });
}

} // namespace

std::shared_ptr<const ModelFace> find_model_face(uint32_t id)
{
	std::shared_ptr<OfflineModel> model;
	return OfflineModel::find(id, model) == ACL_SUCCESS ? model->face() : nullptr;
}

/* A held context does not end, but one that nobody holds may end right after. */
bool OfflineModel::is_gone() const
{
	return !Contexts::hold_context(context_);
}

aclError OfflineModel::find(uint32_t id, std::shared_ptr<OfflineModel> &model)
{
	model = OfflineModels::get().find(id);
	if (model && model->is_gone()) {
		OfflineModels::get().take(id);
		model = nullptr;
	}
	return model ? ACL_SUCCESS : refuse_id(id);
}

aclError OfflineModel::unload(uint32_t id)
{
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(find(id, model));
	if (!OfflineModels::get().take(id))
		return refuse_id(id);
	model->wait_for_end();
	return ACL_SUCCESS;
}

void OfflineModel::wait_for_end()
{
	const LaunchQueue::Entry run(runs_);
	const LaunchQueue::Entry launch(launches_);
	const DeviceHold device = device_.hold();
	if (device && last_.exec)
		(void)device->wait(last_.end, base::NO_DEADLINE);
}

OfflineModel::~OfflineModel()
{
	Held<Stream> stream(Stream::table(), reinterpret_cast<void *>(stream_));
	if (stream_ == 0 || !stream || stream->ends.load())
		return;
	Stream &object = *stream;
	stream.leave();
	(void)destroy_stream(object, reinterpret_cast<void *>(stream_), true);
}

aclError OfflineModel::make(const ContextHold &context, const LoadRequest &request,
			    const models::ir::Model &model)
{
	std::vector<models::ir::Dims> dims;
	TRY_CODE(fixed_dims(face_->face, dims));
	models::Program program;
	models::Problems problems;
	if (!request.source.library->instantiate(model, dims, program, problems))
		return refuse_file(problems);
	if (!fits(face_->face.inputs, program.inputs) ||
	    !fits(face_->face.outputs, program.outputs))
		return broken();
	auto weights = std::make_shared<Weights>();
	if (request.weights.va != 0)
		TRY_CODE(check_block(context, "weightPtr",
				     reinterpret_cast<void *>(request.weights.va),
				     request.weights.bytes, 0));
	TRY_CODE(load_weights(context, request.call, *request.source.library, model,
			      request.weights, *weights));
	weights_ = std::move(weights);
	work_ = request.work;
	if (work_.va != 0) {
		TRY_CODE(check_block(context, "workPtr", reinterpret_cast<void *>(work_.va),
				     work_.bytes, program.arena_bytes));
	} else {
		TRY_CODE(DeviceMemory::make(context, program.arena_bytes, work_.owner));
		work_.va = work_.owner->va();
		work_.bytes = work_.owner->bytes();
	}
	return Instance::make(context, request.call, std::move(program), weights_, work_,
			      instance_);
}

aclError OfflineModel::load(const LoadRequest &request, uint32_t *id)
{
	if (!id)
		return acl_return(null_argument("modelId"));
	TRY_VALUE(context, Contexts::get().current());
	if (const Status status = check_unsafe(*context, request.call); status != Status::OK)
		return acl_return(status);
	/* Memory of models whose context has ended may be what this one needs. */
	OfflineModels::get().take_if([](const OfflineModel &each) { return each.is_gone(); });
	const std::shared_ptr<OfflineModel> made(new OfflineModel);
	made->face_ = std::make_shared<ModelFace>();
	models::Problems problems;
	const auto model = request.source.library->read(request.source.bytes, request.source.file,
							made->face_->face, problems);
	if (!model)
		return refuse_file(problems);
	if (made->face_->face.dynamic != models::om::Dynamic::NONE)
		return acl_return(set_error(
			Status::NOT_SUPPORTED,
			"the model has dims that are chosen at a run, which is not supported yet; "
			"compile it with one shape by --input_shape"));
	made->context_ = context->handle.now();
	made->device_ = DeviceRef(*context->open);
	made->priority_ = request.priority;
	TRY_CODE(made->make(context, request, *model));
	made->face_->id = OfflineModels::get().next();
	OfflineModels::get().add(made);
	*id = made->id();
	return ACL_SUCCESS;
}

aclError OfflineModel::check_context(const ContextHold &current) const
{
	if (is_gone())
		return refuse_id(id());
	if (!device_.is(*current->open))
		return acl_return(set_error(
			Status::MODEL_CONTEXT,
			fmt::format(
				"model {} was loaded on another device than the thread's "
				"current one, {}; call aclrtSetDevice or aclrtSetCurrentContext "
				"first",
				id(), current->state->index)));
	if (!check::is_on() || current->handle.now() == context_) [[likely]]
		return ACL_SUCCESS;
	return acl_return(check::misuse(
		Status::MODEL_CONTEXT,
		fmt::format("model {} runs in another context than the one in which it was loaded; "
			    "call aclrtSetCurrentContext first",
			    id())));
}

Held<Stream> OfflineModel::own_stream(const ContextHold &home)
{
	if (stream_ != 0) {
		Held<Stream> stream(Stream::table(), reinterpret_cast<void *>(stream_));
		if (stream && !stream->ends.load())
			return stream;
	}
	auto made = create_stream(*home, priority_, 0);
	if (!made)
		return made.status();
	stream_ = (*made)->handle.now();
	return hold_stream(**made);
}

/* Waits for the stream, and names the node that failed. */
aclError OfflineModel::wait(Stream &stream, const GraphExec *exec)
{
	drv::Fence tail;
	(void)drain_stream(stream, base::NO_DEADLINE, hal::WaitWay::BRIEF, tail);
	const Failure failure = stream.channel->failure();
	const Status status = wait_stream(stream, base::NO_DEADLINE);
	if (status == Status::OK || failure.status == Status::OK)
		return acl_return(status);
	const drv::Command command = drv::decode_cookie(failure.cookie);
	const std::string node = command.channel == drv::COOKIE_GRAPH
					 ? instance_->node_of(exec, command.index)
					 : std::string();
	return REFUSE(ACL_ERROR_RT_MODEL_EXECUTE,
		      fmt::format("model {} ({}) failed{}: {}", id(), face_->face.name,
				  node.empty() ? "" : " at " + node,
				  base::status_sentence(failure.status)));
}

aclError OfflineModel::execute(const aclmdlDataset *input, const aclmdlDataset *output)
{
	Addresses at;
	TRY_VALUE(current, Contexts::get().current());
	TRY_CODE(check_context(current));
	TRY_CODE(find_addresses(instance_->program(), input, output, at));
	Status status = check_unsafe(*current, "aclmdlExecute");
	if (status == Status::OK)
		status = check::refuse_wait_in_function();
	if (status != Status::OK)
		return acl_return(status);
	const LaunchQueue::Entry run(runs_);
	const ContextHold home = Contexts::hold_context(context_);
	if (!home)
		return refuse_id(id());
	TRY_VALUE(stream, own_stream(home));
	const GraphExec *exec = nullptr;
	{
		const LaunchQueue::Entry launch(launches_);
		status = instance_->launch(*stream, at, last_);
		exec = last_.exec;
	}
	return status == Status::OK ? wait(*stream, exec) : acl_return(status);
}

aclError OfflineModel::execute_async(const aclmdlDataset *input, const aclmdlDataset *output,
				     void *handle)
{
	Addresses at;
	TRY_VALUE(current, Contexts::get().current());
	TRY_CODE(check_context(current));
	TRY_CODE(find_addresses(instance_->program(), input, output, at));
	TRY_VALUE(stream, find_stream(handle, true));
	const LaunchQueue::Entry launch(launches_);
	return acl_return(stream->sink.is_empty() ? instance_->launch(*stream, at, last_)
						  : instance_->record(handle, *stream, at));
}

} // namespace umd

aclError aclmdlUnload(uint32_t modelId)
{
	return umd::OfflineModel::unload(modelId);
}

aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output)
{
	std::shared_ptr<umd::OfflineModel> model;
	TRY_CODE(umd::OfflineModel::find(modelId, model));
	return model->execute(input, output);
}

aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output,
			    aclrtStream stream)
{
	std::shared_ptr<umd::OfflineModel> model;
	TRY_CODE(umd::OfflineModel::find(modelId, model));
	return model->execute_async(input, output, stream);
}
