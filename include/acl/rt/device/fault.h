/* SPDX-License-Identifier: MIT */
/*
 * DOC: Faults
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_FAULT_H
#define ACL_RT_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/model/binary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of the arrays below. */
#define MAX_MEM_UCE_INFO_ARRAY_SIZE 128
#define UCE_INFO_RESERVED_SIZE 14
#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20
#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 20U

/** enum aclrtDeviceTaskAbortStage - when a task-abort callback runs. */
typedef enum aclrtDeviceTaskAbortStage {
	ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
	ACL_RT_DEVICE_TASK_ABORT_POST = 1,
} aclrtDeviceTaskAbortStage;

/** enum aclrtErrorType - which part of the device failed. */
typedef enum aclrtErrorType {
	ACL_RT_NO_ERROR = 0,
	ACL_RT_ERROR_MEMORY = 1,
	ACL_RT_ERROR_L2 = 2,
	ACL_RT_ERROR_AICORE = 3,
	ACL_RT_ERROR_LINK = 4,
	ACL_RT_ERROR_L3_PORT = 5,
	ACL_RT_ERROR_OTHERS = 65535,
} aclrtErrorType;

/** enum aclrtAicoreErrorType - how a core failed. */
typedef enum aclrtAicoreErrorType {
	ACL_RT_AICORE_ERROR_UNKNOWN = 0,
	ACL_RT_AICORE_ERROR_SW = 1,
	ACL_RT_AICORE_ERROR_HW_LOCAL = 2,
} aclrtAicoreErrorType;

/** typedef aclrtExceptionInfo - a failed task; opaque. */
typedef struct rtExceptionInfo aclrtExceptionInfo;

/**
 * struct aclrtMemUceInfo - a piece of memory with an uncorrectable error
 * @addr: device address
 * @len: bytes
 * @reserved: zero
 */
typedef struct aclrtMemUceInfo {
	void *addr;
	size_t len;
	size_t reserved[UCE_INFO_RESERVED_SIZE];
} aclrtMemUceInfo;

/**
 * struct aclrtMemUceInfoArray - pieces of memory with uncorrectable errors
 * @arraySize: elements of @memUceInfoArray in use
 * @memUceInfoArray: the pieces
 */
typedef struct aclrtMemUceInfoArray {
	size_t arraySize;
	aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

/**
 * union aclrtErrorInfoDetail - more information in aclrtErrorInfo for some types
 * @uceInfo: for ACL_RT_ERROR_MEMORY
 * @aicoreErrType: for ACL_RT_ERROR_AICORE
 */
typedef union aclrtErrorInfoDetail {
	aclrtMemUceInfoArray uceInfo;
	aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

/**
 * struct aclrtErrorInfo - what failed on a device
 * @tryRepair: 1 when a repair can be tried
 * @hasDetail: 1 when @detail is set
 * @reserved: zero
 * @errorType: the part of the device
 * @detail: more information
 */
typedef struct aclrtErrorInfo {
	uint8_t tryRepair;
	uint8_t hasDetail;
	uint8_t reserved[2];
	aclrtErrorType errorType;
	aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/**
 * typedef aclrtExceptionInfoCallback - function that is called for a failed task
 * @exceptionInfo: the task, valid during the call
 *
 * Context: a thread of the library; must not call functions that wait or launch.
 */
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo *exceptionInfo);

/**
 * typedef aclrtOpExceptionCallback - function that is called for a failed operator
 * @exceptionInfo: the task, valid during the call
 * @userData: the argument of the registration
 *
 * Context: a thread of the library; must not call functions that wait or launch.
 */
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo *exceptionInfo, void *userData);

/**
 * typedef aclrtDeviceTaskAbortCallback - function that is called when the work of a device is aborted
 * @deviceId: the device
 * @stage: before or after
 * @timeout: milliseconds the callback may take
 * @args: the argument of the registration
 *
 * Context: the thread that aborts.
 * Return: 0, or another number to stop the abort.
 */
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage,
						uint32_t timeout, void *args);

