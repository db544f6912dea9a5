// SPDX-License-Identifier: MIT
/**
 * DOC: Variants of functions for the calling thread's own stream
 *
 * In a _ptsz function, a NULL stream means the calling thread's own stream. A _ptds function is a synchronous
 * function that uses that stream.
 */
#include "cuda/cuda.h"
#include "umd/cuda/front.h"
#include "umd/cuda/memory/cuda_copy.h"

using namespace umd::cuda;

static CUstream own(CUstream stream)
{
	return stream ? stream : CU_STREAM_PER_THREAD;
}

#define FORM(symbol, function, parameters, arguments) \
	extern "C" CUresult CUDAAPI symbol parameters; \
	CUresult symbol parameters \
	{ \
		return function arguments; \
	}

FORM(cuEventRecord_ptsz, cuEventRecord, (CUevent hEvent, CUstream hStream), (hEvent, own(hStream)))
FORM(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags,
     (CUevent hEvent, CUstream hStream, unsigned int flags), (hEvent, own(hStream), flags))
FORM(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams,
     (CUgraphExec * phGraphExec, CUgraph hGraph, CUDA_GRAPH_INSTANTIATE_PARAMS *params),
     (phGraphExec, hGraph, params))
FORM(cuGraphLaunch_ptsz, cuGraphLaunch, (CUgraphExec hGraphExec, CUstream hStream),
     (hGraphExec, own(hStream)))
FORM(cuGraphUpload_ptsz, cuGraphUpload, (CUgraphExec hGraphExec, CUstream hStream),
     (hGraphExec, own(hStream)))
FORM(cuLaunchHostFunc_ptsz, cuLaunchHostFunc, (CUstream hStream, CUhostFn fn, void *userData),
     (own(hStream), fn, userData))
FORM(cuMemAllocAsync_ptsz, cuMemAllocAsync, (CUdeviceptr * dptr, size_t bytesize, CUstream hStream),
     (dptr, bytesize, own(hStream)))
FORM(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync,
     (CUdeviceptr * dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream),
     (dptr, bytesize, pool, own(hStream)))
FORM(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync,
     (CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
      CUstream hStream),
     (devPtr, count, location, flags, own(hStream)))
FORM(cuMemFreeAsync_ptsz, cuMemFreeAsync, (CUdeviceptr dptr, CUstream hStream),
     (dptr, own(hStream)))
FORM(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync, (const CUDA_MEMCPY2D *pCopy, CUstream hStream),
     (pCopy, own(hStream)))
FORM(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync, (const CUDA_MEMCPY3D *pCopy, CUstream hStream),
     (pCopy, own(hStream)))
FORM(cuMemcpyAsync_ptsz, cuMemcpyAsync,
     (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream),
     (dst, src, ByteCount, own(hStream)))
FORM(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync,
     (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
     (dstDevice, srcDevice, ByteCount, own(hStream)))
FORM(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync,
     (void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
     (dstHost, srcDevice, ByteCount, own(hStream)))
FORM(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync,
     (CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream),
     (dstDevice, srcHost, ByteCount, own(hStream)))
FORM(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync,
     (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
      size_t ByteCount, CUstream hStream),
     (dstDevice, dstContext, srcDevice, srcContext, ByteCount, own(hStream)))
FORM(cuMemcpy3DPeerAsync_ptsz, cuMemcpy3DPeerAsync,
     (const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream), (pCopy, own(hStream)))
FORM(cuMemsetD2D16Async_ptsz, cuMemsetD2D16Async,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
      CUstream hStream),
     (dstDevice, dstPitch, us, Width, Height, own(hStream)))
FORM(cuMemsetD2D32Async_ptsz, cuMemsetD2D32Async,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
      CUstream hStream),
     (dstDevice, dstPitch, ui, Width, Height, own(hStream)))
FORM(cuMemsetD2D8Async_ptsz, cuMemsetD2D8Async,
     (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
      CUstream hStream),
     (dstDevice, dstPitch, uc, Width, Height, own(hStream)))
FORM(cuMemsetD16Async_ptsz, cuMemsetD16Async,
     (CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream),
     (dstDevice, us, N, own(hStream)))
FORM(cuMemsetD32Async_ptsz, cuMemsetD32Async,
     (CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream),
     (dstDevice, ui, N, own(hStream)))
FORM(cuMemsetD8Async_ptsz, cuMemsetD8Async,
     (CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream),
     (dstDevice, uc, N, own(hStream)))
FORM(cuStreamAddCallback_ptsz, cuStreamAddCallback,
     (CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags),
     (own(hStream), callback, userData, flags))
FORM(cuStreamAttachMemAsync_ptsz, cuStreamAttachMemAsync,
     (CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags),
     (own(hStream), dptr, length, flags))
FORM(cuStreamBatchMemOp_ptsz, cuStreamBatchMemOp,
     (CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
      unsigned int flags),
     (own(stream), count, paramArray, flags))
FORM(cuStreamBatchMemOp_v2_ptsz, cuStreamBatchMemOp,
     (CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
      unsigned int flags),
     (own(stream), count, paramArray, flags))
FORM(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture,
     (CUstream hStream, CUstreamCaptureMode mode), (own(hStream), mode))
FORM(cuStreamBeginCaptureToGraph_ptsz, cuStreamBeginCaptureToGraph,
     (CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
      const CUgraphEdgeData *dependencyData, size_t numDependencies, CUstreamCaptureMode mode),
     (own(hStream), hGraph, dependencies, dependencyData, numDependencies, mode))
FORM(cuStreamCopyAttributes_ptsz, cuStreamCopyAttributes, (CUstream dst, CUstream src),
     (own(dst), own(src)))
