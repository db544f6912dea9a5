// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: descriptions of tensors, the legacy operator path
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "acl/acl_mdl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_rt.h"
#include "acl/ops/acl_cblas.h"
#include "acl/ops/acl_dvpp.h"

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
SAME(aclSetTensorStorageFormat, aclError(aclTensorDesc *, aclFormat));
SAME(aclSetTensorStorageShape, aclError(aclTensorDesc *, int, const int64_t *));
SAME(aclSetTensorOriginFormat, aclError(aclTensorDesc *, aclFormat));
SAME(aclSetTensorOriginShape, aclError(aclTensorDesc *, int, const int64_t *));
SAME(aclSetTensorDynamicInput, aclError(aclTensorDesc *, const char *));
SAME(aclSetTensorValueRange, aclError(aclTensorDesc *, size_t, int64_t[][2]));
SAME(aclTransTensorDescFormat, aclError(const aclTensorDesc *, aclFormat, aclTensorDesc **));
SAME(aclGetTensorDescByIndex, aclTensorDesc *(aclTensorDesc *, size_t));
SAME(aclGetTensorDescAddress, void *(const aclTensorDesc *));
SAME(aclopInferShape, aclError(const char *, int, aclTensorDesc *[], aclDataBuffer *[], int,
			       aclTensorDesc *[], aclopAttr *));
SAME(aclopSetMaxOpQueueNum, aclError(uint64_t));
SAME(aclopRegisterCompileFunc, aclError(const char *, aclopCompileFunc));
SAME(aclopUnregisterCompileFunc, aclError(const char *));
SAME(aclopCreateKernel, aclError(const char *, const char *, const char *, void *, int,
				 aclopEngineType, aclDataDeallocator));
SAME(aclopSetKernelArgs,
     aclError(aclopKernelDesc *, const char *, uint32_t, const void *, uint32_t));
SAME(aclopSetKernelWorkspaceSizes, aclError(aclopKernelDesc *, int, size_t *));
SAME(aclopUpdateParams, aclError(const char *, int, const aclTensorDesc *const[], int,
				 const aclTensorDesc *const[], const aclopAttr *));
SAME(aclopSetCompileFlag, aclError(aclOpCompileFlag));

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
SAME(aclopSetAttrListString, aclError(aclopAttr *, const char *, int, const char **));
SAME(aclopSetModelDir, aclError(const char *));
SAME(aclopLoad, aclError(const void *, size_t));
SAME(aclopExecute, aclError(const char *, int, const aclTensorDesc *const[],
			    const aclDataBuffer *const[], int, const aclTensorDesc *const[],
			    aclDataBuffer *const[], const aclopAttr *, aclrtStream));
SAME(aclopExecuteV2, aclError(const char *, int, aclTensorDesc *[], aclDataBuffer *[], int,
			      aclTensorDesc *[], aclDataBuffer *[], aclopAttr *, aclrtStream));
SAME(aclopCreateHandle, aclError(const char *, int, const aclTensorDesc *const[], int,
				 const aclTensorDesc *const[], const aclopAttr *, aclopHandle **));
SAME(aclopDestroyHandle, void(aclopHandle *));
SAME(aclopExecWithHandle, aclError(aclopHandle *, int, const aclDataBuffer *const[], int,
				   aclDataBuffer *const[], aclrtStream));
SAME(aclopCast, aclError(const aclTensorDesc *, const aclDataBuffer *, const aclTensorDesc *,
			 aclDataBuffer *, uint8_t, aclrtStream));

/* acl_mdl.h */
SAME(aclmdlQuerySize, aclError(const char *, size_t *, size_t *));
SAME(aclmdlQuerySizeFromMem, aclError(const void *, size_t, size_t *, size_t *));
SAME(aclmdlLoadFromFile, aclError(const char *, uint32_t *));
SAME(aclmdlLoadFromMem, aclError(const void *, size_t, uint32_t *));
SAME(aclmdlLoadFromFileWithMem, aclError(const char *, uint32_t *, void *, size_t, void *, size_t));
SAME(aclmdlLoadFromMemWithMem,
     aclError(const void *, size_t, uint32_t *, void *, size_t, void *, size_t));
