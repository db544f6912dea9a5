/* SPDX-License-Identifier: MIT */
/*
 * DOC: Copies
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * Synchronous copies run in the legacy stream (with CUDA_API_PER_THREAD_DEFAULT_STREAM in the calling
 * thread's own stream) and return when they are complete. Asynchronous copies return at once, unless
 * the device can't access the memory of one end: then the call waits for the stream's work and returns
 * when the copy is complete.
 *
 * A device address is one that the name of a function, or the type DEVICE, says to be one. It is in device
 * memory, in host memory that was allocated or registered, or in managed memory. cuMemcpy(), cuMemcpyAsync()
 * and the type UNIFIED take such an address or one of other memory that is mapped in the process. Accesses to
 * other memory are the program's own: an address of a host end, or memory that is mapped but may not be
 * accessed, causes the signal that a memcpy() of the program would cause.
 */
#ifndef CUDA_DRIVER_COPY_H
#define CUDA_DRIVER_COPY_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUmemorytype - selects the pointer that a copy uses. */
typedef enum CUmemorytype_enum {
	CU_MEMORYTYPE_HOST = 0x01,
	CU_MEMORYTYPE_DEVICE = 0x02,
	CU_MEMORYTYPE_ARRAY = 0x03,
	CU_MEMORYTYPE_UNIFIED = 0x04,
} CUmemorytype;

/**
 * struct CUDA_MEMCPY2D - a copy of Height rows of WidthInBytes. UNIFIED uses the device pointer for any
 * memory, DEVICE for memory that a device address may be in. Arrays are not supported.
 */
typedef struct CUDA_MEMCPY2D_st {
	size_t srcXInBytes;
	size_t srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;

	size_t dstXInBytes;
	size_t dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;

	size_t WidthInBytes;
	size_t Height;
} CUDA_MEMCPY2D;

/** struct CUDA_MEMCPY3D - a copy of Depth slices of Height rows of WidthInBytes. */
typedef struct CUDA_MEMCPY3D_st {
	size_t srcXInBytes;
	size_t srcY;
	size_t srcZ;
	size_t srcLOD; /* 0 */
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	void *reserved0; /* NULL */
	size_t srcPitch;
	size_t srcHeight;

	size_t dstXInBytes;
	size_t dstY;
	size_t dstZ;
	size_t dstLOD; /* 0 */
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	void *reserved1; /* NULL */
	size_t dstPitch;
	size_t dstHeight;

	size_t WidthInBytes;
	size_t Height;
	size_t Depth;
} CUDA_MEMCPY3D;

/** struct CUDA_MEMCPY3D_PEER - as CUDA_MEMCPY3D, between two contexts; NULL is the current one. */
typedef struct CUDA_MEMCPY3D_PEER_st {
	size_t srcXInBytes;
	size_t srcY;
	size_t srcZ;
	size_t srcLOD; /* 0 */
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	CUcontext srcContext; /* ignored for host memory */
	size_t srcPitch;
	size_t srcHeight;

	size_t dstXInBytes;
	size_t dstY;
	size_t dstZ;
	size_t dstLOD; /* 0 */
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	CUcontext dstContext; /* ignored for host memory */
	size_t dstPitch;
	size_t dstHeight;

	size_t WidthInBytes;
	size_t Height;
	size_t Depth;
} CUDA_MEMCPY3D_PEER;

/**
 * cuMemcpy() - copies between any two kinds of memory
 * @dst: where to
 * @src: where from
 * @ByteCount: bytes
 *
 * Context: any thread; blocks.
 * Return: CUDA_ERROR_INVALID_VALUE for an address that is in no live allocation and where nothing else is
 * mapped,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT.
 */
CUresult CUDAAPI cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);

/**
 * cuMemcpyAsync() - copies between any two kinds of memory, in stream order
 * @dst: where to
 * @src: where from
 * @ByteCount: bytes
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for an address that is in no live allocation and where nothing else is
 * mapped,
 * CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed stream.
 */
CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
			       CUstream hStream);

