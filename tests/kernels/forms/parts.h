// SPDX-License-Identifier: MIT
/**
 * DOC: Parts of kernels
 *
 * What needs a cube core, and what needs a vector core.
 */
#pragma once

#include "kernel_operator.h"

/* A product of nothing, on short buffers. */
static __aicore__ inline void multiply_nothing(AscendC::TPipe &pipe)
{
	using namespace AscendC;
	TQue<QuePosition::A2, 1> a;
	TQue<QuePosition::B2, 1> b;
	TQue<QuePosition::CO1, 1> c;
	MmadParams nothing;

	pipe.InitBuffer(a, 1, 32);
	pipe.InitBuffer(b, 1, 32);
	pipe.InitBuffer(c, 1, 32);
	nothing.m = nothing.n = 0;
	Mmad(c.AllocTensor<float>(), a.AllocTensor<half>(), b.AllocTensor<half>(), nothing);
}

/* Fills 64 numbers by the vector unit. */
static __aicore__ inline void fill(AscendC::TPipe &pipe, GM_ADDR out, float value)
{
	using namespace AscendC;
	TQue<QuePosition::VECOUT, 1> queue;
	GlobalTensor<float> to;

	to.SetGlobalBuffer((__gm__ float *)out);
	pipe.InitBuffer(queue, 1, 256);
	LocalTensor<float> t = queue.AllocTensor<float>();
	Duplicate(t, value, 64);
	queue.EnQue(t);
	t = queue.DeQue<float>();
	DataCopy(to, t, 64);
	queue.FreeTensor(t);
}
