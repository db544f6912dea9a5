/* SPDX-License-Identifier: MIT */
/*
 * DOC: Offline models
 *
 * atc compiles an ONNX file to a file of unpu's own; these functions load and run it. A model belongs to the context in
 * which it is loaded: threads that use it have that context current. A model runs at the shape with which it was
 * compiled, at one of its profiles, or, where it has free dims, at the shapes that the dataset describes.
 *
 * Codes that several functions return: ACL_ERROR_INVALID_PARAM for NULL and for an index behind the last one,
 * ACL_ERROR_RT_INVALID_HANDLE for what is no object, or none any more, and ACL_ERROR_GE_EXEC_MODEL_ID_INVALID for the
 * number of no loaded model, or of one whose context has ended.
 */
#ifndef ACL_ACL_MDL_H
#define ACL_ACL_MDL_H

#include "acl/acl_base.h"
#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"
#include "acl/rt/model/mdl_aipp.h"
#include "acl/rt/model/mdl_bundle.h"
#include "acl/rt/model/mdl_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/** typedef aclmdlExecConfigHandle - how aclmdlExecuteV2() runs a model. */
typedef struct aclmdlExecConfigHandle aclmdlExecConfigHandle;

/** enum aclmdlExecConfigAttr - what aclmdlSetExecConfigOpt() sets. */
typedef enum aclmdlExecConfigAttr {
	ACL_MDL_STREAM_SYNC_TIMEOUT = 0,
	ACL_MDL_EVENT_SYNC_TIMEOUT,
	ACL_MDL_WORK_ADDR_PTR,
	ACL_MDL_WORK_SIZET,
	ACL_MDL_MPAIMID_SIZET,
	ACL_MDL_AICQOS_SIZET,
	ACL_MDL_AICOST_SIZET,
	ACL_MDL_MEC_TIMETHR_SIZET,
} aclmdlExecConfigAttr;

/* Values of ACL_MDL_LOAD_TYPE_SIZET. */
#define ACL_MDL_LOAD_FROM_FILE 1
#define ACL_MDL_LOAD_FROM_FILE_WITH_MEM 2
#define ACL_MDL_LOAD_FROM_MEM 3
#define ACL_MDL_LOAD_FROM_MEM_WITH_MEM 4
#define ACL_MDL_LOAD_FROM_FILE_WITH_Q 5
#define ACL_MDL_LOAD_FROM_MEM_WITH_Q 6

/**
 * aclmdlQuerySize() - asks how much device memory a model of a file needs
 * @fileName: path of a file that atc has made
 * @workSize: out, bytes for numbers on the way
 * @weightSize: out, bytes for the weights
 *
 * Both are at least a page, so that the program can allocate them. Only the head of the file is read.
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID where there is no such file;
 * ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID where it is cut off; ACL_ERROR_PARSE_MODEL where it is no file of
 * this atc; ACL_ERROR_DESERIALIZE_MODEL where it is broken; ACL_ERROR_GE_PARAM_INVALID for a model with free
 * dims, which only the system can give memory.
 */
ACL_FUNC_VISIBILITY aclError aclmdlQuerySize(const char *fileName, size_t *workSize,
					     size_t *weightSize);

/**
 * aclmdlQuerySizeFromMem() - the same for a model in memory
 * @model: the bytes of such a file
 * @modelSize: how many there are
 * @workSize: out, bytes for numbers on the way
 * @weightSize: out, bytes for the weights
 *
 * Context: any thread; never blocks.
 * Return: as aclmdlQuerySize().
 */
ACL_FUNC_VISIBILITY aclError aclmdlQuerySizeFromMem(const void *model, size_t modelSize,
						    size_t *workSize, size_t *weightSize);

