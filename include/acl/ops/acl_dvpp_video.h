/* SPDX-License-Identifier: MIT */
/*
 * DOC: Decoding of video
 *
 * Part of acl/ops/acl_dvpp.h, which states the rules for all functions. Programs that name these functions compile and
 * link; none of the functions works.
 */
#ifndef ACL_OPS_ACL_DVPP_VIDEO_H
#define ACL_OPS_ACL_DVPP_VIDEO_H

#include <stdint.h>

#include "acl/ops/acl_dvpp_picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Objects, of which there are none. */
typedef struct acldvppStreamDesc acldvppStreamDesc;
typedef struct aclvdecChannelDesc aclvdecChannelDesc;
typedef struct aclvdecFrameConfig aclvdecFrameConfig;
typedef struct aclvencChannelDesc aclvencChannelDesc;
typedef struct aclvencFrameConfig aclvencFrameConfig;

/** enum acldvppStreamFormat - how video is encoded. */
typedef enum acldvppStreamFormat {
	H265_MAIN_LEVEL = 0,
	H264_BASELINE_LEVEL = 1,
	H264_MAIN_LEVEL = 2,
	H264_HIGH_LEVEL = 3,
} acldvppStreamFormat;

/** typedef aclvdecCallback - would get each decoded picture. */
typedef void (*aclvdecCallback)(acldvppStreamDesc *input, acldvppPicDesc *output, void *userData);

/** typedef aclvencCallback - would get each encoded piece. */
typedef void (*aclvencCallback)(acldvppPicDesc *input, acldvppStreamDesc *output, void *userdata);

/**
 * acldvppCreateStreamDesc() - makes the description of a piece of video
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY acldvppStreamDesc *acldvppCreateStreamDesc(void);

/**
 * acldvppDestroyStreamDesc() - destroys the description of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyStreamDesc(acldvppStreamDesc *streamDesc);

/**
 * acldvppSetStreamDescData() - sets a field of a piece of video
 * @streamDesc: not read
 * @dataDev: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescData(acldvppStreamDesc *streamDesc, void *dataDev);

/**
 * acldvppSetStreamDescSize() - sets a field of a piece of video
 * @streamDesc: not read
 * @size: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescSize(acldvppStreamDesc *streamDesc, uint32_t size);

/**
 * acldvppSetStreamDescFormat() - sets a field of a piece of video
 * @streamDesc: not read
 * @format: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescFormat(acldvppStreamDesc *streamDesc,
							acldvppStreamFormat format);

/**
 * acldvppSetStreamDescTimestamp() - sets a field of a piece of video
 * @streamDesc: not read
 * @timestamp: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescTimestamp(acldvppStreamDesc *streamDesc,
							   uint64_t timestamp);

/**
 * acldvppSetStreamDescRetCode() - sets a field of a piece of video
 * @streamDesc: not read
 * @retCode: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescRetCode(acldvppStreamDesc *streamDesc,
							 uint32_t retCode);

/**
 * acldvppSetStreamDescEos() - sets a field of a piece of video
 * @streamDesc: not read
 * @eos: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetStreamDescEos(acldvppStreamDesc *streamDesc, uint8_t eos);

/**
 * acldvppGetStreamDescData() - a field of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY void *acldvppGetStreamDescData(const acldvppStreamDesc *streamDesc);

/**
 * acldvppGetStreamDescSize() - a field of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetStreamDescSize(const acldvppStreamDesc *streamDesc);

/**
 * acldvppGetStreamDescFormat() - a field of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: H265_MAIN_LEVEL.
 */
ACL_FUNC_VISIBILITY acldvppStreamFormat
acldvppGetStreamDescFormat(const acldvppStreamDesc *streamDesc);

