/* SPDX-License-Identifier: MIT */
/*
 * DOC: Runtime
 *
 * The runtime interface. Its parts are in acl/rt/; programs include this header, never a part. Some
 * functions are not supported: they return ACL_ERROR_RT_FEATURE_NOT_SUPPORT or, if they do not return
 * an aclError, NULL, zero or an undefined value. aclGetRecentErrMsg() gives the reason.
 *
 * Rules for all functions, unless the comment of a function says otherwise:
 *
 * Threads: a function may be called from any thread. The current context is a property of the
 * thread.
 *
 * Blocking: a function without "may block" returns in bounded time. An asynchronous function may
 * wait for room when a stream's queue is full; it never fails because of it.
 *
 * Ownership: a create function's handle belongs to the caller until the matching destroy function.
 * Out parameters are written on success only. Strings and arrays passed in may be released as soon
 * as the call returns.
 *
 * Errors, in the order of checks: ACL_ERROR_INVALID_PARAM for NULL where a pointer or handle is
 * required; ACL_ERROR_RT_INVALID_HANDLE for a handle that was destroyed or is of another kind;
 * ACL_ERROR_RT_CONTEXT_NULL when the thread has no current context; then the errors that the function's
 * comment lists. A
 * stream of NULL means the default stream of the current context. The next synchronisation of a stream
 * returns the failures of its asynchronous work.
 *
 * Capture: on a stream that is capturing, work is recorded and not run. Functions that wait for or
 * query a capturing stream return ACL_ERROR_RT_STREAM_CAPTURED.
 */
#ifndef ACL_ACL_RT_H
#define ACL_ACL_RT_H

#include "acl/acl_base.h"
#include "acl/acl_rt_allocator.h"
#include "acl/rt/device/context.h"
#include "acl/rt/device/device.h"
#include "acl/rt/device/device_info.h"
#include "acl/rt/device/device_limit.h"
#include "acl/rt/device/dump.h"
#include "acl/rt/device/fault.h"
#include "acl/rt/device/group.h"
#include "acl/rt/device/init.h"
#include "acl/rt/device/snapshot.h"
#include "acl/rt/memory/buffer.h"
#include "acl/rt/memory/cache.h"
#include "acl/rt/memory/copy.h"
#include "acl/rt/memory/memory.h"
#include "acl/rt/memory/memory_host.h"
#include "acl/rt/memory/memory_managed.h"
#include "acl/rt/memory/memory_share.h"
#include "acl/rt/memory/memory_vmm.h"
#include "acl/rt/memory/symbol.h"
#include "acl/rt/model/binary.h"
#include "acl/rt/model/kernel.h"
#include "acl/rt/model/model.h"
#include "acl/rt/model/model_build.h"
#include "acl/rt/model/model_old_names.h"
#include "acl/rt/model/model_task.h"
#include "acl/rt/stream/callback.h"
#include "acl/rt/stream/event.h"
#include "acl/rt/stream/notify.h"
#include "acl/rt/stream/stream.h"
#include "acl/rt/stream/stream_control.h"
#include "acl/rt/stream/task.h"
#include "acl/rt/stream/value.h"

