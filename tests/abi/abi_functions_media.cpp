// SPDX-License-Identifier: MIT
/*
 * DOC: Types of functions: files of images, filters, video
 *
 * The types of functions once more, see abi_function.h.
 */
#include "abi_function.h"

#include "acl/ops/acl_dvpp.h"

namespace {

SAME(acldvppCreateJpegeConfig, acldvppJpegeConfig *());
SAME(acldvppDestroyJpegeConfig, aclError(acldvppJpegeConfig *));
SAME(acldvppSetJpegeConfigLevel, aclError(acldvppJpegeConfig *, uint32_t));
SAME(acldvppGetJpegeConfigLevel, uint32_t(const acldvppJpegeConfig *));
SAME(acldvppJpegGetImageInfo, aclError(const void *, uint32_t, uint32_t *, uint32_t *, int32_t *));
SAME(acldvppJpegGetImageInfoV2,
     aclError(const void *, uint32_t, uint32_t *, uint32_t *, int32_t *, acldvppJpegFormat *));
SAME(acldvppJpegPredictEncSize,
     aclError(const acldvppPicDesc *, const acldvppJpegeConfig *, uint32_t *));
SAME(acldvppJpegPredictDecSize, aclError(const void *, uint32_t, acldvppPixelFormat, uint32_t *));
SAME(acldvppJpegDecodeAsync,
     aclError(acldvppChannelDesc *, const void *, uint32_t, acldvppPicDesc *, aclrtStream));
SAME(acldvppJpegEncodeAsync, aclError(acldvppChannelDesc *, acldvppPicDesc *, const void *,
				      uint32_t *, acldvppJpegeConfig *, aclrtStream));
SAME(acldvppPngGetImageInfo, aclError(const void *, uint32_t, uint32_t *, uint32_t *, int32_t *));
SAME(acldvppPngPredictDecSize, aclError(const void *, uint32_t, acldvppPixelFormat, uint32_t *));
SAME(acldvppPngDecodeAsync,
     aclError(acldvppChannelDesc *, const void *, uint32_t, acldvppPicDesc *, aclrtStream));
SAME(acldvppVpcPyrDownAsync,
     aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppPicDesc *, void *, aclrtStream));
SAME(acldvppCreateLutMap, acldvppLutMap *());
SAME(acldvppDestroyLutMap, aclError(acldvppLutMap *));
SAME(acldvppGetLutMapDims, uint32_t(const acldvppLutMap *));
SAME(acldvppGetLutMapData, aclError(const acldvppLutMap *, uint32_t, uint8_t **, uint32_t *));
SAME(acldvppVpcEqualizeHistAsync, aclError(const acldvppChannelDesc *, const acldvppPicDesc *,
					   acldvppPicDesc *, const acldvppLutMap *, aclrtStream));
SAME(acldvppCreateHist, acldvppHist *());
SAME(acldvppDestroyHist, aclError(acldvppHist *));
SAME(acldvppClearHist, aclError(acldvppHist *));
SAME(acldvppGetHistDims, uint32_t(acldvppHist *));
SAME(acldvppGetHistData, aclError(acldvppHist *, uint32_t, uint32_t **, uint16_t *));
SAME(acldvppGetHistRetCode, uint32_t(acldvppHist *));
SAME(acldvppVpcCalcHistAsync,
     aclError(acldvppChannelDesc *, acldvppPicDesc *, acldvppHist *, void *, aclrtStream));
