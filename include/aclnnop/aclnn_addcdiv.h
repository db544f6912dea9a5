/* SPDX-License-Identifier: MIT */
/*
 * DOC: Addcdiv
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnAddcdiv, aclnnInplaceAddcdiv.
 */
#ifndef ACLNNOP_ACLNN_ADDCDIV_H
#define ACLNNOP_ACLNN_ADDCDIV_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnAddcdivGetWorkspaceSize() - prepares self + value * (tensor1 / tensor2)
 * @self: operand
 * @tensor1: operand
 * @tensor2: operand
 * @value: see above
 * @out: result, of the shape of the operands when they are broadcast
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnAddcdiv(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddcdivGetWorkspaceSize(const aclTensor *self,
	const aclTensor *tensor1, const aclTensor *tensor2, const aclScalar *value,
	const aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnAddcdiv() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnAddcdiv(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnInplaceAddcdivGetWorkspaceSize() - prepares selfRef + value * (tensor1 / tensor2)
 * @selfRef: operand, and the result; not broadcast
 * @tensor1: operand
 * @tensor2: operand
 * @value: see above
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnInplaceAddcdiv(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceAddcdivGetWorkspaceSize(const aclTensor *selfRef,
	const aclTensor *tensor1, const aclTensor *tensor2, const aclScalar *value,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnInplaceAddcdiv() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceAddcdiv(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_ADDCDIV_H */
