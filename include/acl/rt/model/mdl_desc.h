/* SPDX-License-Identifier: MIT */
/*
 * DOC: Descriptions of offline models
 *
 * Inputs and outputs of a model of a file, and their shapes. A description is a copy, which the program owns.
 */
#ifndef ACL_RT_MODEL_MDL_DESC_H
#define ACL_RT_MODEL_MDL_DESC_H

#include "acl/acl_base.h"
#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_MAX_DIM_CNT 128
#define ACL_MAX_TENSOR_NAME_LEN 128
#define ACL_MAX_BATCH_NUM 128
#define ACL_MAX_HW_NUM 128
#define ACL_MAX_SHAPE_COUNT 128
#define ACL_INVALID_NODE_INDEX 0xFFFFFFFF

/* Names that the inputs for shapes and for preprocessing have, in models that have such inputs. */
#define ACL_DYNAMIC_TENSOR_NAME "ascend_mbatch_shape_data"
#define ACL_DYNAMIC_AIPP_NAME "ascend_dynamic_aipp_data"

/* The attribute of aclmdlGetOpAttr(). */
#define ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES "_datadump_original_op_names"

/** typedef aclmdlDesc - inputs and outputs of a model. */
typedef struct aclmdlDesc aclmdlDesc;

/** typedef aclmdlDataset - the buffers of the inputs, or of the outputs, of a model. */
typedef struct aclmdlDataset aclmdlDataset;

/** typedef aclmdlConfigHandle - what aclmdlLoadWithConfig() loads, and how. */
typedef struct aclmdlConfigHandle aclmdlConfigHandle;

/**
 * struct aclmdlIODims - name and shape of an input or output
 * @name: with a 0 at its end
 * @dimCount: how many of @dims count
 * @dims: the lengths of the dimensions
 */
typedef struct aclmdlIODims {
	char name[ACL_MAX_TENSOR_NAME_LEN];
	size_t dimCount;
	int64_t dims[ACL_MAX_DIM_CNT];
} aclmdlIODims;

#define ACL_DIM_ENDPOINTS 2

/**
 * struct aclmdlIODimsRange - the shapes that an input can have
 * @rangeCount: how many of @range count
 * @range: the least and the greatest length of each dimension; the latter is -1 where there is no end
 */
typedef struct aclmdlIODimsRange {
	size_t rangeCount;
	int64_t range[ACL_MAX_DIM_CNT][ACL_DIM_ENDPOINTS];
} aclmdlIODimsRange;

/**
 * struct aclmdlBatch - the batch sizes from which a run can choose
 * @batchCount: how many of @batch count
 * @batch: the sizes
 */
typedef struct aclmdlBatch {
	size_t batchCount;
	uint64_t batch[ACL_MAX_BATCH_NUM];
} aclmdlBatch;

/**
 * struct aclmdlHW - the sizes of images from which a run can choose
 * @hwCount: how many of @hw count
 * @hw: height and width of each
 */
typedef struct aclmdlHW {
	size_t hwCount;
	uint64_t hw[ACL_MAX_HW_NUM][2];
} aclmdlHW;

/**
 * aclmdlCreateDesc() - makes an empty description of a model
 *
 * The program destroys it.
 *
 * Context: any thread; never blocks.
 * Return: the description; NULL when memory runs out.
 */
ACL_FUNC_VISIBILITY aclmdlDesc *aclmdlCreateDesc(void);

/**
 * aclmdlDestroyDesc() - destroys a description
 * @modelDesc: a description
 *
 * Names that it gave are gone.
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyDesc(aclmdlDesc *modelDesc);

/**
 * aclmdlGetDesc() - fills a description in
 * @modelDesc: a description
 * @modelId: of a load
 *
 * It is a copy: it stays when the model is unloaded. What was in it is replaced.
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_EXEC_MODEL_ID_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetDesc(aclmdlDesc *modelDesc, uint32_t modelId);

/**
 * aclmdlGetNumInputs() - how many inputs a model has
 * @modelDesc: a description
 *
 * Context: no other thread fills or destroys the description.
 * Return: the number; 0 for what is no description, and for an empty one.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetNumInputs(aclmdlDesc *modelDesc);

/**
 * aclmdlGetNumOutputs() - how many outputs a model has
 * @modelDesc: a description
 *
 * Context: no other thread fills or destroys the description.
 * Return: as aclmdlGetNumInputs().
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetNumOutputs(aclmdlDesc *modelDesc);

/**
 * aclmdlGetInputSizeByIndex() - the bytes of an input
 * @modelDesc: a description
 * @index: of the input, from 0 on
 *
 * These are the bytes of its elements, without padding.
 *
 * Context: no other thread fills or destroys the description.
 * Return: the bytes; 0 behind the last one.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetInputSizeByIndex(aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetOutputSizeByIndex() - the bytes of an output
 * @modelDesc: a description
 * @index: of the output, from 0 on
 *
 * These are the bytes of its elements, without padding.
 *
 * Context: no other thread fills or destroys the description.
 * Return: the bytes; 0 behind the last one.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetInputNameByIndex() - the name of an input
 * @modelDesc: a description
 * @index: of the input, from 0 on
 *
 * The description owns it.
 *
 * Context: no other thread fills or destroys the description.
 * Return: the name; "" behind the last one.
 */
