/* SPDX-License-Identifier: MIT */
/*
 * DOC: Limits and modes of a device
 *
 * Part of acl/acl_rt.h, which states what holds for every function.
 */
#ifndef ACL_RT_DEVICE_LIMIT_H
#define ACL_RT_DEVICE_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtFloatOverflowMode - what floating-point overflow yields. */
typedef enum aclrtFloatOverflowMode {
	ACL_RT_OVERFLOW_MODE_SATURATION = 0,
	ACL_RT_OVERFLOW_MODE_INFNAN = 1,
	ACL_RT_OVERFLOW_MODE_UNDEF = 2,
} aclrtFloatOverflowMode;

/** enum aclrtDevResLimitType - resources whose use can be capped. */
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
 * aclrtSetDeviceSatMode() - decides what floating-point overflow yields on the current device
 * @mode: ACL_RT_OVERFLOW_MODE_SATURATION or ACL_RT_OVERFLOW_MODE_INFNAN
 *
 * Holds for streams that are created afterwards.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/**
 * aclrtGetDeviceSatMode() - what floating-point overflow yields on the current device
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
 * @limit: which
 * @value: bytes
 *
 * Takes effect when a device is next set for the first time.
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a limit that this chip does not have.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);

/**
 * aclrtDeviceGetLimit() - what aclrtDeviceSetLimit() or the configuration of aclInit() said
 * @limit: which
 * @value: out, bytes; 0 when nothing was said
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a limit that this chip does not have.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value);

/**
 * aclrtGetDeviceResLimit() - how many cores of a kind the process may use
 * @deviceId: the device
 * @type: kind of core
 * @value: out; all of them unless it was capped
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
						    uint32_t *value);

/**
 * aclrtSetDeviceResLimit() - caps how many cores of a kind the process may use
 * @deviceId: the device
 * @type: kind of core
 * @value: 1 .. the device's number of them
 *
 * Holds for work that is launched or captured afterwards.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type,
						    uint32_t value);

/**
 * aclrtResetDeviceResLimit() - lifts the caps of aclrtSetDeviceResLimit()
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
 * @value: out; the process's cap unless the stream has one of its own
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
						    uint32_t *value);

/**
 * aclrtSetStreamResLimit() - caps how many cores of a kind a stream may use
 * @stream: a stream of the current context, or NULL
 * @type: kind of core
 * @value: 1 .. the device's number of them
 *
 * The cap is used by threads that called aclrtUseStreamResInCurrentThread() for the stream.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type,
						    uint32_t value);

/**
 * aclrtResetStreamResLimit() - lifts the caps of aclrtSetStreamResLimit()
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/**
 * aclrtUseStreamResInCurrentThread() - lets the calling thread launch with a stream's caps
 * @stream: a stream of the current context, or NULL
 *
 * The last call counts.
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/**
 * aclrtUnuseStreamResInCurrentThread() - takes aclrtUseStreamResInCurrentThread() back
 * @stream: a stream of the current context, or NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/**
 * aclrtGetResInCurrentThread() - how many cores of a kind the calling thread's launches use
 * @type: kind of core
 * @value: out: the cap of the stream in use, else the process's, else all
 *
 * Context: any thread; may block while the device starts.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DEVICE_LIMIT_H */
