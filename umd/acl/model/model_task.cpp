// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL tasks of models
 *
 * The kernels of a model are those of the program (model_kernel.cpp) and the operators of aclnnop. The arguments of
 * a captured operator are its descriptor, struct unpu_operator of uapi/operator.h. The program gets a copy that the
 * model owns.
 */
#include <cstring>

#include "drv/packet/packets.h"
#include "model_kernel.h"
#include "uapi/tensor.h"
#include "umd/acl/front.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/model/model_task.h"
#include "umd/core/model/task_group.h"

using base::Status;
using umd::acl_return;
using umd::Event;
using umd::GraphTask;
using umd::ModelStream;
using umd::ModelTask;
using umd::null_argument;
using umd::set_error;
using umd::TaskGroup;
using umd::TaskKind;

/* A program gets a list with two calls: with @out NULL it gets the number of elements, then the
 * elements. */
template <class T, class Pointer>
static Status tell_list(const std::vector<T *> &list, void **out, uint32_t *count,
			const Pointer &pointer)
{
	auto number = static_cast<uint32_t>(list.size());
	if (!out) {
		*count = number;
		return Status::OK;
	}
	if (*count < number)
		return set_error(
			Status::ARRAY_TOO_SMALL,
			fmt::format("the array has {} places, but there are {}", *count, number));
	for (uint32_t i = 0; i < number; i++)
		out[i] = pointer(*list[i]);
	*count = number;
	return Status::OK;
}

aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams, uint32_t *numStreams)
{
	if (!numStreams)
		return acl_return(null_argument("numStreams"));
	auto model = TRY(umd::find_model(modelRI));
	auto list = TRY(umd::model_streams(*model));
	return acl_return(tell_list(list, streams, numStreams, [](const umd::ModelStream &one) {
		return ModelStream::table().pointer(one);
	}));
}

aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks, uint32_t *numTasks)
{
	if (!numTasks)
		return acl_return(null_argument("numTasks"));
	auto found = TRY(umd::find_model_stream(stream));
	auto list = TRY(umd::model_tasks(*found));
	return acl_return(tell_list(list, tasks, numTasks, [](const ModelTask &one) {
		return ModelTask::table().pointer(one);
	}));
}

static aclmdlRITaskType type_of(TaskKind kind)
{
	switch (kind) {
	case TaskKind::OPERATOR:
		return ACL_MODEL_RI_TASK_KERNEL;
	case TaskKind::RECORD:
	case TaskKind::SET_FLAG:
		return ACL_MODEL_RI_TASK_EVENT_RECORD;
	case TaskKind::WAIT:
	case TaskKind::AWAIT_FLAG:
		return ACL_MODEL_RI_TASK_EVENT_WAIT;
	case TaskKind::RESET_FLAG:
		return ACL_MODEL_RI_TASK_EVENT_RESET;
	case TaskKind::VALUE_WRITE:
		return ACL_MODEL_RI_TASK_VALUE_WRITE;
	case TaskKind::VALUE_WAIT:
		return ACL_MODEL_RI_TASK_VALUE_WAIT;
	default:
		return ACL_MODEL_RI_TASK_DEFAULT;
	}
}

aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type)
{
	if (!type)
		return acl_return(null_argument("type"));
	auto found = TRY(umd::find_model_task(task));
	base::BiasedGuard lock(found->model->lock);
	*type = type_of(found->model->graph->kind(found->node));
	return ACL_SUCCESS;
}

aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id)
{
	if (!id)
		return acl_return(null_argument("id"));
	auto found = TRY(umd::find_model_task(task));
	*id = found->node;
	return ACL_SUCCESS;
}

/* Gives the program a copy of the descriptor of an operator. The model keeps one copy for each task as long
 * as it lives; each call for the task brings that copy up to date. */
static void show_kernel(umd::Model &model, uint32_t node, const GraphTask &task,
			aclmdlRIKernelTaskParams &params) REQUIRES(model.lock)
{
	if (const umd::KernelWords *words = umd::kernel_words(task))
		return umd::show_launch(model, node, *words, params);
	params.isHostArgs = 1;
	params.numBlocks = 1;
	if (task.tensor) {
		std::vector<uint64_t> &words = model.shown_tensors[node];
		/* An update may make the descriptor longer, so there is spare room, and the program's pointer
		 * stays valid. */
		words.reserve(UNPU_TENSOR_MAX_BYTES / sizeof(uint64_t));
		words = *task.tensor;
		params.args = words.data();
		params.argsSize = task.packet.tensor.bytes;
		return;
	}
	unpu_operator &shown = model.shown[node];
	shown = task.op ? *task.op : drv::row_operator(task.packet);
	params.args = &shown;
	params.argsSize = sizeof(unpu_operator);
}

