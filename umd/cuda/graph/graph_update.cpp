// SPDX-License-Identifier: MIT
/**
 * DOC: Updates of executable graphs
 *
 * An update replaces tasks of nodes for later launches. cuGraphExecUpdate() takes all tasks from
 * another graph, which must have the same nodes in the same order with the same edges.
 */
#include <algorithm>
#include <cstring>

#include "exec.h"
#include "graph_divide.h"
#include "umd/cuda/nodes/tasks.h"

namespace umd::cuda {

namespace {

/* A node that does not match, and the reason. */
struct Misfit {
	CUgraphExecUpdateResult why = CU_GRAPH_EXEC_UPDATE_SUCCESS;
	uint32_t number = Graph::NONE; /* in the new graph */
};

} // namespace

static std::vector<uint32_t> live_nodes(const Graph &graph)
{
	std::vector<uint32_t> numbers;
	for (uint32_t i = 0; i < graph.size(); i++) {
		if (graph.live(i))
			numbers.push_back(i);
	}
	return numbers;
}

/* Converts numbers to positions among the live nodes, so that removed nodes do not count. */
static std::vector<size_t> positions(const std::vector<uint32_t> &nodes,
				     std::span<const uint32_t> numbers)
{
	std::vector<size_t> found;
	for (uint32_t number : numbers)
		found.push_back(static_cast<size_t>(
			std::lower_bound(nodes.begin(), nodes.end(), number) - nodes.begin()));
	std::sort(found.begin(), found.end());
	return found;
}

/* What a task of @kind does, whether the device or the host does it. */
static TaskKind work_of(TaskKind kind)
{
	if (kind == TaskKind::HOST_COPY)
		return TaskKind::COPY;
	return kind == TaskKind::HOST_FILL ? TaskKind::FILL : kind;
}

/* Whether the parameters of a node that was instantiated can become those of @fresh. */
static bool takes_parameters(const GraphMemory &memory, const Graph &old, uint32_t number,
			     const Graph &fresh, uint32_t fresh_number)
{
	/* Only a record may move to another device, with its event. */
	if (old.kind(number) != TaskKind::RECORD && old.kind(number) != TaskKind::CHILD &&
	    old.home(number).device != fresh.home(fresh_number).device)
		return false;
	const bool is_fill = node_type(old, number) == CU_GRAPH_NODE_TYPE_MEMSET;
	if (is_fill && !same_rows(rows_at(old, number), rows_at(fresh, fresh_number)))
		return false;
	return old.kind(number) == TaskKind::CHILD ||
	       can_replace(memory.at(&old)[number], memory_of(fresh.task(fresh_number)));
}

static Misfit compare(const GraphMemory &memory, const Graph &old, const Graph &fresh)
{
	std::vector<uint32_t> olds = live_nodes(old);
	std::vector<uint32_t> news = live_nodes(fresh);
	if (olds.size() != news.size())
		return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, Graph::NONE};
	for (size_t i = 0; i < olds.size(); i++) {
		if (node_type(old, olds[i]) != node_type(fresh, news[i]))
			return {CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, news[i]};
		if (positions(olds, old.after(olds[i])) != positions(news, fresh.after(news[i])))
			return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, news[i]};
		if (!takes_parameters(memory, old, olds[i], fresh, news[i]))
			return {CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, news[i]};
		if (work_of(old.kind(olds[i])) != work_of(fresh.kind(news[i])))
			return {CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, news[i]};
		if (old.kind(olds[i]) != TaskKind::CHILD)
			continue;
		Misfit inside = compare(memory, old.child(olds[i]), fresh.child(news[i]));
		/* In a labelled node, for example a batch of operations, the number of tasks must not
		 * change. */
		if (inside.why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
			return {old.label(olds[i]) ? CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
						   : inside.why,
				news[i]};
	}
	return {};
}

static bool same_task(const GraphTask &left, const GraphTask &right)
{
	return memcmp(&left.packet, &right.packet, sizeof(left.packet)) == 0 &&
	       !left.op == !right.op &&
	       (!left.op || memcmp(left.op, right.op, sizeof(*left.op)) == 0) &&
	       left.host.fn == right.host.fn && left.host.args == right.host.args &&
	       left.host.work == right.host.work && left.event == right.event &&
	       left.home == right.home;
}

/* Updates every node whose task differs, but for those that move to another device, which it adds to @moves.
 * compare() has found that the graphs match. */
