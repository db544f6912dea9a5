/* SPDX-License-Identifier: MIT */
/*
 * DOC: Single operators
 *
 * A program describes an operator by its name, its operands and attributes. It is compiled when it is first called
 * in a stream, with the shapes of the call, and kept for later calls; no program has to load it. The operators are
 * those of `atc --singleop`. Functions about kernels that a program compiles are not supported.
 */
#ifndef ACL_ACL_OP_H
#define ACL_ACL_OP_H

#include "acl/acl_base.h"
#include "acl/acl_base_mdl.h"

#ifdef __cplusplus
extern "C" {
#endif

/** typedef aclopAttr - the attributes of an operator. */
typedef struct aclopAttr aclopAttr;

/** typedef aclopHandle - an operator that was loaded. */
typedef struct aclopHandle aclopHandle;

/** typedef aclopKernelDesc - what a function that compiles fills in. */
typedef struct aclopKernelDesc aclopKernelDesc;

/** enum aclEngineType - the unit that runs an operator. */
typedef enum aclEngineType {
	ACL_ENGINE_SYS = 0,
	ACL_ENGINE_AICORE = 1,
	ACL_ENGINE_VECTOR = 2,
} aclopEngineType;

/** typedef aclDataDeallocator - function that frees @length bytes at @data. */
typedef void (*aclDataDeallocator)(void *data, size_t length);

/**
 * typedef aclopCompileFunc - function of the program that chooses a kernel for an operator
 * @numInputs: operands that the operator reads
 * @inputDesc: their descriptions
 * @numOutputs: operands that it writes
 * @outputDesc: their descriptions
 * @opAttr: the attributes
 * @aclopKernelDesc: out, the kernel
 *
 * Return: 0 or an error.
 */
typedef aclError (*aclopCompileFunc)(int numInputs, const aclTensorDesc *const inputDesc[],
				     int numOutputs, const aclTensorDesc *const outputDesc[],
				     const aclopAttr *opAttr, aclopKernelDesc *aclopKernelDesc);

/**
 * aclopCreateAttr() - creates attributes
 *
 * Context: any thread; never blocks.
 * Return: an empty list of attributes, which aclopDestroyAttr() destroys; NULL if there is no memory.
 */
ACL_FUNC_VISIBILITY aclopAttr *aclopCreateAttr(void);

/**
 * aclopDestroyAttr() - destroys attributes
 * @attr: the attributes, or NULL
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void aclopDestroyAttr(const aclopAttr *attr);

/**
 * aclopSetAttrBool() - sets an attribute to a truth value
 * @attr: the attributes
 * @attrName: its name
 * @attrValue: 0 or 1
 *
 * Context: one thread at a time for one @attr; never blocks. The value is copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrBool(aclopAttr *attr, const char *attrName,
					      uint8_t attrValue);

/**
 * aclopSetAttrInt() - sets an attribute to an integer
 * @attr: the attributes
 * @attrName: its name
 * @attrValue: the integer
 *
 * Context: one thread at a time for one @attr; never blocks. The value is copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrInt(aclopAttr *attr, const char *attrName,
					     int64_t attrValue);

/**
 * aclopSetAttrFloat() - sets an attribute to a floating-point number
 * @attr: the attributes
 * @attrName: its name
 * @attrValue: the number
 *
 * Context: one thread at a time for one @attr; never blocks. The value is copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrFloat(aclopAttr *attr, const char *attrName,
					       float attrValue);

/**
 * aclopSetAttrString() - sets an attribute to a text
 * @attr: the attributes
 * @attrName: its name
 * @attrValue: the text
 *
 * Context: one thread at a time for one @attr; never blocks. The value is copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrString(aclopAttr *attr, const char *attrName,
						const char *attrValue);

/**
 * aclopSetAttrDataType() - sets an attribute to a type
 * @attr: the attributes
 * @attrName: its name
 * @attrValue: the type
 *
 * Context: one thread at a time for one @attr; never blocks. The value is copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrDataType(aclopAttr *attr, const char *attrName,
						  aclDataType attrValue);

/**
 * aclopSetAttrListBool() - sets an attribute to truth values
 * @attr: the attributes
 * @attrName: its name
 * @numValues: how many
 * @values: 0 or 1 each
 *
 * Context: one thread at a time for one @attr; never blocks. The values are copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_PARAM_INVALID for a negative count.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrListBool(aclopAttr *attr, const char *attrName,
						  int numValues, const uint8_t *values);

/**
 * aclopSetAttrListInt() - sets an attribute to integers
 * @attr: the attributes
 * @attrName: its name
 * @numValues: how many
 * @values: the integers
 *
 * Context: one thread at a time for one @attr; never blocks. The values are copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_PARAM_INVALID for a negative count.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrListInt(aclopAttr *attr, const char *attrName,
						 int numValues, const int64_t *values);

/**
 * aclopSetAttrListFloat() - sets an attribute to floating-point numbers
 * @attr: the attributes
 * @attrName: its name
 * @numValues: how many
 * @values: the numbers
 *
 * Context: one thread at a time for one @attr; never blocks. The values are copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_PARAM_INVALID for a negative count.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrListFloat(aclopAttr *attr, const char *attrName,
						   int numValues, const float *values);

/**
 * aclopSetAttrListListInt() - sets an attribute to lists of integers
 * @attr: the attributes
 * @attrName: its name
 * @numLists: how many lists
 * @numValues: how many integers each list has
 * @values: the lists
 *
 * Context: one thread at a time for one @attr; never blocks. The values are copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_PARAM_INVALID for a negative count.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrListListInt(aclopAttr *attr, const char *attrName,
						     int numLists, const int *numValues,
						     const int64_t *const values[]);

/**
 * aclopSetAttrListString() - sets an attribute to texts
 * @attr: the attributes
 * @attrName: its name
 * @numValues: how many
 * @values: the texts
 *
 * Context: one thread at a time for one @attr; never blocks. The values are copied.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_PARAM_INVALID for a negative count.
 */
ACL_FUNC_VISIBILITY aclError aclopSetAttrListString(aclopAttr *attr, const char *attrName,
						    int numValues, const char **values);

/**
 * aclopSetModelDir() - loads the operators of a folder
 * @modelDir: a folder of compiled operators
 *
 * The folder has to be there. Its files are not read, because operators are compiled when they are called.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_FILE if there is no such folder, ACL_ERROR_REPEAT_INITIALIZE for the second call of a
 * process.
 */
ACL_FUNC_VISIBILITY aclError aclopSetModelDir(const char *modelDir);

/**
 * aclopLoad() - loads an operator from memory
 * @model: a file of `atc`
 * @modelSize: its bytes
 *
 * The file is checked and not kept, because operators are compiled when they are called.
 *
 * Context: any thread; never blocks.
 * Return: 0, or why the file is none of `atc`, as of aclmdlLoadFromMem().
 */
ACL_FUNC_VISIBILITY aclError aclopLoad(const void *model, size_t modelSize);

/**
 * aclopExecute() - runs an operator
 * @opType: name of the operator
 * @numInputs: how many inputs
 * @inputDesc: their descriptions
 * @inputs: their memory
 * @numOutputs: how many outputs
 * @outputDesc: their descriptions
 * @outputs: their memory
 * @attr: the attributes
 * @stream: a stream, or NULL
 *
 * Context: the function returns when the run is queued; elements of inputs in host memory are read before.
 * Return: 0; ACL_ERROR_OP_NOT_FOUND for an operator, a shape, a type or an attribute that is not supported;
 * ACL_ERROR_UNSUPPORTED_DATA_TYPE, ACL_ERROR_FORMAT_NOT_MATCH; ACL_ERROR_OP_INPUT_NOT_MATCH or
 * ACL_ERROR_OP_OUTPUT_NOT_MATCH for a buffer that is too small.
 */
ACL_FUNC_VISIBILITY aclError aclopExecute(const char *opType, int numInputs,
					  const aclTensorDesc *const inputDesc[],
					  const aclDataBuffer *const inputs[], int numOutputs,
					  const aclTensorDesc *const outputDesc[],
					  aclDataBuffer *const outputs[], const aclopAttr *attr,
					  aclrtStream stream);

/**
 * aclopExecuteV2() - the same; dims of -1 in descriptions of outputs receive what they are
 * @opType: name of the operator
 * @numInputs: how many inputs
 * @inputDesc: their descriptions
 * @inputs: their memory
 * @numOutputs: how many outputs
 * @outputDesc: their descriptions
 * @outputs: their memory
 * @attr: the attributes
 * @stream: a stream, or NULL
 *
 * Context: the function returns when the run is queued; elements of inputs in host memory are read before.
 * Return: as aclopExecute().
 */
ACL_FUNC_VISIBILITY aclError aclopExecuteV2(const char *opType, int numInputs,
					    aclTensorDesc *inputDesc[], aclDataBuffer *inputs[],
					    int numOutputs, aclTensorDesc *outputDesc[],
					    aclDataBuffer *outputs[], aclopAttr *attr,
					    aclrtStream stream);

/**
 * aclopCreateHandle() - compiles an operator for calls by aclopExecWithHandle()
 * @opType: name of the operator
 * @numInputs: how many inputs
 * @inputDesc: their descriptions
 * @numOutputs: how many outputs
 * @outputDesc: their descriptions
 * @opAttr: the attributes
 * @handle: out, the operator, which aclopDestroyHandle() destroys
 *
 * Context: any thread; never blocks. Descriptions and attributes are copied.
 * Return: as aclopExecute().
 */
ACL_FUNC_VISIBILITY aclError aclopCreateHandle(const char *opType, int numInputs,
					       const aclTensorDesc *const inputDesc[],
					       int numOutputs,
					       const aclTensorDesc *const outputDesc[],
					       const aclopAttr *opAttr, aclopHandle **handle);

/**
 * aclopDestroyHandle() - destroys a handle; runs under way go on
 * @handle: of aclopCreateHandle(), or NULL
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void aclopDestroyHandle(aclopHandle *handle);

/**
 * aclopExecWithHandle() - runs an operator that was found
 * @handle: of aclopCreateHandle()
 * @numInputs: how many inputs
 * @inputs: their memory
 * @numOutputs: how many outputs
 * @outputs: their memory
 * @stream: a stream, or NULL
 *
 * Context: the function returns when the run is queued; elements of inputs in host memory are read before.
 * Return: as aclopExecute(); ACL_ERROR_INVALID_PARAM for NULL.
 */
ACL_FUNC_VISIBILITY aclError aclopExecWithHandle(aclopHandle *handle, int numInputs,
						 const aclDataBuffer *const inputs[],
						 int numOutputs, aclDataBuffer *const outputs[],
						 aclrtStream stream);

/**
 * aclopCast() - converts the elements of a tensor
 * @srcDesc: description of the source
 * @srcBuffer: its memory
 * @dstDesc: description of the result
 * @dstBuffer: its memory
 * @truncate: 0
 * @stream: a stream, or NULL
 *
 * Context: the function returns when the run is queued; elements of inputs in host memory are read before.
 * Return: as aclopExecute(); ACL_ERROR_INVALID_PARAM for another @truncate.
 */
ACL_FUNC_VISIBILITY aclError aclopCast(const aclTensorDesc *srcDesc, const aclDataBuffer *srcBuffer,
				       const aclTensorDesc *dstDesc, aclDataBuffer *dstBuffer,
				       uint8_t truncate, aclrtStream stream);

/**
 * aclopInferShape() - finds the shapes of an operator's results
 * @opType: the name of the operator
 * @numInputs: operands that it reads
 * @inputDesc: their descriptions
 * @inputs: their memory
 * @numOutputs: operands that it writes
 * @outputDesc: out, their descriptions
 * @attr: the attributes
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclopInferShape(const char *opType, int numInputs,
					     aclTensorDesc *inputDesc[], aclDataBuffer *inputs[],
					     int numOutputs, aclTensorDesc *outputDesc[],
					     aclopAttr *attr);

/**
 * aclopSetMaxOpQueueNum() - limits how many compiled operators a process keeps
 * @maxOpNum: the limit, 1 or more; it is 256 at first
 *
 * Context: any thread; may wait for runs of the operators that it drops, which were used least lately.
 * Return: 0, ACL_ERROR_INVALID_PARAM for 0.
 */
ACL_FUNC_VISIBILITY aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum);

