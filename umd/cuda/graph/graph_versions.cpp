// SPDX-License-Identifier: MIT
/**
 * DOC: Old versions of graph calls
 *
 * They have no edge data; the newest versions accept only edge data that is all 0.
 */
#define CUDA_API_EXACT_NAMES
#include "exec.h"
#include "umd/core/process/error.h"

using namespace umd::cuda;

extern "C" {

/* The functions that the headers declare without the suffix _v2. */
CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
			   const CUgraphEdgeData *edges, size_t count, void *params);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
				   const CUgraphEdgeData *edges, size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
				      const CUgraphEdgeData *edges, size_t count);
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
			    CUgraphEdgeData *edges, size_t *count);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges,
				       size_t *count);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
					 CUgraphEdgeData *edges, size_t *count);

CUresult CUDAAPI cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
				size_t count, void *params);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
					const CUgraphNode *to, size_t count);
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
					   const CUgraphNode *to, size_t count);
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count);
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count);
CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *error_node,
				    char *log, size_t log_bytes);
CUresult CUDAAPI cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *error_node,
				       char *log, size_t log_bytes);
CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *error_node,
				   CUgraphExecUpdateResult *why);
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
			size_t count, void *params)
{
	return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, params);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
				size_t count)
{
	return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
				   size_t count)
{
	return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
	return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
	return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count)
{
	return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}

/* On failure the error message is copied to the log of the caller. */
CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *error_node, char *log,
			    size_t log_bytes)
{
	(void)umd::take_error();
	Obstacle obstacle;
	CUresult code = instantiate(exec, graph, 0, 0, obstacle);
	if (error_node)
		*error_node = obstacle.node;
	const char *text = code == CUDA_SUCCESS ? nullptr : umd::take_error();
	if (log && log_bytes > 0)
		fmt::format_to_n(log, log_bytes - 1, "{}", text ? text : "").out[0] = '\0';
	return code;
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *error_node, char *log,
			       size_t log_bytes)
{
	return cuGraphInstantiate(exec, graph, error_node, log, log_bytes);
}

/* The program may pass NULL if it does not want the handle of the node. */
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *error_node,
			   CUgraphExecUpdateResult *why)
{
	if (!why)
		return null_argument("updateResult_out");
	CUgraphExecUpdateResultInfo info;
	CUresult code = update_exec(exec, graph, info);
	if (error_node)
		*error_node = info.errorNode;
	*why = info.result;
	return code;
}
