// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels that move rows by an index: row gather, paged cache; and a quantisation in blocks of 32.
 */
#include "sample.h"

using namespace AscendC;
using namespace kernel_test;

/* Row @i of the output is row indices[i] of the input; shapes lie in global memory. */
extern "C" __global__ __aicore__ void row_gather_kernel(GM_ADDR input, GM_ADDR indices,
							GM_ADDR output, GM_ADDR shape_gm)
{
	__gm__ int64_t *shape = (__gm__ int64_t *)shape_gm;
	const uint32_t width = uint32_t(shape[0]);
	const int64_t rows = shape[1];
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
	GlobalTensor<half> in, out;
	GlobalTensor<int32_t> index;

	in.SetGlobalBuffer((__gm__ half *)input);
	out.SetGlobalBuffer((__gm__ half *)output);
	index.SetGlobalBuffer((__gm__ int32_t *)indices, uint64_t(rows));
	pipe.InitBuffer(queue, 2, width * sizeof(half));
	for (int64_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
		const uint64_t from = uint64_t(index.GetValue(uint64_t(row))) * width;
		LocalTensor<half> local = queue.AllocTensor<half>();

		DataCopyPad(local, in[from], {1, width * sizeof(half), 0, 0, 0}, {false, 0, 0, 0});
		queue.EnQue(local);
		local = queue.DeQue<half>();
		DataCopyPad(out[uint64_t(row) * width], local, {1, width * sizeof(half), 0, 0, 0});
		queue.FreeTensor(local);
	}
}

/* Token @i goes to slot slots[i] of a cache of pages; a negative slot means none. */
template <typename T>
__aicore__ inline void copy_to_pages(GM_ADDR tokens, GM_ADDR cache, GM_ADDR slots, uint32_t count,
				     uint32_t page, uint32_t width, ptrdiff_t page_stride)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	GlobalTensor<T> from, to;

	from.SetGlobalBuffer((__gm__ T *)tokens);
	to.SetGlobalBuffer((__gm__ T *)cache);
	pipe.InitBuffer(queue, 1, width * sizeof(T));
	for (uint32_t i = uint32_t(GetBlockIdx()); i < count; i += uint32_t(GetBlockNum())) {
		const int64_t slot = ((__gm__ int64_t *)slots)[i];

		if (slot < 0)
			continue;
		LocalTensor<T> local = queue.template AllocTensor<T>();

		DataCopy(local, from[uint64_t(i) * width], width);
		queue.EnQue(local);
		local = queue.template DeQue<T>();
		DataCopy(to[uint64_t(slot / page * page_stride + slot % page * width)], local,
			 width);
		queue.FreeTensor(local);
	}
}

#define PAGED_COPY(NAME, TYPE) \
	extern "C" __global__ __aicore__ void paged_copy_##NAME( \
		GM_ADDR tokens, GM_ADDR cache, GM_ADDR slots, uint32_t count, uint32_t page, \
		uint32_t width, ptrdiff_t page_stride) \
	{ \
		copy_to_pages<TYPE>(tokens, cache, slots, count, page, width, page_stride); \
	}
PAGED_COPY(half, half)
PAGED_COPY(bfloat16, bfloat16_t)

