// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "op_call.h"
#include "umd/acl/offline/desc.h"
#include "umd/core/process/plain_object.h"

/** struct aclopHandle - an operator that was found. */
struct aclopHandle : umd::PlainObject<umd::Kind::OP> {
	static constexpr const char *NAME = "operator";

	umd::OpCall call;
};

namespace umd {

/** run_op() - appends a run of an operator to a stream. Elements in host memory are read at once.
 * @call: the API call @stream: handle @face: receives what the results are; may be nullptr
 * Return: ACL_ERROR_OP_NOT_FOUND, ACL_ERROR_OP_INPUT_NOT_MATCH, ACL_ERROR_OP_OUTPUT_NOT_MATCH. */
aclError run_op(const char *call, OpCall op, const aclDataBuffer *const inputs[],
		aclDataBuffer *const outputs[], void *stream,
		std::shared_ptr<const ModelFace> *face);

/** make_handle() - compiles an operator for the current context. */
aclError make_handle(const char *call, OpCall &&op, aclopHandle **handle);

} // namespace umd
