// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_mdl.h"
#include "instance.h"

namespace umd {

/** find_addresses() - the buffers of two datasets, as a run of @program needs them.
 * @at: receives their addresses
 * Return: ACL_ERROR_INVALID_PARAM for NULL; ACL_ERROR_MODEL_INPUT_NOT_MATCH, ACL_ERROR_MODEL_OUTPUT_NOT_MATCH for
 * another number of buffers, a buffer without an address, or one that is too small. */
aclError find_addresses(const models::Program &program, const aclmdlDataset *input,
			const aclmdlDataset *output, Addresses &at);

} // namespace umd
