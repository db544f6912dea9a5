// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the elementwise operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_adds.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_clamp_max.h"
#include "aclnnop/aclnn_clamp_min.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_divs.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_muls.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_pow_scalar_tensor.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_subs.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_zero.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operators/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow abs_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow abs_row = {
	"aclnnAbs",
	UNPU_TENSOR_ABS,
	Types::NUMBER,
	plan_elementwise,
	abs_arguments,
	{},
};

aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(abs_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnAbs(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(abs_row.name, executor, stream);
}

static constexpr ArgumentRow neg_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow neg_row = {
	"aclnnNeg",
	UNPU_TENSOR_NEG,
	Types::NUMBER,
	plan_elementwise,
	neg_arguments,
	{},
};

aclnnStatus aclnnNegGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(neg_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnNeg(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(neg_row.name, executor, stream);
}

static constexpr ArgumentRow gelu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ConstantRow gelu_constants[] = {
	{0, Form::INTEGER, 1},
};
static constexpr OperatorRow gelu_row = {
	"aclnnGelu",
	UNPU_TENSOR_GELU,
	Types::FLOATING,
	plan_elementwise,
	gelu_arguments,
	gelu_constants,
};

aclnnStatus aclnnGeluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(gelu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGelu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(gelu_row.name, executor, stream);
}

static constexpr ArgumentRow silu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow silu_row = {
	"aclnnSilu",
	UNPU_TENSOR_SILU,
	Types::FLOATING,
	plan_elementwise,
	silu_arguments,
	{},
};

aclnnStatus aclnnSiluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(silu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSilu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(silu_row.name, executor, stream);
}

static constexpr ArgumentRow tanh_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow tanh_row = {
	"aclnnTanh",
	UNPU_TENSOR_TANH,
	Types::FLOATING,
	plan_elementwise,
	tanh_arguments,
	{},
};

aclnnStatus aclnnTanhGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(tanh_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnTanh(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(tanh_row.name, executor, stream);
}

static constexpr ArgumentRow relu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow relu_row = {
	"aclnnRelu",
	UNPU_TENSOR_RELU,
	Types::NUMBER,
	plan_elementwise,
	relu_arguments,
	{},
};

aclnnStatus aclnnReluGetWorkspaceSize(const aclTensor *self, const aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(relu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRelu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(relu_row.name, executor, stream);
}

static constexpr ArgumentRow sigmoid_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sigmoid_row = {
	"aclnnSigmoid",
	UNPU_TENSOR_SIGMOID,
	Types::FLOATING,
	plan_elementwise,
	sigmoid_arguments,
	{},
};

aclnnStatus aclnnSigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(sigmoid_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSigmoid(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(sigmoid_row.name, executor, stream);
}

static constexpr ArgumentRow hardsigmoid_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow hardsigmoid_row = {
	"aclnnHardsigmoid",
	UNPU_TENSOR_HARDSIGMOID,
	Types::FLOATING,
	plan_elementwise,
	hardsigmoid_arguments,
	{},
};

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(hardsigmoid_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoid(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(hardsigmoid_row.name, executor, stream);
}

static constexpr ArgumentRow hardswish_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow hardswish_row = {
	"aclnnHardswish",
	UNPU_TENSOR_HARDSWISH,
	Types::FLOATING,
	plan_elementwise,
	hardswish_arguments,
	{},
};

aclnnStatus aclnnHardswishGetWorkspaceSize(const aclTensor *self, const aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(hardswish_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnHardswish(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(hardswish_row.name, executor, stream);
}

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

static constexpr ArgumentRow sign_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"result", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sign_row = {
	"aclnnSign",
	UNPU_TENSOR_SIGN,
	Types::NUMBER,
	plan_elementwise,
	sign_arguments,
	{},
};

aclnnStatus aclnnSignGetWorkspaceSize(const aclTensor *self, aclTensor *result,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, result};
	return prepare_tensor(sign_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSign(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(sign_row.name, executor, stream);
}

static constexpr ArgumentRow sqrt_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sqrt_row = {
	"aclnnSqrt",
	UNPU_TENSOR_SQRT,
	Types::FLOATING,
	plan_elementwise,
	sqrt_arguments,
	{},
};

aclnnStatus aclnnSqrtGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(sqrt_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSqrt(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(sqrt_row.name, executor, stream);
}

static constexpr ArgumentRow log_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow log_row = {
	"aclnnLog",
	UNPU_TENSOR_LOG,
	Types::FLOATING,
	plan_elementwise,
	log_arguments,
	{},
};

aclnnStatus aclnnLogGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(log_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLog(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(log_row.name, executor, stream);
}

static constexpr ArgumentRow sin_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sin_row = {
	"aclnnSin",
	UNPU_TENSOR_SIN,
	Types::FLOATING,
	plan_elementwise,
	sin_arguments,
	{},
};

aclnnStatus aclnnSinGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, out};
	return prepare_tensor(sin_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSin(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(sin_row.name, executor, stream);
}

static constexpr ArgumentRow cos_arguments[] = {
	{"input", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow cos_row = {
	"aclnnCos",
	UNPU_TENSOR_COS,
	Types::FLOATING,
	plan_elementwise,
	cos_arguments,
	{},
};

aclnnStatus aclnnCosGetWorkspaceSize(const aclTensor *input, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {input, out};
	return prepare_tensor(cos_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnCos(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(cos_row.name, executor, stream);
}

static constexpr ArgumentRow gelu_v2_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"approximate", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"y", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow gelu_v2_row = {
	"aclnnGeluV2",
	UNPU_TENSOR_GELU,
	Types::FLOATING,
	plan_elementwise,
	gelu_v2_arguments,
	{},
};

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor *x, int64_t approximate, aclTensor *y,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {x, approximate, y};
	return prepare_tensor(gelu_v2_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGeluV2(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(gelu_v2_row.name, executor, stream);
}

static constexpr ArgumentRow elu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"scale", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"inputScale", Form::SCALAR, Role::ATTRIBUTE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow elu_row = {
	"aclnnElu",
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
	const Argument arguments[] = {self, alpha, scale, inputScale, out};
	return prepare_tensor(elu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnElu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(elu_row.name, executor, stream);
}

static constexpr ArgumentRow softplus_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"beta", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"threshold", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow softplus_row = {
	"aclnnSoftplus",
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
	const Argument arguments[] = {self, beta, threshold, out};
	return prepare_tensor(softplus_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSoftplus(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(softplus_row.name, executor, stream);
}

static constexpr ArgumentRow leaky_relu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"negativeSlope", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow leaky_relu_row = {
	"aclnnLeakyRelu",
	UNPU_TENSOR_LEAKY_RELU,
	Types::FLOATING,
	plan_elementwise,
	leaky_relu_arguments,
	{},
};

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor *self, const aclScalar *negativeSlope,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, negativeSlope, out};
	return prepare_tensor(leaky_relu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLeakyRelu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(leaky_relu_row.name, executor, stream);
}

static constexpr ArgumentRow gt_scalar_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow gt_scalar_row = {
	"aclnnGtScalar",
	UNPU_TENSOR_GT_SCALAR,
	Types::TRUTH,
	plan_elementwise,
	gt_scalar_arguments,
	{},
};

aclnnStatus aclnnGtScalarGetWorkspaceSize(const aclTensor *self, const aclScalar *other,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, other, out};
	return prepare_tensor(gt_scalar_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGtScalar(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(gt_scalar_row.name, executor, stream);
}

static constexpr ArgumentRow clamp_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"clipValueMin", Form::SCALAR, Role::ATTRIBUTE, 0, 0, true},
	{"clipValueMax", Form::SCALAR, Role::ATTRIBUTE, 1, 0, true},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow clamp_row = {
	"aclnnClamp",
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
	const Argument arguments[] = {self, clipValueMin, clipValueMax, out};
	return prepare_tensor(clamp_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnClamp(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(clamp_row.name, executor, stream);
}

static constexpr ArgumentRow clamp_min_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"clipValueMin", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow clamp_min_row = {
	"aclnnClampMin",
	UNPU_TENSOR_CLAMP,
	Types::NUMBER,
	plan_elementwise,
	clamp_min_arguments,
	{},
};

aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor *self, const aclScalar *clipValueMin,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, clipValueMin, out};
	return prepare_tensor(clamp_min_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnClampMin(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(clamp_min_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_clamp_max_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"clipValueMax", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_clamp_max_row = {
	"aclnnInplaceClampMax",
	UNPU_TENSOR_CLAMP,
	Types::NUMBER,
	plan_elementwise,
	inplace_clamp_max_arguments,
	{},
};

aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(const aclTensor *selfRef,
	const aclScalar *clipValueMax, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, clipValueMax};
	return prepare_tensor(inplace_clamp_max_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMax(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_clamp_max_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_threshold_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"threshold", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_threshold_row = {
	"aclnnInplaceThreshold",
	UNPU_TENSOR_THRESHOLD,
	Types::NUMBER,
	plan_elementwise,
	inplace_threshold_arguments,
	{},
};

aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor *selfRef, const aclScalar *threshold,
	const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, threshold, value};
	return prepare_tensor(inplace_threshold_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceThreshold(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_threshold_row.name, executor, stream);
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

static constexpr ArgumentRow inplace_cos_arguments[] = {
	{"inputRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_cos_row = {
	"aclnnInplaceCos",
	UNPU_TENSOR_COS,
	Types::FLOATING,
	plan_elementwise,
	inplace_cos_arguments,
	{},
};

aclnnStatus aclnnInplaceCosGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	const Argument arguments[] = {inputRef};
	return prepare_tensor(inplace_cos_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCos(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_cos_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_sin_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_sin_row = {
	"aclnnInplaceSin",
	UNPU_TENSOR_SIN,
	Types::FLOATING,
	plan_elementwise,
	inplace_sin_arguments,
	{},
};

aclnnStatus aclnnInplaceSinGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_sin_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSin(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_sin_row.name, executor, stream);
}

static constexpr ArgumentRow muls_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow muls_row = {
	"aclnnMuls",
	UNPU_TENSOR_MULS,
	Types::NUMBER,
	plan_elementwise,
	muls_arguments,
	{},
};

aclnnStatus aclnnMulsGetWorkspaceSize(const aclTensor *self, const aclScalar *other,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, other, out};
	return prepare_tensor(muls_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMuls(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(muls_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_muls_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_muls_row = {
	"aclnnInplaceMuls",
	UNPU_TENSOR_MULS,
	Types::NUMBER,
	plan_elementwise,
	inplace_muls_arguments,
	{},
};

aclnnStatus aclnnInplaceMulsGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, other};
	return prepare_tensor(inplace_muls_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMuls(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_muls_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_adds_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_adds_row = {
	"aclnnInplaceAdds",
	UNPU_TENSOR_ADDS,
	Types::NUMBER,
	plan_elementwise,
	inplace_adds_arguments,
	{},
};

aclnnStatus aclnnInplaceAddsGetWorkspaceSize(const aclTensor *selfRef, const aclScalar *other,
	const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, other, alpha};
	return prepare_tensor(inplace_adds_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdds(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_adds_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_subs_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"alpha", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_subs_row = {
	"aclnnInplaceSubs",
	UNPU_TENSOR_SUBS,
	Types::NUMBER,
	plan_elementwise,
	inplace_subs_arguments,
	{},
};

aclnnStatus aclnnInplaceSubsGetWorkspaceSize(const aclTensor *selfRef, const aclScalar *other,
	const aclScalar *alpha, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, other, alpha};
	return prepare_tensor(inplace_subs_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSubs(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_subs_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_divs_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_divs_row = {
	"aclnnInplaceDivs",
	UNPU_TENSOR_DIVS,
	Types::QUOTIENT,
	plan_elementwise,
	inplace_divs_arguments,
	{},
};

aclnnStatus aclnnInplaceDivsGetWorkspaceSize(aclTensor *selfRef, const aclScalar *other,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, other};
	return prepare_tensor(inplace_divs_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivs(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_divs_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_fill_scalar_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_fill_scalar_row = {
	"aclnnInplaceFillScalar",
	UNPU_TENSOR_FILL,
	Types::NUMBER,
	plan_elementwise,
	inplace_fill_scalar_arguments,
	{},
};

aclnnStatus aclnnInplaceFillScalarGetWorkspaceSize(aclTensor *selfRef, const aclScalar *value,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, value};
	return prepare_tensor(inplace_fill_scalar_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillScalar(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_fill_scalar_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_zero_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ConstantRow inplace_zero_constants[] = {
	{0, Form::SCALAR, 0},
};
static constexpr OperatorRow inplace_zero_row = {
	"aclnnInplaceZero",
	UNPU_TENSOR_FILL,
	Types::NUMBER,
	plan_elementwise,
	inplace_zero_arguments,
	inplace_zero_constants,
};

aclnnStatus aclnnInplaceZeroGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_zero_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceZero(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_zero_row.name, executor, stream);
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

static constexpr ArgumentRow div_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow div_row = {
	"aclnnDiv",
	UNPU_TENSOR_DIV,
	Types::QUOTIENT,
	plan_elementwise,
	div_arguments,
	{},
};

aclnnStatus aclnnDivGetWorkspaceSize(const aclTensor *self, const aclTensor *other, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, other, out};
	return prepare_tensor(div_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnDiv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(div_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_div_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
};
static constexpr OperatorRow inplace_div_row = {
	"aclnnInplaceDiv",
	UNPU_TENSOR_DIV,
	Types::QUOTIENT,
	plan_elementwise,
	inplace_div_arguments,
	{},
};

aclnnStatus aclnnInplaceDivGetWorkspaceSize(aclTensor *selfRef, const aclTensor *other,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {selfRef, other};
	return prepare_tensor(inplace_div_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDiv(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(inplace_div_row.name, executor, stream);
}

static constexpr ArgumentRow eq_tensor_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"other", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow eq_tensor_row = {
	"aclnnEqTensor",
	UNPU_TENSOR_EQ,
	Types::TRUTH,
	plan_elementwise,
	eq_tensor_arguments,
	{},
};

aclnnStatus aclnnEqTensorGetWorkspaceSize(const aclTensor *self, const aclTensor *other,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, other, out};
	return prepare_tensor(eq_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnEqTensor(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(eq_tensor_row.name, executor, stream);
}

static constexpr ArgumentRow pow_scalar_tensor_arguments[] = {
	{"self", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"exponent", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow pow_scalar_tensor_row = {
	"aclnnPowScalarTensor",
	UNPU_TENSOR_POW_SCALAR,
	Types::NUMBER,
	plan_elementwise,
	pow_scalar_tensor_arguments,
	{},
};

aclnnStatus aclnnPowScalarTensorGetWorkspaceSize(const aclScalar *self, const aclTensor *exponent,
	const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, exponent, out};
	return prepare_tensor(pow_scalar_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnPowScalarTensor(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(pow_scalar_tensor_row.name, executor, stream);
}

static constexpr ArgumentRow inplace_pow_tensor_tensor_arguments[] = {
	{"self", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"exponent", Form::TENSOR, Role::SOURCE, 2, 0, false},
};
static constexpr OperatorRow inplace_pow_tensor_tensor_row = {
	"aclnnInplacePowTensorTensor",
	UNPU_TENSOR_POW,
	Types::NUMBER,
	plan_elementwise,
	inplace_pow_tensor_tensor_arguments,
	{},
};

aclnnStatus aclnnInplacePowTensorTensorGetWorkspaceSize(const aclTensor *self,
	const aclTensor *exponent, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const Argument arguments[] = {self, exponent};
	return prepare_tensor(inplace_pow_tensor_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplacePowTensorTensor(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(inplace_pow_tensor_tensor_row.name, executor, stream);
}
