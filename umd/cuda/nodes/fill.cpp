// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of fill nodes
 */
#include "replace.h"
#include "umd/core/copy/copy.h"

using namespace umd::cuda;

CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
	TRY(enter());
	if (!nodeParams)
		return null_argument("nodeParams");
	std::unique_lock lock(graphs_mutex());
	const NodeParameters *parameters = nullptr;
	TRY(find_parameters(hNode, CU_GRAPH_NODE_TYPE_MEMSET, parameters));
	*nodeParams = parameters->fill;
	return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
	return set_node(hNode, CU_GRAPH_NODE_TYPE_MEMSET, [&](CUcontext context, NodeTask &task) {
		return fill_task(CudaCall::ADD_MEMSET_NODE, nodeParams, context, task);
	});
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
	return set_exec_node(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_MEMSET, [&](NodeTask &task) {
		return fill_task(CudaCall::ADD_MEMSET_NODE, memsetParams, ctx, task);
	});
}
