/* SPDX-License-Identifier: MIT */
/*
 * DOC: Hints for managed memory
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * Managed memory does not move, so hints only are kept and can be asked for, for each unit of 2 MiB. A hint
 * applies to each unit that its range touches.
 */
#ifndef CUDA_DRIVER_MANAGED_H
#define CUDA_DRIVER_MANAGED_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUmem_range_attribute - what can be asked. Each answer is an int. */
typedef enum CUmem_range_attribute_enum {
	CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,	       /* 1 if all of the range is */
	CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2, /* device, CU_DEVICE_CPU or CU_DEVICE_INVALID */
	CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,	       /* a list of those */
	CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 4,
	CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 5, /* CUmemLocationType */
	CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 6,
	CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
	CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8,
} CUmem_range_attribute;

/**
 * cuMemPrefetchAsync() - asks to move managed memory in stream order, and keeps the wish
 * @devPtr: start of the range, any address in managed memory
 * @count: bytes, positive
 * @location: a device, the host, a NUMA node of the host or the one of the thread
 * @flags: 0
 * @hStream: a stream that does not capture
 *
 * Context: any thread. Does not wait.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is not managed, CUDA_ERROR_INVALID_DEVICE,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.
 */
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location,
				    unsigned int flags, CUstream hStream);

/**
 * cuMemAdvise() - keeps a hint for managed memory
 * @devPtr: start of the range, any address in managed memory
 * @count: bytes, positive
 * @advice: the hint
 * @location: whom the hint names, as for cuMemPrefetchAsync(); of CU_MEM_ADVISE_SET_ACCESSED_BY and its undoing a
 *	device or the host; ignored for other hints
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is not managed, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
			     CUmemLocation location);

/**
 * cuMemRangeGetAttribute() - a hint that all of a range has
 * @data: receives an int, or for CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY a list, CU_DEVICE_INVALID after its end
 * @dataSize: bytes of @data: 4; of a list a positive multiple of 4
 * @attribute: which one
 * @devPtr: start of the range, any address in managed memory
 * @count: bytes, positive
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is not managed.
 */
CUresult CUDAAPI cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
					CUdeviceptr devPtr, size_t count);

/**
 * cuMemRangeGetAttributes() - several hints that all of a range has
 * @data: a place for each, as for cuMemRangeGetAttribute()
 * @dataSizes: bytes of each place
 * @attributes: which ones
 * @numAttributes: entries of each array, positive
 * @devPtr: start of the range, any address in managed memory
 * @count: bytes, positive
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, also for memory that is not managed.
 */
CUresult CUDAAPI cuMemRangeGetAttributes(void **data, size_t *dataSizes,
					 CUmem_range_attribute *attributes, size_t numAttributes,
					 CUdeviceptr devPtr, size_t count);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_MANAGED_H */
