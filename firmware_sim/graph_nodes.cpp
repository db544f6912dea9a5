// SPDX-License-Identifier: MIT
/**
 * DOC: Graph nodes
 *
 * A node is stored twice. Its Task can rebuild the packet when mappings or arguments change. Its Node
 * is one cache line with a function and translated addresses; a replay reads nothing else. Together
 * they take 112 bytes. An operator also has its descriptor.
 */
#include "graph_nodes.h"

#include <bit>
#include <cstring>

#include "kernels/elementwise.h"
#include "kernels/operator_check.h"
#include "kernels/operator_table.h"

namespace fw {

/* Work on this many bytes takes about as long as the smallest node. */
static constexpr uint64_t COST_BYTES = 256;

static void run_copy(const Node &node)
{
	memmove(node.places[0], node.places[1], node.amount);
}

static void run_fill_bytes(const Node &node)
{
	memset(node.places[0], static_cast<int>(node.pattern & 0xff), node.amount);
}

template <class T> static void run_fill(const Node &node)
{
	auto value = static_cast<T>(node.pattern);
	for (uint64_t at = 0; at < node.amount; at += sizeof(T))
		memcpy(node.places[0] + at, &value, sizeof(T));
}

template <uint32_t KIND, simd::Form FORM> static void run_row(const Node &node)
{
	operator_table[KIND].elementwise->row(node.places[0], node.places[1], node.places[2],
					      node.amount, node.scalar, FORM);
}

static void run_descriptor(const Node &node)
{
	execute_operator(*reinterpret_cast<const unpu_operator *>(node.amount), node.places);
}

void GraphNodes::run_nothing(const Node &) {}

using Run = void (*)(const Node &);

/* Node::run of a ROW, by operator kind. */
template <simd::Form FORM> static constexpr std::array<Run, OPERATOR_ROWS> row_runs()
{
	std::array<Run, OPERATOR_ROWS> runs{};
#define FW_ROW_RUN(name, number) runs[number] = run_row<number, FORM>;
	UNPU_OPERATOR_LIST(FW_ROW_RUN)
#undef FW_ROW_RUN
	return runs;
}

/* @variant: of a ROW that has passed validate_packet() */
static Run row_function(uint16_t variant)
{
	static constexpr auto ROW_ROW = row_runs<simd::Form::ROW_ROW>();
	static constexpr auto ROW_ONE = row_runs<simd::Form::ROW_ONE>();
	static constexpr auto ONE_ROW = row_runs<simd::Form::ONE_ROW>();

	const auto &runs = variant & UNPU_ROW_LEFT_ONE	  ? ONE_ROW
			   : variant & UNPU_ROW_RIGHT_ONE ? ROW_ONE
							  : ROW_ROW;
	return runs[variant & UNPU_ROW_KIND_MASK];
}

void GraphNodes::load(const GraphImage &image)
{
	nodes_.resize(image.nodes.size());
	tasks_.resize(image.nodes.size());
	for (uint32_t i = 0; i < nodes_.size(); i++) {
		const unpu_packet &packet = image.nodes[i];
		const unpu_operator *op = nullptr;
		if (packet.opcode == UNPU_OP_OPERATOR)
			op = &image.operators[packet.op.offset / sizeof(unpu_operator)];
		change(i, packet, op);
		tasks_[i].stream = packet.valid;
	}
	signals_.shrink_to_fit();
	operators_.shrink_to_fit();
}

void GraphNodes::change(uint32_t index, const unpu_packet &packet, const unpu_operator *op)
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
	if (packet.opcode == UNPU_OP_NOP && packet.signal_op == UNPU_SIGNAL_NONE)
		node.run = run_nothing;
}

uint32_t GraphNodes::cost_of(const unpu_packet &packet, const unpu_operator *op)
{
	uint64_t bytes = 0;
	if (packet.opcode == UNPU_OP_COPY)
		bytes = packet.copy.bytes;
	else if (packet.opcode == UNPU_OP_FILL)
		bytes = packet.fill.bytes;
	else if (packet.opcode == UNPU_OP_ROW)
		bytes = 3 * sizeof(float) * packet.row.count;
	if (op && operator_row(op->kind).cost_bytes) {
		bytes = operator_row(op->kind).cost_bytes(*op);
	} else if (op) {
		bytes = sizeof(float) * op->noperands;
		for (uint32_t d = 0; d < op->ndim; d++)
			bytes *= static_cast<uint64_t>(op->dims[d]);
	}
	return static_cast<uint32_t>(std::min<uint64_t>(1 + bytes / COST_BYTES, UINT32_MAX / 2));
}

