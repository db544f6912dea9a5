/* SPDX-License-Identifier: MIT */
/*
 * DOC: Graphs
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A graph is a set of nodes and edges. A capture or explicit calls create it. Two threads must not
 * change a graph at the same time.
 */
#ifndef CUDA_DRIVER_GRAPH_H
#define CUDA_DRIVER_GRAPH_H

#include "graph_types.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGraphCreate() - an empty graph
 * @phGraph: receives the graph; cuGraphDestroy() destroys it
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuGraphCreate(CUgraph *phGraph, unsigned int flags);

/**
 * cuGraphDestroy() - destroys a graph and its nodes, not its executable graphs
 * @hGraph: a graph, not the graph of a child node
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphDestroy(CUgraph hGraph);

/**
 * cuGraphClone() - a copy of a graph, with copies of its child graphs
 * @phGraphClone: receives the copy
 * @originalGraph: a graph
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph);

/**
 * cuGraphNodeFindInClone() - the copy of a node
 * @phNode: receives the copy
 * @hOriginalNode: a node of the graph that was copied
 * @hClonedGraph: the graph that cuGraphClone() returned
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also when there is no such node in the copy.
 */
CUresult CUDAAPI cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
					CUgraph hClonedGraph);

/**
 * cuGraphGetNodes() - the nodes of a graph, in the order they were added
 * @hGraph: a graph
 * @nodes: array that receives them; surplus elements become NULL; may be NULL
 * @numNodes: size of @nodes; receives the number of nodes written or, if @nodes is NULL, the number of
 * nodes
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes);

/**
 * cuGraphGetRootNodes() - the nodes that follow no other node
 * @hGraph: a graph
 * @rootNodes: as @nodes of cuGraphGetNodes()
 * @numRootNodes: as @numNodes of cuGraphGetNodes()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes);

/**
 * cuGraphGetEdges() - the edges of a graph
 * @hGraph: a graph
 * @from: receives the nodes where they start; may be NULL if @to is
 * @to: receives the nodes where they end
 * @edgeData: receives zeros; may be NULL
 * @numEdges: as @numNodes of cuGraphGetNodes()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for @edgeData without @from and @to.
 */
CUresult CUDAAPI cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
				 CUgraphEdgeData *edgeData, size_t *numEdges);

/**
 * cuGraphAddDependencies() - adds edges
 * @hGraph: a graph
 * @from: nodes of the graph where they start
 * @to: nodes of the graph where they end
 * @edgeData: NULL, or all zero
 * @numDependencies: how many
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for an edge that exists already; then no edge is added.
 */
CUresult CUDAAPI cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from,
					const CUgraphNode *to, const CUgraphEdgeData *edgeData,
					size_t numDependencies);

/**
 * cuGraphRemoveDependencies() - removes edges
 * @hGraph: a graph
 * @from: the nodes where they start
 * @to: the nodes where they end
 * @edgeData: NULL, or all zero
 * @numDependencies: how many
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for an edge that does not exist; then no edge is removed.
 */
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from,
					   const CUgraphNode *to, const CUgraphEdgeData *edgeData,
					   size_t numDependencies);

/**
 * cuGraphNodeGetType() - the type of a node
 * @hNode: a node
 * @type: receives the type
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type);

/**
 * cuGraphNodeGetDependencies() - the nodes that a node follows
 * @hNode: a node
 * @dependencies: as @nodes of cuGraphGetNodes()
 * @edgeData: receives zeros; may be NULL
 * @numDependencies: as @numNodes of cuGraphGetNodes()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for @edgeData without @dependencies.
 */
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
					    CUgraphEdgeData *edgeData, size_t *numDependencies);

/**
 * cuGraphNodeGetDependentNodes() - the nodes that follow a node
 * @hNode: a node
 * @dependentNodes: as @nodes of cuGraphGetNodes()
 * @edgeData: receives zeros; may be NULL
 * @numDependentNodes: as @numNodes of cuGraphGetNodes()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for @edgeData without @dependentNodes.
 */
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
					      CUgraphEdgeData *edgeData, size_t *numDependentNodes);

/**
 * cuGraphDestroyNode() - removes a node and its edges from its graph
 * @hNode: a node of a graph into which no capture is under way
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphDestroyNode(CUgraphNode hNode);

/**
 * cuGraphDebugDotPrint() - writes a graph as a file of the DOT language
 * @hGraph: a graph
 * @path: the file, which is replaced
 * @flags: an OR of CUgraphDebugDot_flags
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OPERATING_SYSTEM when the file can't be written.
 */
CUresult CUDAAPI cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags);

/**
 * cuUserObjectCreate() - creates a reference count for an object of the program
 * @object_out: receives the object
 * @ptr: passed to @destroy
 * @destroy: called when the last reference is dropped; must not call this interface
 * @initialRefcount: number of references that the caller gets, positive
 * @flags: CU_USER_OBJECT_NO_DESTRUCTOR_SYNC
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy,
				    unsigned int initialRefcount, unsigned int flags);

/**
 * cuUserObjectRetain() - adds references
 * @object: an object
 * @count: how many, positive
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuUserObjectRetain(CUuserObject object, unsigned int count);

/**
 * cuUserObjectRelease() - drops references
 * @object: an object
 * @count: how many, at most as many as the caller has
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuUserObjectRelease(CUuserObject object, unsigned int count);

/**
 * cuGraphRetainUserObject() - gives references to a graph; its clones and executable graphs get
 * references too
 * @graph: a graph
 * @object: an object
 * @count: how many references, positive
 * @flags: 0, or CU_GRAPH_USER_OBJECT_MOVE
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
					 unsigned int flags);

/**
 * cuGraphReleaseUserObject() - drops references of a graph
 * @graph: a graph
 * @object: an object
 * @count: how many, at most as many as the graph has
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_GRAPH_H */
