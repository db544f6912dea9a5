// SPDX-License-Identifier: MIT
/**
 * DOC: Executable graphs that move to another device
 *
 * An executable graph is loaded for the devices of its nodes. It is loaded again in two cases: a record node
 * gets an event of another device, or the graph is launched on a stream of a device that none of its nodes
 * uses. The new graph includes all updates of the old one. Its first launch runs after the last launch of the
 * old one.
 */
#include "graph_divide.h"

#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"

namespace umd::cuda {

/* Calls @visit for a graph and its clone, and for each pair of graphs inside them. */
template <class Visit> static void for_pairs(Graph &graph, Graph &clone, const Visit &visit)
{
	visit(graph, clone);
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (graph.live(node) && graph.kind(node) == TaskKind::CHILD)
			for_pairs(graph.child(node), clone.child(node), visit);
	}
}

static bool is_switch(TaskKind kind)
{
	return kind == TaskKind::COPY || kind == TaskKind::FILL || kind == TaskKind::HOST_COPY ||
	       kind == TaskKind::HOST_FILL;
}

/* Copies state that is not in the graph itself: which nodes are disabled, and the memory of the nodes. */
static void carry_over(const LoadedGraph &old, MultiExec &fresh, GraphMemory &memory)
{
	for_pairs(old.graph(), fresh.graph(), [&](Graph &from, Graph &to) {
		auto used = std::move(memory.at(&from));
		memory.erase(&from);
		memory[&to] = std::move(used);
		for (uint32_t node = 0; node < from.size(); node++) {
			if (from.live(node) && is_switch(from.kind(node)) &&
			    !old.is_enabled(from, node))
				(void)fresh.set_enabled(to, node, false);
		}
	});
}

/* A graph that needs no particular device is loaded on the device of the last launch. */
static DeviceRef place_of(const MultiExec &fresh, const NodePlacement &fallback)
{
	const ContextHold context = Contexts::hold_context(fallback.context);
	return context && homes_of(fresh.graph()).empty() ? DeviceRef(*context->open) : DeviceRef{};
}

/* Without thread safety analysis, because it releases the lock of its caller. */
CUresult divide_exec(std::unique_lock<base::Mutex> &lock, CUgraphExec handle, ExecObject &exec,
		     const std::vector<NodeMove> &moves,
		     const NodePlacement &fallback) NO_THREAD_SAFETY_ANALYSIS
{
	/* Unloads the old graph at the end, without the lock. */
	const LoadedGraph old = exec.exec;
	auto graph = old.graph().clone();
	for_pairs(old.graph(), *graph, [&](const Graph &from, Graph &to) {
		for (const NodeMove &move : moves) {
			if (move.within == &from)
				to.set(move.node, move.task);
		}
	});
	lock.unlock();
	std::shared_ptr<MultiExec> fresh = TRY(MultiExec::create(std::move(graph), fallback));
	std::unique_lock again(graphs_mutex());
	ExecObject *object = nullptr;
	TRY(find_exec(handle, object));
	if (&object->exec.graph() != &old.graph())
		return refuse(CUDA_ERROR_ILLEGAL_STATE,
			      "another thread changed the executable graph during the call");
	carry_over(object->exec, *fresh, object->memory);
	fresh->follow(old.pending(object->device), old);
	object->device = place_of(*fresh, fallback);
	object->exec = {nullptr, std::move(fresh)};
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
