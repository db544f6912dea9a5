/* SPDX-License-Identifier: MIT */
/*
 * DOC: Offline models
 *
 * This implementation runs captured and built models only, see acl/rt/model. Programs that load models from files
 * compile and link with this header; each of its functions fails with a sentence.
 */
#ifndef ACL_ACL_MDL_H
#define ACL_ACL_MDL_H

#include "acl/acl_base.h"
#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_MAX_DIM_CNT 128
#define ACL_MAX_TENSOR_NAME_LEN 128

/** typedef aclmdlDataset - the buffers of the inputs, or of the outputs, of a model. */
typedef struct aclmdlDataset aclmdlDataset;

/** typedef aclmdlDesc - inputs and outputs of a model. */
typedef struct aclmdlDesc aclmdlDesc;

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

/** typedef aclmdlConfigHandle - what aclmdlLoadWithConfig() loads, and how. */
typedef struct aclmdlConfigHandle aclmdlConfigHandle;

/** enum aclmdlConfigAttr - what aclmdlSetConfigOpt() sets; the end of a name is the type of the value. */
typedef enum aclmdlConfigAttr {
	ACL_MDL_PRIORITY_INT32 = 0,
	ACL_MDL_LOAD_TYPE_SIZET,
	ACL_MDL_PATH_PTR,
	ACL_MDL_MEM_ADDR_PTR,
	ACL_MDL_MEM_SIZET,
	ACL_MDL_WEIGHT_ADDR_PTR,
	ACL_MDL_WEIGHT_SIZET,
	ACL_MDL_WORKSPACE_ADDR_PTR,
	ACL_MDL_WORKSPACE_SIZET,
	ACL_MDL_INPUTQ_NUM_SIZET,
	ACL_MDL_INPUTQ_ADDR_PTR,
	ACL_MDL_OUTPUTQ_NUM_SIZET,
	ACL_MDL_OUTPUTQ_ADDR_PTR,
	ACL_MDL_WORKSPACE_MEM_OPTIMIZE,
	ACL_MDL_WEIGHT_PATH_PTR,
	ACL_MDL_MODEL_DESC_PTR,
	ACL_MDL_MODEL_DESC_SIZET,
	ACL_MDL_KERNEL_PTR,
	ACL_MDL_KERNEL_SIZET,
	ACL_MDL_KERNEL_ARGS_PTR,
	ACL_MDL_KERNEL_ARGS_SIZET,
	ACL_MDL_STATIC_TASK_PTR,
	ACL_MDL_STATIC_TASK_SIZET,
	ACL_MDL_DYNAMIC_TASK_PTR,
	ACL_MDL_DYNAMIC_TASK_SIZET,
	ACL_MDL_MEM_MALLOC_POLICY_SIZET,
} aclmdlConfigAttr;

/* Values of ACL_MDL_LOAD_TYPE_SIZET. */
#define ACL_MDL_LOAD_FROM_FILE 1
#define ACL_MDL_LOAD_FROM_FILE_WITH_MEM 2
#define ACL_MDL_LOAD_FROM_MEM 3
#define ACL_MDL_LOAD_FROM_MEM_WITH_MEM 4
#define ACL_MDL_LOAD_FROM_FILE_WITH_Q 5
#define ACL_MDL_LOAD_FROM_MEM_WITH_Q 6

/**
 * aclmdlQuerySize() - asks how much memory a model of a file needs
 * @fileName: path of a model
 * @workSize: out, not written
 * @weightSize: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlQuerySize(const char *fileName, size_t *workSize,
					     size_t *weightSize);

/**
 * aclmdlQuerySizeFromMem() - the same for a model in memory
 * @model: a model in memory
 * @modelSize: its bytes
 * @workSize: out, not written
 * @weightSize: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlQuerySizeFromMem(const void *model, size_t modelSize,
						    size_t *workSize, size_t *weightSize);

/**
 * aclmdlLoadFromFile() - loads a model from a file
 * @modelPath: path of a model
 * @modelId: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFile(const char *modelPath, uint32_t *modelId);

/**
 * aclmdlLoadFromMem() - loads a model from memory
 * @model: a model in memory
 * @modelSize: its bytes
 * @modelId: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMem(const void *model, size_t modelSize,
					       uint32_t *modelId);

/**
 * aclmdlLoadFromFileWithMem() - loads a model from a file into memory of the program
 * @modelPath: path of a model
 * @modelId: out, not written
 * @workPtr: device memory for its work
 * @workSize: its bytes
 * @weightPtr: device memory for its weights
 * @weightSize: its bytes
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithMem(const char *modelPath, uint32_t *modelId,
						       void *workPtr, size_t workSize,
						       void *weightPtr, size_t weightSize);

/**
 * aclmdlLoadFromMemWithMem() - loads a model from memory into memory of the program
 * @model: a model in memory
 * @modelSize: its bytes
 * @modelId: out, not written
 * @workPtr: device memory for its work
 * @workSize: its bytes
 * @weightPtr: device memory for its weights
 * @weightSize: its bytes
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithMem(const void *model, size_t modelSize,
						      uint32_t *modelId, void *workPtr,
						      size_t workSize, void *weightPtr,
						      size_t weightSize);

/**
 * aclmdlCreateConfigHandle() - creates a description of a load
 *
 * Context: any thread; never blocks.
 * Return: NULL; it is not supported.
 */