/**
 * aclmdlLoadFromFile() - loads a model from a file
 * @modelPath: path of a file that atc has made; a relative one begins at the working folder
 * @modelId: out, the number of the model; the first one is 1
 *
 * The system allocates the device memory, until aclmdlUnload(). Models of one process with equal weights share
 * them.
 *
 * Context: any thread, with a context; no capture forbids calls that wait. It blocks while the weights are
 * copied.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID where there is no such file;
 * ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID where it is cut off; ACL_ERROR_PARSE_MODEL where it is no file of
 * this atc; ACL_ERROR_DESERIALIZE_MODEL where it is broken; ACL_ERROR_RT_CONTEXT_NULL without a context;
 * ACL_ERROR_RT_MEMORY_ALLOCATION where the device has too little memory.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFile(const char *modelPath, uint32_t *modelId);

/**
 * aclmdlLoadFromMem() - loads a model from memory
 * @model: the bytes of such a file, in host memory; they may be freed after the call
 * @modelSize: how many there are
 * @modelId: out, the number of the model; the first one is 1
 *
 * As aclmdlLoadFromFile() otherwise.
 *
 * Context: any thread, with a context; no capture forbids calls that wait. It blocks while the weights are
 * copied.
 * Return: as aclmdlLoadFromFile().
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMem(const void *model, size_t modelSize,
					       uint32_t *modelId);

/**
 * aclmdlLoadFromFileWithMem() - loads a model from a file into memory of the program
 * @modelPath: path of a file that atc has made; a relative one begins at the working folder
 * @modelId: out, the number of the model; the first one is 1
 * @workPtr: device memory for numbers on the way, or NULL: the system allocates it
 * @workSize: its bytes
 * @weightPtr: device memory for the weights, or NULL: the system allocates it
 * @weightSize: its bytes
 *
 * The memory stays the program's and has to live until aclmdlUnload(). Models that run one after the other may
 * share the work memory, and loads of one model the weights.
 *
 * Context: any thread, with a context; no capture forbids calls that wait. It blocks while the weights are
 * copied.
 * Return: as aclmdlLoadFromFile(); ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID for memory that is not of this device;
 * ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID also for less than aclmdlQuerySize() tells;
 * ACL_ERROR_GE_PARAM_INVALID for work memory of a model with free dims.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromFileWithMem(const char *modelPath, uint32_t *modelId,
						       void *workPtr, size_t workSize,
						       void *weightPtr, size_t weightSize);

/**
 * aclmdlLoadFromMemWithMem() - loads a model from memory into memory of the program
 * @model: the bytes of such a file, in host memory; they may be freed after the call
 * @modelSize: how many there are
 * @modelId: out, the number of the model; the first one is 1
 * @workPtr: device memory for numbers on the way, or NULL: the system allocates it
 * @workSize: its bytes
 * @weightPtr: device memory for the weights, or NULL: the system allocates it
 * @weightSize: its bytes
 *
 * As aclmdlLoadFromFileWithMem() otherwise.
 *
 * Context: any thread, with a context; no capture forbids calls that wait. It blocks while the weights are
 * copied.
 * Return: as aclmdlLoadFromFileWithMem().
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadFromMemWithMem(const void *model, size_t modelSize,
						      uint32_t *modelId, void *workPtr,
						      size_t workSize, void *weightPtr,
						      size_t weightSize);

/**
 * aclmdlCreateConfigHandle() - creates a description of a load
 *
 * The program destroys it.
 *
 * Context: any thread; never blocks.
 * Return: the description; NULL when memory runs out.
 */
ACL_FUNC_VISIBILITY aclmdlConfigHandle *aclmdlCreateConfigHandle(void);

/**
 * aclmdlDestroyConfigHandle() - destroys it
 * @handle: the description
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle *handle);

/**
 * aclmdlSetConfigOpt() - sets one value of it
 * @handle: the description
 * @attr: which value
 * @attrValue: the value; for an attribute whose name ends in PTR a pointer to the pointer
 * @valueSize: its bytes
 *
 * A path is copied; memory is not, and has to live until the load. Needed are ACL_MDL_LOAD_TYPE_SIZET, and what
 * the type names. ACL_MDL_WORKSPACE_MEM_OPTIMIZE and ACL_MDL_MEM_MALLOC_POLICY_SIZET are taken and have no
 * effect.
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for another size, another attribute or a value that it can't
 * have; ACL_ERROR_FEATURE_UNSUPPORTED for queues, parts of models and files of weights.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetConfigOpt(aclmdlConfigHandle *handle, aclmdlConfigAttr attr,
						const void *attrValue, size_t valueSize);

/**
 * aclmdlLoadWithConfig() - loads what it describes
 * @handle: the description
 * @modelId: out, the number of the model; the first one is 1
 *
 * Context: any thread, with a context; no capture forbids calls that wait. It blocks while the weights are
 * copied.
 * Return: as the function that its type stands for; ACL_ERROR_INVALID_PARAM where a value is missing.
 */
ACL_FUNC_VISIBILITY aclError aclmdlLoadWithConfig(const aclmdlConfigHandle *handle,
						  uint32_t *modelId);

