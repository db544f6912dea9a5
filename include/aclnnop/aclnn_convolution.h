/* SPDX-License-Identifier: MIT */
/*
 * DOC: Convolution
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnConvolution.
 */
#ifndef ACLNNOP_ACLNN_CONVOLUTION_H
#define ACLNNOP_ACLNN_CONVOLUTION_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnConvolutionGetWorkspaceSize() - prepares input convolved with weight, or its transposed form
 * @input: [N, C, W] or [N, C, H, W]
 * @weight: [outputs, C / groups, ..], transposed [C, outputs / groups, ..]
 * @bias: an addend for each channel of the output; may be NULL
 * @stride: see above
 * @padding: see above
 * @dilation: see above
 * @transposed: see above
 * @outputPadding: only used where transposed
 * @groups: see above
 * @output: result
 * @cubeMathType: how a cube unit may round; not used
 * @workspaceSize: out, bytes of device memory that the second phase needs: 0
 * @executor: out, for one call of aclnnConvolution(), which consumes it
 *
 * Context: any thread; never blocks.
 * Return: 0, 161001 when a required pointer is NULL, or 161002 for unsuitable shapes or types.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor *input,
	const aclTensor *weight, const aclTensor *bias, const aclIntArray *stride,
	const aclIntArray *padding, const aclIntArray *dilation, bool transposed,
	const aclIntArray *outputPadding, int64_t groups, aclTensor *output, int8_t cubeMathType,
	uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnConvolution() - enqueues the prepared operator on a stream
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
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolution(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_CONVOLUTION_H */
