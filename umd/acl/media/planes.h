// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/picture_format.h"
#include "picture_objects.h"

namespace umd {

/** struct Planes - the bytes of a picture, or of a region of one, as the device sees them. */
struct Planes {
	struct Plane {
		uint64_t address;
		int64_t rows, bytes; /* bytes: of a row */
		int64_t stride;
	};

	uint32_t format;
	uint32_t width, height;
	unsigned count;
	Plane plane[2];
};

/** enum class Use - what a region is for. */
enum class Use { CROP, PASTE };

/** find_planes() - the whole picture. Widths and heights that the format can't have are rounded down.
 * @argument: its name in sentences
 * Return: an error with a sentence if the description makes no sense. */
base::Result<Planes> find_planes(const char *caller, const acldvppPicDesc &picture,
				 const char *argument);

/** find_region() - a region of a picture. Where several pixels have one U and V, it grows to all of them. */
base::Result<Planes> find_region(const char *caller, const acldvppPicDesc &picture,
				 const char *argument, const acldvppRoiConfig &region,
				 const char *region_argument, Use use);

/** picture_words() - the descriptor of a task that makes @out of @in. @filter: enum unpu_picture_filter */
std::vector<uint64_t> picture_words(const Planes &out, const Planes &in, uint32_t filter);

} // namespace umd
