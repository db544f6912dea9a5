// SPDX-License-Identifier: MIT
/**
 * DOC: z = z * factor + offset, launched by the generated header
 */
#include "kernel_operator.h"
#include "scale_custom_tiling.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void scale_custom(GM_ADDR z, ScaleCustomTilingData tiling)
{
	const uint32_t block = tiling.totalLength / GetBlockNum();
	const uint32_t tile = block / tiling.tileNum;
	TPipe pipe;
	TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue;
	GlobalTensor<float> zGm;

	zGm.SetGlobalBuffer((__gm__ float *)z + block * GetBlockIdx(), block);
	pipe.InitBuffer(queue, 2, tile * sizeof(float));
	for (uint32_t i = 0; i < tiling.tileNum; i++) {
		LocalTensor<float> t = queue.AllocTensor<float>();
		DataCopy(t, zGm[i * tile], tile);
		queue.EnQue<QuePosition::GM, QuePosition::VECIN, float>(t);
		t = queue.DeQue<QuePosition::GM, QuePosition::VECIN, float>();
		Muls(t, t, tiling.factor, tile);
		Adds(t, t, tiling.offset, tile);
		queue.EnQue<QuePosition::VECOUT, QuePosition::GM, float>(t);
		t = queue.DeQue<QuePosition::VECOUT, QuePosition::GM, float>();
		DataCopy(zGm[i * tile], t, tile);
		queue.FreeTensor(t);
	}
	if (GetBlockIdx() == 0)
		AscendC::printf("scaled %u tiles\n", tiling.tileNum);
}
