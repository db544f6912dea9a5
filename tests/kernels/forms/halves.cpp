// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels with a half for each kind of core
 *
 * The source is compiled once for each kind, and each kind runs its own half.
 */
#include "kernel_operator.h"

using namespace AscendC;

/* One name for two functions, as two binaries may have it. */
#ifdef __DAV_C220_CUBE__
inline __aicore__ float who()
{
	return 1.0f;
}
#else
inline __aicore__ float who()
{
	return 2.0f;
}
#endif

/* A product of nothing, so that the code needs a cube core. */
static __aicore__ inline void multiply_nothing()
{
	TPipe pipe;
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
static __aicore__ inline void fill(GM_ADDR out, float value)
{
	TPipe pipe;
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

extern "C" __global__ __aicore__ void both_halves(GM_ADDR out)
{
#ifdef __DAV_C220_CUBE__
	multiply_nothing();
	((__gm__ float *)out)[GetBlockIdx()] = who();
#endif
#ifdef __DAV_C220_VEC__
	fill(out + 256 * (1 + GetBlockIdx()), who() + GetBlockIdx());
#endif
}

#ifdef __DAV_C220_CUBE__
extern "C" __global__ __aicore__ void cube_half(GM_ADDR out)
{
	multiply_nothing();
	((__gm__ float *)out)[GetBlockIdx()] = who();
}
#else
extern "C" __global__ __aicore__ void cube_half(GM_ADDR) {}
#endif

/* Nothing needs a cube core, so the half for vector cores runs. */
template <int N> __global__ __aicore__ void no_cube(GM_ADDR out)
{
	((__gm__ float *)out)[GetBlockIdx()] = who() * N;
}

namespace {
/* A kernel that only this file can name, with the type of its cores. */
__global__ __aicore__ void declared(GM_ADDR out)
{
	KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
#ifdef __DAV_C220_CUBE__
	((__gm__ float *)out)[0] = who();
#else
	((__gm__ float *)out)[1] = who();
#endif
}
} // namespace

void launch_half(int which, void *stream, void *out)
{
	const GM_ADDR to = (GM_ADDR)out;

	switch (which) {
	case 0:
		both_halves<<<1, nullptr, stream>>>(to);
		break;
	case 1:
		cube_half<<<2, nullptr, stream>>>(to);
		break;
	case 2:
		no_cube<3><<<1, nullptr, stream>>>(to);
		break;
	default:
		declared<<<1, nullptr, stream>>>(to);
		break;
	}
}
