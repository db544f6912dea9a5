/* SPDX-License-Identifier: MIT */
/*
 * DOC: RotaryPositionEmbedding
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnRotaryPositionEmbedding.
 */
#ifndef ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_H
#define ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnRotaryPositionEmbeddingGetWorkspaceSize() - prepares x * cos + turned x * sin
 * @x: operand
 * @cos: broadcast to the shape of x
 * @sin: broadcast to the shape of x
 * @mode: 0: the halves of the last dim are turned, 1: its pairs
 * @yOut: result
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnRotaryPositionEmbedding(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnRotaryPositionEmbeddingGetWorkspaceSize(const aclTensor *x,
	const aclTensor *cos, const aclTensor *sin, int64_t mode, const aclTensor *yOut,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnRotaryPositionEmbedding() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnRotaryPositionEmbedding(void *workspace,
	uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_H */
