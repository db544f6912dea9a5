/* SPDX-License-Identifier: MIT */
/*
 * DOC: GroupNorm
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnGroupNorm.
 */
#ifndef ACLNNOP_ACLNN_GROUP_NORM_H
#define ACLNNOP_ACLNN_GROUP_NORM_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnGroupNormGetWorkspaceSize() - prepares (self - mean) / sqrt(variance + eps) * gamma + beta of each group of
 *   channels
 * @self: [N, C, ..]
 * @gamma: a factor for each channel; may be NULL
 * @beta: an addend for each channel; may be NULL
 * @N: see above
 * @C: see above
 * @HxW: product of the other dims
 * @group: into how many groups the channels are divided
 * @eps: added to the variance
 * @out: result
 * @meanOut: second result, [N, group]
 * @rstdOut: third result, 1 / the root, [N, group]
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnGroupNorm(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor *self,
	const aclTensor *gamma, const aclTensor *beta, int64_t N, int64_t C, int64_t HxW,
	int64_t group, double eps, aclTensor *out, aclTensor *meanOut, aclTensor *rstdOut,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnGroupNorm() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupNorm(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_GROUP_NORM_H */
