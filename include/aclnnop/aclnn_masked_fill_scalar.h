/* SPDX-License-Identifier: MIT */
/*
 * DOC: MaskedFillScalar
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnInplaceMaskedFillScalar.
 */
#ifndef ACLNNOP_ACLNN_MASKED_FILL_SCALAR_H
#define ACLNNOP_ACLNN_MASKED_FILL_SCALAR_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnInplaceMaskedFillScalarGetWorkspaceSize() - prepares value in place of the elements of selfRef where mask is
 *   true
 * @selfRef: result
 * @mask: BOOL; broadcast to the shape of selfRef
 * @value: see above
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnInplaceMaskedFillScalar(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMaskedFillScalarGetWorkspaceSize(aclTensor *selfRef,
	const aclTensor *mask, const aclScalar *value, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnInplaceMaskedFillScalar() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceMaskedFillScalar(void *workspace,
	uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_MASKED_FILL_SCALAR_H */
