// SPDX-License-Identifier: MIT
/*
 * DOC: Formats of pictures
 *
 * What the runtime and the firmware have to know alike about the pictures of the kind PICTURE.
 */
#pragma once

#include <cstdint>

#include "uapi/picture.h"

namespace base {

/** struct PictureFormat - where the channels of a pixel are: Y, U and V, or red, green, blue and perhaps opacity.
 * @planes: 1 or 2; 0: there is no such format
 * @bytes: of a pixel in the first plane
 * @columns, @rows: how many pixels in a row, and rows, have one U and V */
struct PictureFormat {
	/** struct Channel - the plane, the first byte, and the distance from one value to the next. */
	struct Channel {
		uint8_t plane, offset, step;
	};

	uint8_t planes = 0;
	bool is_yuv = false;
	uint8_t bytes = 1;
	uint8_t columns = 1, rows = 1;
	uint8_t count = 0;
	Channel channels[4] = {};

	/** row_bytes() - bytes of a row of @width pixels in a plane. */
	constexpr int64_t row_bytes(unsigned plane, int64_t width) const
	{
		return plane == 0 ? width * bytes : width / columns * 2;
	}

	/** plane_rows() - rows of a plane of a picture of @height rows. */
	constexpr int64_t plane_rows(unsigned plane, int64_t height) const
	{
		return plane == 0 ? height : height / rows;
	}
};

/** picture_format() - the row of an enum unpu_picture_format. */
constexpr PictureFormat picture_format(uint64_t format)
{
	const auto planar = [](uint8_t columns, uint8_t rows, uint8_t u) {
		const auto v = static_cast<uint8_t>(1 - u);
		return PictureFormat{
			2, true, 1, columns, rows, 3, {{0, 0, 1}, {1, u, 2}, {1, v, 2}}};
	};
	const auto pairs = [](uint8_t y, uint8_t u, uint8_t v) {
		return PictureFormat{1, true, 2, 2, 1, 3, {{0, y, 2}, {0, u, 4}, {0, v, 4}}};
	};
	const auto packed = [](uint8_t red, uint8_t green, uint8_t blue) {
		return PictureFormat{
			1, false, 3, 1, 1, 3, {{0, red, 3}, {0, green, 3}, {0, blue, 3}}};
	};
	const auto opaque = [](uint8_t red, uint8_t green, uint8_t blue, uint8_t alpha) {
		return PictureFormat{1,
				     false,
				     4,
				     1,
				     1,
				     4,
				     {{0, red, 4}, {0, green, 4}, {0, blue, 4}, {0, alpha, 4}}};
	};
	switch (format) {
	case UNPU_PICTURE_YUV400:
		return {1, true, 1, 1, 1, 1, {{0, 0, 1}}};
	case UNPU_PICTURE_YUV420SP:
	case UNPU_PICTURE_YVU420SP:
		return planar(2, 2, format == UNPU_PICTURE_YVU420SP);
	case UNPU_PICTURE_YUV422SP:
	case UNPU_PICTURE_YVU422SP:
		return planar(2, 1, format == UNPU_PICTURE_YVU422SP);
	case UNPU_PICTURE_YUV444SP:
	case UNPU_PICTURE_YVU444SP:
		return planar(1, 1, format == UNPU_PICTURE_YVU444SP);
	case UNPU_PICTURE_YUYV422:
		return pairs(0, 1, 3);
	case UNPU_PICTURE_UYVY422:
		return pairs(1, 0, 2);
	case UNPU_PICTURE_YVYU422:
		return pairs(0, 3, 1);
	case UNPU_PICTURE_VYUY422:
		return pairs(1, 2, 0);
	case UNPU_PICTURE_YUV444:
		return {1, true, 3, 1, 1, 3, {{0, 0, 3}, {0, 1, 3}, {0, 2, 3}}};
	case UNPU_PICTURE_RGB888:
		return packed(0, 1, 2);
	case UNPU_PICTURE_BGR888:
		return packed(2, 1, 0);
	case UNPU_PICTURE_ARGB8888:
		return opaque(1, 2, 3, 0);
	case UNPU_PICTURE_ABGR8888:
		return opaque(3, 2, 1, 0);
	case UNPU_PICTURE_RGBA8888:
		return opaque(0, 1, 2, 3);
	case UNPU_PICTURE_BGRA8888:
		return opaque(2, 1, 0, 3);
	default:
		return {};
	}
}

} // namespace base