SAME(aclmdlCreateConfigHandle, aclmdlConfigHandle *());
SAME(aclmdlDestroyConfigHandle, aclError(aclmdlConfigHandle *));
SAME(aclmdlSetConfigOpt, aclError(aclmdlConfigHandle *, aclmdlConfigAttr, const void *, size_t));
SAME(aclmdlLoadWithConfig, aclError(const aclmdlConfigHandle *, uint32_t *));
SAME(aclmdlUnload, aclError(uint32_t));
SAME(aclmdlExecute, aclError(uint32_t, const aclmdlDataset *, aclmdlDataset *));
SAME(aclmdlExecuteAsync, aclError(uint32_t, const aclmdlDataset *, aclmdlDataset *, aclrtStream));
SAME(aclmdlCreateDesc, aclmdlDesc *());
SAME(aclmdlDestroyDesc, aclError(aclmdlDesc *));
SAME(aclmdlGetDesc, aclError(aclmdlDesc *, uint32_t));
SAME(aclmdlGetNumInputs, size_t(aclmdlDesc *));
SAME(aclmdlGetNumOutputs, size_t(aclmdlDesc *));
SAME(aclmdlGetInputSizeByIndex, size_t(aclmdlDesc *, size_t));
SAME(aclmdlGetOutputSizeByIndex, size_t(aclmdlDesc *, size_t));
SAME(aclmdlGetInputNameByIndex, const char *(const aclmdlDesc *, size_t));
SAME(aclmdlGetOutputNameByIndex, const char *(const aclmdlDesc *, size_t));
SAME(aclmdlGetInputIndexByName, aclError(const aclmdlDesc *, const char *, size_t *));
SAME(aclmdlGetOutputIndexByName, aclError(const aclmdlDesc *, const char *, size_t *));
SAME(aclmdlGetInputDataType, aclDataType(const aclmdlDesc *, size_t));
SAME(aclmdlGetOutputDataType, aclDataType(const aclmdlDesc *, size_t));
SAME(aclmdlGetInputFormat, aclFormat(const aclmdlDesc *, size_t));
SAME(aclmdlGetOutputFormat, aclFormat(const aclmdlDesc *, size_t));
SAME(aclmdlGetInputDims, aclError(const aclmdlDesc *, size_t, aclmdlIODims *));
SAME(aclmdlGetOutputDims, aclError(const aclmdlDesc *, size_t, aclmdlIODims *));
SAME(aclmdlGetCurOutputDims, aclError(const aclmdlDesc *, size_t, aclmdlIODims *));
SAME(aclmdlGetDescFromFile, aclError(aclmdlDesc *, const char *));
SAME(aclmdlGetDescFromMem, aclError(aclmdlDesc *, const void *, size_t));
SAME(aclmdlGetDynamicBatch, aclError(const aclmdlDesc *, aclmdlBatch *));
SAME(aclmdlGetDynamicHW, aclError(const aclmdlDesc *, size_t, aclmdlHW *));
SAME(aclmdlGetInputDynamicDims, aclError(const aclmdlDesc *, size_t, aclmdlIODims *, size_t));
SAME(aclmdlGetInputDynamicGearCount, aclError(const aclmdlDesc *, size_t, size_t *));
SAME(aclmdlGetInputDimsV2, aclError(const aclmdlDesc *, size_t, aclmdlIODims *));
SAME(aclmdlGetInputDimsRange, aclError(const aclmdlDesc *, size_t, aclmdlIODimsRange *));
SAME(aclmdlSetDatasetTensorDesc, aclError(aclmdlDataset *, aclTensorDesc *, size_t));
SAME(aclmdlGetDatasetTensorDesc, aclTensorDesc *(const aclmdlDataset *, size_t));
SAME(aclmdlGetTensorRealName, const char *(const aclmdlDesc *, const char *));
SAME(aclmdlGetOpAttr, const char *(aclmdlDesc *, const char *, const char *));
SAME(aclmdlGetAippType, aclError(uint32_t, size_t, aclmdlInputAippType *, size_t *));
SAME(aclmdlGetFirstAippInfo, aclError(uint32_t, size_t, aclAippInfo *));
SAME(aclmdlSetInputAIPP, aclError(uint32_t, aclmdlDataset *, size_t, const aclmdlAIPP *));
SAME(aclmdlSetAIPPByInputIndex, aclError(uint32_t, aclmdlDataset *, size_t, const aclmdlAIPP *));
SAME(aclmdlCreateAIPP, aclmdlAIPP *(uint64_t));
SAME(aclmdlDestroyAIPP, aclError(const aclmdlAIPP *));
SAME(aclmdlSetAIPPInputFormat, aclError(aclmdlAIPP *, aclAippInputFormat));
SAME(aclmdlSetAIPPCscParams,
     aclError(aclmdlAIPP *, int8_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t,
	      int16_t, int16_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t));
