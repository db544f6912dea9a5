// SPDX-License-Identifier: MIT
/**
 * DOC: kernels of the programs in programs.cpp
 */
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TILE = 64; /* floats */

/* Doubles @count floats of @in from float @from on into the same places of @out. */
static __aicore__ void double_floats(GM_ADDR in, GM_ADDR out, uint32_t from, uint32_t count)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 1> inputs;
	TQue<TPosition::VECOUT, 1> outputs;
	GlobalTensor<float> x, y;

	pipe.InitBuffer(inputs, 1, TILE * sizeof(float));
	pipe.InitBuffer(outputs, 1, TILE * sizeof(float));
	x.SetGlobalBuffer((__gm__ float *)in + from);
	y.SetGlobalBuffer((__gm__ float *)out + from);
	for (uint32_t at = GetBlockIdx() * TILE; at < count; at += GetBlockNum() * TILE) {
		LocalTensor<float> a = inputs.AllocTensor<float>();
		DataCopy(a, x[at], TILE);
		inputs.EnQue(a);
		a = inputs.DeQue<float>();
		LocalTensor<float> b = outputs.AllocTensor<float>();
		Muls(b, a, 2.0f, TILE);
		inputs.FreeTensor(a);
		outputs.EnQue(b);
		b = outputs.DeQue<float>();
		DataCopy(y[at], b, TILE);
		outputs.FreeTensor(b);
	}
}

extern "C" __global__ __aicore__ void double_part(GM_ADDR in, GM_ADDR out, uint32_t from,
						  uint32_t count)
{
	double_floats(in, out, from, count);
}

/* The numbers are in memory, which the kernel reads by a plain pointer. */
extern "C" __global__ __aicore__ void double_tiled(GM_ADDR tiling, GM_ADDR in, GM_ADDR out)
{
	const auto *numbers = (__gm__ const uint32_t *)tiling;

	double_floats(in, out, numbers[0], numbers[1]);
}

/* Writes into @work what it then reads. */
extern "C" __global__ __aicore__ void double_twice(GM_ADDR in, GM_ADDR work, GM_ADDR out,
						   uint32_t count)
{
	double_floats(in, work, 0, count);
	PipeBarrier<PIPE_ALL>();
	double_floats(work, out, 0, count);
}

/* Doubles @count floats of @in into each of the tensors that the table names. */
extern "C" __global__ __aicore__ void double_each(GM_ADDR in, GM_ADDR table, uint32_t tensors,
						  uint32_t count)
{
	GlobalTensor<uint64_t> entries;

	entries.SetGlobalBuffer((__gm__ uint64_t *)table, tensors);
	for (uint32_t i = 0; i < tensors; i++)
		double_floats(in, (GM_ADDR)entries.GetValue(i), 0, count);
}

/* Copies @count floats to a tensor that is said to have @declared of them. */
extern "C" __global__ __aicore__ void copy_declared(GM_ADDR in, GM_ADDR out, uint32_t declared,
						    uint32_t count)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	GlobalTensor<float> x, y;

	pipe.InitBuffer(queue, 1, count * sizeof(float));
	x.SetGlobalBuffer((__gm__ float *)in, count);
	y.SetGlobalBuffer((__gm__ float *)out, declared);
	LocalTensor<float> t = queue.AllocTensor<float>();
	DataCopy(t, x, count);
	queue.EnQue(t);
	t = queue.DeQue<float>();
	DataCopy(y, t, count);
	queue.FreeTensor(t);
}

/* Adds @count floats of @in to those of @out. */
static __aicore__ void add_floats(GM_ADDR in, GM_ADDR out, uint32_t count)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	GlobalTensor<float> x, y;

	pipe.InitBuffer(queue, 1, TILE * sizeof(float));
	x.SetGlobalBuffer((__gm__ float *)in);
	y.SetGlobalBuffer((__gm__ float *)out);
	SetAtomicAdd<float>();
	for (uint32_t at = 0; at < count; at += TILE) {
		LocalTensor<float> t = queue.AllocTensor<float>();
		DataCopy(t, x[at], TILE);
		queue.EnQue(t);
		t = queue.DeQue<float>();
		DataCopy(y[at], t, TILE);
		queue.FreeTensor(t);
	}
	SetAtomicNone();
}

extern "C" __global__ __aicore__ void add_to(GM_ADDR in, GM_ADDR out, uint32_t count)
{
	add_floats(in, out, count);
}

extern "C" __global__ __aicore__ void clear_and_add(GM_ADDR in, GM_ADDR out, uint32_t count)
{
	GlobalTensor<float> y;

	y.SetGlobalBuffer((__gm__ float *)out);
	for (uint32_t i = 0; i < count; i++)
		y.SetValue(i, 0.0f);
	PipeBarrier<PIPE_ALL>();
	add_floats(in, out, count);
}

/* Copies a column of @width floats of a matrix with @rows rows of @pitch floats. */
extern "C" __global__ __aicore__ void copy_column(GM_ADDR in, GM_ADDR out, uint32_t from,
						  uint32_t width, uint32_t rows, uint32_t pitch)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	GlobalTensor<float> x, y;

	pipe.InitBuffer(queue, 1, width * sizeof(float));
	x.SetGlobalBuffer((__gm__ float *)in + from);
	y.SetGlobalBuffer((__gm__ float *)out + from);
	for (uint32_t row = 0; row < rows; row++) {
		LocalTensor<float> t = queue.AllocTensor<float>();
		DataCopy(t, x[row * pitch], width);
		queue.EnQue(t);
		t = queue.DeQue<float>();
		DataCopy(y[row * pitch], t, width);
		queue.FreeTensor(t);
	}
}

/* Stores into 600 floats, of which no two have the same distance; others with another @parity. */
extern "C" __global__ __aicore__ void scatter(GM_ADDR out, uint32_t parity)
{
	GlobalTensor<float> y;

	y.SetGlobalBuffer((__gm__ float *)out);
	for (uint32_t i = 0; i < 600; i++)
		y.SetValue(i * i * 2 + parity, 1.0f);
}

int launch_declared(void *stream, void *in, void *out, uint32_t declared, uint32_t count)
{
	return copy_declared<<<1, nullptr, stream>>>(in, out, declared, count);
}

int launch_double(void *stream, void *in, void *out, uint32_t from, uint32_t count)
{
	return double_part<<<4, nullptr, stream>>>(in, out, from, count);
}
int launch_double_tiled(void *stream, void *tiling, void *in, void *out)
{
	return double_tiled<<<4, nullptr, stream>>>(tiling, in, out);
}
int launch_double_twice(void *stream, void *in, void *work, void *out, uint32_t count)
{
	return double_twice<<<1, nullptr, stream>>>(in, work, out, count);
}
int launch_add_to(void *stream, void *in, void *out, uint32_t count)
{
	return add_to<<<1, nullptr, stream>>>(in, out, count);
}
int launch_copy_column(void *stream, void *in, void *out, uint32_t from, uint32_t width,
		       uint32_t rows, uint32_t pitch)
{
	return copy_column<<<1, nullptr, stream>>>(in, out, from, width, rows, pitch);
}
int launch_double_each(void *stream, void *in, void *table, uint32_t tensors, uint32_t count)
{
	return double_each<<<1, nullptr, stream>>>(in, table, tensors, count);
}
int launch_clear_and_add(void *stream, void *in, void *out, uint32_t count)
{
	return clear_and_add<<<1, nullptr, stream>>>(in, out, count);
}
int launch_scatter(void *stream, void *out, uint32_t parity)
{
	return scatter<<<1, nullptr, stream>>>(out, parity);
}
