// SPDX-License-Identifier: MIT
/**
 * DOC: Loaded models
 *
 * A model has an instance for each of its shapes, and all of them have one copy of the weights and one work memory.
 */
#include "offline_model.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "acl/error_codes/ge_error_codes.h"
#include "base/clock.h"
#include "beside.h"
#include "datasets.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "failure.h"
#include "offline_models.h"
#include "profiles.h"
#include "umd/acl/dump/dump.h"
#include "umd/acl/front.h"
#include "umd/core/capture/capture.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/open_device.h"
#include "umd/core/model/subscription.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/process/check.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/unsafe_call.h"
#include "umd/core/task/own_function.h"

namespace umd {

using base::Status;
using drv::Failure;

namespace {

aclError refuse_id(uint32_t id)
{
	if (Process::get().init_count() == 0)
		return acl_return(set_error(
			Status::NOT_INITIALISED,
			fmt::format("modelId is {}, which is no loaded model, and aclInit was not "
				    "called, or aclFinalize was; call aclInit and load the model",
				    id)));
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

/* A program allocates by the face, so it has to tell the truth. The sizes are those of the largest profile; those of
 * free dims are compared with the buffers of each run. */
bool fits(const ModelFace &model, const models::om::Port &told, const models::Port &real)
{
	if (told.type != real.type)
		return false;
	if (model.face.dynamic == models::om::Dynamic::FREE)
		return true;
	return model.has_profiles() ? told.bytes >= real.bytes
				    : told.bytes == real.bytes && told.dims == real.dims;
}

bool fits(const ModelFace &model, const models::Program &program)
{
	const std::vector<models::om::Port> &in = model.face.inputs, &out = model.face.outputs;
	if (program.inputs.size() != model.real_inputs || program.outputs.size() != out.size())
		return false;
	for (size_t i = 0; i < program.inputs.size(); i++)
		if (!fits(model, in[i], program.inputs[i]))
			return false;
	for (size_t i = 0; i < out.size(); i++)
		if (!fits(model, out[i], program.outputs[i]))
			return false;
	return true;
}

} // namespace

std::shared_ptr<const ModelFace> find_model_face(uint32_t id)
{
	std::shared_ptr<OfflineModel> model;
	return OfflineModel::find(id, model) == ACL_SUCCESS ? model->face() : nullptr;
}

aclError current_dims(uint32_t id, size_t output, aclmdlIODims &dims)
{
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(OfflineModel::find(id, model));
	return model->current_dims(output, dims);
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
	TRY(check::refuse_wait_in_function("the runs of a model (aclmdlUnload)"));
	if (ThreadState::mine().host_stream != 0 && !model->is_idle())
		return acl_return(set_error(
			Status::NOT_SUPPORTED,
			fmt::format("a stream runs the function of the program that makes this "
				    "call, and a run of model {} has not ended, which may be "
				    "behind that function; unload it from another thread",
				    id)));
	if (!OfflineModels::get().take(id))
		return refuse_id(id);
	model->wait_for_end();
	return ACL_SUCCESS;
}

bool OfflineModel::is_idle()
{
	const LaunchQueue::Entry launch(launches_);
	const DeviceHold device = device_.hold();
	return !device || last_.end.empty() || device->done(last_.end);
}

void OfflineModel::wait_for_end()
{
	const LaunchQueue::Entry run(runs_);
	const LaunchQueue::Entry launch(launches_);
	const DeviceHold device = device_.hold();
	if (!device || last_.end.empty())
		return;
	(void)device->wait(last_.end, base::NO_DEADLINE);
	recorder::observer.look_behind(device.open(), last_.end);
	recorder::observer.note_point_sync(last_.point);
}

OfflineModel::~OfflineModel()
{
	end_subscription(id());
	forget_number(id());
	Held<Stream> stream(Stream::table(), reinterpret_cast<void *>(stream_));
	if (stream_ == 0 || !stream || stream->ends.load())
		return;
	Stream &object = *stream;
	stream.leave();
	(void)destroy_stream(object, reinterpret_cast<void *>(stream_), true);
}

/* Provides work memory. Of a model with free dims, instances that are there keep the memory that they have. */
aclError OfflineModel::make_room(const ContextHold &context, uint64_t bytes)
{
	if (work_.va == 0 || (is_free() && work_.bytes < bytes)) {
		const uint64_t wanted = face_->has_profiles() ? face_->face.work_bytes : bytes;
		TRY_CODE(DeviceMemory::make(context, wanted, work_.owner));
		work_.va = work_.owner->va();
		work_.bytes = work_.owner->bytes();
	}
	if (work_.bytes >= bytes)
		return ACL_SUCCESS;
	return work_.owner ? broken()
			   : check_block(context, "workPtr", reinterpret_cast<void *>(work_.va),
					 work_.bytes, bytes);
}

aclError OfflineModel::make_instance(const ContextHold &context, const models::om::Profile &shape,
				     std::shared_ptr<Instance> &made)
{
	models::Program program;
	models::Problems problems;
	if (!library_->instantiate(*model_, split_shape(*face_, shape), program, problems))
		return is_free() ? refuse_shape(problems) : refuse_file(problems);
	if (!fits(*face_, program))
		return broken();
	TRY_CODE(make_room(context, program.arena_bytes));
	return Instance::make(context, "aclmdlLoadFromFile", face_, std::move(program), weights_,
			      work_, made);
}

/* A program may run a model with free dims at any number of shapes. */
void OfflineModel::drop_oldest(const drv::Device &device)
{
	constexpr size_t MOST = 8;
	for (size_t i = instances_.size(); i-- > 0 && instances_.size() >= MOST;) {
		const Instance &oldest = *instances_[i].instance;
		if (!oldest.is_idle(device))
			continue;
		oldest.note_end();
		if (oldest.was_last(last_))
			last_ = {};
		instances_.erase(instances_.begin() + static_cast<ptrdiff_t>(i));
	}
}

aclError OfflineModel::make(const ContextHold &context, const LoadRequest &request)
{
	if (request.weights.va != 0)
		TRY_CODE(check_block(context, "weightPtr",
				     reinterpret_cast<void *>(request.weights.va),
				     request.weights.bytes, 0));
	if (request.work.va != 0)
		TRY_CODE(check_block(context, "workPtr", reinterpret_cast<void *>(request.work.va),
				     request.work.bytes,
				     face_->has_profiles() ? face_->face.work_bytes : 0));
	auto weights = std::make_shared<Weights>();
	TRY_CODE(
		load_weights(context, request.call, *library_, *model_, request.weights, *weights));
	weights_ = std::move(weights);
	work_ = request.work;
	TRY_CODE(first_shape(*face_, choice_));
	if (is_free())
		return ACL_SUCCESS;
	std::shared_ptr<Instance> first;
	TRY_CODE(make_instance(context, choice_, first));
	instances_.push_back({choice_, std::move(first)});
	if (!face_->has_profiles())
		model_ = nullptr;
	return ACL_SUCCESS;
}

/* Context: the first thread of @launches_. */
aclError OfflineModel::find_instance(const models::om::Profile &shape,
				     std::shared_ptr<Instance> &instance)
{
	const auto at = std::ranges::find(instances_, shape, &Shaped::shape);
	if (at != instances_.end()) {
		std::rotate(instances_.begin(), at, at + 1);
		instance = instances_.front().instance;
		return ACL_SUCCESS;
	}
	const ContextHold home = Contexts::hold_context(context_);
	if (!home)
		return refuse_id(id());
	TRY_CODE(make_instance(home, shape, instance));
	if (is_free())
		drop_oldest(home->device());
	instances_.insert(instances_.begin(), {shape, instance});
	return ACL_SUCCESS;
}

void OfflineModel::note_choice(const models::om::Profile &shape)
{
	const LaunchQueue::Entry launch(launches_);
	choice_ = shape;
}

aclError OfflineModel::current_dims(size_t output, aclmdlIODims &dims)
{
	const LaunchQueue::Entry launch(launches_);
	std::shared_ptr<Instance> instance;
	TRY_CODE(find_instance(choice_, instance));
	const models::Port &port = instance->program().outputs[output];
	write_dims(port.name, port.dims, dims);
	return ACL_SUCCESS;
}

aclError OfflineModel::load(const LoadRequest &request, uint32_t *id)
{
	if (!id)
		return acl_return(null_argument("modelId"));
	auto context = TRY(Contexts::get().current());
	TRY(check_unsafe(*context, request.call));
	models::Problems problems;
	models::om::Face head, face;
	Source source = request.source;
	TRY_CODE(read_face(source, head));
	/* Its other shapes are made of it later. */
	if (!head.profiles.empty() || head.dynamic == models::om::Dynamic::FREE)
		source.keep();
	auto graph = source.library->read(source.bytes, source.owner, face, problems);
	if (!graph)
		return refuse_file(problems);
	return adopt(request, std::move(graph), std::move(face), id);
}

aclError OfflineModel::adopt(const LoadRequest &request, std::unique_ptr<models::ir::Model> graph,
			     models::om::Face face, uint32_t *id)
{
	auto context = TRY(Contexts::get().current());
	const std::shared_ptr<OfflineModel> made(new OfflineModel);
	made->face_ = std::make_shared<ModelFace>();
	made->face_->face = std::move(face);
	made->library_ = request.source.library;
	made->model_ = std::move(graph);
	made->face_->complete();
	if (made->is_free() && request.work.va != 0)
		return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
			      "the model has free dims, so nobody knows its work memory before a "
			      "run; give NULL for workPtr, and the system allocates it");
	made->context_ = context->handle.now();
	made->device_ = DeviceRef(*context->open);
	made->priority_ = request.priority;
	made->face_->id = next_model_number();
	TRY_CODE(made->make(context, request));
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
	auto made = TRY(create_stream(*home, priority_, 0));
	stream_ = made->handle.now();
	return hold_stream(*made);
}

/* Waits for the stream. A failed node of the model has a code of its own. @is_own: each failed node is one of it */
aclError OfflineModel::wait(Stream &stream, const Instance &instance, uint64_t deadline_ns,
			    bool is_own)
{
	drv::Fence tail;
	(void)drain_stream(stream, deadline_ns, hal::WaitWay::BRIEF, tail);
	const Failure failure = stream.channel->failure();
	const Status status = wait_stream(stream, deadline_ns);
	const std::string node = status == Status::OK ? "" : instance.failed_node(stream, failure);
	/* Of an instance without a number in NodeNames only the number of the node is known. */
	const drv::Command command = drv::decode_cookie(failure.cookie);
	if (node.empty() && is_own && status != Status::OK && failure.status != Status::OK &&
	    command.is_node())
		return REFUSE(ACL_ERROR_RT_MODEL_EXECUTE,
			      fmt::format("node {} of the graph of model {} ({}) failed: {}",
					  command.node(), id(), face_->face.name,
					  base::status_sentence(failure.status)));
	if (node.empty())
		return acl_return(status);
	return REFUSE(ACL_ERROR_RT_MODEL_EXECUTE,
		      fmt::format("{} failed: {}", node, base::status_sentence(failure.status)));
}

/* Context: the first thread of @launches_. */
aclError OfflineModel::prepare(const aclmdlDataset *input, const aclmdlDataset *output, Call call,
			       std::shared_ptr<Instance> &instance, Addresses &at)
{
	Datasets datasets{};
	models::om::Profile shape;
	TRY_CODE(find_datasets(input, output, call_name(call), datasets));
	TRY_CODE(check_counts(*face_, datasets));
	TRY_CODE(check_steps(*face_, *datasets.input));
	TRY_CODE(find_shape(*face_, *datasets.input, shape));
	TRY_CODE(find_instance(shape, instance));
	const models::Program &program = instance->program();
	if (is_free()) {
		const ContextHold home = Contexts::hold_context(context_);
		if (!home)
			return refuse_id(id());
		TRY_CODE(allocate_outputs(home, program, datasets));
		TRY_CODE(find_short(program, datasets, at));
	}
	TRY_CODE(find_addresses(program, datasets, at));
	return describe_outputs(program, datasets);
}

aclError OfflineModel::execute(const aclmdlDataset *input, aclmdlDataset *output, Call call)
{
	auto current = TRY(Contexts::get().current());
	TRY_CODE(check_context(current));
	TRY(check_unsafe(*current, call_name(call)));
	TRY(check::refuse_wait_in_function("the run of a model (aclmdlExecute)"));
	const LaunchQueue::Entry run(runs_);
	const ContextHold home = Contexts::hold_context(context_);
	if (!home)
		return refuse_id(id());
	auto stream = TRY(own_stream(home));
	std::shared_ptr<Instance> instance;
	TRY_CODE(append(input, output, *stream, call, instance));
	return wait(*stream, *instance, base::NO_DEADLINE, true);
}

/* All runs have the same work memory. Nothing orders two streams of one capture, so the run follows the one before. */
Status OfflineModel::capture(Stream &stream, Instance &instance, const Addresses &at)
{
	{
		const std::lock_guard lock(TaskSink::mutex);
		const auto found = Capture::of(stream);
		if (found && (*found)->id() == captured_.capture) {
			std::vector<uint32_t> &after = (*found)->frontier(stream);
			if (std::ranges::find(after, captured_.node) == after.end())
				after.push_back(captured_.node);
		}
	}
	TRY(instance.record(stream, at));
	const std::lock_guard lock(TaskSink::mutex);
	const auto found = Capture::of(stream);
	if (found && (*found)->last_node(stream) != Graph::NONE)
		captured_ = {(*found)->id(), (*found)->last_node(stream)};
	return Status::OK;
}

/* The program launches the graph later, beside what else it does. */
void OfflineModel::note_captured(const Instance &instance)
{
	if (std::ranges::find(captured_work_, instance.work()) == captured_work_.end())
		captured_work_.push_back(instance.work());
	watch_graphs();
}

std::shared_ptr<const DumpOperator> OfflineModel::describe_node(uint8_t program, uint32_t node)
{
	const LaunchQueue::Entry launch(launches_);
	for (const Shaped &shaped : instances_)
		if (auto found = shaped.instance->describe_node(program, node))
			return found;
	return nullptr;
}

bool OfflineModel::is_in(const Graph &graph)
{
	const LaunchQueue::Entry launch(launches_);
	const auto is_work = [&](uint64_t word) {
		return std::ranges::any_of(captured_work_, [&](const Range &work) {
			return word >= work.begin && word < work.end;
		});
	};
	return !captured_work_.empty() && graph.any_words([&](const std::vector<uint64_t> &words) {
		return std::ranges::any_of(words, is_work);
	});
}

Status OfflineModel::check_graph(Stream &stream)
{
	const LaunchQueue::Entry launch(launches_);
	if (!device_.is(*stream.context->open) || !runs_beside(stream, last_.end))
		return Status::OK;
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("stream {} gets a graph that captured a run of model {} ({}), while a "
			    "run of that model has not ended, and nothing orders the two: both "
			    "use the model's work memory; let the stream wait for an event behind "
			    "that run",
			    stream.id, id(), face_->face.name));
}

