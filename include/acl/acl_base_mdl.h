/* SPDX-License-Identifier: MIT */
/*
 * DOC: Descriptions of tensors
 *
 * A description has the type, format, shape and name of a tensor, and no data. Datasets of offline models take them
 * (aclmdlSetDatasetTensorDesc), and legacy operators, of which this implementation has none. Operators of aclnn take an
 * aclTensor instead, see aclnn/acl_meta.h.
 *
 * Every function may be called from any thread and never blocks; one description must not be used by two threads at
 * once if one of them changes it. A description holds copies of everything that it is made of, except the memory of a
 * constant.
 *
 * A description that was destroyed, or something else, is never read: functions return ACL_ERROR_RT_INVALID_HANDLE, and
 * those without an error code what they return for NULL. Both leave an error sentence.
 */
#ifndef ACL_ACL_BASE_MDL_H
#define ACL_ACL_BASE_MDL_H

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of a range of a dimension: the least and the greatest length. */
#define ACL_TENSOR_SHAPE_RANGE_NUM 2

/* Numbers of a range of a value: the least and the greatest one. */
#define ACL_TENSOR_VALUE_RANGE_NUM 2

/* A shape whose number of dimensions is unknown has this one dimension. */
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

/** typedef aclTensorDesc - type, format, shape and name of a tensor. */
typedef struct aclTensorDesc aclTensorDesc;

/**
 * aclCreateTensorDesc() - creates a description
 * @dataType: the type of an element
 * @numDims: dimensions, from 0 on
 * @dims: their lengths, the outermost first; -1 for one that is unknown; may be NULL if there are none
 * @format: the order of the elements
 *
 * Context: any thread; never blocks.
 * Return: a description to be destroyed by aclDestroyTensorDesc(), or NULL for an invalid argument or without memory.
 */
ACL_FUNC_VISIBILITY aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims,
						       const int64_t *dims, aclFormat format);

/**
 * aclDestroyTensorDesc() - destroys a description
 * @desc: invalid afterwards; may be NULL
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void aclDestroyTensorDesc(const aclTensorDesc *desc);

/**
 * aclSetTensorShapeRange() - sets the range of each dimension of a shape that is not known yet
 * @desc: the description
 * @dimsCount: dimensions, as many as the shape has
 * @dimsRange: the least and the greatest length of each one; -1 as the greatest one for no limit
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorShapeRange(
	aclTensorDesc *desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);

/**
 * aclGetTensorDescType() - the type of an element
 * @desc: the description
 *
 * Context: any thread; never blocks.
 * Return: the type; ACL_DT_UNDEFINED for NULL.
 */
ACL_FUNC_VISIBILITY aclDataType aclGetTensorDescType(const aclTensorDesc *desc);

/**
 * aclGetTensorDescFormat() - the order of the elements
 * @desc: the description
 *
 * Context: any thread; never blocks.
 * Return: the format; ACL_FORMAT_UNDEFINED for NULL.
 */
ACL_FUNC_VISIBILITY aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);

/**
 * aclGetTensorDescSize() - bytes of the tensor
 * @desc: the description
 *
 * Context: any thread; never blocks.
 * Return: bytes; 0 for NULL, for an unknown dimension, and if they do not fit into a size_t.
 */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescSize(const aclTensorDesc *desc);

/**
 * aclGetTensorDescElementCount() - elements of the tensor
 * @desc: the description
 *
 * Context: any thread; never blocks.
 * Return: elements, 1 for a shape without dimensions; 0 for NULL, for an unknown dimension, and if they do not fit
 * into a size_t.
 */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescElementCount(const aclTensorDesc *desc);

/**
 * aclGetTensorDescNumDims() - dimensions of the shape
 * @desc: the description
 *
 * Context: any thread; never blocks.
 * Return: dimensions; ACL_UNKNOWN_RANK for a shape whose one dimension is ACL_UNKNOWN_RANK; 0 for NULL.
 */
ACL_FUNC_VISIBILITY size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);

/**
 * aclGetTensorDescDim() - the length of a dimension
 * @desc: the description
 * @index: the dimension, from 0 on
 *
 * aclGetTensorDescDimV2() tells an unknown dimension from an error.
 *
 * Context: any thread; never blocks.
 * Return: the length; -1 for an invalid argument.
 */
ACL_FUNC_VISIBILITY int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index);

/**
 * aclGetTensorDescDimV2() - the length of a dimension
 * @desc: the description
 * @index: the dimension, from 0 on
 * @dimSize: out, the length; -1 for one that is unknown
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index,
						   int64_t *dimSize);

/**
 * aclGetTensorDescDimRange() - the range of a dimension
 * @desc: the description
 * @index: the dimension, from 0 on
 * @dimRangeNum: room in @dimRange, ACL_TENSOR_SHAPE_RANGE_NUM
 * @dimRange: out, the least and the greatest length. A dimension without a range has its length as both.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index,
						      size_t dimRangeNum, int64_t *dimRange);

/**
 * aclSetTensorDescName() - names the tensor
 * @desc: the description; nothing happens if it is NULL
 * @name: the name; NULL for none
 *
 * Context: any thread; never blocks.
 */
