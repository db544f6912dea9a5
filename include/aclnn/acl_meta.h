/* SPDX-License-Identifier: MIT */
/*
 * DOC: Operands of operators
 *
 * Tensors, scalars and arrays are the arguments of operators. They describe data and own copies of
 * everything that they were created from, except the tensor data. The first phase of an operator copies
 * the descriptions that it needs. A program may destroy these objects when the second phase has
 * returned.
 *
 * Every function may be called from any thread and never blocks; one object must not be used by two
 * threads at once. Create functions return NULL when an argument is invalid or there is no memory. The
 * others return 0, 161001 when a required pointer is NULL, or 161002 for another invalid argument.
 */
#ifndef ACLNN_META
#define ACLNN_META

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** typedef aclnnStatus - 0, or the error of an operator call. */
typedef int32_t aclnnStatus;

/* No warnings if a program does not use the constant. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif

/* Success of an operator call. */
static const aclnnStatus OK = 0;

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/** typedef aclOpExecutor - one prepared call of an operator. */
typedef struct aclOpExecutor aclOpExecutor;
/** typedef aclTensor - a strided view of device memory. */
typedef struct aclTensor aclTensor;
/** typedef aclScalar - one typed number. */
typedef struct aclScalar aclScalar;
/** typedef aclIntArray - an array of int64_t. */
typedef struct aclIntArray aclIntArray;
/** typedef aclFloatArray - an array of float. */
typedef struct aclFloatArray aclFloatArray;
/** typedef aclBoolArray - an array of bool. */
typedef struct aclBoolArray aclBoolArray;
/** typedef aclTensorList - an array of tensors that owns them. */
typedef struct aclTensorList aclTensorList;
/** typedef aclScalarList - an array of scalars that owns them. */
typedef struct aclScalarList aclScalarList;

/**
 * aclCreateTensor() - describes a strided view of device memory
 * @viewDims: sizes of the view, outermost first, copied
 * @viewDimsNum: elements of @viewDims and @stride, 0 .. 8
 * @dataType: element type
 * @stride: steps in elements, copied; 0 repeats an element; NULL when the view is contiguous
 * @offset: first element of the view, in elements from @tensorData
 * @format: meaning of the dimensions
 * @storageDims: sizes of the memory that the view is part of, copied
 * @storageDimsNum: elements of @storageDims
 * @tensorData: device address, owned by the caller; may be NULL
 *
 * Context: any thread; never blocks.
 * Return: the tensor, owned by the caller, or NULL.
 */
ACL_FUNC_VISIBILITY aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum,
					       aclDataType dataType, const int64_t *stride,
					       int64_t offset, aclFormat format,
					       const int64_t *storageDims, uint64_t storageDimsNum,
					       void *tensorData);

/**
 * aclCreateScalar() - makes a scalar
 * @value: host address of the number, copied
 * @dataType: its type
 *
 * Context: any thread; never blocks.
 * Return: the scalar, owned by the caller, or NULL.
 */
ACL_FUNC_VISIBILITY aclScalar *aclCreateScalar(void *value, aclDataType dataType);

/**
 * aclCreateIntArray() - makes an array
 * @value: elements, copied
 * @size: elements of @value
 *
 * Context: any thread; never blocks.
 * Return: the array, owned by the caller, or NULL.
 */
ACL_FUNC_VISIBILITY aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size);

/**
 * aclCreateFloatArray() - makes an array
 * @value: elements, copied
 * @size: elements of @value
 *
 * Context: any thread; never blocks.
 * Return: the array, owned by the caller, or NULL.
 */
ACL_FUNC_VISIBILITY aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size);

/**
 * aclCreateBoolArray() - makes an array
 * @value: elements, copied
 * @size: elements of @value
 *
 * Context: any thread; never blocks.
 * Return: the array, owned by the caller, or NULL.
 */
ACL_FUNC_VISIBILITY aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size);

/**
 * aclCreateTensorList() - makes a list of tensors
 * @value: tensors; the list owns them from now on
 * @size: elements of @value
 *
 * Context: any thread; never blocks.
 * Return: the list, owned by the caller, or NULL, and then the tensors stay the caller's.
 */
ACL_FUNC_VISIBILITY aclTensorList *aclCreateTensorList(const aclTensor *const *value,
						       uint64_t size);

/**
 * aclCreateScalarList() - makes a list of scalars
 * @value: scalars; the list owns them from now on
 * @size: elements of @value
 *
 * Context: any thread; never blocks.
 * Return: the list, owned by the caller, or NULL, and then the scalars stay the caller's.
 */
ACL_FUNC_VISIBILITY aclScalarList *aclCreateScalarList(const aclScalar *const *value,
						       uint64_t size);