void OfflineModel::note_graph(const Stream &stream, const drv::Fence &end)
{
	const LaunchQueue::Entry launch(launches_);
	if (device_.is(*stream.context->open))
		graphs_.add(end, stream.context->device());
}

/* Context: strict mode; the first thread of @launches_. */
Status OfflineModel::check_alone(Stream &stream, Call call)
{
	if (runs_beside(stream, last_.end))
		return check::misuse(
			Status::INVALID_ARGUMENT,
			fmt::format("{} runs model {} ({}) in stream {}, while its run in stream "
				    "{} has not ended, and nothing orders the two; they follow "
				    "each other here, and other implementations may fail; let the "
				    "stream wait for an event behind that run, or load the model "
				    "twice",
				    call_name(call), id(), face_->face.name, stream.id,
				    last_.stream));
	const bool is_free =
		graphs_.for_each([&](const drv::Fence &end) { return !runs_beside(stream, end); });
	if (is_free)
		return Status::OK;
	return check::misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("{} runs model {} ({}) in stream {}, while a graph that captured a run "
			    "of it has not ended, and nothing orders the two: both use the model's "
			    "work memory; let the stream wait for an event behind the graph",
			    call_name(call), id(), face_->face.name, stream.id));
}

aclError OfflineModel::append(const aclmdlDataset *input, const aclmdlDataset *output,
			      Stream &stream, Call call, std::shared_ptr<Instance> &instance)
{
	const LaunchQueue::Entry launch(launches_);
	Addresses at;
	TRY_CODE(prepare(input, output, call, instance, at));
	if (!stream.sink.is_empty()) {
		note_captured(*instance);
		return acl_return(stream.sink.kind() == SinkKind::CAPTURE
					  ? capture(stream, *instance, at)
					  : instance->record(stream, at));
	}
	if (check::is_on()) [[unlikely]]
		TRY(check_alone(stream, call));
	if (operators_watched.load() && Dumps::get().wants_model(face_->face.name))
		return acl_return(instance->run_nodes(stream, at, call, last_));
	return acl_return(instance->launch(stream, at, call, last_));
}

