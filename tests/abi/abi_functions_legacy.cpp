// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: descriptions of tensors, the legacy operator path
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "acl/acl_op_compiler.h"

namespace {

/* acl_base_mdl.h */
SAME(aclCreateTensorDesc, aclTensorDesc *(aclDataType, int, const int64_t *, aclFormat));
SAME(aclDestroyTensorDesc, void(const aclTensorDesc *));
SAME(aclSetTensorShapeRange, aclError(aclTensorDesc *, size_t, int64_t[][2]));
SAME(aclGetTensorDescType, aclDataType(const aclTensorDesc *));
SAME(aclGetTensorDescFormat, aclFormat(const aclTensorDesc *));
SAME(aclGetTensorDescSize, size_t(const aclTensorDesc *));
SAME(aclGetTensorDescElementCount, size_t(const aclTensorDesc *));
SAME(aclGetTensorDescNumDims, size_t(const aclTensorDesc *));
SAME(aclGetTensorDescDim, int64_t(const aclTensorDesc *, size_t));
SAME(aclGetTensorDescDimV2, aclError(const aclTensorDesc *, size_t, int64_t *));
SAME(aclGetTensorDescDimRange, aclError(const aclTensorDesc *, size_t, size_t, int64_t *));
SAME(aclSetTensorDescName, void(aclTensorDesc *, const char *));
SAME(aclGetTensorDescName, const char *(aclTensorDesc *));
SAME(aclSetTensorFormat, aclError(aclTensorDesc *, aclFormat));
SAME(aclSetTensorShape, aclError(aclTensorDesc *, int, const int64_t *));
SAME(aclSetTensorPlaceMent, aclError(aclTensorDesc *, aclMemType));
SAME(aclSetTensorConst, aclError(aclTensorDesc *, void *, size_t));

/* acl_op.h */
SAME(aclopCreateAttr, aclopAttr *());
SAME(aclopDestroyAttr, void(const aclopAttr *));
SAME(aclopSetAttrBool, aclError(aclopAttr *, const char *, uint8_t));
SAME(aclopSetAttrInt, aclError(aclopAttr *, const char *, int64_t));
SAME(aclopSetAttrFloat, aclError(aclopAttr *, const char *, float));
SAME(aclopSetAttrString, aclError(aclopAttr *, const char *, const char *));
SAME(aclopSetAttrDataType, aclError(aclopAttr *, const char *, aclDataType));
SAME(aclopSetAttrListBool, aclError(aclopAttr *, const char *, int, const uint8_t *));
SAME(aclopSetAttrListInt, aclError(aclopAttr *, const char *, int, const int64_t *));
SAME(aclopSetAttrListFloat, aclError(aclopAttr *, const char *, int, const float *));
SAME(aclopSetAttrListListInt,
     aclError(aclopAttr *, const char *, int, const int *, const int64_t *const[]));

/* acl_op_compiler.h */
SAME(aclSetCompileopt, aclError(aclCompileOpt, const char *));
SAME(aclGetCompileoptSize, size_t(aclCompileOpt));
SAME(aclGetCompileopt, aclError(aclCompileOpt, char *, size_t));
SAME(aclopCompileAndExecute,
     aclError(const char *, int, const aclTensorDesc *const[], const aclDataBuffer *const[], int,
	      const aclTensorDesc *const[], aclDataBuffer *const[], const aclopAttr *,
	      aclopEngineType, aclopCompileType, const char *, aclrtStream));
SAME(aclopCompileAndExecuteV2,
     aclError(const char *, int, aclTensorDesc *[], aclDataBuffer *[], int, aclTensorDesc *[],
	      aclDataBuffer *[], aclopAttr *, aclopEngineType, aclopCompileType, const char *,
	      aclrtStream));
SAME(aclGenGraphAndDumpForOp,
     aclError(const char *, int, const aclTensorDesc *const[], const aclDataBuffer *const[], int,
	      const aclTensorDesc *const[], aclDataBuffer *const[], const aclopAttr *,
	      aclopEngineType, const char *, const aclGraphDumpOption *));
SAME(aclCreateGraphDumpOpt, aclGraphDumpOption *());
SAME(aclDestroyGraphDumpOpt, aclError(const aclGraphDumpOption *));

} // namespace
