// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the window operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_max_pool.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow convolution_arguments[] = {
	{"input", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"weight", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"bias", Form::TENSOR, Role::SOURCE, 3, 0, true},
	{"stride", Form::INTEGERS, Role::ATTRIBUTE, 0, 0, false},
	{"padding", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"dilation", Form::INTEGERS, Role::ATTRIBUTE, 2, 0, false},
	{"transposed", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"outputPadding", Form::INTEGERS, Role::ATTRIBUTE, 4, 0, false},
	{"groups", Form::INTEGER, Role::ATTRIBUTE, 5, 0, false},
	{"output", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"cubeMathType", Form::INTEGER, Role::PARAMETER, 0, 0, false},
};
static constexpr OperatorRow convolution_row = {
	OPERATOR_CONVOLUTION,
	UNPU_TENSOR_CONVOLUTION,
	Types::FLOATING,
	plan_convolution,
	convolution_arguments,
	{},
};

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor *input, const aclTensor *weight,
	const aclTensor *bias, const aclIntArray *stride, const aclIntArray *padding,
	const aclIntArray *dilation, bool transposed, const aclIntArray *outputPadding,
	int64_t groups, aclTensor *output, int8_t cubeMathType, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups, output, cubeMathType};
	return prepare_tensor(convolution_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnConvolution(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CONVOLUTION, executor, stream);
}

static constexpr ArgumentRow im2col_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"kernelSize", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"dilation", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"padding", Form::INTEGERS, Role::ATTRIBUTE, 2, 0, false},
	{"stride", Form::INTEGERS, Role::ATTRIBUTE, 3, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow im2col_row = {
	OPERATOR_IM2COL,
	UNPU_TENSOR_IM2COL,
	Types::NUMBER,
	plan_im2col,
	im2col_arguments,
	{},
};

aclnnStatus aclnnIm2colGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
	const aclIntArray *dilation, const aclIntArray *padding, const aclIntArray *stride,
	const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, kernelSize, dilation, padding, stride, out};
	return prepare_tensor(im2col_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnIm2col(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_IM2COL, executor, stream);
}

static constexpr ArgumentRow avg_pool2d_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"kernelSize", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"strides", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"paddings", Form::INTEGERS, Role::ATTRIBUTE, 2, 0, false},
	{"ceilMode", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"countIncludePad", Form::INTEGER, Role::ATTRIBUTE, 4, 0, false},
	{"divisorOverride", Form::INTEGER, Role::ATTRIBUTE, 5, 0, false},
	{"cubeMathType", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow avg_pool2d_row = {
	OPERATOR_AVG_POOL2D,
	UNPU_TENSOR_AVG_POOL,
	Types::FLOATING,
	plan_avg_pool,
	avg_pool2d_arguments,
	{},
};

aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelSize,
	const aclIntArray *strides, const aclIntArray *paddings, bool ceilMode,
	bool countIncludePad, int64_t divisorOverride, int8_t cubeMathType, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, kernelSize, strides, paddings, ceilMode, countIncludePad, divisorOverride, cubeMathType, out};
	return prepare_tensor(avg_pool2d_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnAvgPool2d(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_AVG_POOL2D, executor, stream);
}

static constexpr ArgumentRow max_pool_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"kernelShape", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"strides", Form::INTEGERS, Role::ATTRIBUTE, 1, 0, false},
	{"autoPad", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"pads", Form::INTEGERS, Role::ATTRIBUTE, 2, 0, false},
	{"dilations", Form::INTEGERS, Role::ATTRIBUTE, 3, 0, false},
	{"ceilMode", Form::INTEGER, Role::ATTRIBUTE, 4, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow max_pool_row = {
	OPERATOR_MAX_POOL,
	UNPU_TENSOR_MAX_POOL,
	Types::FLOATING,
	plan_max_pool,
	max_pool_arguments,
	{},
};

aclnnStatus aclnnMaxPoolGetWorkspaceSize(const aclTensor *self, const aclIntArray *kernelShape,
	const aclIntArray *strides, int64_t autoPad, const aclIntArray *pads,
	const aclIntArray *dilations, int64_t ceilMode, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, kernelShape, strides, autoPad, pads, dilations, ceilMode, out};
	return prepare_tensor(max_pool_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMaxPool(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_MAX_POOL, executor, stream);
}
