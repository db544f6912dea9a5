/* SPDX-License-Identifier: MIT */
/*
 * DOC: Addition
 *
 * Element-wise out = self + alpha * other, with broadcasting. The first phase checks the operands
 * and prepares the call; the second phase enqueues it on a stream.
 */
#ifndef ACLNNOP_ACLNN_ADD_H
#define ACLNNOP_ACLNN_ADD_H

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_adds.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnAddGetWorkspaceSize() - prepares out = self + alpha * other
 * @self: first operand
 * @other: second operand
 * @alpha: factor of @other
 * @out: result, of the broadcast shape
 * @workspaceSize: out, bytes of device memory the second phase needs
 * @executor: out, for one call of aclnnAdd(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self,
							 const aclTensor *other,
							 const aclScalar *alpha, aclTensor *out,
							 uint64_t *workspaceSize,
							 aclOpExecutor **executor);

/**
 * aclnnAdd() - enqueues the prepared operator on a stream
 * @workspace: device memory of @workspaceSize bytes that lives until the work is done; NULL for 0
 * @workspaceSize: the size that the first phase returned
 * @executor: the executor of the first phase; invalid afterwards unless it is repeatable
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. On a capturing stream the operator is recorded.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, 161001 when @executor is NULL, 161002 for an unsuitable workspace, or the runtime's
 * error.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAdd(void *workspace, uint64_t workspaceSize,
					 aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnInplaceAddGetWorkspaceSize() - prepares selfRef += alpha * other
 * @selfRef: first operand, and the result; not broadcast
 * @other: second operand
 * @alpha: factor of @other
 * @workspaceSize: out, bytes of device memory the second phase needs
 * @executor: out, for one call of aclnnInplaceAdd(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceAddGetWorkspaceSize(const aclTensor *selfRef,
								const aclTensor *other,
								const aclScalar *alpha,
								uint64_t *workspaceSize,
								aclOpExecutor **executor);

/**
 * aclnnInplaceAdd() - enqueues the prepared operator on a stream
 * @workspace: device memory of @workspaceSize bytes that lives until the work is done; NULL for 0
 * @workspaceSize: the size that the first phase returned
 * @executor: the executor of the first phase; invalid afterwards unless it is repeatable
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. On a capturing stream the operator is recorded.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, 161001 when @executor is NULL, 161002 for an unsuitable workspace, or the runtime's
 * error.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceAdd(void *workspace, uint64_t workspaceSize,
						aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_ADD_H */
