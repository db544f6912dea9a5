// SPDX-License-Identifier: MIT
/**
 * DOC: z = x + y, launched by a function of this file
 */
#include "kernel_operator.h"

constexpr int32_t TOTAL_LENGTH = 8 * 2048;
constexpr int32_t USE_CORE_NUM = 8;
constexpr int32_t BLOCK_LENGTH = TOTAL_LENGTH / USE_CORE_NUM;
constexpr int32_t TILE_NUM = 8;
constexpr int32_t BUFFER_NUM = 2;
constexpr int32_t TILE_LENGTH = BLOCK_LENGTH / TILE_NUM / BUFFER_NUM;

class KernelSum {
public:
	__aicore__ inline KernelSum() {}
	__aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z)
	{
		xGm.SetGlobalBuffer((__gm__ float *)x + BLOCK_LENGTH * AscendC::GetBlockIdx(),
				    BLOCK_LENGTH);
		yGm.SetGlobalBuffer((__gm__ float *)y + BLOCK_LENGTH * AscendC::GetBlockIdx(),
				    BLOCK_LENGTH);
		zGm.SetGlobalBuffer((__gm__ float *)z + BLOCK_LENGTH * AscendC::GetBlockIdx(),
				    BLOCK_LENGTH);
		pipe.InitBuffer(inQueueX, BUFFER_NUM, TILE_LENGTH * sizeof(float));
		pipe.InitBuffer(inQueueY, BUFFER_NUM, TILE_LENGTH * sizeof(float));
		pipe.InitBuffer(outQueueZ, BUFFER_NUM, TILE_LENGTH * sizeof(float));
	}
	__aicore__ inline void Process()
	{
		for (int32_t i = 0; i < TILE_NUM * BUFFER_NUM; i++) {
			CopyIn(i);
			Compute();
			CopyOut(i);
		}
	}

private:
	__aicore__ inline void CopyIn(int32_t progress)
	{
		AscendC::LocalTensor<float> x = inQueueX.AllocTensor<float>();
		AscendC::LocalTensor<float> y = inQueueY.AllocTensor<float>();
		AscendC::DataCopy(x, xGm[progress * TILE_LENGTH], TILE_LENGTH);
		AscendC::DataCopy(y, yGm[progress * TILE_LENGTH], TILE_LENGTH);
		inQueueX.EnQue(x);
		inQueueY.EnQue(y);
	}
	__aicore__ inline void Compute()
	{
		AscendC::LocalTensor<float> x = inQueueX.DeQue<float>();
		AscendC::LocalTensor<float> y = inQueueY.DeQue<float>();
		AscendC::LocalTensor<float> z = outQueueZ.AllocTensor<float>();
		AscendC::Add(z, x, y, TILE_LENGTH);
		outQueueZ.EnQue<float>(z);
		inQueueX.FreeTensor(x);
		inQueueY.FreeTensor(y);
	}
	__aicore__ inline void CopyOut(int32_t progress)
	{
		AscendC::LocalTensor<float> z = outQueueZ.DeQue<float>();
		AscendC::DataCopy(zGm[progress * TILE_LENGTH], z, TILE_LENGTH);
		outQueueZ.FreeTensor(z);
	}

	AscendC::TPipe pipe;
	AscendC::TQue<AscendC::QuePosition::VECIN, BUFFER_NUM> inQueueX, inQueueY;
	AscendC::TQue<AscendC::QuePosition::VECOUT, BUFFER_NUM> outQueueZ;
	AscendC::GlobalTensor<float> xGm, yGm, zGm;
};

extern "C" __global__ __aicore__ void sum_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
	KernelSum op;
	op.Init(x, y, z);
	op.Process();
}

#ifndef __CCE_KT_TEST__
void sum_custom_do(uint32_t blockDim, void *l2ctrl, void *stream, uint8_t *x, uint8_t *y,
		   uint8_t *z)
{
	sum_custom<<<blockDim, l2ctrl, stream>>>(x, y, z);
}
#endif
