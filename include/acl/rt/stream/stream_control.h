/* SPDX-License-Identifier: MIT */
/*
 * DOC: Control of streams
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_STREAM_CONTROL_H
#define ACL_RT_STREAM_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the tasks after a failed one still run. */
#define ACL_CONTINUE_ON_FAILURE 0x00000000U
#define ACL_STOP_ON_FAILURE 0x00000001U

/** enum aclrtStreamConfigAttr - settings of a stream before its creation. */
typedef enum aclrtStreamConfigAttr {
	ACL_RT_STREAM_WORK_ADDR_PTR = 0,
	ACL_RT_STREAM_WORK_SIZE = 1,
	ACL_RT_STREAM_FLAG = 2,
	ACL_RT_STREAM_PRIORITY = 3,
} aclrtStreamConfigAttr;

/** enum aclrtStreamAttr - attributes of a stream that can be changed. */
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

/** enum aclrtCondition - comparison of a conditional jump. */
typedef enum aclrtCondition {
	ACL_RT_EQUAL = 0,
	ACL_RT_NOT_EQUAL = 1,
	ACL_RT_GREATER = 2,
	ACL_RT_GREATER_OR_EQUAL = 3,
	ACL_RT_LESS = 4,
	ACL_RT_LESS_OR_EQUAL = 5,
} aclrtCondition;

/** enum aclrtCompareDataType - type of the values that a conditional jump compares. */
typedef enum aclrtCompareDataType {
	ACL_RT_SWITCH_INT32 = 0,
	ACL_RT_SWITCH_INT64 = 1,
} aclrtCompareDataType;

/**
 * struct aclrtStreamConfigHandle - configuration of a stream to be created, by aclrtCreateStreamConfigHandle()
 * @workptr: device memory for the stream's internal use, owned by the caller, or NULL
 * @workSize: bytes at @workptr
 * @flag: ACL_STREAM_* flags
 * @priority: 0 (highest) to 7
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
 * @userCustomTag: any number
 * @cacheOpInfoSwitch: 1 when captured tasks keep their description, else 0
 * @streamPriority: 0 (highest) to 7
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
 * typedef aclrtStreamStateCallback - function that is called when a stream is created or destroyed
 * @stm: the stream
 * @state: after creation or before destruction
 * @args: the argument of the registration
 *
 * Context: the thread that creates or destroys the stream.
 */
typedef void (*aclrtStreamStateCallback)(aclrtStream stm, aclrtStreamState state, void *args);

/**
 * aclrtCreateStreamV2() - creates a stream from a configuration
 * @stream: out, owned by the caller
 * @handle: the configuration, which stays the caller's
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_INVALID_HANDLE for a configuration that was destroyed or that
 * aclrtCreateStreamConfigHandle() did not make, or ACL_ERROR_RT_NO_STREAM_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamV2(aclrtStream *stream,
						 const aclrtStreamConfigHandle *handle);

/**
 * aclrtCreateStreamConfigHandle() - creates a configuration for streams with default values
 *
 * Context: any thread; never blocks.
 * Return: the configuration, owned by the caller until aclrtDestroyStreamConfigHandle(), or NULL
 * when there is no memory.
 */
ACL_FUNC_VISIBILITY aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void);

