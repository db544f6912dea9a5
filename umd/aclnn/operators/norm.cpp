// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the norm operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_rms_norm.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow rms_norm_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"gamma", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"epsilon", Form::REAL, Role::ATTRIBUTE, 0, 0, false},
	{"yOut", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"rstdOut", Form::TENSOR, Role::RESULT, 1, 0, false},
};
static constexpr OperatorRow rms_norm_row = {
	OPERATOR_RMS_NORM,
	UNPU_TENSOR_RMS_NORM,
	Types::FLOATING,
	plan_rms_norm,
	rms_norm_arguments,
	{},
};

aclnnStatus aclnnRmsNormGetWorkspaceSize(const aclTensor *x, const aclTensor *gamma,
	double epsilon, const aclTensor *yOut, const aclTensor *rstdOut, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {x, gamma, epsilon, yOut, rstdOut};
	return prepare_tensor(rms_norm_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRmsNorm(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_RMS_NORM, executor, stream);
}

static constexpr ArgumentRow add_rms_norm_arguments[] = {
	{"x1", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"x2", Form::TENSOR, Role::SOURCE, 4, 0, false},
	{"gamma", Form::TENSOR, Role::SOURCE, 5, 0, false},
	{"epsilon", Form::REAL, Role::ATTRIBUTE, 0, 0, false},
	{"yOut", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"rstdOut", Form::TENSOR, Role::RESULT, 1, 0, false},
	{"xOut", Form::TENSOR, Role::RESULT, 2, 0, false},
};
static constexpr OperatorRow add_rms_norm_row = {
	OPERATOR_ADD_RMS_NORM,
	UNPU_TENSOR_ADD_RMS_NORM,
	Types::FLOATING,
	plan_add_rms_norm,
	add_rms_norm_arguments,
	{},
};

aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor *x1, const aclTensor *x2,
	const aclTensor *gamma, double epsilon, const aclTensor *yOut, const aclTensor *rstdOut,
	const aclTensor *xOut, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {x1, x2, gamma, epsilon, yOut, rstdOut, xOut};
	return prepare_tensor(add_rms_norm_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNorm(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ADD_RMS_NORM, executor, stream);
}

static constexpr ArgumentRow layer_norm_arguments[] = {
	{"input", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"normalizedShape", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"weightOptional", Form::TENSOR, Role::SOURCE, 4, 0, true},
	{"biasOptional", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"eps", Form::REAL, Role::ATTRIBUTE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"meanOutOptional", Form::TENSOR, Role::RESULT, 1, 0, true},
	{"rstdOutOptional", Form::TENSOR, Role::RESULT, 2, 0, true},
};
static constexpr OperatorRow layer_norm_row = {
	OPERATOR_LAYER_NORM,
	UNPU_TENSOR_LAYER_NORM,
	Types::FLOATING,
	plan_layer_norm,
	layer_norm_arguments,
	{},
};

aclnnStatus aclnnLayerNormGetWorkspaceSize(const aclTensor *input,
	const aclIntArray *normalizedShape, const aclTensor *weightOptional,
	const aclTensor *biasOptional, double eps, aclTensor *out, aclTensor *meanOutOptional,
	aclTensor *rstdOutOptional, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {input, normalizedShape, weightOptional, biasOptional, eps, out, meanOutOptional, rstdOutOptional};
	return prepare_tensor(layer_norm_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLayerNorm(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_LAYER_NORM, executor, stream);
}

static constexpr ArgumentRow group_norm_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"gamma", Form::TENSOR, Role::SOURCE, 4, 0, true},
	{"beta", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"N", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"C", Form::INTEGER, Role::ATTRIBUTE, 1, 0, false},
	{"HxW", Form::INTEGER, Role::ATTRIBUTE, 2, 0, false},
	{"group", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"eps", Form::REAL, Role::ATTRIBUTE, 4, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"meanOut", Form::TENSOR, Role::RESULT, 1, 0, false},
	{"rstdOut", Form::TENSOR, Role::RESULT, 2, 0, false},
};
static constexpr OperatorRow group_norm_row = {
	OPERATOR_GROUP_NORM,
	UNPU_TENSOR_GROUP_NORM,
	Types::FLOATING,
	plan_group_norm,
	group_norm_arguments,
	{},
};

aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor *self, const aclTensor *gamma,
	const aclTensor *beta, int64_t N, int64_t C, int64_t HxW, int64_t group, double eps,
	aclTensor *out, aclTensor *meanOut, aclTensor *rstdOut, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, gamma, beta, N, C, HxW, group, eps, out, meanOut, rstdOut};
	return prepare_tensor(group_norm_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGroupNorm(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GROUP_NORM, executor, stream);
}
