/* SPDX-License-Identifier: MIT */
/*
 * DOC: Multiplication
 *
 * Element-wise out = self * other, with broadcasting. The first phase checks the operands
 * and prepares the call; the second phase enqueues it on a stream.
 */
#ifndef ACLNNOP_ACLNN_MUL_H
#define ACLNNOP_ACLNN_MUL_H

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_muls.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnMulGetWorkspaceSize() - prepares out = self * other
 * @self: first operand
 * @other: second operand
 * @out: result, of the broadcast shape
 * @workspaceSize: out, bytes of device memory the second phase needs
 * @executor: out, for one call of aclnnMul(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnMulGetWorkspaceSize(const aclTensor *self,
							 const aclTensor *other, aclTensor *out,
							 uint64_t *workspaceSize,
							 aclOpExecutor **executor);

/**
 * aclnnMul() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnMul(void *workspace, uint64_t workspaceSize,
					 aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnInplaceMulGetWorkspaceSize() - prepares selfRef *= other
 * @selfRef: first operand, and the result; not broadcast
 * @other: second operand
 * @workspaceSize: out, bytes of device memory the second phase needs
 * @executor: out, for one call of aclnnInplaceMul(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMulGetWorkspaceSize(aclTensor *selfRef,
								const aclTensor *other,
								uint64_t *workspaceSize,
								aclOpExecutor **executor);

/**
 * aclnnInplaceMul() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMul(void *workspace, uint64_t workspaceSize,
						aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_MUL_H */
