/* SPDX-License-Identifier: MIT */
/*
 * DOC: Triu
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnTriu, aclnnInplaceTriu.
 */
#ifndef ACLNNOP_ACLNN_TRIU_H
#define ACLNNOP_ACLNN_TRIU_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnTriuGetWorkspaceSize() - prepares the matrices of the last two dims, with 0 below the diagonal
 * @self: operand
 * @diagonal: see above
 * @out: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnTriu(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor *self, int64_t diagonal,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnTriu() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnTriu(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnInplaceTriuGetWorkspaceSize() - prepares the matrices of the last two dims, with 0 below the diagonal
 * @selfRef: operand, and the result
 * @diagonal: see above
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnInplaceTriu(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor *selfRef,
	int64_t diagonal, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnInplaceTriu() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceTriu(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_TRIU_H */
