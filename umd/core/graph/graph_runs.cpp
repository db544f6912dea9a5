// SPDX-License-Identifier: MIT
/**
 * DOC: Runs of a graph's nodes
 *
 * Finds the runs of nodes since the last call, by the time stamps of the nodes.
 */
#include <algorithm>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "graph_exec.h"
#include "uapi/tensor.h"
#include "umd/core/process/opcode.h"

namespace umd {

static const char *operator_type(uint32_t kind)
{
	switch (kind) {
	case UNPU_OPERATOR_ADD:
		return "Add";
	case UNPU_OPERATOR_MUL:
		return "Mul";
	case UNPU_OPERATOR_MAX:
		return "Maximum";
	case UNPU_OPERATOR_MIN:
		return "Minimum";
	case UNPU_OPERATOR_RANDOM:
		return "Random";
	default:
		return "MemcpyAsync";
	}
}

static const char *tensor_type(uint32_t kind)
{
	switch (kind) {
#define TENSOR_CASE(name, number, slots, attributes) \
	case number: \
		return #name;
		UNPU_TENSOR_LIST(TENSOR_CASE)
#undef TENSOR_CASE
	}
	return "Tensor";
}

/* Return: nullptr for a node that neither computes nor moves data. */
static const char *type_of(const Graph &graph, uint32_t node)
{
	const unpu_packet &packet = graph.packet(node);
	switch (opcode_row(packet).payload) {
	case Payload::OPERATOR:
		return operator_type(graph.task(node).op->kind);
	case Payload::TENSOR:
		return tensor_type(packet.variant);
	case Payload::KERNEL:
		return "Kernel";
	case Payload::ROW:
		return operator_type(packet.variant & UNPU_ROW_KIND_MASK);
	case Payload::COPY:
		return "MemcpyAsync";
	case Payload::FILL:
		return "MemsetAsync";
	case Payload::NONE:
	case Payload::FILE_READ:
	case Payload::FILE_WRITE:
		break;
	}
	return nullptr;
}

std::vector<NodeRun> GraphExec::take_runs()
{
	base::BiasedGuard lock(lock_);
	std::vector<NodeRun> runs;
	told_.resize(compiled_.flats.size());
	for (uint32_t number = 0; number < compiled_.flats.size(); number++) {
		const FlatNode &flat = compiled_.flats[number];
		if (flat.node == Graph::NONE)
			continue;
		unpu_graph_time time = times(number);
		const char *type = type_of(*flat.graph, flat.node);
		if (time.end_ns == 0 || time.begin_ns == told_[number])
			continue;
		told_[number] = time.begin_ns;
		if (!type)
			continue;
		bool top = flat.graph == graph_.get();
		runs.push_back({number, type,
				top ? fmt::format("{}_{}", type, flat.node)
				    : fmt::format("{}_in_{}", type, number),
				time.begin_ns, time.end_ns});
	}
	std::stable_sort(runs.begin(), runs.end(), [](const NodeRun &one, const NodeRun &other) {
		return one.begin_ns < other.begin_ns;
	});
	return runs;
}

void GraphExec::watch(std::shared_ptr<LaunchWatcher> watcher)
{
	uint64_t target = watcher ? add_target(watcher) : 0;
	base::BiasedGuard lock(lock_);
	watcher_ = std::move(watcher);
	/* Pending launches still name the buffer, so it is freed with the graph. */
	if (target != 0)
		watch_targets_.push_back(target);
}

} // namespace umd
