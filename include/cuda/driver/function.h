/* SPDX-License-Identifier: MIT */
/*
 * DOC: Kernels: attributes, and how many blocks run together
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_FUNCTION_H
#define CUDA_DRIVER_FUNCTION_H

#include "kernel_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuFuncGetAttribute() - an attribute of a kernel
 * @pi: receives the value
 * @attrib: which attribute
 * @hfunc: a kernel
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc);

/**
 * cuFuncGetModule() - the module that has a kernel
 * @hmod: receives the module
 * @hfunc: a kernel
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncGetModule(CUmodule *hmod, CUfunction hfunc);

/**
 * cuFuncGetName() - the name of a kernel
 * @name: receives the name
 * @hfunc: a kernel
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncGetName(const char **name, CUfunction hfunc);

/**
 * cuFuncGetParamInfo() - where a parameter lies
 * @func: a kernel
 * @paramIndex: the number of the parameter, from 0
 * @paramOffset: receives its offset
 * @paramSize: receives its size
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
				    size_t *paramSize);

/**
 * cuFuncIsLoaded() - whether a kernel is loaded
 * @state: receives whether it is
 * @function: a kernel
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);

/**
 * cuFuncLoad() - loads a kernel
 * @function: a kernel
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncLoad(CUfunction function);

/**
 * cuFuncSetAttribute() - sets an attribute of a kernel
 * @hfunc: a kernel
 * @attrib: which attribute
 * @value: the value
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);

/**
 * cuFuncSetBlockShape() - sets the threads of a block, for cuLaunch()
 * @hfunc: a kernel
 * @x: the width
 * @y: the height
 * @z: the depth
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);

/**
 * cuFuncSetCacheConfig() - prefers a division of the cache
 * @hfunc: a kernel
 * @config: what is preferred
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);

/**
 * cuFuncSetSharedMemConfig() - sets the banks of shared memory
 * @hfunc: a kernel
 * @config: the size of banks
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);

/**
 * cuFuncSetSharedSize() - sets the shared memory of a block, for cuLaunch()
 * @hfunc: a kernel
 * @bytes: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);

/**
 * cuOccupancyAvailableDynamicSMemPerBlock() - how much shared memory blocks may have
 * @dynamicSmemSize: receives the bytes
 * @func: a kernel
 * @numBlocks: blocks that run together
 * @blockSize: threads of a block
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction func,
							 int numBlocks, int blockSize);

/**
 * cuOccupancyMaxActiveBlocksPerMultiprocessor() - how many blocks run together
 * @numBlocks: receives how many
 * @func: a kernel
 * @blockSize: threads of a block
 * @dynamicSMemSize: bytes of shared memory of a block
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
							     int blockSize, size_t dynamicSMemSize);

/**
 * cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags() - how many blocks run together
 * @numBlocks: receives how many
 * @func: a kernel
 * @blockSize: threads of a block
 * @dynamicSMemSize: bytes of shared memory of a block
 * @flags: 0, or flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags);

/**
 * cuOccupancyMaxActiveClusters() - how many clusters run together
 * @numClusters: receives how many
 * @func: a kernel
 * @config: a launch
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func,
					      const CUlaunchConfig *config);

/**
 * cuOccupancyMaxPotentialBlockSize() - the size of blocks that fills the device
 * @minGridSize: receives the smallest grid
 * @blockSize: receives the threads of a block
 * @func: a kernel
 * @blockSizeToDynamicSMemSize: tells the shared memory of a block; may be NULL
 * @dynamicSMemSize: bytes of shared memory of a block
 * @blockSizeLimit: the most threads; 0: no limit
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction func,
						  CUoccupancyB2DSize blockSizeToDynamicSMemSize,
						  size_t dynamicSMemSize, int blockSizeLimit);

/**
 * cuOccupancyMaxPotentialBlockSizeWithFlags() - the size of blocks that fills the device
 * @minGridSize: receives the smallest grid
 * @blockSize: receives the threads of a block
 * @func: a kernel
 * @blockSizeToDynamicSMemSize: tells the shared memory of a block; may be NULL
 * @dynamicSMemSize: bytes of shared memory of a block
 * @blockSizeLimit: the most threads; 0: no limit
 * @flags: 0, or flags
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(
	int *minGridSize, int *blockSize, CUfunction func,
	CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize, int blockSizeLimit,
	unsigned int flags);

/**
 * cuOccupancyMaxPotentialClusterSize() - the largest cluster
 * @clusterSize: receives the size
 * @func: a kernel
 * @config: a launch
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func,
						    const CUlaunchConfig *config);

/**
 * cuCtxGetSharedMemConfig() - the banks of shared memory
 * @pConfig: receives the size of banks
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig *pConfig);

/**
 * cuCtxResetPersistingL2Cache() - forgets what the cache keeps
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuCtxResetPersistingL2Cache(void);

/**
 * cuCtxSetSharedMemConfig() - sets the banks of shared memory
 * @config: the size of banks
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config);

/**
 * cuDeviceGetHostAtomicCapabilities() - which operations on memory of the host are atomic
 * @capabilities: receives them
 * @operations: which operations
 * @count: how many
 * @dev: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
						   const CUatomicOperation *operations,
						   unsigned int count, CUdevice dev);

/**
 * cuDeviceGetP2PAtomicCapabilities() - which operations on memory of another device are atomic
 * @capabilities: receives them
 * @operations: which operations
 * @count: how many
 * @srcDevice: the device that performs them
 * @dstDevice: the device that has the memory
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
						  const CUatomicOperation *operations,
						  unsigned int count, CUdevice srcDevice,
						  CUdevice dstDevice);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_FUNCTION_H */
