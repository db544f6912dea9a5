// SPDX-License-Identifier: MIT
/**
 * DOC: A kernel that is compiled for Ascend310P
 */
#include "kernel_operator.h"

#include "ub_limits.h"

static_assert(AscendC::TOTAL_UB_SIZE == 262144, "UB of Ascend310P");

extern "C" __global__ __aicore__ void use_ub_310p(GM_ADDR word, uint32_t bytes, uint32_t behind)
{
	use_all_of_ub(word, bytes, behind);
}

int launch_use_ub_310p(void *stream, void *word, uint32_t bytes, uint32_t behind)
{
	return use_ub_310p<<<1, nullptr, stream>>>(word, bytes, behind);
}
