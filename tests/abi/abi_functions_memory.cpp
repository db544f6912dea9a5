// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: memory, kernels, models
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "acl/acl.h"
#include "acl/acl_rt_memory_soma.h"

namespace {

/* Memory: device allocation */
SAME(aclrtMalloc, aclError(void **, size_t, aclrtMemMallocPolicy));
SAME(aclrtMallocAlign32, aclError(void **, size_t, aclrtMemMallocPolicy));
SAME(aclrtMallocCached, aclError(void **, size_t, aclrtMemMallocPolicy));
SAME(aclrtMallocWithCfg, aclError(void **, size_t, aclrtMemMallocPolicy, aclrtMallocConfig *));
SAME(aclrtMallocForTaskScheduler,
     aclError(void **, size_t, aclrtMemMallocPolicy, aclrtMallocConfig *));
SAME(aclrtFree, aclError(void *));
SAME(aclrtFreeWithDevSync, aclError(void *));
SAME(aclrtMemFlush, aclError(void *, size_t));
SAME(aclrtMemInvalidate, aclError(void *, size_t));
SAME(aclrtGetMemInfo, aclError(aclrtMemAttr, size_t *, size_t *));
SAME(aclrtGetMemUsageInfo, aclError(int32_t, aclrtMemUsageInfo *, size_t, size_t *));
SAME(aclrtCheckMemType, aclError(void **, uint32_t, uint32_t, uint32_t *, uint32_t));

/* Memory: host */
SAME(aclrtMallocHost, aclError(void **, size_t));
SAME(aclrtMallocHostWithCfg, aclError(void **, uint64_t, aclrtMallocConfig *));
SAME(aclrtFreeHost, aclError(void *));
SAME(aclrtFreeHostWithDevSync, aclError(void *));
SAME(aclrtHostRegister, aclError(void *, uint64_t, aclrtHostRegisterType, void **));
SAME(aclrtHostRegisterV2, aclError(void *, uint64_t, uint32_t));
SAME(aclrtHostGetDevicePointer, aclError(void *, void **, uint32_t));
SAME(aclrtHostUnregister, aclError(void *));
SAME(aclrtHostMemMapCapabilities, aclError(uint32_t, aclrtHacType, aclrtHostMemMapCapability *));

/* Memory: copy and set */
SAME(aclrtMemcpy, aclError(void *, size_t, const void *, size_t, aclrtMemcpyKind));
SAME(aclrtMemcpyAsync,
     aclError(void *, size_t, const void *, size_t, aclrtMemcpyKind, aclrtStream));
SAME(aclrtMemcpyAsyncWithCondition,
     aclError(void *, size_t, const void *, size_t, aclrtMemcpyKind, aclrtStream));
SAME(aclrtMemcpyBatch, aclError(void **, size_t *, void **, size_t *, size_t,
				aclrtMemcpyBatchAttr *, size_t *, size_t, size_t *));
SAME(aclrtMemcpyBatchV2, aclError(void **, size_t *, void **, size_t *, size_t,
				  aclrtMemcpyBatchAttr *, size_t *, size_t));
SAME(aclrtMemcpyBatchAsync,
     aclError(void **, size_t *, void **, size_t *, size_t, aclrtMemcpyBatchAttr *, size_t *,
	      size_t, size_t *, aclrtStream));
SAME(aclrtMemcpyBatchAsyncV2, aclError(void **, size_t *, void **, size_t *, size_t,
				       aclrtMemcpyBatchAttr *, size_t *, size_t, aclrtStream));
SAME(aclrtMemcpy2d,
     aclError(void *, size_t, const void *, size_t, size_t, size_t, aclrtMemcpyKind));
SAME(aclrtMemcpy2dAsync,
     aclError(void *, size_t, const void *, size_t, size_t, size_t, aclrtMemcpyKind, aclrtStream));
SAME(aclrtGetMemcpyDescSize, aclError(aclrtMemcpyKind, size_t *));
SAME(aclrtSetMemcpyDesc, aclError(void *, aclrtMemcpyKind, void *, void *, size_t, void *));
SAME(aclrtMemcpyAsyncWithDesc, aclError(void *, aclrtMemcpyKind, aclrtStream));
SAME(aclrtMemcpyAsyncWithOffset, aclError(void **, size_t, size_t, const void **, size_t, size_t,
					  aclrtMemcpyKind, aclrtStream));
SAME(aclrtMemset, aclError(void *, size_t, int32_t, size_t));
SAME(aclrtMemsetAsync, aclError(void *, size_t, int32_t, size_t, aclrtStream));
SAME(aclrtMemsetD32, aclError(void *, size_t, uint32_t, size_t));
SAME(aclrtMemsetD32Async, aclError(void *, size_t, uint32_t, size_t, aclrtStream));
SAME(aclrtGetSymbolAddress, aclError(const void *, void **));
SAME(aclrtGetSymbolSize, aclError(const void *, size_t *));
SAME(aclrtMemcpyFromSymbol,
     aclError(void *, size_t, const void *, size_t, size_t, aclrtMemcpyKind));
SAME(aclrtMemcpyFromSymbolAsync,
     aclError(void *, size_t, const void *, size_t, size_t, aclrtMemcpyKind, aclrtStream));
SAME(aclrtMemcpyToSymbol, aclError(const void *, const void *, size_t, size_t, aclrtMemcpyKind));
SAME(aclrtMemcpyToSymbolAsync,
     aclError(const void *, const void *, size_t, size_t, aclrtMemcpyKind, aclrtStream));
SAME(aclrtCmoAsync, aclError(void *, size_t, aclrtCmoType, aclrtStream));
SAME(aclrtCmoAsyncWithBarrier, aclError(void *, size_t, aclrtCmoType, uint32_t, aclrtStream));
SAME(aclrtCmoWaitBarrier, aclError(aclrtBarrierTaskInfo *, aclrtStream, uint32_t));
SAME(aclrtCmoGetDescSize, aclError(size_t *));
SAME(aclrtCmoSetDesc, aclError(void *, void *, size_t));
SAME(aclrtCmoAsyncWithDesc, aclError(void *, aclrtCmoType, aclrtStream, const void *));

/* Memory: virtual memory management */
SAME(aclrtReserveMemAddress, aclError(void **, size_t, size_t, void *, uint64_t));
SAME(aclrtReserveMemAddressNoUCMemory, aclError(void **, size_t, size_t, void *, uint64_t));
SAME(aclrtReleaseMemAddress, aclError(void *));
SAME(aclrtMallocPhysical,
     aclError(aclrtDrvMemHandle *, size_t, const aclrtPhysicalMemProp *, uint64_t));
SAME(aclrtFreePhysical, aclError(aclrtDrvMemHandle));
SAME(aclrtMapMem, aclError(void *, size_t, size_t, aclrtDrvMemHandle, uint64_t));
SAME(aclrtMemMapNoAccess, aclError(void *, size_t, size_t, aclrtDrvMemHandle, uint64_t));
SAME(aclrtUnmapMem, aclError(void *));
SAME(aclrtMemSetAccess, aclError(void *, size_t, aclrtMemAccessDesc *, size_t));
SAME(aclrtMemGetAccess, aclError(void *, aclrtMemLocation *, uint64_t *));
SAME(aclrtMemExportToShareableHandle,
     aclError(aclrtDrvMemHandle, aclrtMemHandleType, uint64_t, uint64_t *));
SAME(aclrtMemExportToShareableHandleV2,
     aclError(aclrtDrvMemHandle, uint64_t, aclrtMemSharedHandleType, void *));
SAME(aclrtMemSetPidToShareableHandle, aclError(uint64_t, int32_t *, size_t));
SAME(aclrtMemSetPidToShareableHandleV2,
     aclError(void *, aclrtMemSharedHandleType, int32_t *, size_t));
SAME(aclrtMemImportFromShareableHandle, aclError(uint64_t, int32_t, aclrtDrvMemHandle *));
SAME(aclrtMemImportFromShareableHandleV2,
     aclError(void *, aclrtMemSharedHandleType, uint64_t, aclrtDrvMemHandle *));
SAME(aclrtMemGetAllocationGranularity,
     aclError(aclrtPhysicalMemProp *, aclrtMemGranularityOptions, size_t *));
SAME(aclrtMemRetainAllocationHandle, aclError(void *, aclrtDrvMemHandle *));
SAME(aclrtMemGetAllocationPropertiesFromHandle,
     aclError(aclrtDrvMemHandle, aclrtPhysicalMemProp *));
SAME(aclrtMemGetAddressRange, aclError(void *, void **, size_t *));
SAME(aclrtMemMapSelectedLink, aclError(void *, size_t, void *, uint32_t));
SAME(aclrtMemMapSetLink, aclError(aclrtDrvMemHandle, aclrtMemLinkType));
SAME(aclrtMemP2PMap, aclError(void *, size_t, int32_t, uint64_t));

/* Memory: unified / managed */
SAME(aclrtMemAllocManaged, aclError(void **, uint64_t, uint32_t));
SAME(aclrtMemManagedAdvise,
     aclError(const void *, uint64_t, aclrtMemManagedAdviseType, aclrtMemManagedLocation));
SAME(aclrtMemManagedGetAttr,
     aclError(aclrtMemManagedRangeAttribute, const void *, size_t, void *, size_t));
SAME(aclrtMemManagedGetAttrs,
     aclError(aclrtMemManagedRangeAttribute *, size_t, const void *, size_t, void **, size_t *));
SAME(aclrtMemManagedPrefetchAsync,
     aclError(const void *, size_t, aclrtMemManagedLocation, uint32_t, aclrtStream));
SAME(aclrtMemManagedPrefetchBatchAsync,
     aclError(const void **, size_t *, size_t, aclrtMemManagedLocation *, size_t *, size_t,
	      uint64_t, aclrtStream));
SAME(aclrtPointerGetAttributes, aclError(const void *, aclrtPtrAttributes *));

/* Memory: IPC */
SAME(aclrtIpcMemGetExportKey, aclError(void *, size_t, char *, size_t, uint64_t));
SAME(aclrtIpcMemSetImportPid, aclError(const char *, int32_t *, size_t));
SAME(aclrtIpcMemImportByKey, aclError(void **, const char *, uint64_t));
SAME(aclrtIpcMemClose, aclError(const char *));
SAME(aclrtIpcMemSetAttr, aclError(const char *, aclrtIpcMemAttrType, uint64_t));
SAME(aclrtIpcMemImportPidInterServer, aclError(const char *, aclrtServerPid *, size_t));

/* Memory: stream value ops */
SAME(aclrtValueWrite, aclError(void *, uint64_t, uint32_t, aclrtStream));
SAME(aclrtValueWait, aclError(void *, uint64_t, uint32_t, aclrtStream));

/* Memory: stream-ordered pools */
SAME(aclrtMemPoolCreate, aclError(aclrtMemPool *, const aclrtMemPoolProps *));
SAME(aclrtMemPoolDestroy, aclError(aclrtMemPool));
SAME(aclrtMemPoolSetAttr, aclError(aclrtMemPool, aclrtMemPoolAttr, void *));
SAME(aclrtMemPoolGetAttr, aclError(aclrtMemPool, aclrtMemPoolAttr, void *));
SAME(aclrtMemPoolMallocAsync, aclError(void **, size_t, aclrtMemPool, aclrtStream));
SAME(aclrtMemPoolFreeAsync, aclError(void *, aclrtStream));
SAME(aclrtMemPoolTrimTo, aclError(aclrtMemPool, size_t));

/* Memory: allocator hooks */
SAME(aclrtAllocatorCreateDesc, aclrtAllocatorDesc());
SAME(aclrtAllocatorDestroyDesc, aclError(aclrtAllocatorDesc));
SAME(aclrtAllocatorSetObjToDesc, aclError(aclrtAllocatorDesc, aclrtAllocator));
SAME(aclrtAllocatorSetAllocFuncToDesc, aclError(aclrtAllocatorDesc, aclrtAllocatorAllocFunc));
SAME(aclrtAllocatorSetFreeFuncToDesc, aclError(aclrtAllocatorDesc, aclrtAllocatorFreeFunc));
SAME(aclrtAllocatorSetAllocAdviseFuncToDesc,
     aclError(aclrtAllocatorDesc, aclrtAllocatorAllocAdviseFunc));
SAME(aclrtAllocatorSetGetAddrFromBlockFuncToDesc,
     aclError(aclrtAllocatorDesc, aclrtAllocatorGetAddrFromBlockFunc));
SAME(aclrtAllocatorRegister, aclError(aclrtStream, aclrtAllocatorDesc));
SAME(aclrtAllocatorGetByStream,
     aclError(aclrtStream, aclrtAllocatorDesc *, aclrtAllocator *, aclrtAllocatorAllocFunc *,
	      aclrtAllocatorFreeFunc *, aclrtAllocatorAllocAdviseFunc *,
	      aclrtAllocatorGetAddrFromBlockFunc *));
SAME(aclrtAllocatorUnregister, aclError(aclrtStream));

/* Kernel binaries and launch */
SAME(aclrtBinaryLoadFromFile, aclError(const char *, aclrtBinaryLoadOptions *, aclrtBinHandle *));
SAME(aclrtBinaryLoadFromData,
     aclError(const void *, size_t, const aclrtBinaryLoadOptions *, aclrtBinHandle *));
SAME(aclrtCreateBinary, aclrtBinary(const void *, size_t));
SAME(aclrtDestroyBinary, aclError(aclrtBinary));
SAME(aclrtBinaryLoad, aclError(aclrtBinary, aclrtBinHandle *));
SAME(aclrtBinaryUnLoad, aclError(aclrtBinHandle));
SAME(aclrtBinaryGetFunction, aclError(aclrtBinHandle, const char *, aclrtFuncHandle *));
SAME(aclrtBinaryGetFunctionByEntry, aclError(aclrtBinHandle, uint64_t, aclrtFuncHandle *));
SAME(aclrtBinaryGetDevAddress, aclError(aclrtBinHandle, void **, size_t *));
SAME(aclrtBinaryGetGlobal, aclError(aclrtBinHandle, const char *, void **, size_t *));
SAME(aclrtGetFuncBySymbol, aclError(const void *, aclrtFuncHandle *));
SAME(aclrtRegisterCpuFunc, aclError(aclrtBinHandle, const char *, const char *, aclrtFuncHandle *));
SAME(aclrtGetFunctionAddr, aclError(aclrtFuncHandle, void **, void **));
SAME(aclrtGetFunctionSize, aclError(aclrtFuncHandle, size_t *, size_t *));
SAME(aclrtGetFunctionName, aclError(aclrtFuncHandle, uint32_t, char *));
SAME(aclrtGetFunctionAttribute, aclError(aclrtFuncHandle, aclrtFuncAttribute, int64_t *));
SAME(aclrtFunctionGetBinary, aclError(aclrtFuncHandle, aclrtBinHandle *));
SAME(aclrtFunctionGetParamCount, aclError(const void *, size_t *));
SAME(aclrtFunctionGetParamInfo, aclError(const void *, size_t, size_t *, size_t *));
SAME(aclrtFunctionGetAvailDynUbufPerBlock, aclError(void *, uint32_t, size_t *));
SAME(aclrtKernelArgsInit, aclError(aclrtFuncHandle, aclrtArgsHandle *));
SAME(aclrtKernelArgsInitByUserMem, aclError(aclrtFuncHandle, aclrtArgsHandle, void *, size_t));
SAME(aclrtKernelArgsGetMemSize, aclError(aclrtFuncHandle, size_t, size_t *));
SAME(aclrtKernelArgsGetHandleMemSize, aclError(aclrtFuncHandle, size_t *));
SAME(aclrtKernelArgsAppend, aclError(aclrtArgsHandle, void *, size_t, aclrtParamHandle *));
SAME(aclrtKernelArgsAppendPlaceHolder, aclError(aclrtArgsHandle, aclrtParamHandle *));
SAME(aclrtKernelArgsGetPlaceHolderBuffer,
     aclError(aclrtArgsHandle, aclrtParamHandle, size_t, void **));
SAME(aclrtKernelArgsParaUpdate, aclError(aclrtArgsHandle, aclrtParamHandle, void *, size_t));
SAME(aclrtKernelArgsFinalize, aclError(aclrtArgsHandle));
SAME(aclrtLaunchKernel, aclError(aclrtFuncHandle, uint32_t, const void *, size_t, aclrtStream));
SAME(aclrtLaunchKernelV2, aclError(aclrtFuncHandle, uint32_t, const void *, size_t,
				   aclrtLaunchKernelCfg *, aclrtStream));
SAME(aclrtLaunchKernelWithConfig, aclError(aclrtFuncHandle, uint32_t, aclrtStream,
					   aclrtLaunchKernelCfg *, aclrtArgsHandle, void *));
SAME(aclrtLaunchKernelWithHostArgs,
     aclError(aclrtFuncHandle, uint32_t, aclrtStream, aclrtLaunchKernelCfg *, void *, size_t,
	      aclrtPlaceHolderInfo *, size_t));
SAME(aclrtLaunchKernelWithArgsArray,
     aclError(void *, uint32_t, aclrtStream, aclrtLaunchKernelCfg *, void **));
SAME(aclrtLaunchSIMTKernelWithArgsArray,
     aclError(void *, dim3, dim3, size_t, aclrtStream, aclrtLaunchKernelCfg *, void **));
SAME(aclrtLaunchSIMTKernelWithHostArgs,
     aclError(void *, dim3, dim3, size_t, aclrtStream, aclrtLaunchKernelCfg *, void *, size_t,
	      aclrtPlaceHolderInfo *, size_t));

/* Model RI: capture */
SAME(aclmdlRICaptureBegin, aclError(aclrtStream, aclmdlRICaptureMode));
SAME(aclmdlRICaptureEnd, aclError(aclrtStream, aclmdlRI *));
SAME(aclmdlRICaptureGetInfo, aclError(aclrtStream, aclmdlRICaptureStatus *, aclmdlRI *));
SAME(aclmdlRICaptureThreadExchangeMode, aclError(aclmdlRICaptureMode *));
SAME(aclmdlRIExecuteAsync, aclError(aclmdlRI, aclrtStream));
SAME(aclmdlRIExecute, aclError(aclmdlRI, int32_t));
SAME(aclmdlRIDestroy, aclError(aclmdlRI));
SAME(aclmdlRIDestroyRegisterCallback, aclError(aclmdlRI, aclrtCallback, void *));
SAME(aclmdlRIDestroyUnregisterCallback, aclError(aclmdlRI, aclrtCallback));
SAME(aclmdlRIAbort, aclError(aclmdlRI));
SAME(aclmdlRIDebugPrint, aclError(aclmdlRI));
SAME(aclmdlRIDebugJsonPrint, aclError(aclmdlRI, const char *, uint32_t));
SAME(aclmdlRISetName, aclError(aclmdlRI, const char *));
SAME(aclmdlRIGetName, aclError(aclmdlRI, uint32_t, char *));
SAME(aclmdlRIGetId, aclError(aclmdlRI, uint32_t *));
SAME(aclmdlRICaptureTaskGrpBegin, aclError(aclrtStream));
SAME(aclmdlRICaptureTaskGrpEnd, aclError(aclrtStream, aclrtTaskGrp *));
SAME(aclmdlRICaptureTaskUpdateBegin, aclError(aclrtStream, aclrtTaskGrp));
SAME(aclmdlRICaptureTaskUpdateEnd, aclError(aclrtStream));
SAME(aclmdlRIUpdate, aclError(aclmdlRI));
SAME(aclmdlRIGetStreams, aclError(aclmdlRI, aclrtStream *, uint32_t *));
SAME(aclmdlRIGetTasksByStream, aclError(aclrtStream, aclmdlRITask *, uint32_t *));
SAME(aclmdlRITaskGetType, aclError(aclmdlRITask, aclmdlRITaskType *));
SAME(aclmdlRITaskGetSeqId, aclError(aclmdlRITask, uint32_t *));
SAME(aclmdlRITaskGetParams, aclError(aclmdlRITask, aclmdlRITaskParams *));
SAME(aclmdlRITaskSetParams, aclError(aclmdlRITask, aclmdlRITaskParams *));
SAME(aclmdlRIKernelTaskGetAttribute,
     aclError(aclmdlRITask, aclrtLaunchKernelAttrId, aclrtLaunchKernelAttrValue *));
SAME(aclmdlRITaskDisable, aclError(aclmdlRITask));
SAME(aclmdlRICondHandleCreate,
     aclError(aclmdlRI, uint32_t, aclmdlRICondHandleFlag, aclmdlRICondHandle *));
SAME(aclmdlRICondHandleGetCondPtr, aclError(aclmdlRICondHandle, uint64_t **));
SAME(aclmdlRIAddCondTask, aclError(aclmdlRICondTaskParams, aclrtStream, uint32_t));
SAME(aclmdlRICaptureToModelRIBegin, aclError(aclrtStream, aclmdlRI, aclmdlRICaptureMode));

/* Model RI: build style */
SAME(aclmdlRIBuildBegin, aclError(aclmdlRI *, uint32_t));
SAME(aclmdlRIBindStream, aclError(aclmdlRI, aclrtStream, uint32_t));
SAME(aclmdlRIEndTask, aclError(aclmdlRI, aclrtStream));
SAME(aclmdlRIBuildEnd, aclError(aclmdlRI, void *));
SAME(aclmdlRIUnbindStream, aclError(aclmdlRI, aclrtStream));

/* Labels */
SAME(aclrtCreateLabel, aclError(aclrtLabel *));
SAME(aclrtSetLabel, aclError(aclrtLabel, aclrtStream));
SAME(aclrtDestroyLabel, aclError(aclrtLabel));
SAME(aclrtCreateLabelList, aclError(aclrtLabel *, size_t, aclrtLabelList *));
SAME(aclrtDestroyLabelList, aclError(aclrtLabelList));
SAME(aclrtSwitchLabelByIndex, aclError(void *, uint32_t, aclrtLabelList, aclrtStream));

/* Shared buffers */
SAME(aclrtAllocBuf, aclError(aclrtMbuf *, size_t));
SAME(aclrtFreeBuf, aclError(aclrtMbuf));
SAME(aclrtSetBufDataLen, aclError(aclrtMbuf, size_t));
SAME(aclrtGetBufDataLen, aclError(aclrtMbuf, size_t *));
SAME(aclrtGetBufData, aclError(aclrtMbuf, void **, size_t *));
SAME(aclrtSetBufUserData, aclError(aclrtMbuf, const void *, size_t, size_t));
SAME(aclrtGetBufUserData, aclError(aclrtMbuf, void *, size_t, size_t));
SAME(aclrtCopyBufRef, aclError(aclrtMbuf, aclrtMbuf *));
SAME(aclrtAppendBufChain, aclError(aclrtMbuf, aclrtMbuf));
SAME(aclrtGetBufChainNum, aclError(aclrtMbuf, uint32_t *));
SAME(aclrtGetBufFromChain, aclError(aclrtMbuf, uint32_t, aclrtMbuf *));

} // namespace