ACL_FUNC_VISIBILITY aclmdlConfigHandle *aclmdlCreateConfigHandle(void);

/**
 * aclmdlDestroyConfigHandle() - destroys it
 * @handle: the description
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle *handle);

/**
 * aclmdlSetConfigOpt() - sets one value of it
 * @handle: the description
 * @attr: which value
 * @attrValue: the value
 * @valueSize: its bytes
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetConfigOpt(aclmdlConfigHandle *handle, aclmdlConfigAttr attr,
						const void *attrValue, size_t valueSize);

/**
 * aclmdlLoadWithConfig() - loads what it describes
 * @handle: the description
 * @modelId: out, not written
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadWithConfig(const aclmdlConfigHandle *handle,
						  uint32_t *modelId);

/**
 * aclmdlUnload() - unloads a model
 * @modelId: of a load
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlUnload(uint32_t modelId);

/**
 * aclmdlExecute() - runs a model and waits for it
 * @modelId: of a load
 * @input: its inputs
 * @output: its outputs
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset *input,
					   aclmdlDataset *output);

/**
 * aclmdlExecuteAsync() - runs a model in a stream
 * @modelId: of a load
 * @input: its inputs
 * @output: its outputs
 * @stream: a stream, or NULL
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset *input,
						aclmdlDataset *output, aclrtStream stream);

/**
 * aclmdlCreateDesc() - makes an empty description of a model
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclmdlDesc *aclmdlCreateDesc(void);

/**
 * aclmdlDestroyDesc() - destroys a description
 * @modelDesc: a description
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyDesc(aclmdlDesc *modelDesc);

/**
 * aclmdlGetDesc() - fills a description in
 * @modelDesc: a description
 * @modelId: of a load
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetDesc(aclmdlDesc *modelDesc, uint32_t modelId);

/**
 * aclmdlGetNumInputs() - how many inputs a model has
 * @modelDesc: a description
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetNumInputs(aclmdlDesc *modelDesc);

/**
 * aclmdlGetNumOutputs() - how many outputs a model has
 * @modelDesc: a description
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetNumOutputs(aclmdlDesc *modelDesc);

/**
 * aclmdlGetInputSizeByIndex() - the bytes of an input
 * @modelDesc: a description
 * @index: of the input
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetInputSizeByIndex(aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetOutputSizeByIndex() - the bytes of an output
 * @modelDesc: a description
 * @index: of the output
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetInputNameByIndex() - the name of an input
 * @modelDesc: a description
 * @index: of the input
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: "".
 */
ACL_FUNC_VISIBILITY const char *aclmdlGetInputNameByIndex(const aclmdlDesc *modelDesc,
							  size_t index);

/**
 * aclmdlGetOutputNameByIndex() - the name of an output
 * @modelDesc: a description
 * @index: of the output
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: "".
 */
ACL_FUNC_VISIBILITY const char *aclmdlGetOutputNameByIndex(const aclmdlDesc *modelDesc,
							   size_t index);

/**
 * aclmdlGetInputIndexByName() - finds an input by its name
 * @modelDesc: a description
 * @name: of an input
 * @index: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputIndexByName(const aclmdlDesc *modelDesc,
						       const char *name, size_t *index);

/**
 * aclmdlGetOutputIndexByName() - finds an output by its name
 * @modelDesc: a description
 * @name: of an output
 * @index: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetOutputIndexByName(const aclmdlDesc *modelDesc,
							const char *name, size_t *index);

/**
 * aclmdlGetInputDataType() - the type of an input
 * @modelDesc: a description
 * @index: of the input
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_DT_UNDEFINED.
 */
