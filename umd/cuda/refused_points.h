// SPDX-License-Identifier: MIT
/**
 * DOC: Entry points of the CUDA driver interface that are refused
 *
 * Programs look up every function of the interface when they start, and use few of them. So the library also
 * has the functions that the device can't perform: each returns CUDA_ERROR_NOT_SUPPORTED with an error
 * message.
 *
 * CUDA_REFUSAL_REASONS: X(reason, why), where why is the end of that message. CUDA_REFUSED_POINTS: X(name,
 * version, stream, symbol, reason), otherwise as CUDA_ENTRY_POINTS. A function is in only one of the two
 * lists.
 */
#pragma once

#define CUDA_REFUSAL_REASONS(X) \
	X(ARRAYS, "there are no arrays; use device memory, with cuMemcpy2D and cuMemcpy3D for " \
		  "rows and slices") \
	X(BATCHES, "it is one call for several others; make the copies and prefetches one by " \
		   "one, or capture them") \
	X(CHECKPOINTS, "a process can't be saved and restored") \
	X(CONDITIONS, "graphs of this interface have no conditions; captures of AscendCL have " \
		      "them (aclmdlRI)") \
	X(COUNTS, \
	  "a context keeps no count of its users; use cuDevicePrimaryCtxRetain and Release") \
	X(DUMPS, "no kernel of this interface runs, so none leaves a file when it fails") \
	X(EXTERNAL, "memory and semaphores of other drivers can't be imported; processes share " \
		    "by cuIpc* calls") \
	X(GRAPHICS, "the device has no part in graphics; copy by cuMemcpyDtoH and cuMemcpyHtoD") \
	X(KERNELS, "the device runs no kernels of this interface; it runs AscendC kernels and " \
		   "operators of AscendCL") \
	X(LOGS, \
	  "there is no log of the driver; set UNPU_LOG_ERRORS=1 for a sentence for each failure") \
	X(MULTICAST, "memory belongs to one device") \
	X(PARTS, "a device is not divided; use streams with priorities") \
	X(SYSTEM, "it belongs to another system or to another vendor's libraries") \
	X(TEXTURES, "there are no textures and surfaces; use device memory") \
	X(TRANSFERS, "the device has no such engine and no buffers for other drivers")

