// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the binary operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_sum.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow sub_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sub_row = {
	OPERATOR_SUB,
	UNPU_TENSOR_SUB,
	Types::NUMBER,
	plan_elementwise,
	sub_arguments,
	{},
};

aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor *self, const aclTensor *other,
	const aclScalar *alpha, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, other, alpha, out};
	return prepare_tensor(sub_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSub(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SUB, executor, stream);
}

static constexpr ArgumentRow inplace_sub_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_sub_row = {
	OPERATOR_INPLACE_SUB,
	UNPU_TENSOR_SUB,
	Types::NUMBER,
	plan_elementwise,
	inplace_sub_arguments,
	{},
};

aclnnStatus aclnnInplaceSubGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
	const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, other, alpha};
	return prepare_tensor(inplace_sub_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSub(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_SUB, executor, stream);
}

static constexpr ArgumentRow div_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow div_row = {
	OPERATOR_DIV,
	UNPU_TENSOR_DIV,
	Types::QUOTIENT,
	plan_elementwise,
	div_arguments,
	{},
};

aclnnStatus aclnnDivGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, other, out};
	return prepare_tensor(div_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnDiv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_DIV, executor, stream);
}

static constexpr ArgumentRow inplace_div_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
};
static constexpr OperatorRow inplace_div_row = {
	OPERATOR_INPLACE_DIV,
	UNPU_TENSOR_DIV,
	Types::QUOTIENT,
	plan_elementwise,
	inplace_div_arguments,
	{},
};

aclnnStatus aclnnInplaceDivGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, other};
	return prepare_tensor(inplace_div_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDiv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_DIV, executor, stream);
}

static constexpr ArgumentRow eq_tensor_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow eq_tensor_row = {
	OPERATOR_EQ_TENSOR,
	UNPU_TENSOR_EQ,
	Types::TRUTH,
	plan_elementwise,
	eq_tensor_arguments,
	{},
};

aclnnStatus aclnnEqTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, other, out};
	return prepare_tensor(eq_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnEqTensor(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_EQ_TENSOR, executor, stream);
}

static constexpr ArgumentRow pow_scalar_tensor_arguments[] = {
	{"self", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"exponent", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow pow_scalar_tensor_row = {
	OPERATOR_POW_SCALAR_TENSOR,
	UNPU_TENSOR_POW_SCALAR,
	Types::NUMBER,
	plan_elementwise,
	pow_scalar_tensor_arguments,
	{},
};

aclnnStatus aclnnPowScalarTensorGetWorkspaceSize(const aclScalar *self, const aclTensor *exponent,
	const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, exponent, out};
	return prepare_tensor(pow_scalar_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnPowScalarTensor(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_POW_SCALAR_TENSOR, executor, stream);
}

static constexpr ArgumentRow inplace_pow_tensor_tensor_arguments[] = {
	{"self", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"exponent", Form::TENSOR, Role::SOURCE, 2, 0, false},
};
static constexpr OperatorRow inplace_pow_tensor_tensor_row = {
	OPERATOR_INPLACE_POW_TENSOR_TENSOR,
	UNPU_TENSOR_POW,
	Types::NUMBER,
	plan_elementwise,
	inplace_pow_tensor_tensor_arguments,
	{},
};

aclnnStatus aclnnInplacePowTensorTensorGetWorkspaceSize(const aclTensor *self,
	const aclTensor *exponent, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, exponent};
	return prepare_tensor(inplace_pow_tensor_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplacePowTensorTensor(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_POW_TENSOR_TENSOR, executor, stream);
}

static constexpr ArgumentRow addcdiv_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"tensor1", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"tensor2", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow addcdiv_row = {
	OPERATOR_ADDCDIV,
	UNPU_TENSOR_ADDCDIV,
	Types::QUOTIENT,
	plan_elementwise,
	addcdiv_arguments,
	{},
};

aclnnStatus aclnnAddcdivGetWorkspaceSize(const aclTensor *self, const aclTensor *tensor1,
	const aclTensor *tensor2, const aclScalar *value, const aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, tensor1, tensor2, value, out};
	return prepare_tensor(addcdiv_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnAddcdiv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ADDCDIV, executor, stream);
}

static constexpr ArgumentRow inplace_addcdiv_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"tensor1", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"tensor2", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_addcdiv_row = {
	OPERATOR_INPLACE_ADDCDIV,
	UNPU_TENSOR_ADDCDIV,
	Types::QUOTIENT,
	plan_elementwise,
	inplace_addcdiv_arguments,
	{},
};

aclnnStatus aclnnInplaceAddcdivGetWorkspaceSize(const aclTensor *selfRef, const aclTensor *tensor1,
	const aclTensor *tensor2, const aclScalar *value, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, tensor1, tensor2, value};
	return prepare_tensor(inplace_addcdiv_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddcdiv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_ADDCDIV, executor, stream);
}

static constexpr ArgumentRow ger_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"vec2", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow ger_row = {
	OPERATOR_GER,
	UNPU_TENSOR_MUL,
	Types::NUMBER,
	plan_ger,
	ger_arguments,
	{},
};

aclnnStatus aclnnGerGetWorkspaceSize(const aclTensor *self, const aclTensor *vec2, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, vec2, out};
	return prepare_tensor(ger_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGer(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GER, executor, stream);
}

static constexpr ArgumentRow sum_arguments[] = {
	{"tensors", Form::TENSORS, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sum_row = {
	OPERATOR_SUM,
	UNPU_TENSOR_SUM,
	Types::NUMBER,
	plan_sum,
	sum_arguments,
	{},
};

aclnnStatus aclnnSumGetWorkspaceSize(const aclTensorList *tensors, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {tensors, out};
	return prepare_tensor(sum_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSum(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SUM, executor, stream);
}
