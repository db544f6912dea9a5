/* SPDX-License-Identifier: MIT */
/*
 * DOC: Captured models
 *
 * Part of acl/acl_rt.h, which states what holds for every function.
 *
 * Between begin and end of a capture the tasks of the stream, and of every stream that waits for an
 * event of the capture, are recorded and not run. The result can be executed any number of times
 * with the addresses it was recorded with. Streams that joined must come back: their last task is a
 * record for which the first stream waits, directly or through others.
 */
#ifndef ACL_RT_MODEL_H
#define ACL_RT_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much of a model is written to a trace file. */
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL

/* Whether a stream bound to a model runs from the start or is activated later. */
#define ACL_MODEL_STREAM_FLAG_HEAD 0x00000000U
#define ACL_MODEL_STREAM_FLAG_DEFAULT 0x7FFFFFFFU

/** enum aclmdlRICaptureMode - which calls a capture forbids, and to whom. */
typedef enum aclmdlRICaptureMode {
	ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
	ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
	ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2,
} aclmdlRICaptureMode;

/** enum aclmdlRICaptureStatus - whether a stream is capturing. */
typedef enum aclmdlRICaptureStatus {
	ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
	ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
	ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2,
} aclmdlRICaptureStatus;

/** enum aclmdlRITaskType - kinds of captured tasks. */
typedef enum aclmdlRITaskType {
	ACL_MODEL_RI_TASK_DEFAULT = 0,
	ACL_MODEL_RI_TASK_KERNEL = 1,
	ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
	ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
	ACL_MODEL_RI_TASK_EVENT_RESET = 4,
	ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
	ACL_MODEL_RI_TASK_VALUE_WAIT = 6,
} aclmdlRITaskType;

/** enum aclmdlRICondHandleFlag - what happens to a condition when the model starts. */
typedef enum aclmdlRICondHandleFlag {
	ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1,
} aclmdlRICondHandleFlag;

/** enum aclmdlRICondTaskType - kinds of conditional tasks. */
typedef enum aclmdlRICondTaskType {
	ACL_MODEL_RI_COND_TYPE_IF = 0,
	ACL_MODEL_RI_COND_TYPE_WHILE = 1,
	ACL_MODEL_RI_COND_TYPE_SWITCH = 2,
} aclmdlRICondTaskType;

/** typedef aclmdlRI - a captured model, bound to the context of its capture. */
typedef void *aclmdlRI;
/** typedef aclmdlRICondHandle - a condition of a model, owned by the model. */
typedef void *aclmdlRICondHandle;

/**
 * struct aclmdlRIKernelTaskParams - a captured launch
 * @funcHandle: the kernel
 * @cfg: attributes of the launch, owned by the model
 * @args: arguments
 * @isHostArgs: 1 when @args is host memory
 * @argsSize: bytes at @args
 * @numBlocks: blocks launched
 * @rsv: zero
 */
typedef struct aclmdlRIKernelTaskParams {
	aclrtFuncHandle funcHandle;
	aclrtLaunchKernelCfg *cfg;
	void *args;
	uint32_t isHostArgs;
	size_t argsSize;
	uint32_t numBlocks;
	uint32_t rsv[10];
} aclmdlRIKernelTaskParams;

/**
 * struct aclmdlRIEventRecordTaskParams - a captured record
 * @event: the event
 * @eventFlag: flags the event was created with
 * @recordFlag: ACL_EVENT_RECORD_*
 */
typedef struct aclmdlRIEventRecordTaskParams {
	aclrtEvent event;
	uint32_t eventFlag;
	uint32_t recordFlag;
} aclmdlRIEventRecordTaskParams;

/**
 * struct aclmdlRIEventWaitTaskParams - a captured wait
 * @event: the event
 * @eventFlag: flags the event was created with
 * @waitFlag: ACL_EVENT_WAIT_*
 */
typedef struct aclmdlRIEventWaitTaskParams {
	aclrtEvent event;
	uint32_t eventFlag;
	uint32_t waitFlag;
} aclmdlRIEventWaitTaskParams;

/**
 * struct aclmdlRIEventResetTaskParams - a captured reset
 * @event: the event
 * @eventFlag: flags the event was created with
 * @resetFlag: 0
 */
typedef struct aclmdlRIEventResetTaskParams {
	aclrtEvent event;
	uint32_t eventFlag;
	uint32_t resetFlag;
} aclmdlRIEventResetTaskParams;

/**
 * struct aclmdlRIValueWriteTaskParams - a captured write of a value
 * @devAddr: device address
 * @value: the value
 */
typedef struct aclmdlRIValueWriteTaskParams {
	void *devAddr;
	uint64_t value;
} aclmdlRIValueWriteTaskParams;

/**
 * struct aclmdlRIValueWaitTaskParams - a captured wait for a value
 * @devAddr: device address
 * @value: the value to compare with
 * @flag: ACL_STREAM_WAIT_VALUE_*
 */
