/* SPDX-License-Identifier: MIT */
/*
 * DOC: Pictures
 *
 * A plane of a picture is a tensor of bytes [rows, bytes of a row], and the stride of its rows is any. The kind PICTURE
 * has a whole picture or a region of one in slots 0 and 1, and makes it of the picture in slots 2 and 3: it scales,
 * changes the format, or copies. Slots 1 and 3 are the planes of U and V, where the format has such a plane. Its
 * attributes are the format of the result, that of the source, and how pixels are found.
 */
#ifndef UNPU_UAPI_PICTURE_H
#define UNPU_UAPI_PICTURE_H

#include "uapi/types.h"

#define UNPU_PICTURE_MAX_LENGTH 16384u /* pixels of a row, and rows */

/* How the pixels lie in memory. SP: a plane of Y, and one in which U and V alternate; the bytes of other formats are in
 * the order of the name. */
enum unpu_picture_format {
	UNPU_PICTURE_YUV400 = 0,
	UNPU_PICTURE_YUV420SP = 1,
	UNPU_PICTURE_YVU420SP = 2,
	UNPU_PICTURE_YUV422SP = 3,
	UNPU_PICTURE_YVU422SP = 4,
	UNPU_PICTURE_YUV444SP = 5,
	UNPU_PICTURE_YVU444SP = 6,
	UNPU_PICTURE_YUYV422 = 7,
	UNPU_PICTURE_UYVY422 = 8,
	UNPU_PICTURE_YVYU422 = 9,
	UNPU_PICTURE_VYUY422 = 10,
	UNPU_PICTURE_YUV444 = 11,
	UNPU_PICTURE_RGB888 = 12,
	UNPU_PICTURE_BGR888 = 13,
	UNPU_PICTURE_ARGB8888 = 14,
	UNPU_PICTURE_ABGR8888 = 15,
	UNPU_PICTURE_RGBA8888 = 16,
	UNPU_PICTURE_BGRA8888 = 17,
	UNPU_PICTURE_FORMATS = 18,
};

enum unpu_picture_filter {
	UNPU_PICTURE_BILINEAR = 0,
	UNPU_PICTURE_NEAREST = 1,
};

#endif /* UNPU_UAPI_PICTURE_H */
