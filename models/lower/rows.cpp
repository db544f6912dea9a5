// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of lowerings
 *
 * The rules and kinds are those of aclnn; only the arguments differ.
 */
#include "rows.h"

#include "uapi/tensor.h"

namespace models {

using umd::ArgumentRow;
using umd::Form;
using umd::OperatorRow;
using umd::Role;
using umd::Types;

static constexpr ArgumentRow binary[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow adds[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow fill[] = {
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};

const OperatorRow mul_row = {umd::OPERATOR_MUL,	    UNPU_TENSOR_MUL, Types::NUMBER,
			     umd::plan_elementwise, binary,	     {}};
const OperatorRow pow_row = {umd::OPERATOR_INPLACE_POW_TENSOR_TENSOR,
			     UNPU_TENSOR_POW,
			     Types::NUMBER,
			     umd::plan_elementwise,
			     binary,
			     {}};
const OperatorRow adds_row = {umd::OPERATOR_INPLACE_ADDS,
			      UNPU_TENSOR_ADDS,
			      Types::NUMBER,
			      umd::plan_elementwise,
			      adds,
			      {}};
const OperatorRow fill_row = {umd::OPERATOR_INPLACE_FILL_SCALAR,
			      UNPU_TENSOR_FILL,
			      Types::NUMBER,
			      umd::plan_elementwise,
			      fill,
			      {}};

} // namespace models
