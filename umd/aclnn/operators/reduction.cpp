// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the reduction operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_softmax.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow softmax_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow softmax_row = {
	OPERATOR_SOFTMAX,
	UNPU_TENSOR_SOFTMAX,
	Types::FLOATING,
	plan_softmax,
	softmax_arguments,
	{},
};

aclnnStatus aclnnSoftmaxGetWorkspaceSize(const aclTensor *self, int64_t dim, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, out};
	return prepare_tensor(softmax_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSoftmax(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SOFTMAX, executor, stream);
}

static constexpr ArgumentRow arg_max_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"keepdim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow arg_max_row = {
	OPERATOR_ARG_MAX,
	UNPU_TENSOR_ARGMAX,
	Types::INDEX,
	plan_argmax,
	arg_max_arguments,
	{},
};

aclnnStatus aclnnArgMaxGetWorkspaceSize(const aclTensor *self, int64_t dim, bool keepdim,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, keepdim, out};
	return prepare_tensor(arg_max_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnArgMax(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ARG_MAX, executor, stream);
}

static constexpr ArgumentRow reduce_sum_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dims", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"keepDims", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"dtype", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow reduce_sum_row = {
	OPERATOR_REDUCE_SUM,
	UNPU_TENSOR_REDUCE_SUM,
	Types::NUMBER,
	plan_reduce,
	reduce_sum_arguments,
	{},
};

aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor *self, const aclIntArray *dims,
	bool keepDims, aclDataType dtype, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, dims, keepDims, dtype, out};
	return prepare_tensor(reduce_sum_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnReduceSum(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_REDUCE_SUM, executor, stream);
}

static constexpr ArgumentRow mean_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"keepDim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"dtype", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow mean_row = {
	OPERATOR_MEAN,
	UNPU_TENSOR_MEAN,
	Types::FLOATING,
	plan_reduce,
	mean_arguments,
	{},
};

aclnnStatus aclnnMeanGetWorkspaceSize(const aclTensor *self, const aclIntArray *dim, bool keepDim,
	aclDataType dtype, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, keepDim, dtype, out};
	return prepare_tensor(mean_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnMean(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_MEAN, executor, stream);
}

static constexpr ArgumentRow cumsum_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"dtype", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow cumsum_row = {
	OPERATOR_CUMSUM,
	UNPU_TENSOR_CUMSUM,
	Types::NUMBER,
	plan_cumsum,
	cumsum_arguments,
	{},
};

aclnnStatus aclnnCumsumGetWorkspaceSize(const aclTensor *self, int64_t dim, aclDataType dtype,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, dtype, out};
	return prepare_tensor(cumsum_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnCumsum(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_CUMSUM, executor, stream);
}

static constexpr ArgumentRow argsort_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"descending", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow argsort_row = {
	OPERATOR_ARGSORT,
	UNPU_TENSOR_ARGSORT,
	Types::INDEX,
	plan_argsort,
	argsort_arguments,
	{},
};

aclnnStatus aclnnArgsortGetWorkspaceSize(const aclTensor *self, int64_t dim, bool descending,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, descending, out};
	return prepare_tensor(argsort_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnArgsort(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_ARGSORT, executor, stream);
}

static constexpr ArgumentRow norm_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"pScalar", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
	{"dim", Form::INTEGERS, Role::PARAMETER, 0, 0, false},
	{"keepdim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow norm_row = {
	OPERATOR_NORM,
	UNPU_TENSOR_NORM,
	Types::FLOATING,
	plan_norm,
	norm_arguments,
	{},
};

aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor *self, const aclScalar *pScalar,
	const aclIntArray *dim, bool keepdim, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {self, pScalar, dim, keepdim, out};
	return prepare_tensor(norm_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnNorm(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_NORM, executor, stream);
}

static constexpr ArgumentRow log_softmax_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow log_softmax_row = {
	OPERATOR_LOG_SOFTMAX,
	UNPU_TENSOR_LOG_SOFTMAX,
	Types::FLOATING,
	plan_softmax,
	log_softmax_arguments,
	{},
};

aclnnStatus aclnnLogSoftmaxGetWorkspaceSize(const aclTensor *self, int64_t dim, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, out};
	return prepare_tensor(log_softmax_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnLogSoftmax(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_LOG_SOFTMAX, executor, stream);
}
