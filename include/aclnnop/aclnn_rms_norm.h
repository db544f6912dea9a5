/* SPDX-License-Identifier: MIT */
/*
 * DOC: RmsNorm
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnRmsNorm.
 */
#ifndef ACLNNOP_ACLNN_RMS_NORM_H
#define ACLNNOP_ACLNN_RMS_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnRmsNormGetWorkspaceSize() - prepares x / sqrt(mean(x^2) + epsilon) * gamma
 * @x: operand
 * @gamma: a factor for each element of the last dims, which it has
 * @epsilon: added to the mean of the squares
 * @yOut: result
 * @rstdOut: second result, 1 / the root; of any shape, its elements follow each other
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnRmsNorm(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRmsNormGetWorkspaceSize(const aclTensor *x,
	const aclTensor *gamma, double epsilon, const aclTensor *yOut, const aclTensor *rstdOut,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnRmsNorm() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnRmsNorm(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_RMS_NORM_H */
