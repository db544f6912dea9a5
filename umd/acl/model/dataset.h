// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "acl/acl_base.h"
#include "acl/acl_base_mdl.h"
#include "acl/acl_mdl.h"
#include "umd/core/process/plain_object.h"

/** struct aclmdlDataset - data buffers, in the order in which the program added them. It does not own them. */
struct aclmdlDataset : umd::PlainObject<umd::Kind::DATASET> {
	static constexpr const char *NAME = "dataset";

	std::vector<aclDataBuffer *> buffers;
	/* What the program chose for a run of a model with profiles; empty: nothing. */
	std::vector<int64_t> choice;
	/* Inputs whose steps the program has written, for images of a model. */
	std::vector<size_t> steps;
	/* A description for each buffer, which the dataset owns; where there is none, NULL, or no element. */
	std::vector<aclTensorDesc *> descs;
};

namespace umd {

/** set_desc() - describes a buffer of a dataset anew, unless it is described so already. Return: NO_MEMORY. */
base::Status set_desc(aclmdlDataset &dataset, size_t index, aclDataType type, aclFormat format,
		      std::span<const int64_t> shape);

} // namespace umd
