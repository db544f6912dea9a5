// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "aclnn/aclnn_base.h"

namespace umd {

/*
 * struct Elementwise - the first phase of an element-wise operator with two sources.
 * @kind: enum unpu_operator_kind
 * @caller: name of the operator, a literal
 * @self, @other, @out: operands; @out is @self for the operators that work in place
 * @alpha: factor of @other, or NULL where the operator has none
 */
struct Elementwise {
	uint32_t kind;
	const char *caller;
	const aclTensor *self, *other, *out;
	const aclScalar *alpha;
};

/* is_in_place() - whether the operator has selfRef instead of self and out. */
inline bool is_in_place(const Elementwise &call)
{
	return std::string_view(call.caller).starts_with("aclnnInplace");
}

/*
 * prepare() - checks the operands and makes the executor. None of the operands may be NULL.
 * Context: any thread; never blocks.
 * Return: OK, and the caller owns *@executor; else an error, and *@executor is NULL.
 */
aclnnStatus prepare(const Elementwise &call, uint64_t *workspace_bytes, aclOpExecutor **executor);

} // namespace umd