static uint32_t flags_of(uint64_t event)
{
	const umd::Held<Event> found(Event::table(), reinterpret_cast<void *>(event));
	return found ? found->flags : 0;
}

static void show_task(umd::Model &model, uint32_t node, const GraphTask &task,
		      aclmdlRITaskParams &params) REQUIRES(model.lock)
{
	auto *event = reinterpret_cast<aclrtEvent>(task.event);
	bool outside = task.kind == TaskKind::RECORD || task.kind == TaskKind::WAIT;
	params.type = type_of(task.kind);
	switch (params.type) {
	case ACL_MODEL_RI_TASK_KERNEL:
		show_kernel(model, node, task, params.kernelTaskParams);
		return;
	case ACL_MODEL_RI_TASK_EVENT_RECORD:
		params.eventRecordTaskParams = {event, flags_of(task.event), outside};
		return;
	case ACL_MODEL_RI_TASK_EVENT_WAIT:
		params.eventWaitTaskParams = {event, flags_of(task.event), outside};
		return;
	case ACL_MODEL_RI_TASK_EVENT_RESET:
		params.eventResetTaskParams = {event, flags_of(task.event), 0};
		return;
	case ACL_MODEL_RI_TASK_VALUE_WRITE:
		params.valueWriteTaskParams = {
			reinterpret_cast<void *>(task.packet.value_write.address),
			task.packet.value_write.value};
		return;
	case ACL_MODEL_RI_TASK_VALUE_WAIT:
		params.valueWaitTaskParams = {
			reinterpret_cast<void *>(task.packet.value_wait.address),
			task.packet.value_wait.value, task.packet.value_wait.op};
		return;
	default:
		return;
	}
}

aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params)
{
	if (!params)
		return acl_return(null_argument("params"));
	auto found = TRY(umd::find_model_task(task));
	umd::Model &model = *found->model;
	base::BiasedGuard lock(model.lock);
	memset(static_cast<void *>(params), 0, sizeof(*params));
	show_task(model, found->node, umd::current_task(model, found->node), *params);
	for (const umd::TaskGroup *group : model.groups) {
		if (std::find(group->nodes.begin(), group->nodes.end(), found->node) !=
		    group->nodes.end())
			params->taskGrp = TaskGroup::table().pointer(*group);
	}
	auto note = model.notes.find(found->node);
	if (note != model.notes.end() && !note->second.info.empty()) {
		params->opInfoPtr = note->second.info.data();
		params->opInfoSize = note->second.info.size();
	}
	return ACL_SUCCESS;
}

/* The descriptor of a tensor operator: the device checks what the program has changed in it. */
static Status set_tensor(const aclmdlRIKernelTaskParams &params, GraphTask &task)
{
	const uint32_t bytes = task.packet.tensor.bytes;
	if (!params.args || params.argsSize != bytes || params.isHostArgs != 1)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the arguments of the operator are its descriptor, {} "
					     "bytes in host memory, as aclmdlRITaskGetParams gives "
					     "it",
					     bytes));
	const auto *words = static_cast<const uint64_t *>(params.args);
	task.tensor =
		std::make_shared<std::vector<uint64_t>>(words, words + bytes / sizeof(uint64_t));
	return Status::OK;
}

static Status set_kernel(const umd::Model &model, const aclmdlRIKernelTaskParams &params,
			 GraphTask &task, unpu_operator &op)
{
	if (umd::kernel_words(task))
		return umd::set_launch(model, params, task);
	if (task.tensor)
		return set_tensor(params, task);
	if (!params.args || params.argsSize != sizeof(unpu_operator) || params.isHostArgs != 1)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("the arguments of an operator are its descriptor, {} "
					     "bytes in host memory, as aclmdlRITaskGetParams gives "
					     "it",
					     sizeof(unpu_operator)));
	memcpy(&op, params.args, sizeof(op));
	uint64_t cookie = task.packet.cookie;
	unpu_packet row;
	task.op = nullptr;
	if (drv::row_packet(cookie, op, row)) {
		task.packet = row;
	} else {
		task.packet = drv::operator_packet(cookie, 0);
		task.op = &op;
	}
	return Status::OK;
}

/* The address of a value must be device memory. @bytes: the size of the value in the captured task */
static Status check_place(umd::Model &model, const void *address, uint32_t bytes)
{
	auto value = reinterpret_cast<uint64_t>(address);
	const umd::DeviceHold device = model.device.hold();
	if (device && value % bytes == 0 && device->space().place(value) == drv::Place::DEVICE &&
	    device->memory().covers(value, bytes))
		return Status::OK;
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("devAddr {} must be device memory and a multiple of {}",
				     fmt::ptr(address), bytes));
}

