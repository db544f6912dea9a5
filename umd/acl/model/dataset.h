// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "acl/acl_base.h"
#include "acl/acl_mdl.h"
#include "umd/core/process/plain_object.h"

/** struct aclmdlDataset - data buffers, in the order in which the program added them. It does not own them. */
struct aclmdlDataset : umd::PlainObject<umd::Kind::DATASET> {
	static constexpr const char *NAME = "dataset";

	std::vector<aclDataBuffer *> buffers;
	/* What the program chose for a run of a model with profiles; empty: nothing. */
	std::vector<int64_t> choice;
};