/**
 * aclmdlUnload() - unloads a model
 * @modelId: of a load
 *
 * It waits for the runs under way, and frees what the system has allocated. Descriptions of the model stay. A
 * graph that has captured a run of the model keeps its memory, and may run on.
 *
 * Context: any thread; blocks. In a function that a stream runs it does not wait.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_EXEC_MODEL_ID_INVALID; ACL_ERROR_RT_FEATURE_NOT_SUPPORT in a function that a
 * stream runs, while a run is under way.
 */
ACL_FUNC_VISIBILITY aclError aclmdlUnload(uint32_t modelId);

/**
 * aclmdlExecute() - runs a model and waits for it
 * @modelId: of a load
 * @input: its inputs, in their order
 * @output: its outputs, in their order
 *
 * It follows the earlier runs of the model, and no other work: copies to the inputs have to be done before. An
 * output may lie on an input. Buffers may be larger than needed, and others at each run.
 *
 * In a model with free dims aclmdlSetDatasetTensorDesc() gives the shapes of the inputs. An output whose buffer has the
 * address NULL and 0 bytes then gets memory, which the program frees by aclrtFree().
 *
 * Context: any thread whose context is on the model's device; blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_MODEL_INPUT_NOT_MATCH or ACL_ERROR_MODEL_OUTPUT_NOT_MATCH where the number of
 * buffers is another one, or a buffer is too small or NULL; ACL_ERROR_RT_PARAM_INVALID for ordinary host memory;
 * ACL_ERROR_GE_PARAM_INVALID for shapes that are missing, or with which the model can't run;
 * ACL_ERROR_RT_MODEL_CONTEXT for another device; ACL_ERROR_RT_MODEL_EXECUTE where a node fails, which the
 * sentence names.
 */
ACL_FUNC_VISIBILITY aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset *input,
					   aclmdlDataset *output);

/**
 * aclmdlExecuteAsync() - runs a model in a stream
 * @modelId: of a load
 * @input: its inputs, in their order
 * @output: its outputs, in their order
 * @stream: a stream, or NULL for the default one
 *
 * The run follows the earlier work of the stream and the earlier runs of the model. Addresses are taken at the
 * call; the lists and the data buffers may be destroyed after it. In a stream that captures the run becomes part
 * of the graph, with the addresses of the call; the graph uses the model's work memory, so the program runs it
 * when no other run of the model is under way.
 *
 * Context: any thread; blocks while the stream is full.
 * Return: as aclmdlExecute(); a failure of a node is reported when the stream is synchronised.
 */
ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset *input,
						aclmdlDataset *output, aclrtStream stream);

/**
 * aclmdlCreateExecConfigHandle() - creates a description of a run
 *
 * The program destroys it.
 *
 * Context: any thread; never blocks.
 * Return: the description; NULL when memory runs out.
 */
ACL_FUNC_VISIBILITY aclmdlExecConfigHandle *aclmdlCreateExecConfigHandle(void);

/**
 * aclmdlDestroyExecConfigHandle() - destroys it
 * @handle: the description
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyExecConfigHandle(const aclmdlExecConfigHandle *handle);

/**
 * aclmdlSetExecConfigOpt() - sets one value of it
 * @handle: the description
 * @attr: ACL_MDL_STREAM_SYNC_TIMEOUT: how long aclmdlExecuteV2() waits. ACL_MDL_EVENT_SYNC_TIMEOUT is taken and has no
 * effect, because runs wait for no events.
 * @attrValue: an int32_t, in milliseconds; -1, the default: for ever
 * @valueSize: its bytes
 *
 * Context: no other thread uses the description.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for another size or a value that it can't have;
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for work memory and reserved attributes.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetExecConfigOpt(aclmdlExecConfigHandle *handle,
						    aclmdlExecConfigAttr attr,
						    const void *attrValue, size_t valueSize);

/**
 * aclmdlExecuteV2() - runs a model in a stream and waits for it
 * @modelId: of a load
 * @input: its inputs, in their order
 * @output: its outputs, in their order
 * @stream: a stream; NULL: as aclmdlExecute(), and the description has no effect
 * @handle: a description
 *
 * The run follows the earlier work of the stream. After a timeout it goes on, and the stream can be synchronised.
 *
 * Context: any thread whose context is on the model's device; blocks.
 * Return: as aclmdlExecute(); ACL_ERROR_RT_STREAM_SYNC_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclmdlExecuteV2(uint32_t modelId, const aclmdlDataset *input,
					     aclmdlDataset *output, aclrtStream stream,
					     const aclmdlExecConfigHandle *handle);

/**
 * aclmdlExecuteAsyncV2() - runs a model in a stream
 * @modelId: of a load
 * @input: its inputs, in their order
 * @output: its outputs, in their order
 * @stream: a stream, or NULL for the default one
 * @handle: a description, which has no effect: the call does not wait
 *
 * Context: as aclmdlExecuteAsync().
 * Return: as aclmdlExecuteAsync().
 */