/* Blocks of 32 numbers become int8_t with one scale, the largest magnitude / 127. Numbers come before scales. */
extern "C" __global__ __aicore__ void quantise_q8_0_kernel(GM_ADDR input, GM_ADDR output,
							   uint32_t groups)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 1> in;
	TQue<TPosition::VECOUT, 1> quants, scales;
	TBuf<> scratch;
	GlobalTensor<float> in_gm;
	GlobalTensor<int8_t> quants_gm;
	GlobalTensor<half> scales_gm;

	in_gm.SetGlobalBuffer((__gm__ float *)input, uint64_t(groups) * 32);
	quants_gm.SetGlobalBuffer((__gm__ int8_t *)output, uint64_t(groups) * 32);
	scales_gm.SetGlobalBuffer((__gm__ half *)(output + uint64_t(groups) * 32), groups);
	pipe.InitBuffer(in, 1, 128);
	pipe.InitBuffer(quants, 1, 32);
	pipe.InitBuffer(scales, 1, 32);
	pipe.InitBuffer(scratch, 1024);
	for (uint32_t group = uint32_t(GetBlockIdx()); group < groups;
	     group += uint32_t(GetBlockNum())) {
		LocalTensor<float> x = in.AllocTensor<float>();

		DataCopy(x, in_gm[uint64_t(group) * 32], 32);
		in.EnQue(x);
		x = in.DeQue<float>();
		LocalTensor<float> work = scratch.Get<float>();

		Abs(work, x, 32);
		ReduceMax(work[64], work, work[128], 32);
		const float scale = work.GetValue(64) / 127.0f;
		LocalTensor<half> halves = work[128].ReinterpretCast<half>();
		LocalTensor<int8_t> q = quants.AllocTensor<int8_t>();
		LocalTensor<half> s = scales.AllocTensor<half>();

		Muls(x, x, scale == 0.0f ? 0.0f : 1.0f / scale, 32);
		Cast(work, x, RoundMode::CAST_ROUND, 32);
		Cast(halves, work, RoundMode::CAST_NONE, 32);
		Cast(q, halves, RoundMode::CAST_NONE, 32);
		s.SetValue(0, half(scale));
		in.FreeTensor(x);
		quants.EnQue(q);
		scales.EnQue(s);
		q = quants.DeQue<int8_t>();
		s = scales.DeQue<half>();
		DataCopy(quants_gm[uint64_t(group) * 32], q, 32);
		DataCopyPad(scales_gm[group], s, {1, sizeof(half), 0, 0, 0});
		quants.FreeTensor(q);
		scales.FreeTensor(s);
	}
}

TEST(KernelSample, RowGather)
{
	Sample sample;
	half *in = sample.make(random_values<half>(10 * 50, 1)), *out = sample.zeros<half>(6 * 50);
	int32_t *indices = sample.make<int32_t>({9, 0, 3, 3, 7, 1});
	int64_t *shape = sample.make<int64_t>({50, 6});

	sample.launch(4, [&] { row_gather_kernel(gm(in), gm(indices), gm(out), gm(shape)); });
	for (int i = 0; i < 300; i++)
		ASSERT_EQ(float(out[i]), float(in[indices[i / 50] * 50 + i % 50]));
}

TEST(KernelSample, PagedCache)
{
	Sample sample;
	half *tokens = sample.make(random_values<half>(5 * 32, 1)),
	     *cache = sample.zeros<half>(4 * 160);
	int64_t *slots = sample.make<int64_t>({6, -1, 0, 15, 9});

	/* Pages of 4 tokens and 32 elements more. */
	sample.launch(2, [&] { paged_copy_half(gm(tokens), gm(cache), gm(slots), 5, 4, 32, 160); });
	for (int token = 0; token < 5; token++) {
		for (int i = 0; i < 32 && slots[token] >= 0; i++)
			ASSERT_EQ(float(cache[slots[token] / 4 * 160 + slots[token] % 4 * 32 + i]),
				  float(tokens[token * 32 + i]));
	}
	sample.launch(
		3, [&] { paged_copy_bfloat16(gm(tokens), gm(cache), gm(slots), 5, 4, 32, 160); });
}

TEST(KernelSample, QuantiseQ8)
{
	Sample sample;
	const auto values = random_values<float>(9 * 32, 1);
	float *in = sample.make(values);
	uint8_t *out = sample.zeros<uint8_t>(9 * 34);

	sample.launch(4, [&] { quantise_q8_0_kernel(gm(in), gm(out), 9); });
	const half *scales = reinterpret_cast<const half *>(out + 9 * 32);

	for (int i = 0; i < 9 * 32; i++) {
		float most = 0;

		for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++)
			most = std::max(most, std::abs(values[size_t(k)]));
		ASSERT_EQ(float(scales[i / 32]), float(half(most / 127.0f)));
		ASSERT_NEAR(float(int8_t(out[i])), std::round(values[size_t(i)] / (most / 127.0f)),
			    1.0f);
	}
}
