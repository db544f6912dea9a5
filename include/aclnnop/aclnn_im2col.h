/* SPDX-License-Identifier: MIT */
/*
 * DOC: Im2col
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnIm2col.
 */
#ifndef ACLNNOP_ACLNN_IM2COL_H
#define ACLNNOP_ACLNN_IM2COL_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnIm2colGetWorkspaceSize() - prepares the elements of self that a window covers, in a column for each position
 * @self: [C, H, W] or [N, C, H, W]
 * @kernelSize: see above
 * @dilation: see above
 * @padding: see above
 * @stride: see above
 * @out: result, [.., C * elements of the window, positions]
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnIm2col(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnIm2colGetWorkspaceSize(const aclTensor *self,
	const aclIntArray *kernelSize, const aclIntArray *dilation, const aclIntArray *padding,
	const aclIntArray *stride, const aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnIm2col() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnIm2col(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_IM2COL_H */