/**
 * aclDestroyTensor() - destroys a tensor, not its data
 * @tensor: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensor(const aclTensor *tensor);

/**
 * aclDestroyScalar() - destroys a scalar
 * @scalar: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalar(const aclScalar *scalar);

/**
 * aclDestroyIntArray() - destroys an array
 * @array: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyIntArray(const aclIntArray *array);

/**
 * aclDestroyFloatArray() - destroys an array
 * @array: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyFloatArray(const aclFloatArray *array);

/**
 * aclDestroyBoolArray() - destroys an array
 * @array: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);

/**
 * aclDestroyTensorList() - destroys a list and its tensors
 * @list: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none, or if a member was destroyed before; the other
 * members are destroyed then, too.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensorList(const aclTensorList *list);

/**
 * aclDestroyScalarList() - destroys a list and its scalars
 * @list: invalid afterwards; NULL is ignored
 *
 * Context: any thread; never blocks.
 * Return: 0, or 161002 for one that was destroyed or is none, or if a member was destroyed before; the other
 * members are destroyed then, too.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalarList(const aclScalarList *list);

/**
 * aclGetViewShape() - the sizes of a tensor's view
 * @tensor: the tensor
 * @viewDims: out, array made with new int64_t[]; the caller releases it with delete[]
 * @viewDimsNum: out, elements of the array
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims,
						uint64_t *viewDimsNum);

/**
 * aclGetStorageShape() - the sizes of the memory that a tensor's view is part of
 * @tensor: the tensor
 * @storageDims: out, array made with new int64_t[]; the caller releases it with delete[]
 * @storageDimsNum: out, elements of the array
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
						   uint64_t *storageDimsNum);

/**
 * aclGetViewStrides() - the steps of a tensor's view, in elements
 * @tensor: the tensor
 * @stridesValue: out, array made with new int64_t[]; the caller releases it with delete[]
 * @stridesNum: out, elements of the array
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue,
						  uint64_t *stridesNum);

/**
 * aclGetViewOffset() - where a tensor's view starts
 * @tensor: the tensor
 * @offset: out, elements
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset);

/**
 * aclGetFormat() - the meaning of a tensor's dimensions
 * @tensor: the tensor
 * @format: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format);

/**
 * aclGetDataType() - the element type of a tensor
 * @tensor: the tensor
 * @dataType: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType);

/**
 * aclGetIntArraySize() - how many elements there are
 * @array: the array
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size);

/**
 * aclGetFloatArraySize() - how many elements there are
 * @array: the array
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size);

/**
 * aclGetBoolArraySize() - how many elements there are
 * @array: the array
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size);

/**
 * aclGetTensorListSize() - how many elements there are
 * @list: the list
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetTensorListSize(const aclTensorList *list, uint64_t *size);

/**
 * aclGetScalarListSize() - how many elements there are
 * @list: the list
 * @size: out
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetScalarListSize(const aclScalarList *list, uint64_t *size);

/**
 * aclSetAclOpExecutorRepeatable() - makes an executor usable for more than one second phase
 * @executor: the executor of a first phase; the caller owns it from now on
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when @executor is NULL, or 161002 when it was launched or destroyed.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);

/**
 * aclDestroyAclOpExecutor() - destroys an executor that was made repeatable
 * @executor: invalid afterwards
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when @executor is NULL, or 161002 when it was launched or destroyed.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);

/**
 * aclSetTensorAddr() - gives a tensor of a prepared operator another address
 * @executor: a repeatable executor
 * @index: from 0, among all tensors of the first phase, in the order of its parameters; the members of a list
 *	count one by one, without those that have no elements
 * @tensor: the tensor of the first phase, or one with the same shape, type, strides and offset
 * @addr: device address that takes the place of the tensor's data
 *
 * Context: any thread, with no launch of the executor in progress; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002 when @executor or @tensor is not that, or there is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index,
						 aclTensor *tensor, void *addr);

/**
 * aclSetInputTensorAddr() - the same for an input
 * @executor: a repeatable executor
 * @index: from 0, among the tensors that are read
 * @tensor: the tensor of the first phase, or one with the same shape, type, strides and offset
 * @addr: device address that takes the place of the tensor's data
 *
 * Context: any thread, with no launch of the executor in progress; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002 when @executor or @tensor is not that, or there is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index,
						      aclTensor *tensor, void *addr);

/**
 * aclSetOutputTensorAddr() - the same for an output
 * @executor: a repeatable executor
 * @index: from 0, among the tensors that are written
 * @tensor: the tensor of the first phase, or one with the same shape, type, strides and offset
 * @addr: device address that takes the place of the tensor's data
 *
 * Context: any thread, with no launch of the executor in progress; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002 when @executor or @tensor is not that, or there is none.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index,
						       aclTensor *tensor, void *addr);

/**
 * aclSetRawTensorAddr() - gives a tensor other data
 * @tensor: the tensor; prepared operators keep the old address
 * @addr: device address
 *
 * Context: one thread at a time for a tensor; never blocks.
 * Return: 0, 161001 when @tensor is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr);

/**
 * aclGetRawTensorAddr() - the data of a tensor
 * @tensor: the tensor
 * @addr: out, its device address, without the offset
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a pointer is NULL, or 161002.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr);

#ifdef __cplusplus
}
#endif

#endif /* ACLNN_META */
