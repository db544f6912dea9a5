/* SPDX-License-Identifier: MIT */
/*
 * DOC: Names and versions of functions
 *
 * A function that changed keeps its old symbol for programs that were compiled with it. A name in these
 * headers means the newest version. If CUDA_API_PER_THREAD_DEFAULT_STREAM is defined before the
 * headers, functions with a stream argument are the variants for which NULL means the calling thread's
 * own stream (_ptsz), and synchronous copies and fills use that stream (_ptds). If CUDA_API_EXACT_NAMES
 * is defined, a name is the symbol itself; then use only the types of the headers.
 */
#ifndef CUDA_DRIVER_NAMES_H
#define CUDA_DRIVER_NAMES_H

#define CUDA_VERSION 13000

#if !defined(CUDAAPI)
#define CUDAAPI
#endif
#define CUDA_CB

#if !defined(CUDA_API_EXACT_NAMES)

#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGetProcAddress cuGetProcAddress_v2
#define cuGraphAddDependencies cuGraphAddDependencies_v2
#define cuGraphAddNode cuGraphAddNode_v2
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphGetEdges cuGraphGetEdges_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2
#define cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuMemAdvise cuMemAdvise_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuStreamDestroy cuStreamDestroy_v2

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)

#define cuEventRecord cuEventRecord_ptsz
#define cuEventRecordWithFlags cuEventRecordWithFlags_ptsz
#define cuGraphInstantiateWithParams cuGraphInstantiateWithParams_ptsz
#define cuGraphLaunch cuGraphLaunch_ptsz
#define cuGraphUpload cuGraphUpload_ptsz
#define cuLaunchHostFunc cuLaunchHostFunc_ptsz
#define cuMemAllocAsync cuMemAllocAsync_ptsz
#define cuMemAllocFromPoolAsync cuMemAllocFromPoolAsync_ptsz
#define cuMemFreeAsync cuMemFreeAsync_ptsz
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2_ptsz
#define cuMemcpy cuMemcpy_ptds
#define cuMemcpy2D cuMemcpy2D_v2_ptds
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2_ptsz
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2_ptds
#define cuMemcpy3D cuMemcpy3D_v2_ptds
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2_ptsz
#define cuMemcpy3DPeer cuMemcpy3DPeer_ptds
#define cuMemcpy3DPeerAsync cuMemcpy3DPeerAsync_ptsz
#define cuMemcpyAsync cuMemcpyAsync_ptsz
#define cuMemcpyDtoD cuMemcpyDtoD_v2_ptds
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2_ptsz
#define cuMemcpyDtoH cuMemcpyDtoH_v2_ptds
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2_ptsz
#define cuMemcpyHtoD cuMemcpyHtoD_v2_ptds
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2_ptsz
#define cuMemcpyPeer cuMemcpyPeer_ptds
#define cuMemcpyPeerAsync cuMemcpyPeerAsync_ptsz
#define cuMemsetD16 cuMemsetD16_v2_ptds
#define cuMemsetD16Async cuMemsetD16Async_ptsz
#define cuMemsetD2D16 cuMemsetD2D16_v2_ptds
#define cuMemsetD2D16Async cuMemsetD2D16Async_ptsz
#define cuMemsetD2D32 cuMemsetD2D32_v2_ptds
#define cuMemsetD2D32Async cuMemsetD2D32Async_ptsz
#define cuMemsetD2D8 cuMemsetD2D8_v2_ptds
#define cuMemsetD2D8Async cuMemsetD2D8Async_ptsz
#define cuMemsetD32 cuMemsetD32_v2_ptds
#define cuMemsetD32Async cuMemsetD32Async_ptsz
#define cuMemsetD8 cuMemsetD8_v2_ptds
#define cuMemsetD8Async cuMemsetD8Async_ptsz
#define cuStreamAddCallback cuStreamAddCallback_ptsz
#define cuStreamAttachMemAsync cuStreamAttachMemAsync_ptsz
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2_ptsz
#define cuStreamBeginCapture cuStreamBeginCapture_v2_ptsz
#define cuStreamBeginCaptureToGraph cuStreamBeginCaptureToGraph_ptsz
#define cuStreamCopyAttributes cuStreamCopyAttributes_ptsz
#define cuStreamEndCapture cuStreamEndCapture_ptsz
#define cuStreamGetAttribute cuStreamGetAttribute_ptsz
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3_ptsz
#define cuStreamGetCtx cuStreamGetCtx_ptsz
#define cuStreamGetDevice cuStreamGetDevice_ptsz
#define cuStreamGetFlags cuStreamGetFlags_ptsz
#define cuStreamGetId cuStreamGetId_ptsz
#define cuStreamGetPriority cuStreamGetPriority_ptsz
#define cuStreamIsCapturing cuStreamIsCapturing_ptsz
#define cuStreamQuery cuStreamQuery_ptsz
#define cuStreamSetAttribute cuStreamSetAttribute_ptsz
#define cuStreamSynchronize cuStreamSynchronize_ptsz
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2_ptsz
#define cuStreamWaitEvent cuStreamWaitEvent_ptsz
#define cuStreamWaitValue32 cuStreamWaitValue32_v2_ptsz
#define cuStreamWaitValue64 cuStreamWaitValue64_v2_ptsz
#define cuStreamWriteValue32 cuStreamWriteValue32_v2_ptsz
#define cuStreamWriteValue64 cuStreamWriteValue64_v2_ptsz

#else

#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2
#define cuStreamBeginCapture cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v3
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2
#define cuStreamWaitValue32 cuStreamWaitValue32_v2
#define cuStreamWaitValue64 cuStreamWaitValue64_v2
#define cuStreamWriteValue32 cuStreamWriteValue32_v2
#define cuStreamWriteValue64 cuStreamWriteValue64_v2

#endif /* CUDA_API_PER_THREAD_DEFAULT_STREAM */

#endif /* CUDA_API_EXACT_NAMES */

#endif /* CUDA_DRIVER_NAMES_H */
