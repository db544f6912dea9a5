/* SPDX-License-Identifier: MIT */
/*
 * DOC: Pictures
 *
 * Pictures in device memory are scaled, cut, pasted and converted by tasks of a stream. A picture is described by an
 * object: where its bytes are, its format, its width and height in pixels, and the strides. The width stride is the
 * distance from one row to the next in bytes, the height stride the number of rows from one plane to the next. A format
 * with U and V for several pixels has an even width, and an even height where it has them for several rows: an odd one
 * counts as one less.
 *
 * A description is used by one thread at a time. A task copies what it needs, so descriptions and configurations may be
 * changed or destroyed behind the call; the memory of the pictures has to stay until the task is done.
 */
#ifndef ACL_OPS_ACL_DVPP_H
#define ACL_OPS_ACL_DVPP_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base_rt.h"
#include "acl/ops/acl_dvpp_files.h"
#include "acl/ops/acl_dvpp_filters.h"
#include "acl/ops/acl_dvpp_picture.h"
#include "acl/ops/acl_dvpp_video.h"
#include "acl/ops/acl_dvpp_video_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * acldvppMalloc() - allocates device memory
 * @devPtr: out, the address
 * @size: bytes; not 0
 *
 * As aclrtMalloc() with ACL_MEM_MALLOC_HUGE_FIRST.
 *
 * Context: any thread; may block.
 * Return: as aclrtMalloc().
 */
ACL_FUNC_VISIBILITY aclError acldvppMalloc(void **devPtr, size_t size);

/**
 * acldvppFree() - frees memory of acldvppMalloc()
 * @devPtr: the address
 *
 * Context: as aclrtFree().
 * Return: as aclrtFree().
 */
ACL_FUNC_VISIBILITY aclError acldvppFree(void *devPtr);