SAME(aclmdlSetAIPPRbuvSwapSwitch, aclError(aclmdlAIPP *, int8_t));
SAME(aclmdlSetAIPPAxSwapSwitch, aclError(aclmdlAIPP *, int8_t));
SAME(aclmdlSetAIPPSrcImageSize, aclError(aclmdlAIPP *, int32_t, int32_t));
SAME(aclmdlSetAIPPScfParams,
     aclError(aclmdlAIPP *, int8_t, int32_t, int32_t, int32_t, int32_t, uint64_t));
SAME(aclmdlSetAIPPCropParams,
     aclError(aclmdlAIPP *, int8_t, int32_t, int32_t, int32_t, int32_t, uint64_t));
SAME(aclmdlSetAIPPPaddingParams,
     aclError(aclmdlAIPP *, int8_t, int32_t, int32_t, int32_t, int32_t, uint64_t));
SAME(aclmdlSetAIPPDtcPixelMean,
     aclError(aclmdlAIPP *, int16_t, int16_t, int16_t, int16_t, uint64_t));
SAME(aclmdlSetAIPPDtcPixelMin, aclError(aclmdlAIPP *, float, float, float, float, uint64_t));
SAME(aclmdlSetAIPPPixelVarReci, aclError(aclmdlAIPP *, float, float, float, float, uint64_t));
SAME(aclmdlLoadFromFileWithQ,
     aclError(const char *, uint32_t *, const uint32_t *, size_t, const uint32_t *, size_t));
SAME(aclmdlLoadFromMemWithQ, aclError(const void *, size_t, uint32_t *, const uint32_t *, size_t,
				      const uint32_t *, size_t));
SAME(aclmdlSetExternalWeightAddress, aclError(aclmdlConfigHandle *, const char *, void *, size_t));
SAME(aclmdlBundleLoadFromFile, aclError(const char *, uint32_t *));
SAME(aclmdlBundleLoadFromMem, aclError(const void *, size_t, uint32_t *));
SAME(aclmdlBundleGetModelNum, aclError(uint32_t, size_t *));
SAME(aclmdlBundleGetModelId, aclError(uint32_t, size_t, uint32_t *));
SAME(aclmdlBundleUnload, aclError(uint32_t));
SAME(aclmdlCreateAndGetOpDesc, aclError(uint32_t, uint32_t, uint32_t, char *, size_t,
					aclTensorDesc **, size_t *, aclTensorDesc **, size_t *));
SAME(aclmdlCreateExecConfigHandle, aclmdlExecConfigHandle *());
SAME(aclmdlDestroyExecConfigHandle, aclError(const aclmdlExecConfigHandle *));
SAME(aclmdlSetExecConfigOpt,
     aclError(aclmdlExecConfigHandle *, aclmdlExecConfigAttr, const void *, size_t));
SAME(aclmdlExecuteV2, aclError(uint32_t, const aclmdlDataset *, aclmdlDataset *, aclrtStream,
			       const aclmdlExecConfigHandle *));
SAME(aclmdlExecuteAsyncV2, aclError(uint32_t, const aclmdlDataset *, aclmdlDataset *, aclrtStream,
				    const aclmdlExecConfigHandle *));
SAME(aclmdlCreateDataset, aclmdlDataset *());
SAME(aclmdlDestroyDataset, aclError(const aclmdlDataset *));
SAME(aclmdlAddDatasetBuffer, aclError(aclmdlDataset *, aclDataBuffer *));
SAME(aclmdlGetDatasetNumBuffers, size_t(const aclmdlDataset *));
SAME(aclmdlGetDatasetBuffer, aclDataBuffer *(const aclmdlDataset *, size_t));
SAME(aclmdlSetDynamicBatchSize, aclError(uint32_t, aclmdlDataset *, size_t, uint64_t));
SAME(aclmdlSetDynamicHWSize, aclError(uint32_t, aclmdlDataset *, size_t, uint64_t, uint64_t));
SAME(aclmdlSetInputDynamicDims, aclError(uint32_t, aclmdlDataset *, size_t, const aclmdlIODims *));

/* acl_op_compiler.h */
SAME(aclSetCompileopt, aclError(aclCompileOpt, const char *));
SAME(aclGetCompileoptSize, size_t(aclCompileOpt));
SAME(aclGetCompileopt, aclError(aclCompileOpt, char *, size_t));
SAME(aclopCompile,
     aclError(const char *, int, const aclTensorDesc *const[], int, const aclTensorDesc *const[],
	      const aclopAttr *, aclopEngineType, aclopCompileType, const char *));
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

