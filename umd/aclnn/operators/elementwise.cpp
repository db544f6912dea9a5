// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the elementwise operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_sub.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operators/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow exp_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow exp_row = {
	"aclnnExp",
	UNPU_TENSOR_EXP,
	Types::FLOATING,
	plan_elementwise,
	exp_arguments,
	{},
};

aclnnStatus aclnnExpGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(exp_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnExp(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(exp_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_exp_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_exp_row = {
	"aclnnInplaceExp",
	UNPU_TENSOR_EXP,
	Types::FLOATING,
	plan_elementwise,
	inplace_exp_arguments,
	{},
};

aclnnStatus aclnnInplaceExpGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_exp_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExp(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_exp_row.name, executor, stream);
}

static constexpr ArgumentRow sub_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sub_row = {
	"aclnnSub",
	UNPU_TENSOR_SUB,
	Types::NUMBER,
	plan_elementwise,
	sub_arguments,
	{},
};

aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor *self, const aclTensor *other,
	const aclScalar *alpha, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, other, alpha, out};
	return prepare_tensor(sub_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSub(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(sub_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_sub_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_sub_row = {
	"aclnnInplaceSub",
	UNPU_TENSOR_SUB,
	Types::NUMBER,
	plan_elementwise,
	inplace_sub_arguments,
	{},
};

aclnnStatus aclnnInplaceSubGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
	const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, other, alpha};
	return prepare_tensor(inplace_sub_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSub(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_sub_row.name, executor, stream);
}
