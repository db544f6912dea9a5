/* SPDX-License-Identifier: MIT */
/*
 * DOC: AvgPool2d
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnAvgPool2d.
 */
#ifndef ACLNNOP_ACLNN_AVGPOOL2D_H
#define ACLNNOP_ACLNN_AVGPOOL2D_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnAvgPool2dGetWorkspaceSize() - prepares the mean of each window of self
 * @self: [C, H, W] or [N, C, H, W]
 * @kernelSize: see above
 * @strides: none: kernelSize
 * @paddings: see above
 * @ceilMode: the last window may end behind the padding
 * @countIncludePad: padding counts in the divisor
 * @divisorOverride: the divisor; 0: the number of elements
 * @cubeMathType: how a cube unit may round; not used
 * @out: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnAvgPool2d(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor *self,
	const aclIntArray *kernelSize, const aclIntArray *strides, const aclIntArray *paddings,
	bool ceilMode, bool countIncludePad, int64_t divisorOverride, int8_t cubeMathType,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnAvgPool2d() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnAvgPool2d(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_AVGPOOL2D_H */
