// SPDX-License-Identifier: MIT
/*
 * DOC: Formats of images
 *
 * What the compiler of models, the runtime and the firmware have to know alike about the images of the kind AIPP.
 */
#pragma once

#include <cstdint>

#include "uapi/aipp.h"

namespace base {

/** aipp_channels() - the channels of a pixel; 0: there is no such format. */
constexpr unsigned aipp_channels(uint32_t format)
{
	switch (format) {
	case UNPU_AIPP_YUV400:
		return 1;
	case UNPU_AIPP_YUV420SP:
	case UNPU_AIPP_RGB888:
	case UNPU_AIPP_YUYV:
	case UNPU_AIPP_YUV422SP:
		return 3;
	case UNPU_AIPP_XRGB8888:
	case UNPU_AIPP_ARGB8888:
	case UNPU_AIPP_AYUV444:
		return 4;
	default:
		return 0;
	}
}

/** aipp_is_yuv() - whether the channels are Y, U and V. */
constexpr bool aipp_is_yuv(uint32_t format)
{
	return format == UNPU_AIPP_YUV420SP || format == UNPU_AIPP_YUYV ||
	       format == UNPU_AIPP_YUV422SP || format == UNPU_AIPP_AYUV444;
}

/** aipp_columns(), aipp_rows() - how many pixels in a row, and rows, have one U and V: width and height are multiples
 * of them. */
constexpr uint32_t aipp_columns(uint32_t format)
{
	return aipp_is_yuv(format) && format != UNPU_AIPP_AYUV444 ? 2 : 1;
}
constexpr uint32_t aipp_rows(uint32_t format)
{
	return format == UNPU_AIPP_YUV420SP ? 2 : 1;
}

/** struct AippBytes - an image of @width x @height pixels as a tensor of bytes: @rows rows of @width elements, which
 * have @bytes each. */
struct AippBytes {
	uint64_t rows, width, bytes;

	uint64_t all() const { return rows * width * bytes; }
};
constexpr AippBytes aipp_bytes(uint32_t format, uint32_t width, uint32_t height)
{
	switch (format) {
	case UNPU_AIPP_YUV420SP:
		return {uint64_t{height} + height / 2, width, 1};
	case UNPU_AIPP_YUV422SP:
		return {uint64_t{height} * 2, width, 1};
	case UNPU_AIPP_YUYV:
		return {height, width, 2};
	default:
		return {height, width, aipp_channels(format)};
	}
}

} // namespace base
