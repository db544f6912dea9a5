// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of lowerings
 *
 * The rules and kinds are those of aclnn; only the arguments differ.
 */
#include "rows.h"

#include "uapi/tensor.h"
#include "umd/aclnn/rules/operands.h"

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
static constexpr ArgumentRow fold[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dims", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"keepDim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};

/* plan_as_it_is() - takes operands and attributes as they are. The firmware checks whether they fit together. */
static aclnnStatus plan_as_it_is(umd::Plan &plan)
{
	umd::Operands operands(plan);
	const std::span<const ArgumentRow> arguments = plan.row().arguments;
	aclnnStatus status = operands.load();
	if (plan.row().types == Types::FLOATING)
		plan.set_compute(UNPU_DTYPE_F32);
	for (size_t i = 0; i < arguments.size(); i++) {
		if (arguments[i].form != Form::TENSORS)
			continue;
		for (size_t k = 0; k < plan.argument(i).tensors->size && status == OK; k++) {
			umd::PlanView view;
			status = plan.make_member_view(i, k, view);
			plan.add_operand(arguments[i].place, UNPU_ACCESS_READ, view, i, k);
		}
	}
	const umd::Type real = {UNPU_DTYPE_F32, 4, umd::Category::FLOATING};
	if (status == OK)
		status = umd::add_attributes(plan, real);
	return status == OK ? operands.finish() : status;
}

static constexpr ArgumentRow resize[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"mode", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"coordinates", Form::INTEGER, Role::ATTRIBUTE, 1, 0, false},
	{"nearest", Form::INTEGER, Role::ATTRIBUTE, 2, 0, false},
	{"scales", Form::INTEGERS, Role::ATTRIBUTE, 3, 0, false},
	{"cubic", Form::REAL, Role::ATTRIBUTE, 4, 0, false},
	{"excludeOutside", Form::INTEGER, Role::ATTRIBUTE, 5, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow pads[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"low", Form::INTEGERS, Role::ATTRIBUTE, 0, 0, false},
	{"high", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow gather_nd[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"batchDims", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow scatter[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"updates", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"reduce", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow lstm[] = {
	{"x", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"weights", Form::TENSORS, Role::SOURCE, 4, 0, false},
	{"lengths", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"h0", Form::TENSOR, Role::SOURCE, 6, 0, true},
	{"c0", Form::TENSOR, Role::SOURCE, 7, 0, true},
	{"direction", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"activations", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"clip", Form::REAL, Role::ATTRIBUTE, 2, 0, false},
	{"inputForget", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"y", Form::TENSOR, Role::RESULT, 0, 0, true},
	{"h", Form::TENSOR, Role::RESULT, 1, 0, true},
	{"c", Form::TENSOR, Role::RESULT, 2, 0, true},
};
static constexpr ArgumentRow gru[] = {
	{"x", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"weights", Form::TENSORS, Role::SOURCE, 3, 0, false},
	{"lengths", Form::TENSOR, Role::SOURCE, 4, 0, true},
	{"h0", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"direction", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"activations", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"clip", Form::REAL, Role::ATTRIBUTE, 2, 0, false},
	{"linearBeforeReset", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"y", Form::TENSOR, Role::RESULT, 0, 0, true},
	{"h", Form::TENSOR, Role::RESULT, 1, 0, true},
};
static constexpr ArgumentRow rnn[] = {
	{"x", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"weights", Form::TENSORS, Role::SOURCE, 3, 0, false},
	{"lengths", Form::TENSOR, Role::SOURCE, 4, 0, true},
	{"h0", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"direction", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"activations", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"clip", Form::REAL, Role::ATTRIBUTE, 2, 0, false},
	{"y", Form::TENSOR, Role::RESULT, 0, 0, true},
	{"h", Form::TENSOR, Role::RESULT, 1, 0, true},
};

static constexpr ArgumentRow aipp[] = {
	{"image", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"steps", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ArgumentRow packed_convolution[] = {
	{"input", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"weight", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"bias", Form::TENSOR, Role::SOURCE, 3, 0, true},
	{"more", Form::TENSOR, Role::SOURCE, 4, 0, true},
	{"stride", Form::INTEGERS, Role::ATTRIBUTE, 0, 0, false},
	{"padding", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"dilation", Form::INTEGERS, Role::ATTRIBUTE, 2, 0, false},
	{"function", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"number", Form::REAL, Role::ATTRIBUTE, 4, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};

/* The number of an entry point gives calls of programs a name. It is not needed here, because a launch has the name
 * of its node. */
static constexpr OperatorRow as_it_is(uint32_t kind, Types types,
				      std::span<const ArgumentRow> arguments)
{
	return {umd::OPERATOR_NONE, kind, types, plan_as_it_is, arguments, {}};
}

const OperatorRow prelu_row = {
	umd::OPERATOR_PRELU, UNPU_TENSOR_PRELU, Types::NUMBER, umd::plan_elementwise, binary, {}};
const OperatorRow quotient_row = {umd::OPERATOR_NONE,
				  UNPU_TENSOR_DIV_TRUNC,
				  Types::NUMBER,
				  umd::plan_elementwise,
				  binary,
				  {}};
const OperatorRow prod_row = {
	umd::OPERATOR_PROD_DIM, UNPU_TENSOR_REDUCE_PROD, Types::NUMBER, umd::plan_fold, fold, {}};
const OperatorRow resize_row = as_it_is(UNPU_TENSOR_RESIZE, Types::FLOATING, resize);
const OperatorRow resize_nearest_row = as_it_is(UNPU_TENSOR_RESIZE, Types::NUMBER, resize);
const OperatorRow reflect_row = as_it_is(UNPU_TENSOR_REFLECTION_PAD, Types::NUMBER, pads);
const OperatorRow edge_row = as_it_is(UNPU_TENSOR_EDGE_PAD, Types::NUMBER, pads);
const OperatorRow gather_nd_row = as_it_is(UNPU_TENSOR_GATHER_ND, Types::NUMBER, gather_nd);
const OperatorRow scatter_nd_row = as_it_is(UNPU_TENSOR_SCATTER_ND, Types::NUMBER, scatter);
const OperatorRow scatter_along_row = as_it_is(UNPU_TENSOR_SCATTER, Types::NUMBER, scatter);
const OperatorRow lstm_row = as_it_is(UNPU_TENSOR_LSTM, Types::FLOATING, lstm);
const OperatorRow gru_row = as_it_is(UNPU_TENSOR_GRU, Types::FLOATING, gru);
const OperatorRow rnn_row = as_it_is(UNPU_TENSOR_RNN, Types::FLOATING, rnn);
const OperatorRow aipp_row = as_it_is(UNPU_TENSOR_AIPP, Types::NUMBER, aipp);
const OperatorRow packed_convolution_row =
	as_it_is(UNPU_TENSOR_PACKED_CONVOLUTION, Types::FLOATING, packed_convolution);
const OperatorRow fill_row = {umd::OPERATOR_INPLACE_FILL_SCALAR,
			      UNPU_TENSOR_FILL,
			      Types::NUMBER,
			      umd::plan_elementwise,
			      fill,
			      {}};

} // namespace models
