/* SPDX-License-Identifier: MIT */
/*
 * DOC: Fills
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A fill runs in a stream and does not block. Exception: a fill of pinned host memory by a call without
 * a stream argument waits until it is complete, because the host may access such memory at once.
 */
#ifndef CUDA_DRIVER_FILL_H
#define CUDA_DRIVER_FILL_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * cuMemsetD8() - sets 8-bit elements to a value
 * @dstDevice: where to, any address
 * @uc: the value
 * @N: elements
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for a range outside every allocation,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT.
 */
CUresult CUDAAPI cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N);

/**
 * cuMemsetD8Async() - sets 8-bit elements to a value, in stream order
 * @dstDevice: where to, any address
 * @uc: the value
 * @N: elements
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for a range outside every allocation,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed stream.
 */
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
				 CUstream hStream);

/**
 * cuMemsetD16() - sets 16-bit elements to a value
 * @dstDevice: where to, a multiple of 2
 * @us: the value
 * @N: elements
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for a range outside every allocation,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT.
 */
CUresult CUDAAPI cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N);

/**
 * cuMemsetD16Async() - sets 16-bit elements to a value, in stream order
 * @dstDevice: where to, a multiple of 2
 * @us: the value
 * @N: elements
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for a range outside every allocation,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed stream.
 */
CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
				  CUstream hStream);

/**
 * cuMemsetD32() - sets 32-bit elements to a value
 * @dstDevice: where to, a multiple of 4
 * @ui: the value
 * @N: elements
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for a range outside every allocation,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT.
 */
CUresult CUDAAPI cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N);

/**
 * cuMemsetD32Async() - sets 32-bit elements to a value, in stream order
 * @dstDevice: where to, a multiple of 4
 * @ui: the value
 * @N: elements
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for a range outside every allocation,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed stream.
 */
CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
				  CUstream hStream);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_FILL_H */
