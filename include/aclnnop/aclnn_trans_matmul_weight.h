/* SPDX-License-Identifier: MIT */
/*
 * DOC: TransMatmulWeight
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnTransMatmulWeight.
 */
#ifndef ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H
#define ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_calculate_matmul_weight_size.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnTransMatmulWeightGetWorkspaceSize() - prepares mmWeightRef as it is: products read a weight of any format as it
 *   lies
 * @mmWeightRef: a weight of Mm or Matmul; it is not changed
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnTransMatmulWeight(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(aclTensor *mmWeightRef,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnTransMatmulWeight() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnTransMatmulWeight(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_TRANS_MATMUL_WEIGHT_H */
