/* SPDX-License-Identifier: MIT */
/*
 * DOC: TriangularSolve
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnTriangularSolve.
 */
#ifndef ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H
#define ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnTriangularSolveGetWorkspaceSize() - prepares X of A * X = self for the triangle of A
 * @self: [.., N, K]
 * @A: [.., N, N]
 * @upper: the triangle of A that is read: else the lower one
 * @transpose: A is transposed
 * @unitriangular: the diagonal of A counts as 1
 * @xOut: result
 * @mOut: second result, a copy of A
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnTriangularSolve(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor *self,
	const aclTensor *A, bool upper, bool transpose, bool unitriangular, aclTensor *xOut,
	aclTensor *mOut, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnTriangularSolve() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnTriangularSolve(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H */
