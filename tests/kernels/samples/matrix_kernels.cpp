// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels of matrices: a product whose tiling lies in global memory, and products of a vector with one of several
 * matrices.
 */
#include "sample.h"

#include <cstring>

using namespace AscendC;
using namespace kernel_test;

extern "C" __global__ __aicore__ void matmul_kernel(GM_ADDR a, GM_ADDR b, GM_ADDR c,
						    GM_ADDR workspace, GM_ADDR tiling_gm)
{
	using Operand = MatmulType<TPosition::GM, CubeFormat::ND, half>;
	using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;
	TCubeTiling tiling;
	__gm__ uint32_t *words = (__gm__ uint32_t *)tiling_gm;

	for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); i++)
		((uint32_t *)&tiling)[i] = words[i];
	if (GetBlockIdx() >= tiling.usedCoreNum)
		return;
	TPipe pipe;
	Matmul<Operand, Operand, Result> product;
	GlobalTensor<half> a_gm, b_gm;
	GlobalTensor<float> c_gm;
	const int32_t row = int32_t(GetBlockIdx()) * tiling.singleCoreM;

	SetSysWorkspace(workspace);
	REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
	a_gm.SetGlobalBuffer((__gm__ half *)a + int64_t(row) * tiling.Ka);
	b_gm.SetGlobalBuffer((__gm__ half *)b);
	c_gm.SetGlobalBuffer((__gm__ float *)c + int64_t(row) * tiling.N);
	product.SetTensorA(a_gm);
	product.SetTensorB(b_gm);
	product.SetTail(tiling.M - row < tiling.singleCoreM ? tiling.M - row : tiling.singleCoreM,
			tiling.N, tiling.Ka);
	product.IterateAll(c_gm);
	product.End();
}

/* y[block][r] = scale * sum of x[block][i] * W[index[block]][r][i]; an index below 0 leaves the row alone. */
extern "C" __global__ __aicore__ void bgmv_kernel(GM_ADDR x, GM_ADDR weights, GM_ADDR index_gm,
						  GM_ADDR y, uint32_t width, uint32_t rank,
						  float scale)
{
	const int64_t index = ((__gm__ int64_t *)index_gm)[GetBlockIdx()];
	TPipe pipe;
	TQue<TPosition::VECIN, 1> x_queue;
	TQue<TPosition::VECIN, 2> w_queue;
	TQue<TPosition::VECOUT, 1> y_queue;
	TBuf<> scratch;
	GlobalTensor<half> x_gm, w_gm;
	GlobalTensor<float> y_gm;

	if (index < 0)
		return;
	x_gm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * width, width);
	w_gm.SetGlobalBuffer((__gm__ half *)weights + index * rank * width);
	y_gm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * rank, rank);
	pipe.InitBuffer(x_queue, 1, width * sizeof(half));
	pipe.InitBuffer(w_queue, 2, width * sizeof(half));
	pipe.InitBuffer(y_queue, 1, rank * sizeof(float));
	pipe.InitBuffer(scratch, 3 * width * sizeof(float));
	LocalTensor<half> x_local = x_queue.AllocTensor<half>();

	DataCopy(x_local, x_gm, width);
	x_queue.EnQue(x_local);
	x_local = x_queue.DeQue<half>();
	LocalTensor<float> vector = scratch.Get<float>(), row = vector[width],
			   sums = vector[2 * width];
	LocalTensor<float> y_local = y_queue.AllocTensor<float>();

	Cast(vector, x_local, RoundMode::CAST_NONE, width);
	x_queue.FreeTensor(x_local);
	for (uint32_t r = 0; r < rank; r++) {
		LocalTensor<half> w = w_queue.AllocTensor<half>();

		DataCopy(w, w_gm[uint64_t(r) * width], width);
		w_queue.EnQue(w);
		w = w_queue.DeQue<half>();
		Cast(row, w, RoundMode::CAST_NONE, 64, uint8_t(width / 64), {1, 1, 8, 4});
		w_queue.FreeTensor(w);
		Mul(row, row, vector, 64, uint8_t(width / 64), {1, 1, 1, 8, 8, 8});
		/* The repeats are added in place, then the elements of the last. */
		Duplicate(sums, 0.0f, 64);
		Add(sums, sums, row, 64, uint8_t(width / 64), {1, 1, 1, 0, 0, 8});
		BlockReduceSum<float>(sums, sums, 1, 64, 1, 1, 8);
		BlockReduceSum<float>(sums, sums, 1, 8, 1, 1, 8);
		y_local.SetValue(r, sums.GetValue(0) * scale);
	}
	y_queue.EnQue(y_local);
	y_local = y_queue.DeQue<float>();
	DataCopyPad(y_gm, y_local, {1, uint32_t(rank * sizeof(float)), 0, 0, 0});
	y_queue.FreeTensor(y_local);
}

TEST(KernelSample, Matmul)
{
	constexpr int M = 50, N = 64, K = 96;
	Sample sample;
	half *a = sample.make(random_values<half>(M * K, 1, -2, 2)),
	     *b = sample.make(random_values<half>(K * N, 2, -2, 2));
	float *c = sample.zeros<float>(M * N);
	std::vector<TCubeTiling> tiling(1);

	tiling[0].usedCoreNum = 3;
	tiling[0].M = M;
	tiling[0].N = tiling[0].singleCoreN = N;
	tiling[0].Ka = tiling[0].Kb = tiling[0].singleCoreK = K;
	tiling[0].singleCoreM = 17;
	tiling[0].baseM = 16;
	tiling[0].baseN = 32;
	TCubeTiling *tiling_gm = sample.make(tiling);

	sample.host().type = KERNEL_TYPE_MIX_AIC_1_2;
	sample.launch(2, [&] { matmul_kernel(gm(a), gm(b), gm(c), gm(c), gm(tiling_gm)); });
	for (int i = 0; i < M * N; i++) {
		double sum = 0;

		for (int k = 0; k < K; k++)
			sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
		ASSERT_NEAR(c[i], sum, 1e-3);
	}
}

TEST(KernelSample, Bgmv)
{
	Sample sample;
	half *x = sample.make(random_values<half>(3 * 128, 1, -2, 2)),
	     *w = sample.make(random_values<half>(2 * 5 * 128, 2, -2, 2));
	int64_t *index = sample.make<int64_t>({1, -1, 0});
	float *y = sample.zeros<float>(3 * 5);

	sample.launch(3, [&] { bgmv_kernel(gm(x), gm(w), gm(index), gm(y), 128, 5, 0.5f); });
	for (int i = 0; i < 15; i++) {
		double sum = 0;

		for (int k = 0; k < 128 && index[i / 5] >= 0; k++)
			sum += double(float(x[i / 5 * 128 + k])) *
			       double(float(w[(index[i / 5] * 5 + i % 5) * 128 + k]));
		ASSERT_NEAR(y[i], 0.5 * sum, 1e-3) << i;
	}
}
