/* SPDX-License-Identifier: MIT */
/*
 * DOC: Captured models
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * Between the begin and the end of a capture, the tasks of the stream are recorded and not run. A
 * stream that waits for an event of the capture joins it, and its tasks are recorded too. The resulting
 * model can be executed any number of times, with the addresses that were recorded. At the end of the
 * capture, the last task of each stream that joined must be a record that the first stream waits for,
 * directly or through other streams.
 */
#ifndef ACL_RT_MODEL_H
#define ACL_RT_MODEL_H

#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/stream/callback.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Level of detail of a model in a trace file. */
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL

/** enum aclmdlRICaptureMode - the threads for which a capture forbids unsafe calls. */
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

/** typedef aclmdlRI - a captured model, bound to the context of its capture. */
typedef void *aclmdlRI;
/** typedef aclmdlRICondHandle - a condition of a model, owned by the model. */
typedef void *aclmdlRICondHandle;

/**
 * aclmdlRICaptureBegin() - starts recording a stream
 * @stream: the origin of the capture; NULL is refused
 * @mode: GLOBAL restricts all threads, THREAD_LOCAL the calling one, RELAXED none
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_CAPTURED, ACL_ERROR_RT_PARAM_INVALID for
 * another @mode, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT for the default stream, or
 * ACL_ERROR_RT_INTERNAL_ERROR for a stream whose tasks the device does not run by itself.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);

/**
 * aclmdlRICaptureEnd() - stops recording and makes the model
 * @stream: the origin of the capture
 * @modelRI: out, owned by the caller; NULL when the capture failed
 *
 * Every failure ends the capture too, except the first two in the list below.
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
 * aclmdlRICaptureGetInfo() - whether a stream is capturing, and into which model
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
 * aclmdlRICaptureThreadExchangeMode() - exchanges the calling thread's own capture mode
 * @mode: in the new mode, out the old one; a thread starts with GLOBAL
 *
 * A thread in RELAXED may make calls that captures forbid; such a call runs at once and is not
 * recorded.
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
 * aclmdlRIExecute() - runs a model and waits until it is complete
 * @modelRI: a model whose capture has ended, or one from aclmdlRIBuildBegin()
 * @timeout: milliseconds, or -1 for no limit
 *
 * A captured model runs in the default stream of its context, in that stream's order.
 *
 * Context: any thread; may block up to @timeout.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for another @timeout, ACL_ERROR_RT_MODEL_CAPTURED,
 * ACL_ERROR_RT_MODEL_CONTEXT for another context's model, ACL_ERROR_RT_MODEL_EXECUTE when it isn't ready,
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, or the failure of a task.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);

/**
 * aclmdlRIDestroy() - destroys a model
 * @modelRI: invalid afterwards
 *
 * Context: any thread; may block, up to about 10 seconds, while the model runs.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_MODEL_CAPTURED, or ACL_ERROR_RT_MODEL_RUNNING.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroy(aclmdlRI modelRI);

/**
 * aclmdlRIDestroyRegisterCallback() - registers a function that is called when a model is destroyed
 * @modelRI: the model
 * @func: the function; several may be registered
 * @userData: passed to @func; must stay valid until then
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func,
							     void *userData);

/**
 * aclmdlRIDestroyUnregisterCallback() - undoes aclmdlRIDestroyRegisterCallback()
 * @modelRI: the model
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI,
							       aclrtCallback func);

/**
 * aclmdlRIAbort() - stops a running model
 * @modelRI: a model whose capture has ended, or one from aclmdlRIBuildBegin()
 *
 * Aborts the streams on which executions of the model are under way, with all their tasks. Succeeds also when
 * nothing runs.
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_RT_MODEL_CAPTURED, ACL_ERROR_RT_MODEL_EXECUTE when it isn't ready, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a model that belongs to a conditional task.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIAbort(aclmdlRI modelRI);

/**
 * aclmdlRIDebugPrint() - prints a model to the log
 * @modelRI: the model
 *
 * Deprecated; new programs use aclmdlRIDebugJsonPrint().
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugPrint(aclmdlRI modelRI);

/**
 * aclmdlRIDebugJsonPrint() - writes a model to a file that trace viewers show
 * @modelRI: the model
 * @path: the file, created or overwritten
 * @flags: ACL_MDLRI_DEBUG_JSON_PRINT_*
 *
 * Context: any thread; may block on the file.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FILE_OPEN.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path,
						    uint32_t flags);

/**
 * aclmdlRISetName() - names a model
 * @modelRI: the model
 * @name: the name, copied, 512 bytes at most
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRISetName(aclmdlRI modelRI, const char *name);

/**
 * aclmdlRIGetName() - the name of a model
 * @modelRI: the model
 * @maxLen: bytes at @name; a longer name is cut
 * @name: out, empty when the model has none
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name);

/**
 * aclmdlRIGetId() - the number of a model
 * @modelRI: the model
 * @modelRIId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_H */
