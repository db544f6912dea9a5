// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the scalar operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_adds.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_muls.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_threshold.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow elu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"scale", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"inputScale", Form::SCALAR, Role::ATTRIBUTE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow elu_row = {
	OPERATOR_ELU,
	UNPU_TENSOR_ELU,
	Types::FLOATING,
	plan_elementwise,
	elu_arguments,
	{},
};

aclnnStatus aclnnEluGetWorkspaceSize(const aclTensor *self, const aclScalar *alpha,
	const aclScalar *scale, const aclScalar *inputScale, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, alpha, scale, inputScale, out};
	return prepare_tensor(elu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnElu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ELU, executor, stream);
}

static constexpr ArgumentRow softplus_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"beta", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"threshold", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow softplus_row = {
	OPERATOR_SOFTPLUS,
	UNPU_TENSOR_SOFTPLUS,
	Types::FLOATING,
	plan_elementwise,
	softplus_arguments,
	{},
};

aclnnStatus aclnnSoftplusGetWorkspaceSize(const aclTensor *self, const aclScalar *beta,
	const aclScalar *threshold, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, beta, threshold, out};
	return prepare_tensor(softplus_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSoftplus(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SOFTPLUS, executor, stream);
}

static constexpr ArgumentRow leaky_relu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"negativeSlope", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow leaky_relu_row = {
	OPERATOR_LEAKY_RELU,
	UNPU_TENSOR_LEAKY_RELU,
	Types::FLOATING,
	plan_elementwise,
	leaky_relu_arguments,
	{},
};

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor *self, const aclScalar *negativeSlope,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, negativeSlope, out};
	return prepare_tensor(leaky_relu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLeakyRelu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_LEAKY_RELU, executor, stream);
}

static constexpr ArgumentRow gt_scalar_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow gt_scalar_row = {
	OPERATOR_GT_SCALAR,
	UNPU_TENSOR_GT_SCALAR,
	Types::TRUTH,
	plan_elementwise,
	gt_scalar_arguments,
	{},
};

aclnnStatus aclnnGtScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, other, out};
	return prepare_tensor(gt_scalar_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGtScalar(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GT_SCALAR, executor, stream);
}

static constexpr ArgumentRow clamp_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"clipValueMin", Form::SCALAR, Role::ATTRIBUTE, 0, 0, true},
	{"clipValueMax", Form::SCALAR, Role::ATTRIBUTE, 1, 0, true},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow clamp_row = {
	OPERATOR_CLAMP,
	UNPU_TENSOR_CLAMP,
	Types::NUMBER,
	plan_elementwise,
	clamp_arguments,
	{},
};

aclnnStatus aclnnClampGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMin,
	const aclScalar *clipValueMax, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, clipValueMin, clipValueMax, out};
	return prepare_tensor(clamp_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnClamp(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CLAMP, executor, stream);
}

static constexpr ArgumentRow clamp_min_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"clipValueMin", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow clamp_min_row = {
	OPERATOR_CLAMP_MIN,
	UNPU_TENSOR_CLAMP,
	Types::NUMBER,
	plan_elementwise,
	clamp_min_arguments,
	{},
};

aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMin,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, clipValueMin, out};
	return prepare_tensor(clamp_min_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnClampMin(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CLAMP_MIN, executor, stream);
}

static constexpr ArgumentRow inplace_clamp_max_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"clipValueMax", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_clamp_max_row = {
	OPERATOR_INPLACE_CLAMP_MAX,
	UNPU_TENSOR_CLAMP,
	Types::NUMBER,
	plan_elementwise,
	inplace_clamp_max_arguments,
	{},
};

aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(const aclTensor *selfRef,
	const aclScalar *clipValueMax, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, clipValueMax};
	return prepare_tensor(inplace_clamp_max_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMax(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_CLAMP_MAX, executor, stream);
}

static constexpr ArgumentRow inplace_threshold_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"threshold", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_threshold_row = {
	OPERATOR_INPLACE_THRESHOLD,
	UNPU_TENSOR_THRESHOLD,
	Types::NUMBER,
	plan_elementwise,
	inplace_threshold_arguments,
	{},
};

aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor *selfRef, const aclScalar *threshold,
	const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, threshold, value};
	return prepare_tensor(inplace_threshold_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceThreshold(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_THRESHOLD, executor, stream);
}

static constexpr ArgumentRow muls_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow muls_row = {
	OPERATOR_MULS,
	UNPU_TENSOR_MULS,
	Types::NUMBER,
	plan_elementwise,
	muls_arguments,
	{},
};

aclnnStatus aclnnMulsGetWorkspaceSize(const aclTensor *self, const aclScalar *other,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, other, out};
	return prepare_tensor(muls_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMuls(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_MULS, executor, stream);
}

static constexpr ArgumentRow inplace_muls_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_muls_row = {
	OPERATOR_INPLACE_MULS,
	UNPU_TENSOR_MULS,
	Types::NUMBER,
	plan_elementwise,
	inplace_muls_arguments,
	{},
};

aclnnStatus aclnnInplaceMulsGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, other};
	return prepare_tensor(inplace_muls_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMuls(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_MULS, executor, stream);
}

static constexpr ArgumentRow inplace_adds_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_adds_row = {
	OPERATOR_INPLACE_ADDS,
	UNPU_TENSOR_ADDS,
	Types::NUMBER,
	plan_elementwise,
	inplace_adds_arguments,
	{},
};

aclnnStatus aclnnInplaceAddsGetWorkspaceSize(const aclTensor *selfRef, const aclScalar *other,
	const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, other, alpha};
	return prepare_tensor(inplace_adds_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdds(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_ADDS, executor, stream);
}

static constexpr ArgumentRow inplace_subs_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_subs_row = {
	OPERATOR_INPLACE_SUBS,
	UNPU_TENSOR_SUBS,
	Types::NUMBER,
	plan_elementwise,
	inplace_subs_arguments,
	{},
};

aclnnStatus aclnnInplaceSubsGetWorkspaceSize(const aclTensor *selfRef, const aclScalar *other,
	const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, other, alpha};
	return prepare_tensor(inplace_subs_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSubs(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_SUBS, executor, stream);
}

static constexpr ArgumentRow inplace_divs_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_divs_row = {
	OPERATOR_INPLACE_DIVS,
	UNPU_TENSOR_DIVS,
	Types::QUOTIENT,
	plan_elementwise,
	inplace_divs_arguments,
	{},
};

aclnnStatus aclnnInplaceDivsGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, other};
	return prepare_tensor(inplace_divs_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivs(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_DIVS, executor, stream);
}

static constexpr ArgumentRow inplace_fill_scalar_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_fill_scalar_row = {
	OPERATOR_INPLACE_FILL_SCALAR,
	UNPU_TENSOR_FILL,
	Types::NUMBER,
	plan_elementwise,
	inplace_fill_scalar_arguments,
	{},
};

aclnnStatus aclnnInplaceFillScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *value,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, value};
	return prepare_tensor(inplace_fill_scalar_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillScalar(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_FILL_SCALAR, executor, stream);
}
