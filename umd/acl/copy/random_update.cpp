// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL updates of random tasks
 *
 * An update changes the count, the addresses and the seed of a random task in a built model. The new
 * values are in device memory; they are read when the stream reaches the update. The distribution does
 * not change. A task with a parameter memory has nine nodes: two for each of its four words, and the
 * operator.
 */
#include <cstring>

#include "drv/packet/packets.h"
#include "random_task.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/memory/released.h"
#include "umd/core/model/model_build.h"
#include "umd/core/process/call.h"
#include "umd/core/process/log.h"
#include "umd/core/task/capture_notes.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::GraphTask;
using umd::null_argument;
using umd::RandomTask;
using umd::set_error;

static constexpr size_t GATHER_NODES = size_t{2} * umd::SLOTS;

static uint64_t element_bytes(uint32_t dtype)
{
	switch (dtype) {
	case UNPU_DTYPE_F16:
	case UNPU_DTYPE_BF16:
		return 2;
	case UNPU_DTYPE_I64:
		return 8;
	default:
		return 4;
	}
}

namespace {

class RandomUpdate final : public umd::LateChange {
public:
	/* @nodes: the present tasks of the nodes, the operator last */
	RandomUpdate(drv::Device &device, std::vector<GraphTask> nodes)
		: device_(device), nodes_(std::move(nodes)), op_(*nodes_.back().op)
	{
	}

	Status make(const std::byte *input, std::span<GraphTask> tasks) override;

private:
	bool gathers() const { return nodes_.size() > 1; }
	Status check(const aclrtRandomNumTaskInfo &info) const;
	void set_gathers(const aclrtRandomNumTaskInfo &info, std::span<GraphTask> tasks) const;

	drv::Device &device_;
	const std::vector<GraphTask> nodes_;
	unpu_operator op_;
};

Status RandomUpdate::check(const aclrtRandomNumTaskInfo &info) const
{
	RandomTask task;
	task.op = op_;
	task.element_bytes = element_bytes(op_.compute);
	TRY(umd::set_seed_and_count(task, info));
	if (!gathers() && (info.randomSeed.isAddr || info.randomNum.isAddr))
		return set_error(Status::INVALID_ARGUMENT,
				 "a number is given by its address, but the task was made without "
				 "a randomParaAddr; give the number itself");
	return umd::check_random_places(device_, task, info, gathers());
}

/* Points the nodes to the new parameter memory. The numbers of the distribution keep their values; the
 * seed and the count get new ones. */
void RandomUpdate::set_gathers(const aclrtRandomNumTaskInfo &info, std::span<GraphTask> tasks) const
{
	auto block = reinterpret_cast<uint64_t>(info.randomParaAddr);
	const aclrtRandomParaInfo *numbers[umd::SLOTS] = {nullptr, nullptr, &info.randomSeed,
							  &info.randomNum};
	for (unsigned slot = 0; slot < umd::SLOTS; slot++) {
		GraphTask &store = tasks[size_t{2} * slot];
		GraphTask &copy = tasks[size_t{2} * slot + 1];
		store = nodes_[size_t{2} * slot];
		copy = nodes_[size_t{2} * slot + 1];
		auto packets = umd::gather_packets(block, slot, numbers[slot]);
		if (numbers[slot]) {
			store.packet = packets.store;
			copy.packet = packets.copy;
			continue;
		}
		store.packet.value_write.address = packets.store.value_write.address;
		if (copy.packet.opcode == UNPU_OP_COPY)
			copy.packet.copy.dst = packets.store.value_write.address;
	}
}

Status RandomUpdate::make(const std::byte *input, std::span<GraphTask> tasks)
{
	aclrtRandomNumTaskInfo info;
	memcpy(&info, input, sizeof(info));
	Status status = check(info);
	if (status != Status::OK) {
		const char *sentence = umd::take_error();
		umd::log_line(fmt::format("aclrtTaskUpdateAsync: {}",
					  sentence ? sentence : base::status_sentence(status)));
		return status;
	}
	op_.operands[0].address = reinterpret_cast<uint64_t>(info.randomResultAddr);
	op_.operands[1].address = reinterpret_cast<uint64_t>(info.randomCounterAddr);
	if (gathers()) {
		op_.operands[2].address = reinterpret_cast<uint64_t>(info.randomParaAddr);
		set_gathers(info, tasks);
	} else {
		op_.parameters[1 + umd::SLOT_SEED] = umd::random_value(info.randomSeed);
		op_.parameters[1 + umd::SLOT_COUNT] = umd::random_value(info.randomNum);
	}
	tasks.back() = nodes_.back();
	tasks.back().op = &op_;
	return Status::OK;
}

} // namespace

