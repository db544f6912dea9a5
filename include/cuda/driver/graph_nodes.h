/* SPDX-License-Identifier: MIT */
/*
 * DOC: Nodes of graphs
 *
 * Part of cuda.h, which states the rules for all functions.
 */
#ifndef CUDA_DRIVER_GRAPH_NODES_H
#define CUDA_DRIVER_GRAPH_NODES_H

#include "graph_types.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGraphAddNode() - adds a node of any type
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @dependencyData: NULL, or all zero
 * @numDependencies: how many
 * @nodeParams: its type and parameters
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_NOT_SUPPORTED for a type
 * that is not supported.
 */
CUresult CUDAAPI cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				const CUgraphNode *dependencies,
				const CUgraphEdgeData *dependencyData, size_t numDependencies,
				CUgraphNodeParams *nodeParams);

/**
 * cuGraphAddEmptyNode() - adds a node without a task, which only orders other nodes
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				     const CUgraphNode *dependencies, size_t numDependencies);

/**
 * cuGraphAddHostNode() - adds a node that calls a function of the program
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 * @nodeParams: the function and its argument
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				    const CUgraphNode *dependencies, size_t numDependencies,
				    const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * cuGraphAddMemcpyNode() - adds a node that copies memory
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 * @copyParams: as for cuMemcpy3D(). Each launch accesses ordinary host memory, which has to be there then.
 * @ctx: the context of the memory; NULL means the current one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      const CUDA_MEMCPY3D *copyParams, CUcontext ctx);

/**
 * cuGraphAddMemsetNode() - adds a node that fills memory
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 * @memsetParams: the memory and the value; at most 65536 rows
 * @ctx: the context of the memory; NULL means the current one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx);

/**
 * cuGraphAddEventRecordNode() - adds a node that records an event
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 * @event: counts as recorded when the graph is launched, and is complete when the node is complete
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					   const CUgraphNode *dependencies, size_t numDependencies,
					   CUevent event);

/**
 * cuGraphAddEventWaitNode() - adds a node that waits for an event
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 * @event: the node waits for the work that the event marks when the graph is launched
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					 const CUgraphNode *dependencies, size_t numDependencies,
					 CUevent event);

/**
 * cuGraphAddChildGraphNode() - adds a node that is a graph
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
 * @numDependencies: how many
 * @childGraph: the graph, copied
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					  const CUgraphNode *dependencies, size_t numDependencies,
					  CUgraph childGraph);

/**
 * cuGraphAddBatchMemOpNode() - adds a node that waits for and writes words in memory
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes of the graph that it follows, each once; may be NULL if @numDependencies is 0
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
 * cuGraphEventRecordNodeGetEvent() - the event of an event record node
 * @hNode: an event record node
 * @event_out: receives the event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out);

/**
 * cuGraphEventRecordNodeSetEvent() - sets the event of an event record node
 * @hNode: an event record node
 * @event: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);

/**
 * cuGraphEventWaitNodeGetEvent() - the event of an event wait node
 * @hNode: an event wait node
 * @event_out: receives the event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out);

/**
 * cuGraphEventWaitNodeSetEvent() - sets the event of an event wait node
 * @hNode: an event wait node
 * @event: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);

/**
 * cuGraphChildGraphNodeGetGraph() - the graph of a child graph node
 * @hNode: a child graph node
 * @phGraph: receives the graph, which belongs to the node; the program may change it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph);

/**
 * cuGraphHostNodeGetParams() - the function of a host node
 * @hNode: a host node
 * @nodeParams: receives the function and its argument
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * cuGraphHostNodeSetParams() - sets the function of a host node
 * @hNode: a host node
 * @nodeParams: the function and its argument
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
