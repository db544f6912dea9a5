/* SPDX-License-Identifier: MIT */
/*
 * DOC: Nodes of graphs
 *
 * Part of cuda.h, which states what holds for every function.
 */
#ifndef CUDA_DRIVER_GRAPH_NODES_H
#define CUDA_DRIVER_GRAPH_NODES_H

#include "graph_types.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGraphAddNode() - a node of any kind
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @dependencyData: NULL, or all zero
 * @numDependencies: how many
 * @nodeParams: its type and what belongs to it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_NOT_SUPPORTED for a type
 * that does not exist here.
 */
CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				const CUgraphNode *dependencies,
				const CUgraphEdgeData *dependencyData, size_t numDependencies,
				CUgraphNodeParams *nodeParams);

/**
 * cuGraphAddEmptyNode() - a node that does nothing but join and fork
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				     const CUgraphNode *dependencies, size_t numDependencies);

/**
 * cuGraphAddHostNode() - a node that calls a function of the program
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @nodeParams: the function and what it is handed
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				    const CUgraphNode *dependencies, size_t numDependencies,
				    const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * cuGraphAddMemcpyNode() - a node that copies
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @copyParams: from where to where; host memory has to be pinned or registered
 * @ctx: the context of the memory; NULL is the current one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      const CUDA_MEMCPY3D *copyParams, CUcontext ctx);

/**
 * cuGraphAddMemsetNode() - a node that fills
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @memsetParams: where and with what
 * @ctx: the context of the memory; NULL is the current one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx);

/**
 * cuGraphAddEventRecordNode() - a node that records an event
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @event: counts as recorded when the graph is launched, and is done when the node is
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					   const CUgraphNode *dependencies, size_t numDependencies,
					   CUevent event);

/**
 * cuGraphAddEventWaitNode() - a node that waits for an event
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @event: what it marks when the graph is launched is waited for
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					 const CUgraphNode *dependencies, size_t numDependencies,
					 CUevent event);

/**
 * cuGraphAddChildGraphNode() - a node that is a graph
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @childGraph: is copied
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					  const CUgraphNode *dependencies, size_t numDependencies,
					  CUgraph childGraph);

/**
 * cuGraphAddBatchMemOpNode() - a node that waits for and writes words in memory
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL with none
 * @numDependencies: how many
 * @nodeParams: as the arguments of cuStreamBatchMemOp(); copied
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					  const CUgraphNode *dependencies, size_t numDependencies,
					  const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams);

/**
 * cuGraphEventRecordNodeGetEvent() - the event of a node that records
 * @hNode: a node that records
 * @event_out: receives the event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out);

/**
 * cuGraphEventRecordNodeSetEvent() - another event for a node that records
 * @hNode: a node that records
 * @event: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);

/**
 * cuGraphEventWaitNodeGetEvent() - the event of a node that waits
 * @hNode: a node that waits
 * @event_out: receives the event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out);

/**
 * cuGraphEventWaitNodeSetEvent() - another event for a node that waits
 * @hNode: a node that waits
 * @event: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);

/**
 * cuGraphChildGraphNodeGetGraph() - the graph of a node that is one
 * @hNode: a node that is a graph
 * @phGraph: receives the graph; it may be changed, and belongs to the node
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph);

/**
 * cuGraphHostNodeGetParams() - what a host node calls
 * @hNode: a host node
 * @nodeParams: receives the function and what it is handed
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * cuGraphHostNodeSetParams() - another function for a host node
 * @hNode: a host node
 * @nodeParams: the function and what it is handed
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode hNode,
					  const CUDA_HOST_NODE_PARAMS *nodeParams);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_GRAPH_NODES_H */
