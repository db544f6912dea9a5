// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of copy nodes
 */
#include "replace.h"

using namespace umd::cuda;

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
	TRY(enter());
	if (!nodeParams)
		return null_argument("nodeParams");
	std::unique_lock lock(graphs_mutex());
	const NodeParameters *parameters = nullptr;
	TRY(find_parameters(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, parameters));
	*nodeParams = parameters->copy;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)
{
	return set_node(hNode, CU_GRAPH_NODE_TYPE_MEMCPY, [&](CUcontext context, NodeTask &task) {
		return copy_task(nodeParams, context, task);
	});
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
	return set_exec_node(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_MEMCPY,
			     [&](NodeTask &task) { return copy_task(copyParams, ctx, task); });
}