/**
 * acldvppVpcResizeAsync() - scales a picture
 * @channelDesc: description of a channel
 * @inputDesc: the source
 * @outputDesc: the result
 * @resizeConfig: how pixels are found
 * @stream: stream; NULL: the default stream
 *
 * The result has the size and the format of its description.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcResizeAsync(acldvppChannelDesc *channelDesc,
						   acldvppPicDesc *inputDesc,
						   acldvppPicDesc *outputDesc,
						   acldvppResizeConfig *resizeConfig,
						   aclrtStream stream);

/**
 * acldvppVpcCropAsync() - takes a region of a picture
 * @channelDesc: description of a channel
 * @inputDesc: the source
 * @outputDesc: the result
 * @cropArea: the region of the source
 * @stream: stream; NULL: the default stream
 *
 * The region is scaled to the size of the result.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcCropAsync(acldvppChannelDesc *channelDesc,
						 acldvppPicDesc *inputDesc,
						 acldvppPicDesc *outputDesc,
						 acldvppRoiConfig *cropArea, aclrtStream stream);

/**
 * acldvppVpcCropResizeAsync() - takes a region of a picture and scales it
 * @channelDesc: description of a channel
 * @inputDesc: the source
 * @outputDesc: the result
 * @cropArea: the region of the source
 * @resizeConfig: how pixels are found
 * @stream: stream; NULL: the default stream
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcCropResizeAsync(
	acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc, acldvppPicDesc *outputDesc,
	acldvppRoiConfig *cropArea, acldvppResizeConfig *resizeConfig, aclrtStream stream);

/**
 * acldvppVpcCropAndPasteAsync() - takes a region of a picture to a region of another
 * @channelDesc: description of a channel
 * @inputDesc: the source
 * @outputDesc: the result
 * @cropArea: the region of the source
 * @pasteArea: the region of the result; the rest of it stays
 * @stream: stream; NULL: the default stream
 *
 * The region is scaled to the size of @pasteArea.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcCropAndPasteAsync(
	acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc, acldvppPicDesc *outputDesc,
	acldvppRoiConfig *cropArea, acldvppRoiConfig *pasteArea, aclrtStream stream);

/**
 * acldvppVpcCropResizePasteAsync() - takes a region of a picture to a region of another
 * @channelDesc: description of a channel
 * @inputDesc: the source
 * @outputDesc: the result
 * @cropArea: the region of the source
 * @pasteArea: the region of the result; the rest of it stays
 * @resizeConfig: how pixels are found
 * @stream: stream; NULL: the default stream
 *
 * As acldvppVpcCropAndPasteAsync(), with a configuration.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcCropResizePasteAsync(
	acldvppChannelDesc *channelDesc, acldvppPicDesc *inputDesc, acldvppPicDesc *outputDesc,
	acldvppRoiConfig *cropArea, acldvppRoiConfig *pasteArea, acldvppResizeConfig *resizeConfig,
	aclrtStream stream);

/**
 * acldvppVpcBatchCropAsync() - takes regions of several pictures
 * @channelDesc: description of a channel
 * @srcBatchPicDescs: the sources
 * @roiNums: for each source, how many results are made of it
 * @size: how many sources there are
 * @dstBatchPicDescs: the results, first those of the first source
 * @cropAreas: a region of its source for each result
 * @stream: stream; NULL: the default stream
 *
 * Each region is a task as of acldvppVpcCropAsync(). All are checked before the first one is accepted.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcBatchCropAsync(acldvppChannelDesc *channelDesc,
						      acldvppBatchPicDesc *srcBatchPicDescs,
						      uint32_t *roiNums, uint32_t size,
						      acldvppBatchPicDesc *dstBatchPicDescs,
						      acldvppRoiConfig *cropAreas[],
						      aclrtStream stream);

/**
 * acldvppVpcBatchCropResizeAsync() - takes regions of several pictures and scales them
 * @channelDesc: description of a channel
 * @srcBatchPicDescs: the sources
 * @roiNums: for each source, how many results are made of it
 * @size: how many sources there are
 * @dstBatchPicDescs: the results, first those of the first source
 * @cropAreas: a region of its source for each result
 * @resizeConfig: how pixels are found
 * @stream: stream; NULL: the default stream
 *
 * As acldvppVpcBatchCropAsync(), with a configuration.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcBatchCropResizeAsync(
	acldvppChannelDesc *channelDesc, acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
	uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs, acldvppRoiConfig *cropAreas[],
	acldvppResizeConfig *resizeConfig, aclrtStream stream);

/**
 * acldvppVpcBatchCropAndPasteAsync() - takes regions of several pictures to regions of others
 * @channelDesc: description of a channel
 * @srcBatchPicDescs: the sources
 * @roiNums: for each source, how many results are made of it
 * @size: how many sources there are
 * @dstBatchPicDescs: the results, first those of the first source
 * @cropAreas: a region of its source for each result
 * @pasteAreas: a region for each result; the rest of it stays
 * @stream: stream; NULL: the default stream
 *
 * Each region is a task as of acldvppVpcCropAndPasteAsync(). All are checked before the first one is accepted.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcBatchCropAndPasteAsync(
	acldvppChannelDesc *channelDesc, acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
	uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs, acldvppRoiConfig *cropAreas[],
	acldvppRoiConfig *pasteAreas[], aclrtStream stream);

/**
 * acldvppVpcBatchCropResizePasteAsync() - takes regions of several pictures to regions of others
 * @channelDesc: description of a channel
 * @srcBatchPicDescs: the sources
 * @roiNums: for each source, how many results are made of it
 * @size: how many sources there are
 * @dstBatchPicDescs: the results, first those of the first source
 * @cropAreas: a region of its source for each result
 * @pasteAreas: a region for each result; the rest of it stays
 * @resizeConfig: how pixels are found
 * @stream: stream; NULL: the default stream
 *
 * As acldvppVpcBatchCropAndPasteAsync(), with a configuration.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcBatchCropResizePasteAsync(
	acldvppChannelDesc *channelDesc, acldvppBatchPicDesc *srcBatchPicDescs, uint32_t *roiNums,
	uint32_t size, acldvppBatchPicDesc *dstBatchPicDescs, acldvppRoiConfig *cropAreas[],
	acldvppRoiConfig *pasteAreas[], acldvppResizeConfig *resizeConfig, aclrtStream stream);

/**
 * acldvppVpcConvertColorAsync() - changes the format of a picture
 * @channelDesc: description of a channel
 * @inputDesc: the source
 * @outputDesc: the result
 * @stream: stream; NULL: the default stream
 *
 * Both pictures have one size.
 *
 * Context: any thread; may wait for room in the stream.
 * Return: 0: the task was accepted; else ACL_ERROR_INVALID_PARAM or another error, and there is no task.
 */
ACL_FUNC_VISIBILITY aclError acldvppVpcConvertColorAsync(acldvppChannelDesc *channelDesc,
							 acldvppPicDesc *inputDesc,
							 acldvppPicDesc *outputDesc,
							 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACL_OPS_ACL_DVPP_H */