aclError OfflineModel::execute_async(const aclmdlDataset *input, aclmdlDataset *output,
				     void *handle, Call call)
{
	auto current = TRY(Contexts::get().current());
	TRY_CODE(check_context(current));
	auto stream = TRY(find_stream(handle, true));
	std::shared_ptr<Instance> instance;
	return append(input, output, *stream, call, instance);
}

aclError OfflineModel::execute_in(const aclmdlDataset *input, aclmdlDataset *output, void *handle,
				  uint64_t deadline_ns)
{
	auto current = TRY(Contexts::get().current());
	TRY_CODE(check_context(current));
	auto stream = TRY(find_stream(handle, true));
	TRY(check_unsafe(*current, call_name(Call::RUN_MODEL_V2)));
	if (!stream->sink.is_empty())
		TRY(stream_captured(*stream, "synchronised"));
	TRY(check::refuse_wait_in_function("the run of a model (aclmdlExecuteV2)"));
	/* Then nothing else can have failed. */
	const bool is_alone =
		stream->channel->idle() && stream->channel->failure().status == Status::OK;
	std::shared_ptr<Instance> instance;
	TRY_CODE(append(input, output, *stream, Call::RUN_MODEL_V2, instance));
	return wait(*stream, *instance, deadline_ns, is_alone);
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
	return model->execute(input, output, umd::Call::RUN_MODEL);
}

aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output,
			    aclrtStream stream)
{
	std::shared_ptr<umd::OfflineModel> model;
	TRY_CODE(umd::OfflineModel::find(modelId, model));
	return model->execute_async(input, output, stream, umd::Call::RUN_MODEL_ASYNC);
}