ACL_FUNC_VISIBILITY aclError aclmdlExecuteAsyncV2(uint32_t modelId, const aclmdlDataset *input,
						  aclmdlDataset *output, aclrtStream stream,
						  const aclmdlExecConfigHandle *handle);

/**
 * aclmdlCreateDataset() - makes an empty list of buffers
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
 * aclmdlSetDynamicBatchSize() - chooses the batch size of the next runs
 * @modelId: of a load
 * @dataset: its inputs, for which the choice holds until the next one
 * @index: of the input ACL_DYNAMIC_TENSOR_NAME
 * @batchSize: one of aclmdlGetDynamicBatch()
 *
 * Without a choice a run has the largest profile. Inputs and outputs lie at the front of their buffers.
 *
 * Context: no other thread uses the dataset.
 * Return: ACL_SUCCESS; ACL_ERROR_MODEL_NOT_DYNAMIC for a model that was compiled without such profiles;
 * ACL_ERROR_GE_PARAM_INVALID for what is no profile; ACL_ERROR_INVALID_PARAM for another @index; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset *dataset,
						       size_t index, uint64_t batchSize);

/**
 * aclmdlSetDynamicHWSize() - chooses the size of the images of the next runs
 * @modelId: of a load
 * @dataset: its inputs, for which the choice holds until the next one
 * @index: of the input ACL_DYNAMIC_TENSOR_NAME
 * @height: of the images
 * @width: of the images: a pair of aclmdlGetDynamicHW()
 *
 * Without a choice a run has the largest profile. Inputs and outputs lie at the front of their buffers.
 *
 * Context: no other thread uses the dataset.
 * Return: ACL_SUCCESS; ACL_ERROR_MODEL_NOT_DYNAMIC for a model that was compiled without such profiles;
 * ACL_ERROR_GE_PARAM_INVALID for what is no profile; ACL_ERROR_INVALID_PARAM for another @index; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset *dataset,
						    size_t index, uint64_t height, uint64_t width);

/**
 * aclmdlSetInputDynamicDims() - chooses the shape of the next runs
 * @modelId: of a load
 * @dataset: its inputs, for which the choice holds until the next one
 * @index: of the input ACL_DYNAMIC_TENSOR_NAME
 * @dims: the dims of all inputs, one input after the other: one of aclmdlGetInputDynamicDims()
 *
 * Without a choice a run has the largest profile. Inputs and outputs lie at the front of their buffers.
 *
 * Context: no other thread uses the dataset.
 * Return: ACL_SUCCESS; ACL_ERROR_MODEL_NOT_DYNAMIC for a model that was compiled without such profiles;
 * ACL_ERROR_GE_PARAM_INVALID for what is no profile; ACL_ERROR_INVALID_PARAM for another @index; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset *dataset,
						       size_t index, const aclmdlIODims *dims);

/**
 * aclmdlSetDatasetTensorDesc() - describes a buffer of a list
 * @dataset: a list
 * @tensorDesc: a description, which is copied; NULL: the buffer has none any more
 * @index: of the buffer, in the order in which they were added
 *
 * A model with free dims takes the shapes of its inputs from here. Type and format have no effect.
 *
 * Context: no other thread uses the list.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM behind the last one; see above.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDatasetTensorDesc(aclmdlDataset *dataset,
							aclTensorDesc *tensorDesc, size_t index);

/**
 * aclmdlGetDatasetTensorDesc() - the description of a buffer of a list
 * @dataset: a list
 * @index: of the buffer, in the order in which they were added
 *
 * A run describes its outputs: aclGetTensorDescSize() tells how many bytes it writes. The description belongs to the
 * list, and ends with it, or with a run of another shape.
 *
 * Context: no other thread changes the list.
 * Return: the description; NULL where there is none, behind the last buffer, and for what is no list.
 */
ACL_FUNC_VISIBILITY aclTensorDesc *aclmdlGetDatasetTensorDesc(const aclmdlDataset *dataset,
							      size_t index);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_MDL_H */
