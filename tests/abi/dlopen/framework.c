/* SPDX-License-Identifier: MIT */
/*
 * DOC: A library that is linked as a training framework's is
 *
 * It names the functions of the legacy operator path itself and is linked with -z now, so that it can be opened only
 * if each of them exists, and with --no-as-needed, so that each library has to be there, used or not.
 */
void aclCreateTensorDesc(void);
void aclDestroyTensorDesc(void);
void aclGetTensorDescDimV2(void);
void aclGetTensorDescFormat(void);
void aclGetTensorDescNumDims(void);
void aclGetTensorDescType(void);
void aclSetTensorConst(void);
void aclSetTensorDescName(void);
void aclSetTensorFormat(void);
void aclSetTensorPlaceMent(void);
void aclSetTensorShape(void);
void aclSetTensorShapeRange(void);
void aclopCompileAndExecute(void);
void aclopCreateAttr(void);
void aclopDestroyAttr(void);
void aclopSetAttrBool(void);
void aclopSetAttrDataType(void);
void aclopSetAttrFloat(void);
void aclopSetAttrInt(void);
void aclopSetAttrListBool(void);
void aclopSetAttrListFloat(void);
void aclopSetAttrListInt(void);
void aclopSetAttrListListInt(void);
void aclopSetAttrString(void);

__attribute__((visibility("default"))) void (*const framework_functions[])(void) = {
	aclCreateTensorDesc,
	aclDestroyTensorDesc,
	aclGetTensorDescDimV2,
	aclGetTensorDescFormat,
	aclGetTensorDescNumDims,
	aclGetTensorDescType,
	aclSetTensorConst,
	aclSetTensorDescName,
	aclSetTensorFormat,
	aclSetTensorPlaceMent,
	aclSetTensorShape,
	aclSetTensorShapeRange,
	aclopCompileAndExecute,
	aclopCreateAttr,
	aclopDestroyAttr,
	aclopSetAttrBool,
	aclopSetAttrDataType,
	aclopSetAttrFloat,
	aclopSetAttrInt,
	aclopSetAttrListBool,
	aclopSetAttrListFloat,
	aclopSetAttrListInt,
	aclopSetAttrListListInt,
	aclopSetAttrString,
	0,
};
