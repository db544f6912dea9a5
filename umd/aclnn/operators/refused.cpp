// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points of operators that are not supported
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#include "aclnnop/aclnn_grouped_matmul_v3.h"
#include "aclnnop/aclnn_recurrent_gated_delta_rule.h"

#include "umd/aclnn/objects.h"

/* clang-format off */

using namespace umd;

aclnnStatus aclnnGroupedMatmulV3GetWorkspaceSize(const aclTensorList *, const aclTensorList *,
	const aclTensorList *, const aclTensorList *, const aclTensorList *, const aclTensorList *,
	const aclTensorList *, const aclTensor *, int64_t, int64_t, const aclTensorList *,
	uint64_t *, aclOpExecutor **)
{
	return refuse_unsupported("aclnnGroupedMatmulV3",
		"the device multiplies no groups of matrices; call aclnnMm for each group");
}

aclnnStatus aclnnGroupedMatmulV3(void *, uint64_t, aclOpExecutor *, aclrtStream)
{
	return refuse_unsupported("aclnnGroupedMatmulV3",
		"the device multiplies no groups of matrices; call aclnnMm for each group");
}

aclnnStatus aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(const aclTensor *, const aclTensor *,
	const aclTensor *, const aclTensor *, aclTensor *, const aclTensor *, const aclTensor *,
	const aclTensor *, const aclTensor *, const aclTensor *, float, aclTensor *, uint64_t *,
	aclOpExecutor **)
{
	return refuse_unsupported("aclnnRecurrentGatedDeltaRule",
		"the device has no linear attention; compute each step by aclnnExp, aclnnMul, aclnnBatchMatMul and aclnnAdd");
}

aclnnStatus aclnnRecurrentGatedDeltaRule(void *, uint64_t, aclOpExecutor *, aclrtStream)
{
	return refuse_unsupported("aclnnRecurrentGatedDeltaRule",
		"the device has no linear attention; compute each step by aclnnExp, aclnnMul, aclnnBatchMatMul and aclnnAdd");
}
