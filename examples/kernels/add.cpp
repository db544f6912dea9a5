// SPDX-License-Identifier: MIT
/**
 * DOC: z = x + y
 *
 * Each block adds its share in tiles. Queues with two buffers let copies of one tile run beside the sum of another one.
 */
#include "kernel_operator.h"

#include "add_tiling.h"

using namespace AscendC;

constexpr int32_t BUFFERS = 2;

class Add2 {
public:
	__aicore__ inline void init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AddTiling &tiling)
	{
		const uint32_t share = tiling.elements / GetBlockNum();
		tiles_ = tiling.tiles;
		length_ = share / tiles_;
		x_.SetGlobalBuffer((__gm__ half *)x + share * GetBlockIdx(), share);
		y_.SetGlobalBuffer((__gm__ half *)y + share * GetBlockIdx(), share);
		z_.SetGlobalBuffer((__gm__ half *)z + share * GetBlockIdx(), share);
		pipe_.InitBuffer(in_x_, BUFFERS, length_ * sizeof(half));
		pipe_.InitBuffer(in_y_, BUFFERS, length_ * sizeof(half));
		pipe_.InitBuffer(out_, BUFFERS, length_ * sizeof(half));
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
		LocalTensor<half> x = in_x_.AllocTensor<half>();
		LocalTensor<half> y = in_y_.AllocTensor<half>();
		DataCopy(x, x_[tile * length_], length_);
		DataCopy(y, y_[tile * length_], length_);
		in_x_.EnQue(x);
		in_y_.EnQue(y);
	}

	__aicore__ inline void compute()
	{
		LocalTensor<half> x = in_x_.DeQue<half>();
		LocalTensor<half> y = in_y_.DeQue<half>();
		LocalTensor<half> z = out_.AllocTensor<half>();
		Add(z, x, y, length_);
		out_.EnQue<half>(z);
		in_x_.FreeTensor(x);
		in_y_.FreeTensor(y);
	}

	__aicore__ inline void copy_out(uint32_t tile)
	{
		LocalTensor<half> z = out_.DeQue<half>();
		DataCopy(z_[tile * length_], z, length_);
		out_.FreeTensor(z);
	}

	TPipe pipe_;
	TQue<QuePosition::VECIN, BUFFERS> in_x_;
	TQue<QuePosition::VECIN, BUFFERS> in_y_;
	TQue<QuePosition::VECOUT, BUFFERS> out_;
	GlobalTensor<half> x_;
	GlobalTensor<half> y_;
	GlobalTensor<half> z_;
	uint32_t tiles_;
	uint32_t length_;
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddTiling tiling)
{
	Add2 add;
	add.init(x, y, z, tiling);
	add.run();
}
