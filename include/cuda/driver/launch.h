/* SPDX-License-Identifier: MIT */
/*
 * DOC: Launches of kernels, and their nodes in graphs
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_LAUNCH_H
#define CUDA_DRIVER_LAUNCH_H

#include "kernel_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuLaunch() - launches one block
 * @f: a kernel
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunch(CUfunction f);

/**
 * cuLaunchCooperativeKernel() - launches a kernel whose blocks wait for each other
 * @f: a kernel
 * @gridDimX: blocks in a row
 * @gridDimY: rows
 * @gridDimZ: slices
 * @blockDimX: threads of a block, by width
 * @blockDimY: by height
 * @blockDimZ: by depth
 * @sharedMemBytes: dynamic shared memory of a block
 * @hStream: a stream
 * @kernelParams: addresses of the arguments
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX,
					   unsigned int gridDimY, unsigned int gridDimZ,
					   unsigned int blockDimX, unsigned int blockDimY,
					   unsigned int blockDimZ, unsigned int sharedMemBytes,
					   CUstream hStream, void **kernelParams);

/**
 * cuLaunchCooperativeKernelMultiDevice() - launches one on several devices
 * @launchParamsList: a launch for each device
 * @numDevices: how many
 * @flags: 0, or flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList,
						      unsigned int numDevices, unsigned int flags);

/**
 * cuLaunchGrid() - launches a grid
 * @f: a kernel
 * @grid_width: blocks in a row
 * @grid_height: rows
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunchGrid(CUfunction f, int grid_width, int grid_height);

/**
 * cuLaunchGridAsync() - launches a grid on a stream
 * @f: a kernel
 * @grid_width: blocks in a row
 * @grid_height: rows
 * @hStream: a stream
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);

/**
 * cuLaunchKernel() - launches a kernel
 * @f: a kernel
 * @gridDimX: blocks in a row
 * @gridDimY: rows
 * @gridDimZ: slices
 * @blockDimX: threads of a block, by width
 * @blockDimY: by height
 * @blockDimZ: by depth
 * @sharedMemBytes: dynamic shared memory of a block
 * @hStream: a stream
 * @kernelParams: addresses of the arguments
 * @extra: arguments in one piece, or NULL
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
				unsigned int gridDimZ, unsigned int blockDimX,
				unsigned int blockDimY, unsigned int blockDimZ,
				unsigned int sharedMemBytes, CUstream hStream, void **kernelParams,
				void **extra);

/**
 * cuLaunchKernelEx() - launches a kernel, with attributes
 * @config: grid, blocks, stream and attributes
 * @f: a kernel
 * @kernelParams: addresses of the arguments
 * @extra: arguments in one piece, or NULL
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
				  void **extra);

/**
 * cuParamSetSize() - sets the size of the arguments, for cuLaunch()
 * @hfunc: a kernel
 * @numbytes: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuParamSetSize(CUfunction hfunc, unsigned int numbytes);

/**
 * cuParamSetTexRef() - gives a kernel a texture
 * @hfunc: a kernel
 * @texunit: CU_PARAM_TR_DEFAULT
 * @hTexRef: a texture reference
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);

/**
 * cuParamSetf() - sets an argument
 * @hfunc: a kernel
 * @offset: where in the arguments
 * @value: the argument
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuParamSetf(CUfunction hfunc, int offset, float value);

/**
 * cuParamSeti() - sets an argument
 * @hfunc: a kernel
 * @offset: where in the arguments
 * @value: the argument
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuParamSeti(CUfunction hfunc, int offset, unsigned int value);

/**
 * cuParamSetv() - sets an argument
 * @hfunc: a kernel
 * @offset: where in the arguments
 * @ptr: the bytes
 * @numbytes: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuParamSetv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes);

/**
 * cuGraphAddKernelNode() - adds a launch to a graph
 * @phGraphNode: receives the node
 * @hGraph: a graph
 * @dependencies: nodes before it
 * @numDependencies: how many
 * @nodeParams: the launch
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      const CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * cuGraphExecKernelNodeSetParams() - replaces a launch for later launches of the graph
 * @hGraphExec: an executable graph
 * @hNode: a kernel node
 * @nodeParams: the launch
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
						const CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * cuGraphKernelNodeCopyAttributes() - copies attributes to another node
 * @dst: the node that gets them
 * @src: the node that has them
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);

/**
 * cuGraphKernelNodeGetAttribute() - an attribute of a node
 * @hNode: a kernel node
 * @attr: which attribute
 * @value_out: receives the value
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
					       CUkernelNodeAttrValue *value_out);

/**
 * cuGraphKernelNodeGetParams() - the launch of a node
 * @hNode: a kernel node
 * @nodeParams: receives the launch
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams);

/**
 * cuGraphKernelNodeSetAttribute() - sets an attribute of a node
 * @hNode: a kernel node
 * @attr: which attribute
 * @value: the value
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
					       const CUkernelNodeAttrValue *value);

/**
 * cuGraphKernelNodeSetParams() - replaces the launch of a node
 * @hNode: a kernel node
 * @nodeParams: the launch
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode hNode,
					    const CUDA_KERNEL_NODE_PARAMS *nodeParams);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_LAUNCH_H */