SAME(acldvppCreateBorderConfig, acldvppBorderConfig *());
SAME(acldvppDestroyBorderConfig, aclError(acldvppBorderConfig *));
SAME(acldvppSetBorderConfigValue, aclError(acldvppBorderConfig *, uint32_t, double));
SAME(acldvppSetBorderConfigBorderType, aclError(acldvppBorderConfig *, acldvppBorderType));
SAME(acldvppSetBorderConfigTop, aclError(acldvppBorderConfig *, uint32_t));
SAME(acldvppSetBorderConfigBottom, aclError(acldvppBorderConfig *, uint32_t));
SAME(acldvppSetBorderConfigLeft, aclError(acldvppBorderConfig *, uint32_t));
SAME(acldvppSetBorderConfigRight, aclError(acldvppBorderConfig *, uint32_t));
SAME(acldvppGetBorderConfigValue, double(const acldvppBorderConfig *, uint32_t));
SAME(acldvppGetBorderConfigBorderType, acldvppBorderType(const acldvppBorderConfig *));
SAME(acldvppGetBorderConfigTop, uint32_t(const acldvppBorderConfig *));
SAME(acldvppGetBorderConfigBottom, uint32_t(const acldvppBorderConfig *));
SAME(acldvppGetBorderConfigLeft, uint32_t(const acldvppBorderConfig *));
SAME(acldvppGetBorderConfigRight, uint32_t(const acldvppBorderConfig *));
SAME(acldvppVpcMakeBorderAsync,
     aclError(const acldvppChannelDesc *, const acldvppPicDesc *, acldvppPicDesc *,
	      const acldvppBorderConfig *, aclrtStream));
SAME(acldvppVpcBatchCropResizeMakeBorderAsync,
     aclError(acldvppChannelDesc *, acldvppBatchPicDesc *, uint32_t *, uint32_t,
	      acldvppBatchPicDesc *, acldvppRoiConfig **, acldvppBorderConfig **,
	      acldvppResizeConfig *, aclrtStream));