static Status check_info(const aclrtTaskUpdateInfo &info)
{
	const aclrtRandomTaskUpdateAttr &attr = info.val.randomTaskAttr;
	if (info.id == ACL_RT_UPDATE_AIC_AIV_TASK)
		return set_error(Status::NOT_SUPPORTED,
				 "info->id is ACL_RT_UPDATE_AIC_AIV_TASK (2); the device runs no "
				 "kernel binaries, and operators are updated by "
				 "aclmdlRICaptureTaskUpdateBegin or aclmdlRITaskSetParams");
	if (info.id != ACL_RT_UPDATE_RANDOM_TASK)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("info->id is {}; it must be ACL_RT_UPDATE_RANDOM_TASK "
					     "(1)",
					     static_cast<int>(info.id)));
	if (!attr.srcAddr)
		return null_argument("info->val.randomTaskAttr.srcAddr");
	if (attr.size != sizeof(aclrtRandomNumTaskInfo))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("info->val.randomTaskAttr.size is {}; it must be that "
					     "of aclrtRandomNumTaskInfo, {}",
					     attr.size, sizeof(aclrtRandomNumTaskInfo)));
	for (uint32_t word : attr.rsv) {
		if (word != 0)
			return set_error(Status::INVALID_ARGUMENT,
					 "info->val.randomTaskAttr.rsv is reserved; it must be 0");
	}
	return Status::OK;
}

static Status check_stream(umd::Stream &stream)
{
	if (umd::capturing(stream))
		return umd::refuse_for_capture(stream.context->notes, Status::STREAM_CAPTURED,
					       "execStream captures; tasks are updated by a stream "
					       "that does not",
					       umd::subject_of(stream));
	if (umd::collects(stream))
		return set_error(Status::STREAM_MODEL,
				 fmt::format("execStream {} keeps its tasks for a model; tasks are "
					     "updated by a stream that runs them",
					     stream.id));
	if (stream.sink.kind() == umd::SinkKind::UPDATE)
		return set_error(Status::TASK_GROUP, "execStream updates a task group; call "
						     "aclmdlRICaptureTaskUpdateEnd first");
	return Status::OK;
}

/* The nodes of the task whose last node is @last. */
static Result<std::vector<uint32_t>> nodes_of(const umd::Graph &graph, uint32_t last)
{
	const GraphTask task = graph.task(last);
	if (!task.op || task.op->kind != UNPU_OPERATOR_RANDOM)
		return set_error(Status::INVALID_ARGUMENT,
				 "taskId names a task that is not a random task; "
				 "aclrtGetThreadLastTaskId right after aclrtRandomNumAsync tells "
				 "the number of one");
	std::vector<uint32_t> nodes;
	for (size_t i = task.op->noperands == 3 ? GATHER_NODES : 0; i > 0; i--)
		nodes.push_back(last - static_cast<uint32_t>(i));
	nodes.push_back(last);
	return nodes;
}

static Status update(const umd::BuiltTask &task, umd::Stream &stream, const void *source)
{
	umd::Model &model = *task.model;
	drv::Device &device = stream.context->device();
	auto va = reinterpret_cast<uint64_t>(source);
	TRY(umd::ReleasedMemory::check("info->val.randomTaskAttr.srcAddr", source));
	if (!device.memory().covers(va, sizeof(aclrtRandomNumTaskInfo)))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("info->val.randomTaskAttr.srcAddr {} is not inside a "
					     "live allocation of the stream's device",
					     fmt::ptr(source)));
	std::vector<uint32_t> nodes;
	std::vector<GraphTask> now;
	{
		base::BiasedGuard lock(model.lock);
		TRY(umd::require_ready(model));
		if (model.context != stream.context)
			return set_error(Status::MODEL_CONTEXT,
					 "taskStream's model belongs to another context than "
					 "execStream; use a stream of that context");
		nodes = TRY(nodes_of(*model.graph, task.node));
		for (uint32_t node : nodes)
			now.push_back(model.graph->task(node));
	}
	/* Call without the model's lock: update_late() may wait a long time for room in a full ring. */
	return model.exec->update_late(stream, static_cast<uint8_t>(umd::Call::UPDATE_TASK), nodes,
				       va, sizeof(aclrtRandomNumTaskInfo),
				       std::make_unique<RandomUpdate>(device, std::move(now)));
}

aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo *info,
			      aclrtStream execStream)
{
	if (!taskStream || !info)
		return acl_return(null_argument(taskStream ? "info" : "taskStream"));
	TRY(check_info(*info));
	auto holder = TRY(umd::find_stream(taskStream, false));
	auto stream = TRY(umd::find_stream(execStream, true));
	TRY(check_stream(*stream));
	auto task = TRY(umd::find_built_task(*holder, taskId));
	return acl_return(update(task, *stream, info->val.randomTaskAttr.srcAddr));
}
