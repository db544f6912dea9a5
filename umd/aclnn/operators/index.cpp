// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the index operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

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

static constexpr ArgumentRow embedding_arguments[] = {
	{"weight", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"indices", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow embedding_row = {
	OPERATOR_EMBEDDING,
	UNPU_TENSOR_GATHER,
	Types::NUMBER,
	plan_embedding,
	embedding_arguments,
	{},
};

aclnnStatus aclnnEmbeddingGetWorkspaceSize(const aclTensor *weight, const aclTensor *indices,
	const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {weight, indices, out};
	return prepare_tensor(embedding_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnEmbedding(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_EMBEDDING, executor, stream);
}

static constexpr ArgumentRow inplace_masked_fill_scalar_arguments[] = {
	{"selfRef", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"mask", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_masked_fill_scalar_row = {
	OPERATOR_INPLACE_MASKED_FILL_SCALAR,
	UNPU_TENSOR_MASKED_FILL,
	Types::NUMBER,
	plan_masked_fill,
	inplace_masked_fill_scalar_arguments,
	{},
};

aclnnStatus aclnnInplaceMaskedFillScalarGetWorkspaceSize(aclTensor *selfRef, const aclTensor *mask,
	const aclScalar *value, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, mask, value};
	return prepare_tensor(inplace_masked_fill_scalar_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMaskedFillScalar(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_MASKED_FILL_SCALAR, executor, stream);
}

static constexpr ArgumentRow scatter_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"src", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"reduce", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow scatter_row = {
	OPERATOR_SCATTER,
	UNPU_TENSOR_SCATTER,
	Types::NUMBER,
	plan_scatter,
	scatter_arguments,
	{},
};

aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor *self, int64_t dim,
	const aclTensor *index, const aclTensor *src, int64_t reduce, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, index, src, reduce, out};
	return prepare_tensor(scatter_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnScatter(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SCATTER, executor, stream);
}

static constexpr ArgumentRow inplace_scatter_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"src", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"reduce", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_scatter_row = {
	OPERATOR_INPLACE_SCATTER,
	UNPU_TENSOR_SCATTER,
	Types::NUMBER,
	plan_scatter,
	inplace_scatter_arguments,
	{},
};

aclnnStatus aclnnInplaceScatterGetWorkspaceSize(aclTensor *selfRef, int64_t dim,
	const aclTensor *index, const aclTensor *src, int64_t reduce, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, dim, index, src, reduce};
	return prepare_tensor(inplace_scatter_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatter(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_SCATTER, executor, stream);
}

static constexpr ArgumentRow scatter_value_arguments[] = {
	{"self", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"reduce", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"out", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow scatter_value_row = {
	OPERATOR_SCATTER_VALUE,
	UNPU_TENSOR_SCATTER,
	Types::NUMBER,
	plan_scatter,
	scatter_value_arguments,
	{},
};

aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor *self, int64_t dim,
	const aclTensor *index, const aclScalar *value, int64_t reduce, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor)
{
	Argument arguments[] = {self, dim, index, value, reduce, out};
	return prepare_tensor(scatter_value_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnScatterValue(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_SCATTER_VALUE, executor, stream);
}

static constexpr ArgumentRow inplace_scatter_value_arguments[] = {
	{"selfRef", Form::TENSOR, Role::BOTH, 0, 1, false},
	{"dim", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"index", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"value", Form::SCALAR, Role::ATTRIBUTE, 1, 0, false},
	{"reduce", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
};
static constexpr OperatorRow inplace_scatter_value_row = {
	OPERATOR_INPLACE_SCATTER_VALUE,
	UNPU_TENSOR_SCATTER,
	Types::NUMBER,
	plan_scatter,
	inplace_scatter_value_arguments,
	{},
};

aclnnStatus aclnnInplaceScatterValueGetWorkspaceSize(aclTensor *selfRef, int64_t dim,
	const aclTensor *index, const aclScalar *value, int64_t reduce, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {selfRef, dim, index, value, reduce};
	return prepare_tensor(inplace_scatter_value_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnInplaceScatterValue(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
	return launch(OPERATOR_INPLACE_SCATTER_VALUE, executor, stream);
}