/**
 * aclopRegisterCompileFunc() - registers a function that chooses kernels for an operator
 * @opType: the name of the operator
 * @func: the function
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclopRegisterCompileFunc(const char *opType, aclopCompileFunc func);

/**
 * aclopUnregisterCompileFunc() - ends a registration
 * @opType: the name of the operator
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclopUnregisterCompileFunc(const char *opType);

/**
 * aclopCreateKernel() - registers a kernel of an operator
 * @opType: the name of the operator
 * @kernelId: the name by which a function that chooses kernels knows it
 * @kernelName: its name in the binary
 * @binData: the binary
 * @binSize: bytes
 * @enginetype: the unit
 * @deallocator: frees @binData; NULL if the caller does
 *
 * aclrtBinaryLoadFromData() loads a kernel.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT; @deallocator is not called.
 */
ACL_FUNC_VISIBILITY aclError aclopCreateKernel(const char *opType, const char *kernelId,
					       const char *kernelName, void *binData, int binSize,
					       aclopEngineType enginetype,
					       aclDataDeallocator deallocator);

/**
 * aclopSetKernelArgs() - sets the arguments of a kernel that was chosen
 * @kernelDesc: the kernel
 * @kernelId: its name
 * @blockDim: blocks
 * @args: the arguments
 * @argSize: bytes
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclopSetKernelArgs(aclopKernelDesc *kernelDesc, const char *kernelId,
						uint32_t blockDim, const void *args,
						uint32_t argSize);

/**
 * aclopSetKernelWorkspaceSizes() - sets the workspaces of a kernel that was chosen
 * @kernelDesc: the kernel
 * @numWorkspaces: workspaces
 * @workspaceSizes: their sizes in bytes
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc *kernelDesc,
							  int numWorkspaces,
							  size_t *workspaceSizes);

/**
 * aclopUpdateParams() - has the function of an operator choose a kernel
 * @opType: the name of the operator
 * @numInputs: operands that it reads
 * @inputDesc: their descriptions
 * @numOutputs: operands that it writes
 * @outputDesc: their descriptions
 * @attr: the attributes
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclopUpdateParams(const char *opType, int numInputs,
					       const aclTensorDesc *const inputDesc[],
					       int numOutputs,
					       const aclTensorDesc *const outputDesc[],
					       const aclopAttr *attr);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_OP_H */