#define CUDA_REFUSED_POINTS(X) \
	X(cuArray3DCreate, 2000, LEGACY, cuArray3DCreate, ARRAYS) \
	X(cuArray3DCreate, 3020, LEGACY, cuArray3DCreate_v2, ARRAYS) \
	X(cuArray3DGetDescriptor, 2000, LEGACY, cuArray3DGetDescriptor, ARRAYS) \
	X(cuArray3DGetDescriptor, 3020, LEGACY, cuArray3DGetDescriptor_v2, ARRAYS) \
	X(cuArrayCreate, 2000, LEGACY, cuArrayCreate, ARRAYS) \
	X(cuArrayCreate, 3020, LEGACY, cuArrayCreate_v2, ARRAYS) \
	X(cuArrayDestroy, 2000, LEGACY, cuArrayDestroy, ARRAYS) \
	X(cuArrayGetDescriptor, 2000, LEGACY, cuArrayGetDescriptor, ARRAYS) \
	X(cuArrayGetDescriptor, 3020, LEGACY, cuArrayGetDescriptor_v2, ARRAYS) \
	X(cuArrayGetMemoryRequirements, 11060, LEGACY, cuArrayGetMemoryRequirements, ARRAYS) \
	X(cuArrayGetPlane, 11020, LEGACY, cuArrayGetPlane, ARRAYS) \
	X(cuArrayGetSparseProperties, 11010, LEGACY, cuArrayGetSparseProperties, ARRAYS) \
	X(cuCheckpointProcessCheckpoint, 12080, LEGACY, cuCheckpointProcessCheckpoint, \
	  CHECKPOINTS) \
	X(cuCheckpointProcessGetRestoreThreadId, 12080, LEGACY, \
	  cuCheckpointProcessGetRestoreThreadId, CHECKPOINTS) \
	X(cuCheckpointProcessGetState, 12080, LEGACY, cuCheckpointProcessGetState, CHECKPOINTS) \
	X(cuCheckpointProcessLock, 12080, LEGACY, cuCheckpointProcessLock, CHECKPOINTS) \
	X(cuCheckpointProcessRestore, 12080, LEGACY, cuCheckpointProcessRestore, CHECKPOINTS) \
	X(cuCheckpointProcessUnlock, 12080, LEGACY, cuCheckpointProcessUnlock, CHECKPOINTS) \
	X(cuCoredumpGetAttribute, 12010, LEGACY, cuCoredumpGetAttribute, DUMPS) \
	X(cuCoredumpGetAttributeGlobal, 12010, LEGACY, cuCoredumpGetAttributeGlobal, DUMPS) \
	X(cuCoredumpSetAttribute, 12010, LEGACY, cuCoredumpSetAttribute, DUMPS) \
	X(cuCoredumpSetAttributeGlobal, 12010, LEGACY, cuCoredumpSetAttributeGlobal, DUMPS) \
	X(cuCtxAttach, 2000, LEGACY, cuCtxAttach, COUNTS) \
	X(cuCtxDetach, 2000, LEGACY, cuCtxDetach, COUNTS) \
	X(cuCtxFromGreenCtx, 12040, LEGACY, cuCtxFromGreenCtx, PARTS) \
	X(cuCtxGetDevResource, 12040, LEGACY, cuCtxGetDevResource, PARTS) \
	X(cuCtxGetExecAffinity, 11040, LEGACY, cuCtxGetExecAffinity, PARTS) \
	X(cuCtxGetSharedMemConfig, 4020, LEGACY, cuCtxGetSharedMemConfig, KERNELS) \
	X(cuCtxResetPersistingL2Cache, 11000, LEGACY, cuCtxResetPersistingL2Cache, KERNELS) \
	X(cuCtxSetSharedMemConfig, 4020, LEGACY, cuCtxSetSharedMemConfig, KERNELS) \
	X(cuDestroyExternalMemory, 10000, LEGACY, cuDestroyExternalMemory, EXTERNAL) \
	X(cuDestroyExternalSemaphore, 10000, LEGACY, cuDestroyExternalSemaphore, EXTERNAL) \
	X(cuDevResourceGenerateDesc, 12040, LEGACY, cuDevResourceGenerateDesc, PARTS) \
	X(cuDevSmResourceSplitByCount, 12040, LEGACY, cuDevSmResourceSplitByCount, PARTS) \
	X(cuDeviceGetDevResource, 12040, LEGACY, cuDeviceGetDevResource, PARTS) \
	X(cuDeviceGetExecAffinitySupport, 11040, LEGACY, cuDeviceGetExecAffinitySupport, PARTS) \
	X(cuDeviceGetHostAtomicCapabilities, 13000, LEGACY, cuDeviceGetHostAtomicCapabilities, \
	  KERNELS) \
	X(cuDeviceGetLuid, 10000, LEGACY, cuDeviceGetLuid, SYSTEM) \
	X(cuDeviceGetNvSciSyncAttributes, 10020, LEGACY, cuDeviceGetNvSciSyncAttributes, EXTERNAL) \
	X(cuDeviceGetP2PAtomicCapabilities, 13000, LEGACY, cuDeviceGetP2PAtomicCapabilities, \
	  KERNELS) \
	X(cuDeviceGetTexture1DLinearMaxWidth, 11010, LEGACY, cuDeviceGetTexture1DLinearMaxWidth, \
	  TEXTURES) \
	X(cuDeviceRegisterAsyncNotification, 12040, LEGACY, cuDeviceRegisterAsyncNotification, \
	  SYSTEM) \
	X(cuDeviceUnregisterAsyncNotification, 12040, LEGACY, cuDeviceUnregisterAsyncNotification, \
	  SYSTEM) \
	X(cuExternalMemoryGetMappedBuffer, 10000, LEGACY, cuExternalMemoryGetMappedBuffer, \
	  EXTERNAL) \
	X(cuExternalMemoryGetMappedMipmappedArray, 10000, LEGACY, \
	  cuExternalMemoryGetMappedMipmappedArray, EXTERNAL) \
	X(cuFlushGPUDirectRDMAWrites, 11030, LEGACY, cuFlushGPUDirectRDMAWrites, TRANSFERS) \
	X(cuFuncGetAttribute, 2020, LEGACY, cuFuncGetAttribute, KERNELS) \
	X(cuFuncGetModule, 11000, LEGACY, cuFuncGetModule, KERNELS) \
	X(cuFuncGetName, 12030, LEGACY, cuFuncGetName, KERNELS) \
	X(cuFuncGetParamInfo, 12040, LEGACY, cuFuncGetParamInfo, KERNELS) \
	X(cuFuncIsLoaded, 12040, LEGACY, cuFuncIsLoaded, KERNELS) \
	X(cuFuncLoad, 12040, LEGACY, cuFuncLoad, KERNELS) \
	X(cuFuncSetAttribute, 9000, LEGACY, cuFuncSetAttribute, KERNELS) \
	X(cuFuncSetBlockShape, 2000, LEGACY, cuFuncSetBlockShape, KERNELS) \
	X(cuFuncSetCacheConfig, 3000, LEGACY, cuFuncSetCacheConfig, KERNELS) \
	X(cuFuncSetSharedMemConfig, 4020, LEGACY, cuFuncSetSharedMemConfig, KERNELS) \
	X(cuFuncSetSharedSize, 2000, LEGACY, cuFuncSetSharedSize, KERNELS) \
	X(cuGLCtxCreate, 2000, LEGACY, cuGLCtxCreate, GRAPHICS) \
	X(cuGLCtxCreate, 3020, LEGACY, cuGLCtxCreate_v2, GRAPHICS) \
	X(cuGLGetDevices, 4010, LEGACY, cuGLGetDevices, GRAPHICS) \
	X(cuGLGetDevices, 6050, LEGACY, cuGLGetDevices_v2, GRAPHICS) \
	X(cuGLInit, 2000, LEGACY, cuGLInit, GRAPHICS) \
	X(cuGLMapBufferObject, 2000, LEGACY, cuGLMapBufferObject, GRAPHICS) \
	X(cuGLMapBufferObject, 3020, LEGACY, cuGLMapBufferObject_v2, GRAPHICS) \
	X(cuGLMapBufferObject, 7000, THREAD, cuGLMapBufferObject_v2_ptds, GRAPHICS) \
	X(cuGLMapBufferObjectAsync, 2030, LEGACY, cuGLMapBufferObjectAsync, GRAPHICS) \
	X(cuGLMapBufferObjectAsync, 3020, LEGACY, cuGLMapBufferObjectAsync_v2, GRAPHICS) \
	X(cuGLMapBufferObjectAsync, 7000, THREAD, cuGLMapBufferObjectAsync_v2_ptsz, GRAPHICS) \
	X(cuGLRegisterBufferObject, 2000, LEGACY, cuGLRegisterBufferObject, GRAPHICS) \
	X(cuGLSetBufferObjectMapFlags, 2030, LEGACY, cuGLSetBufferObjectMapFlags, GRAPHICS) \
	X(cuGLUnmapBufferObject, 2000, LEGACY, cuGLUnmapBufferObject, GRAPHICS) \
	X(cuGLUnmapBufferObjectAsync, 2030, LEGACY, cuGLUnmapBufferObjectAsync, GRAPHICS) \
	X(cuGLUnregisterBufferObject, 2000, LEGACY, cuGLUnregisterBufferObject, GRAPHICS) \
	X(cuGetExportTable, 3000, LEGACY, cuGetExportTable, SYSTEM) \
	X(cuGraphAddExternalSemaphoresSignalNode, 11020, LEGACY, \
	  cuGraphAddExternalSemaphoresSignalNode, EXTERNAL) \
	X(cuGraphAddExternalSemaphoresWaitNode, 11020, LEGACY, \
	  cuGraphAddExternalSemaphoresWaitNode, EXTERNAL) \
	X(cuGraphAddKernelNode, 10000, LEGACY, cuGraphAddKernelNode, KERNELS) \
	X(cuGraphAddKernelNode, 12000, LEGACY, cuGraphAddKernelNode_v2, KERNELS) \
	X(cuGraphConditionalHandleCreate, 12030, LEGACY, cuGraphConditionalHandleCreate, \
	  CONDITIONS) \
	X(cuGraphExecExternalSemaphoresSignalNodeSetParams, 11020, LEGACY, \
	  cuGraphExecExternalSemaphoresSignalNodeSetParams, EXTERNAL) \
	X(cuGraphExecExternalSemaphoresWaitNodeSetParams, 11020, LEGACY, \
	  cuGraphExecExternalSemaphoresWaitNodeSetParams, EXTERNAL) \
	X(cuGraphExecKernelNodeSetParams, 10010, LEGACY, cuGraphExecKernelNodeSetParams, KERNELS) \
	X(cuGraphExecKernelNodeSetParams, 12000, LEGACY, cuGraphExecKernelNodeSetParams_v2, \
	  KERNELS) \
	X(cuGraphExternalSemaphoresSignalNodeGetParams, 11020, LEGACY, \
	  cuGraphExternalSemaphoresSignalNodeGetParams, EXTERNAL) \
	X(cuGraphExternalSemaphoresSignalNodeSetParams, 11020, LEGACY, \
	  cuGraphExternalSemaphoresSignalNodeSetParams, EXTERNAL) \
	X(cuGraphExternalSemaphoresWaitNodeGetParams, 11020, LEGACY, \
	  cuGraphExternalSemaphoresWaitNodeGetParams, EXTERNAL) \
	X(cuGraphExternalSemaphoresWaitNodeSetParams, 11020, LEGACY, \
	  cuGraphExternalSemaphoresWaitNodeSetParams, EXTERNAL) \
	X(cuGraphKernelNodeCopyAttributes, 11000, LEGACY, cuGraphKernelNodeCopyAttributes, \
	  KERNELS) \
	X(cuGraphKernelNodeGetAttribute, 11000, LEGACY, cuGraphKernelNodeGetAttribute, KERNELS) \
	X(cuGraphKernelNodeGetParams, 10000, LEGACY, cuGraphKernelNodeGetParams, KERNELS) \
	X(cuGraphKernelNodeGetParams, 12000, LEGACY, cuGraphKernelNodeGetParams_v2, KERNELS) \
	X(cuGraphKernelNodeSetAttribute, 11000, LEGACY, cuGraphKernelNodeSetAttribute, KERNELS) \
	X(cuGraphKernelNodeSetParams, 10000, LEGACY, cuGraphKernelNodeSetParams, KERNELS) \
	X(cuGraphKernelNodeSetParams, 12000, LEGACY, cuGraphKernelNodeSetParams_v2, KERNELS) \
	X(cuGraphicsGLRegisterBuffer, 3000, LEGACY, cuGraphicsGLRegisterBuffer, GRAPHICS) \
	X(cuGraphicsGLRegisterImage, 3000, LEGACY, cuGraphicsGLRegisterImage, GRAPHICS) \
	X(cuGraphicsMapResources, 3000, LEGACY, cuGraphicsMapResources, GRAPHICS) \
	X(cuGraphicsMapResources, 7000, THREAD, cuGraphicsMapResources_ptsz, GRAPHICS) \
	X(cuGraphicsResourceGetMappedMipmappedArray, 5000, LEGACY, \
	  cuGraphicsResourceGetMappedMipmappedArray, GRAPHICS) \
	X(cuGraphicsResourceGetMappedPointer, 3000, LEGACY, cuGraphicsResourceGetMappedPointer, \
	  GRAPHICS) \
	X(cuGraphicsResourceGetMappedPointer, 3020, LEGACY, cuGraphicsResourceGetMappedPointer_v2, \
	  GRAPHICS) \
	X(cuGraphicsResourceSetMapFlags, 3000, LEGACY, cuGraphicsResourceSetMapFlags, GRAPHICS) \
	X(cuGraphicsResourceSetMapFlags, 6050, LEGACY, cuGraphicsResourceSetMapFlags_v2, GRAPHICS) \
	X(cuGraphicsSubResourceGetMappedArray, 3000, LEGACY, cuGraphicsSubResourceGetMappedArray, \
	  GRAPHICS) \
	X(cuGraphicsUnmapResources, 3000, LEGACY, cuGraphicsUnmapResources, GRAPHICS) \
	X(cuGraphicsUnmapResources, 7000, THREAD, cuGraphicsUnmapResources_ptsz, GRAPHICS) \
	X(cuGraphicsUnregisterResource, 3000, LEGACY, cuGraphicsUnregisterResource, GRAPHICS) \
	X(cuGreenCtxCreate, 12040, LEGACY, cuGreenCtxCreate, PARTS) \
	X(cuGreenCtxDestroy, 12040, LEGACY, cuGreenCtxDestroy, PARTS) \
	X(cuGreenCtxGetDevResource, 12040, LEGACY, cuGreenCtxGetDevResource, PARTS) \
	X(cuGreenCtxGetId, 12090, LEGACY, cuGreenCtxGetId, PARTS) \
	X(cuGreenCtxRecordEvent, 12040, LEGACY, cuGreenCtxRecordEvent, PARTS) \
	X(cuGreenCtxStreamCreate, 12050, LEGACY, cuGreenCtxStreamCreate, PARTS) \
	X(cuGreenCtxWaitEvent, 12040, LEGACY, cuGreenCtxWaitEvent, PARTS) \
	X(cuImportExternalMemory, 10000, LEGACY, cuImportExternalMemory, EXTERNAL) \
	X(cuImportExternalSemaphore, 10000, LEGACY, cuImportExternalSemaphore, EXTERNAL) \
	X(cuKernelGetAttribute, 12000, LEGACY, cuKernelGetAttribute, KERNELS) \
	X(cuKernelGetFunction, 12000, LEGACY, cuKernelGetFunction, KERNELS) \
	X(cuKernelGetLibrary, 12050, LEGACY, cuKernelGetLibrary, KERNELS) \
	X(cuKernelGetName, 12030, LEGACY, cuKernelGetName, KERNELS) \
	X(cuKernelGetParamInfo, 12040, LEGACY, cuKernelGetParamInfo, KERNELS) \
	X(cuKernelSetAttribute, 12000, LEGACY, cuKernelSetAttribute, KERNELS) \
	X(cuKernelSetCacheConfig, 12000, LEGACY, cuKernelSetCacheConfig, KERNELS) \
	X(cuLaunch, 2000, LEGACY, cuLaunch, KERNELS) \
	X(cuLaunchCooperativeKernel, 9000, LEGACY, cuLaunchCooperativeKernel, KERNELS) \
	X(cuLaunchCooperativeKernel, 9000, THREAD, cuLaunchCooperativeKernel_ptsz, KERNELS) \
	X(cuLaunchCooperativeKernelMultiDevice, 9000, LEGACY, \
	  cuLaunchCooperativeKernelMultiDevice, KERNELS) \
	X(cuLaunchGrid, 2000, LEGACY, cuLaunchGrid, KERNELS) \
	X(cuLaunchGridAsync, 2000, LEGACY, cuLaunchGridAsync, KERNELS) \
	X(cuLaunchKernel, 4000, LEGACY, cuLaunchKernel, KERNELS) \
	X(cuLaunchKernel, 7000, THREAD, cuLaunchKernel_ptsz, KERNELS) \
	X(cuLaunchKernelEx, 11060, LEGACY, cuLaunchKernelEx, KERNELS) \
	X(cuLaunchKernelEx, 11060, THREAD, cuLaunchKernelEx_ptsz, KERNELS) \
	X(cuLibraryEnumerateKernels, 12040, LEGACY, cuLibraryEnumerateKernels, KERNELS) \
	X(cuLibraryGetGlobal, 12000, LEGACY, cuLibraryGetGlobal, KERNELS) \
	X(cuLibraryGetKernel, 12000, LEGACY, cuLibraryGetKernel, KERNELS) \
	X(cuLibraryGetKernelCount, 12040, LEGACY, cuLibraryGetKernelCount, KERNELS) \
	X(cuLibraryGetManaged, 12000, LEGACY, cuLibraryGetManaged, KERNELS) \
	X(cuLibraryGetModule, 12000, LEGACY, cuLibraryGetModule, KERNELS) \
	X(cuLibraryGetUnifiedFunction, 12000, LEGACY, cuLibraryGetUnifiedFunction, KERNELS) \
	X(cuLibraryLoadData, 12000, LEGACY, cuLibraryLoadData, KERNELS) \
	X(cuLibraryLoadFromFile, 12000, LEGACY, cuLibraryLoadFromFile, KERNELS) \
	X(cuLibraryUnload, 12000, LEGACY, cuLibraryUnload, KERNELS) \
	X(cuLinkAddData, 5050, LEGACY, cuLinkAddData, KERNELS) \
	X(cuLinkAddData, 6050, LEGACY, cuLinkAddData_v2, KERNELS) \
	X(cuLinkAddFile, 5050, LEGACY, cuLinkAddFile, KERNELS) \
	X(cuLinkAddFile, 6050, LEGACY, cuLinkAddFile_v2, KERNELS) \
	X(cuLinkComplete, 5050, LEGACY, cuLinkComplete, KERNELS) \
	X(cuLinkCreate, 5050, LEGACY, cuLinkCreate, KERNELS) \
	X(cuLinkCreate, 6050, LEGACY, cuLinkCreate_v2, KERNELS) \
	X(cuLinkDestroy, 5050, LEGACY, cuLinkDestroy, KERNELS) \
	X(cuLogsCurrent, 12090, LEGACY, cuLogsCurrent, LOGS) \
	X(cuLogsDumpToFile, 12090, LEGACY, cuLogsDumpToFile, LOGS) \
	X(cuLogsDumpToMemory, 12090, LEGACY, cuLogsDumpToMemory, LOGS) \
	X(cuLogsRegisterCallback, 12090, LEGACY, cuLogsRegisterCallback, LOGS) \
	X(cuLogsUnregisterCallback, 12090, LEGACY, cuLogsUnregisterCallback, LOGS) \
	X(cuMemBatchDecompressAsync, 12060, LEGACY, cuMemBatchDecompressAsync, TRANSFERS) \
	X(cuMemBatchDecompressAsync, 12060, THREAD, cuMemBatchDecompressAsync_ptsz, TRANSFERS) \
	X(cuMemDiscardAndPrefetchBatchAsync, 13000, LEGACY, cuMemDiscardAndPrefetchBatchAsync, \
	  BATCHES) \
	X(cuMemDiscardAndPrefetchBatchAsync, 13000, THREAD, \
	  cuMemDiscardAndPrefetchBatchAsync_ptsz, BATCHES) \
	X(cuMemDiscardBatchAsync, 13000, LEGACY, cuMemDiscardBatchAsync, BATCHES) \
	X(cuMemDiscardBatchAsync, 13000, THREAD, cuMemDiscardBatchAsync_ptsz, BATCHES) \
	X(cuMemGetHandleForAddressRange, 11070, LEGACY, cuMemGetHandleForAddressRange, TRANSFERS) \
	X(cuMemMapArrayAsync, 11010, LEGACY, cuMemMapArrayAsync, ARRAYS) \
	X(cuMemMapArrayAsync, 11010, THREAD, cuMemMapArrayAsync_ptsz, ARRAYS) \
	X(cuMemPrefetchBatchAsync, 13000, LEGACY, cuMemPrefetchBatchAsync, BATCHES) \
	X(cuMemPrefetchBatchAsync, 13000, THREAD, cuMemPrefetchBatchAsync_ptsz, BATCHES) \
	X(cuMemcpy3DBatchAsync, 12080, LEGACY, cuMemcpy3DBatchAsync, BATCHES) \
	X(cuMemcpy3DBatchAsync, 13000, LEGACY, cuMemcpy3DBatchAsync_v2, BATCHES) \
	X(cuMemcpy3DBatchAsync, 12080, THREAD, cuMemcpy3DBatchAsync_ptsz, BATCHES) \
	X(cuMemcpy3DBatchAsync, 13000, THREAD, cuMemcpy3DBatchAsync_v2_ptsz, BATCHES) \
	X(cuMemcpyAtoA, 2000, LEGACY, cuMemcpyAtoA, ARRAYS) \
	X(cuMemcpyAtoA, 3020, LEGACY, cuMemcpyAtoA_v2, ARRAYS) \
	X(cuMemcpyAtoA, 7000, THREAD, cuMemcpyAtoA_v2_ptds, ARRAYS) \
	X(cuMemcpyAtoD, 2000, LEGACY, cuMemcpyAtoD, ARRAYS) \
	X(cuMemcpyAtoD, 3020, LEGACY, cuMemcpyAtoD_v2, ARRAYS) \
	X(cuMemcpyAtoD, 7000, THREAD, cuMemcpyAtoD_v2_ptds, ARRAYS) \
	X(cuMemcpyAtoH, 2000, LEGACY, cuMemcpyAtoH, ARRAYS) \
	X(cuMemcpyAtoH, 3020, LEGACY, cuMemcpyAtoH_v2, ARRAYS) \
	X(cuMemcpyAtoH, 7000, THREAD, cuMemcpyAtoH_v2_ptds, ARRAYS) \
	X(cuMemcpyAtoHAsync, 2000, LEGACY, cuMemcpyAtoHAsync, ARRAYS) \
	X(cuMemcpyAtoHAsync, 3020, LEGACY, cuMemcpyAtoHAsync_v2, ARRAYS) \
	X(cuMemcpyAtoHAsync, 7000, THREAD, cuMemcpyAtoHAsync_v2_ptsz, ARRAYS) \
	X(cuMemcpyBatchAsync, 12080, LEGACY, cuMemcpyBatchAsync, BATCHES) \
	X(cuMemcpyBatchAsync, 13000, LEGACY, cuMemcpyBatchAsync_v2, BATCHES) \
	X(cuMemcpyBatchAsync, 12080, THREAD, cuMemcpyBatchAsync_ptsz, BATCHES) \
	X(cuMemcpyBatchAsync, 13000, THREAD, cuMemcpyBatchAsync_v2_ptsz, BATCHES) \
	X(cuMemcpyDtoA, 2000, LEGACY, cuMemcpyDtoA, ARRAYS) \
	X(cuMemcpyDtoA, 3020, LEGACY, cuMemcpyDtoA_v2, ARRAYS) \
	X(cuMemcpyDtoA, 7000, THREAD, cuMemcpyDtoA_v2_ptds, ARRAYS) \
	X(cuMemcpyHtoA, 2000, LEGACY, cuMemcpyHtoA, ARRAYS) \
	X(cuMemcpyHtoA, 3020, LEGACY, cuMemcpyHtoA_v2, ARRAYS) \
	X(cuMemcpyHtoA, 7000, THREAD, cuMemcpyHtoA_v2_ptds, ARRAYS) \
	X(cuMemcpyHtoAAsync, 2000, LEGACY, cuMemcpyHtoAAsync, ARRAYS) \
	X(cuMemcpyHtoAAsync, 3020, LEGACY, cuMemcpyHtoAAsync_v2, ARRAYS) \
	X(cuMemcpyHtoAAsync, 7000, THREAD, cuMemcpyHtoAAsync_v2_ptsz, ARRAYS) \
	X(cuMipmappedArrayCreate, 5000, LEGACY, cuMipmappedArrayCreate, ARRAYS) \
	X(cuMipmappedArrayDestroy, 5000, LEGACY, cuMipmappedArrayDestroy, ARRAYS) \
	X(cuMipmappedArrayGetLevel, 5000, LEGACY, cuMipmappedArrayGetLevel, ARRAYS) \
	X(cuMipmappedArrayGetMemoryRequirements, 11060, LEGACY, \
	  cuMipmappedArrayGetMemoryRequirements, ARRAYS) \
	X(cuMipmappedArrayGetSparseProperties, 11010, LEGACY, cuMipmappedArrayGetSparseProperties, \
	  ARRAYS) \
	X(cuModuleEnumerateFunctions, 12040, LEGACY, cuModuleEnumerateFunctions, KERNELS) \
	X(cuModuleGetFunction, 2000, LEGACY, cuModuleGetFunction, KERNELS) \
	X(cuModuleGetFunctionCount, 12040, LEGACY, cuModuleGetFunctionCount, KERNELS) \
	X(cuModuleGetGlobal, 2000, LEGACY, cuModuleGetGlobal, KERNELS) \
	X(cuModuleGetGlobal, 3020, LEGACY, cuModuleGetGlobal_v2, KERNELS) \
	X(cuModuleGetSurfRef, 3000, LEGACY, cuModuleGetSurfRef, KERNELS) \
	X(cuModuleGetTexRef, 2000, LEGACY, cuModuleGetTexRef, KERNELS) \
	X(cuModuleLoad, 2000, LEGACY, cuModuleLoad, KERNELS) \
	X(cuModuleLoadData, 2000, LEGACY, cuModuleLoadData, KERNELS) \
	X(cuModuleLoadDataEx, 2010, LEGACY, cuModuleLoadDataEx, KERNELS) \
	X(cuModuleLoadFatBinary, 2000, LEGACY, cuModuleLoadFatBinary, KERNELS) \
	X(cuModuleUnload, 2000, LEGACY, cuModuleUnload, KERNELS) \
	X(cuMulticastAddDevice, 12010, LEGACY, cuMulticastAddDevice, MULTICAST) \
	X(cuMulticastBindAddr, 12010, LEGACY, cuMulticastBindAddr, MULTICAST) \
	X(cuMulticastBindMem, 12010, LEGACY, cuMulticastBindMem, MULTICAST) \
	X(cuMulticastCreate, 12010, LEGACY, cuMulticastCreate, MULTICAST) \
	X(cuMulticastGetGranularity, 12010, LEGACY, cuMulticastGetGranularity, MULTICAST) \
	X(cuMulticastUnbind, 12010, LEGACY, cuMulticastUnbind, MULTICAST) \
	X(cuOccupancyAvailableDynamicSMemPerBlock, 10020, LEGACY, \
	  cuOccupancyAvailableDynamicSMemPerBlock, KERNELS) \
	X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050, LEGACY, \
	  cuOccupancyMaxActiveBlocksPerMultiprocessor, KERNELS) \
	X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000, LEGACY, \
	  cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, KERNELS) \
	X(cuOccupancyMaxActiveClusters, 11070, LEGACY, cuOccupancyMaxActiveClusters, KERNELS) \
	X(cuOccupancyMaxPotentialBlockSize, 6050, LEGACY, cuOccupancyMaxPotentialBlockSize, \
	  KERNELS) \
	X(cuOccupancyMaxPotentialBlockSizeWithFlags, 7000, LEGACY, \
	  cuOccupancyMaxPotentialBlockSizeWithFlags, KERNELS) \
	X(cuOccupancyMaxPotentialClusterSize, 11070, LEGACY, cuOccupancyMaxPotentialClusterSize, \
	  KERNELS) \
	X(cuParamSetSize, 2000, LEGACY, cuParamSetSize, KERNELS) \
	X(cuParamSetTexRef, 2000, LEGACY, cuParamSetTexRef, KERNELS) \
	X(cuParamSetf, 2000, LEGACY, cuParamSetf, KERNELS) \
	X(cuParamSeti, 2000, LEGACY, cuParamSeti, KERNELS) \
	X(cuParamSetv, 2000, LEGACY, cuParamSetv, KERNELS) \
	X(cuSignalExternalSemaphoresAsync, 10000, LEGACY, cuSignalExternalSemaphoresAsync, \
	  EXTERNAL) \
	X(cuSignalExternalSemaphoresAsync, 10000, THREAD, cuSignalExternalSemaphoresAsync_ptsz, \
	  EXTERNAL) \
	X(cuStreamGetGreenCtx, 12040, LEGACY, cuStreamGetGreenCtx, PARTS) \
	X(cuSurfObjectCreate, 5000, LEGACY, cuSurfObjectCreate, TEXTURES) \
	X(cuSurfObjectDestroy, 5000, LEGACY, cuSurfObjectDestroy, TEXTURES) \
	X(cuSurfObjectGetResourceDesc, 5000, LEGACY, cuSurfObjectGetResourceDesc, TEXTURES) \
	X(cuSurfRefGetArray, 3000, LEGACY, cuSurfRefGetArray, TEXTURES) \
	X(cuSurfRefSetArray, 3000, LEGACY, cuSurfRefSetArray, TEXTURES) \
	X(cuTensorMapEncodeIm2col, 12000, LEGACY, cuTensorMapEncodeIm2col, TEXTURES) \
	X(cuTensorMapEncodeIm2colWide, 12080, LEGACY, cuTensorMapEncodeIm2colWide, TEXTURES) \
	X(cuTensorMapEncodeTiled, 12000, LEGACY, cuTensorMapEncodeTiled, TEXTURES) \
	X(cuTensorMapReplaceAddress, 12000, LEGACY, cuTensorMapReplaceAddress, TEXTURES) \
	X(cuTexObjectCreate, 5000, LEGACY, cuTexObjectCreate, TEXTURES) \
	X(cuTexObjectDestroy, 5000, LEGACY, cuTexObjectDestroy, TEXTURES) \
	X(cuTexObjectGetResourceDesc, 5000, LEGACY, cuTexObjectGetResourceDesc, TEXTURES) \
	X(cuTexObjectGetResourceViewDesc, 5000, LEGACY, cuTexObjectGetResourceViewDesc, TEXTURES) \
	X(cuTexObjectGetTextureDesc, 5000, LEGACY, cuTexObjectGetTextureDesc, TEXTURES) \
	X(cuTexRefCreate, 2000, LEGACY, cuTexRefCreate, TEXTURES) \
	X(cuTexRefDestroy, 2000, LEGACY, cuTexRefDestroy, TEXTURES) \
	X(cuTexRefGetAddress, 2000, LEGACY, cuTexRefGetAddress, TEXTURES) \
	X(cuTexRefGetAddress, 3020, LEGACY, cuTexRefGetAddress_v2, TEXTURES) \
	X(cuTexRefGetAddressMode, 2000, LEGACY, cuTexRefGetAddressMode, TEXTURES) \
	X(cuTexRefGetArray, 2000, LEGACY, cuTexRefGetArray, TEXTURES) \
	X(cuTexRefGetBorderColor, 8000, LEGACY, cuTexRefGetBorderColor, TEXTURES) \
	X(cuTexRefGetFilterMode, 2000, LEGACY, cuTexRefGetFilterMode, TEXTURES) \
	X(cuTexRefGetFlags, 2000, LEGACY, cuTexRefGetFlags, TEXTURES) \
	X(cuTexRefGetFormat, 2000, LEGACY, cuTexRefGetFormat, TEXTURES) \
	X(cuTexRefGetMaxAnisotropy, 5000, LEGACY, cuTexRefGetMaxAnisotropy, TEXTURES) \
	X(cuTexRefGetMipmapFilterMode, 5000, LEGACY, cuTexRefGetMipmapFilterMode, TEXTURES) \
	X(cuTexRefGetMipmapLevelBias, 5000, LEGACY, cuTexRefGetMipmapLevelBias, TEXTURES) \
	X(cuTexRefGetMipmapLevelClamp, 5000, LEGACY, cuTexRefGetMipmapLevelClamp, TEXTURES) \
	X(cuTexRefGetMipmappedArray, 5000, LEGACY, cuTexRefGetMipmappedArray, TEXTURES) \
	X(cuTexRefSetAddress, 2000, LEGACY, cuTexRefSetAddress, TEXTURES) \
	X(cuTexRefSetAddress, 3020, LEGACY, cuTexRefSetAddress_v2, TEXTURES) \
	X(cuTexRefSetAddress2D, 2020, LEGACY, cuTexRefSetAddress2D, TEXTURES) \
	X(cuTexRefSetAddress2D, 3020, LEGACY, cuTexRefSetAddress2D_v2, TEXTURES) \
	X(cuTexRefSetAddress2D, 4010, LEGACY, cuTexRefSetAddress2D_v3, TEXTURES) \
	X(cuTexRefSetAddressMode, 2000, LEGACY, cuTexRefSetAddressMode, TEXTURES) \
	X(cuTexRefSetArray, 2000, LEGACY, cuTexRefSetArray, TEXTURES) \
	X(cuTexRefSetBorderColor, 8000, LEGACY, cuTexRefSetBorderColor, TEXTURES) \
	X(cuTexRefSetFilterMode, 2000, LEGACY, cuTexRefSetFilterMode, TEXTURES) \
	X(cuTexRefSetFlags, 2000, LEGACY, cuTexRefSetFlags, TEXTURES) \
	X(cuTexRefSetFormat, 2000, LEGACY, cuTexRefSetFormat, TEXTURES) \
	X(cuTexRefSetMaxAnisotropy, 5000, LEGACY, cuTexRefSetMaxAnisotropy, TEXTURES) \
	X(cuTexRefSetMipmapFilterMode, 5000, LEGACY, cuTexRefSetMipmapFilterMode, TEXTURES) \
	X(cuTexRefSetMipmapLevelBias, 5000, LEGACY, cuTexRefSetMipmapLevelBias, TEXTURES) \
	X(cuTexRefSetMipmapLevelClamp, 5000, LEGACY, cuTexRefSetMipmapLevelClamp, TEXTURES) \
	X(cuTexRefSetMipmappedArray, 5000, LEGACY, cuTexRefSetMipmappedArray, TEXTURES) \
	X(cuWaitExternalSemaphoresAsync, 10000, LEGACY, cuWaitExternalSemaphoresAsync, EXTERNAL) \
	X(cuWaitExternalSemaphoresAsync, 10000, THREAD, cuWaitExternalSemaphoresAsync_ptsz, \
	  EXTERNAL)