void GraphNodes::put_signal(Node &node, const unpu_packet &packet)
{
	if (packet.signal_op == UNPU_SIGNAL_NONE && node.signal == 0)
		return;
	if (node.signal == 0) {
		signals_.emplace_back();
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
	const unpu_operator *before = operators_.data();
	operators_.push_back(op);
	node.op = static_cast<uint32_t>(operators_.size());
	if (before != operators_.data())
		forget();
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
	if (tasks_[index].opcode != UNPU_OP_OPERATOR)
		return nullptr;
	return &operators_[nodes_[index].op - 1];
}

static Run fill_function(uint32_t width)
{
	return width == 1 ? run_fill_bytes : width == 2 ? run_fill<uint16_t> : run_fill<uint32_t>;
}

void GraphNodes::keep(uint32_t index, const Places &places)
{
	Node &node = nodes_[index];
	const Task &task = tasks_[index];
	if (!plain(index))
		return;
	node.places = places;
	const unpu_packet packet = this->packet(index);
	switch (task.opcode) {
	case UNPU_OP_COPY:
		node.amount = packet.copy.bytes;
		node.run = run_copy;
		return;
	case UNPU_OP_FILL:
		node.amount = packet.fill.bytes;
		node.pattern = packet.fill.pattern;
		node.run = fill_function(packet.fill.width);
		return;
	case UNPU_OP_ROW:
		node.amount = packet.row.count;
		node.scalar = std::bit_cast<float>(packet.row.scalar);
		node.run = row_function(task.variant);
		return;
	case UNPU_OP_OPERATOR:
		node.amount = reinterpret_cast<uint64_t>(&operators_[node.op - 1]);
		node.run = run_descriptor;
		return;
	default:
		return;
	}
}

void GraphNodes::forget()
{
	for (Node &node : nodes_) {
		if (node.run != run_nothing)
			node.run = nullptr;
	}
}

bool GraphNodes::plain(uint32_t index) const
{
	uint32_t signal = nodes_[index].signal;
	if (signal && signals_[signal - 1].op != UNPU_SIGNAL_NONE)
		return false;
	if (tasks_[index].flags & ~UNPU_PACKET_ALWAYS)
		return false;
	switch (tasks_[index].opcode) {
	case UNPU_OP_NOP:
	case UNPU_OP_COPY:
	case UNPU_OP_FILL:
	case UNPU_OP_ROW:
		return true;
	case UNPU_OP_OPERATOR:
		return !operator_row(descriptor(index)->kind).run;
	default:
		return false;
	}
}

Written GraphNodes::written(uint32_t index) const
{
	return written_by(packet(index), descriptor(index), nodes_[index].places);
}

unsigned GraphNodes::ranges(uint32_t index, MemoryRange (&out)[UNPU_OPERATOR_MAX_OPERANDS]) const
{
	const unpu_packet packet = this->packet(index);
	switch (packet.opcode) {
	case UNPU_OP_COPY:
		out[0] = {packet.copy.dst, packet.copy.bytes, UNPU_ACCESS_WRITE};
		out[1] = {packet.copy.src, packet.copy.bytes, UNPU_ACCESS_READ};
		return 2;
	case UNPU_OP_FILL:
		out[0] = {packet.fill.dst, packet.fill.bytes, UNPU_ACCESS_WRITE};
		return 1;
	case UNPU_OP_ROW:
		return row_ranges(packet, out);
	case UNPU_OP_OPERATOR: {
		const unpu_operator *op = descriptor(index);
		for (unsigned i = 0; i < op->noperands; i++) {
			const Reach reach = operand_reach(*op, i);
			out[i] = {reach.first, reach.bytes, op->operands[i].access};
		}
		return op->noperands;
	}
	default:
		return 0;
	}
}

uint64_t GraphNodes::bytes() const
{
	return nodes_.capacity() * sizeof(Node) + tasks_.capacity() * sizeof(Task) +
	       signals_.capacity() * sizeof(Signal) + operators_.capacity() * sizeof(unpu_operator);
}

} // namespace fw
