// SPDX-License-Identifier: MIT
/**
 * DOC: Updates of executable graphs
 *
 * An update replaces tasks of nodes for later launches. cuGraphExecUpdate() takes all tasks from
 * another graph, whose nodes it pairs with those of the executable graph by their edges.
 */
#include <cstring>

#include "exec.h"
#include "graph_divide.h"
#include "pairs.h"
#include "umd/cuda/task/tasks.h"

namespace umd::cuda {

namespace {

/* A node that does not match, and the reason. */
struct UpdateMismatch {
	CUgraphExecUpdateResult why = CU_GRAPH_EXEC_UPDATE_SUCCESS;
	uint32_t number = Graph::NONE; /* number of a node in the new graph */
	uint32_t from = Graph::NONE;   /* the dependency of @number that does not match */
};

} // namespace

/* The kind of work that a task of @kind does. It is the same whether the device or the host does the work. */
static TaskKind work_of(TaskKind kind)
{
	if (kind == TaskKind::HOST_COPY)
		return TaskKind::COPY;
	return kind == TaskKind::HOST_FILL ? TaskKind::FILL : kind;
}

/* Whether a node of an executable graph can get the parameters of @fresh. */
static bool takes_parameters(const GraphMemory &memory, const Graph &old, uint32_t number,
			     const Graph &fresh, uint32_t fresh_number)
{
	/* Only a record may move to another device, because its event may be there. */
	if (old.kind(number) != TaskKind::RECORD && old.kind(number) != TaskKind::CHILD &&
	    old.home(number).device != fresh.home(fresh_number).device)
		return false;
	const bool is_fill = node_type(old, number) == CU_GRAPH_NODE_TYPE_MEMSET;
	if (is_fill && !same_rows(rows_at(old, number), rows_at(fresh, fresh_number)))
		return false;
	return old.kind(number) == TaskKind::CHILD ||
	       can_replace(memory.at(&old)[number], memory_of(fresh.task(fresh_number)));
}

/* Why the task of a node can't become that of its pair in the new graph. */
static CUgraphExecUpdateResult compare_tasks(const GraphMemory &memory, const Graph &old,
					     const Graph &fresh, const NodePair &pair)
{
	if (node_type(old, pair.old) != node_type(fresh, pair.fresh))
		return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
	if (!takes_parameters(memory, old, pair.old, fresh, pair.fresh))
		return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
	if (work_of(old.kind(pair.old)) != work_of(fresh.kind(pair.fresh)))
		return CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
	return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static UpdateMismatch compare(const GraphMemory &memory, const Graph &old, const Graph &fresh)
{
	const NodePairs pairs = pair_nodes(old, fresh);
	if (!pairs.match)
		return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, pairs.mismatch,
			pairs.misfit_from};
	for (const NodePair &pair : pairs.pairs) {
		const CUgraphExecUpdateResult why = compare_tasks(memory, old, fresh, pair);
		if (why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
			return {why, pair.fresh};
		if (old.kind(pair.old) != TaskKind::CHILD)
			continue;
		UpdateMismatch inside =
			compare(memory, old.child(pair.old), fresh.child(pair.fresh));
		/* In a labelled node, for example a batch of operations, the number of tasks must not
		 * change. */
		if (inside.why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
			return {old.label(pair.old) ? CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
						    : inside.why,
				pair.fresh};
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

/* Updates every node whose task differs, except for nodes that move to another device, which it adds to
 * @moves. compare() has found that the graphs match. */
static base::Status take_over(ExecObject &exec, Graph &old, const Graph &fresh,
			      std::vector<NodeMove> &moves) REQUIRES(graphs_mutex())
{
	for (const auto &[number, fresh_number] : pair_nodes(old, fresh).pairs) {
		if (old.kind(number) == TaskKind::CHILD) {
			TRY(take_over(exec, old.child(number), fresh.child(fresh_number), moves));
			continue;
		}
		GraphTask task = fresh.task(fresh_number);
		if (same_task(old.task(number), task))
			continue;
		if (task.home.device != old.home(number).device) {
			moves.push_back({&old, number, task});
			continue;
		}
		TRY(exec.exec.set(old, number, task));
		exec.memory.at(&old)[number] = memory_of(task);
	}
	return base::Status::OK;
}

static CUresult take_over(std::unique_lock<base::Mutex> &lock, CUgraphExec handle, ExecObject &exec,
			  Graph &old, const Graph &fresh) REQUIRES(graphs_mutex())
{
	std::vector<NodeMove> moves;
	TRY(take_over(exec, old, fresh, moves));
	return moves.empty() ? CUDA_SUCCESS : divide_exec(lock, handle, exec, moves, {});
}

CUresult update_exec(CUgraphExec exec_handle, CUgraph graph_handle,
		     CUgraphExecUpdateResultInfo &info, const char *call)
{
	info = CUgraphExecUpdateResultInfo{};
	info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	GraphObject *graph = nullptr;
	TRY(find_exec(exec_handle, exec));
	TRY(find_graph(graph_handle, graph));
	TRY(check_captured(*graph, "hGraph"));
	TRY(check_moved(*graph, "hGraph"));
	TRY(contexts_of(*graph->graph).check());
	UpdateMismatch mismatch = compare(exec->memory, exec->exec.graph(), *graph->graph);
	if (is_instantiated(graph->memory_nodes, exec->memory_nodes))
		mismatch = {CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED};
	info.result = mismatch.why;
	if (mismatch.why == CU_GRAPH_EXEC_UPDATE_SUCCESS) {
		set_instantiated(exec->memory_nodes, false);
		exec->memory_nodes = graph->memory_nodes;
		set_instantiated(exec->memory_nodes, true);
		CUresult code =
			take_over(lock, exec_handle, *exec, exec->exec.graph(), *graph->graph);
		if (code != CUDA_SUCCESS)
			info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
		return code;
	}
	if (mismatch.number != Graph::NONE)
		TRY(node_handle(*graph, mismatch.number, info.errorNode));
	if (mismatch.from != Graph::NONE)
		TRY(node_handle(*graph, mismatch.from, info.errorFromNode));
	return refuse(
		CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
		fmt::format("{} of hGraph does not fit hGraphExec: result {}",
			    mismatch.number == Graph::NONE
				    ? "the number of nodes, or memory of another executable graph,"
				    : fmt::format("node {}", mismatch.number),
			    static_cast<int>(mismatch.why)));
}

/* Replaces all tasks of the graph in a child node for later launches. */
static CUresult set_child(CUgraphExec exec_handle, CUgraphNode node_handle, CUgraph child_handle,
			  const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	ExecObject *exec = nullptr;
	NodeObject *node = nullptr;
	GraphObject *child = nullptr;
	Graph *part = nullptr;
	TRY(find_exec(exec_handle, exec));
	TRY(find_typed(node_handle, CU_GRAPH_NODE_TYPE_GRAPH, node));
	TRY(find_graph(child_handle, child));
	TRY(check_captured(*child, "childGraph"));
	TRY(contexts_of(*child->graph).check());
	TRY(find_part(*exec, *node, part));
	Graph &old = part->child(node->number);
	UpdateMismatch mismatch = compare(exec->memory, old, *child->graph);
	if (mismatch.why != CU_GRAPH_EXEC_UPDATE_SUCCESS)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("childGraph does not fit the graph in the node: result {}",
				    static_cast<int>(mismatch.why)));
	return take_over(lock, exec_handle, *exec, old, *child->graph);
}

/* Replaces the task of one node for later launches. */
template <class Make>
static CUresult set(CUgraphExec exec_handle, CUgraphNode node_handle, CUgraphNodeType type,
		    const Make &make, const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
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
