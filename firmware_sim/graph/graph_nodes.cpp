// SPDX-License-Identifier: MIT
/**
 * DOC: Graph nodes
 *
 * A node is stored twice. Its Task can rebuild the packet when mappings or arguments change. Its Node
 * is one cache line with a function and translated addresses; a replay reads nothing else. Together
 * they take 112 bytes. An operator also has its descriptor.
 */
#include "graph_nodes.h"

#include <algorithm>
#include <cstring>

#include "firmware_sim/engine/background_work.h"
#include "firmware_sim/kernels/operator_table.h"

namespace fw {

/* Work on this many bytes takes about as long as the smallest node. */
static constexpr uint64_t COST_BYTES = 256;

void GraphNodes::run_nothing(const Node &) {}

void GraphNodes::load(const GraphImage &image)
{
	nodes_.reserve(image.nodes.size());
	tasks_.reserve(image.nodes.size());
	generations_.resize((image.nodes.size() + BLOCK_NODES - 1) / BLOCK_NODES);
	for (uint32_t i = 0; i < image.nodes.size(); i++) {
		nodes_.emplace_back();
		tasks_.emplace_back();
		const unpu_packet &packet = image.nodes[i];
		const unpu_operator *op = nullptr;
		if (opcode_row(packet.opcode).has_descriptor)
			op = &image.operators[packet.op.offset / sizeof(unpu_operator)];
		change(i, packet, op,
		       opcode_row(packet.opcode).has_words()
			       ? tensor_words(image.tensors, packet.tensor)
			       : std::span<const uint64_t>());
		tasks_[i].stream = packet.valid;
		BackgroundWork::note_work(sizeof(Node) + sizeof(Task));
	}
	signals_.end_load();
	operators_.end_load();
}

void GraphNodes::change(uint32_t index, const unpu_packet &packet, const unpu_operator *op,
			std::span<const uint64_t> words)
{
	Node &node = nodes_[index];
	Task &task = tasks_[index];
	task.opcode = packet.opcode;
	task.flags = packet.flags;
	task.variant = packet.variant;
	task.cookie = packet.cookie;
	memcpy(task.words, packet.words, sizeof(task.words));
	node.run = nullptr;
	node.cost = cost_of(packet, op);
	put_signal(node, packet);
	if (op)
		put_operator(node, *op);
	const Opcode &row = opcode_row(packet.opcode);
	put_tensor(index, row.has_tensor ? words : std::span<const uint64_t>());
	put_kernel(index, row.has_kernel ? words : std::span<const uint64_t>());
	if (opcode_row(packet.opcode).run == fw::run_nothing &&
	    packet.signal_op == UNPU_SIGNAL_NONE)
		node.run = run_nothing;
}

uint32_t GraphNodes::cost_of(const unpu_packet &packet, const unpu_operator *op)
{
	const Work *work = opcode_row(packet.opcode).work;
	const uint64_t bytes = work ? work->cost_bytes(packet, op) : 0;
	return static_cast<uint32_t>(std::min<uint64_t>(1 + bytes / COST_BYTES, UINT32_MAX / 2));
}

void GraphNodes::put_signal(Node &node, const unpu_packet &packet)
{
	if (packet.signal_op == UNPU_SIGNAL_NONE && node.signal == 0)
		return;
	if (node.signal == 0) {
		signals_.add({});
		node.signal = static_cast<uint32_t>(signals_.size());
	}
	signals_[node.signal - 1] = {packet.signal_sem, packet.signal_op, packet.signal_value};
}

void GraphNodes::put_operator(Node &node, const unpu_operator &op)
{
	if (node.op != 0) {
		operators_[node.op - 1] = op;
		return;
	}
	operators_.add(op);
	node.op = static_cast<uint32_t>(operators_.size());
}

void GraphNodes::put_tensor(uint32_t index, std::span<const uint64_t> words)
{
	const auto found = tensors_.find(index);
	if (found != tensors_.end()) {
		tensor_bytes_ -= found->second.bytes();
		tensors_.erase(found);
	}
	if (words.empty())
		return;
	TensorOp &op = tensors_[index];
	/* The check of the image has decoded the same words before. */
	(void)op.decode(words);
	tensor_bytes_ += op.bytes();
	nodes_[index].cost = static_cast<uint32_t>(
		std::min<uint64_t>(1 + op.cost_bytes() / COST_BYTES, UINT32_MAX / 2));
}

void GraphNodes::put_kernel(uint32_t index, std::span<const uint64_t> words)
{
	const auto found = kernels_.find(index);
	if (found != kernels_.end()) {
		kernel_bytes_ -= sizeof(*found) + found->second.bytes();
		kernels_.erase(found);
	}
	if (words.empty())
		return;
	KernelLaunch &launch = kernels_[index];
	/* The check of the image has decoded the same words before. */
	(void)launch.decode(words);
	kernel_bytes_ += sizeof(*kernels_.begin()) + launch.bytes();
}

const KernelLaunch *GraphNodes::kernel(uint32_t index) const
{
	if (!opcode_row(tasks_[index].opcode).has_kernel)
		return nullptr;
	return &kernels_.find(index)->second;
}

TensorOp *GraphNodes::tensor(uint32_t index)
{
	if (!opcode_row(tasks_[index].opcode).has_tensor)
		return nullptr;
	return &tensors_.find(index)->second;
}

static void run_tensor_node(const Node &node)
{
	const auto &op = *reinterpret_cast<const TensorOp *>(node.amount);
	uint64_t address, index;
	/* Only an operator that can't fail is kept. */
	(void)op.run(0, op.units(), {address, index});
}

void GraphNodes::keep_tensor(uint32_t index)
{
	Node &node = nodes_[index];
	const TensorOp &op = tensors_.find(index)->second;
	if (!op.always_succeeds())
		return;
	node.amount = reinterpret_cast<uint64_t>(&op);
	node.run = run_tensor_node;
}

unpu_packet GraphNodes::packet(uint32_t index) const
{
	const Task &task = tasks_[index];
	unpu_packet packet{};
	packet.opcode = task.opcode;
	packet.flags = task.flags;
	packet.variant = task.variant;
	packet.cookie = task.cookie;
	memcpy(packet.words, task.words, sizeof(packet.words));
	if (uint32_t signal = nodes_[index].signal) {
		packet.signal_sem = signals_[signal - 1].sem;
		packet.signal_op = signals_[signal - 1].op;
		packet.signal_value = signals_[signal - 1].value;
	}
	return packet;
}

const unpu_operator *GraphNodes::descriptor(uint32_t index) const
{
	if (!opcode_row(tasks_[index].opcode).has_descriptor)
		return nullptr;
	return &operators_[nodes_[index].op - 1];
}

void GraphNodes::keep(uint32_t index, const Places &places)
{
	Node &node = nodes_[index];
	const Opcode &row = opcode_row(tasks_[index].opcode);
	const Work *work = row.work;
	if (!plain(index))
		return;
	if (row.has_tensor)
		keep_tensor(index);
	if (!work)
		return;
	node.places = places;
	work->prepare(node, packet(index), descriptor(index));
}

/* Drops the cached addresses of a block of nodes. */
void GraphNodes::drop(uint32_t block)
{
	const size_t first = size_t{block} * BLOCK_NODES;
	const size_t end = std::min(first + BLOCK_NODES, nodes_.size());
	for (size_t i = first; i < end; i++) {
		if (nodes_[i].run != run_nothing)
			nodes_[i].run = nullptr;
	}
	generations_[block] = generation_;
}

bool GraphNodes::plain(uint32_t index) const
{
	uint32_t signal = nodes_[index].signal;
	if (signal && signals_[signal - 1].op != UNPU_SIGNAL_NONE)
		return false;
	if (tasks_[index].flags & ~UNPU_PACKET_ALWAYS)
		return false;
	const Opcode &row = opcode_row(tasks_[index].opcode);
	if (row.has_descriptor && operator_row(descriptor(index)->kind).run)
		return false;
	return row.work || row.has_tensor || row.run == fw::run_nothing;
}

Written GraphNodes::written(uint32_t index) const
{
	return written_by(packet(index), descriptor(index), nodes_[index].places);
}

unsigned GraphNodes::ranges(uint32_t index, MemoryRange (&out)[UNPU_OPERATOR_MAX_OPERANDS]) const
{
	const Work *work = opcode_row(tasks_[index].opcode).work;
	return work ? work->ranges(packet(index), descriptor(index), out) : 0;
}

uint64_t GraphNodes::bytes() const
{
	return nodes_.capacity() * sizeof(Node) + tasks_.capacity() * sizeof(Task) +
	       generations_.capacity() * sizeof(generations_[0]) + signals_.bytes() +
	       operators_.bytes() + tensor_bytes_ + kernel_bytes_;
}

/* A decoded operator takes less than this for each of its words: a view of a tensor has three of them and more. */
static constexpr uint64_t DECODED_BYTES = 64;

uint64_t GraphNodes::growth(uint32_t index, const unpu_packet &packet, size_t words) const
{
	const Opcode &row = opcode_row(packet.opcode);
	uint64_t bytes = 0;
	if (packet.signal_op != UNPU_SIGNAL_NONE && nodes_[index].signal == 0)
		bytes += sizeof(Signal);
	if (row.has_descriptor && nodes_[index].op == 0)
		bytes += sizeof(unpu_operator);
	if (const auto found = tensors_.find(index); row.has_tensor) {
		const uint64_t most = sizeof(TensorOp) + words * DECODED_BYTES;
		bytes += most -
			 (found == tensors_.end() ? 0 : std::min(most, found->second.bytes()));
	}
	if (row.has_kernel && kernels_.find(index) == kernels_.end())
		bytes += sizeof(*kernels_.begin()) + words * sizeof(uint64_t);
	return bytes;
}

} // namespace fw
