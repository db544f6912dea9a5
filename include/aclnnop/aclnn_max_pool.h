/* SPDX-License-Identifier: MIT */
/*
 * DOC: MaxPool
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnMaxPool.
 */
#ifndef ACLNNOP_ACLNN_MAX_POOL_H
#define ACLNNOP_ACLNN_MAX_POOL_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnMaxPoolGetWorkspaceSize() - prepares the greatest element of each window of self
 * @self: [C, H, W] or [N, C, H, W]
 * @kernelShape: see above
 * @strides: none: kernelShape
 * @autoPad: must be 0
 * @pads: top, left, bottom and right; none: 0
 * @dilations: none: 1
 * @ceilMode: not 0: the last window may end behind the padding
 * @out: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnMaxPool(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaxPoolGetWorkspaceSize(const aclTensor *self,
	const aclIntArray *kernelShape, const aclIntArray *strides, int64_t autoPad,
	const aclIntArray *pads, const aclIntArray *dilations, int64_t ceilMode, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnMaxPool() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnMaxPool(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_MAX_POOL_H */