ACL_FUNC_VISIBILITY const char *aclmdlGetInputNameByIndex(const aclmdlDesc *modelDesc,
							  size_t index);

/**
 * aclmdlGetOutputNameByIndex() - the name of an output
 * @modelDesc: a description
 * @index: of the output, from 0 on
 *
 * The description owns it. It is node:index:name of the ONNX file, or node:index for an output of --out_nodes.
 *
 * Context: no other thread fills or destroys the description.
 * Return: the name; "" behind the last one.
 */
ACL_FUNC_VISIBILITY const char *aclmdlGetOutputNameByIndex(const aclmdlDesc *modelDesc,
							   size_t index);

/**
 * aclmdlGetInputIndexByName() - finds an input by its name
 * @modelDesc: a description
 * @name: of the input
 * @index: out, its index
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM where no input has the name.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputIndexByName(const aclmdlDesc *modelDesc,
						       const char *name, size_t *index);

/**
 * aclmdlGetOutputIndexByName() - finds an output by its name
 * @modelDesc: a description
 * @name: of the output
 * @index: out, its index
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM where no output has the name.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetOutputIndexByName(const aclmdlDesc *modelDesc,
							const char *name, size_t *index);

/**
 * aclmdlGetInputDataType() - the type of an input
 * @modelDesc: a description
 * @index: of the input, from 0 on
 *
 * Context: no other thread fills or destroys the description.
 * Return: the type; ACL_DT_UNDEFINED behind the last one.
 */
