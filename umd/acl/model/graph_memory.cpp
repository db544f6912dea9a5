// SPDX-License-Identifier: MIT
/**
 * DOC: Memory of captured models
 *
 * A model keeps the addresses of its capture. If the program has freed one of them, an execution uses memory of nobody,
 * or of another allocation. Strict mode looks at each node before an execution.
 */
#include "graph_memory.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "umd/core/memory/nearest.h"
#include "umd/core/model/model.h"
#include "umd/core/model/task_group.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/call.h"
#include "umd/core/recorder/graph_use.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Status;
using recorder::Used;

namespace {

/* A stream of a model that was built may jump over its tasks. */
bool jumps(const Graph &graph)
{
	for (uint32_t node = 0; node < graph.size(); node++)
		if (graph.live(node) &&
		    (graph.kind(node) == TaskKind::JUMP || graph.kind(node) == TaskKind::ACTIVATE))
			return true;
	return false;
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
			recorder::add_uses(all, model.graph->task(node), node);
	}
	return all;
}

} // namespace

Status check_graph_memory(const char *call, Model &model, const Stream &stream)
{
	for (const Used &used : memory_of(model)) {
		const std::string name = fmt::format("node {} ({}) of model {}, {}", used.node,
						     call_name(used.call), model.id, used.role());
		TRY(check::check_use(call, name.c_str(), used.address, used.bytes,
				     stream.context->state->index));
	}
	return Status::OK;
}

} // namespace umd
