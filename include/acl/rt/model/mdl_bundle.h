/* SPDX-License-Identifier: MIT */
/*
 * DOC: Other loads of offline models
 *
 * Bundles of models, models that queues feed, and weights beside the model. None of them is supported;
 * aclGetRecentErrMsg() gives the reason.
 */
#ifndef ACL_RT_MODEL_MDL_BUNDLE_H
#define ACL_RT_MODEL_MDL_BUNDLE_H

#include "acl/acl_base.h"
#include "acl/acl_base_mdl.h"
#include "acl/rt/model/mdl_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclmdlLoadFromFileWithQ() - loads a model from a file, for queues
 * @modelPath: path of the file
 * @modelId: out, the number of the model
 * @inputQ: queues of the inputs
 * @inputQNum: how many
 * @outputQ: queues of the outputs
 * @outputQNum: how many
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_FEATURE_UNSUPPORTED: it is not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithQ(const char *modelPath, uint32_t *modelId,
						     const uint32_t *inputQ, size_t inputQNum,
						     const uint32_t *outputQ, size_t outputQNum);

/**
 * aclmdlLoadFromMemWithQ() - the same for a model in memory
 * @model: the bytes of the file
 * @modelSize: how many there are
 * @modelId: out, the number of the model
 * @inputQ: queues of the inputs
 * @inputQNum: how many
 * @outputQ: queues of the outputs
 * @outputQNum: how many
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_FEATURE_UNSUPPORTED: it is not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithQ(const void *model, size_t modelSize,
						    uint32_t *modelId, const uint32_t *inputQ,
						    size_t inputQNum, const uint32_t *outputQ,
						    size_t outputQNum);

/**
 * aclmdlSetExternalWeightAddress() - says where the weights of a file are
 * @handle: a description of a load
 * @weightFileName: of the file
 * @devPtr: device memory
 * @size: its bytes
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetExternalWeightAddress(aclmdlConfigHandle *handle,
							    const char *weightFileName,
							    void *devPtr, size_t size);

/**
 * aclmdlBundleLoadFromFile() - loads models that share variables
 * @modelPath: path of the file
 * @bundleId: out, the number of the bundle
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_FEATURE_UNSUPPORTED: it is not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadFromFile(const char *modelPath, uint32_t *bundleId);

/**
 * aclmdlBundleLoadFromMem() - the same for models in memory
 * @model: the bytes of the file
 * @modelSize: how many there are
 * @bundleId: out, the number of the bundle
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_FEATURE_UNSUPPORTED: it is not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlBundleLoadFromMem(const void *model, size_t modelSize,
						     uint32_t *bundleId);

/**
 * aclmdlBundleGetModelNum() - how many models a bundle has
 * @bundleId: of a load
 * @modelNum: out, the number
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_INVALID_BUNDLE_MODEL_ID: bundles are not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetModelNum(uint32_t bundleId, size_t *modelNum);

/**
 * aclmdlBundleGetModelId() - a model of a bundle
 * @bundleId: of a load
 * @index: of the model, from 0 on
 * @modelId: out, the number of the model
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_INVALID_BUNDLE_MODEL_ID: bundles are not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlBundleGetModelId(uint32_t bundleId, size_t index,
						    uint32_t *modelId);

/**
 * aclmdlBundleUnload() - unloads a bundle
 * @bundleId: of a load
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_INVALID_BUNDLE_MODEL_ID: bundles are not supported.
 */
ACL_FUNC_VISIBILITY aclError aclmdlBundleUnload(uint32_t bundleId);

/**
 * aclmdlCreateAndGetOpDesc() - describes the operands of an operator that failed
 * @deviceId: of the failure
 * @streamId: of the failure
 * @taskId: of the failure
 * @opName: out, the name of the node of the ONNX file, cut to what fits
 * @opNameLen: bytes of @opName
 * @inputDesc: out, a list of its inputs for aclGetTensorDescByIndex(), which the caller destroys; NULL: none
 * @numInputs: out, how many
 * @outputDesc: out, the same of its outputs
 * @numOutputs: out, how many
 *
 * The operator has to be a node of a model of a file that is still loaded, and was no task of its own, as it is in a
 * run that is dumped. A description has the shape of a view; its elements need not follow each other in memory.
 *
 * Context: in a function of aclrtSetExceptionInfoCallback() or aclrtExceptionInfoCallbackRegister().
 * Return: ACL_ERROR_RT_PARAM_INVALID elsewhere and for what is no such node; ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId,
						      uint32_t taskId, char *opName,
						      size_t opNameLen, aclTensorDesc **inputDesc,
						      size_t *numInputs, aclTensorDesc **outputDesc,
						      size_t *numOutputs);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_MDL_BUNDLE_H */
