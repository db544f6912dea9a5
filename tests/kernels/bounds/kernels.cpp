// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels that go where they are told
 *
 * The test knows the lines by their marks.
 */
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t MOST = 1024;

/* from[from_at...] to to[to_at...]. @margin: floats that the tensor begins before @from. */
extern "C" __global__ __aicore__ void move_floats(GM_ADDR from, GM_ADDR to, uint64_t from_at,
						  uint64_t to_at, uint32_t count, uint32_t margin)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	GlobalTensor<float> x, y;

	pipe.InitBuffer(queue, 1, MOST * sizeof(float));
	x.SetGlobalBuffer((__gm__ float *)from - margin);
	y.SetGlobalBuffer((__gm__ float *)to);
	LocalTensor<float> t = queue.AllocTensor<float>();
	DataCopy(t, x[from_at + margin], count); /* reads */
	queue.EnQue(t);
	t = queue.DeQue<float>();
	DataCopy(y[to_at], t, count); /* writes */
	queue.FreeTensor(t);
}

/* As much of a tensor of @declared floats as @count says. */
extern "C" __global__ __aicore__ void fill_floats(GM_ADDR to, uint64_t declared, uint32_t count)
{
	TPipe pipe;
	TBuf<TPosition::VECCALC> buffer;
	GlobalTensor<float> y;

	pipe.InitBuffer(buffer, MOST * sizeof(float));
	y.SetGlobalBuffer((__gm__ float *)to, declared);
	LocalTensor<float> t = buffer.Get<float>();
	Duplicate(t, 1.0f, MOST);
	event_t filled = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_MTE3));
	SetFlag<HardEvent::V_MTE3>(filled);
	WaitFlag<HardEvent::V_MTE3>(filled);
	DataCopy(y, t, count);	     /* fills */
	y.SetValue(count - 1, 2.0f); /* sets */
}

/* to[0] = from[at], by the scalar unit. */
extern "C" __global__ __aicore__ void move_one(GM_ADDR from, GM_ADDR to, uint64_t at)
{
	GlobalTensor<float> x, y;

	x.SetGlobalBuffer((__gm__ float *)from);
	y.SetGlobalBuffer((__gm__ float *)to);
	y.SetValue(0, x.GetValue(at)); /* looks */
}

/* to[i] = the first float of the memory that the table's entry i names. Each block has a part of the table. */
extern "C" __global__ __aicore__ void gather(GM_ADDR table, GM_ADDR to, uint32_t count)
{
	GlobalTensor<uint64_t> entries;
	GlobalTensor<float> y;

	entries.SetGlobalBuffer((__gm__ uint64_t *)table, count);
	y.SetGlobalBuffer((__gm__ float *)to, count);
	for (uint32_t i = GetBlockIdx(); i < count; i += GetBlockNum()) {
		GlobalTensor<float> x;

		x.SetGlobalBuffer((__gm__ float *)entries.GetValue(i));
		y.SetValue(i, x.GetValue(0)); /* follows */
	}
}

int launch_move(void *stream, void *from, void *to, uint64_t from_at, uint64_t to_at,
		uint32_t count, uint32_t margin)
{
	return move_floats<<<1, nullptr, stream>>>(from, to, from_at, to_at, count, margin);
}
int launch_fill(void *stream, void *to, uint64_t declared, uint32_t count)
{
	return fill_floats<<<1, nullptr, stream>>>(to, declared, count);
}
int launch_move_one(void *stream, void *from, void *to, uint64_t at)
{
	return move_one<<<1, nullptr, stream>>>(from, to, at);
}
int launch_gather(uint32_t blocks, void *stream, void *table, void *to, uint32_t count)
{
	return gather<<<blocks, nullptr, stream>>>(table, to, count);
}
