// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: operators
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"

namespace {

SAME(aclCreateTensor, aclTensor *(const int64_t *, uint64_t, aclDataType, const int64_t *, int64_t,
				  aclFormat, const int64_t *, uint64_t, void *));
SAME(aclCreateScalar, aclScalar *(void *, aclDataType));
SAME(aclCreateIntArray, aclIntArray *(const int64_t *, uint64_t));
SAME(aclCreateFloatArray, aclFloatArray *(const float *, uint64_t));
SAME(aclCreateBoolArray, aclBoolArray *(const bool *, uint64_t));
SAME(aclCreateTensorList, aclTensorList *(const aclTensor *const *, uint64_t));
SAME(aclCreateScalarList, aclScalarList *(const aclScalar *const *, uint64_t));
SAME(aclDestroyTensor, aclnnStatus(const aclTensor *));
SAME(aclDestroyScalar, aclnnStatus(const aclScalar *));
SAME(aclDestroyIntArray, aclnnStatus(const aclIntArray *));
SAME(aclDestroyFloatArray, aclnnStatus(const aclFloatArray *));
SAME(aclDestroyBoolArray, aclnnStatus(const aclBoolArray *));
SAME(aclDestroyTensorList, aclnnStatus(const aclTensorList *));
SAME(aclDestroyScalarList, aclnnStatus(const aclScalarList *));
SAME(aclGetViewShape, aclnnStatus(const aclTensor *, int64_t **, uint64_t *));
SAME(aclGetStorageShape, aclnnStatus(const aclTensor *, int64_t **, uint64_t *));
SAME(aclGetViewStrides, aclnnStatus(const aclTensor *, int64_t **, uint64_t *));
SAME(aclGetViewOffset, aclnnStatus(const aclTensor *, int64_t *));
SAME(aclGetFormat, aclnnStatus(const aclTensor *, aclFormat *));
SAME(aclGetDataType, aclnnStatus(const aclTensor *, aclDataType *));
SAME(aclGetIntArraySize, aclnnStatus(const aclIntArray *, uint64_t *));
SAME(aclGetFloatArraySize, aclnnStatus(const aclFloatArray *, uint64_t *));
SAME(aclGetBoolArraySize, aclnnStatus(const aclBoolArray *, uint64_t *));
SAME(aclGetTensorListSize, aclnnStatus(const aclTensorList *, uint64_t *));
SAME(aclGetScalarListSize, aclnnStatus(const aclScalarList *, uint64_t *));
SAME(aclSetAclOpExecutorRepeatable, aclnnStatus(aclOpExecutor *));
SAME(aclDestroyAclOpExecutor, aclnnStatus(aclOpExecutor *));
SAME(aclSetTensorAddr, aclnnStatus(aclOpExecutor *, size_t, aclTensor *, void *));
SAME(aclSetInputTensorAddr, aclnnStatus(aclOpExecutor *, size_t, aclTensor *, void *));
SAME(aclSetOutputTensorAddr, aclnnStatus(aclOpExecutor *, size_t, aclTensor *, void *));
SAME(aclSetRawTensorAddr, aclnnStatus(aclTensor *, void *));
SAME(aclGetRawTensorAddr, aclnnStatus(const aclTensor *, void **));
SAME(aclnnInit, aclnnStatus(const char *));
SAME(aclnnFinalize, aclnnStatus());
SAME(aclnnAddGetWorkspaceSize, aclnnStatus(const aclTensor *, const aclTensor *, const aclScalar *,
					   aclTensor *, uint64_t *, aclOpExecutor **));
SAME(aclnnInplaceAddGetWorkspaceSize, aclnnStatus(const aclTensor *, const aclTensor *,
						  const aclScalar *, uint64_t *, aclOpExecutor **));
SAME(aclnnMulGetWorkspaceSize,
     aclnnStatus(const aclTensor *, const aclTensor *, aclTensor *, uint64_t *, aclOpExecutor **));
SAME(aclnnInplaceMulGetWorkspaceSize,
     aclnnStatus(aclTensor *, const aclTensor *, uint64_t *, aclOpExecutor **));
SAME(aclnnAdd, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));
SAME(aclnnInplaceAdd, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));
SAME(aclnnMul, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));
SAME(aclnnInplaceMul, aclnnStatus(void *, uint64_t, aclOpExecutor *, aclrtStream));

} // namespace