ACL_FUNC_VISIBILITY void aclSetTensorDescName(aclTensorDesc *desc, const char *name);

/**
 * aclGetTensorDescName() - the name of the tensor
 * @desc: the description
 *
 * Context: any thread; never blocks.
 * Return: text owned by the description, until its name changes; empty for none; NULL for NULL.
 */
ACL_FUNC_VISIBILITY const char *aclGetTensorDescName(aclTensorDesc *desc);

/**
 * aclSetTensorFormat() - sets the order that the elements have in memory
 * @desc: the description
 * @format: the order; aclGetTensorDescFormat() still gives that of the description's creation
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);

/**
 * aclSetTensorShape() - sets the shape that the tensor has in memory
 * @desc: the description
 * @numDims: dimensions, from 0 on
 * @dims: their lengths; aclGetTensorDescDimV2() still gives those of the description's creation
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorShape(aclTensorDesc *desc, int numDims,
					       const int64_t *dims);

/**
 * aclSetTensorPlaceMent() - says where the memory of the tensor is
 * @desc: the description
 * @memType: on the device or on the host
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL and for another @memType, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType);

/**
 * aclSetTensorConst() - says that the tensor is a constant
 * @desc: the description
 * @dataBuffer: its data on the host, owned by the caller; NULL for no constant
 * @length: bytes; 0 for no constant
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer,
					       size_t length);

/**
 * aclSetTensorStorageFormat() - older name of aclSetTensorFormat()
 * @desc: the description
 * @format: the order
 *
 * Context: any thread; never blocks.
 * Return: as aclSetTensorFormat().
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageFormat(aclTensorDesc *desc, aclFormat format);

/**
 * aclSetTensorStorageShape() - older name of aclSetTensorShape()
 * @desc: the description
 * @numDims: dimensions, from 0 on
 * @dims: their lengths
 *
 * Context: any thread; never blocks.
 * Return: as aclSetTensorShape().
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorStorageShape(aclTensorDesc *desc, int numDims,
						      const int64_t *dims);

/**
 * aclSetTensorOriginFormat() - sets the order that the elements had before they were converted
 * @desc: the description
 * @format: the order; no function gives it back
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginFormat(aclTensorDesc *desc, aclFormat format);

/**
 * aclSetTensorOriginShape() - sets the shape that the tensor had before it was converted
 * @desc: the description
 * @numDims: dimensions, from 0 on
 * @dims: their lengths; no function gives them back
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorOriginShape(aclTensorDesc *desc, int numDims,
						     const int64_t *dims);

/**
 * aclSetTensorDynamicInput() - says of which group of inputs the tensor is, for operators that take any number
 * @desc: the description
 * @dynamicInputName: the name of the group; NULL for none; no function gives it back
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorDynamicInput(aclTensorDesc *desc,
						      const char *dynamicInputName);

/**
 * aclSetTensorValueRange() - sets the ranges of the tensor's values, where they are the shape of a result
 * @desc: the description
 * @valueCount: values
 * @valueRange: the least and the greatest of each value; -1 as the greatest one for no limit; no function gives them
 * back
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM for NULL, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclSetTensorValueRange(
	aclTensorDesc *desc, size_t valueCount, int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);

/**
 * aclTransTensorDescFormat() - creates a description with another order of the elements
 * @srcDesc: the description
 * @dstFormat: the order
 * @dstDesc: out
 *
 * The interface reserves it.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclTransTensorDescFormat(const aclTensorDesc *srcDesc,
						      aclFormat dstFormat, aclTensorDesc **dstDesc);

/**
 * aclGetTensorDescByIndex() - a description of a list
 * @desc: the list, of aclmdlCreateAndGetOpDesc(); another description is a list of itself
 * @index: the description, from 0 on
 *
 * Context: any thread; never blocks.
 * Return: the description, which ends with the list; NULL for an index that the list does not have.
 */
ACL_FUNC_VISIBILITY aclTensorDesc *aclGetTensorDescByIndex(aclTensorDesc *desc, size_t index);

/**
 * aclGetTensorDescAddress() - the memory of a tensor
 * @desc: of aclmdlCreateAndGetOpDesc()
 *
 * Context: any thread; never blocks.
 * Return: the address of the first element; NULL for a description that the program made.
 */
ACL_FUNC_VISIBILITY void *aclGetTensorDescAddress(const aclTensorDesc *desc);

#ifdef __cplusplus
}
#endif

#endif /* ACL_ACL_BASE_MDL_H */
