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

/**
 * cuMemsetD2D8() - sets rows of 8-bit elements to a value
 * @dstDevice: where to, any address
 * @dstPitch: bytes from row to row; ignored for one row
 * @uc: the value
 * @Width: elements of a row
 * @Height: rows
 *
 * Context: any thread.
 * Return: as cuMemsetD8(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row.
 */
CUresult CUDAAPI cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			      size_t Height);

/**
 * cuMemsetD2D8Async() - sets rows of 8-bit elements to a value, in stream order
 * @dstDevice: where to, any address
 * @dstPitch: bytes from row to row; ignored for one row
 * @uc: the value
 * @Width: elements of a row
 * @Height: rows; a captured fill has at most 65536
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemsetD8Async(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row.
 */
CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
				   size_t Height, CUstream hStream);

/**
 * cuMemsetD2D16() - sets rows of 16-bit elements to a value
 * @dstDevice: where to, a multiple of 2
 * @dstPitch: bytes from row to row, a multiple of 2; ignored for one row
 * @us: the value
 * @Width: elements of a row
 * @Height: rows
 *
 * Context: any thread.
 * Return: as cuMemsetD16(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row.
 */
CUresult CUDAAPI cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
			      size_t Height);

/**
 * cuMemsetD2D16Async() - sets rows of 16-bit elements to a value, in stream order
 * @dstDevice: where to, a multiple of 2
 * @dstPitch: bytes from row to row, a multiple of 2; ignored for one row
 * @us: the value
 * @Width: elements of a row
 * @Height: rows; a captured fill has at most 65536
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemsetD16Async(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row.
 */
CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
				   size_t Height, CUstream hStream);

/**
 * cuMemsetD2D32() - sets rows of 32-bit elements to a value
 * @dstDevice: where to, a multiple of 4
 * @dstPitch: bytes from row to row, a multiple of 4; ignored for one row
 * @ui: the value
 * @Width: elements of a row
 * @Height: rows
 *
 * Context: any thread.
 * Return: as cuMemsetD32(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row.
 */
CUresult CUDAAPI cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			      size_t Height);

/**
 * cuMemsetD2D32Async() - sets rows of 32-bit elements to a value, in stream order
 * @dstDevice: where to, a multiple of 4
 * @dstPitch: bytes from row to row, a multiple of 4; ignored for one row
 * @ui: the value
 * @Width: elements of a row
 * @Height: rows; a captured fill has at most 65536
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemsetD32Async(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row.
 */
CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
				   size_t Height, CUstream hStream);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_FILL_H */
