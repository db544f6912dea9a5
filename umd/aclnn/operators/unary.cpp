// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the unary operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_zero.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow abs_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow abs_row = {
	OPERATOR_ABS,
	UNPU_TENSOR_ABS,
	Types::NUMBER,
	plan_elementwise,
	abs_arguments,
	{},
};

aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(abs_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnAbs(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ABS, executor, stream);
}

static constexpr ArgumentRow neg_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow neg_row = {
	OPERATOR_NEG,
	UNPU_TENSOR_NEG,
	Types::NUMBER,
	plan_elementwise,
	neg_arguments,
	{},
};

aclnnStatus aclnnNegGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(neg_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnNeg(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_NEG, executor, stream);
}

static constexpr ArgumentRow gelu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ConstantRow gelu_constants[] = {
	{0, Form::INTEGER, 1},
};
static constexpr OperatorRow gelu_row = {
	OPERATOR_GELU,
	UNPU_TENSOR_GELU,
	Types::FLOATING,
	plan_elementwise,
	gelu_arguments,
	gelu_constants,
};

aclnnStatus aclnnGeluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(gelu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGelu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GELU, executor, stream);
}

static constexpr ArgumentRow silu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow silu_row = {
	OPERATOR_SILU,
	UNPU_TENSOR_SILU,
	Types::FLOATING,
	plan_elementwise,
	silu_arguments,
	{},
};

aclnnStatus aclnnSiluGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(silu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSilu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SILU, executor, stream);
}

static constexpr ArgumentRow tanh_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow tanh_row = {
	OPERATOR_TANH,
	UNPU_TENSOR_TANH,
	Types::FLOATING,
	plan_elementwise,
	tanh_arguments,
	{},
};

aclnnStatus aclnnTanhGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(tanh_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnTanh(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_TANH, executor, stream);
}

static constexpr ArgumentRow relu_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow relu_row = {
	OPERATOR_RELU,
	UNPU_TENSOR_RELU,
	Types::NUMBER,
	plan_elementwise,
	relu_arguments,
	{},
};

