/* SPDX-License-Identifier: MIT */
/*
 * DOC: Encoding of video
 *
 * Part of acl/ops/acl_dvpp.h, which states the rules for all functions. Programs that name these functions compile and
 * link; none of the functions works.
 */
#ifndef ACL_OPS_ACL_DVPP_VIDEO_ENCODE_H
#define ACL_OPS_ACL_DVPP_VIDEO_ENCODE_H

#include <stdint.h>

#include "acl/ops/acl_dvpp_video.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclvencCreateChannelDesc() - makes the description of a channel that encodes video
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclvencChannelDesc *aclvencCreateChannelDesc(void);

/**
 * aclvencDestroyChannelDesc() - destroys the description of such a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencDestroyChannelDesc(aclvencChannelDesc *channelDesc);

/**
 * aclvencSetChannelDescThreadId() - sets a field of a channel
 * @channelDesc: not read
 * @threadId: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescThreadId(aclvencChannelDesc *channelDesc,
							   uint64_t threadId);

/**
 * aclvencSetChannelDescCallback() - sets a field of a channel
 * @channelDesc: not read
 * @callback: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescCallback(aclvencChannelDesc *channelDesc,
							   aclvencCallback callback);

/**
 * aclvencSetChannelDescEnType() - sets a field of a channel
 * @channelDesc: not read
 * @enType: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescEnType(aclvencChannelDesc *channelDesc,
							 acldvppStreamFormat enType);

/**
 * aclvencSetChannelDescPicFormat() - sets a field of a channel
 * @channelDesc: not read
 * @picFormat: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescPicFormat(aclvencChannelDesc *channelDesc,
							    acldvppPixelFormat picFormat);

/**
 * aclvencSetChannelDescPicWidth() - sets a field of a channel
 * @channelDesc: not read
 * @picWidth: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescPicWidth(aclvencChannelDesc *channelDesc,
							   uint32_t picWidth);

/**
 * aclvencSetChannelDescPicHeight() - sets a field of a channel
 * @channelDesc: not read
 * @picHeight: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescPicHeight(aclvencChannelDesc *channelDesc,
							    uint32_t picHeight);

/**
 * aclvencSetChannelDescKeyFrameInterval() - sets a field of a channel
 * @channelDesc: not read
 * @keyFrameInterval: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescKeyFrameInterval(aclvencChannelDesc *channelDesc,
								   uint32_t keyFrameInterval);

/**
 * aclvencSetChannelDescRcMode() - sets a field of a channel
 * @channelDesc: not read
 * @rcMode: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescRcMode(aclvencChannelDesc *channelDesc,
							 uint32_t rcMode);

/**
 * aclvencSetChannelDescSrcRate() - sets a field of a channel
 * @channelDesc: not read
 * @srcRate: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescSrcRate(aclvencChannelDesc *channelDesc,
							  uint32_t srcRate);

/**
 * aclvencSetChannelDescMaxBitRate() - sets a field of a channel
 * @channelDesc: not read
 * @maxBitRate: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescMaxBitRate(aclvencChannelDesc *channelDesc,
							     uint32_t maxBitRate);

/**
 * aclvencSetChannelDescIPProp() - sets a field of a channel
 * @channelDesc: not read
 * @ipProp: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetChannelDescIPProp(aclvencChannelDesc *channelDesc,
							 uint32_t ipProp);

/**
 * aclvencGetChannelDescThreadId() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint64_t aclvencGetChannelDescThreadId(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescCallback() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclvencCallback
aclvencGetChannelDescCallback(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescEnType() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: H265_MAIN_LEVEL.
 */
ACL_FUNC_VISIBILITY acldvppStreamFormat
aclvencGetChannelDescEnType(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescPicFormat() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: PIXEL_FORMAT_UNKNOWN.
 */
ACL_FUNC_VISIBILITY acldvppPixelFormat
aclvencGetChannelDescPicFormat(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescPicWidth() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvencGetChannelDescPicWidth(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescPicHeight() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvencGetChannelDescPicHeight(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescKeyFrameInterval() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t
aclvencGetChannelDescKeyFrameInterval(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescRcMode() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvencGetChannelDescRcMode(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescSrcRate() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvencGetChannelDescSrcRate(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescMaxBitRate() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvencGetChannelDescMaxBitRate(const aclvencChannelDesc *channelDesc);

/**
 * aclvencGetChannelDescIPProp() - a field of a channel
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t aclvencGetChannelDescIPProp(const aclvencChannelDesc *channelDesc);

/**
 * aclvencCreateChannel() - makes a channel that encodes video
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencCreateChannel(aclvencChannelDesc *channelDesc);

/**
 * aclvencDestroyChannel() - ends a channel that encodes video
 * @channelDesc: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencDestroyChannel(aclvencChannelDesc *channelDesc);

/**
 * aclvencCreateFrameConfig() - makes a configuration of a frame
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY aclvencFrameConfig *aclvencCreateFrameConfig(void);

/**
 * aclvencDestroyFrameConfig() - destroys a configuration of a frame
 * @config: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencDestroyFrameConfig(aclvencFrameConfig *config);

/**
 * aclvencSetFrameConfigEos() - marks the last frame
 * @config: not read
 * @eos: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetFrameConfigEos(aclvencFrameConfig *config, uint8_t eos);

/**
 * aclvencSetFrameConfigForceIFrame() - asks for a key frame
 * @config: not read
 * @forceIFrame: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSetFrameConfigForceIFrame(aclvencFrameConfig *config,
							      uint8_t forceIFrame);

/**
 * aclvencGetFrameConfigEos() - whether it is the last frame
 * @config: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint8_t aclvencGetFrameConfigEos(const aclvencFrameConfig *config);

/**
 * aclvencGetFrameConfigForceIFrame() - whether it is a key frame
 * @config: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint8_t aclvencGetFrameConfigForceIFrame(const aclvencFrameConfig *config);

/**
 * aclvencSendFrame() - gives a picture to a channel
 * @channelDesc: not read
 * @input: not read
 * @reserve: not read
 * @config: not read
 * @userData: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclvencSendFrame(aclvencChannelDesc *channelDesc,
					      acldvppPicDesc *input, void *reserve,
					      aclvencFrameConfig *config, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_VIDEO_ENCODE_H */
