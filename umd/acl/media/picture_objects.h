// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "acl/ops/acl_dvpp.h"
#include "umd/core/process/plain_object.h"

/** struct acldvppChannelDesc - a channel. Tasks of all channels run on the engines that operators have. */
struct acldvppChannelDesc : umd::PlainObject<umd::Kind::PICTURE_CHANNEL> {
	static constexpr const char *NAME = "description of a channel";

	bool is_open;
};

/** struct acldvppPicDesc - what the program says of a picture. */
struct acldvppPicDesc : umd::PlainObject<umd::Kind::PICTURE> {
	static constexpr const char *NAME = "description of a picture";

	void *data;
	uint32_t size;
	acldvppPixelFormat format;
	uint32_t width, height;
	uint32_t width_stride, height_stride;
	uint32_t result;
	bool is_member; /* of a batch, with which it ends */
};

struct acldvppBatchPicDesc : umd::PlainObject<umd::Kind::PICTURES> {
	static constexpr const char *NAME = "batch of descriptions of pictures";

	std::vector<acldvppPicDesc *> members; /* handles */
};

/** struct acldvppRoiConfig - a region; the last column and row belong to it. */
struct acldvppRoiConfig : umd::PlainObject<umd::Kind::REGION> {
	static constexpr const char *NAME = "region";

	uint32_t left, right, top, bottom;
};

struct acldvppResizeConfig : umd::PlainObject<umd::Kind::SCALING> {
	static constexpr const char *NAME = "configuration of scaling";

	uint32_t interpolation;
};