static Status set_event(const void *handle, GraphTask &task)
{
	auto event = TRY(umd::find_event(handle, "event"));
	bool outside = task.kind == TaskKind::RECORD || task.kind == TaskKind::WAIT;
	if (outside && (event->mode != umd::EventMode::EX || event->flags != umd::EVENT_SYNC))
		return set_error(Status::INVALID_ARGUMENT,
				 "an external record or wait needs an event made by "
				 "aclrtCreateEventExWithFlag with ACL_EVENT_SYNC alone");
	if (!outside && event->flags != umd::EVENT_EXTERNAL)
		return set_error(Status::INVALID_ARGUMENT,
				 "the task is about an event made with ACL_EVENT_EXTERNAL; give it "
				 "another one made so");
	task.event = event->handle;
	if (outside)
		return Status::OK;
	std::lock_guard lock(event->mutex);
	event->in_graph = true;
	(task.kind == TaskKind::AWAIT_FLAG ? task.packet.wait.sem : task.packet.signal_sem) =
		event->flag_sem;
	return Status::OK;
}

static Status set_task(ModelTask &task, const aclmdlRITaskParams &params)
{
	GraphTask change;
	{
		base::BiasedGuard lock(task.model->lock);
		change = task.model->graph->task(task.node);
	}
	unpu_operator op{};
	if (params.type != type_of(change.kind))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("params.type is {}, but the task is of type {}",
					     static_cast<int>(params.type),
					     static_cast<int>(type_of(change.kind))));
	switch (params.type) {
	case ACL_MODEL_RI_TASK_KERNEL:
		TRY(set_kernel(*task.model, params.kernelTaskParams, change, op));
		break;
	case ACL_MODEL_RI_TASK_EVENT_RECORD:
		TRY(set_event(params.eventRecordTaskParams.event, change));
		break;
	case ACL_MODEL_RI_TASK_EVENT_WAIT:
		TRY(set_event(params.eventWaitTaskParams.event, change));
		break;
	case ACL_MODEL_RI_TASK_EVENT_RESET:
		TRY(set_event(params.eventResetTaskParams.event, change));
		break;
	case ACL_MODEL_RI_TASK_VALUE_WRITE: {
		const auto &write = params.valueWriteTaskParams;
		TRY(check_place(*task.model, write.devAddr, change.packet.value_write.bytes));
		change.packet.value_write.address = reinterpret_cast<uint64_t>(write.devAddr);
		change.packet.value_write.value = write.value;
		break;
	}
	case ACL_MODEL_RI_TASK_VALUE_WAIT: {
		const auto &wait = params.valueWaitTaskParams;
		TRY(check_place(*task.model, wait.devAddr, change.packet.value_wait.bytes));
		if (wait.flag > UNPU_VALUE_NOR)
			return set_error(Status::INVALID_ARGUMENT,
					 fmt::format("flag is {}; it must be 0 to 3", wait.flag));
		change.packet.value_wait.address = reinterpret_cast<uint64_t>(wait.devAddr);
		change.packet.value_wait.value = wait.value;
		change.packet.value_wait.op = wait.flag;
		break;
	}
	default:
		return set_error(
			Status::NOT_SUPPORTED,
			"tasks of type ACL_MODEL_RI_TASK_DEFAULT have no parameters to set; "
			"aclmdlRITaskDisable takes them out");
	}
	return umd::change_task(task, change);
}

aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params)
{
	if (!params)
		return acl_return(null_argument("params"));
	auto found = TRY(umd::find_model_task(task));
	return acl_return(set_task(*found, *params));
}

aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
					aclrtLaunchKernelAttrValue *attrValue)
{
	if (!attrValue)
		return acl_return(null_argument("attrValue"));
	auto found = TRY(umd::find_model_task(task));
	{
		base::BiasedGuard lock(found->model->lock);
		const GraphTask now = umd::current_task(*found->model, found->node);
		if (const umd::KernelWords *words = umd::kernel_words(now))
			return acl_return(umd::launch_attribute(*words, attrId, *attrValue));
	}
	return acl_return(
		set_error(Status::NOT_SUPPORTED,
			  fmt::format("attribute {}: operators of aclnnop are launched without "
				      "attributes",
				      static_cast<int>(attrId))));
}

aclError aclmdlRITaskDisable(aclmdlRITask task)
{
	auto found = TRY(umd::find_model_task(task));
	return acl_return(umd::disable_task(*found));
}

aclError aclmdlRIUpdate(aclmdlRI modelRI)
{
	auto model = TRY(umd::find_model(modelRI));
	return acl_return(umd::update_model(*model));
}
