/* SPDX-License-Identifier: MIT */
/*
 * DOC: Streams
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * Work of one stream runs in order; streams are independent of each other, the default stream
 * included. A stream belongs to the context that was current when it was created.
 */
#ifndef ACL_RT_STREAM_H
#define ACL_RT_STREAM_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a stream; they may be combined. */
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U
#define ACL_STREAM_PERSISTENT 0x00000004U
#define ACL_STREAM_HUGE 0x00000008U
#define ACL_STREAM_CPU_SCHEDULE 0x00000010U
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U

/** enum aclrtStreamStatus - whether a stream has work left. */
typedef enum aclrtStreamStatus {
	ACL_STREAM_STATUS_COMPLETE = 0,
	ACL_STREAM_STATUS_NOT_READY = 1,
	ACL_STREAM_STATUS_RESERVED = 65535,
} aclrtStreamStatus;

/**
 * aclrtCreateStream() - creates a stream in the current context
 * @stream: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_NO_STREAM_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream *stream);

/**
 * aclrtCreateStreamWithConfig() - creates a stream with a priority and flags
 * @stream: out, owned by the caller
 * @priority: 0 (highest) to 7; larger numbers count as 7
 * @flag: ACL_STREAM_* flags; unknown bits are ignored
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_NO_STREAM_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority,
							 uint32_t flag);

/**
 * aclrtDestroyStream() - waits for a stream's work and destroys it
 * @stream: a stream of the current context; NULL is refused
 *
 * Context: any thread; may block until the work is done.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_CONTEXT for another context's stream, or
 * ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/**
 * aclrtDestroyStreamForce() - destroys a stream and drops tasks that are not ready
 * @stream: a stream of the current context; NULL is refused
 *
 * Ready is a task that waits for nothing but tasks that run. Such tasks get force_ms of the device string, one second
 * by default, to end. What kernels have printed is printed. A line on stderr says how many tasks are dropped, and names
 * the first.
 *
 * Context: any thread; may block for that time.
 * Return: as aclrtDestroyStream().
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/**
 * aclrtSynchronizeStream() - waits until a stream has no work left
 * @stream: a stream of any context, or NULL
 *
 * For streams whose tasks the device does not run by itself (ACL_STREAM_PERSISTENT, _CPU_SCHEDULE,
 * _DEVICE_USE_ONLY) the call returns at once.
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_RT_STREAM_CAPTURED, or the first failure of the stream's work.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/**
 * aclrtSynchronizeStreamWithTimeout() - aclrtSynchronizeStream() with a limit
 * @stream: a stream of any context, or NULL
 * @timeout: milliseconds > 0, or -1 for no limit
 *
 * When the limit is reached, the stream continues and may be synchronised again.
 *
 * Context: any thread; may block up to @timeout.
 * Return: as aclrtSynchronizeStream(), ACL_ERROR_RT_PARAM_INVALID for another @timeout, or
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream,
							       int32_t timeout);

/**
 * aclrtStreamQuery() - whether a stream has work left
 * @stream: a stream, or NULL
 * @status: out
 *
 * Context: any thread; never blocks.
 * Return: 0 for both answers, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/**
 * aclrtStreamGetId() - the number of a stream, as traces show it
 * @stream: a stream, or NULL
 * @streamId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId);

/**
 * aclrtStreamGetPriority() - the priority of a stream
 * @stream: a stream, or NULL
 * @priority: out, 0 (highest) to 7
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);

/**
 * aclrtStreamGetFlags() - the flags that a stream was created with
 * @stream: a stream, or NULL
 * @flags: out, ACL_STREAM_* flags
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);

/**
 * aclrtGetStreamAvailableNum() - how many streams can still be created on the current device
 * @streamCount: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t *streamCount);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_STREAM_H */
