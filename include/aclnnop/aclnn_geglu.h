/* SPDX-License-Identifier: MIT */
/*
 * DOC: GeGluV3
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnGeGluV3.
 */
#ifndef ACLNNOP_ACLNN_GEGLU_H
#define ACLNNOP_ACLNN_GEGLU_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnGeGluV3GetWorkspaceSize() - prepares gelu(one half of self along dim) * the other half
 * @self: operand
 * @dim: see above
 * @approximate: 0: gelu is exact; 1: by tanh
 * @activateLeft: gelu is taken of the first half, else of the second
 * @out: result
 * @outGelu: second result, gelu of that half
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnGeGluV3(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor *self, int64_t dim,
	int64_t approximate, bool activateLeft, aclTensor *out, aclTensor *outGelu,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnGeGluV3() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnGeGluV3(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_GEGLU_H */
