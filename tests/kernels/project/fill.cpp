// SPDX-License-Identifier: MIT
/**
 * DOC: A kernel that fills 32 bytes. Definitions give its name, the type, and the value.
 */
#include "kernel_operator.h"

using namespace AscendC;

static __aicore__ inline void fill(GM_ADDR out)
{
	constexpr uint32_t count = 32 / sizeof(DTYPE_X);
	TPipe pipe;
	TQue<QuePosition::VECOUT, 1> queue;
	GlobalTensor<DTYPE_X> to;
	to.SetGlobalBuffer((__gm__ DTYPE_X *)out, count);
	pipe.InitBuffer(queue, 1, 32);
	LocalTensor<DTYPE_X> tensor = queue.AllocTensor<DTYPE_X>();
	DTYPE_X value = DTYPE_X(VALUE);
	Duplicate(tensor, value, count);
	queue.EnQue(tensor);
	tensor = queue.DeQue<DTYPE_X>();
	DataCopy(to, tensor, count);
	queue.FreeTensor(tensor);
}

extern "C" __global__ __aicore__ void KERNEL(GM_ADDR out)
{
	fill(out);
}
