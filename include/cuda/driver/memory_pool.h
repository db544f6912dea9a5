/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory pools
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A pool keeps memory that streams have freed, for later allocations of streams. Each device has a default pool, and a
 * current pool, from which cuMemAllocAsync() allocates; at first that is the default pool. The host has such pools too,
 * for cuMemAllocFromPoolAsync(). Memory of a pool is for its own device, that of the host for all devices, and none has
 * a handle for other processes. A pool belongs to no context. What it keeps beyond its release
 * threshold goes back to the device at the next synchronisation; when a context of the device ends, all that is not in
 * use does.
 */
#ifndef CUDA_DRIVER_MEMORY_POOL_H
#define CUDA_DRIVER_MEMORY_POOL_H

#include "graph_types.h"
#include "vmm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUmemPool_attribute - attributes of a pool: three of type int, then cuuint64_t. */
typedef enum CUmemPool_attribute_enum {
	CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1, /* kept: a stream waits by itself */
	CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC = 2, /* what another stream has freed and done */
	CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, /* the stream waits for another */
	CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,		       /* bytes that are kept; 0 at first */
	CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5,	       /* bytes of the device, in use or not */
	CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,		       /* can be set to 0 */
	CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
	CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8, /* can be set to 0 */
} CUmemPool_attribute;

/**
 * cuDeviceGetDefaultMemPool() - the default pool of a device
 * @pool_out: receives it; it can't be destroyed
 * @dev: device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool *pool_out, CUdevice dev);

/**
 * cuDeviceGetMemPool() - the current pool of a device
 * @pool: receives it
 * @dev: device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice dev);

/**
 * cuDeviceSetMemPool() - sets the current pool of a device
 * @dev: device
 * @pool: a pool of this device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for a pool of another device, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);

/**
 * cuMemGetDefaultMemPool() - cuDeviceGetDefaultMemPool() by a location
 * @pool_out: receives the pool
 * @location: a device, the host, or a NUMA node of the host, which has the pools of the host
 * @type: PINNED
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_NOT_SUPPORTED for managed memory.
 */
CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool *pool_out, CUmemLocation *location,
					CUmemAllocationType type);

/**
 * cuMemGetMemPool() - cuDeviceGetMemPool() by a location
 * @pool: receives the pool
 * @location: a device
 * @type: PINNED
 *
 * Context: any thread.
 * Return: as cuMemGetDefaultMemPool().
 */
CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location,
				 CUmemAllocationType type);

/**
 * cuMemSetMemPool() - cuDeviceSetMemPool() by a location
 * @location: a device
 * @type: PINNED
 * @pool: a pool of this device
 *
 * Context: any thread.
 * Return: as cuMemGetDefaultMemPool() and cuDeviceSetMemPool().
 */
CUresult CUDAAPI cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type,
				 CUmemoryPool pool);

/**
 * cuMemPoolCreate() - creates a pool
 * @pool: receives it; cuMemPoolDestroy() ends it
 * @poolProps: allocType PINNED; location: a device, the host (id is ignored) or one of its NUMA nodes; handleTypes and
 * usage 0; maxSize: most bytes of the pool, 0 for no limit
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for HOST_NUMA_CURRENT, and for a pool of the host with handleTypes;
 * CUDA_ERROR_INVALID_DEVICE; CUDA_ERROR_NOT_SUPPORTED for managed memory and memory with handles.
 */
CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);

/**
 * cuMemPoolDestroy() - ends a pool; memory in use stays until it is freed
 * @pool: no default pool; if it is the current pool of its device, the default pool takes its place
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool);

/**
 * cuMemAllocFromPoolAsync() - cuMemAllocAsync() from a pool
 * @dptr: receives the address
 * @bytesize: positive
 * @pool: of any device
 * @hStream: a stream; if it captures, the graph gets an allocation node with memory of its own
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
					 CUstream hStream);

/**
 * cuMemPoolTrimTo() - gives memory that is not in use back to the device
 * @pool: pool
 * @minBytesToKeep: bytes that the pool may keep
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);

/**
 * cuMemPoolSetAttribute() - sets an attribute of a pool
 * @pool: pool
 * @attr: one of the first four, or a high-water mark
 * @value: of the attribute's type; 0 for a mark, which then is what is current
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);

/**
 * cuMemPoolGetAttribute() - an attribute of a pool
 * @pool: pool
 * @attr: attribute
 * @value: receives it, in the attribute's type
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE.
 */
CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value);

/**
 * cuMemPoolSetAccess() - says which devices use the memory of a pool
 * @pool: pool
 * @map: READWRITE for the pool's own device; NONE, READ or READWRITE for others, of all memory of the pool
 * @count: entries of @map
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for less access of the own device, CUDA_ERROR_NOT_SUPPORTED for the host.
 */
CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count);

/**
 * cuMemPoolGetAccess() - how a device uses the memory of a pool
 * @flags: receives READWRITE for the pool's own device, else what cuMemPoolSetAccess() allowed, at first NONE
 * @memPool: pool
 * @location: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool,
				    CUmemLocation *location);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_MEMORY_POOL_H */
