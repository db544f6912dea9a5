/* SPDX-License-Identifier: MIT */
/*
 * DOC: AddRmsNorm
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnAddRmsNorm.
 */
#ifndef ACLNNOP_ACLNN_ADD_RMS_NORM_H
#define ACLNNOP_ACLNN_ADD_RMS_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnAddRmsNormGetWorkspaceSize() - prepares x / sqrt(mean(x^2) + epsilon) * gamma of the sum x of x1 and x2
 * @x1: operand
 * @x2: operand
 * @gamma: a factor for each element of the last dims, which it has
 * @epsilon: added to the mean of the squares
 * @yOut: result
 * @rstdOut: second result, 1 / the root; of any shape, its elements follow each other
 * @xOut: third result, x1 + x2
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnAddRmsNorm(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor *x1,
	const aclTensor *x2, const aclTensor *gamma, double epsilon, const aclTensor *yOut,
	const aclTensor *rstdOut, const aclTensor *xOut, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnAddRmsNorm() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddRmsNorm(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_ADD_RMS_NORM_H */
