/* SPDX-License-Identifier: MIT */
/*
 * DOC: WeightQuantBatchMatmulV2
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnWeightQuantBatchMatmulV2.
 */
#ifndef ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V2_H
#define ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V2_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnWeightQuantBatchMatmulV2GetWorkspaceSize() - prepares x * ((weight + offset) * scale) + bias
 * @x: [M, K]
 * @weight: [K, N], INT8 or INT4
 * @antiquantScale: [N], or [groups, N]
 * @antiquantOffsetOptional: of the same shape, added to the weight before; may be NULL
 * @quantScaleOptional: must be NULL
 * @quantOffsetOptional: must be NULL
 * @biasOptional: [N], added to the product; may be NULL
 * @antiquantGroupSize: rows of the weight that have one scale; 0: all
 * @y: result, [M, N]
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnWeightQuantBatchMatmulV2(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(const aclTensor *x,
	const aclTensor *weight, const aclTensor *antiquantScale,
	const aclTensor *antiquantOffsetOptional, const aclTensor *quantScaleOptional,
	const aclTensor *quantOffsetOptional, const aclTensor *biasOptional,
	int antiquantGroupSize, const aclTensor *y, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * aclnnWeightQuantBatchMatmulV2() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnWeightQuantBatchMatmulV2(void *workspace,
	uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_WEIGHT_QUANT_BATCH_MATMUL_V2_H */