/**
 * cuMemcpyHtoD() - copies host memory to device memory
 * @dstDevice: where to
 * @srcHost: where from
 * @ByteCount: bytes
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount);

/**
 * cuMemcpyDtoH() - copies device memory to host memory
 * @dstHost: where to
 * @srcDevice: where from
 * @ByteCount: bytes
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount);

/**
 * cuMemcpyDtoD() - copies device memory
 * @dstDevice: where to
 * @srcDevice: where from
 * @ByteCount: bytes
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);

/**
 * cuMemcpyHtoDAsync() - copies host memory to device memory, in stream order
 * @dstDevice: where to
 * @srcHost: where from
 * @ByteCount: bytes
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemcpyAsync(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
				   CUstream hStream);

/**
 * cuMemcpyDtoHAsync() - copies device memory to host memory, in stream order
 * @dstHost: where to
 * @srcDevice: where from
 * @ByteCount: bytes
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemcpyAsync(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
				   CUstream hStream);

/**
 * cuMemcpyDtoDAsync() - copies device memory, in stream order
 * @dstDevice: where to
 * @srcDevice: where from
 * @ByteCount: bytes
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemcpyAsync(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
				   CUstream hStream);

/**
 * cuMemcpyPeer() - copies device memory between two contexts, which may be on two devices
 * @dstDevice: where to
 * @dstContext: its context
 * @srcDevice: where from
 * @srcContext: its context
 * @ByteCount: bytes
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
			      CUcontext srcContext, size_t ByteCount);

/**
 * cuMemcpyPeerAsync() - copies device memory between two contexts, in stream order
 * @dstDevice: where to
 * @dstContext: its context
 * @srcDevice: where from
 * @srcContext: its context
 * @ByteCount: bytes
 * @hStream: a stream
 *
 * Context: any thread; between two devices it blocks until the copy is done.
 * Return: as cuMemcpyAsync(), and CUDA_ERROR_INVALID_VALUE for a device address outside every allocation.
 */
CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
				   CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
				   CUstream hStream);

/**
 * cuMemcpy2D() - copies rows
 * @pCopy: from where to where, and how much
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row
 * and for an address of type DEVICE outside every allocation.
 */
CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D *pCopy);

/**
 * cuMemcpy2DAsync() - copies rows, in stream order
 * @pCopy: from where to where, and how much; read before the call returns
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemcpyAsync(), and CUDA_ERROR_INVALID_VALUE for a pitch that is less than a row
 * and for an address of type DEVICE outside every allocation.
 */
CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream);

/**
 * cuMemcpy2DUnaligned() - copies rows, whatever their pitch
 * @pCopy: from where to where, and how much
 *
 * The device has no rules for pitches, so this is cuMemcpy2D().
 * Context: any thread; blocks.
 * Return: as cuMemcpy2D().
 */
CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy);

/**
 * cuMemcpy3DPeer() - copies slices of rows between two contexts, which may be on two devices
 * @pCopy: from where to where, and how much
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy3D(), and CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed context.
 */
CUresult CUDAAPI cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy);

/**
 * cuMemcpy3DPeerAsync() - copies slices of rows between two contexts, in stream order
 * @pCopy: from where to where, and how much; read before the call returns
 * @hStream: a stream
 *
 * Context: any thread; between two devices it blocks until the copy is done.
 * Return: as cuMemcpy3DAsync(), and CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed context.
 */
CUresult CUDAAPI cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream);

/**
 * cuMemcpy3D() - copies slices of rows
 * @pCopy: from where to where, and how much
 *
 * Context: any thread; blocks.
 * Return: as cuMemcpy2D().
 */
CUresult CUDAAPI cuMemcpy3D(const CUDA_MEMCPY3D *pCopy);

/**
 * cuMemcpy3DAsync() - copies slices of rows, in stream order
 * @pCopy: from where to where, and how much; read before the call returns
 * @hStream: a stream
 *
 * Context: any thread.
 * Return: as cuMemcpy2DAsync().
 */
CUresult CUDAAPI cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_COPY_H */
