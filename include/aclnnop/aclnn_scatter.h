/* SPDX-License-Identifier: MIT */
/*
 * DOC: Scatter
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnScatter, aclnnInplaceScatter, aclnnScatterValue, aclnnInplaceScatterValue.
 */
#ifndef ACLNNOP_ACLNN_SCATTER_H
#define ACLNNOP_ACLNN_SCATTER_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnScatterGetWorkspaceSize() - prepares self, with src at the elements along dim that index names
 * @self: operand
 * @dim: see above
 * @index: INT32 or INT64, with as many dims as self; negative ones count from the end
 * @src: of the type of self; at least as large as index in each dim
 * @reduce: 0: the element is replaced, of equal indices by the last one; 1: src is added to it; 2: it is multiplied by
 *   src
 * @out: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnScatter(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor *self, int64_t dim,
	const aclTensor *index, const aclTensor *src, int64_t reduce, aclTensor *out,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnScatter() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnScatter(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnInplaceScatterGetWorkspaceSize() - prepares src at the elements of selfRef along dim that index names
 * @selfRef: operand, and the result
 * @dim: see above
 * @index: INT32 or INT64, with as many dims as selfRef; negative ones count from the end
 * @src: of the type of selfRef; at least as large as index in each dim
 * @reduce: 0: the element is replaced, of equal indices by the last one; 1: src is added to it; 2: it is multiplied by
 *   src
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnInplaceScatter(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceScatterGetWorkspaceSize(aclTensor *selfRef,
	int64_t dim, const aclTensor *index, const aclTensor *src, int64_t reduce,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnInplaceScatter() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceScatter(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnScatterValueGetWorkspaceSize() - prepares self, with value at the elements along dim that index names
 * @self: operand
 * @dim: see above
 * @index: INT32 or INT64, with as many dims as self; negative ones count from the end
 * @value: see above
 * @reduce: 0: the element is replaced; 1: value is added to it; 2: it is multiplied by value
 * @out: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnScatterValue(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor *self,
	int64_t dim, const aclTensor *index, const aclScalar *value, int64_t reduce,
	aclTensor *out, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnScatterValue() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnScatterValue(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

/**
 * aclnnInplaceScatterValueGetWorkspaceSize() - prepares value at the elements of selfRef along dim that index names
 * @selfRef: operand, and the result
 * @dim: see above
 * @index: INT32 or INT64, with as many dims as selfRef; negative ones count from the end
 * @value: see above
 * @reduce: 0: the element is replaced; 1: value is added to it; 2: it is multiplied by value
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnInplaceScatterValue(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceScatterValueGetWorkspaceSize(aclTensor *selfRef,
	int64_t dim, const aclTensor *index, const aclScalar *value, int64_t reduce,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnInplaceScatterValue() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnInplaceScatterValue(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_SCATTER_H */
