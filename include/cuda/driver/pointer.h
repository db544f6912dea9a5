/* SPDX-License-Identifier: MIT */
/*
 * DOC: Attributes of addresses
 *
 * Part of cuda.h, which states the rules for all functions.
 */
#ifndef CUDA_DRIVER_POINTER_H
#define CUDA_DRIVER_POINTER_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUpointer_attribute - attributes of an address; the comments give the type of the value. */
typedef enum CUpointer_attribute_enum {
	CU_POINTER_ATTRIBUTE_CONTEXT = 1,	   /* CUcontext it was allocated in */
	CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,	   /* unsigned int, CUmemorytype */
	CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,   /* CUdeviceptr */
	CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,	   /* void *, not for device memory */
	CU_POINTER_ATTRIBUTE_P2P_TOKENS = 5,	   /* not supported */
	CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,	   /* int; may be set */
	CU_POINTER_ATTRIBUTE_BUFFER_ID = 7,	   /* unsigned long long, of the allocation */
	CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,	   /* int */
	CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,   /* int */
	CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE = 10, /* int */
	CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11, /* CUdeviceptr */
	CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,	   /* size_t */
	CU_POINTER_ATTRIBUTE_MAPPED = 13,	   /* int */
	CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES = 14, /* of virtual memory */
	CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE = 15, /* int */
	CU_POINTER_ATTRIBUTE_ACCESS_FLAGS = 16,	   /* unsigned int, 3: read and write */
	CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17,  /* CUmemoryPool */
	CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,	   /* size_t */
	CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19, /* CUdeviceptr */
	CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID = 20, /* unsigned long long, of the allocation */
	CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE = 21, /* int */
} CUpointer_attribute;

/**
 * cuPointerGetAttribute() - one property of an address
 * @data: receives it; its type is that of @attribute
 * @attribute: which one
 * @ptr: an address
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @data is NULL, for an unknown @attribute, for an address that
 * is in no allocation, and for an address without the property.
 */
CUresult CUDAAPI cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr);

/**
 * cuPointerGetAttributes() - several properties of an address
 * @numAttributes: how many
 * @attributes: which ones
 * @data: a pointer to each result
 * @ptr: an address. If it is in no allocation, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL is -2 and all other properties
 * are zero; but outside of all devices' windows the host pointer and the device pointer are @ptr
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL or an unknown attribute.
 */
CUresult CUDAAPI cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
					void **data, CUdeviceptr ptr);

/**
 * cuPointerSetAttribute() - changes a property of an allocation
 * @value: an int; not 0 requests synchronous copies of this memory. The value is only stored; copies do
 * not change
 * @attribute: CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
 * @ptr: an address of device memory
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, another attribute or another address.
 */
CUresult CUDAAPI cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
				       CUdeviceptr ptr);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_POINTER_H */
