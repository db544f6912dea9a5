/* SPDX-License-Identifier: MIT */
/*
 * DOC: Descriptions of pictures
 *
 * Part of acl/ops/acl_dvpp.h, which states the rules for all functions.
 */
#ifndef ACL_OPS_ACL_DVPP_PICTURE_H
#define ACL_OPS_ACL_DVPP_PICTURE_H

#include <stdint.h>

#include "acl/acl_base_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Objects: what a program has of them are handles. */
typedef struct acldvppChannelDesc acldvppChannelDesc;
typedef struct acldvppPicDesc acldvppPicDesc;
typedef struct acldvppBatchPicDesc acldvppBatchPicDesc;
typedef struct acldvppRoiConfig acldvppRoiConfig;
typedef struct acldvppResizeConfig acldvppResizeConfig;

/** enum acldvppPixelFormat - how pixels lie in memory. SEMIPLANAR has a plane of Y, and one in which U and V alternate.
 * From 18 on there are formats that the device has not. */
typedef enum acldvppPixelFormat {
	PIXEL_FORMAT_YUV_400 = 0,
	PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1,
	PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2,
	PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3,
	PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4,
	PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5,
	PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6,
	PIXEL_FORMAT_YUYV_PACKED_422 = 7,
	PIXEL_FORMAT_UYVY_PACKED_422 = 8,
	PIXEL_FORMAT_YVYU_PACKED_422 = 9,
	PIXEL_FORMAT_VYUY_PACKED_422 = 10,
	PIXEL_FORMAT_YUV_PACKED_444 = 11,
	PIXEL_FORMAT_RGB_888 = 12,
	PIXEL_FORMAT_BGR_888 = 13,
	PIXEL_FORMAT_ARGB_8888 = 14,
	PIXEL_FORMAT_ABGR_8888 = 15,
	PIXEL_FORMAT_RGBA_8888 = 16,
	PIXEL_FORMAT_BGRA_8888 = 17,
	PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT = 18,
	PIXEL_FORMAT_YVU_SEMI_PLANNER_420_10BIT = 19,
	PIXEL_FORMAT_YVU_PLANAR_420 = 20,
	PIXEL_FORMAT_YVU_PLANAR_422 = 21,
	PIXEL_FORMAT_YVU_PLANAR_444 = 22,
	PIXEL_FORMAT_UNKNOWN = 10000,
} acldvppPixelFormat;

/**
 * acldvppCreateChannelDesc() - makes the description of a channel
 *
 * Context: any thread; never blocks.
 * Return: the object, which acldvppDestroyChannelDesc() destroys; NULL if it can't be made.
 */
ACL_FUNC_VISIBILITY acldvppChannelDesc *acldvppCreateChannelDesc(void);

/**
 * acldvppDestroyChannelDesc() - destroys the description of a channel
 * @channelDesc: the object
 *
 * Its channel, if it has one, ends too.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyChannelDesc(acldvppChannelDesc *channelDesc);

/**
 * acldvppGetChannelDescChannelId() - the number of a channel
 * @channelDesc: description of a channel
 *
 * Context: any thread; never blocks.
 * Return: the number; 0 if there is no such description.
 */
ACL_FUNC_VISIBILITY uint64_t acldvppGetChannelDescChannelId(const acldvppChannelDesc *channelDesc);

/**
 * acldvppSetChannelDescMode() - tells what a channel is for
 * @channelDesc: description of a channel that is not created yet
 * @mode: bits: 1 for VPC, 2 for decoding and 4 for encoding JPEG; each channel can do all of it
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetChannelDescMode(acldvppChannelDesc *channelDesc,
						       uint32_t mode);

/**
 * acldvppCreateChannel() - makes a channel
 * @channelDesc: its description; tasks name the channel by it
 *
 * Context: a thread with a current context; never blocks.
 * Return: 0, or ACL_ERROR_INVALID_PARAM if the description has a channel already.
 */
