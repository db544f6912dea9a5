/* SPDX-License-Identifier: MIT */
/*
 * DOC: Nodes that allocate and free memory
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * The address of an allocation is known when its node is made, and is the same in each launch. A launch allocates the
 * memory, and a node of any graph, cuMemFree() or cuMemFreeAsync() frees it. A graph whose memory is still allocated
 * can't be launched again, unless it was instantiated with AUTO_FREE_ON_LAUNCH. Such a graph has one executable graph
 * at a time, can't be cloned or be in another graph, and loses no nodes and edges.
 */
#ifndef CUDA_DRIVER_GRAPH_MEMORY_H
#define CUDA_DRIVER_GRAPH_MEMORY_H

#include "graph_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuGraphAddMemAllocNode() - adds a node that allocates device memory
 * @phGraphNode: receives the node
 * @hGraph: a graph that is not in a child node
 * @dependencies: nodes that it follows
 * @numDependencies: how many
 * @nodeParams: poolProps.allocType PINNED, poolProps.location a device, handleTypes and usage 0; access for that
 * device alone; receives the address
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_NOT_SUPPORTED for a graph in a child node,
 * memory with handles and access of other devices, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
					const CUgraphNode *dependencies, size_t numDependencies,
					CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams);

/**
 * cuGraphMemAllocNodeGetParams() - the parameters of an allocation, with the address
 * @hNode: an allocation node
 * @params_out: receives them; accessDescs is valid as long as the node
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
					      CUDA_MEM_ALLOC_NODE_PARAMS *params_out);

/**
 * cuGraphAddMemFreeNode() - adds a node that frees memory of an allocation node
 * @phGraphNode: receives the node
 * @hGraph: a graph that is not in a child node
 * @dependencies: nodes that it follows
 * @numDependencies: how many
 * @dptr: the address that an allocation node of any graph has
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also if a node of this graph frees @dptr already, CUDA_ERROR_NOT_SUPPORTED for a
 * graph in a child node.
 */
CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				       const CUgraphNode *dependencies, size_t numDependencies,
				       CUdeviceptr dptr);

/**
 * cuGraphMemFreeNodeGetParams() - the address that a node frees
 * @hNode: a node that frees memory
 * @dptr_out: receives it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out);

/**
 * cuDeviceGraphMemTrim() - gives memory of graphs that are gone back to a device
 * @device: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice device);

/**
 * cuDeviceGetGraphMemAttribute() - how much memory nodes of graphs have on a device
 * @device: a device
 * @attr: which number
 * @value: receives a cuuint64_t, in bytes
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
					      void *value);

/**
 * cuDeviceSetGraphMemAttribute() - sets a highest number back to the present one
 * @device: a device
 * @attr: CU_GRAPH_MEM_ATTR_USED_MEM_HIGH or CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH
 * @value: a cuuint64_t that is 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr,
					      void *value);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_GRAPH_MEMORY_H */
