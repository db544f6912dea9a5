// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels that say nothing of their cores
 *
 * Which cores they need follows from what they call.
 */
#include "parts.h"
#define ASCENDC_CUBE_ONLY
#include "lib/matmul_intf.h"

using namespace AscendC;
using namespace matmul;

typedef MatmulType<TPosition::GM, CubeFormat::ND, half> Halves;
typedef MatmulType<TPosition::GM, CubeFormat::ND, float> Floats;

static __aicore__ inline void read_tiling(TCubeTiling *tiling, GM_ADDR from)
{
	for (uint32_t i = 0; i < sizeof(*tiling) / 4; i++)
		((int32_t *)tiling)[i] = ((__gm__ int32_t *)from)[i];
}

/* c = a * b by an object that has its tiling. */
template <class Product>
static __aicore__ inline void multiply(Product &product, GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
	GlobalTensor<half> x, y;
	GlobalTensor<float> z;

	x.SetGlobalBuffer((__gm__ half *)a);
	y.SetGlobalBuffer((__gm__ half *)b);
	z.SetGlobalBuffer((__gm__ float *)c);
	product.SetTensorA(x);
	product.SetTensorB(y);
	product.IterateAll(z);
}

/* A product by the object of the cube unit, without REGIST_MATMUL_OBJ. */
extern "C" __global__ __aicore__ void by_object(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR t)
{
	if (g_coreType == AIV)
		return;
	TPipe pipe;
	TCubeTiling tiling;
	MatmulImpl<Halves, Halves, Floats, Floats> product;

	read_tiling(&tiling, t);
	product.SetSubBlockIdx(0);
	product.Init(&tiling, &pipe);
	multiply(product, a, b, c);
}

/* The same with it, and ASCENDC_CUBE_ONLY defined behind kernel_operator.h: a vector instance would write as well. */
extern "C" __global__ __aicore__ void registered(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR t)
{
	TPipe pipe;
	TCubeTiling tiling;
	Matmul<Halves, Halves, Floats, Floats> product;

	read_tiling(&tiling, t);
	REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
	if (g_coreType == AIC)
		multiply(product, a, b, c);
}

/* A part for cube cores, with a product of nothing on short buffers, and one for vector cores. */
extern "C" __global__ __aicore__ void by_hand(GM_ADDR out)
{
	TPipe pipe;

	if ASCEND_IS_AIC
		multiply_nothing(pipe);
	if ASCEND_IS_AIV
		fill(pipe, out + 256 * GetBlockIdx(), 1.0f + GetBlockIdx());
}

/* Vector code that asks for the ratio, beside a kernel that is a mix: it is one, too. */
extern "C" __global__ __aicore__ void beside(GM_ADDR out)
{
	if ASCEND_IS_AIV {
		TPipe pipe;

		fill(pipe, out + 256 * GetBlockIdx(), float(10 * GetTaskRatio() + GetBlockIdx()));
	}
}

void launch_product(bool is_registered, void *stream, void *a, void *b, void *c, void *tiling)
{
	if (is_registered)
		registered<<<1, nullptr, stream>>>((GM_ADDR)a, (GM_ADDR)b, (GM_ADDR)c,
						   (GM_ADDR)tiling);
	else
		by_object<<<1, nullptr, stream>>>((GM_ADDR)a, (GM_ADDR)b, (GM_ADDR)c,
						  (GM_ADDR)tiling);
}

void launch_by_hand(void *stream, void *out)
{
	by_hand<<<2, nullptr, stream>>>((GM_ADDR)out);
}

void launch_beside(void *stream, void *out)
{
	beside<<<1, nullptr, stream>>>((GM_ADDR)out);
}
