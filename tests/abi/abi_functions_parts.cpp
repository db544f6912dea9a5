// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: channels, queues, profiling, dumps
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "acl/acl_dump.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt_compile.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "mstx/ms_tools_ext.h"
#include "profiling/aprof_pub.h"

namespace {

/* acl_tdt.h */
SAME(acltdtGetTensorTypeFromItem, acltdtTensorType(const acltdtDataItem *));
SAME(acltdtGetDataTypeFromItem, aclDataType(const acltdtDataItem *));
SAME(acltdtGetDataAddrFromItem, void *(const acltdtDataItem *));
SAME(acltdtGetDataSizeFromItem, size_t(const acltdtDataItem *));
SAME(acltdtGetDimNumFromItem, size_t(const acltdtDataItem *));
SAME(acltdtGetSliceInfoFromItem, aclError(const acltdtDataItem *, size_t *, size_t *));
SAME(acltdtGetDimsFromItem, aclError(const acltdtDataItem *, int64_t *, size_t));
SAME(acltdtCreateDataItem,
     acltdtDataItem *(acltdtTensorType, const int64_t *, size_t, aclDataType, void *, size_t));
SAME(acltdtDestroyDataItem, aclError(acltdtDataItem *));
SAME(acltdtCreateDataset, acltdtDataset *());
SAME(acltdtDestroyDataset, aclError(acltdtDataset *));
SAME(acltdtGetDataItem, acltdtDataItem *(const acltdtDataset *, size_t));
SAME(acltdtAddDataItem, aclError(acltdtDataset *, acltdtDataItem *));
SAME(acltdtGetDatasetSize, size_t(const acltdtDataset *));
SAME(acltdtGetDatasetName, const char *(const acltdtDataset *));
SAME(acltdtStopChannel, aclError(acltdtChannelHandle *));
SAME(acltdtCreateChannel, acltdtChannelHandle *(uint32_t, const char *));
SAME(acltdtCreateChannelWithCapacity, acltdtChannelHandle *(uint32_t, const char *, size_t));
SAME(acltdtDestroyChannel, aclError(acltdtChannelHandle *));
SAME(acltdtCleanChannel, aclError(acltdtChannelHandle *));
SAME(acltdtSendTensor, aclError(const acltdtChannelHandle *, const acltdtDataset *, int32_t));
SAME(acltdtReceiveTensor, aclError(const acltdtChannelHandle *, acltdtDataset *, int32_t));
SAME(acltdtQueryChannelSize, aclError(const acltdtChannelHandle *, size_t *));

/* acl_tdt_queue.h */
SAME(acltdtCreateQueue, aclError(const acltdtQueueAttr *, uint32_t *));
SAME(acltdtDestroyQueue, aclError(uint32_t));
SAME(acltdtEnqueue, aclError(uint32_t, acltdtBuf, int32_t));
SAME(acltdtDequeue, aclError(uint32_t, acltdtBuf *, int32_t));
SAME(acltdtEnqueueData,
     aclError(uint32_t, const void *, size_t, const void *, size_t, int32_t, uint32_t));
SAME(acltdtDequeueData, aclError(uint32_t, void *, size_t, size_t *, void *, size_t, int32_t));
SAME(acltdtGrantQueue, aclError(uint32_t, int32_t, uint32_t, int32_t));
SAME(acltdtAttachQueue, aclError(uint32_t, int32_t, uint32_t *));
SAME(acltdtBindQueueRoutes, aclError(acltdtQueueRouteList *));
SAME(acltdtUnbindQueueRoutes, aclError(acltdtQueueRouteList *));
SAME(acltdtQueryQueueRoutes, aclError(const acltdtQueueRouteQueryInfo *, acltdtQueueRouteList *));
SAME(acltdtAllocBuf, aclError(size_t, uint32_t, acltdtBuf *));
SAME(acltdtFreeBuf, aclError(acltdtBuf));
SAME(acltdtGetBufData, aclError(acltdtBuf, void **, size_t *));
SAME(acltdtSetBufDataLen, aclError(acltdtBuf, size_t));
SAME(acltdtGetBufDataLen, aclError(acltdtBuf, size_t *));
SAME(acltdtAppendBufChain, aclError(acltdtBuf, acltdtBuf));
SAME(acltdtGetBufChainNum, aclError(acltdtBuf, uint32_t *));
SAME(acltdtGetBufFromChain, aclError(acltdtBuf, uint32_t, acltdtBuf *));
SAME(acltdtGetBufUserData, aclError(acltdtBuf, void *, size_t, size_t));
SAME(acltdtSetBufUserData, aclError(acltdtBuf, const void *, size_t, size_t));
SAME(acltdtCopyBufRef, aclError(acltdtBuf, acltdtBuf *));
SAME(acltdtCreateQueueAttr, acltdtQueueAttr *());
SAME(acltdtDestroyQueueAttr, aclError(const acltdtQueueAttr *));
SAME(acltdtSetQueueAttr, aclError(acltdtQueueAttr *, acltdtQueueAttrType, size_t, const void *));
SAME(acltdtGetQueueAttr,
     aclError(const acltdtQueueAttr *, acltdtQueueAttrType, size_t, size_t *, void *));
SAME(acltdtCreateQueueRoute, acltdtQueueRoute *(uint32_t, uint32_t));
SAME(acltdtDestroyQueueRoute, aclError(const acltdtQueueRoute *));
SAME(acltdtGetQueueRouteParam,
     aclError(const acltdtQueueRoute *, acltdtQueueRouteParamType, size_t, size_t *, void *));
SAME(acltdtCreateQueueRouteList, acltdtQueueRouteList *());
SAME(acltdtDestroyQueueRouteList, aclError(const acltdtQueueRouteList *));
SAME(acltdtAddQueueRoute, aclError(acltdtQueueRouteList *, const acltdtQueueRoute *));
SAME(acltdtGetQueueRoute, aclError(const acltdtQueueRouteList *, size_t, acltdtQueueRoute *));
SAME(acltdtGetQueueRouteNum, size_t(const acltdtQueueRouteList *));
SAME(acltdtCreateQueueRouteQueryInfo, acltdtQueueRouteQueryInfo *());
SAME(acltdtDestroyQueueRouteQueryInfo, aclError(const acltdtQueueRouteQueryInfo *));
SAME(acltdtSetQueueRouteQueryInfo,
     aclError(acltdtQueueRouteQueryInfo *, acltdtQueueRouteQueryInfoParamType, size_t,
	      const void *));

/* acl_prof.h */
SAME(aclprofInit, aclError(const char *, size_t));
SAME(aclprofFinalize, aclError());
SAME(aclprofStart, aclError(const aclprofConfig *));
SAME(aclprofCreateConfig, aclprofConfig *(uint32_t *, uint32_t, aclprofAicoreMetrics,
					  const aclprofAicoreEvents *, uint64_t));
SAME(aclprofDestroyConfig, aclError(const aclprofConfig *));
SAME(aclprofStop, aclError(const aclprofConfig *));
SAME(aclprofSetConfig, aclError(aclprofConfigType, const char *, size_t));
SAME(aclprofModelSubscribe, aclError(uint32_t, const aclprofSubscribeConfig *));
SAME(aclprofModelUnSubscribe, aclError(uint32_t));
SAME(aclprofCreateSubscribeConfig, aclprofSubscribeConfig *(int8_t, aclprofAicoreMetrics, void *));
SAME(aclprofDestroySubscribeConfig, aclError(const aclprofSubscribeConfig *));
SAME(aclprofGetOpDescSize, aclError(size_t *));
SAME(aclprofGetOpNum, aclError(const void *, size_t, uint32_t *));
SAME(aclprofGetOpTypeLen, aclError(const void *, size_t, uint32_t, size_t *));
SAME(aclprofGetOpType, aclError(const void *, size_t, uint32_t, char *, size_t));
SAME(aclprofGetOpNameLen, aclError(const void *, size_t, uint32_t, size_t *));
SAME(aclprofGetOpName, aclError(const void *, size_t, uint32_t, char *, size_t));
SAME(aclprofGetOpStart, uint64_t(const void *, size_t, uint32_t));
SAME(aclprofGetOpEnd, uint64_t(const void *, size_t, uint32_t));
SAME(aclprofGetOpDuration, uint64_t(const void *, size_t, uint32_t));
SAME(aclprofGetModelId, size_t(const void *, size_t, uint32_t));
SAME(aclprofGetOpFlag, aclprofSubscribeOpFlag(const void *, size_t, uint32_t));
SAME(aclprofGetOpAttriValue, const char *(const void *, size_t, uint32_t, aclprofSubscribeOpAttri));
SAME(aclprofGetStepTimestamp, aclError(aclprofStepInfo *, aclprofStepTag, aclrtStream));
SAME(aclprofCreateStepInfo, aclprofStepInfo *());
SAME(aclprofDestroyStepInfo, void(aclprofStepInfo *));
SAME(aclprofCreateStamp, void *());
SAME(aclprofDestroyStamp, void(void *));
SAME(aclprofPush, aclError(void *));
SAME(aclprofPop, aclError());
SAME(aclprofRangeStart, aclError(void *, uint32_t *));
SAME(aclprofRangeStop, aclError(uint32_t));
SAME(aclprofSetStampTraceMessage, aclError(void *, const char *, uint32_t));
SAME(aclprofMark, aclError(void *));
SAME(aclprofMarkEx, aclError(const char *, size_t, aclrtStream));
SAME(aclprofStr2Id, uint64_t(const char *));
SAME(aclprofRangePushEx, aclError(aclprofEventAttributes *));
SAME(aclprofRangePop, aclError());

/* acl_dump.h */
SAME(acldumpRegCallback, aclError(int32_t (*const)(const acldumpChunk *, int32_t), int32_t));
SAME(acldumpUnregCallback, void());
SAME(aclopStartDumpArgs, aclError(uint32_t, const char *));
SAME(aclopStopDumpArgs, aclError(uint32_t));
SAME(acldumpGetPath, const char *(acldumpType));
SAME(acldumpSaveExceptionInfo,
     aclError(const char *, const char *, const acldumpTensorInfo *, size_t));
SAME(acldumpGetExceptionInfoPath, aclError(char *, size_t));

/* ms_tools_ext.h */
SAME(MsprofSysCycleTime, uint64_t());
SAME(MsprofGetHashId, uint64_t(const char *, size_t));
SAME(MsprofReportApi, int32_t(uint32_t, const MsprofApi *));
SAME(MsprofSetDeviceIdByGeModelIdx, int32_t(uint32_t, uint32_t));
SAME(MsprofUnsetDeviceIdByGeModelIdx, int32_t(uint32_t, uint32_t));
SAME(mstxMarkA, void(const char *, aclrtStream));
SAME(mstxRangeStartA, uint64_t(const char *, aclrtStream));
SAME(mstxRangeEnd, void(uint64_t));
SAME(mstxDomainCreateA, mstxDomainHandle_t(const char *));
SAME(mstxDomainDestroy, void(mstxDomainHandle_t));
SAME(mstxDomainMarkA, void(mstxDomainHandle_t, const char *, aclrtStream));
SAME(mstxDomainRangeStartA, uint64_t(mstxDomainHandle_t, const char *, aclrtStream));
SAME(mstxDomainRangeEnd, void(mstxDomainHandle_t, uint64_t));

/* Compilation of kernels at run time */
SAME(aclrtcCreateProg,
     aclError(aclrtcProg *, const char *, const char *, int, const char **, const char **));
SAME(aclrtcDestroyProg, aclError(aclrtcProg *));
SAME(aclrtcAddNameExpr, aclError(aclrtcProg, const char *));
SAME(aclrtcCompileProg, aclError(aclrtcProg, int, const char **));
SAME(aclrtcGetBinDataSize, aclError(aclrtcProg, size_t *));
SAME(aclrtcGetBinData, aclError(aclrtcProg, char *));
SAME(aclrtcGetLoweredName, aclError(aclrtcProg, const char *, const char **));
SAME(aclrtcGetCompileLogSize, aclError(aclrtcProg, size_t *));
SAME(aclrtcGetCompileLog, aclError(aclrtcProg, char *));

} // namespace
