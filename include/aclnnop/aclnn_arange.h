/* SPDX-License-Identifier: MIT */
/*
 * DOC: Arange
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnArange.
 */
#ifndef ACLNNOP_ACLNN_ARANGE_H
#define ACLNNOP_ACLNN_ARANGE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnArangeGetWorkspaceSize() - prepares start, start + step, start + 2 * step and so on, up to end
 * @start: first number
 * @end: limit, which is not reached
 * @step: see above
 * @out: result, of any shape with that many elements
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnArange(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnArangeGetWorkspaceSize(const aclScalar *start,
	const aclScalar *end, const aclScalar *step, aclTensor *out, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnArange() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnArange(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_ARANGE_H */
