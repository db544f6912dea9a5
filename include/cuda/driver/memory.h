/* SPDX-License-Identifier: MIT */
/*
 * DOC: Allocations
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * Memory has the same address on host and device. The host can't access device memory. Both sides can
 * access pinned host memory and managed memory.
 */
#ifndef CUDA_DRIVER_MEMORY_H
#define CUDA_DRIVER_MEMORY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of cuMemHostAlloc(). */
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04

/* Flags of cuMemHostRegister(). */
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08

/** enum CUmemAttach_flags - which streams may access managed memory. */
typedef enum CUmemAttach_flags_enum {
	CU_MEM_ATTACH_GLOBAL = 0x1,
	CU_MEM_ATTACH_HOST = 0x2,
	CU_MEM_ATTACH_SINGLE = 0x4,
} CUmemAttach_flags;

/**
 * cuMemGetInfo() - device memory of the current context's device
 * @free: receives the bytes of device memory that no live allocation of this process uses; may be NULL
 * @total: receives the size of the device's memory; may be NULL
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemGetInfo(size_t *free, size_t *total);

/**
 * cuMemAlloc() - allocates device memory, aligned to at least 256 bytes; the contents are undefined
 * @dptr: receives its address; cuMemFree() frees it
 * @bytesize: positive
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.
 */
CUresult CUDAAPI cuMemAlloc(CUdeviceptr *dptr, size_t bytesize);

/**
 * cuMemAllocPitch() - allocates device memory for rows that each start at an aligned address
 * @dptr: receives its address
 * @pPitch: receives the bytes from one row to the next
 * @WidthInBytes: bytes of a row, positive
 * @Height: rows, positive
 * @ElementSizeBytes: 4, 8 or 16
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes,
				 size_t Height, unsigned int ElementSizeBytes);

/**
 * cuMemFree() - frees device or managed memory; tasks that were submitted before may still use it
 * @dptr: the start of an allocation; 0 is ignored
 *
 * Context: any thread; unsafe during a capture. Does not wait.
 * Return: CUDA_ERROR_INVALID_VALUE for any other address.
 */
CUresult CUDAAPI cuMemFree(CUdeviceptr dptr);

/**
 * cuMemGetAddressRange() - the allocation that contains an address
 * @pbase: receives its start; may be NULL
 * @psize: receives its size in bytes; may be NULL
 * @dptr: any address inside
 *
 * Context: any thread.
 * Return: CUDA_ERROR_NOT_FOUND for any other address, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr);

/**
 * cuMemAllocHost() - allocates pinned host memory
 * @pp: receives its address; cuMemFreeHost() frees it
 * @bytesize: positive
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemAllocHost(void **pp, size_t bytesize);

/**
 * cuMemHostAlloc() - allocates pinned host memory
 * @pp: receives its address; cuMemFreeHost() frees it
 * @bytesize: positive
 * @Flags: an OR of CU_MEMHOSTALLOC_; the memory is always portable, to every device, and mapped
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);

/**
 * cuMemFreeHost() - frees pinned host memory; tasks that were submitted before may still use it
 * @p: the start of an allocation; NULL is ignored
 *
 * Context: any thread; unsafe during a capture. Does not wait.
 * Return: CUDA_ERROR_INVALID_VALUE for any other address.
 */
CUresult CUDAAPI cuMemFreeHost(void *p);

/**
 * cuMemHostRegister() - lets the device use memory of the program, whose pages stay as they are
 * @p: its start, any address of mapped memory
 * @bytesize: positive
 * @Flags: an OR of CU_MEMHOSTREGISTER_
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
 * CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags);

/**
 * cuMemHostUnregister() - undoes cuMemHostRegister(); later tasks that use the memory fail
 * @p: as given to cuMemHostRegister()
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED.
 */
CUresult CUDAAPI cuMemHostUnregister(void *p);

/**
 * cuMemHostGetDevicePointer() - the device's address of pinned or registered memory
 * @pdptr: receives it
 * @p: an address inside the memory
 * @Flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is neither.
 */
CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags);

/**
 * cuMemHostGetFlags() - the flags that pinned memory was allocated with
 * @pFlags: receives them; CU_MEMHOSTALLOC_DEVICEMAP is always set
 * @p: an address inside the memory
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is not pinned.
 */
CUresult CUDAAPI cuMemHostGetFlags(unsigned int *pFlags, void *p);

/**
 * cuMemAllocManaged() - allocates memory that host and device can access
 * @dptr: receives its address; cuMemFree() frees it
 * @bytesize: positive
 * @flags: CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST
 *
 * Context: any thread; unsafe during a capture.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags);

/**
 * cuMemAllocAsync() - allocates device memory that later tasks of a stream may use
 * @dptr: receives its address; the memory belongs to the stream's device and to no context
 * @bytesize: positive
 * @hStream: a stream; if it captures, the graph gets an allocation node, see graph_memory.h
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream);

/**
 * cuMemFreeAsync() - frees device memory when the present tasks of the stream are complete
 * @dptr: the start of an allocation; in a capture, of an allocation node of any graph
 * @hStream: a stream; if it captures, the graph gets a node that frees
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_MEMORY_H */
