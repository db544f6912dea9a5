/* SPDX-License-Identifier: MIT */
/*
 * DOC: Files of images
 *
 * Part of acl/ops/acl_dvpp.h, which states the rules for all functions. Those that read the head of a file and tell how
 * large its picture becomes work; the others compile and link, and each is refused.
 */
#ifndef ACL_OPS_ACL_DVPP_FILES_H
#define ACL_OPS_ACL_DVPP_FILES_H

#include <stdint.h>

#include "acl/ops/acl_dvpp_picture.h"

#ifdef __cplusplus
extern "C" {
#endif

/** typedef acldvppJpegeConfig - a configuration of JPEG files. */
typedef struct acldvppJpegeConfig acldvppJpegeConfig;

/** enum acldvppJpegFormat - the sub-sampling of a JPEG file. */
typedef enum acldvppJpegFormat {
	ACL_JPEG_CSS_444 = 0,
	ACL_JPEG_CSS_422 = 1,
	ACL_JPEG_CSS_420 = 2,
	ACL_JPEG_CSS_GRAY = 3,
	ACL_JPEG_CSS_440 = 4,
	ACL_JPEG_CSS_411 = 5,
	ACL_JPEG_CSS_UNKNOWN = 1000,
} acldvppJpegFormat;

/**
 * acldvppCreateJpegeConfig() - makes a configuration of JPEG files
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: NULL.
 */
ACL_FUNC_VISIBILITY acldvppJpegeConfig *acldvppCreateJpegeConfig(void);

/**
 * acldvppDestroyJpegeConfig() - destroys a configuration of JPEG files
 * @jpegeConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppDestroyJpegeConfig(acldvppJpegeConfig *jpegeConfig);

/**
 * acldvppSetJpegeConfigLevel() - sets the quality of JPEG files
 * @jpegeConfig: not read
 * @level: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppSetJpegeConfigLevel(acldvppJpegeConfig *jpegeConfig,
							uint32_t level);

/**
 * acldvppGetJpegeConfigLevel() - the quality of JPEG files
 * @jpegeConfig: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: 0.
 */
ACL_FUNC_VISIBILITY uint32_t acldvppGetJpegeConfigLevel(const acldvppJpegeConfig *jpegeConfig);

/**
 * acldvppJpegGetImageInfo() - reads the head of a JPEG file
 * @data: the file, in memory of the host
 * @size: its bytes; the head is enough
 * @width: where the number of columns goes
 * @height: where the number of rows goes
 * @components: where the number of components goes; NULL: nowhere
 *
 * Any file with a head is described, also one that the device doesn't decode.
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM, and nothing is written.
 */
ACL_FUNC_VISIBILITY aclError acldvppJpegGetImageInfo(const void *data, uint32_t size,
						     uint32_t *width, uint32_t *height,
						     int32_t *components);

/**
 * acldvppJpegGetImageInfoV2() - reads the head of a JPEG file
 * @data: the file, in memory of the host
 * @size: its bytes; the head is enough
 * @width: where the number of columns goes
 * @height: where the number of rows goes
 * @components: where the number of components goes; NULL: nowhere
 * @format: where the sub-sampling goes; NULL: nowhere
 *
 * Any file with a head is described, also one that the device doesn't decode.
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM, and nothing is written.
 */
ACL_FUNC_VISIBILITY aclError acldvppJpegGetImageInfoV2(const void *data, uint32_t size,
						       uint32_t *width, uint32_t *height,
						       int32_t *components,
						       acldvppJpegFormat *format);

/**
 * acldvppJpegPredictEncSize() - tells how long a JPEG file becomes
 * @inputDesc: not read
 * @config: not read
 * @size: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppJpegPredictEncSize(const acldvppPicDesc *inputDesc,
						       const acldvppJpegeConfig *config,
						       uint32_t *size);

/**
 * acldvppJpegPredictDecSize() - tells how large the picture of a JPEG file is
 * @data: the file, in memory of the host
 * @dataSize: its bytes; the head is enough
 * @outputPixelFormat: 1, 2, that of the file, or PIXEL_FORMAT_UNKNOWN for that of the file
 * @decSize: where the bytes go
 *
 * Rows are multiples of 128 pixels and of 16 in number, as on the hardware that pads most. Refused are files that the
 * device doesn't decode: not baseline, smaller than 32 x 32 pixels, larger than 8192 x 8192, or with other components.
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM, and nothing is written.
 */
ACL_FUNC_VISIBILITY aclError acldvppJpegPredictDecSize(const void *data, uint32_t dataSize,
						       acldvppPixelFormat outputPixelFormat,
						       uint32_t *decSize);

/**
 * acldvppJpegDecodeAsync() - decodes a JPEG file
 * @channelDesc: not read
 * @data: not read
 * @size: not read
 * @outputDesc: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppJpegDecodeAsync(acldvppChannelDesc *channelDesc,
						    const void *data, uint32_t size,
						    acldvppPicDesc *outputDesc, aclrtStream stream);

/**
 * acldvppJpegEncodeAsync() - encodes a JPEG file
 * @channelDesc: not read
 * @inputDesc: not read
 * @data: not read
 * @size: not read
 * @config: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppJpegEncodeAsync(acldvppChannelDesc *channelDesc,
						    acldvppPicDesc *inputDesc, const void *data,
						    uint32_t *size, acldvppJpegeConfig *config,
						    aclrtStream stream);

/**
 * acldvppPngGetImageInfo() - reads the head of a PNG file
 * @data: the file, in memory of the host
 * @dataSize: its bytes; the head is enough
 * @width: where the number of columns goes
 * @height: where the number of rows goes
 * @components: where the number of components goes; NULL: nowhere
 *
 * Any file with a head is described, also one that the device doesn't decode.
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM, and nothing is written.
 */
ACL_FUNC_VISIBILITY aclError acldvppPngGetImageInfo(const void *data, uint32_t dataSize,
						    uint32_t *width, uint32_t *height,
						    int32_t *components);

/**
 * acldvppPngPredictDecSize() - tells how large the picture of a PNG file is
 * @data: the file, in memory of the host
 * @dataSize: its bytes; the head is enough
 * @outputPixelFormat: PIXEL_FORMAT_RGB_888, PIXEL_FORMAT_RGBA_8888 for files with opacity, or PIXEL_FORMAT_UNKNOWN
 * @decSize: where the bytes go
 *
 * Rows are multiples of 128 pixels and of 16 in number, as on the hardware that pads most. Refused are files with a
 * palette, smaller than 32 x 32 pixels, or larger than 4096 x 4096.
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM, and nothing is written.
 */
ACL_FUNC_VISIBILITY aclError acldvppPngPredictDecSize(const void *data, uint32_t dataSize,
						      acldvppPixelFormat outputPixelFormat,
						      uint32_t *decSize);

/**
 * acldvppPngDecodeAsync() - decodes a PNG file
 * @channelDesc: not read
 * @data: not read
 * @size: not read
 * @outputDesc: not read
 * @stream: not read
 *
 * Not supported.
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError acldvppPngDecodeAsync(acldvppChannelDesc *channelDesc,
						   const void *data, uint32_t size,
						   acldvppPicDesc *outputDesc, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_FILES_H */