SAME(acldvppCreateStreamDesc, acldvppStreamDesc *());
SAME(acldvppDestroyStreamDesc, aclError(acldvppStreamDesc *));
SAME(acldvppSetStreamDescData, aclError(acldvppStreamDesc *, void *));
SAME(acldvppSetStreamDescSize, aclError(acldvppStreamDesc *, uint32_t));
SAME(acldvppSetStreamDescFormat, aclError(acldvppStreamDesc *, acldvppStreamFormat));
SAME(acldvppSetStreamDescTimestamp, aclError(acldvppStreamDesc *, uint64_t));
SAME(acldvppSetStreamDescRetCode, aclError(acldvppStreamDesc *, uint32_t));
SAME(acldvppSetStreamDescEos, aclError(acldvppStreamDesc *, uint8_t));
SAME(acldvppGetStreamDescData, void *(const acldvppStreamDesc *));
SAME(acldvppGetStreamDescSize, uint32_t(const acldvppStreamDesc *));
SAME(acldvppGetStreamDescFormat, acldvppStreamFormat(const acldvppStreamDesc *));
SAME(acldvppGetStreamDescTimestamp, uint64_t(const acldvppStreamDesc *));
SAME(acldvppGetStreamDescRetCode, uint32_t(const acldvppStreamDesc *));
SAME(acldvppGetStreamDescEos, uint8_t(const acldvppStreamDesc *));
SAME(aclvdecCreateChannelDesc, aclvdecChannelDesc *());
SAME(aclvdecDestroyChannelDesc, aclError(aclvdecChannelDesc *));
SAME(aclvdecSetChannelDescChannelId, aclError(aclvdecChannelDesc *, uint32_t));
SAME(aclvdecSetChannelDescThreadId, aclError(aclvdecChannelDesc *, uint64_t));
SAME(aclvdecSetChannelDescCallback, aclError(aclvdecChannelDesc *, aclvdecCallback));
SAME(aclvdecSetChannelDescEnType, aclError(aclvdecChannelDesc *, acldvppStreamFormat));
SAME(aclvdecSetChannelDescOutPicFormat, aclError(aclvdecChannelDesc *, acldvppPixelFormat));
SAME(aclvdecSetChannelDescOutPicWidth, aclError(aclvdecChannelDesc *, uint32_t));
SAME(aclvdecSetChannelDescOutPicHeight, aclError(aclvdecChannelDesc *, uint32_t));
SAME(aclvdecSetChannelDescRefFrameNum, aclError(aclvdecChannelDesc *, uint32_t));
SAME(aclvdecSetChannelDescOutMode, aclError(aclvdecChannelDesc *, uint32_t));
SAME(aclvdecSetChannelDescBitDepth, aclError(aclvdecChannelDesc *, uint32_t));
SAME(aclvdecGetChannelDescChannelId, uint32_t(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescThreadId, uint64_t(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescCallback, aclvdecCallback(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescEnType, acldvppStreamFormat(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescOutPicFormat, acldvppPixelFormat(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescOutPicWidth, uint32_t(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescOutPicHeight, uint32_t(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescRefFrameNum, uint32_t(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescOutMode, uint32_t(const aclvdecChannelDesc *));
SAME(aclvdecGetChannelDescBitDepth, uint32_t(const aclvdecChannelDesc *));
SAME(aclvdecCreateChannel, aclError(aclvdecChannelDesc *));
SAME(aclvdecDestroyChannel, aclError(aclvdecChannelDesc *));
SAME(aclvdecCreateFrameConfig, aclvdecFrameConfig *());
SAME(aclvdecDestroyFrameConfig, aclError(aclvdecFrameConfig *));
SAME(aclvdecSendFrame, aclError(aclvdecChannelDesc *, acldvppStreamDesc *, acldvppPicDesc *,
				aclvdecFrameConfig *, void *));
SAME(aclvdecSendSkippedFrame,
     aclError(aclvdecChannelDesc *, acldvppStreamDesc *, aclvdecFrameConfig *, void *));
SAME(aclvencCreateChannelDesc, aclvencChannelDesc *());
SAME(aclvencDestroyChannelDesc, aclError(aclvencChannelDesc *));
SAME(aclvencSetChannelDescThreadId, aclError(aclvencChannelDesc *, uint64_t));
SAME(aclvencSetChannelDescCallback, aclError(aclvencChannelDesc *, aclvencCallback));
SAME(aclvencSetChannelDescEnType, aclError(aclvencChannelDesc *, acldvppStreamFormat));
SAME(aclvencSetChannelDescPicFormat, aclError(aclvencChannelDesc *, acldvppPixelFormat));
SAME(aclvencSetChannelDescPicWidth, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencSetChannelDescPicHeight, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencSetChannelDescKeyFrameInterval, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencSetChannelDescRcMode, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencSetChannelDescSrcRate, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencSetChannelDescMaxBitRate, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencSetChannelDescIPProp, aclError(aclvencChannelDesc *, uint32_t));
SAME(aclvencGetChannelDescThreadId, uint64_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescCallback, aclvencCallback(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescEnType, acldvppStreamFormat(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescPicFormat, acldvppPixelFormat(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescPicWidth, uint32_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescPicHeight, uint32_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescKeyFrameInterval, uint32_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescRcMode, uint32_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescSrcRate, uint32_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescMaxBitRate, uint32_t(const aclvencChannelDesc *));
SAME(aclvencGetChannelDescIPProp, uint32_t(const aclvencChannelDesc *));
SAME(aclvencCreateChannel, aclError(aclvencChannelDesc *));
SAME(aclvencDestroyChannel, aclError(aclvencChannelDesc *));
SAME(aclvencCreateFrameConfig, aclvencFrameConfig *());
SAME(aclvencDestroyFrameConfig, aclError(aclvencFrameConfig *));
SAME(aclvencSetFrameConfigEos, aclError(aclvencFrameConfig *, uint8_t));
SAME(aclvencSetFrameConfigForceIFrame, aclError(aclvencFrameConfig *, uint8_t));
SAME(aclvencGetFrameConfigEos, uint8_t(const aclvencFrameConfig *));
SAME(aclvencGetFrameConfigForceIFrame, uint8_t(const aclvencFrameConfig *));
SAME(aclvencSendFrame,
     aclError(aclvencChannelDesc *, acldvppPicDesc *, void *, aclvencFrameConfig *, void *));

} // namespace
