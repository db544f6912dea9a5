/* SPDX-License-Identifier: MIT */
/*
 * DOC: Arrays
 *
 * Part of cuda.h, which states the rules for all functions. The device has none of these: each call is refused.
 */
#ifndef CUDA_DRIVER_ARRAY_H
#define CUDA_DRIVER_ARRAY_H

#include "array_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuArray3DCreate() - creates an array of up to three dimensions
 * @pHandle: receives the array
 * @pAllocateArray: its sizes and format
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray);

/**
 * cuArray3DGetDescriptor() - sizes and format
 * @pArrayDescriptor: receives sizes and format
 * @hArray: an array
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray);

/**
 * cuArrayCreate() - creates an array of one or two dimensions
 * @pHandle: receives the array
 * @pAllocateArray: its sizes and format
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray);

/**
 * cuArrayDestroy() - destroys an array
 * @hArray: the array
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArrayDestroy(CUarray hArray);

/**
 * cuArrayGetDescriptor() - sizes and format
 * @pArrayDescriptor: receives sizes and format
 * @hArray: an array
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray);

/**
 * cuArrayGetMemoryRequirements() - the memory that an array needs
 * @memoryRequirements: receives them
 * @array: an array
 * @device: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
					      CUarray array, CUdevice device);

/**
 * cuArrayGetPlane() - one plane of a picture
 * @pPlaneArray: receives the array
 * @hArray: an array
 * @planeIdx: the number of the plane
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArrayGetPlane(CUarray *pPlaneArray, CUarray hArray, unsigned int planeIdx);

/**
 * cuArrayGetSparseProperties() - the tiles of an array without memory of its own
 * @sparseProperties: receives them
 * @array: an array
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
					    CUarray array);

/**
 * cuMipmappedArrayCreate() - creates an array of several levels
 * @pHandle: receives the array
 * @pMipmappedArrayDesc: its sizes and format
 * @numMipmapLevels: how many levels
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMipmappedArrayCreate(CUmipmappedArray *pHandle,
					const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
					unsigned int numMipmapLevels);

/**
 * cuMipmappedArrayDestroy() - destroys it
 * @hMipmappedArray: a mipmapped array
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray);

/**
 * cuMipmappedArrayGetLevel() - the array of a level
 * @pLevelArray: receives the array
 * @hMipmappedArray: a mipmapped array
 * @level: the number of the level
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray,
					  unsigned int level);

/**
 * cuMipmappedArrayGetMemoryRequirements() - the memory that it needs
 * @memoryRequirements: receives them
 * @mipmap: a mipmapped array
 * @device: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI
cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
				      CUmipmappedArray mipmap, CUdevice device);

/**
 * cuMipmappedArrayGetSparseProperties() - its tiles
 * @sparseProperties: receives them
 * @mipmap: a mipmapped array
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
						     CUmipmappedArray mipmap);

/**
 * cuMemcpyAtoA() - copies from an array to another one
 * @dstArray: an array
 * @dstOffset: where in it
 * @srcArray: an array
 * @srcOffset: where in it
 * @ByteCount: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray,
			      size_t srcOffset, size_t ByteCount);

/**
 * cuMemcpyAtoD() - copies from an array to device memory
 * @dstDevice: device memory
 * @srcArray: an array
 * @srcOffset: where in it
 * @ByteCount: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
			      size_t ByteCount);

/**
 * cuMemcpyAtoH() - copies from an array to the host
 * @dstHost: memory of the host
 * @srcArray: an array
 * @srcOffset: where in it
 * @ByteCount: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyAtoH(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);

/**
 * cuMemcpyAtoHAsync() - copies from an array to the host, on a stream
 * @dstHost: memory of the host
 * @srcArray: an array
 * @srcOffset: where in it
 * @ByteCount: how many bytes
 * @hStream: a stream
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset,
				   size_t ByteCount, CUstream hStream);

/**
 * cuMemcpyDtoA() - copies from device memory to an array
 * @dstArray: an array
 * @dstOffset: where in it
 * @srcDevice: device memory
 * @ByteCount: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
			      size_t ByteCount);

/**
 * cuMemcpyHtoA() - copies from the host to an array
 * @dstArray: an array
 * @dstOffset: where in it
 * @srcHost: memory of the host
 * @ByteCount: how many bytes
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void *srcHost,
			      size_t ByteCount);

/**
 * cuMemcpyHtoAAsync() - copies from the host to an array, on a stream
 * @dstArray: an array
 * @dstOffset: where in it
 * @srcHost: memory of the host
 * @ByteCount: how many bytes
 * @hStream: a stream
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost,
				   size_t ByteCount, CUstream hStream);

/**
 * cuMemMapArrayAsync() - gives tiles of arrays memory
 * @mapInfoList: the mappings
 * @count: how many
 * @hStream: a stream
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList, unsigned int count,
				    CUstream hStream);

/**
 * cuDeviceGetTexture1DLinearMaxWidth() - how wide a texture of linear memory may be
 * @maxWidthInElements: receives the width
 * @format: of an element
 * @numChannels: numbers of an element
 * @dev: a device
 *
 * Return: CUDA_ERROR_NOT_SUPPORTED.
 */
CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
						    CUarray_format format, unsigned int numChannels,
						    CUdevice dev);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_ARRAY_H */
