/* SPDX-License-Identifier: MIT */
/*
 * DOC: FusedInferAttentionScoreV2
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnFusedInferAttentionScoreV2.
 */
#ifndef ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V2_H
#define ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V2_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnFusedInferAttentionScoreV2GetWorkspaceSize() - prepares softmax(query * key^T * scaleValue + pseShift) * value;
 *   0 for a query that sees no key
 * @query: in the layout
 * @key: a list of one tensor in the layout
 * @value: a list of one tensor in the layout
 * @pseShiftOptional: added to the products; broadcast to [batch, heads, queries, keys]; may be NULL
 * @attenMaskOptional: not 0: the query does not see the key; broadcast likewise, and not used in the modes from 2 on;
 *   may be NULL
 * @actualSeqLengthsOptional: queries of each batch, or of all; may be NULL
 * @actualSeqLengthsKvOptional: keys of each batch, or of all; may be NULL
 * @deqScale1Optional: must be NULL
 * @quantScale1Optional: must be NULL
 * @deqScale2Optional: must be NULL
 * @quantScale2Optional: must be NULL
 * @quantOffset2Optional: must be NULL
 * @antiquantScaleOptional: must be NULL
 * @antiquantOffsetOptional: must be NULL
 * @blockTableOptional: must be NULL
 * @queryPaddingSizeOptional: must be NULL
 * @kvPaddingSizeOptional: must be NULL
 * @keyAntiquantScaleOptional: must be NULL
 * @keyAntiquantOffsetOptional: must be NULL
 * @valueAntiquantScaleOptional: must be NULL
 * @valueAntiquantOffsetOptional: must be NULL
 * @keySharedPrefixOptional: must be NULL
 * @valueSharedPrefixOptional: must be NULL
 * @actualSharedPrefixLenOptional: must be NULL
 * @numHeads: see above
 * @scaleValue: factor of the products
 * @preTokens: see above
 * @nextTokens: see above
 * @inputLayout: BSH, BSND, BNSD or BNSD_BSND
 * @numKeyValueHeads: heads of key and value; 0: as many as numHeads
 * @sparseMode: 0: with a mask, keys from preTokens before the query to nextTokens behind it; 1: all; 2: up to the
 *   query; 3 and 4: as 2 and 0, where the last query is the last key
 * @innerPrecise: not used
 * @blockSize: not used
 * @antiquantMode: not used
 * @softmaxLseFlag: see above
 * @keyAntiquantMode: not used
 * @valueAntiquantMode: not used
 * @attentionOut: result
 * @softmaxLse: second result with softmaxLseFlag, [batch, heads, queries, 1]; -infinity for a query that sees no key;
 *   may be NULL
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnFusedInferAttentionScoreV2(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
	const aclTensor *query, const aclTensorList *key, const aclTensorList *value,
	const aclTensor *pseShiftOptional, const aclTensor *attenMaskOptional,
	const aclIntArray *actualSeqLengthsOptional, const aclIntArray *actualSeqLengthsKvOptional,
	const aclTensor *deqScale1Optional, const aclTensor *quantScale1Optional,
	const aclTensor *deqScale2Optional, const aclTensor *quantScale2Optional,
	const aclTensor *quantOffset2Optional, const aclTensor *antiquantScaleOptional,
	const aclTensor *antiquantOffsetOptional, const aclTensor *blockTableOptional,
	const aclTensor *queryPaddingSizeOptional, const aclTensor *kvPaddingSizeOptional,
	const aclTensor *keyAntiquantScaleOptional, const aclTensor *keyAntiquantOffsetOptional,
	const aclTensor *valueAntiquantScaleOptional,
	const aclTensor *valueAntiquantOffsetOptional, const aclTensor *keySharedPrefixOptional,
	const aclTensor *valueSharedPrefixOptional,
	const aclIntArray *actualSharedPrefixLenOptional, int64_t numHeads, double scaleValue,
	int64_t preTokens, int64_t nextTokens, char *inputLayout, int64_t numKeyValueHeads,
	int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t antiquantMode,
	bool softmaxLseFlag, int64_t keyAntiquantMode, int64_t valueAntiquantMode,
	const aclTensor *attentionOut, const aclTensor *softmaxLse, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnFusedInferAttentionScoreV2() - enqueues the prepared operator on a stream
 * @workspace: not used; may be NULL
 * @workspaceSize: the size that the first phase returned
 * @executor: the executor of the first phase; invalid afterwards unless it is repeatable
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. On a capturing stream the operator is recorded.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, 161001 when @executor is NULL, 161002 for an executor of another operator, or the runtime's error.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFusedInferAttentionScoreV2(void *workspace,
	uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_FUSED_INFER_ATTENTION_SCORE_V2_H */