aclnnStatus aclnnReluGetWorkspaceSize(const aclTensor *self, const aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(relu_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRelu(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_RELU, executor, stream);
}

static constexpr ArgumentRow sigmoid_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sigmoid_row = {
	OPERATOR_SIGMOID,
	UNPU_TENSOR_SIGMOID,
	Types::FLOATING,
	plan_elementwise,
	sigmoid_arguments,
	{},
};

aclnnStatus aclnnSigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(sigmoid_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSigmoid(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SIGMOID, executor, stream);
}

static constexpr ArgumentRow hardsigmoid_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow hardsigmoid_row = {
	OPERATOR_HARDSIGMOID,
	UNPU_TENSOR_HARDSIGMOID,
	Types::FLOATING,
	plan_elementwise,
	hardsigmoid_arguments,
	{},
};

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(hardsigmoid_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoid(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_HARDSIGMOID, executor, stream);
}

static constexpr ArgumentRow hardswish_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow hardswish_row = {
	OPERATOR_HARDSWISH,
	UNPU_TENSOR_HARDSWISH,
	Types::FLOATING,
	plan_elementwise,
	hardswish_arguments,
	{},
};

aclnnStatus aclnnHardswishGetWorkspaceSize(const aclTensor *self, const aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(hardswish_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnHardswish(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_HARDSWISH, executor, stream);
}

static constexpr ArgumentRow exp_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow exp_row = {
	OPERATOR_EXP,
	UNPU_TENSOR_EXP,
	Types::FLOATING,
	plan_elementwise,
	exp_arguments,
	{},
};

aclnnStatus aclnnExpGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(exp_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnExp(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_EXP, executor, stream);
}

static constexpr ArgumentRow sign_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"result", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sign_row = {
	OPERATOR_SIGN,
	UNPU_TENSOR_SIGN,
	Types::NUMBER,
	plan_elementwise,
	sign_arguments,
	{},
};

aclnnStatus aclnnSignGetWorkspaceSize(const aclTensor *self, aclTensor *result,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, result};
	return prepare_tensor(sign_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSign(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SIGN, executor, stream);
}

static constexpr ArgumentRow sqrt_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sqrt_row = {
	OPERATOR_SQRT,
	UNPU_TENSOR_SQRT,
	Types::FLOATING,
	plan_elementwise,
	sqrt_arguments,
	{},
};

aclnnStatus aclnnSqrtGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(sqrt_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSqrt(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SQRT, executor, stream);
}

static constexpr ArgumentRow log_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow log_row = {
	OPERATOR_LOG,
	UNPU_TENSOR_LOG,
	Types::FLOATING,
	plan_elementwise,
	log_arguments,
	{},
};

aclnnStatus aclnnLogGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(log_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLog(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_LOG, executor, stream);
}

static constexpr ArgumentRow sin_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow sin_row = {
	OPERATOR_SIN,
	UNPU_TENSOR_SIN,
	Types::FLOATING,
	plan_elementwise,
	sin_arguments,
	{},
};

aclnnStatus aclnnSinGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(sin_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSin(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SIN, executor, stream);
}

static constexpr ArgumentRow cos_arguments[] = {
	{"input", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow cos_row = {
	OPERATOR_COS,
	UNPU_TENSOR_COS,
	Types::FLOATING,
	plan_elementwise,
	cos_arguments,
	{},
};

aclnnStatus aclnnCosGetWorkspaceSize(const aclTensor *input, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {input, out};
	return prepare_tensor(cos_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnCos(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_COS, executor, stream);
}

static constexpr ArgumentRow gelu_v2_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"approximate", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"y", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow gelu_v2_row = {
	OPERATOR_GELU_V2,
	UNPU_TENSOR_GELU,
	Types::FLOATING,
	plan_gelu,
	gelu_v2_arguments,
	{},
};

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor *x, int64_t approximate, aclTensor *y,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {x, approximate, y};
	return prepare_tensor(gelu_v2_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGeluV2(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GELU_V2, executor, stream);
}

static constexpr ArgumentRow inplace_exp_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_exp_row = {
	OPERATOR_INPLACE_EXP,
	UNPU_TENSOR_EXP,
	Types::FLOATING,
	plan_elementwise,
	inplace_exp_arguments,
	{},
};

aclnnStatus aclnnInplaceExpGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_exp_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExp(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_EXP, executor, stream);
}

static constexpr ArgumentRow inplace_cos_arguments[] = {
	{"inputRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_cos_row = {
	OPERATOR_INPLACE_COS,
	UNPU_TENSOR_COS,
	Types::FLOATING,
	plan_elementwise,
	inplace_cos_arguments,
	{},
};

aclnnStatus aclnnInplaceCosGetWorkspaceSize(aclTensor *inputRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {inputRef};
	return prepare_tensor(inplace_cos_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCos(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_COS, executor, stream);
}

static constexpr ArgumentRow inplace_sin_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_sin_row = {
	OPERATOR_INPLACE_SIN,
	UNPU_TENSOR_SIN,
	Types::FLOATING,
	plan_elementwise,
	inplace_sin_arguments,
	{},
};

aclnnStatus aclnnInplaceSinGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_sin_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSin(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_SIN, executor, stream);
}

static constexpr ArgumentRow inplace_zero_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr ConstantRow inplace_zero_constants[] = {
	{0, Form::SCALAR, 0},
};
static constexpr OperatorRow inplace_zero_row = {
	OPERATOR_INPLACE_ZERO,
	UNPU_TENSOR_FILL,
	Types::NUMBER,
	plan_elementwise,
	inplace_zero_arguments,
	inplace_zero_constants,
};

aclnnStatus aclnnInplaceZeroGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_zero_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceZero(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_ZERO, executor, stream);
}

static constexpr ArgumentRow logical_not_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow logical_not_row = {
	OPERATOR_LOGICAL_NOT,
	UNPU_TENSOR_LOGICAL_NOT,
	Types::TRUTH,
	plan_elementwise,
	logical_not_arguments,
	{},
};

aclnnStatus aclnnLogicalNotGetWorkspaceSize(const aclTensor *self, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, out};
	return prepare_tensor(logical_not_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLogicalNot(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_LOGICAL_NOT, executor, stream);
}

static constexpr ArgumentRow inplace_logical_not_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
};
static constexpr OperatorRow inplace_logical_not_row = {
	OPERATOR_INPLACE_LOGICAL_NOT,
	UNPU_TENSOR_LOGICAL_NOT,
	Types::TRUTH,
	plan_elementwise,
	inplace_logical_not_arguments,
	{},
};

aclnnStatus aclnnInplaceLogicalNotGetWorkspaceSize(aclTensor *selfRef, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef};
	return prepare_tensor(inplace_logical_not_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalNot(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_LOGICAL_NOT, executor, stream);
}
