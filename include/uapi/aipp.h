/* SPDX-License-Identifier: MIT */
/*
 * DOC: Preprocessing of images
 *
 * The kind AIPP makes the input of a network from the bytes of images. Slot 0 is the result [N, C, H, W], slot 1 all
 * bytes of the images, one image after the other, and slot 2 a struct unpu_aipp for each image, as rows of I32. The
 * firmware checks a struct when it reads it, because the client may change it at any time.
 */
#ifndef UNPU_UAPI_AIPP_H
#define UNPU_UAPI_AIPP_H

#include "uapi/types.h"

#define UNPU_AIPP_MAGIC 0x50504941u /* "AIPP" */
#define UNPU_AIPP_WORDS 48u

/* How the pixels of an image lie in memory. */
enum unpu_aipp_format {
	UNPU_AIPP_YUV420SP = 1,	/* a plane of Y, then U and V for 2 x 2 pixels */
	UNPU_AIPP_XRGB8888 = 2,
	UNPU_AIPP_RGB888 = 3,
	UNPU_AIPP_YUV400 = 4,	/* Y */
	UNPU_AIPP_ARGB8888 = 7,
	UNPU_AIPP_YUYV = 8,	/* Y, U, Y and V for two pixels */
	UNPU_AIPP_YUV422SP = 9,	/* a plane of Y, then U and V for two pixels */
	UNPU_AIPP_AYUV444 = 10,
};

#define UNPU_AIPP_CONVERT 0x1u	/* colours are converted by @matrix */
#define UNPU_AIPP_SWAP_COLOURS 0x2u /* red and blue, or U and V, are exchanged */
#define UNPU_AIPP_SWAP_ALPHA 0x4u /* the first byte of four is the last one */
#define UNPU_AIPP_FLAGS 0x7u

/*
 * struct unpu_aipp - the steps for one image. The part at (@crop_left, @crop_top) is taken. Then, with
 * UNPU_AIPP_CONVERT, a channel is ((a row of @matrix times the channels less @input_bias) >> 8) + @output_bias, limited
 * to 0..255. Then it is (channel - @mean - @minimum) * @factor, and behind that @padding goes around it. A result of I8
 * or U8 is channel - @mean, limited to its range.
 */
struct unpu_aipp {
	uint32_t magic;
	uint32_t format;	/* enum unpu_aipp_format */
	uint32_t flags;
	uint32_t width;		/* of the image, in pixels */
	uint32_t height;
	uint32_t crop_left;
	uint32_t crop_top;
	uint32_t crop_width;	/* without a crop, that of the image */
	uint32_t crop_height;
	uint32_t pad_left;
	uint32_t pad_top;
	uint32_t pad_right;
	uint32_t pad_bottom;
	float padding;
	int32_t matrix[9];	/* row by row, -32768..32767 */
	int32_t input_bias[3];	/* 0..255 */
	int32_t output_bias[3];	/* 0..255 */
	int32_t mean[4];
	float minimum[4];
	float factor[4];
	uint32_t reserved[7];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_aipp, 192);
UNPU_WIRE_OFFSET(unpu_aipp, width, 12);
UNPU_WIRE_OFFSET(unpu_aipp, padding, 52);
UNPU_WIRE_OFFSET(unpu_aipp, matrix, 56);
UNPU_WIRE_OFFSET(unpu_aipp, mean, 116);
UNPU_WIRE_OFFSET(unpu_aipp, reserved, 164);

#endif /* UNPU_UAPI_AIPP_H */
