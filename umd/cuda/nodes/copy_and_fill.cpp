// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of copy nodes and fill nodes
 */
#include "replace.h"

using namespace umd::cuda;

static CUresult get_parameters(CUgraphNode handle, CUgraphNodeType type,
			       const NodeParameters *&parameters) REQUIRES(graphs_mutex())
{
	NodeObject *node = nullptr;
	TRY(find_typed(handle, type, node));
	return parameters_of(*node, parameters);
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
	TRY(enter());
	if (!nodeParams)
		return null_argument("nodeParams");
	std::unique_lock lock(graphs_mutex());
	const NodeParameters *parameters = nullptr;
	TRY(get_parameters(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, parameters));
	*nodeParams = parameters->copy;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)
{
	return set_node(hNode, CU_GRAPH_NODE_TYPE_MEMCPY,
			[&](const NodeObject &node, NodeTask &task) REQUIRES(graphs_mutex()) {
				return copy_task(nodeParams, context_of(node), task);
			});
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
	return set_exec_node(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_MEMCPY,
			     [&](const NodeObject &, NodeTask &task) {
				     return copy_task(copyParams, ctx, task);
			     });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
	TRY(enter());
	if (!nodeParams)
		return null_argument("nodeParams");
	std::unique_lock lock(graphs_mutex());
	const NodeParameters *parameters = nullptr;
	TRY(get_parameters(hNode, CU_GRAPH_NODE_TYPE_MEMSET, parameters));
	*nodeParams = parameters->fill;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
	return set_node(hNode, CU_GRAPH_NODE_TYPE_MEMSET,
			[&](const NodeObject &node, NodeTask &task) REQUIRES(graphs_mutex()) {
				return fill_task(nodeParams, context_of(node), task);
			});
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
	return set_exec_node(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_MEMSET,
			     [&](const NodeObject &, NodeTask &task) {
				     return fill_task(memsetParams, ctx, task);
			     });
}