/**
 * aclrtSetExceptionInfoCallback() - sets or clears the function that is called for failed tasks
 * @callback: the function, or NULL
 *
 * Deprecated; new programs use aclrtExceptionInfoCallbackRegister(), which this function does not
 * affect.
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/**
 * aclrtExceptionInfoCallbackRegister() - adds a function that is called for failed tasks
 * @callback: the function; registering it again has no effect
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/**
 * aclrtExceptionInfoCallbackUnregister() - undoes aclrtExceptionInfoCallbackRegister()
 * @callback: the function; an unknown one succeeds
 *
 * Does not wait for a call that is running.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/**
 * aclrtGetTaskIdFromExceptionInfo() - the number of a failed task
 * @info: the failed task, or NULL
 *
 * Context: any thread; never blocks.
 * Return: the number; 0xFFFFFFFF for a fault of the device, for NULL, and after the callback, with an error sentence.
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * aclrtGetStreamIdFromExceptionInfo() - the number of a failed task's stream
 * @info: the failed task, or NULL
 *
 * Context: any thread; never blocks.
 * Return: the number; 0xFFFFFFFF for a fault of the device, for NULL, and after the callback, with an error sentence.
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * aclrtGetThreadIdFromExceptionInfo() - the number of the thread that launched a failed task
 * @info: the failed task, or NULL
 *
 * Context: any thread; never blocks.
 * Return: the number; 0xFFFFFFFF for a fault of the device, for NULL, and after the callback, with an error sentence.
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * aclrtGetDeviceIdFromExceptionInfo() - the device of a failed task
 * @info: the failed task, or NULL
 *
 * Context: any thread; never blocks.
 * Return: the number; 0xFFFFFFFF for NULL and after the callback, with an error sentence.
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * aclrtGetErrorCodeFromExceptionInfo() - the error of a failed task
 * @info: the failed task, or NULL
 *
 * Context: any thread; never blocks.
 * Return: the error; 0xFFFFFFFF for NULL and after the callback, with an error sentence.
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * aclrtGetArgsFromExceptionInfo() - the arguments of a failed kernel
 * @info: the failed task, or NULL
 * @devArgsPtr: out, device memory that has the arguments during the callback: those that the launch named, or a copy.
 * Each argument begins at a multiple of 8. NULL for a kernel without any.
 * @devArgsLen: out, how many arguments there are
 *
 * Launches are kept for this from the first aclrtBinarySetExceptionCallback() of the kernel's binary on, the latest
 * 16384. Nodes of captured models are not.
 *
 * Context: inside a callback for failed tasks; may block.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID for another launch or task, or
 * ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo *info,
							   void **devArgsPtr, uint32_t *devArgsLen);

/**
 * aclrtGetFuncHandleFromExceptionInfo() - a failed kernel
 * @info: the failed task, or NULL
 * @func: out
 *
 * Context: inside a callback of aclrtBinarySetExceptionCallback().
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_HANDLE after the callback.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo *info,
								 aclrtFuncHandle *func);

/**
 * aclrtBinarySetExceptionCallback() - sets the function that is called for failed kernels of a binary
 * @binHandle: the binary
 * @callback: the function; replaces an earlier one
 * @userData: passed to @callback
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle,
							     aclrtOpExceptionCallback callback,
							     void *userData);

/**
 * aclrtDeviceTaskAbort() - drops all work of a device
 * @deviceId: the device
 * @timeout: milliseconds, 0 for no limit, 36 minutes at most
 *
 * Later launches and synchronisations return ACL_ERROR_RT_DEVICE_TASK_ABORT.
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_INVALID_DEVICEID, or
 * ACL_ERROR_RT_WAIT_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/**
 * aclrtSetDeviceTaskAbortCallback() - registers a function that is called before and after
 * aclrtDeviceTaskAbort()
 * @regName: name of the registration, unique in the process
 * @callback: the function; NULL removes the registration
 * @args: passed to @callback; must stay valid until then
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceTaskAbortCallback(const char *regName,
							     aclrtDeviceTaskAbortCallback callback,
							     void *args);

/**
 * aclrtGetMemUceInfo() - pieces of memory with uncorrectable errors
 * @deviceId: the device
 * @memUceInfoArray: out, array of @arraySize
 * @arraySize: elements
 * @retSize: out, elements written
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, also when the array is too small, or
 * ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray,
						size_t arraySize, size_t *retSize);

/**
 * aclrtMemUceRepair() - repairs pieces of memory with uncorrectable errors
 * @deviceId: the device
 * @memUceInfoArray: array of @arraySize, reserved fields 0
 * @arraySize: elements, 1 .. 128
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray,
					       size_t arraySize);

/**
 * aclrtGetErrorVerbose() - what failed on a device, before its work is aborted
 * @deviceId: the device
 * @errorInfo: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo);

/**
 * aclrtRepairError() - repairs an error of aclrtGetErrorVerbose(), after the work was aborted
 * @deviceId: the device
 * @errorInfo: the error
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_FAULT_H */
