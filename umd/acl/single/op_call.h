// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "acl/acl_op.h"
#include "models/single.h"

namespace umd {

/** struct OpText - what a program says of an operator. @inputs, @outputs: descriptions */
struct OpText {
	const char *type;
	int input_count;
	const aclTensorDesc *const *inputs;
	int output_count;
	const aclTensorDesc *const *outputs;
	const aclopAttr *attr;
};

/** struct OpCall - the same, read. @on_host: whether the program has the elements of an input in host memory */
struct OpCall {
	models::SingleOp op;
	std::vector<bool> on_host;
};

/** read_call() - Return: ACL_ERROR_INVALID_PARAM, ACL_ERROR_UNSUPPORTED_DATA_TYPE, ACL_ERROR_FORMAT_NOT_MATCH. */
aclError read_call(const OpText &text, OpCall &call);

/** read_host_inputs() - makes inputs constant whose elements are in host memory.
 * @inputs: of all inputs Return: ACL_ERROR_OP_INPUT_NOT_MATCH. */
aclError read_host_inputs(OpCall &call, const aclDataBuffer *const inputs[]);

/** key_of() - equal for calls that one model serves. */
std::string key_of(const models::SingleOp &op);

/** describe_results() - gives descriptions with open dims the shapes that the results have. */
aclError describe_results(int count, aclTensorDesc *const descs[], const models::om::Face &face);

} // namespace umd
