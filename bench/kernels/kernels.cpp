// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels that are measured
 *
 * unpu-ascendcc compiles them, with -O2.
 */
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void nothing() {}

constexpr int32_t BUFFERS = 2;
constexpr uint32_t LARGE = 4096, SMALL = 512; /* floats of a tile */

template <uint32_t TILE> class AddFloats {
public:
	__aicore__ inline void init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t elements)
	{
		const uint32_t share = elements / GetBlockNum();
		tiles_ = share / TILE;
		x_.SetGlobalBuffer((__gm__ float *)x + share * GetBlockIdx(), share);
		y_.SetGlobalBuffer((__gm__ float *)y + share * GetBlockIdx(), share);
		z_.SetGlobalBuffer((__gm__ float *)z + share * GetBlockIdx(), share);
		pipe_.InitBuffer(in_x_, BUFFERS, TILE * sizeof(float));
		pipe_.InitBuffer(in_y_, BUFFERS, TILE * sizeof(float));
		pipe_.InitBuffer(out_, BUFFERS, TILE * sizeof(float));
	}

	__aicore__ inline void run()
	{
		for (uint32_t i = 0; i < tiles_; i++) {
			copy_in(i);
			compute();
			copy_out(i);
		}
	}

private:
	__aicore__ inline void copy_in(uint32_t tile)
	{
		LocalTensor<float> x = in_x_.AllocTensor<float>();
		LocalTensor<float> y = in_y_.AllocTensor<float>();
		DataCopy(x, x_[tile * TILE], TILE);
		DataCopy(y, y_[tile * TILE], TILE);
		in_x_.EnQue(x);
		in_y_.EnQue(y);
	}

	__aicore__ inline void compute()
	{
		LocalTensor<float> x = in_x_.DeQue<float>();
		LocalTensor<float> y = in_y_.DeQue<float>();
		LocalTensor<float> z = out_.AllocTensor<float>();
		Add(z, x, y, TILE);
		out_.EnQue<float>(z);
		in_x_.FreeTensor(x);
		in_y_.FreeTensor(y);
	}

	__aicore__ inline void copy_out(uint32_t tile)
	{
		LocalTensor<float> z = out_.DeQue<float>();
		DataCopy(z_[tile * TILE], z, TILE);
		out_.FreeTensor(z);
	}

	TPipe pipe_;
	TQue<QuePosition::VECIN, BUFFERS> in_x_;
	TQue<QuePosition::VECIN, BUFFERS> in_y_;
	TQue<QuePosition::VECOUT, BUFFERS> out_;
	GlobalTensor<float> x_;
	GlobalTensor<float> y_;
	GlobalTensor<float> z_;
	uint32_t tiles_;
};

extern "C" __global__ __aicore__ void add_floats(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t elements)
{
	AddFloats<LARGE> add;
	add.init(x, y, z, elements);
	add.run();
}

extern "C" __global__ __aicore__ void add_tiles(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t elements)
{
	AddFloats<SMALL> add;
	add.init(x, y, z, elements);
	add.run();
}

/* Each element by the scalar unit, through three tensors of UB. */
extern "C" __global__ __aicore__ void add_elements(GM_ADDR x, GM_ADDR y, GM_ADDR z,
						   uint32_t elements)
{
	TPipe pipe;
	TBuf<> buffers[3];
	LocalTensor<float> local[3];
	GlobalTensor<float> global[3];

	for (uint32_t i = 0; i < 3; i++) {
		pipe.InitBuffer(buffers[i], LARGE * sizeof(float));
		local[i] = buffers[i].Get<float>();
	}
	global[0].SetGlobalBuffer((__gm__ float *)x, elements);
	global[1].SetGlobalBuffer((__gm__ float *)y, elements);
	global[2].SetGlobalBuffer((__gm__ float *)z, elements);
	for (uint32_t tile = 0; tile < elements; tile += LARGE) {
		for (uint32_t i = 0; i < LARGE; i++) {
			local[0].SetValue(i, global[0].GetValue(tile + i));
			local[1].SetValue(i, global[1].GetValue(tile + i));
		}
		for (uint32_t i = 0; i < LARGE; i++)
			local[2].SetValue(i, local[0].GetValue(i) + local[1].GetValue(i));
		for (uint32_t i = 0; i < LARGE; i++)
			global[2].SetValue(tile + i, local[2].GetValue(i));
	}
}

int launch_nothing(uint32_t blocks, void *stream)
{
	return nothing<<<blocks, nullptr, stream>>>();
}

int launch_tiles(uint32_t blocks, void *stream, void *x, void *y, void *z, uint32_t elements)
{
	return add_tiles<<<blocks, nullptr, stream>>>(x, y, z, elements);
}

int launch_loop(uint32_t blocks, void *stream, void *x, void *y, void *z, uint32_t elements)
{
	return add_elements<<<blocks, nullptr, stream>>>(x, y, z, elements);
}

int launch_add(uint32_t blocks, void *stream, void *x, void *y, void *z, uint32_t elements)
{
	return add_floats<<<blocks, nullptr, stream>>>(x, y, z, elements);
}