typedef struct aclmdlRIValueWaitTaskParams {
	void *devAddr;
	uint64_t value;
	uint32_t flag;
} aclmdlRIValueWaitTaskParams;

/**
 * struct aclmdlRITaskParams - a captured task
 * @type: selects the member of the union
 * @rsv0: zero
 * @taskGrp: group the task belongs to, or NULL
 * @opInfoPtr: description attached to the task, owned by the model, or NULL
 * @opInfoSize: bytes at @opInfoPtr
 * @rsv1: zero
 * @rsv2: room for kinds to come
 * @kernelTaskParams: for ACL_MODEL_RI_TASK_KERNEL
 * @eventRecordTaskParams: for ACL_MODEL_RI_TASK_EVENT_RECORD
 * @eventWaitTaskParams: for ACL_MODEL_RI_TASK_EVENT_WAIT
 * @eventResetTaskParams: for ACL_MODEL_RI_TASK_EVENT_RESET
 * @valueWriteTaskParams: for ACL_MODEL_RI_TASK_VALUE_WRITE
 * @valueWaitTaskParams: for ACL_MODEL_RI_TASK_VALUE_WAIT
 */
typedef struct aclmdlRITaskParams {
	aclmdlRITaskType type;
	uint32_t rsv0[3];
	aclrtTaskGrp taskGrp;
	void *opInfoPtr;
	size_t opInfoSize;
	uint8_t rsv1[32];
	union {
		uint8_t rsv2[128];
		struct aclmdlRIKernelTaskParams kernelTaskParams;
		struct aclmdlRIEventRecordTaskParams eventRecordTaskParams;
		struct aclmdlRIEventWaitTaskParams eventWaitTaskParams;
		struct aclmdlRIEventResetTaskParams eventResetTaskParams;
		struct aclmdlRIValueWriteTaskParams valueWriteTaskParams;
		struct aclmdlRIValueWaitTaskParams valueWaitTaskParams;
	};
} aclmdlRITaskParams;

/**
 * struct aclmdlRICondTaskParams - a conditional task
 * @handle: the condition
 * @type: kind of task
 * @size: models to choose from
 * @modelRIArray: out, @size sub models owned by the model
 */
typedef struct aclmdlRICondTaskParams {
	aclmdlRICondHandle handle;
	aclmdlRICondTaskType type;
	uint32_t size;
	aclmdlRI *modelRIArray;
} aclmdlRICondTaskParams;

/**
 * aclmdlRICaptureBegin() - starts recording a stream
 * @stream: the origin of the capture; NULL is refused
 * @mode: GLOBAL restricts all threads, THREAD_LOCAL the calling one, RELAXED none
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_CAPTURED, ACL_ERROR_RT_PARAM_INVALID for
 * another @mode, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT for the default stream, or
 * ACL_ERROR_RT_INTERNAL_ERROR for a stream that never runs by itself.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/**
 * aclmdlRICaptureEnd() - stops recording and makes the model
 * @stream: the origin of the capture
 * @modelRI: out, owned by the caller; NULL when the capture failed
 *
 * A failure ends the capture too, except the first two of the list.
 *
 * Context: the thread that began the capture, or any thread when the mode is RELAXED; may block
 * while the model is made.
 * Return: 0, or the first of ACL_ERROR_RT_STREAM_NOT_CAPTURED,
 * ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED for a stream that joined,
 * ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
 * ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING, ACL_ERROR_STREAM_TASK_GROUP_STATUS,
 * ACL_ERROR_RT_STREAM_UNJOINED, ACL_ERROR_RT_CAPTURE_DEPENDENCY.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);

/**
 * aclmdlRICaptureGetInfo() - tells whether a stream is capturing, and into which model
 * @stream: the stream; NULL is refused
 * @status: out, or NULL
 * @modelRI: out, still owned by the capture, NULL when there is none; or NULL
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM when both out pointers are NULL.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureGetInfo(aclrtStream stream,
						    aclmdlRICaptureStatus *status,
						    aclmdlRI *modelRI);

/**
 * aclmdlRICaptureThreadExchangeMode() - swaps the calling thread's own capture mode
 * @mode: in the new mode, out the old one; a thread starts with GLOBAL
 *
 * A thread in RELAXED may call what captures forbid; such a call runs at once and isn't recorded.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for another mode.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode);

/**
 * aclmdlRIExecuteAsync() - runs a model in a stream's order
 * @modelRI: a model whose capture has ended
 * @stream: a stream of the model's context, or NULL
 *
 * Asynchronous. Executions of one model run one after the other.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_MODEL_CAPTURED, ACL_ERROR_RT_MODEL_CONTEXT for another context's model,
 * ACL_ERROR_RT_MODEL_EXECUTE when it isn't ready, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);

/**
 * aclmdlRIDestroy() - destroys a model
 * @modelRI: dead afterwards
 *
 * Context: any thread; may block, up to about 10 seconds, while the model runs.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_MODEL_CAPTURED, or ACL_ERROR_RT_MODEL_RUNNING.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_H */
