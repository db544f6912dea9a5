// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the join operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_roll.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow cat_arguments[] = {
	{"tensors", Form::TENSORS, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow cat_row = {
	OPERATOR_CAT,
	UNPU_TENSOR_CAT,
	Types::NUMBER,
	plan_cat,
	cat_arguments,
	{},
};

aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList *tensors, int64_t dim, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {tensors, dim, out};
	return prepare_tensor(cat_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnCat(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CAT, executor, stream);
}

static constexpr ArgumentRow constant_pad_nd_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"pad", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow constant_pad_nd_row = {
	OPERATOR_CONSTANT_PAD_ND,
	UNPU_TENSOR_PAD,
	Types::NUMBER,
	plan_constant_pad,
	constant_pad_nd_arguments,
	{},
};

aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor *self, const aclIntArray *pad,
	const aclScalar *value, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, pad, value, out};
	return prepare_tensor(constant_pad_nd_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnConstantPadNd(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CONSTANT_PAD_ND, executor, stream);
}

static constexpr ArgumentRow reflection_pad1d_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"padding", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow reflection_pad1d_row = {
	OPERATOR_REFLECTION_PAD1D,
	UNPU_TENSOR_REFLECTION_PAD,
	Types::NUMBER,
	plan_reflection_pad_1d,
	reflection_pad1d_arguments,
	{},
};

aclnnStatus aclnnReflectionPad1dGetWorkspaceSize(const aclTensor *self, const aclIntArray *padding,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, padding, out};
	return prepare_tensor(reflection_pad1d_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad1d(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_REFLECTION_PAD1D, executor, stream);
}

static constexpr ArgumentRow roll_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"shifts", Form::INTEGERS, Role::ATTRIBUTE, 0, 0, false},
	{"dims", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow roll_row = {
	OPERATOR_ROLL,
	UNPU_TENSOR_ROLL,
	Types::NUMBER,
	plan_roll,
	roll_arguments,
	{},
};

aclnnStatus aclnnRollGetWorkspaceSize(const aclTensor *x, const aclIntArray *shifts,
	const aclIntArray *dims, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {x, shifts, dims, out};
	return prepare_tensor(roll_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRoll(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ROLL, executor, stream);
}