static base::Status take_over(ExecObject &exec, Graph &old, const Graph &fresh,
			      std::vector<NodeMove> &moves) REQUIRES(graphs_mutex())
{
	std::vector<uint32_t> olds = live_nodes(old);
	std::vector<uint32_t> news = live_nodes(fresh);
	for (size_t i = 0; i < olds.size(); i++) {
		if (old.kind(olds[i]) == TaskKind::CHILD) {
			TRY(take_over(exec, old.child(olds[i]), fresh.child(news[i]), moves));
			continue;
		}
		GraphTask task = fresh.task(news[i]);
		if (same_task(old.task(olds[i]), task))
			continue;
		if (task.home.device != old.home(olds[i]).device) {
			moves.push_back({&old, olds[i], task});
			continue;
		}
		TRY(exec.exec.set(old, olds[i], task));
		exec.memory.at(&old)[olds[i]] = memory_of(task);
	}
	return base::Status::OK;
}

static CUresult take_over(std::unique_lock<base::Mutex> &lock, CUgraphExec handle, ExecObject &exec,
			  Graph &old, const Graph &fresh) REQUIRES(graphs_mutex())
{
	std::vector<NodeMove> moves;
	TRY(result(take_over(exec, old, fresh, moves)));
	return moves.empty() ? CUDA_SUCCESS : divide_exec(lock, handle, exec, moves, {});
}

CUresult update_exec(CUgraphExec exec_handle, CUgraph graph_handle,
		     CUgraphExecUpdateResultInfo &info)
{
	info = CUgraphExecUpdateResultInfo{};
	info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
	TRY(enter());
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	GraphObject *graph = nullptr;
	TRY(find_exec(exec_handle, exec));
	TRY(find_graph(graph_handle, graph));
	TRY(check_captured(*graph, "hGraph"));
	TRY(check_moved(*graph, "hGraph"));
	TRY(result(contexts_of(*graph->graph).check()));
	Misfit misfit = compare(exec->memory, exec->exec.graph(), *graph->graph);
	info.result = misfit.why;
	if (misfit.why == CU_GRAPH_EXEC_UPDATE_SUCCESS) {
		CUresult code =
			take_over(lock, exec_handle, *exec, exec->exec.graph(), *graph->graph);
		if (code != CUDA_SUCCESS)
			info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
		return code;
	}
	if (misfit.number != Graph::NONE)
		TRY(node_handle(*graph, misfit.number, info.errorNode));
	return refuse(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
		      fmt::format("{} of hGraph does not fit hGraphExec: result {}",
				  misfit.number == Graph::NONE
					  ? "the number of nodes"
					  : fmt::format("node {}", misfit.number),
				  static_cast<int>(misfit.why)));
}

/* Replaces all tasks of the graph in a child node for later launches. */
static CUresult set_child(CUgraphExec exec_handle, CUgraphNode node_handle, CUgraph child_handle)
{
	TRY(enter());
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	NodeObject *node = nullptr;
	GraphObject *child = nullptr;
	Graph *part = nullptr;
	TRY(find_exec(exec_handle, exec));
	TRY(find_typed(node_handle, CU_GRAPH_NODE_TYPE_GRAPH, node));
	TRY(find_graph(child_handle, child));
	TRY(check_captured(*child, "childGraph"));
	TRY(result(contexts_of(*child->graph).check()));
	TRY(find_part(*exec, *node, part));
	Graph &old = part->child(node->number);
	Misfit misfit = compare(exec->memory, old, *child->graph);
	if (misfit.why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("childGraph does not fit the graph in the node: result {}",
				    static_cast<int>(misfit.why)));
	return take_over(lock, exec_handle, *exec, old, *child->graph);
}

/* Replaces the task of one node for later launches. */
template <class Make>
static CUresult set(CUgraphExec exec_handle, CUgraphNode node_handle, CUgraphNodeType type,
		    const Make &make)
{
	TRY(enter());
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	NodeObject *node = nullptr;
	Graph *part = nullptr;
	NodeTask task;
	TRY(find_exec(exec_handle, exec));
	TRY(find_typed(node_handle, type, node));
	TRY(find_part(*exec, *node, part));
	TRY(make(task));
	if (task.task.home.device != part->home(node->number).device)
		return divide_exec(lock, exec_handle, *exec, {{part, node->number, task.task}}, {});
	return result(exec->exec.set(*part, node->number, task.task));
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
			   CUgraphExecUpdateResultInfo *resultInfo)
{
	if (!resultInfo)
		return null_argument("resultInfo");
	return update_exec(hGraphExec, hGraph, *resultInfo);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
				      const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	return set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_HOST,
		   [&](NodeTask &node) { return host_task(nodeParams, node); });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
					    CUevent event)
{
	return set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
		   [&](NodeTask &node) { return record_task(event, node); });
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)
{
	return set(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT,
		   [&](NodeTask &node) { return wait_task(event, node); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					    CUgraph childGraph)
{
	return set_child(hGraphExec, hNode, childGraph);
}