FORM(cuStreamEndCapture_ptsz, cuStreamEndCapture, (CUstream hStream, CUgraph *phGraph),
     (own(hStream), phGraph))
FORM(cuStreamGetAttribute_ptsz, cuStreamGetAttribute,
     (CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out),
     (own(hStream), attr, value_out))
FORM(cuStreamGetCaptureInfo_v3_ptsz, cuStreamGetCaptureInfo,
     (CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
      CUgraph *graph_out, const CUgraphNode **dependencies_out,
      const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out),
     (own(hStream), captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
      numDependencies_out))
FORM(cuStreamGetCtx_ptsz, cuStreamGetCtx, (CUstream hStream, CUcontext *pctx), (own(hStream), pctx))
FORM(cuStreamGetDevice_ptsz, cuStreamGetDevice, (CUstream hStream, CUdevice *device),
     (own(hStream), device))
FORM(cuStreamGetFlags_ptsz, cuStreamGetFlags, (CUstream hStream, unsigned int *flags),
     (own(hStream), flags))
FORM(cuStreamGetId_ptsz, cuStreamGetId, (CUstream hStream, unsigned long long *streamId),
     (own(hStream), streamId))
FORM(cuStreamGetPriority_ptsz, cuStreamGetPriority, (CUstream hStream, int *priority),
     (own(hStream), priority))
FORM(cuStreamIsCapturing_ptsz, cuStreamIsCapturing,
     (CUstream hStream, CUstreamCaptureStatus *captureStatus), (own(hStream), captureStatus))
FORM(cuStreamQuery_ptsz, cuStreamQuery, (CUstream hStream), (own(hStream)))
FORM(cuStreamSetAttribute_ptsz, cuStreamSetAttribute,
     (CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value),
     (own(hStream), attr, value))
FORM(cuStreamSynchronize_ptsz, cuStreamSynchronize, (CUstream hStream), (own(hStream)))
FORM(cuStreamUpdateCaptureDependencies_v2_ptsz, cuStreamUpdateCaptureDependencies,
     (CUstream hStream, CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData,
      size_t numDependencies, unsigned int flags),
     (own(hStream), dependencies, dependencyData, numDependencies, flags))
FORM(cuStreamWaitEvent_ptsz, cuStreamWaitEvent,
     (CUstream hStream, CUevent hEvent, unsigned int Flags), (own(hStream), hEvent, Flags))
FORM(cuStreamWaitValue32_ptsz, cuStreamWaitValue32,
     (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWaitValue32_v2_ptsz, cuStreamWaitValue32,
     (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWaitValue64_ptsz, cuStreamWaitValue64,
     (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWaitValue64_v2_ptsz, cuStreamWaitValue64,
     (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWriteValue32_ptsz, cuStreamWriteValue32,
     (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWriteValue32_v2_ptsz, cuStreamWriteValue32,
     (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWriteValue64_ptsz, cuStreamWriteValue64,
     (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
     (own(stream), addr, value, flags))
FORM(cuStreamWriteValue64_v2_ptsz, cuStreamWriteValue64,
     (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
     (own(stream), addr, value, flags))

extern "C" CUresult CUDAAPI cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_PER_THREAD, named(CudaCall::MEMCPY, ANY_TO_ANY), pointer(dst),
		    pointer(src), ByteCount, true);
}

extern "C" CUresult CUDAAPI cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *pCopy);
CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D *pCopy)
{
	TRY(enter());
	return copy_2d(CudaCall::MEMCPY_2D, CU_STREAM_PER_THREAD, pCopy, true);
}

extern "C" CUresult CUDAAPI cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *pCopy);
CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *pCopy)
{
	TRY(enter());
	return copy_3d(CudaCall::MEMCPY_3D, CU_STREAM_PER_THREAD, pCopy, true);
}

extern "C" CUresult CUDAAPI cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
						 size_t ByteCount);
CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_PER_THREAD, named(CudaCall::MEMCPY_DTOD, DEVICE_TO_DEVICE),
		    pointer(dstDevice), pointer(srcDevice), ByteCount, true);
}

extern "C" CUresult CUDAAPI cuMemcpyDtoH_v2_ptds(void *dstHost, CUdeviceptr srcDevice,
						 size_t ByteCount);
CUresult cuMemcpyDtoH_v2_ptds(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_PER_THREAD, named(CudaCall::MEMCPY_DTOH, DEVICE_TO_HOST), dstHost,
		    pointer(srcDevice), ByteCount, true);
}

extern "C" CUresult CUDAAPI cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void *srcHost,
						 size_t ByteCount);
CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_PER_THREAD, named(CudaCall::MEMCPY_HTOD, HOST_TO_DEVICE),
		    pointer(dstDevice), srcHost, ByteCount, true);
}

extern "C" CUresult CUDAAPI cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext,
					      CUdeviceptr srcDevice, CUcontext srcContext,
					      size_t ByteCount);
CUresult cuMemcpyPeer_ptds(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
			   CUcontext srcContext, size_t ByteCount)
{
	TRY(enter());
	return copy_peer(CudaCall::MEMCPY_PEER, CU_STREAM_PER_THREAD, dstDevice, dstContext,
			 srcDevice, srcContext, ByteCount, true);
}

extern "C" CUresult CUDAAPI cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N);
CUresult cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D16, CU_STREAM_PER_THREAD, dstDevice, us, sizeof(us), N, true);
}

extern "C" CUresult CUDAAPI cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N);
CUresult cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D32, CU_STREAM_PER_THREAD, dstDevice, ui, sizeof(ui), N, true);
}

extern "C" CUresult CUDAAPI cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N);
CUresult cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D8, CU_STREAM_PER_THREAD, dstDevice, uc, sizeof(uc), N, true);
}
