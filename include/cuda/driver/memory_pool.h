/* SPDX-License-Identifier: MIT */
/*
 * DOC: Memory pools
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A pool keeps memory that streams have freed, for later allocations of streams. Each device has a default pool, and a
 * current pool, from which cuMemAllocAsync() allocates; at first that is the default pool. The host has such pools too,
 * for cuMemAllocFromPoolAsync(). Memory of a pool is for its own device, that of the host for all devices. A pool of a
 * device that is made with a type of handle may be imported by other processes of the same firmware. A pool belongs to
 * no context. What it keeps beyond its release threshold goes back to the device at the next synchronisation; when a
 * context of the device ends, all that is not in use does.
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
	CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5, /* bytes of the device, in use or not */
	CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH = 6,	  /* can be set to 0 */
	CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7,
	CU_MEMPOOL_ATTR_USED_MEM_HIGH = 8, /* can be set to 0 */
} CUmemPool_attribute;

/** struct CUmemPoolPtrExportData - memory of a pool, for other processes: bytes that any means may carry. */
typedef struct CUmemPoolPtrExportData_st {
	unsigned char reserved[64];
} CUmemPoolPtrExportData_v1;
typedef CUmemPoolPtrExportData_v1 CUmemPoolPtrExportData;

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
 * @poolProps: allocType PINNED; location: a device, the host (id is ignored) or one of its NUMA nodes; handleTypes
 * NONE, or POSIX_FILE_DESCRIPTOR for a pool of a device; usage 0; maxSize: most bytes of the pool, 0 for no limit
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for HOST_NUMA_CURRENT, and for a pool of the host with handleTypes;
 * CUDA_ERROR_INVALID_DEVICE; CUDA_ERROR_NOT_SUPPORTED for managed memory, other types of handles, and handles for a
 * pool of a NUMA node.
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
 * @pool: of any device; not an imported one
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

/**
 * cuMemPoolExportToShareableHandle() - a handle that another process imports the pool by
 * @handle_out: receives it: an int, a file descriptor that the program closes
 * @pool: made with this type in handleTypes; the handle does not keep it
 * @handleType: POSIX_FILE_DESCRIPTOR
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for an imported pool and one without the type; CUDA_ERROR_OUT_OF_MEMORY
 * without room for a descriptor; CUDA_ERROR_NOT_SUPPORTED for other types.
 */
CUresult CUDAAPI cuMemPoolExportToShareableHandle(void *handle_out, CUmemoryPool pool,
						  CUmemAllocationHandleType handleType,
						  unsigned long long flags);

/**
 * cuMemPoolImportFromShareableHandle() - a pool for memory that another process shares
 * @pool_out: receives it; it allocates nothing and is no current pool, its access is that of its own device at first,
 * its counters count what was imported, and its other attributes have no effect. cuMemPoolDestroy() ends it, and not
 * what was imported
 * @handle: the descriptor, as a pointer; the program may close it then
 * @handleType: POSIX_FILE_DESCRIPTOR
 * @flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY; CUDA_ERROR_NOT_SUPPORTED for other types, and for a pool
 * on another firmware than this process's.
 */
CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool *pool_out, void *handle,
						    CUmemAllocationHandleType handleType,
						    unsigned long long flags);

/**
 * cuMemPoolExportPointer() - what another process imports memory of a pool by
 * @shareData_out: receives it; it is good until the memory is freed
 * @ptr: the start of memory of a pool with handles
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData_out, CUdeviceptr ptr);

/**
 * cuMemPoolImportPointer() - memory that another process has exported
 * @ptr_out: receives its address here. Tasks may use it once the allocation is done in the exporter. cuMemFree() or
 * cuMemFreeAsync() ends it, and is to be done before the exporter's free is. The same memory imported again has the
 * same address, and is freed once more
 * @pool: imported from the exporter's pool
 * @shareData: what cuMemPoolExportPointer() gave there
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is freed already and for the exporter's own process;
 * CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr *ptr_out, CUmemoryPool pool,
					CUmemPoolPtrExportData *shareData);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_MEMORY_POOL_H */