/**
 * acldvppGetStreamDescTimestamp() - a field of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint64_t acldvppGetStreamDescTimestamp(const acldvppStreamDesc *streamDesc);

/**
 * acldvppGetStreamDescRetCode() - a field of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetStreamDescRetCode(const acldvppStreamDesc *streamDesc);

/**
 * acldvppGetStreamDescEos() - a field of a piece of video
 * @streamDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint8_t acldvppGetStreamDescEos(const acldvppStreamDesc *streamDesc);

/**
 * aclvdecCreateChannelDesc() - makes the description of a channel that decodes video
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclvdecChannelDesc *aclvdecCreateChannelDesc(void);

/**
 * aclvdecDestroyChannelDesc() - destroys the description of such a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecDestroyChannelDesc(aclvdecChannelDesc *channelDesc);

/**
 * aclvdecSetChannelDescChannelId() - sets a field of a channel
 * @channelDesc: not read
 * @channelId: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescChannelId(aclvdecChannelDesc *channelDesc,
							    uint32_t channelId);

/**
 * aclvdecSetChannelDescThreadId() - sets a field of a channel
 * @channelDesc: not read
 * @threadId: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescThreadId(aclvdecChannelDesc *channelDesc,
							   uint64_t threadId);

/**
 * aclvdecSetChannelDescCallback() - sets a field of a channel
 * @channelDesc: not read
 * @callback: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescCallback(aclvdecChannelDesc *channelDesc,
							   aclvdecCallback callback);

/**
 * aclvdecSetChannelDescEnType() - sets a field of a channel
 * @channelDesc: not read
 * @enType: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescEnType(aclvdecChannelDesc *channelDesc,
							 acldvppStreamFormat enType);

/**
 * aclvdecSetChannelDescOutPicFormat() - sets a field of a channel
 * @channelDesc: not read
 * @outPicFormat: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescOutPicFormat(aclvdecChannelDesc *channelDesc,
							       acldvppPixelFormat outPicFormat);

/**
 * aclvdecSetChannelDescOutPicWidth() - sets a field of a channel
 * @channelDesc: not read
 * @outPicWidth: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescOutPicWidth(aclvdecChannelDesc *channelDesc,
							      uint32_t outPicWidth);

/**
 * aclvdecSetChannelDescOutPicHeight() - sets a field of a channel
 * @channelDesc: not read
 * @outPicHeight: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescOutPicHeight(aclvdecChannelDesc *channelDesc,
							       uint32_t outPicHeight);

/**
 * aclvdecSetChannelDescRefFrameNum() - sets a field of a channel
 * @channelDesc: not read
 * @refFrameNum: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescRefFrameNum(aclvdecChannelDesc *channelDesc,
							      uint32_t refFrameNum);

/**
 * aclvdecSetChannelDescOutMode() - sets a field of a channel
 * @channelDesc: not read
 * @outMode: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescOutMode(aclvdecChannelDesc *channelDesc,
							  uint32_t outMode);

/**
 * aclvdecSetChannelDescBitDepth() - sets a field of a channel
 * @channelDesc: not read
 * @bitDepth: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSetChannelDescBitDepth(aclvdecChannelDesc *channelDesc,
							   uint32_t bitDepth);

/**
 * aclvdecGetChannelDescChannelId() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvdecGetChannelDescChannelId(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescThreadId() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint64_t aclvdecGetChannelDescThreadId(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescCallback() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclvdecCallback
aclvdecGetChannelDescCallback(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescEnType() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: H265_MAIN_LEVEL.
 */
ACL_FUNC_VISIBILITY acldvppStreamFormat
aclvdecGetChannelDescEnType(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescOutPicFormat() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: PIXEL_FORMAT_UNKNOWN.
 */
ACL_FUNC_VISIBILITY acldvppPixelFormat
aclvdecGetChannelDescOutPicFormat(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescOutPicWidth() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t
aclvdecGetChannelDescOutPicWidth(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescOutPicHeight() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t
aclvdecGetChannelDescOutPicHeight(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescRefFrameNum() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t
aclvdecGetChannelDescRefFrameNum(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescOutMode() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvdecGetChannelDescOutMode(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecGetChannelDescBitDepth() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvdecGetChannelDescBitDepth(const aclvdecChannelDesc *channelDesc);

/**
 * aclvdecCreateChannel() - makes a channel that decodes video
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecCreateChannel(aclvdecChannelDesc *channelDesc);

/**
 * aclvdecDestroyChannel() - ends a channel that decodes video
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecDestroyChannel(aclvdecChannelDesc *channelDesc);

/**
 * aclvdecCreateFrameConfig() - makes a configuration of a frame
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclvdecFrameConfig *aclvdecCreateFrameConfig(void);

/**
 * aclvdecDestroyFrameConfig() - destroys a configuration of a frame
 * @config: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecDestroyFrameConfig(aclvdecFrameConfig *config);

/**
 * aclvdecSendFrame() - gives a piece of video to a channel
 * @channelDesc: not read
 * @input: not read
 * @output: not read
 * @config: not read
 * @userData: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSendFrame(aclvdecChannelDesc *channelDesc,
					      acldvppStreamDesc *input, acldvppPicDesc *output,
					      aclvdecFrameConfig *config, void *userData);

/**
 * aclvdecSendSkippedFrame() - submits video data without an output picture
 * @channelDesc: not read
 * @input: not read
 * @config: not read
 * @userData: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvdecSendSkippedFrame(aclvdecChannelDesc *channelDesc,
						     acldvppStreamDesc *input,
						     aclvdecFrameConfig *config, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_VIDEO_H */
