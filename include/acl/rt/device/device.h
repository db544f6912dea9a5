/* SPDX-License-Identifier: MIT */
/*
 * DOC: Devices
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * Every device has one primary context, shared by all threads that select the device.
 */
#ifndef ACL_RT_DEVICE_H
#define ACL_RT_DEVICE_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtTsId - task schedulers of a device. */
typedef enum aclrtTsId {
	ACL_TS_ID_AICORE = 0,
	ACL_TS_ID_AIVECTOR = 1,
	ACL_TS_ID_RESERVED = 2,
} aclrtTsId;

/** enum aclrtDeviceStatus - whether a device works. */
typedef enum aclrtDeviceStatus {
	ACL_RT_DEVICE_STATUS_NORMAL = 0,
	ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
	ACL_RT_DEVICE_STATUS_END = 65535,
} aclrtDeviceStatus;

/** enum aclrtDeviceState - when a device-state callback runs. */
typedef enum aclrtDeviceState {
	ACL_RT_DEVICE_STATE_SET_PRE = 0,
	ACL_RT_DEVICE_STATE_SET_POST = 1,
	ACL_RT_DEVICE_STATE_RESET_PRE = 2,
	ACL_RT_DEVICE_STATE_RESET_POST = 3,
} aclrtDeviceState;

/** typedef aclrtUtilizationExtendInfo - reserved; pointers to it are NULL. */
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;

/**
 * struct aclrtUtilizationInfo - how busy a device is, each in percent, -1 if unknown
 * @cubeUtilization: matrix units
 * @vectorUtilization: vector units
 * @aicpuUtilization: scalar processors
 * @memoryUtilization: memory
 * @utilizationExtend: NULL
 */
typedef struct aclrtUtilizationInfo {
	int32_t cubeUtilization;
	int32_t vectorUtilization;
	int32_t aicpuUtilization;
	int32_t memoryUtilization;
	aclrtUtilizationExtendInfo *utilizationExtend;
} aclrtUtilizationInfo;

/**
 * typedef aclrtDeviceStateCallback - function that is called when a device is set or reset
 * @deviceId: the device
 * @state: the step, and whether the call is before or after it
 * @args: the argument of the registration
 *
 * Context: the thread that sets or resets the device.
 */
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void *args);

/**
 * aclrtSetDevice() - selects a device for the calling thread
 * @deviceId: 0 .. count - 1
 *
 * Makes the device's primary context current instead of an explicit one, and adds a reference to it.
 * The first reference creates the context and its default stream.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_INVALID_DEVICEID, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/**
 * aclrtResetDevice() - drops one reference of aclrtSetDevice()
 * @deviceId: the device
 *
 * Dropping the last reference waits for the work of the primary context, destroys it with all its streams, and frees
 * all memory of the device. Pinned and managed memory stays the program's until it is freed. A device that has explicit
 * contexts closes with the last of them.
 *
 * Context: any thread; may block until the work is done.
 * Return: 0, ACL_ERROR_RT_INVALID_DEVICEID, or ACL_ERROR_RT_CONTEXT_RELEASE_ERROR when there is no
 * reference left.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/**
 * aclrtResetDeviceForce() - drops all references of a device at once
 * @deviceId: the device
 *
 * Tasks that are ready get the same time as with aclrtDestroyStreamForce(); the others are dropped.
 *
 * Context: any thread; may block for that time.
 * Return: as aclrtResetDevice().
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/**
 * aclrtGetDevice() - the device of the calling thread's current context
 * @deviceId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/**
 * aclrtGetDeviceCount() - how many devices the process may use
 * @count: out; devices that ASCEND_RT_VISIBLE_DEVICES hides are not counted
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/**
 * aclrtSetTsDevice() - chooses the task scheduler of later calls
 * @tsId: ACL_TS_ID_AICORE or ACL_TS_ID_AIVECTOR
 *
 * A device with one scheduler accepts both values for it.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetTsDevice(aclrtTsId tsId);

/**
 * aclrtGetDeviceUtilizationRate() - how busy the parts of a device are
 * @deviceId: the device
 * @utilizationInfo: in, its utilizationExtend is NULL; out, percentages 0 .. 100, or -1 for a part
 * that is not measured
 *
 * The percentages are for the time since the process last called this function, or since the device
 * started.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceUtilizationRate(int32_t deviceId,
							   aclrtUtilizationInfo *utilizationInfo);

/**
 * aclrtQueryDeviceStatus() - whether a device works
 * @deviceId: the device
 * @deviceStatus: out
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, also for a device that does not work, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryDeviceStatus(int32_t deviceId,
						    aclrtDeviceStatus *deviceStatus);

/**
 * aclrtSynchronizeDevice() - waits for the device of the current context
 *
 * It waits for all streams of all contexts that the process has on the device. It does not report
 * failures in other contexts than the current one; a later call in those contexts does.
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_RT_STREAM_CAPTURED when a stream of the current context is capturing, or the
 * first failure of its work.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/**
 * aclrtSynchronizeDeviceWithTimeout() - aclrtSynchronizeDevice() with a limit
 * @timeout: milliseconds > 0, or -1 for no limit
 *
 * Context: any thread; may block up to @timeout.
 * Return: as aclrtSynchronizeDevice(), ACL_ERROR_RT_PARAM_INVALID for another @timeout, or
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/**
 * aclrtDeviceCanAccessPeer() - whether a device can reach another one's memory
 * @canAccessPeer: out, 1 or 0
 * @deviceId: the device
 * @peerDeviceId: the device with the memory
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for the same device twice, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId,
						      int32_t peerDeviceId);

/**
 * aclrtDeviceEnablePeerAccess() - lets the current device reach another one's memory
 * @peerDeviceId: the device with the memory
 * @flags: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for the current device itself, ACL_ERROR_FEATURE_UNSUPPORTED
 * for other @flags, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/**
 * aclrtDeviceDisablePeerAccess() - undoes aclrtDeviceEnablePeerAccess()
 * @peerDeviceId: the device with the memory
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for the current device itself, or
 * ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/**
 * aclrtDevicePeerAccessStatus() - whether a device may reach another one's memory now
 * @deviceId: the device
 * @peerDeviceId: the device with the memory
 * @status: out, 1 or 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
							 int32_t *status);

/**
 * aclrtDeviceGetStreamPriorityRange() - the range of stream priorities
 * @leastPriority: out, the largest number and the least urgent; may be NULL
 * @greatestPriority: out, the smallest number and the most urgent; may be NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority,
							       int32_t *greatestPriority);

/**
 * aclrtRegDeviceStateCallback() - registers a function that is called when a device is set or reset
 * @regName: name of the registration, unique in the process
 * @callback: the function; NULL removes the registration
 * @args: passed to @callback; must stay valid until then
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for a name that is in use or, if
 * @callback is NULL, unknown.
 */
ACL_FUNC_VISIBILITY aclError aclrtRegDeviceStateCallback(const char *regName,
							 aclrtDeviceStateCallback callback,
							 void *args);

/**
 * aclrtDeviceL2CacheFlush() - writes the L2 cache of the current device back
 * @rsv: NULL
 *
 * Context: any thread; may block.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceL2CacheFlush(void *rsv);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DEVICE_H */
