// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "acl/acl_mdl.h"
#include "uapi/aipp.h"
#include "umd/core/process/plain_object.h"

/** struct aclmdlAIPP - the steps for each image of a run, as a program sets them. A crop of no size takes all of it. */
struct aclmdlAIPP : umd::PlainObject<umd::Kind::AIPP> {
	static constexpr const char *NAME = "description of steps";

	std::vector<unpu_aipp> steps;
};
