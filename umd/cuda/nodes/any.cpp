// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of nodes of any type, and nodes that are switched off
 */
#include "replace.h"
#include "umd/cuda/graph/exec.h"

namespace umd::cuda {

/* Makes a task of the type that the node must have. */
static CUresult make_any(const CUgraphNodeParams &params, NodeTask &task)
{
	if (params.type == CU_GRAPH_NODE_TYPE_GRAPH)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "the graph in a child node can't be replaced; change it through "
			      "cuGraphChildGraphNodeGetGraph");
	return any_task(params, task);
}

/* A node whose tasks can be switched off, in an executable graph. */
struct Switch {
	ExecObject *exec = nullptr;
	Graph *part = nullptr;
	uint32_t number = 0;
};

static CUresult find_switch(CUgraphExec exec_handle, CUgraphNode handle, Switch &found)
	REQUIRES(graphs_mutex())
{
	NodeObject *node = nullptr;
	TRY(find_exec(exec_handle, found.exec));
	TRY(find_node(handle, node));
	TRY(find_part(*found.exec, *node, found.part));
	found.number = node->number;
	CUgraphNodeType type = node_type(*found.part, node->number);
	if (type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("node {} is of type {}; only copies and fills can be disabled",
				  node->number, static_cast<int>(type)));
}

static CUresult set_enabled(const Switch &node, bool enabled) REQUIRES(graphs_mutex())
{
	const LoadedGraph &exec = node.exec->exec;
	if (node.part->kind(node.number) != TaskKind::CHILD)
		return result(exec.set_enabled(*node.part, node.number, enabled));
	Graph &rows = node.part->child(node.number);
	for (uint32_t row = 0; row < rows.size(); row++)
		TRY(exec.set_enabled(rows, row, enabled));
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
	TRY(enter());
	TRY(check_params(nodeParams));
	return set_node(hNode, nodeParams->type,
			[&](CUcontext, NodeTask &task) { return make_any(*nodeParams, task); });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
				  CUgraphNodeParams *nodeParams)
{
	TRY(enter());
	TRY(check_params(nodeParams));
	if (nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH)
		return cuGraphExecChildGraphNodeSetParams(hGraphExec, hNode,
							  nodeParams->graph.graph);
	return set_exec_node(hGraphExec, hNode, nodeParams->type,
			     [&](NodeTask &task) { return make_any(*nodeParams, task); });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)
{
	TRY(enter());
	std::unique_lock lock(graphs_mutex());
	Switch node;
	TRY(find_switch(hGraphExec, hNode, node));
	return set_enabled(node, isEnabled != 0);
}

CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled)
{
	TRY(enter());
	if (!isEnabled)
		return null_argument("isEnabled");
	std::unique_lock lock(graphs_mutex());
	Switch node;
	TRY(find_switch(hGraphExec, hNode, node));
	const bool rows = node.part->kind(node.number) == umd::TaskKind::CHILD;
	const umd::Graph &part = rows ? node.part->child(node.number) : *node.part;
	*isEnabled = node.exec->exec.is_enabled(part, rows ? 0 : node.number) ? 1 : 0;
	return CUDA_SUCCESS;
}
