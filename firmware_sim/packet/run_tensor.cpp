// SPDX-License-Identifier: MIT
/*
 * DOC: TENSOR
 *
 * Short operators are computed in place, long ones by the engines, in pieces if no result overlaps another
 * operand. A device without engines computes a piece in each turn of the channel.
 */
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/pieces.h"
#include "firmware_sim/tensor/tensor_op.h"

namespace fw {

using base::Status;

namespace {

/* struct HeldTensor - an operator for an engine. The memory of its operands stays mapped. */
struct HeldTensor {
	TensorOp op;
	std::vector<Hold> held;
};

std::unique_ptr<Job> make_tensor_job(const Task &task)
{
	auto tensor = std::make_shared<HeldTensor>();
	tensor->op = *task.tensor;
	tensor->op.hold(task.client.mmu, tensor->held);
	auto job = std::make_unique<Job>();
	job->packet = task.packet;
	job->bytes = tensor->op.cost_bytes();
	job->tensor = std::shared_ptr<const TensorOp>(tensor, &tensor->op);
	return job;
}

Outcome run_here(const Task &task, uint64_t cost)
{
	Core &core = task.client.core;
	Outcome outcome;
	outcome.status =
		task.tensor->run(0, task.tensor->units(), {outcome.address, outcome.detail});
	if (cost >= tuning::LONG_BYTES) {
		core.did_long_work(cost);
		core.beat();
	}
	if (!core.watches.empty()) [[unlikely]]
		task.tensor->for_each_written([&](const std::byte *data, uint64_t bytes) {
			core.watches.wrote({data, bytes});
		});
	/* The graph only checks that this address is set: it then knows that the node ran on this thread. It
	 * never reads memory there. */
	if (task.keep)
		(*task.keep)[0] = reinterpret_cast<std::byte *>(task.tensor);
	return outcome;
}

} // namespace

Outcome run_tensor(const Task &task)
{
	ClientContext &client = task.client;
	if (client.core.null())
		return {};
	task.tensor->check_overflow(task.packet.flags);
	const Translation placed = task.tensor->place(client.mmu);
	if (placed.status != Status::OK)
		return {placed.status, placed.address};
	const uint64_t cost = task.tensor->cost_bytes();
	client.core.note_work(client.client_queue, cost);
	const bool has_engines = client.core.engines.available();
	if (client.core.in_place(cost) && (has_engines || cost < client.core.long_bytes))
		return run_here(task, cost);
	auto job = make_tensor_job(task);
	if (has_engines)
		return hand_over(client, task.owner, std::move(job));
	if (cut_of(*job).units != 0 && task.owner.take_pieces(job))
		return blocked();
	return run_here(task, cost);
}

} // namespace fw
