/* SPDX-License-Identifier: MIT */
/*
 * DOC: What the host tells scale_custom
 */
#ifndef SCALE_CUSTOM_TILING_H
#define SCALE_CUSTOM_TILING_H

#include <cstdint>

struct ScaleCustomTilingData {
	uint32_t totalLength;
	uint32_t tileNum;
	float factor;
	float offset;
};

#endif
