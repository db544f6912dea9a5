// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_mdl.h"
#include "instance.h"

namespace umd {

/** find_choice() - what the program chose for the dataset; empty: nothing. */
aclError find_choice(const aclmdlDataset *input, std::vector<int64_t> &choice);

/** find_addresses() - the buffers of two datasets, as a run of @program needs them.
 * @extra: how many inputs more the dataset has, which @program does not read
 * @at: receives their addresses
 * Return: ACL_ERROR_INVALID_PARAM for NULL; ACL_ERROR_MODEL_INPUT_NOT_MATCH, ACL_ERROR_MODEL_OUTPUT_NOT_MATCH for
 * another number of buffers, a buffer without an address, or one that is too small. */
aclError find_addresses(const models::Program &program, size_t extra, const aclmdlDataset *input,
			const aclmdlDataset *output, Addresses &at);

} // namespace umd