/*
 * The functions, part by part (written by tests/gates/exports.py --update):
 *
 * acl/rt/device/context.h:
 * aclrtCreateContext aclrtDestroyContext aclrtSetCurrentContext aclrtGetCurrentContext
 * aclrtCtxGetCurrentDefaultStream aclrtGetPrimaryCtxState aclrtCtxGetFloatOverflowAddr
 *
 * acl/rt/device/device.h:
 * aclrtSetDevice aclrtResetDevice aclrtResetDeviceForce aclrtGetDevice aclrtGetDeviceCount
 * aclrtSetTsDevice aclrtGetDeviceUtilizationRate aclrtQueryDeviceStatus aclrtSynchronizeDevice
 * aclrtSynchronizeDeviceWithTimeout aclrtDeviceCanAccessPeer aclrtDeviceEnablePeerAccess
 * aclrtDeviceDisablePeerAccess aclrtDevicePeerAccessStatus aclrtDeviceGetStreamPriorityRange
 * aclrtRegDeviceStateCallback aclrtDeviceL2CacheFlush
 *
 * acl/rt/device/device_info.h:
 * aclrtGetDeviceInfo aclrtGetDeviceCapability aclrtGetDevicesTopo aclrtGetLogicDevIdByUserDevId
 * aclrtGetUserDevIdByLogicDevId aclrtGetLogicDevIdByPhyDevId aclrtGetPhyDevIdByLogicDevId
 * aclrtGetUserDevIdByPhyDevId aclrtGetPhyDevIdByUserDevId aclrtDeviceGetUuid
 * aclrtDeviceGetPCIBusId aclrtDeviceGetByPCIBusId aclrtDeviceGetBareTgid
 * aclrtDeviceGetHostAtomicCapabilities aclrtDeviceGetP2PAtomicCapabilities
 *
 * acl/rt/device/device_limit.h:
 * aclrtSetDeviceSatMode aclrtGetDeviceSatMode aclrtGetOverflowStatus aclrtResetOverflowStatus
 * aclrtDeviceSetLimit aclrtDeviceGetLimit aclrtGetDeviceResLimit aclrtSetDeviceResLimit
 * aclrtResetDeviceResLimit aclrtGetStreamResLimit aclrtSetStreamResLimit aclrtResetStreamResLimit
 * aclrtUseStreamResInCurrentThread aclrtUnuseStreamResInCurrentThread aclrtGetResInCurrentThread
 *
 * acl/rt/device/dump.h:
 * aclmdlInitDump aclmdlSetDump aclmdlFinalizeDump
 *
 * acl/rt/device/fault.h:
 * aclrtSetExceptionInfoCallback aclrtExceptionInfoCallbackRegister
 * aclrtExceptionInfoCallbackUnregister aclrtGetTaskIdFromExceptionInfo
 * aclrtGetStreamIdFromExceptionInfo aclrtGetThreadIdFromExceptionInfo
 * aclrtGetDeviceIdFromExceptionInfo aclrtGetErrorCodeFromExceptionInfo
 * aclrtGetArgsFromExceptionInfo aclrtGetFuncHandleFromExceptionInfo
 * aclrtBinarySetExceptionCallback aclrtDeviceTaskAbort aclrtSetDeviceTaskAbortCallback
 * aclrtGetMemUceInfo aclrtMemUceRepair aclrtGetErrorVerbose aclrtRepairError
 *
 * acl/rt/device/group.h:
 * aclrtSetGroup aclrtGetGroupCount aclrtCreateGroupInfo aclrtDestroyGroupInfo aclrtGetAllGroupInfo
 * aclrtGetGroupInfoDetail
 *
 * acl/rt/device/init.h:
 * aclInit aclFinalize aclFinalizeReference aclInitCallbackRegister aclInitCallbackUnRegister
 * aclFinalizeCallbackRegister aclFinalizeCallbackUnRegister aclGetRecentErrMsg
 * aclrtPeekAtLastError aclrtGetLastError aclsysGetCANNVersion aclsysGetVersionStr
 * aclsysGetVersionNum aclrtGetVersion aclrtGetSocName aclGetCannAttributeList aclGetCannAttribute
 * aclGetDeviceCapability aclrtGetRunMode aclrtCheckArchCompatibility aclrtSetSysParamOpt
 * aclrtGetSysParamOpt aclrtCtxSetSysParamOpt aclrtCtxGetSysParamOpt
 *
 * acl/rt/device/snapshot.h:
 * aclrtSnapShotProcessLock aclrtSnapShotProcessUnlock aclrtSnapShotProcessBackup
 * aclrtSnapShotProcessRestore aclrtSnapShotCallbackRegister aclrtSnapShotCallbackUnregister
 *
 * acl/rt/memory/buffer.h:
 * aclrtAllocBuf aclrtFreeBuf aclrtSetBufDataLen aclrtGetBufDataLen aclrtGetBufData
 * aclrtSetBufUserData aclrtGetBufUserData aclrtCopyBufRef aclrtAppendBufChain aclrtGetBufChainNum
 * aclrtGetBufFromChain
 *
 * acl/rt/memory/cache.h:
 * aclrtCmoAsync aclrtCmoAsyncWithBarrier aclrtCmoWaitBarrier aclrtCmoGetDescSize aclrtCmoSetDesc
 * aclrtCmoAsyncWithDesc
 *
 * acl/rt/memory/copy.h:
 * aclrtMemcpy aclrtMemcpyAsync aclrtMemcpyAsyncWithCondition aclrtMemcpyBatch aclrtMemcpyBatchV2
 * aclrtMemcpyBatchAsync aclrtMemcpyBatchAsyncV2 aclrtMemcpy2d aclrtMemcpy2dAsync
 * aclrtGetMemcpyDescSize aclrtSetMemcpyDesc aclrtMemcpyAsyncWithDesc aclrtMemcpyAsyncWithOffset
 * aclrtMemset aclrtMemsetAsync aclrtMemsetD32 aclrtMemsetD32Async
 *
 * acl/rt/memory/memory.h:
 * aclrtMalloc aclrtMallocAlign32 aclrtMallocCached aclrtMallocWithCfg aclrtMallocForTaskScheduler
 * aclrtFree aclrtFreeWithDevSync aclrtMemFlush aclrtMemInvalidate aclrtGetMemInfo
 * aclrtGetMemUsageInfo aclrtCheckMemType aclrtMallocHost aclrtMallocHostWithCfg aclrtFreeHost
 * aclrtFreeHostWithDevSync aclrtHostUnregister aclrtPointerGetAttributes
 *
 * acl/rt/memory/memory_host.h:
 * aclrtHostRegister aclrtHostRegisterV2 aclrtHostGetDevicePointer aclrtHostMemMapCapabilities
 *
 * acl/rt/memory/memory_managed.h:
 * aclrtMemAllocManaged aclrtMemManagedAdvise aclrtMemManagedGetAttr aclrtMemManagedGetAttrs
 * aclrtMemManagedPrefetchAsync aclrtMemManagedPrefetchBatchAsync
 *
 * acl/rt/memory/memory_share.h:
 * aclrtIpcMemGetExportKey aclrtIpcMemSetImportPid aclrtIpcMemImportByKey aclrtIpcMemClose
 * aclrtIpcMemSetAttr aclrtIpcMemImportPidInterServer
 *
 * acl/rt/memory/memory_vmm.h:
 * aclrtReserveMemAddress aclrtReserveMemAddressNoUCMemory aclrtReleaseMemAddress
 * aclrtMallocPhysical aclrtFreePhysical aclrtMapMem aclrtMemMapNoAccess aclrtUnmapMem
 * aclrtMemSetAccess aclrtMemGetAccess aclrtMemExportToShareableHandle
 * aclrtMemExportToShareableHandleV2 aclrtMemSetPidToShareableHandle
 * aclrtMemSetPidToShareableHandleV2 aclrtMemImportFromShareableHandle
 * aclrtMemImportFromShareableHandleV2 aclrtMemGetAllocationGranularity
 * aclrtMemRetainAllocationHandle aclrtMemGetAllocationPropertiesFromHandle aclrtMemGetAddressRange
 * aclrtMemMapSelectedLink aclrtMemMapSetLink aclrtMemP2PMap
 *
 * acl/rt/memory/symbol.h:
 * aclrtGetSymbolAddress aclrtGetSymbolSize aclrtMemcpyFromSymbol aclrtMemcpyFromSymbolAsync
 * aclrtMemcpyToSymbol aclrtMemcpyToSymbolAsync
 *
 * acl/rt/model/binary.h:
 * aclrtBinaryLoadFromFile aclrtBinaryLoadFromData aclrtCreateBinary aclrtDestroyBinary
 * aclrtBinaryLoad aclrtBinaryUnLoad aclrtBinaryGetFunction aclrtBinaryGetFunctionByEntry
 * aclrtBinaryGetDevAddress aclrtBinaryGetGlobal aclrtGetFuncBySymbol aclrtRegisterCpuFunc
 * aclrtGetFunctionAddr aclrtGetFunctionSize aclrtGetFunctionName aclrtGetFunctionAttribute
 * aclrtFunctionGetBinary aclrtFunctionGetParamCount aclrtFunctionGetParamInfo
 * aclrtFunctionGetAvailDynUbufPerBlock
 *
 * acl/rt/model/kernel.h:
 * aclrtKernelArgsInit aclrtKernelArgsInitByUserMem aclrtKernelArgsGetMemSize
 * aclrtKernelArgsGetHandleMemSize aclrtKernelArgsAppend aclrtKernelArgsAppendPlaceHolder
 * aclrtKernelArgsGetPlaceHolderBuffer aclrtKernelArgsParaUpdate aclrtKernelArgsFinalize
 * aclrtLaunchKernel aclrtLaunchKernelV2 aclrtLaunchKernelWithConfig aclrtLaunchKernelWithHostArgs
 * aclrtLaunchKernelWithArgsArray aclrtLaunchSIMTKernelWithArgsArray
 * aclrtLaunchSIMTKernelWithHostArgs
 *
 * acl/rt/model/mdl_aipp.h:
 * aclmdlGetAippType aclmdlGetFirstAippInfo aclmdlSetInputAIPP aclmdlSetAIPPByInputIndex
 * aclmdlCreateAIPP aclmdlDestroyAIPP aclmdlSetAIPPInputFormat aclmdlSetAIPPCscParams
 * aclmdlSetAIPPRbuvSwapSwitch aclmdlSetAIPPAxSwapSwitch aclmdlSetAIPPSrcImageSize
 * aclmdlSetAIPPScfParams aclmdlSetAIPPCropParams aclmdlSetAIPPPaddingParams
 * aclmdlSetAIPPDtcPixelMean aclmdlSetAIPPDtcPixelMin aclmdlSetAIPPPixelVarReci
 *
 * acl/rt/model/mdl_bundle.h:
 * aclmdlLoadFromFileWithQ aclmdlLoadFromMemWithQ aclmdlSetExternalWeightAddress
 * aclmdlBundleLoadFromFile aclmdlBundleLoadFromMem aclmdlBundleGetModelNum aclmdlBundleGetModelId
 * aclmdlBundleUnload aclmdlCreateAndGetOpDesc
 *
 * acl/rt/model/mdl_desc.h:
 * aclmdlCreateDesc aclmdlDestroyDesc aclmdlGetDesc aclmdlGetNumInputs aclmdlGetNumOutputs
 * aclmdlGetInputSizeByIndex aclmdlGetOutputSizeByIndex aclmdlGetInputNameByIndex
 * aclmdlGetOutputNameByIndex aclmdlGetInputIndexByName aclmdlGetOutputIndexByName
 * aclmdlGetInputDataType aclmdlGetOutputDataType aclmdlGetInputFormat aclmdlGetOutputFormat
 * aclmdlGetInputDims aclmdlGetInputDimsV2 aclmdlGetInputDimsRange aclmdlGetOutputDims
 * aclmdlGetCurOutputDims aclmdlGetDescFromFile aclmdlGetDescFromMem aclmdlGetDynamicBatch
 * aclmdlGetDynamicHW aclmdlGetInputDynamicGearCount aclmdlGetInputDynamicDims
 * aclmdlGetTensorRealName aclmdlGetOpAttr
 *
 * acl/rt/model/model.h:
 * aclmdlRICaptureBegin aclmdlRICaptureEnd aclmdlRICaptureGetInfo aclmdlRICaptureThreadExchangeMode
 * aclmdlRIExecuteAsync aclmdlRIExecute aclmdlRIDestroy aclmdlRIDestroyRegisterCallback
 * aclmdlRIDestroyUnregisterCallback aclmdlRIAbort aclmdlRIDebugPrint aclmdlRIDebugJsonPrint
 * aclmdlRISetName aclmdlRIGetName aclmdlRIGetId
 *
 * acl/rt/model/model_build.h:
 * aclmdlRIBuildBegin aclmdlRIBindStream aclmdlRIEndTask aclmdlRIBuildEnd aclmdlRIUnbindStream
 * aclrtCreateLabel aclrtSetLabel aclrtDestroyLabel aclrtCreateLabelList aclrtDestroyLabelList
 * aclrtSwitchLabelByIndex
 *
 * acl/rt/model/model_old_names.h:
 * aclmdlBeginCapture aclmdlGetCaptureInfo aclmdlThreadExchangeCaptureMode aclmdlEndCapture
 * aclmdlDebugPrint
 *
 * acl/rt/model/model_task.h:
 * aclmdlRICaptureTaskGrpBegin aclmdlRICaptureTaskGrpEnd aclmdlRICaptureTaskUpdateBegin
 * aclmdlRICaptureTaskUpdateEnd aclmdlRIUpdate aclmdlRIGetStreams aclmdlRIGetTasksByStream
 * aclmdlRITaskGetType aclmdlRITaskGetSeqId aclmdlRITaskGetParams aclmdlRITaskSetParams
 * aclmdlRIKernelTaskGetAttribute aclmdlRITaskDisable aclmdlRICondHandleCreate
 * aclmdlRICondHandleGetCondPtr aclmdlRIAddCondTask aclmdlRICaptureToModelRIBegin
 *
 * acl/rt/stream/callback.h:
 * aclrtSubscribeReport aclrtLaunchCallback aclrtProcessReport aclrtUnSubscribeReport
 * aclrtLaunchHostFunc aclrtSubscribeHostFunc aclrtProcessHostFunc aclrtUnSubscribeHostFunc
 *
 * acl/rt/stream/event.h:
 * aclrtCreateEvent aclrtCreateEventWithFlag aclrtCreateEventExWithFlag aclrtDestroyEvent
 * aclrtRecordEvent aclrtRecordEventWithFlag aclrtStreamWaitEvent aclrtStreamWaitEventWithTimeout
 * aclrtStreamWaitEventWithFlag aclrtSetOpWaitTimeout aclrtResetEvent aclrtQueryEvent
 * aclrtQueryEventStatus aclrtQueryEventWaitStatus aclrtSynchronizeEvent
 * aclrtSynchronizeEventWithTimeout aclrtEventElapsedTime aclrtEventGetTimestamp aclrtGetEventId
 * aclrtGetEventAvailNum aclrtIpcGetEventHandle aclrtIpcOpenEventHandle
 *
 * acl/rt/stream/notify.h:
 * aclrtCreateNotify aclrtDestroyNotify aclrtRecordNotify aclrtWaitAndResetNotify aclrtGetNotifyId
 * aclrtNotifyBatchReset aclrtNotifyGetExportKey aclrtNotifyImportByKey aclrtNotifySetImportPid
 * aclrtNotifySetImportPidInterServer aclrtCntNotifyCreate aclrtCntNotifyDestroy
 * aclrtCntNotifyRecord aclrtCntNotifyWaitWithTimeout aclrtCntNotifyReset aclrtCntNotifyGetId
 *
 * acl/rt/stream/stream.h:
 * aclrtCreateStream aclrtCreateStreamWithConfig aclrtDestroyStream aclrtDestroyStreamForce
 * aclrtSynchronizeStream aclrtSynchronizeStreamWithTimeout aclrtStreamQuery aclrtStreamGetId
 * aclrtStreamGetPriority aclrtStreamGetFlags aclrtGetStreamAvailableNum
 *
 * acl/rt/stream/stream_control.h:
 * aclrtCreateStreamV2 aclrtCreateStreamConfigHandle aclrtDestroyStreamConfigHandle
 * aclrtSetStreamConfigOpt aclrtSetStreamFailureMode aclrtSetStreamAttribute
 * aclrtGetStreamAttribute aclrtSetStreamOverflowSwitch aclrtGetStreamOverflowSwitch
 * aclrtStreamAbort aclrtStreamStop aclrtPersistentTaskClean aclrtActiveStream aclrtSwitchStream
 * aclrtRegStreamStateCallback
 *
 * acl/rt/stream/task.h:
 * aclrtGetOpTimeOutInterval aclrtSetOpExecuteTimeOut aclrtSetOpExecuteTimeOutWithMs
 * aclrtSetOpExecuteTimeOutV2 aclrtGetOpExecuteTimeout aclrtGetThreadLastTaskId aclrtReduceAsync
 * aclrtRandomNumAsync aclrtTaskUpdateAsync aclrtGetFloatOverflowStatus
 * aclrtResetFloatOverflowStatus aclrtNpuGetFloatOverFlowStatus aclrtNpuClearFloatOverFlowStatus
 * aclrtGetHardwareSyncAddr aclrtProfTrace aclrtCacheLastTaskOpInfo aclrtCacheLastTaskExtendInfo
 *
 * acl/rt/stream/value.h:
 * aclrtValueWrite aclrtValueWait
 */

#endif /* ACL_ACL_RT_H */
