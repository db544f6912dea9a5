/* SPDX-License-Identifier: MIT */
/*
 * DOC: Executable graphs
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * An executable graph is a copy: later changes of its source graph do not change it. Launches of one
 * executable graph run one after the other, even if they are in different streams.
 *
 * The nodes may be of contexts of several devices. If one of them fails, its context fails, and so does the
 * context of the stream of the launch.
 */
#ifndef CUDA_DRIVER_GRAPH_EXEC_H
#define CUDA_DRIVER_GRAPH_EXEC_H

#include "graph_types.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGraphInstantiate() - makes a graph executable
 * @phGraphExec: receives the executable graph; cuGraphExecDestroy() destroys it
 * @hGraph: a graph without a cycle, into which no capture is under way
 * @flags: an OR of CUgraphInstantiate_flags without DEVICE_LAUNCH and UPLOAD
 *
 * The executable graph is for the devices of the nodes or, if no node needs a device, for the device of
 * the current context.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT; CUDA_ERROR_CONTEXT_IS_DESTROYED if the
 * context of a node, or one that owns memory of a node, was destroyed; CUDA_ERROR_NOT_SUPPORTED,
 * CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph,
				    unsigned long long flags);

/**
 * cuGraphInstantiateWithParams() - makes a graph executable and reports why it can't be
 * @phGraphExec: receives the executable graph
 * @hGraph: a graph
 * @instantiateParams: the flags, and with UPLOAD a stream; receives the results. @hErrNode_out is a node of
 * a cycle if there is one.
 *
 * Context: any thread.
 * Return: as cuGraphInstantiate().
 */
CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
					      CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);

/**
 * cuGraphExecGetFlags() - the flags that an executable graph was created with
 * @hGraphExec: an executable graph
 * @flags: receives them, without UPLOAD
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags);

/**
 * cuGraphUpload() - loads a graph to the device before its first launch; no effect, because
 * instantiation loads it
 * @hGraphExec: an executable graph
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE; CUDA_ERROR_CONTEXT_IS_DESTROYED, also as cuGraphInstantiate().
 */
CUresult CUDAAPI cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);

/**
 * cuGraphLaunch() - launches a graph in a stream; a capturing stream gets a child graph node
 * @hGraphExec: an executable graph
 * @hStream: a stream, also of another device than the nodes. Its later work begins after all nodes.
 *
 * Context: any thread. If another thread destroys a context of a node at the same time, the launch is refused,
 * or done before the memory of the context is used again.
 * Return: CUDA_ERROR_INVALID_VALUE; CUDA_ERROR_CONTEXT_IS_DESTROYED, also as cuGraphInstantiate(); the failure
 * of the context of a node.
 */
CUresult CUDAAPI cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);

/**
 * cuGraphExecDestroy() - destroys an executable graph; queued launches still run
 * @hGraphExec: an executable graph
 *
 * Context: any thread; does not wait.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec hGraphExec);

/**
 * cuGraphExecUpdate() - takes the parameters of all nodes from another graph, for later launches
 * @hGraphExec: an executable graph
 * @hGraph: a graph with the same nodes and edges, and other parameters. Nodes correspond by their edges: those that
 * no node follows in the order in which they came to be so, and the dependencies of two nodes that correspond in
 * the order in which they were given. The kind and the context of each
 * node's memory stay the same, and so do the rows of a fill of several rows, and the device of a node that
 * does not record an event.
 * @resultInfo: receives the first difference if the graphs do not match: the node, and the dependency that leads
 * elsewhere; no node if the numbers of nodes differ
 *
 * Context: any thread.
 * Return: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED as
 * cuGraphInstantiate() of @hGraph.
 */
CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
				   CUgraphExecUpdateResultInfo *resultInfo);

/**
 * cuGraphExecHostNodeSetParams() - sets the function of a host node for later launches
 * @hGraphExec: an executable graph
 * @hNode: a host node of its source graph
 * @nodeParams: the function and its argument
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					      const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * cuGraphExecEventRecordNodeSetEvent() - sets the event of a record node for later launches
 * @hGraphExec: an executable graph
 * @hNode: an event record node of its source graph
 * @event: an event, also of another device than the one before
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
						    CUevent event);

/**
 * cuGraphExecEventWaitNodeSetEvent() - sets the event of a wait node for later launches
 * @hGraphExec: an executable graph
 * @hNode: an event wait node of its source graph
 * @event: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
						  CUevent event);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_GRAPH_EXEC_H */
