// SPDX-License-Identifier: MIT
/**
 * DOC: Parameters of nodes with operations on words
 */
#include "replace.h"

using namespace umd::cuda;

static CUresult make_batch(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, NodeTask &task)
{
	if (!params)
		return null_argument("nodeParams");
	return batch_task(CudaCall::ADD_BATCH_NODE, params->ctx, params->count, params->paramArray,
			  params->flags, task);
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
					CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)
{
	TRY(enter());
	if (!nodeParams_out)
		return null_argument("nodeParams_out");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	const NodeParameters *parameters = nullptr;
	TRY(find_typed(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, node));
	TRY(parameters_of(*node, parameters));
	nodeParams_out->ctx = context_of(*node);
	nodeParams_out->count = static_cast<unsigned>(parameters->operations.size());
	/* By the interface, the program may write through the returned pointer into the node's own array. */
	nodeParams_out->paramArray = node->given->operations.data();
	nodeParams_out->flags = 0;
	return CUDA_SUCCESS;
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode,
					const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
	return set_node(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
			[&](CUcontext, NodeTask &task) { return make_batch(nodeParams, task); });
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					    const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
	return set_exec_node(hGraphExec, hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
			     [&](NodeTask &task) { return make_batch(nodeParams, task); });
}
