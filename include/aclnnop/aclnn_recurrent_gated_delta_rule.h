/* SPDX-License-Identifier: MIT */
/*
 * DOC: RecurrentGatedDeltaRule
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnRecurrentGatedDeltaRule, the steps of a linear attention with a gated delta rule. Not supported.
 */
#ifndef ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H
#define ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnRecurrentGatedDeltaRuleGetWorkspaceSize() - is not supported: the device has no linear attention; compute each
 *   step by aclnnExp, aclnnMul, aclnnBatchMatMul and aclnnAdd
 * @query: not used
 * @key: not used
 * @value: not used
 * @beta: not used
 * @stateRef: not used
 * @actualSeqLengths: not used
 * @ssmStateIndices: not used
 * @g: not used
 * @gk: not used
 * @numAcceptedTokens: not used
 * @scaleValue: not used
 * @out: not used
 * @workspaceSize: not used
 * @executor: not used
 *
 * Context: any thread; never blocks.
 * Return: 207000, always.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
	const aclTensor *query, const aclTensor *key, const aclTensor *value,
	const aclTensor *beta, aclTensor *stateRef, const aclTensor *actualSeqLengths,
	const aclTensor *ssmStateIndices, const aclTensor *g, const aclTensor *gk,
	const aclTensor *numAcceptedTokens, float scaleValue, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnRecurrentGatedDeltaRule() - is not supported: the first phase has no executor for it
 * @workspace: not used
 * @workspaceSize: not used
 * @executor: not used
 * @stream: not used
 *
 * Context: any thread; never blocks.
 * Return: 207000, always.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRecurrentGatedDeltaRule(void *workspace,
	uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_RECURRENT_GATED_DELTA_RULE_H */
