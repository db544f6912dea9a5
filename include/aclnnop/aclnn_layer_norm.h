/* SPDX-License-Identifier: MIT */
/*
 * DOC: LayerNorm
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnLayerNorm.
 */
#ifndef ACLNNOP_ACLNN_LAYER_NORM_H
#define ACLNNOP_ACLNN_LAYER_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnLayerNormGetWorkspaceSize() - prepares (input - mean) / sqrt(variance + eps) * weight + bias
 * @input: operand
 * @normalizedShape: the last dims of input
 * @weightOptional: factors; may be NULL
 * @biasOptional: addends; may be NULL
 * @eps: added to the variance
 * @out: result
 * @meanOutOptional: second result; may be NULL
 * @rstdOutOptional: third result, 1 / the root; may be NULL
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnLayerNorm(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnLayerNormGetWorkspaceSize(const aclTensor *input,
	const aclIntArray *normalizedShape, const aclTensor *weightOptional,
	const aclTensor *biasOptional, double eps, aclTensor *out, aclTensor *meanOutOptional,
	aclTensor *rstdOutOptional, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnLayerNorm() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnLayerNorm(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_LAYER_NORM_H */