/* acl_cblas.h */
SAME(aclblasGemvEx, aclError(aclTransType, int, int, const void *, const void *, int, aclDataType,
			     const void *, int, aclDataType, const void *, void *, int, aclDataType,
			     aclComputeType, aclrtStream));
SAME(aclblasCreateHandleForGemvEx, aclError(aclTransType, int, int, aclDataType, aclDataType,
					    aclDataType, aclComputeType, aclopHandle **));
SAME(aclblasHgemv, aclError(aclTransType, int, int, const aclFloat16 *, const aclFloat16 *, int,
			    const aclFloat16 *, int, const aclFloat16 *, aclFloat16 *, int,
			    aclComputeType, aclrtStream));
SAME(aclblasCreateHandleForHgemv, aclError(aclTransType, int, int, aclComputeType, aclopHandle **));
SAME(aclblasS8gemv,
     aclError(aclTransType, int, int, const int32_t *, const int8_t *, int, const int8_t *, int,
	      const int32_t *, int32_t *, int, aclComputeType, aclrtStream));
SAME(aclblasCreateHandleForS8gemv,
     aclError(aclTransType, int, int, aclComputeType, aclopHandle **));
SAME(aclblasGemmEx, aclError(aclTransType, aclTransType, aclTransType, int, int, int, const void *,
			     const void *, int, aclDataType, const void *, int, aclDataType,
			     const void *, void *, int, aclDataType, aclComputeType, aclrtStream));
SAME(aclblasCreateHandleForGemmEx,
     aclError(aclTransType, aclTransType, aclTransType, int, int, int, aclDataType, aclDataType,
	      aclDataType, aclComputeType, aclopHandle **));
SAME(aclblasHgemm, aclError(aclTransType, aclTransType, aclTransType, int, int, int,
			    const aclFloat16 *, const aclFloat16 *, int, const aclFloat16 *, int,
			    const aclFloat16 *, aclFloat16 *, int, aclComputeType, aclrtStream));
SAME(aclblasCreateHandleForHgemm, aclError(aclTransType, aclTransType, aclTransType, int, int, int,
					   aclComputeType, aclopHandle **));
SAME(aclblasS8gemm, aclError(aclTransType, aclTransType, aclTransType, int, int, int,
			     const int32_t *, const int8_t *, int, const int8_t *, int,
			     const int32_t *, int32_t *, int, aclComputeType, aclrtStream));
SAME(aclblasCreateHandleForS8gemm, aclError(aclTransType, aclTransType, aclTransType, int, int, int,
					    aclComputeType, aclopHandle **));