ACL_FUNC_VISIBILITY aclError acldvppCreateChannel(acldvppChannelDesc *channelDesc);

/**
 * acldvppDestroyChannel() - ends a channel
 * @channelDesc: its description, which stays
 *
 * Tasks that were submitted before still run.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyChannel(acldvppChannelDesc *channelDesc);

/**
 * acldvppCreatePicDesc() - makes the description of a picture, of which nothing is set
 *
 * Context: any thread; never blocks.
 * Return: the object, which acldvppDestroyPicDesc() destroys; NULL if it can't be made.
 */
ACL_FUNC_VISIBILITY acldvppPicDesc *acldvppCreatePicDesc(void);

/**
 * acldvppDestroyPicDesc() - destroys the description of a picture
 * @picDesc: the object
 *
 * The memory of the picture stays.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyPicDesc(acldvppPicDesc *picDesc);

/**
 * acldvppSetPicDescData() - sets a field of a picture
 * @picDesc: description of a picture
 * @dataDev: device address of the picture; stays the caller's
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescData(acldvppPicDesc *picDesc, void *dataDev);

/**
 * acldvppSetPicDescSize() - sets a field of a picture
 * @picDesc: description of a picture
 * @size: bytes of the picture's memory
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescSize(acldvppPicDesc *picDesc, uint32_t size);

/**
 * acldvppSetPicDescFormat() - sets a field of a picture
 * @picDesc: description of a picture
 * @format: how its pixels lie in memory
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescFormat(acldvppPicDesc *picDesc,
						     acldvppPixelFormat format);

/**
 * acldvppSetPicDescWidth() - sets a field of a picture
 * @picDesc: description of a picture
 * @width: pixels of a row
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescWidth(acldvppPicDesc *picDesc, uint32_t width);

/**
 * acldvppSetPicDescHeight() - sets a field of a picture
 * @picDesc: description of a picture
 * @height: rows
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescHeight(acldvppPicDesc *picDesc, uint32_t height);

/**
 * acldvppSetPicDescWidthStride() - sets a field of a picture
 * @picDesc: description of a picture
 * @widthStride: bytes from one row to the next; 0: as many as a row has
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescWidthStride(acldvppPicDesc *picDesc,
							  uint32_t widthStride);

/**
 * acldvppSetPicDescHeightStride() - sets a field of a picture
 * @picDesc: description of a picture
 * @heightStride: rows from one plane to the next; 0: as many as the picture has
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescHeightStride(acldvppPicDesc *picDesc,
							   uint32_t heightStride);

/**
 * acldvppSetPicDescRetCode() - sets a field of a picture
 * @picDesc: description of a picture
 * @retCode: result of the last task; a program resets it by this
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetPicDescRetCode(acldvppPicDesc *picDesc, uint32_t retCode);

/**
 * acldvppGetPicDescData() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the address; NULL if there is no such description.
 */
