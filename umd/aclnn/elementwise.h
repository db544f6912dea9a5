// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "aclnn/aclnn_base.h"
#include "umd/acl/operator_names.h"

namespace umd {

/*
 * struct Elementwise - the first phase of an element-wise operator with two sources.
 * @kind: enum unpu_operator_kind
 * @number: the operator's, with its name
 * @self, @other, @out: operands, as handles until the entry point has found their objects; @out is @self for the
 * operators that work in place
 * @alpha: factor of @other, or NULL where the operator has none
 */
struct Elementwise {
	uint32_t kind;
	OperatorNumber number;
	const aclTensor *self, *other, *out;
	const aclScalar *alpha;
};

/* is_in_place() - whether the operator has selfRef instead of self and out. */
inline bool is_in_place(const Elementwise &call)
{
	return call.number == OPERATOR_INPLACE_ADD || call.number == OPERATOR_INPLACE_MUL;
}

/*
 * prepare() - the first phase: finds the operands, checks them and makes the executor. Any argument may be NULL.
 * Context: any thread; never blocks.
 * Return: OK, and the caller owns *@executor; else an error, and *@executor is NULL unless an argument is missing.
 */
aclnnStatus prepare(Elementwise call, uint64_t *workspace_size, aclOpExecutor **executor);

} // namespace umd
