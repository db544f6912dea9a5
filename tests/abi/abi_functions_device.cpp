// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: devices, streams, events, tasks
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "acl/acl.h"
#include "acl/acl_platform.h"

namespace {

/* Init / finalize / version / log / errors */
SAME(aclInit, aclError(const char *));
SAME(aclFinalize, aclError());
SAME(aclFinalizeReference, aclError(uint64_t *));
SAME(aclInitCallbackRegister, aclError(aclRegisterCallbackType, aclInitCallbackFunc, void *));
SAME(aclInitCallbackUnRegister, aclError(aclRegisterCallbackType, aclInitCallbackFunc));
SAME(aclFinalizeCallbackRegister,
     aclError(aclRegisterCallbackType, aclFinalizeCallbackFunc, void *));
SAME(aclFinalizeCallbackUnRegister, aclError(aclRegisterCallbackType, aclFinalizeCallbackFunc));
SAME(aclGetRecentErrMsg, const char *());
SAME(aclrtPeekAtLastError, aclError(aclrtLastErrLevel));
SAME(aclrtGetLastError, aclError(aclrtLastErrLevel));
SAME(aclsysGetCANNVersion, aclError(aclCANNPackageName, aclCANNPackageVersion *));
SAME(aclsysGetVersionStr, aclError(char *, char *));
SAME(aclsysGetVersionNum, aclError(char *, int32_t *));
SAME(aclrtGetVersion, aclError(int32_t *, int32_t *, int32_t *));
SAME(aclrtGetSocName, const char *());
SAME(aclAppLog, void(aclLogLevel, const char *, const char *, uint32_t, const char *, ...));
SAME(aclDataTypeSize, size_t(aclDataType));
SAME(aclFloat16ToFloat, float(aclFloat16));
SAME(aclFloatToFloat16, aclFloat16(float));
SAME(aclCreateDataBuffer, aclDataBuffer *(void *, size_t));
SAME(aclDestroyDataBuffer, aclError(const aclDataBuffer *));
SAME(aclUpdateDataBuffer, aclError(aclDataBuffer *, void *, size_t));
SAME(aclGetDataBufferAddr, void *(const aclDataBuffer *));
SAME(aclGetDataBufferSizeV2, size_t(const aclDataBuffer *));
SAME(aclGetCannAttributeList, aclError(const aclCannAttr **, size_t *));
SAME(aclGetCannAttribute, aclError(aclCannAttr, int32_t *));
SAME(aclGetDeviceCapability, aclError(uint32_t, aclDeviceInfo, int64_t *));
SAME(aclrtGetRunMode, aclError(aclrtRunMode *));
SAME(aclrtCheckArchCompatibility, aclError(const char *, int32_t *));
SAME(aclrtSetSysParamOpt, aclError(aclSysParamOpt, int64_t));
SAME(aclrtGetSysParamOpt, aclError(aclSysParamOpt, int64_t *));
SAME(aclrtCtxSetSysParamOpt, aclError(aclSysParamOpt, int64_t));
SAME(aclrtCtxGetSysParamOpt, aclError(aclSysParamOpt, int64_t *));

/* Device */
SAME(aclrtSetDevice, aclError(int32_t));
SAME(aclrtResetDevice, aclError(int32_t));
SAME(aclrtResetDeviceForce, aclError(int32_t));
SAME(aclrtGetDevice, aclError(int32_t *));
SAME(aclrtGetDeviceCount, aclError(uint32_t *));
SAME(aclrtSetTsDevice, aclError(aclrtTsId));
SAME(aclrtGetDeviceUtilizationRate, aclError(int32_t, aclrtUtilizationInfo *));
SAME(aclrtQueryDeviceStatus, aclError(int32_t, aclrtDeviceStatus *));
SAME(aclrtSynchronizeDevice, aclError());
SAME(aclrtSynchronizeDeviceWithTimeout, aclError(int32_t));
SAME(aclrtSetDeviceSatMode, aclError(aclrtFloatOverflowMode));
SAME(aclrtGetDeviceSatMode, aclError(aclrtFloatOverflowMode *));
SAME(aclrtDeviceCanAccessPeer, aclError(int32_t *, int32_t, int32_t));
SAME(aclrtDeviceEnablePeerAccess, aclError(int32_t, uint32_t));
SAME(aclrtDeviceDisablePeerAccess, aclError(int32_t));
SAME(aclrtDevicePeerAccessStatus, aclError(int32_t, int32_t, int32_t *));
SAME(aclrtGetOverflowStatus, aclError(void *, size_t, aclrtStream));
SAME(aclrtResetOverflowStatus, aclError(aclrtStream));
SAME(aclrtGetDeviceInfo, aclError(uint32_t, aclrtDevAttr, int64_t *));
SAME(aclrtDeviceGetStreamPriorityRange, aclError(int32_t *, int32_t *));
SAME(aclrtGetDeviceCapability, aclError(int32_t, aclrtDevFeatureType, int32_t *));
SAME(aclrtGetDevicesTopo, aclError(uint32_t, uint32_t, uint64_t *));
SAME(aclrtRegDeviceStateCallback, aclError(const char *, aclrtDeviceStateCallback, void *));
SAME(aclrtGetLogicDevIdByUserDevId, aclError(int32_t, int32_t *));
SAME(aclrtGetUserDevIdByLogicDevId, aclError(int32_t, int32_t *));
SAME(aclrtGetLogicDevIdByPhyDevId, aclError(int32_t, int32_t *));
SAME(aclrtGetPhyDevIdByLogicDevId, aclError(int32_t, int32_t *));
SAME(aclrtGetUserDevIdByPhyDevId, aclError(int32_t, int32_t *));
SAME(aclrtGetPhyDevIdByUserDevId, aclError(int32_t, int32_t *));
SAME(aclrtDeviceGetUuid, aclError(int32_t, aclrtUuid *));
SAME(aclrtDeviceGetPCIBusId, aclError(int32_t, char *, int32_t));
SAME(aclrtDeviceGetByPCIBusId, aclError(const char *, int32_t *));
SAME(aclrtDeviceGetBareTgid, aclError(int32_t *));
SAME(aclrtDeviceSetLimit, aclError(aclrtDeviceLimit, size_t));
SAME(aclrtDeviceGetLimit, aclError(aclrtDeviceLimit, size_t *));
SAME(aclrtDeviceGetHostAtomicCapabilities,
     aclError(uint32_t *, const aclrtAtomicOperation *, uint32_t, int32_t));
SAME(aclrtDeviceGetP2PAtomicCapabilities,
     aclError(uint32_t *, const aclrtAtomicOperation *, uint32_t, int32_t, int32_t));
SAME(aclrtGetDeviceResLimit, aclError(int32_t, aclrtDevResLimitType, uint32_t *));
SAME(aclrtSetDeviceResLimit, aclError(int32_t, aclrtDevResLimitType, uint32_t));
SAME(aclrtResetDeviceResLimit, aclError(int32_t));
SAME(aclrtGetStreamResLimit, aclError(aclrtStream, aclrtDevResLimitType, uint32_t *));
SAME(aclrtSetStreamResLimit, aclError(aclrtStream, aclrtDevResLimitType, uint32_t));
SAME(aclrtResetStreamResLimit, aclError(aclrtStream));
SAME(aclrtUseStreamResInCurrentThread, aclError(aclrtStream));
SAME(aclrtUnuseStreamResInCurrentThread, aclError(aclrtStream));
SAME(aclrtGetResInCurrentThread, aclError(aclrtDevResLimitType, uint32_t *));

/* Context */
SAME(aclrtCreateContext, aclError(aclrtContext *, int32_t));
SAME(aclrtDestroyContext, aclError(aclrtContext));
SAME(aclrtSetCurrentContext, aclError(aclrtContext));
SAME(aclrtGetCurrentContext, aclError(aclrtContext *));
SAME(aclrtCtxGetCurrentDefaultStream, aclError(aclrtStream *));
SAME(aclrtGetPrimaryCtxState, aclError(int32_t, uint32_t *, int32_t *));
SAME(aclrtCtxGetFloatOverflowAddr, aclError(void **));

/* Stream */
SAME(aclrtCreateStream, aclError(aclrtStream *));
SAME(aclrtCreateStreamWithConfig, aclError(aclrtStream *, uint32_t, uint32_t));
SAME(aclrtCreateStreamV2, aclError(aclrtStream *, const aclrtStreamConfigHandle *));
SAME(aclrtCreateStreamConfigHandle, aclrtStreamConfigHandle *());
SAME(aclrtDestroyStreamConfigHandle, aclError(aclrtStreamConfigHandle *));
SAME(aclrtSetStreamConfigOpt,
     aclError(aclrtStreamConfigHandle *, aclrtStreamConfigAttr, const void *, size_t));
SAME(aclrtDestroyStream, aclError(aclrtStream));
SAME(aclrtDestroyStreamForce, aclError(aclrtStream));
SAME(aclrtSynchronizeStream, aclError(aclrtStream));
SAME(aclrtSynchronizeStreamWithTimeout, aclError(aclrtStream, int32_t));
SAME(aclrtStreamQuery, aclError(aclrtStream, aclrtStreamStatus *));
SAME(aclrtStreamGetId, aclError(aclrtStream, int32_t *));
SAME(aclrtStreamGetPriority, aclError(aclrtStream, uint32_t *));
SAME(aclrtStreamGetFlags, aclError(aclrtStream, uint32_t *));
SAME(aclrtGetStreamAvailableNum, aclError(uint32_t *));
SAME(aclrtSetStreamFailureMode, aclError(aclrtStream, uint64_t));
SAME(aclrtSetStreamAttribute, aclError(aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue *));
SAME(aclrtGetStreamAttribute, aclError(aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue *));
SAME(aclrtSetStreamOverflowSwitch, aclError(aclrtStream, uint32_t));
SAME(aclrtGetStreamOverflowSwitch, aclError(aclrtStream, uint32_t *));
SAME(aclrtStreamAbort, aclError(aclrtStream));
SAME(aclrtStreamStop, aclError(aclrtStream));
SAME(aclrtPersistentTaskClean, aclError(aclrtStream));
SAME(aclrtActiveStream, aclError(aclrtStream, aclrtStream));
SAME(aclrtSwitchStream, aclError(void *, aclrtCondition, void *, aclrtCompareDataType, aclrtStream,
				 aclrtStream, aclrtStream));
SAME(aclrtRegStreamStateCallback, aclError(const char *, aclrtStreamStateCallback, void *));
SAME(aclrtStreamWaitEvent, aclError(aclrtStream, aclrtEvent));
SAME(aclrtStreamWaitEventWithTimeout, aclError(aclrtStream, aclrtEvent, int32_t));
SAME(aclrtStreamWaitEventWithFlag, aclError(aclrtStream, aclrtEvent, uint32_t, uint32_t));
SAME(aclrtSetOpWaitTimeout, aclError(uint32_t));

/* Event */
SAME(aclrtCreateEvent, aclError(aclrtEvent *));
SAME(aclrtCreateEventWithFlag, aclError(aclrtEvent *, uint32_t));
SAME(aclrtCreateEventExWithFlag, aclError(aclrtEvent *, uint32_t));
SAME(aclrtDestroyEvent, aclError(aclrtEvent));
SAME(aclrtRecordEvent, aclError(aclrtEvent, aclrtStream));
SAME(aclrtRecordEventWithFlag, aclError(aclrtEvent, aclrtStream, uint32_t));
SAME(aclrtResetEvent, aclError(aclrtEvent, aclrtStream));
SAME(aclrtQueryEvent, aclError(aclrtEvent, aclrtEventStatus *));
SAME(aclrtQueryEventStatus, aclError(aclrtEvent, aclrtEventRecordedStatus *));
SAME(aclrtQueryEventWaitStatus, aclError(aclrtEvent, aclrtEventWaitStatus *));
SAME(aclrtSynchronizeEvent, aclError(aclrtEvent));
SAME(aclrtSynchronizeEventWithTimeout, aclError(aclrtEvent, int32_t));
SAME(aclrtEventElapsedTime, aclError(float *, aclrtEvent, aclrtEvent));
SAME(aclrtEventGetTimestamp, aclError(aclrtEvent, uint64_t *));
SAME(aclrtGetEventId, aclError(aclrtEvent, uint32_t *));
SAME(aclrtGetEventAvailNum, aclError(uint32_t *));
SAME(aclrtIpcGetEventHandle, aclError(aclrtEvent, aclrtIpcEventHandle *));
SAME(aclrtIpcOpenEventHandle, aclError(aclrtIpcEventHandle, aclrtEvent *));

/* Notify / CntNotify */
SAME(aclrtCreateNotify, aclError(aclrtNotify *, uint64_t));
SAME(aclrtDestroyNotify, aclError(aclrtNotify));
SAME(aclrtRecordNotify, aclError(aclrtNotify, aclrtStream));
SAME(aclrtWaitAndResetNotify, aclError(aclrtNotify, aclrtStream, uint32_t));
SAME(aclrtGetNotifyId, aclError(aclrtNotify, uint32_t *));
SAME(aclrtNotifyBatchReset, aclError(aclrtNotify *, size_t));
SAME(aclrtNotifyGetExportKey, aclError(aclrtNotify, char *, size_t, uint64_t));
SAME(aclrtNotifyImportByKey, aclError(aclrtNotify *, const char *, uint64_t));
SAME(aclrtNotifySetImportPid, aclError(aclrtNotify, int32_t *, size_t));
SAME(aclrtNotifySetImportPidInterServer, aclError(aclrtNotify, aclrtServerPid *, size_t));
SAME(aclrtCntNotifyCreate, aclError(aclrtCntNotify *, uint64_t));
SAME(aclrtCntNotifyDestroy, aclError(aclrtCntNotify));
SAME(aclrtCntNotifyRecord, aclError(aclrtCntNotify, aclrtStream, aclrtCntNotifyRecordInfo *));
SAME(aclrtCntNotifyWaitWithTimeout,
     aclError(aclrtCntNotify, aclrtStream, aclrtCntNotifyWaitInfo *));
SAME(aclrtCntNotifyReset, aclError(aclrtCntNotify, aclrtStream));
SAME(aclrtCntNotifyGetId, aclError(aclrtCntNotify, uint32_t *));

/* Callbacks and execution control */
SAME(aclrtSubscribeReport, aclError(uint64_t, aclrtStream));
SAME(aclrtLaunchCallback, aclError(aclrtCallback, void *, aclrtCallbackBlockType, aclrtStream));
SAME(aclrtProcessReport, aclError(int32_t));
SAME(aclrtUnSubscribeReport, aclError(uint64_t, aclrtStream));
SAME(aclrtLaunchHostFunc, aclError(aclrtStream, aclrtHostFunc, void *));
SAME(aclrtSubscribeHostFunc, aclError(uint64_t, aclrtStream));
SAME(aclrtProcessHostFunc, aclError(int32_t));
SAME(aclrtUnSubscribeHostFunc, aclError(uint64_t, aclrtStream));
SAME(aclrtGetOpTimeOutInterval, aclError(uint64_t *));
SAME(aclrtSetOpExecuteTimeOut, aclError(uint32_t));
SAME(aclrtSetOpExecuteTimeOutWithMs, aclError(uint32_t));
SAME(aclrtSetOpExecuteTimeOutV2, aclError(uint64_t, uint64_t *));
SAME(aclrtGetOpExecuteTimeout, aclError(uint32_t *));
SAME(aclrtGetThreadLastTaskId, aclError(uint32_t *));
SAME(aclrtReduceAsync,
     aclError(void *, const void *, uint64_t, aclrtReduceKind, aclDataType, aclrtStream, void *));
SAME(aclrtRandomNumAsync, aclError(const aclrtRandomNumTaskInfo *, aclrtStream, void *));
SAME(aclrtTaskUpdateAsync, aclError(aclrtStream, uint32_t, aclrtTaskUpdateInfo *, aclrtStream));
SAME(aclrtGetFloatOverflowStatus, aclError(void *, uint64_t, aclrtStream));
SAME(aclrtResetFloatOverflowStatus, aclError(aclrtStream));
SAME(aclrtNpuGetFloatOverFlowStatus, aclError(void *, uint64_t, uint32_t, aclrtStream));
SAME(aclrtNpuClearFloatOverFlowStatus, aclError(uint32_t, aclrtStream));
SAME(aclrtGetHardwareSyncAddr, aclError(void **));
SAME(aclrtProfTrace, aclError(void *, int32_t, aclrtStream));
SAME(aclrtCacheLastTaskOpInfo, aclError(const void *, size_t));
SAME(aclrtCacheLastTaskExtendInfo, aclError(const char *, size_t));

/* Exceptions and fault handling */
SAME(aclrtSetExceptionInfoCallback, aclError(aclrtExceptionInfoCallback));
SAME(aclrtExceptionInfoCallbackRegister, aclError(aclrtExceptionInfoCallback));
SAME(aclrtExceptionInfoCallbackUnregister, aclError(aclrtExceptionInfoCallback));
SAME(aclrtGetTaskIdFromExceptionInfo, uint32_t(const aclrtExceptionInfo *));
SAME(aclrtGetStreamIdFromExceptionInfo, uint32_t(const aclrtExceptionInfo *));
SAME(aclrtGetThreadIdFromExceptionInfo, uint32_t(const aclrtExceptionInfo *));
SAME(aclrtGetDeviceIdFromExceptionInfo, uint32_t(const aclrtExceptionInfo *));
SAME(aclrtGetErrorCodeFromExceptionInfo, uint32_t(const aclrtExceptionInfo *));
SAME(aclrtGetArgsFromExceptionInfo, aclError(const aclrtExceptionInfo *, void **, uint32_t *));
SAME(aclrtGetFuncHandleFromExceptionInfo, aclError(const aclrtExceptionInfo *, aclrtFuncHandle *));
SAME(aclrtBinarySetExceptionCallback, aclError(aclrtBinHandle, aclrtOpExceptionCallback, void *));
SAME(aclrtDeviceTaskAbort, aclError(int32_t, uint32_t));
SAME(aclrtSetDeviceTaskAbortCallback, aclError(const char *, aclrtDeviceTaskAbortCallback, void *));
SAME(aclrtGetMemUceInfo, aclError(int32_t, aclrtMemUceInfo *, size_t, size_t *));
SAME(aclrtMemUceRepair, aclError(int32_t, aclrtMemUceInfo *, size_t));
SAME(aclrtGetErrorVerbose, aclError(int32_t, aclrtErrorInfo *));
SAME(aclrtRepairError, aclError(int32_t, const aclrtErrorInfo *));

/* Groups */
SAME(aclrtSetGroup, aclError(int32_t));
SAME(aclrtGetGroupCount, aclError(uint32_t *));
SAME(aclrtCreateGroupInfo, aclrtGroupInfo *());
SAME(aclrtDestroyGroupInfo, aclError(aclrtGroupInfo *));
SAME(aclrtGetAllGroupInfo, aclError(aclrtGroupInfo *));
SAME(aclrtGetGroupInfoDetail,
     aclError(const aclrtGroupInfo *, int32_t, aclrtGroupAttr, void *, size_t, size_t *));

/* Snapshot */
SAME(aclrtSnapShotProcessLock, aclError(int, void *));
SAME(aclrtSnapShotProcessUnlock, aclError(int, void *));
SAME(aclrtSnapShotProcessBackup, aclError(int, aclrtSnapShotBackupArgs *));
SAME(aclrtSnapShotProcessRestore, aclError(int, aclrtSnapShotRestoreArgs *));
SAME(aclrtSnapShotCallbackRegister, aclError(aclrtSnapShotStage, aclrtSnapShotCallBack, void *));
SAME(aclrtSnapShotCallbackUnregister, aclError(aclrtSnapShotStage, aclrtSnapShotCallBack));

/* Platform query and misc */
SAME(aclplatformGetDeviceInfo, aclError(aclplatformDevInfo, char *, uint32_t));
SAME(aclplatformGetInstructionInfo, aclError(aclplatformCoreType, const char *, char *, uint32_t));
SAME(aclrtDeviceL2CacheFlush, aclError(void *));
SAME(aclmdlInitDump, aclError());
SAME(aclmdlSetDump, aclError(const char *));
SAME(aclmdlFinalizeDump, aclError());
SAME(aclGetDataBufferSize, uint32_t(const aclDataBuffer *));

} // namespace
