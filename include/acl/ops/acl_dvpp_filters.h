/* SPDX-License-Identifier: MIT */
/*
 * DOC: Filters, histograms and borders of pictures
 *
 * Part of acl/ops/acl_dvpp.h, which states the rules for all functions. Programs that name these functions compile and
 * link; none of the functions works.
 */
#ifndef ACL_OPS_ACL_DVPP_FILTERS_H
#define ACL_OPS_ACL_DVPP_FILTERS_H

#include <stdint.h>

#include "acl/ops/acl_dvpp_picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Objects, of which there are none. */
typedef struct acldvppLutMap acldvppLutMap;
typedef struct acldvppHist acldvppHist;
typedef struct acldvppBorderConfig acldvppBorderConfig;

/** enum acldvppBorderType - what a border is made of. */
typedef enum acldvppBorderType {
	BORDER_CONSTANT = 0,
	BORDER_REPLICATE = 1,
	BORDER_REFLECT = 2,
	BORDER_REFLECT_101 = 3,
} acldvppBorderType;

/**
 * acldvppVpcPyrDownAsync() - makes the next level of a pyramid of a picture
 * @channelDesc: not read
 * @inputDesc: not read
 * @outputDesc: not read
 * @reserve: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcPyrDownAsync(acldvppChannelDesc *channelDesc,
						    acldvppPicDesc *inputDesc,
						    acldvppPicDesc *outputDesc, void *reserve,
						    aclrtStream stream);

/**
 * acldvppCreateLutMap() - makes a table of values
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY acldvppLutMap *acldvppCreateLutMap(void);

/**
 * acldvppDestroyLutMap() - destroys a table of values
 * @lutMap: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyLutMap(acldvppLutMap *lutMap);

/**
 * acldvppGetLutMapDims() - the channels of a table of values
 * @lutMap: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetLutMapDims(const acldvppLutMap *lutMap);

/**
 * acldvppGetLutMapData() - gives the values of a channel
 * @lutMap: not read
 * @dim: not read
 * @data: not read
 * @len: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppGetLutMapData(const acldvppLutMap *lutMap, uint32_t dim,
						  uint8_t **data, uint32_t *len);

/**
 * acldvppVpcEqualizeHistAsync() - replaces the values of a picture by those of a table
 * @channelDesc: not read
 * @inputDesc: not read
 * @outputDesc: not read
 * @lutMap: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcEqualizeHistAsync(const acldvppChannelDesc *channelDesc,
							 const acldvppPicDesc *inputDesc,
							 acldvppPicDesc *outputDesc,
							 const acldvppLutMap *lutMap,
							 aclrtStream stream);

/**
 * acldvppCreateHist() - makes a histogram
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY acldvppHist *acldvppCreateHist(void);

/**
 * acldvppDestroyHist() - destroys a histogram
 * @hist: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyHist(acldvppHist *hist);

/**
 * acldvppClearHist() - clears a histogram
 * @hist: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppClearHist(acldvppHist *hist);

/**
 * acldvppGetHistDims() - the channels of a histogram
 * @hist: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetHistDims(acldvppHist *hist);

/**
 * acldvppGetHistData() - gives the counts of a channel
 * @hist: not read
 * @dim: not read
 * @data: not read
 * @len: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppGetHistData(acldvppHist *hist, uint32_t dim, uint32_t **data,
						uint16_t *len);

/**
 * acldvppGetHistRetCode() - the result of the last task on a histogram
 * @hist: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetHistRetCode(acldvppHist *hist);

/**
 * acldvppVpcCalcHistAsync() - counts the values of a picture
 * @channelDesc: not read
 * @srcPicDesc: not read
 * @hist: not read
 * @reserve: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcCalcHistAsync(acldvppChannelDesc *channelDesc,
						     acldvppPicDesc *srcPicDesc, acldvppHist *hist,
						     void *reserve, aclrtStream stream);

/**
 * acldvppCreateBorderConfig() - makes a configuration of borders
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY acldvppBorderConfig *acldvppCreateBorderConfig(void);

/**
 * acldvppDestroyBorderConfig() - destroys a configuration of borders
 * @borderConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyBorderConfig(acldvppBorderConfig *borderConfig);

/**
 * acldvppSetBorderConfigValue() - sets the value of a channel of a border
 * @borderConfig: not read
 * @index: not read
 * @value: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetBorderConfigValue(acldvppBorderConfig *borderConfig,
							 uint32_t index, double value);

/**
 * acldvppSetBorderConfigBorderType() - chooses the kind of a border
 * @borderConfig: not read
 * @borderType: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetBorderConfigBorderType(acldvppBorderConfig *borderConfig,
							      acldvppBorderType borderType);

/**
 * acldvppSetBorderConfigTop() - sets the width of a side of a border
 * @borderConfig: not read
 * @top: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetBorderConfigTop(acldvppBorderConfig *borderConfig,
						       uint32_t top);

/**
 * acldvppSetBorderConfigBottom() - sets the width of a side of a border
 * @borderConfig: not read
 * @bottom: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetBorderConfigBottom(acldvppBorderConfig *borderConfig,
							  uint32_t bottom);

/**
 * acldvppSetBorderConfigLeft() - sets the width of a side of a border
 * @borderConfig: not read
 * @left: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetBorderConfigLeft(acldvppBorderConfig *borderConfig,
							uint32_t left);

/**
 * acldvppSetBorderConfigRight() - sets the width of a side of a border
 * @borderConfig: not read
 * @right: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetBorderConfigRight(acldvppBorderConfig *borderConfig,
							 uint32_t right);

/**
 * acldvppGetBorderConfigValue() - the value of a channel of a border
 * @borderConfig: not read
 * @index: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY double acldvppGetBorderConfigValue(const acldvppBorderConfig *borderConfig,
						       uint32_t index);

/**
 * acldvppGetBorderConfigBorderType() - the kind of a border
 * @borderConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: BORDER_CONSTANT.
 */
