/* SPDX-License-Identifier: MIT */
/*
 * DOC: UpsampleNearest2d
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnUpsampleNearest2d.
 */
#ifndef ACLNNOP_ACLNN_UPSAMPLE_NEAREST_2D_H
#define ACLNNOP_ACLNN_UPSAMPLE_NEAREST_2D_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnUpsampleNearest2dGetWorkspaceSize() - prepares images of another size, by the nearest element
 * @self: images [N, C, H, W]
 * @outputSize: height and width of the result
 * @out: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnUpsampleNearest2d(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnUpsampleNearest2dGetWorkspaceSize(const aclTensor *self,
	const aclIntArray *outputSize, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnUpsampleNearest2d() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnUpsampleNearest2d(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_UPSAMPLE_NEAREST_2D_H */
