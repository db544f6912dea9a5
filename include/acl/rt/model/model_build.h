/* SPDX-License-Identifier: MIT */
/*
 * DOC: Built models
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * A model can be built from streams with ACL_STREAM_PERSISTENT: the streams keep their tasks, they are
 * bound to the model, and the model can be executed any number of times. Labels are positions in such
 * streams that tasks can jump to.
 */
#ifndef ACL_RT_MODEL_BUILD_H
#define ACL_RT_MODEL_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a stream bound to a model runs from the start or is activated later. */
#define ACL_MODEL_STREAM_FLAG_HEAD 0x00000000U
#define ACL_MODEL_STREAM_FLAG_DEFAULT 0x7FFFFFFFU

/**
 * aclmdlRIBuildBegin() - starts building a model from streams with ACL_STREAM_PERSISTENT
 * @modelRI: out, owned by the caller
 * @flag: 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_NO_MODEL_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildBegin(aclmdlRI *modelRI, uint32_t flag);

/**
 * aclmdlRIBindStream() - adds a stream to a model that is being built
 * @modelRI: the model
 * @stream: a stream with ACL_STREAM_PERSISTENT that is bound to no model
 * @flag: ACL_MODEL_STREAM_FLAG_HEAD to run from the start, ACL_MODEL_STREAM_FLAG_DEFAULT to be
 * started by aclrtActiveStream()
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 * for a stream that stops on failure, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream,
						uint32_t flag);

/**
 * aclmdlRIEndTask() - marks the end of a stream of a model
 * @modelRI: the model
 * @stream: the stream
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_STREAM_MODEL, or ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);

/**
 * aclmdlRIBuildEnd() - ends the building; afterwards the model can be executed and accepts no more
 * tasks
 * @modelRI: the model
 * @reserve: NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void *reserve);

/**
 * aclmdlRIUnbindStream() - removes a stream from a model
 * @modelRI: the model
 * @stream: the stream
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_STREAM_MODEL when it is not bound to the model, or
 * ACL_ERROR_RT_STREAM_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

/**
 * aclrtCreateLabel() - creates a label
 * @label: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_RESOURCE_ALLOC_FAIL.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateLabel(aclrtLabel *label);

/**
 * aclrtSetLabel() - puts a label at the present end of a stream
 * @label: the label
 * @stream: a stream bound to a model; NULL is refused
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_MODEL.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);

/**
 * aclrtDestroyLabel() - destroys a label
 * @label: the label
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabel(aclrtLabel label);

/**
 * aclrtCreateLabelList() - makes an indexed set of labels
 * @labels: array of @num
 * @num: elements, 1 .. 65535
 * @labelList: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateLabelList(aclrtLabel *labels, size_t num,
						  aclrtLabelList *labelList);

/**
 * aclrtDestroyLabelList() - destroys a set of labels, not the labels
 * @labelList: the set of labels
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyLabelList(aclrtLabelList labelList);

/**
 * aclrtSwitchLabelByIndex() - jumps to the label that a number in device memory selects
 * @ptr: device memory with a uint32_t, read when the task runs
 * @maxValue: number of labels in the set; a larger index selects the last label
 * @labelList: the set of labels
 * @stream: a stream bound to a model; NULL is refused
 *
 * The model goes on in the stream in which the label is set, and what follows in @stream does not run. Another stream
 * than @stream must be bound with ACL_MODEL_STREAM_FLAG_DEFAULT, and no task may start it.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_STREAM_MODEL.
 */
ACL_FUNC_VISIBILITY aclError aclrtSwitchLabelByIndex(void *ptr, uint32_t maxValue,
						     aclrtLabelList labelList, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_BUILD_H */
