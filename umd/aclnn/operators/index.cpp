// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the index operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operators/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow gather_v2_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow gather_v2_row = {
	OPERATOR_GATHER_V2,
	UNPU_TENSOR_GATHER,
	Types::NUMBER,
	plan_gather,
	gather_v2_arguments,
	{},
};

aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor *self, int64_t dim,
	const aclTensor *index, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, index, out};
	return prepare_tensor(gather_v2_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnGatherV2(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_GATHER_V2, executor, stream);
}

static constexpr ArgumentRow index_select_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow index_select_row = {
	OPERATOR_INDEX_SELECT,
	UNPU_TENSOR_GATHER,
	Types::NUMBER,
	plan_index_select,
	index_select_arguments,
	{},
};

aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor *self, int64_t dim,
	const aclTensor *index, aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, index, out};
	return prepare_tensor(index_select_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnIndexSelect(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INDEX_SELECT, executor, stream);
}

static constexpr ArgumentRow inplace_index_copy_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"source", Form::TENSOR, Role::SOURCE, 2, 0, false},
};
static constexpr OperatorRow inplace_index_copy_row = {
	OPERATOR_INPLACE_INDEX_COPY,
	UNPU_TENSOR_INDEX_COPY,
	Types::NUMBER,
	plan_index_copy,
	inplace_index_copy_arguments,
	{},
};

aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor *selfRef, int64_t dim,
	const aclTensor *index, const aclTensor *source, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, dim, index, source};
	return prepare_tensor(inplace_index_copy_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexCopy(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_INDEX_COPY, executor, stream);
}

static constexpr ArgumentRow inplace_index_fill_tensor_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::INTEGERS, Role::ATTRIBUTE, 0, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
};
static constexpr OperatorRow inplace_index_fill_tensor_row = {
	OPERATOR_INPLACE_INDEX_FILL_TENSOR,
	UNPU_TENSOR_INDEX_FILL,
	Types::NUMBER,
	plan_index_fill,
	inplace_index_fill_tensor_arguments,
	{},
};

aclnnStatus aclnnInplaceIndexFillTensorGetWorkspaceSize(aclTensor *selfRef, int64_t dim,
	const aclIntArray *index, const aclScalar *value, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, dim, index, value};
	return prepare_tensor(inplace_index_fill_tensor_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexFillTensor(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_INDEX_FILL_TENSOR, executor, stream);
}

static constexpr ArgumentRow softmax_cross_entropy_with_logits_arguments[] = {
	{"features", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"labels", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"loss", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"backprop", Form::TENSOR, Role::RESULT, 1, 0, false},
};
static constexpr OperatorRow softmax_cross_entropy_with_logits_row = {
	OPERATOR_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS,
	UNPU_TENSOR_CROSS_ENTROPY,
	Types::FLOATING,
	plan_cross_entropy,
	softmax_cross_entropy_with_logits_arguments,
	{},
};

aclnnStatus aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(const aclTensor *features,
	aclTensor *labels, aclTensor *loss, aclTensor *backprop, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {features, labels, loss, backprop};
	return prepare_tensor(softmax_cross_entropy_with_logits_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnSoftmaxCrossEntropyWithLogits(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, executor, stream);
}
