// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of the attention operators
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"

#include "uapi/tensor.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/operator_row.h"

/* clang-format off */

using namespace umd;

static constexpr ArgumentRow rotary_position_embedding_arguments[] = {
	{"x", Form::TENSOR, Role::SOURCE, 1, 0, false},
	{"cos", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"sin", Form::TENSOR, Role::SOURCE, 3, 0, false},
	{"mode", Form::INTEGER, Role::ATTRIBUTE, 0, 0, false},
	{"yOut", Form::TENSOR, Role::RESULT, 0, 0, false},
};
static constexpr OperatorRow rotary_position_embedding_row = {
	OPERATOR_ROTARY_POSITION_EMBEDDING,
	UNPU_TENSOR_ROTARY,
	Types::FLOATING,
	plan_rotary,
	rotary_position_embedding_arguments,
	{},
};

aclnnStatus aclnnRotaryPositionEmbeddingGetWorkspaceSize(const aclTensor *x, const aclTensor *cos,
	const aclTensor *sin, int64_t mode, const aclTensor *yOut, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {x, cos, sin, mode, yOut};
	return prepare_tensor(rotary_position_embedding_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnRotaryPositionEmbedding(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_ROTARY_POSITION_EMBEDDING, executor, stream);
}

static constexpr ArgumentRow fused_infer_attention_score_v2_arguments[] = {
	{"query", Form::TENSOR, Role::SOURCE, 2, 0, false},
	{"key", Form::TENSORS, Role::SOURCE, 3, 0, false},
	{"value", Form::TENSORS, Role::SOURCE, 4, 0, false},
	{"pseShiftOptional", Form::TENSOR, Role::SOURCE, 5, 0, true},
	{"attenMaskOptional", Form::TENSOR, Role::SOURCE, 6, 0, true},
	{"actualSeqLengthsOptional", Form::INTEGERS, Role::PARAMETER, 0, 0, true},
	{"actualSeqLengthsKvOptional", Form::INTEGERS, Role::PARAMETER, 0, 0, true},
	{"deqScale1Optional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"quantScale1Optional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"deqScale2Optional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"quantScale2Optional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"quantOffset2Optional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"antiquantScaleOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"antiquantOffsetOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"blockTableOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"queryPaddingSizeOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"kvPaddingSizeOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"keyAntiquantScaleOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"keyAntiquantOffsetOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"valueAntiquantScaleOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"valueAntiquantOffsetOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"keySharedPrefixOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"valueSharedPrefixOptional", Form::TENSOR, Role::PARAMETER, 0, 0, true},
	{"actualSharedPrefixLenOptional", Form::INTEGERS, Role::PARAMETER, 0, 0, true},
	{"numHeads", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"scaleValue", Form::REAL, Role::ATTRIBUTE, 0, 0, false},
	{"preTokens", Form::INTEGER, Role::ATTRIBUTE, 1, 0, false},
	{"nextTokens", Form::INTEGER, Role::ATTRIBUTE, 2, 0, false},
	{"inputLayout", Form::TEXT, Role::PARAMETER, 0, 0, false},
	{"numKeyValueHeads", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"sparseMode", Form::INTEGER, Role::ATTRIBUTE, 3, 0, false},
	{"innerPrecise", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"blockSize", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"antiquantMode", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"softmaxLseFlag", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"keyAntiquantMode", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"valueAntiquantMode", Form::INTEGER, Role::PARAMETER, 0, 0, false},
	{"attentionOut", Form::TENSOR, Role::RESULT, 0, 0, false},
	{"softmaxLse", Form::TENSOR, Role::RESULT, 1, 0, true},
};
static constexpr OperatorRow fused_infer_attention_score_v2_row = {
	OPERATOR_FUSED_INFER_ATTENTION_SCORE_V2,
	UNPU_TENSOR_ATTENTION,
	Types::FLOATING,
	plan_attention,
	fused_infer_attention_score_v2_arguments,
	{},
};

aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(const aclTensor *query,
	const aclTensorList *key, const aclTensorList *value, const aclTensor *pseShiftOptional,
	const aclTensor *attenMaskOptional, const aclIntArray *actualSeqLengthsOptional,
	const aclIntArray *actualSeqLengthsKvOptional, const aclTensor *deqScale1Optional,
	const aclTensor *quantScale1Optional, const aclTensor *deqScale2Optional,
	const aclTensor *quantScale2Optional, const aclTensor *quantOffset2Optional,
	const aclTensor *antiquantScaleOptional, const aclTensor *antiquantOffsetOptional,
	const aclTensor *blockTableOptional, const aclTensor *queryPaddingSizeOptional,
	const aclTensor *kvPaddingSizeOptional, const aclTensor *keyAntiquantScaleOptional,
	const aclTensor *keyAntiquantOffsetOptional, const aclTensor *valueAntiquantScaleOptional,
	const aclTensor *valueAntiquantOffsetOptional, const aclTensor *keySharedPrefixOptional,
	const aclTensor *valueSharedPrefixOptional,
	const aclIntArray *actualSharedPrefixLenOptional, int64_t numHeads, double scaleValue,
	int64_t preTokens, int64_t nextTokens, char *inputLayout, int64_t numKeyValueHeads,
	int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t antiquantMode,
	bool softmaxLseFlag, int64_t keyAntiquantMode, int64_t valueAntiquantMode,
	const aclTensor *attentionOut, const aclTensor *softmaxLse, uint64_t *workspaceSize,
	aclOpExecutor **executor)
{
	Argument arguments[] = {query, key, value, pseShiftOptional, attenMaskOptional, actualSeqLengthsOptional, actualSeqLengthsKvOptional, deqScale1Optional, quantScale1Optional, deqScale2Optional, quantScale2Optional, quantOffset2Optional, antiquantScaleOptional, antiquantOffsetOptional, blockTableOptional, queryPaddingSizeOptional, kvPaddingSizeOptional, keyAntiquantScaleOptional, keyAntiquantOffsetOptional, valueAntiquantScaleOptional, valueAntiquantOffsetOptional, keySharedPrefixOptional, valueSharedPrefixOptional, actualSharedPrefixLenOptional, numHeads, scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads, sparseMode, innerPrecise, blockSize, antiquantMode, softmaxLseFlag, keyAntiquantMode, valueAntiquantMode, attentionOut, softmaxLse};
	return prepare_tensor(fused_infer_attention_score_v2_row, arguments, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV2(void *, uint64_t, aclOpExecutor *executor,
	aclrtStream stream)
{
	return launch(OPERATOR_FUSED_INFER_ATTENTION_SCORE_V2, executor, stream);
}
