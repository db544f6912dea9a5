// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions
 *
 * A C name has no types in it, so a changed parameter links and then misbehaves. The types are
 * written out here once more; the compiler compares.
 */
#include <type_traits>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"

/* SAME - a declared function has exactly this type. */
#define SAME(name, ...) \
	static_assert(std::is_same_v<decltype(name), __VA_ARGS__>, #name " has another type")

namespace {

SAME(aclInit, aclError(const char *));
SAME(aclFinalize, aclError());
SAME(aclFinalizeReference, aclError(uint64_t *));
SAME(aclGetRecentErrMsg, const char *());
SAME(aclrtPeekAtLastError, aclError(aclrtLastErrLevel));
SAME(aclrtGetLastError, aclError(aclrtLastErrLevel));
SAME(aclrtGetVersion, aclError(int32_t *, int32_t *, int32_t *));
SAME(aclrtGetSocName, const char *());
SAME(aclAppLog, void(aclLogLevel, const char *, const char *, uint32_t, const char *, ...));
SAME(aclDataTypeSize, size_t(aclDataType));
SAME(aclrtGetRunMode, aclError(aclrtRunMode *));
SAME(aclrtSetDevice, aclError(int32_t));
SAME(aclrtResetDevice, aclError(int32_t));
SAME(aclrtResetDeviceForce, aclError(int32_t));
SAME(aclrtGetDevice, aclError(int32_t *));
SAME(aclrtGetDeviceCount, aclError(uint32_t *));
SAME(aclrtSynchronizeDevice, aclError());
SAME(aclrtSynchronizeDeviceWithTimeout, aclError(int32_t));
SAME(aclrtDeviceGetStreamPriorityRange, aclError(int32_t *, int32_t *));
SAME(aclrtCreateContext, aclError(aclrtContext *, int32_t));
SAME(aclrtDestroyContext, aclError(aclrtContext));
SAME(aclrtSetCurrentContext, aclError(aclrtContext));
SAME(aclrtGetCurrentContext, aclError(aclrtContext *));
SAME(aclrtCtxGetCurrentDefaultStream, aclError(aclrtStream *));
SAME(aclrtGetPrimaryCtxState, aclError(int32_t, uint32_t *, int32_t *));
SAME(aclrtCreateStream, aclError(aclrtStream *));
SAME(aclrtCreateStreamWithConfig, aclError(aclrtStream *, uint32_t, uint32_t));
SAME(aclrtDestroyStream, aclError(aclrtStream));
SAME(aclrtDestroyStreamForce, aclError(aclrtStream));
SAME(aclrtSynchronizeStream, aclError(aclrtStream));
SAME(aclrtSynchronizeStreamWithTimeout, aclError(aclrtStream, int32_t));
SAME(aclrtStreamQuery, aclError(aclrtStream, aclrtStreamStatus *));
SAME(aclrtStreamGetId, aclError(aclrtStream, int32_t *));
SAME(aclrtStreamGetPriority, aclError(aclrtStream, uint32_t *));
SAME(aclrtStreamGetFlags, aclError(aclrtStream, uint32_t *));
SAME(aclrtSetStreamFailureMode, aclError(aclrtStream, uint64_t));
SAME(aclrtStreamWaitEvent, aclError(aclrtStream, aclrtEvent));
SAME(aclrtStreamWaitEventWithTimeout, aclError(aclrtStream, aclrtEvent, int32_t));
SAME(aclrtCreateEvent, aclError(aclrtEvent *));
SAME(aclrtCreateEventWithFlag, aclError(aclrtEvent *, uint32_t));
SAME(aclrtCreateEventExWithFlag, aclError(aclrtEvent *, uint32_t));
SAME(aclrtDestroyEvent, aclError(aclrtEvent));
SAME(aclrtRecordEvent, aclError(aclrtEvent, aclrtStream));
SAME(aclrtRecordEventWithFlag, aclError(aclrtEvent, aclrtStream, uint32_t));
SAME(aclrtStreamWaitEventWithFlag, aclError(aclrtStream, aclrtEvent, uint32_t, uint32_t));
SAME(aclrtResetEvent, aclError(aclrtEvent, aclrtStream));
SAME(aclrtQueryEvent, aclError(aclrtEvent, aclrtEventStatus *));
SAME(aclrtQueryEventStatus, aclError(aclrtEvent, aclrtEventRecordedStatus *));
SAME(aclrtQueryEventWaitStatus, aclError(aclrtEvent, aclrtEventWaitStatus *));
SAME(aclrtSynchronizeEvent, aclError(aclrtEvent));
SAME(aclrtSynchronizeEventWithTimeout, aclError(aclrtEvent, int32_t));
SAME(aclrtEventElapsedTime, aclError(float *, aclrtEvent, aclrtEvent));
SAME(aclrtEventGetTimestamp, aclError(aclrtEvent, uint64_t *));
SAME(aclrtGetEventId, aclError(aclrtEvent, uint32_t *));
SAME(aclrtMalloc, aclError(void **, size_t, aclrtMemMallocPolicy));
SAME(aclrtMallocAlign32, aclError(void **, size_t, aclrtMemMallocPolicy));
SAME(aclrtMallocCached, aclError(void **, size_t, aclrtMemMallocPolicy));
SAME(aclrtFree, aclError(void *));
SAME(aclrtFreeWithDevSync, aclError(void *));
SAME(aclrtMallocHost, aclError(void **, size_t));
SAME(aclrtFreeHost, aclError(void *));
SAME(aclrtFreeHostWithDevSync, aclError(void *));
SAME(aclrtMemcpy, aclError(void *, size_t, const void *, size_t, aclrtMemcpyKind));
SAME(aclrtMemcpyAsync,
     aclError(void *, size_t, const void *, size_t, aclrtMemcpyKind, aclrtStream));
SAME(aclrtMemset, aclError(void *, size_t, int32_t, size_t));
SAME(aclrtMemsetAsync, aclError(void *, size_t, int32_t, size_t, aclrtStream));
SAME(aclrtGetMemInfo, aclError(aclrtMemAttr, size_t *, size_t *));
SAME(aclrtPointerGetAttributes, aclError(const void *, aclrtPtrAttributes *));
SAME(aclrtLaunchHostFunc, aclError(aclrtStream, aclrtHostFunc, void *));
SAME(aclmdlRICaptureBegin, aclError(aclrtStream, aclmdlRICaptureMode));
SAME(aclmdlRICaptureEnd, aclError(aclrtStream, aclmdlRI *));
SAME(aclmdlRICaptureGetInfo, aclError(aclrtStream, aclmdlRICaptureStatus *, aclmdlRI *));
SAME(aclmdlRICaptureThreadExchangeMode, aclError(aclmdlRICaptureMode *));
SAME(aclmdlRIExecuteAsync, aclError(aclmdlRI, aclrtStream));
SAME(aclmdlRIDestroy, aclError(aclmdlRI));

SAME(aclCreateTensor, aclTensor *(const int64_t *, uint64_t, aclDataType, const int64_t *, int64_t,
				  aclFormat, const int64_t *, uint64_t, void *));
SAME(aclCreateScalar, aclScalar *(void *, aclDataType));
SAME(aclCreateIntArray, aclIntArray *(const int64_t *, uint64_t));
SAME(aclCreateFloatArray, aclFloatArray *(const float *, uint64_t));
SAME(aclCreateBoolArray, aclBoolArray *(const bool *, uint64_t));
SAME(aclCreateTensorList, aclTensorList *(const aclTensor *const *, uint64_t));
SAME(aclCreateScalarList, aclScalarList *(const aclScalar *const *, uint64_t));
SAME(aclDestroyTensor, aclnnStatus(const aclTensor *));
SAME(aclDestroyScalar, aclnnStatus(const aclScalar *));
SAME(aclDestroyIntArray, aclnnStatus(const aclIntArray *));
SAME(aclDestroyFloatArray, aclnnStatus(const aclFloatArray *));
SAME(aclDestroyBoolArray, aclnnStatus(const aclBoolArray *));
SAME(aclDestroyTensorList, aclnnStatus(const aclTensorList *));
SAME(aclDestroyScalarList, aclnnStatus(const aclScalarList *));
SAME(aclGetViewShape, aclnnStatus(const aclTensor *, int64_t **, uint64_t *));
SAME(aclGetStorageShape, aclnnStatus(const aclTensor *, int64_t **, uint64_t *));
SAME(aclGetViewStrides, aclnnStatus(const aclTensor *, int64_t **, uint64_t *));
SAME(aclGetViewOffset, aclnnStatus(const aclTensor *, int64_t *));
SAME(aclGetFormat, aclnnStatus(const aclTensor *, aclFormat *));
SAME(aclGetDataType, aclnnStatus(const aclTensor *, aclDataType *));
SAME(aclGetIntArraySize, aclnnStatus(const aclIntArray *, uint64_t *));
SAME(aclGetFloatArraySize, aclnnStatus(const aclFloatArray *, uint64_t *));
SAME(aclGetBoolArraySize, aclnnStatus(const aclBoolArray *, uint64_t *));
SAME(aclGetTensorListSize, aclnnStatus(const aclTensorList *, uint64_t *));
SAME(aclGetScalarListSize, aclnnStatus(const aclScalarList *, uint64_t *));
SAME(aclSetAclOpExecutorRepeatable, aclnnStatus(aclOpExecutor *));
SAME(aclDestroyAclOpExecutor, aclnnStatus(aclOpExecutor *));
SAME(aclnnInit, aclnnStatus(const char *));
SAME(aclnnFinalize, aclnnStatus());
SAME(aclnnAddGetWorkspaceSize, aclnnStatus(const aclTensor *, const aclTensor *, const aclScalar *,
					   aclTensor *, uint64_t *, aclOpExecutor **));
SAME(aclnnInplaceAddGetWorkspaceSize, aclnnStatus(const aclTensor *, const aclTensor *,
						  const aclScalar *, uint64_t *, aclOpExecutor **));
SAME(aclnnMulGetWorkspaceSize,
     aclnnStatus(const aclTensor *, const aclTensor *, aclTensor *, uint64_t *, aclOpExecutor **));
SAME(aclnnInplaceMulGetWorkspaceSize,
     aclnnStatus(aclTensor *, const aclTensor *, uint64_t *, aclOpExecutor **));
SAME(aclnnAdd, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));
SAME(aclnnInplaceAdd, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));
SAME(aclnnMul, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));
SAME(aclnnInplaceMul, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));

} // namespace