ACL_FUNC_VISIBILITY acldvppBorderType
acldvppGetBorderConfigBorderType(const acldvppBorderConfig *borderConfig);

/**
 * acldvppGetBorderConfigTop() - the width of a side of a border
 * @borderConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetBorderConfigTop(const acldvppBorderConfig *borderConfig);

/**
 * acldvppGetBorderConfigBottom() - the width of a side of a border
 * @borderConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetBorderConfigBottom(const acldvppBorderConfig *borderConfig);

/**
 * acldvppGetBorderConfigLeft() - the width of a side of a border
 * @borderConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetBorderConfigLeft(const acldvppBorderConfig *borderConfig);

/**
 * acldvppGetBorderConfigRight() - the width of a side of a border
 * @borderConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetBorderConfigRight(const acldvppBorderConfig *borderConfig);

/**
 * acldvppVpcMakeBorderAsync() - puts a border around a picture
 * @channelDesc: not read
 * @inputDesc: not read
 * @outputDesc: not read
 * @borderConfig: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcMakeBorderAsync(const acldvppChannelDesc *channelDesc,
						       const acldvppPicDesc *inputDesc,
						       acldvppPicDesc *outputDesc,
						       const acldvppBorderConfig *borderConfig,
						       aclrtStream stream);

/**
 * acldvppVpcBatchCropResizeMakeBorderAsync() - takes regions of pictures, scales them and puts borders around them
 * @channelDesc: not read
 * @srcBatchPicDescs: not read
 * @roiNums: not read
 * @size: not read
 * @dstBatchPicDescs: not read
 * @cropAreas: not read
 * @borderConfigs: not read
 * @resizeConfig: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcBatchCropResizeMakeBorderAsync(
	acldvppChannelDesc *channelDesc, acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
	uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs, acldvppRoiConfig *cropAreas[],
	acldvppBorderConfig *borderConfigs[], acldvppResizeConfig *resizeConfig,
	aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_FILTERS_H */