ACL_FUNC_VISIBILITY aclDataType aclmdlGetInputDataType(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetOutputDataType() - the type of an output
 * @modelDesc: a description
 * @index: of the output, from 0 on
 *
 * Context: no other thread fills or destroys the description.
 * Return: the type; ACL_DT_UNDEFINED behind the last one.
 */
ACL_FUNC_VISIBILITY aclDataType aclmdlGetOutputDataType(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetInputFormat() - the format of an input
 * @modelDesc: a description
 * @index: of the input, from 0 on
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_FORMAT_NCHW, ACL_FORMAT_NHWC and the like, or ACL_FORMAT_ND; ACL_FORMAT_UNDEFINED behind the last
 * one.
 */
ACL_FUNC_VISIBILITY aclFormat aclmdlGetInputFormat(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetOutputFormat() - the format of an output
 * @modelDesc: a description
 * @index: of the output, from 0 on
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_FORMAT_NCHW, ACL_FORMAT_NHWC and the like, or ACL_FORMAT_ND; ACL_FORMAT_UNDEFINED behind the last
 * one.
 */
ACL_FUNC_VISIBILITY aclFormat aclmdlGetOutputFormat(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetInputDims() - the shape of an input
 * @modelDesc: a description
 * @index: of the input, from 0 on
 * @dims: out, the shape and the name, cut to 127 characters
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM behind the last one.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDims(const aclmdlDesc *modelDesc, size_t index,
						aclmdlIODims *dims);

/**
 * aclmdlGetInputDimsV2() - the shape of an input, as it lies in memory
 * @modelDesc: a description
 * @index: of the input, from 0 on
 * @dims: out, the shape and the name, cut to 127 characters
 *
 * It differs from aclmdlGetInputDims() for models that preprocess images alone, and atc makes none.
 *
 * Context: no other thread fills or destroys the description.
 * Return: as aclmdlGetInputDims().
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDimsV2(const aclmdlDesc *modelDesc, size_t index,
						  aclmdlIODims *dims);

/**
 * aclmdlGetInputDimsRange() - the shapes that an input can have
 * @modelDesc: a description
 * @index: of the input, from 0 on
 * @dimsRange: out, the least and the greatest length of each dimension
 *
 * For a dimension that is fixed both are the same. A dimension without an end has -1 as the greatest length, also where
 * profiles fill it.
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM behind the last one.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDimsRange(const aclmdlDesc *modelDesc, size_t index,
						     aclmdlIODimsRange *dimsRange);

/**
 * aclmdlGetOutputDims() - the shape of an output
 * @modelDesc: a description
 * @index: of the output, from 0 on
 * @dims: out, the shape and the name, cut to 127 characters
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM behind the last one.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetOutputDims(const aclmdlDesc *modelDesc, size_t index,
						 aclmdlIODims *dims);

/**
 * aclmdlGetCurOutputDims() - the shape that an output has now
 * @modelDesc: a description
 * @index: of the output, from 0 on
 * @dims: out, as aclmdlGetOutputDims()
 *
 * It follows from what aclmdlSetDynamicBatchSize() or a call like it chose last for the model; without a choice it
 * is that of the largest profile. A model of one shape always has this one.
 *
 * Context: no other thread fills or destroys the description.
 * Return: as aclmdlGetOutputDims(); ACL_ERROR_GE_PARAM_INVALID for a model with free dims, whose outputs have no shape
 * before a run.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetCurOutputDims(const aclmdlDesc *modelDesc, size_t index,
						    aclmdlIODims *dims);

/**
 * aclmdlGetDescFromFile() - fills a description in, without a load
 * @modelDesc: a description
 * @modelPath: path of a file that atc has made
 *
 * It needs no device.
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID where there is no such file;
 * ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID where it is cut off; ACL_ERROR_PARSE_MODEL where it is no file of
 * this atc; ACL_ERROR_DESERIALIZE_MODEL where it is broken.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetDescFromFile(aclmdlDesc *modelDesc, const char *modelPath);

/**
 * aclmdlGetDescFromMem() - the same for a model in memory
 * @modelDesc: a description
 * @model: the bytes of such a file
 * @modelSize: how many there are
 *
 * Context: no other thread uses the description.
 * Return: as aclmdlGetDescFromFile().
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetDescFromMem(aclmdlDesc *modelDesc, const void *model,
						  size_t modelSize);

/**
 * aclmdlGetDynamicBatch() - the batch sizes from which a run can choose
 * @modelDesc: a description
 * @batch: out
 *
 * A model that was compiled without such profiles has none.
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetDynamicBatch(const aclmdlDesc *modelDesc, aclmdlBatch *batch);

/**
 * aclmdlGetDynamicHW() - the sizes of images from which a run can choose
 * @modelDesc: a description
 * @index: not used
 * @hw: out
 *
 * A model that was compiled without such profiles has none.
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetDynamicHW(const aclmdlDesc *modelDesc, size_t index,
						aclmdlHW *hw);

/**
 * aclmdlGetInputDynamicGearCount() - how many shapes there are from which a run can choose
 * @modelDesc: a description
 * @index: not used
 * @gearCount: out
 *
 * A model that was compiled without such profiles has none.
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc *modelDesc,
							    size_t index, size_t *gearCount);

/**
 * aclmdlGetInputDynamicDims() - the shapes from which a run can choose
 * @modelDesc: a description
 * @index: not used
 * @dims: out, for each of them the dims of all inputs, one input after the other; without names
 * @gearCount: of aclmdlGetInputDynamicGearCount()
 *
 * Context: no other thread fills or destroys the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for another @gearCount.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDynamicDims(const aclmdlDesc *modelDesc, size_t index,
						       aclmdlIODims *dims, size_t gearCount);

/**
 * aclmdlGetTensorRealName() - the whole name of an input or output
 * @modelDesc: a description
 * @name: its name, or the first 127 characters of it, as aclmdlGetInputDims() gives them
 *
 * The description owns it.
 *
 * Context: no other thread fills or destroys the description.
 * Return: the name; NULL where no input and no output has it.
 */
ACL_FUNC_VISIBILITY const char *aclmdlGetTensorRealName(const aclmdlDesc *modelDesc,
							const char *name);

/**
 * aclmdlGetOpAttr() - an attribute of an operator
 * @modelDesc: a description
 * @opName: the name of the operator
 * @attr: ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES, the operators of which this one is made
 *
 * Context: no other thread fills or destroys the description.
 * Return: "": atc makes no operator of several; NULL for NULL and for what is no description.
 */
ACL_FUNC_VISIBILITY const char *aclmdlGetOpAttr(aclmdlDesc *modelDesc, const char *opName,
						const char *attr);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_MDL_DESC_H */
