/* SPDX-License-Identifier: MIT */
/*
 * DOC: GroupedMatmulV3
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 * Functions: aclnnGroupedMatmulV3, the products of groups of matrices. Not supported.
 */
#ifndef ACLNNOP_ACLNN_GROUPED_MATMUL_V3_H
#define ACLNNOP_ACLNN_GROUPED_MATMUL_V3_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * aclnnGroupedMatmulV3GetWorkspaceSize() - is not supported: the device multiplies no groups of matrices; call aclnnMm
 *   for each group
 * @x: not used
 * @weight: not used
 * @biasOptional: not used
 * @scaleOptional: not used
 * @offsetOptional: not used
 * @antiquantScaleOptional: not used
 * @antiquantOffsetOptional: not used
 * @groupListOptional: not used
 * @splitItem: not used
 * @groupType: not used
 * @y: not used
 * @workspaceSize: not used
 * @executor: not used
 *
 * Context: any thread; never blocks.
 * Return: 207000, always.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupedMatmulV3GetWorkspaceSize(const aclTensorList *x,
	const aclTensorList *weight, const aclTensorList *biasOptional,
	const aclTensorList *scaleOptional, const aclTensorList *offsetOptional,
	const aclTensorList *antiquantScaleOptional, const aclTensorList *antiquantOffsetOptional,
	const aclTensor *groupListOptional, int64_t splitItem, int64_t groupType,
	const aclTensorList *y, uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * aclnnGroupedMatmulV3() - is not supported: the first phase has no executor for it
 * @workspace: not used
 * @workspaceSize: not used
 * @executor: not used
 * @stream: not used
 *
 * Context: any thread; never blocks.
 * Return: 207000, always.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnGroupedMatmulV3(void *workspace, uint64_t workspaceSize,
	aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_ACLNN_GROUPED_MATMUL_V3_H */
