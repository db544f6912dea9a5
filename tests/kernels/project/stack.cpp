// SPDX-License-Identifier: MIT
/**
 * DOC: A kernel with an array on its stack. Its blocks wait for each other, so they change stacks while it is alive.
 */
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void write_stack(GM_ADDR out, int32_t at)
{
	int32_t values[8] = {};
	AscendC::SyncAll();
	values[at] = 5; // beyond the array where at is 8
	AscendC::SyncAll();
	AscendC::GlobalTensor<int32_t> to;
	to.SetGlobalBuffer((__gm__ int32_t *)out);
	to.SetValue(AscendC::GetBlockIdx(), values[at % 8]);
	ASSERT(at != 7);
}
