// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels with a half for each kind of core
 *
 * The source is compiled once for each kind, and each kind runs its own half.
 */
#include "parts.h"

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

extern "C" __global__ __aicore__ void both_halves(GM_ADDR out)
{
	TPipe pipe;

#ifdef __DAV_C220_CUBE__
	multiply_nothing(pipe);
	((__gm__ float *)out)[GetBlockIdx()] = who();
#endif
#ifdef __DAV_C220_VEC__
	fill(pipe, out + 256 * (1 + GetBlockIdx()), who() + GetBlockIdx());
#endif
}

#ifdef __DAV_C220_CUBE__
extern "C" __global__ __aicore__ void cube_half(GM_ADDR out)
{
	TPipe pipe;

	multiply_nothing(pipe);
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