ACL_FUNC_VISIBILITY aclDataType aclmdlGetInputDataType(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetOutputDataType() - the type of an output
 * @modelDesc: a description
 * @index: of the output
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_DT_UNDEFINED.
 */
ACL_FUNC_VISIBILITY aclDataType aclmdlGetOutputDataType(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetInputFormat() - the format of an input
 * @modelDesc: a description
 * @index: of the input
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_FORMAT_UNDEFINED.
 */
ACL_FUNC_VISIBILITY aclFormat aclmdlGetInputFormat(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetOutputFormat() - the format of an output
 * @modelDesc: a description
 * @index: of the output
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_FORMAT_UNDEFINED.
 */
ACL_FUNC_VISIBILITY aclFormat aclmdlGetOutputFormat(const aclmdlDesc *modelDesc, size_t index);

/**
 * aclmdlGetInputDims() - the shape of an input
 * @modelDesc: a description
 * @index: of the input
 * @dims: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetInputDims(const aclmdlDesc *modelDesc, size_t index,
						aclmdlIODims *dims);

/**
 * aclmdlGetOutputDims() - the shape of an output
 * @modelDesc: a description
 * @index: of the output
 * @dims: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetOutputDims(const aclmdlDesc *modelDesc, size_t index,
						 aclmdlIODims *dims);

/**
 * aclmdlGetCurOutputDims() - the shape that an output has now
 * @modelDesc: a description
 * @index: of the output
 * @dims: out, not written
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetCurOutputDims(const aclmdlDesc *modelDesc, size_t index,
						    aclmdlIODims *dims);

/**
 * aclmdlCreateDataset() - makes an empty list of buffers
 *
 * No model of a file can be loaded, but programs fill lists and look into them without one.
 *
 * Context: any thread; never blocks.
 * Return: the list; NULL when memory runs out.
 */
ACL_FUNC_VISIBILITY aclmdlDataset *aclmdlCreateDataset(void);

/**
 * aclmdlDestroyDataset() - destroys a list of buffers
 * @dataset: a list
 *
 * It keeps the buffers.
 *
 * Context: no other thread uses the list.
 * Return: ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE for what is no list.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyDataset(const aclmdlDataset *dataset);

/**
 * aclmdlAddDatasetBuffer() - appends a buffer to a list
 * @dataset: a list
 * @dataBuffer: a buffer
 *
 * Context: no other thread uses the list.
 * Return: ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE for what is no list or no buffer.
 */
ACL_FUNC_VISIBILITY aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset,
						    aclDataBuffer *dataBuffer);

/**
 * aclmdlGetDatasetNumBuffers() - how many buffers a list has
 * @dataset: a list
 *
 * Context: no other thread changes the list.
 * Return: the number; 0 for NULL, or what is no list.
 */
ACL_FUNC_VISIBILITY size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *dataset);

/**
 * aclmdlGetDatasetBuffer() - a buffer of a list
 * @dataset: a list
 * @index: of the buffer, in the order in which they were added
 *
 * Context: no other thread changes the list.
 * Return: the buffer; NULL behind the last one, and for what is no list.
 */
ACL_FUNC_VISIBILITY aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *dataset,
							  size_t index);

/**
 * aclmdlSetDynamicBatchSize() - chooses the batch size of the next run
 * @modelId: of a load
 * @dataset: its inputs
 * @index: of the input that takes the size
 * @batchSize: the size
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset *dataset,
						       size_t index, uint64_t batchSize);

/**
 * aclmdlSetDynamicHWSize() - chooses the size of the images of the next run
 * @modelId: of a load
 * @dataset: its inputs
 * @index: of the input that takes the size
 * @height: of the images
 * @width: of the images
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset *dataset,
						    size_t index, uint64_t height, uint64_t width);

/**
 * aclmdlSetInputDynamicDims() - chooses the shape of the next run
 * @modelId: of a load
 * @dataset: its inputs
 * @index: of the input that takes the shape
 * @dims: the shape
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset *dataset,
						       size_t index, const aclmdlIODims *dims);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_MDL_H */