/**
 * aclrtDestroyStreamConfigHandle() - destroys a configuration
 * @handle: the configuration
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle);

/**
 * aclrtSetStreamConfigOpt() - sets a field of a configuration
 * @handle: the configuration
 * @attr: the field
 * @attrValue: its value: a pointer, a size_t, a size_t or a uint32_t, by the order of
 * aclrtStreamConfigAttr; for ACL_RT_STREAM_FLAG also a uint32_t
 * @valueSize: bytes at @attrValue
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_INVALID_PARAM, also for a size or a value that does not fit
 * @attr.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle,
						     aclrtStreamConfigAttr attr,
						     const void *attrValue, size_t valueSize);

/**
 * aclrtSetStreamFailureMode() - selects whether the tasks after a failed one still run
 * @stream: a stream, or NULL
 * @mode: ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE
 *
 * The mode of a stream is set once: a later call may set the same mode, but no other one. After a failure in a stream
 * with ACL_STOP_ON_FAILURE the whole context refuses new work.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for another @mode, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT when
 * the stream has the other mode by an earlier call.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/**
 * aclrtSetStreamAttribute() - changes an attribute of a stream
 * @stream: a stream of the current context, or NULL
 * @stmAttrType: the attribute
 * @value: the new value
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_FEATURE_NOT_SUPPORT when a stopping stream
 * should continue, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream,
						     aclrtStreamAttr stmAttrType,
						     aclrtStreamAttrValue *value);

/**
 * aclrtGetStreamAttribute() - an attribute of a stream
 * @stream: a stream of the current context, or NULL
 * @stmAttrType: the attribute
 * @value: out; cacheOpInfoSwitch is 1 only while the stream is capturing
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream,
						     aclrtStreamAttr stmAttrType,
						     aclrtStreamAttrValue *value);

/**
 * aclrtSetStreamOverflowSwitch() - selects whether later tasks of a stream are checked for overflow
 * @stream: a stream of the current context, or NULL
 * @flag: 1 or 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for another @flag, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);

/**
 * aclrtGetStreamOverflowSwitch() - whether tasks of a stream are checked for overflow
 * @stream: a stream of the current context, or NULL
 * @flag: out, 1 or 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag);

/**
 * aclrtStreamAbort() - drops all tasks of a stream, its running task included
 * @stream: a stream of the current context, or NULL
 *
 * Waits of threads for the stream return ACL_ERROR_RT_STREAM_ABORT. Streams that wait for events of
 * this stream keep waiting.
 *
 * Context: any thread; may block.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID for a stream bound to a model.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamAbort(aclrtStream stream);

/**
 * aclrtStreamStop() - stops the running task of a stream and keeps the rest
 * @stream: a stream; NULL is refused
 *
 * Context: any thread; may block.
 * Return: 0, also for a stream with ACL_STREAM_DEVICE_USE_ONLY, which runs nothing;
 * ACL_ERROR_RT_PARAM_INVALID for a stream with ACL_STREAM_PERSISTENT or ACL_STREAM_CPU_SCHEDULE.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamStop(aclrtStream stream);

/**
 * aclrtPersistentTaskClean() - removes all tasks of a stream with ACL_STREAM_PERSISTENT, so that it can
 * be filled again
 * @stream: the stream
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtPersistentTaskClean(aclrtStream stream);

/**
 * aclrtActiveStream() - starts another stream of a model
 * @activeStream: the stream to start; both are bound to the same model
 * @stream: the stream that gets the task; NULL is refused
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_MODEL for a stream bound to no model.
 */
ACL_FUNC_VISIBILITY aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);

/**
 * aclrtSwitchStream() - continues in another stream of a model if a comparison is true
 * @leftValue: device memory with the left side
 * @cond: the comparison
 * @rightValue: device memory with the right side
 * @dataType: type of both sides
 * @trueStream: the stream to continue in; the stream of the task ends
 * @falseStream: NULL
 * @stream: the stream that gets the task; NULL is refused
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_MODEL for a stream bound to no model.
 */
ACL_FUNC_VISIBILITY aclError aclrtSwitchStream(void *leftValue, aclrtCondition cond,
					       void *rightValue, aclrtCompareDataType dataType,
					       aclrtStream trueStream, aclrtStream falseStream,
					       aclrtStream stream);

/**
 * aclrtRegStreamStateCallback() - registers a function that is called when a stream is created or
 * destroyed
 * @regName: name of the registration, unique in the process
 * @callback: the function; NULL removes the registration
 * @args: passed to @callback; must stay valid until then
 *
 * The function is called for default streams too.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for a name that is in use or, if
 * @callback is NULL, unknown.
 */
ACL_FUNC_VISIBILITY aclError aclrtRegStreamStateCallback(const char *regName,
							 aclrtStreamStateCallback callback,
							 void *args);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_STREAM_CONTROL_H */
