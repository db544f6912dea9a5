/* SPDX-License-Identifier: MIT */
/*
 * DOC: Executable graphs
 *
 * Part of cuda.h, which states what holds for every function.
 *
 * An executable graph is a copy: later changes of the graph it was made of do not change it. Launches
 * of one executable graph are done one after the other, whatever streams they are in.
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
 * @hGraph: a graph without a cycle, all of it on one device
 * @flags: an OR of CUgraphInstantiate_flags without DEVICE_LAUNCH
 *
 * The graph is for the device of its nodes, or that of the current context.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_NOT_SUPPORTED,
 * CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph,
				    unsigned long long flags);

/**
 * cuGraphInstantiateWithParams() - makes a graph executable and says what is wrong with it
 * @phGraphExec: receives the executable graph
 * @hGraph: a graph
 * @instantiateParams: the flags, and where the answers go
 *
 * Context: any thread.
 * Return: as cuGraphInstantiate().
 */
CUresult CUDAAPI cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
					      CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams);

/**
 * cuGraphExecGetFlags() - the flags that an executable graph was made with
 * @hGraphExec: an executable graph
 * @flags: receives them
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags);

/**
 * cuGraphUpload() - brings a graph to the device before its first launch; here it is there already
 * @hGraphExec: an executable graph
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);

/**
 * cuGraphLaunch() - the stream executes a graph; one that captures gets a child graph node
 * @hGraphExec: an executable graph
 * @hStream: a stream of the same device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);

/**
 * cuGraphExecDestroy() - destroys an executable graph; launches under way are still done
 * @hGraphExec: an executable graph
 *
 * Context: any thread; does not wait.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec hGraphExec);

/**
 * cuGraphExecUpdate() - later launches do what another graph says
 * @hGraphExec: an executable graph
 * @hGraph: a graph with the same nodes and edges, and other parameters
 * @resultInfo: receives what is different otherwise
 *
 * Context: any thread.
 * Return: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
				   CUgraphExecUpdateResultInfo *resultInfo);

/**
 * cuGraphExecHostNodeSetParams() - another function for later launches
 * @hGraphExec: an executable graph
 * @hNode: a host node of the graph it was made of
 * @nodeParams: the function and what it is handed
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
					      const CUDA_HOST_NODE_PARAMS *nodeParams);

/**
 * cuGraphExecEventRecordNodeSetEvent() - another event for later launches
 * @hGraphExec: an executable graph
 * @hNode: a node of the graph it was made of that records
 * @event: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
						    CUevent event);

/**
 * cuGraphExecEventWaitNodeSetEvent() - another event for later launches
 * @hGraphExec: an executable graph
 * @hNode: a node of the graph it was made of that waits
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
