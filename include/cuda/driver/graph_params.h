/* SPDX-License-Identifier: MIT */
/*
 * DOC: Parameters of nodes
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A function with Exec in its name changes an executable graph for later launches, and not the graph that
 * it was made of. A node of an executable graph keeps its shape: a copy the kinds of its memory, a fill of
 * several rows all but address and value, a batch the number and types of its operations.
 */
#ifndef CUDA_DRIVER_GRAPH_PARAMS_H
#define CUDA_DRIVER_GRAPH_PARAMS_H

#include "graph_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGraphMemcpyNodeGetParams() - the parameters of a copy
 * @hNode: a copy node
 * @nodeParams: receives them; those of a captured or cloned node describe the same copy, but may be
 * written in another way than the program wrote them
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams);

/**
 * cuGraphMemcpyNodeSetParams() - replaces the parameters of a copy
 * @hNode: a copy node of a graph
 * @nodeParams: as for cuGraphAddMemcpyNode(); the node keeps its context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams);

/**
 * cuGraphExecMemcpyNodeSetParams() - replaces the parameters of a copy for later launches
 * @hGraphExec: an executable graph
 * @hNode: the node in the graph that it was made of
 * @copyParams: as for cuGraphAddMemcpyNode()
 * @ctx: a context of the node's device, or NULL for the current one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory of another kind or device than before.
 */
CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						const CUDA_MEMCPY3D *copyParams, CUcontext ctx);

/**
 * cuGraphMemsetNodeGetParams() - the parameters of a fill
 * @hNode: a fill node
 * @nodeParams: receives them
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams);

/**
 * cuGraphMemsetNodeSetParams() - replaces the parameters of a fill
 * @hNode: a fill node of a graph
 * @nodeParams: as for cuGraphAddMemsetNode(); the node keeps its context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode hNode,
					    const CUDA_MEMSET_NODE_PARAMS *nodeParams);

/**
 * cuGraphExecMemsetNodeSetParams() - replaces the parameters of a fill for later launches
 * @hGraphExec: an executable graph
 * @hNode: the node in the graph that it was made of
 * @memsetParams: as for cuGraphAddMemsetNode()
 * @ctx: a context of the node's device, or NULL for the current one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for another number of rows, and for rows of another shape.
 */
CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						const CUDA_MEMSET_NODE_PARAMS *memsetParams,
						CUcontext ctx);

/**
 * cuGraphExecChildGraphNodeSetParams() - replaces all parameters in the graph of a child node for later
 * launches
 * @hGraphExec: an executable graph
 * @hNode: the child node in the graph that it was made of
 * @childGraph: a graph with the same nodes and edges in the same order
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						    CUgraph childGraph);

/**
 * cuGraphBatchMemOpNodeGetParams() - the parameters of a batch of operations on words
 * @hNode: a node of cuGraphAddBatchMemOpNode() or of a captured operation
 * @nodeParams_out: receives them; its array belongs to the node and is valid until the node changes
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
						CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out);

/**
 * cuGraphBatchMemOpNodeSetParams() - replaces the operations of a batch
 * @hNode: a node with operations on words, of a graph
 * @nodeParams: as for cuGraphAddBatchMemOpNode(); copied
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode,
						const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);

/**
 * cuGraphExecBatchMemOpNodeSetParams() - replaces the operations of a batch for later launches
 * @hGraphExec: an executable graph
 * @hNode: the node in the graph that it was made of
 * @nodeParams: as many operations as before, each of the same type; copied
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(
	CUgraphExec hGraphExec, CUgraphNode hNode,
	const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);

/**
 * cuGraphNodeSetParams() - replaces the parameters of a node of any type
 * @hNode: a node of a graph
 * @nodeParams: as for cuGraphAddNode(), of the type that the node has
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED for a child graph, and as cuGraphAddNode().
 */
CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams);

/**
 * cuGraphExecNodeSetParams() - replaces the parameters of a node of any type for later launches
 * @hGraphExec: an executable graph
 * @hNode: the node in the graph that it was made of
 * @nodeParams: as for cuGraphAddNode(), of the type that the node has
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also where the shape would change.
 */
CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					  CUgraphNodeParams *nodeParams);

/**
 * cuGraphNodeSetEnabled() - switches a node on or off for later launches
 * @hGraphExec: an executable graph
 * @hNode: a copy or fill node in the graph that it was made of
 * @isEnabled: 0: the node does nothing, and later nodes still wait for earlier ones. Parameters can be
 * replaced meanwhile, and count once the node is enabled
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for other types of nodes.
 */
CUresult CUDAAPI cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
				       unsigned int isEnabled);

/**
 * cuGraphNodeGetEnabled() - whether a node is enabled
 * @hGraphExec: an executable graph
 * @hNode: a copy or fill node in the graph that it was made of
 * @isEnabled: receives 1, or 0 for a disabled node
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for other types of nodes.
 */
CUresult CUDAAPI cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
				       unsigned int *isEnabled);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_GRAPH_PARAMS_H */
