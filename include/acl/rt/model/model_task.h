/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tasks of models
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_MODEL_TASK_H
#define ACL_RT_MODEL_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/model/kernel.h"
#include "acl/rt/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/** enum aclmdlRICondHandleFlag - whether the start of a model sets a condition to its default value. */
typedef enum aclmdlRICondHandleFlag {
	ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1,
} aclmdlRICondHandleFlag;

/** enum aclmdlRICondTaskType - kinds of conditional tasks. */
typedef enum aclmdlRICondTaskType {
	ACL_MODEL_RI_COND_TYPE_IF = 0,
	ACL_MODEL_RI_COND_TYPE_WHILE = 1,
	ACL_MODEL_RI_COND_TYPE_SWITCH = 2,
} aclmdlRICondTaskType;

/**
 * struct aclmdlRIKernelTaskParams - a captured launch
 * @funcHandle: the kernel
 * @cfg: attributes of the launch, owned by the model
 * @args: arguments, owned by the model; aclmdlRITaskGetParams() of the same task writes them again
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
 * @rsv2: reserved space for later kinds of tasks
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
	__extension__ union { /* C before 2011 has no unnamed ones */
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
 * @size: number of sub models to select from
 * @modelRIArray: out, @size sub models owned by the model
 */
typedef struct aclmdlRICondTaskParams {
	aclmdlRICondHandle handle;
	aclmdlRICondTaskType type;
	uint32_t size;
	aclmdlRI *modelRIArray;
} aclmdlRICondTaskParams;

/**
 * aclmdlRICaptureTaskGrpBegin() - starts a group of tasks that can be changed together
 * @stream: a capturing stream
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_NOT_CAPTURED, or ACL_ERROR_STREAM_TASK_GROUP_STATUS when a group
 * is open.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);

/**
 * aclmdlRICaptureTaskGrpEnd() - ends a group of tasks
 * @stream: a capturing stream
 * @handle: out, owned by the model
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_NOT_CAPTURED, ACL_ERROR_STREAM_TASK_GROUP_STATUS when no group is
 * open, or ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT when it contains other tasks than kernels.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle);

/**
 * aclmdlRICaptureTaskUpdateBegin() - starts the update of a group; the new launches follow
 * @stream: a stream that is not capturing
 * @handle: the group
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_CAPTURED, ACL_ERROR_RT_STREAM_MODEL, or
 * ACL_ERROR_STREAM_TASK_GROUP_STATUS while an update is in progress.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream,
							    aclrtTaskGrp handle);

/**
 * aclmdlRICaptureTaskUpdateEnd() - ends the update of a group, which happens in the stream's order
 * @stream: the stream of aclmdlRICaptureTaskUpdateBegin()
 *
 * Between begin and end, the program makes as many launches as the group has, of the same kinds. An
 * event with ACL_EVENT_EXTERNAL can order the update before an execution.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0 or ACL_ERROR_STREAM_TASK_GROUP_STATUS.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);

/**
 * aclmdlRIUpdate() - applies the changes of aclmdlRITaskSetParams() and aclmdlRITaskDisable()
 * @modelRI: the model
 *
 * Context: any thread; may block.
 * Return: 0 or ACL_ERROR_RT_MODEL_UPDATE_FAILED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIUpdate(aclmdlRI modelRI);

/**
 * aclmdlRIGetStreams() - the streams of a model
 * @modelRI: the model
 * @streams: out, array of @numStreams owned by the model; or NULL to ask for the number
 * @numStreams: in, elements of the array; out, streams
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams,
						uint32_t *numStreams);

/**
 * aclmdlRIGetTasksByStream() - the tasks of a stream of a model
 * @stream: a stream of aclmdlRIGetStreams()
 * @tasks: out, array of @numTasks owned by the model; or NULL to ask for the number
 * @numTasks: in, elements of the array; out, tasks
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks,
						      uint32_t *numTasks);

/**
 * aclmdlRITaskGetType() - the kind of a task
 * @task: the task
 * @type: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type);

/**
 * aclmdlRITaskGetSeqId() - the number of a task in its model
 * @task: the task
 * @id: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id);

/**
 * aclmdlRITaskGetParams() - the parameters of a task
 * @task: the task
 * @params: out; the model owns the objects that it points to
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params);

/**
 * aclmdlRITaskSetParams() - sets the parameters of a task; aclmdlRIUpdate() applies them
 * @task: the task
 * @params: the new parameters, of the same kind
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params);

/**
 * aclmdlRIKernelTaskGetAttribute() - an attribute of a captured launch
 * @task: the task
 * @attrId: the attribute
 * @attrValue: out
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task,
							    aclrtLaunchKernelAttrId attrId,
							    aclrtLaunchKernelAttrValue *attrValue);

/**
 * aclmdlRITaskDisable() - disables a task; aclmdlRIUpdate() applies the change
 * @task: the task
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRITaskDisable(aclmdlRITask task);

/**
 * aclmdlRICondHandleCreate() - creates a condition of a model
 * @modelRI: a model whose capture is active
 * @defaultLaunchValue: its value at the start of each execution, if @flag is set
 * @flag: 0 or ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT
 * @handle: out, owned by the model
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for another kind of
 * model.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue,
						      aclmdlRICondHandleFlag flag,
						      aclmdlRICondHandle *handle);

/**
 * aclmdlRICondHandleGetCondPtr() - the address of a condition's value
 * @handle: the condition
 * @ptr: out, device memory of 8 bytes owned by the model
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle,
							  uint64_t **ptr);

/**
 * aclmdlRIAddCondTask() - adds a task that runs one of several sub models, depending on a condition
 * @params: the condition, the kind of task, and an array for the sub models
 * @stream: a capturing stream
 * @flags: 0
 *
 * aclmdlRICaptureToModelRIBegin() captures tasks into the sub models.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_STREAM_NOT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream,
						 uint32_t flags);

/**
 * aclmdlRICaptureToModelRIBegin() - starts recording into a sub model of aclmdlRIAddCondTask()
 * @stream: the origin of the recording; aclmdlRICaptureEnd() with NULL ends it
 * @modelRI: the model
 * @mode: as aclmdlRICaptureBegin()
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for another model, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI,
							   aclmdlRICaptureMode mode);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_TASK_H */