ACL_FUNC_VISIBILITY void *acldvppGetPicDescData(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescSize() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the value; 0 if there is no such description.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescSize(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescFormat() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the format; PIXEL_FORMAT_UNKNOWN if there is no such description.
 */
ACL_FUNC_VISIBILITY acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescWidth() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the value; 0 if there is no such description.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescWidth(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescHeight() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the value; 0 if there is no such description.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescHeight(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescWidthStride() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the value; 0 if there is no such description.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescHeightStride() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: the value; 0 if there is no such description.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc *picDesc);

/**
 * acldvppGetPicDescRetCode() - a field of a picture
 * @picDesc: description of a picture
 *
 * Context: any thread; never blocks.
 * Return: 0, or the error code of the last task that wrote the picture.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc *picDesc);

/**
 * acldvppCreateBatchPicDesc() - makes descriptions of several pictures
 * @batchSize: how many; at least 1
 *
 * Context: any thread; never blocks.
 * Return: the object, which acldvppDestroyBatchPicDesc() destroys; NULL if it can't be made.
 */
ACL_FUNC_VISIBILITY acldvppBatchPicDesc *acldvppCreateBatchPicDesc(uint32_t batchSize);

/**
 * acldvppGetPicDesc() - one of several descriptions
 * @batchPicDesc: the descriptions
 * @index: which one, from 0
 *
 * Context: any thread; never blocks.
 * Return: the description, which lives as long as @batchPicDesc; NULL if there is none.
 */
ACL_FUNC_VISIBILITY acldvppPicDesc *acldvppGetPicDesc(acldvppBatchPicDesc *batchPicDesc,
						      uint32_t index);

/**
 * acldvppDestroyBatchPicDesc() - destroys descriptions of several pictures
 * @batchPicDesc: the object
 *
 * Each of them ends.
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc *batchPicDesc);

/**
 * acldvppCreateRoiConfig() - makes a region of a picture
 * @left: first column
 * @right: last column
 * @top: first row
 * @bottom: last row
 *
 * Context: any thread; never blocks.
 * Return: the object, which acldvppDestroyRoiConfig() destroys; NULL if it can't be made.
 */
ACL_FUNC_VISIBILITY acldvppRoiConfig *acldvppCreateRoiConfig(uint32_t left, uint32_t right,
							     uint32_t top, uint32_t bottom);

/**
 * acldvppDestroyRoiConfig() - destroys a region
 * @roiConfig: the object
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyRoiConfig(acldvppRoiConfig *roiConfig);

/**
 * acldvppSetRoiConfigLeft() - sets a side of a region
 * @roiConfig: the region
 * @left: first column
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigLeft(acldvppRoiConfig *roiConfig, uint32_t left);

/**
 * acldvppSetRoiConfigRight() - sets a side of a region
 * @roiConfig: the region
 * @right: last column
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigRight(acldvppRoiConfig *roiConfig, uint32_t right);

/**
 * acldvppSetRoiConfigTop() - sets a side of a region
 * @roiConfig: the region
 * @top: first row
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigTop(acldvppRoiConfig *roiConfig, uint32_t top);

/**
 * acldvppSetRoiConfigBottom() - sets a side of a region
 * @roiConfig: the region
 * @bottom: last row
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfigBottom(acldvppRoiConfig *roiConfig,
						       uint32_t bottom);

/**
 * acldvppSetRoiConfig() - sets a region
 * @roiConfig: the region
 * @left: first column
 * @right: last column
 * @top: first row
 * @bottom: last row
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetRoiConfig(acldvppRoiConfig *roiConfig, uint32_t left,
						 uint32_t right, uint32_t top, uint32_t bottom);

/**
 * acldvppCreateResizeConfig() - makes a configuration of scaling
 *
 * It has interpolation 0.
 *
 * Context: any thread; never blocks.
 * Return: the object, which acldvppDestroyResizeConfig() destroys; NULL if it can't be made.
 */
ACL_FUNC_VISIBILITY acldvppResizeConfig *acldvppCreateResizeConfig(void);

/**
 * acldvppDestroyResizeConfig() - destroys a configuration of scaling
 * @resizeConfig: the object
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyResizeConfig(acldvppResizeConfig *resizeConfig);

/**
 * acldvppSetResizeConfigInterpolation() - chooses how pixels are found
 * @resizeConfig: the configuration
 * @interpolation: 0, 1, 3 and 5: between four pixels, 2 and 4: the nearest one, as OpenCV does both
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetResizeConfigInterpolation(acldvppResizeConfig *resizeConfig,
								 uint32_t interpolation);

/**
 * acldvppGetResizeConfigInterpolation() - how pixels are found
 * @resizeConfig: the configuration
 *
 * Context: any thread; never blocks.
 * Return: the number; 0 if there is no such configuration.
 */
ACL_FUNC_VISIBILITY uint32_t
acldvppGetResizeConfigInterpolation(const acldvppResizeConfig *resizeConfig);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_PICTURE_H */
