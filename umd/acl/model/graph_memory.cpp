// SPDX-License-Identifier: MIT
/**
 * DOC: Memory of captured models
 *
 * A model keeps the addresses of its capture. If the program has freed one of them, an execution uses memory of nobody,
 * or of another allocation. Strict mode looks at each node before an execution.
 */
#include "graph_memory.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "umd/core/memory/nearest.h"
#include "umd/core/model/model.h"
#include "umd/core/model/task_group.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/call.h"
#include "umd/core/process/collective.h"
#include "umd/core/recorder/operands.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Status;
using recorder::Operand;
using recorder::Operands;

namespace {

/* struct Used - a range that a node uses. */
struct Used {
	uint32_t node;
	Call call;
	bool is_written;
	uint64_t address;
	uint64_t bytes;
};

Used range_of(const Operand &operand, uint32_t node, Call call)
{
	int64_t low = 0, high = 0;
	for (unsigned d = 0; d < operand.ndim; d++) {
		const int64_t span =
			operand.dims[d].stride * static_cast<int64_t>(operand.dims[d].count - 1);
		(span < 0 ? low : high) += span;
	}
	return {node, call, operand.access != san::Access::READ,
		operand.address + static_cast<uint64_t>(low),
		operand.run + static_cast<uint64_t>(high - low)};
}

/* A stream of a model that was built may jump over its tasks. */
bool jumps(const Graph &graph)
{
	for (uint32_t node = 0; node < graph.size(); node++)
		if (graph.live(node) &&
		    (graph.kind(node) == TaskKind::JUMP || graph.kind(node) == TaskKind::ACTIVATE))
			return true;
	return false;
}

void add_node(std::vector<Used> &all, const GraphTask &task, uint32_t node)
{
	const uint16_t number = drv::decode_cookie(task.packet.cookie).call;
	if (is_collective(number))
		return;
	const auto operands = std::make_unique<Operands>();
	if (task.tensor)
		(void)operands->add_packet(task.packet, task.tensor->data(),
					   task.tensor->size() * sizeof(uint64_t));
	else
		(void)operands->add_packet(task.packet, task.op, task.op ? sizeof(*task.op) : 0);
	for (size_t i = 0; i < operands->count(); i++) {
		const Used used = range_of((*operands)[i], node, static_cast<Call>(number));
		if (used.bytes != 0)
			all.push_back(used);
	}
}

/* An update replaces the operands of the tasks of a group. */
bool is_grouped(const Model &model, uint32_t node)
{
	return std::any_of(model.groups.begin(), model.groups.end(), [&](const TaskGroup *group) {
		return std::find(group->nodes.begin(), group->nodes.end(), node) !=
		       group->nodes.end();
	});
}

std::vector<Used> memory_of(Model &model)
{
	std::vector<Used> all;
	base::BiasedGuard lock(model.lock);
	if (model.state != Model::State::READY || !model.graph || jumps(*model.graph))
		return all;
	for (uint32_t node = 0; node < model.graph->size(); node++) {
		if (!model.graph->live(node) || is_grouped(model, node))
			continue;
		const TaskKind kind = model.graph->kind(node);
		if (kind != TaskKind::CHILD && kind != TaskKind::COND)
			add_node(all, model.graph->task(node), node);
	}
	return all;
}

} // namespace

Status check_graph_memory(const char *call, Model &model, const Stream &stream)
{
	for (const Used &used : memory_of(model)) {
		const std::string name =
			fmt::format("node {} ({}) of model {}, {}", used.node, call_name(used.call),
				    model.id, used.is_written ? "result" : "source");
		TRY(check::check_use(call, name.c_str(), used.address, used.bytes,
				     stream.context->state->index));
	}
	return Status::OK;
}

} // namespace umd