/* acl_dvpp.h */
SAME(acldvppMalloc, aclError(void **, size_t));
SAME(acldvppFree, aclError(void *));
SAME(acldvppCreateChannelDesc, acldvppChannelDesc *());
SAME(acldvppDestroyChannelDesc, aclError(acldvppChannelDesc *));
SAME(acldvppGetChannelDescChannelId, uint64_t(const acldvppChannelDesc *));
SAME(acldvppSetChannelDescMode, aclError(acldvppChannelDesc *, uint32_t));
SAME(acldvppCreateChannel, aclError(acldvppChannelDesc *));
SAME(acldvppDestroyChannel, aclError(acldvppChannelDesc *));
SAME(acldvppCreatePicDesc, acldvppPicDesc *());
SAME(acldvppDestroyPicDesc, aclError(acldvppPicDesc *));
SAME(acldvppSetPicDescData, aclError(acldvppPicDesc *, void *));
SAME(acldvppSetPicDescSize, aclError(acldvppPicDesc *, uint32_t));
SAME(acldvppSetPicDescFormat, aclError(acldvppPicDesc *, acldvppPixelFormat));
SAME(acldvppSetPicDescWidth, aclError(acldvppPicDesc *, uint32_t));
SAME(acldvppSetPicDescHeight, aclError(acldvppPicDesc *, uint32_t));
SAME(acldvppSetPicDescWidthStride, aclError(acldvppPicDesc *, uint32_t));
SAME(acldvppSetPicDescHeightStride, aclError(acldvppPicDesc *, uint32_t));
SAME(acldvppSetPicDescRetCode, aclError(acldvppPicDesc *, uint32_t));
SAME(acldvppGetPicDescData, void *(const acldvppPicDesc *));
SAME(acldvppGetPicDescSize, uint32_t(const acldvppPicDesc *));
SAME(acldvppGetPicDescFormat, acldvppPixelFormat(const acldvppPicDesc *));
SAME(acldvppGetPicDescWidth, uint32_t(const acldvppPicDesc *));
SAME(acldvppGetPicDescHeight, uint32_t(const acldvppPicDesc *));
SAME(acldvppGetPicDescWidthStride, uint32_t(const acldvppPicDesc *));
SAME(acldvppGetPicDescHeightStride, uint32_t(const acldvppPicDesc *));
SAME(acldvppGetPicDescRetCode, uint32_t(const acldvppPicDesc *));
SAME(acldvppCreateBatchPicDesc, acldvppBatchPicDesc *(uint32_t));
SAME(acldvppGetPicDesc, acldvppPicDesc *(acldvppBatchPicDesc *, uint32_t));
SAME(acldvppDestroyBatchPicDesc, aclError(acldvppBatchPicDesc *));
SAME(acldvppCreateRoiConfig, acldvppRoiConfig *(uint32_t, uint32_t, uint32_t, uint32_t));
SAME(acldvppDestroyRoiConfig, aclError(acldvppRoiConfig *));
SAME(acldvppSetRoiConfigLeft, aclError(acldvppRoiConfig *, uint32_t));
SAME(acldvppSetRoiConfigRight, aclError(acldvppRoiConfig *, uint32_t));
SAME(acldvppSetRoiConfigTop, aclError(acldvppRoiConfig *, uint32_t));
SAME(acldvppSetRoiConfigBottom, aclError(acldvppRoiConfig *, uint32_t));
SAME(acldvppSetRoiConfig, aclError(acldvppRoiConfig *, uint32_t, uint32_t, uint32_t, uint32_t));
SAME(acldvppCreateResizeConfig, acldvppResizeConfig *());
SAME(acldvppDestroyResizeConfig, aclError(acldvppResizeConfig *));
SAME(acldvppSetResizeConfigInterpolation, aclError(acldvppResizeConfig *, uint32_t));
SAME(acldvppGetResizeConfigInterpolation, uint32_t(const acldvppResizeConfig *));
SAME(acldvppVpcResizeAsync, aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *,
				     acldvppResizeConfig *, aclrtStream));
SAME(acldvppVpcCropAsync, aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *,
				   acldvppRoiConfig *, aclrtStream));
SAME(acldvppVpcCropResizeAsync, aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *,
					 acldvppRoiConfig *, acldvppResizeConfig *, aclrtStream));
SAME(acldvppVpcCropAndPasteAsync, aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *,
					   acldvppRoiConfig *, acldvppRoiConfig *, aclrtStream));
SAME(acldvppVpcCropResizePasteAsync,
     aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *, acldvppRoiConfig *,
	      acldvppRoiConfig *, acldvppResizeConfig *, aclrtStream));
SAME(acldvppVpcBatchCropAsync,
     aclError(acldvppChannelDesc *, acldvppBatchPicDesc *, uint32_t *, uint32_t,
	      acldvppBatchPicDesc *, acldvppRoiConfig **, aclrtStream));
SAME(acldvppVpcBatchCropResizeAsync,
     aclError(acldvppChannelDesc *, acldvppBatchPicDesc *, uint32_t *, uint32_t,
	      acldvppBatchPicDesc *, acldvppRoiConfig **, acldvppResizeConfig *, aclrtStream));
SAME(acldvppVpcBatchCropAndPasteAsync,
     aclError(acldvppChannelDesc *, acldvppBatchPicDesc *, uint32_t *, uint32_t,
	      acldvppBatchPicDesc *, acldvppRoiConfig **, acldvppRoiConfig **, aclrtStream));
SAME(acldvppVpcBatchCropResizePasteAsync,
     aclError(acldvppChannelDesc *, acldvppBatchPicDesc *, uint32_t *, uint32_t,
	      acldvppBatchPicDesc *, acldvppRoiConfig **, acldvppRoiConfig **,
	      acldvppResizeConfig *, aclrtStream));
SAME(acldvppVpcConvertColorAsync,
     aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *, aclrtStream));

/* acl/rt/model/model_old_names.h */
SAME(aclmdlBeginCapture, aclError(...));
SAME(aclmdlGetCaptureInfo, aclError(...));
SAME(aclmdlThreadExchangeCaptureMode, aclError(...));
SAME(aclmdlEndCapture, aclError(...));
SAME(aclmdlDebugPrint, aclError(...));

} // namespace
