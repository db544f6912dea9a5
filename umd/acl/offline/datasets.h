// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_mdl.h"
#include "instance.h"

namespace umd {

/** struct Datasets - of a run. @call: of the program */
struct Datasets {
	const aclmdlDataset *input;
	aclmdlDataset *output;
	const char *call;
};

/** find_datasets() - Return: ACL_ERROR_INVALID_PARAM for NULL. */
aclError find_datasets(const aclmdlDataset *input, const aclmdlDataset *output, const char *call,
		       Datasets &found);

/** check_counts() - whether the datasets have as many buffers as the model.
 * Return: ACL_ERROR_MODEL_INPUT_NOT_MATCH, ACL_ERROR_MODEL_OUTPUT_NOT_MATCH. */
aclError check_counts(const ModelFace &model, const Datasets &datasets);

/** allocate_outputs() - gives memory to each output that has none: address NULL and 0 bytes. It becomes the program's.
 * Return: as aclrtMalloc(). */
aclError allocate_outputs(const ContextHold &context, const models::Program &program,
			  const Datasets &datasets);

/** find_short() - finds outputs whose buffer has fewer bytes than the result of a run with free dims, although the
 * memory behind it has room for the whole result. Strict mode allows none.
 * @at: receives what the buffers have, if there is such an output. Context: check_counts() */
aclError find_short(const models::Program &program, const Datasets &datasets, Addresses &at);

/** find_addresses() - the buffers of two datasets, as a run of @program needs them.
 * @at: receives their addresses
 * Return: ACL_ERROR_MODEL_INPUT_NOT_MATCH, ACL_ERROR_MODEL_OUTPUT_NOT_MATCH for a buffer without an address, or one
 * that is too small. Context: check_counts(). */
aclError find_addresses(const models::Program &program, const Datasets &datasets, Addresses &at);

/** describe_outputs() - tells the program what a run writes. */
aclError describe_outputs(const models::Program &program, const Datasets &datasets);

} // namespace umd
