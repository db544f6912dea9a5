/* SPDX-License-Identifier: MIT */
/*
 * DOC: Limits and modes of a device
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_DEVICE_LIMIT_H
#define ACL_RT_DEVICE_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtFloatOverflowMode - result of a floating-point overflow. */
typedef enum aclrtFloatOverflowMode {
	ACL_RT_OVERFLOW_MODE_SATURATION = 0,
	ACL_RT_OVERFLOW_MODE_INFNAN = 1,
	ACL_RT_OVERFLOW_MODE_UNDEF = 2,
} aclrtFloatOverflowMode;

/** enum aclrtDevResLimitType - resources whose use can be limited. */
typedef enum aclrtDevResLimitType {
	ACL_RT_DEV_RES_CUBE_CORE = 0,
	ACL_RT_DEV_RES_VECTOR_CORE = 1,
} aclrtDevResLimitType;

/** enum aclrtDeviceLimit - sizes that can be configured per process. */
typedef enum aclrtDeviceLimit {
	ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
	ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
	ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
	ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
	ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4,
} aclrtDeviceLimit;

/**
 * aclrtSetDeviceSatMode() - selects the result of a floating-point overflow on the current device
 * @mode: ACL_RT_OVERFLOW_MODE_SATURATION or ACL_RT_OVERFLOW_MODE_INFNAN
 *
 * Applies to streams that are created afterwards.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/**
 * aclrtGetDeviceSatMode() - the result of a floating-point overflow on the current device
 * @mode: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode);

/**
 * aclrtGetOverflowStatus() - copies the overflow status in a stream's order
 * @outputAddr: device memory for the status
 * @outputSize: 64, the bytes of the status
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize,
						    aclrtStream stream);

/**
 * aclrtResetOverflowStatus() - clears the overflow status in a stream's order
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetOverflowStatus(aclrtStream stream);

/**
 * aclrtDeviceSetLimit() - configures a size for kernels of the process
 * @limit: the limit
 * @value: bytes
 *
 * Takes effect when the process next gets the first reference to a device.
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a limit that this chip does not have.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);

/**
 * aclrtDeviceGetLimit() - the limit that aclrtDeviceSetLimit() or the configuration of aclInit() set
 * @limit: the limit
 * @value: out, bytes; 0 when it was not set
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a limit that this chip does not have.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value);

/**
 * aclrtGetDeviceResLimit() - how many cores of a kind the process may use
 * @deviceId: the device
 * @type: kind of core
 * @value: out; all cores unless a limit was set
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
						    uint32_t *value);

/**
 * aclrtSetDeviceResLimit() - limits how many cores of a kind the process may use
 * @deviceId: the device
 * @type: kind of core
 * @value: 1 .. the device's number of them
 *
 * Applies to work that is launched or captured afterwards.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
						    uint32_t value);

/**
 * aclrtResetDeviceResLimit() - removes the limits of aclrtSetDeviceResLimit()
 * @deviceId: the device
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceResLimit(int32_t deviceId);

/**
 * aclrtGetStreamResLimit() - how many cores of a kind a stream may use
 * @stream: a stream of the current context, or NULL
 * @type: kind of core
 * @value: out; the process's limit unless the stream has its own
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
						    uint32_t *value);

/**
 * aclrtSetStreamResLimit() - limits how many cores of a kind a stream may use
 * @stream: a stream of the current context, or NULL
 * @type: kind of core
 * @value: 1 .. the device's number of them
 *
 * Threads that called aclrtUseStreamResInCurrentThread() for the stream use the limit.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
						    uint32_t value);

/**
 * aclrtResetStreamResLimit() - removes the limits of aclrtSetStreamResLimit()
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/**
 * aclrtUseStreamResInCurrentThread() - makes the calling thread launch with a stream's limits
 * @stream: a stream of the current context, or NULL
 *
 * A later call replaces an earlier one.
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/**
 * aclrtUnuseStreamResInCurrentThread() - undoes aclrtUseStreamResInCurrentThread()
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/**
 * aclrtGetResInCurrentThread() - how many cores of a kind the calling thread's launches use
 * @type: kind of core
 * @value: out: the limit of the stream in use, else of the process, else all cores
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DEVICE_LIMIT_H */
