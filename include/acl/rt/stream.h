/* SPDX-License-Identifier: MIT */
/*
 * DOC: Streams
 *
 * Part of acl/acl_rt.h, which states what holds for every function.
 *
 * Work of one stream runs in order; streams are independent of each other, the default stream
 * included. A stream belongs to the context that was current when it was created.
 */
#ifndef ACL_RT_STREAM_H
#define ACL_RT_STREAM_H

#include <stddef.h>
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

/* How a wait compares a value in memory with the wanted one. */
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U

/* What happens to the tasks after a failed one. */
#define ACL_CONTINUE_ON_FAILURE 0x00000000U
#define ACL_STOP_ON_FAILURE 0x00000001U

/** enum aclrtStreamStatus - whether a stream has work left. */
typedef enum aclrtStreamStatus {
	ACL_STREAM_STATUS_COMPLETE = 0,
	ACL_STREAM_STATUS_NOT_READY = 1,
	ACL_STREAM_STATUS_RESERVED = 65535,
} aclrtStreamStatus;

/** enum aclrtCallbackBlockType - whether a stream waits for a callback to return. */
typedef enum aclrtCallbackBlockType {
	ACL_CALLBACK_NO_BLOCK = 0,
	ACL_CALLBACK_BLOCK = 1,
} aclrtCallbackBlockType;

/** enum aclrtStreamConfigAttr - what a stream can be configured with before it is created. */
typedef enum aclrtStreamConfigAttr {
	ACL_RT_STREAM_WORK_ADDR_PTR = 0,
	ACL_RT_STREAM_WORK_SIZE = 1,
	ACL_RT_STREAM_FLAG = 2,
	ACL_RT_STREAM_PRIORITY = 3,
} aclrtStreamConfigAttr;

/** enum aclrtStreamAttr - what can be changed of a stream. */
typedef enum aclrtStreamAttr {
	ACL_STREAM_ATTR_FAILURE_MODE = 1,
	ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
	ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
	ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
	ACL_STREAM_ATTR_PRIORITY = 5,
} aclrtStreamAttr;

/** enum aclrtStreamState - when a stream-state callback runs. */
typedef enum aclrtStreamState {
	ACL_RT_STREAM_STATE_CREATE_POST = 1,
	ACL_RT_STREAM_STATE_DESTROY_PRE = 2,
} aclrtStreamState;

/** enum aclrtCondition - how a conditional jump compares. */
typedef enum aclrtCondition {
	ACL_RT_EQUAL = 0,
	ACL_RT_NOT_EQUAL = 1,
	ACL_RT_GREATER = 2,
	ACL_RT_GREATER_OR_EQUAL = 3,
	ACL_RT_LESS = 4,
	ACL_RT_LESS_OR_EQUAL = 5,
} aclrtCondition;

/** enum aclrtCompareDataType - what a conditional jump compares. */
typedef enum aclrtCompareDataType {
	ACL_RT_SWITCH_INT32 = 0,
	ACL_RT_SWITCH_INT64 = 1,
} aclrtCompareDataType;

/**
 * struct aclrtStreamConfigHandle - configuration of a stream to be created
 * @workptr: device memory for the stream's own use, owned by the caller, or NULL
 * @workSize: bytes at @workptr
 * @flag: ACL_STREAM_* flags
 * @priority: 0, the most urgent, .. 7
 */
typedef struct aclrtStreamConfigHandle {
	void *workptr;
	size_t workSize;
	size_t flag;
	uint32_t priority;
} aclrtStreamConfigHandle;

/**
 * union aclrtStreamAttrValue - value of one aclrtStreamAttr
 * @failureMode: ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE
 * @overflowSwitch: 1 when overflow is checked, else 0
 * @userCustomTag: a number of the program's choice
 * @cacheOpInfoSwitch: 1 when captured tasks keep their description, else 0
 * @streamPriority: 0, the most urgent, .. 7
 * @reserve: zero
 */
typedef union aclrtStreamAttrValue {
	uint64_t failureMode;
	uint32_t overflowSwitch;
	uint32_t userCustomTag;
	uint32_t cacheOpInfoSwitch;
	uint32_t streamPriority;
	uint32_t reserve[4];
} aclrtStreamAttrValue;

/**
 * typedef aclrtCallback - work of the program in a stream's order
 * @userData: what was passed along
 *
 * Context: a thread that processes reports; must not call functions that wait or launch.
 */
typedef void (*aclrtCallback)(void *userData);

/**
 * typedef aclrtHostFunc - work of the program in a stream's order
 * @args: what was passed along
 *
 * Context: a thread of the library; must not call functions that wait or launch.
 */
typedef void (*aclrtHostFunc)(void *args);

/**
 * typedef aclrtStreamStateCallback - told when a stream is created or destroyed
 * @stm: the stream
 * @state: after creation or before destruction
 * @args: what was registered
 *
 * Context: the thread that creates or destroys the stream.
 */
typedef void (*aclrtStreamStateCallback)(aclrtStream stm, aclrtStreamState state, void *args);

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
 * @priority: 0, the most urgent, .. 7; larger numbers count as 7
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
 * aclrtDestroyStreamForce() - destroys a stream and drops what has not started
 * @stream: a stream of the current context; NULL is refused
 *
 * Context: any thread; never waits for queued work.
 * Return: as aclrtDestroyStream().
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/**
 * aclrtSynchronizeStream() - waits until a stream has no work left
 * @stream: a stream of any context, or NULL
 *
 * Streams that never run by themselves (ACL_STREAM_PERSISTENT, _CPU_SCHEDULE, _DEVICE_USE_ONLY)
 * return at once.
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
 * A stream that ran into the limit goes on and may be synchronised again.
 *
 * Context: any thread; may block up to @timeout.
 * Return: as aclrtSynchronizeStream(), ACL_ERROR_RT_PARAM_INVALID for another @timeout, or
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream,
							       int32_t timeout);

/**
 * aclrtStreamQuery() - tells whether a stream has work left
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
 * aclrtStreamGetPriority() - the priority a stream was created with
 * @stream: a stream, or NULL
 * @priority: out, 0, the most urgent, .. 7
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);

/**
 * aclrtStreamGetFlags() - the flags a stream was created with
 * @stream: a stream, or NULL
 * @flags: out, ACL_STREAM_* flags
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);

/**
 * aclrtSetStreamFailureMode() - decides what happens to the tasks after a failed one
 * @stream: a stream, or NULL
 * @mode: ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE
 *
 * Stopping can't be undone, and after a failure the whole context refuses new work.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for another @mode, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT when
 * a stopping stream should continue.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/**
 * aclrtLaunchHostFunc() - runs a function of the program in a stream's order
 * @stream: a stream of the current context, or NULL
 * @fn: called on a thread of the library; the stream goes on when it returns
 * @args: passed to @fn; must live until then
 *
 * Asynchronous. A captured call runs at every execution of the model.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_STREAM_CONTEXT, or ACL_ERROR_RT_STREAM_SUBSCRIBE when the stream delivers
 * its callbacks to a thread of the program.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_STREAM_H */
