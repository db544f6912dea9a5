// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels of several steps: a filter, a histogram, and the mean of rows as an operand of all their elements.
 */
#include "sample.h"

using namespace AscendC;
using namespace kernel_test;

/* Keeps the elements above @limit side by side, clamped to @most, and counts them; masks the others. */
extern "C" __global__ __aicore__ void filter_kernel(GM_ADDR x, GM_ADDR kept, GM_ADDR count,
						    GM_ADDR masked, float limit, float most)
{
	constexpr uint32_t COUNT = 1024;
	TPipe pipe;
	TQue<QuePosition::VECIN, 1> in;
	TQue<QuePosition::VECOUT, 1> kept_out, masked_out, count_out;
	TBuf<QuePosition::VECCALC> bits_buffer;
	GlobalTensor<float> from, to, masked_to;
	GlobalTensor<int32_t> count_to;

	pipe.InitBuffer(in, 1, COUNT * sizeof(float));
	pipe.InitBuffer(kept_out, 1, COUNT * sizeof(float));
	pipe.InitBuffer(masked_out, 1, COUNT * sizeof(float));
	pipe.InitBuffer(count_out, 1, 32);
	pipe.InitBuffer(bits_buffer, COUNT / 8);
	from.SetGlobalBuffer((__gm__ float *)x, COUNT);
	to.SetGlobalBuffer((__gm__ float *)kept, COUNT);
	masked_to.SetGlobalBuffer((__gm__ float *)masked, COUNT);
	count_to.SetGlobalBuffer((__gm__ int32_t *)count, 8);

	LocalTensor<float> values = in.AllocTensor<float>();
	DataCopy(values, from, COUNT);
	in.EnQue(values);
	values = in.DeQue<float>();
	LocalTensor<uint8_t> bits = bits_buffer.Get<uint8_t>();
	CompareScalar(bits, values, limit, CMPMODE::GT, COUNT);
	LocalTensor<float> local = masked_out.AllocTensor<float>();
	Select(local, bits, values, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, COUNT);
	masked_out.EnQue(local);

	local = kept_out.AllocTensor<float>();
	Duplicate(local, -1.0f, COUNT);
	uint64_t found = 0;
	const GatherMaskParams params{1, 1, 8, 8};
	GatherMask(local, values, bits.ReinterpretCast<uint32_t>(), true, COUNT, params, found);
	SetMaskNorm();
	ResetMask();
	Mins(local, local, most, COUNT);
	kept_out.EnQue(local);
	in.FreeTensor(values);
	LocalTensor<int32_t> number = count_out.AllocTensor<int32_t>();
	Duplicate(number, int32_t(found), 8);
	count_out.EnQue(number);

	local = kept_out.DeQue<float>();
	DataCopy(to, local, COUNT);
	kept_out.FreeTensor(local);
	local = masked_out.DeQue<float>();
	DataCopy(masked_to, local, COUNT);
	masked_out.FreeTensor(local);
	number = count_out.DeQue<int32_t>();
	DataCopy(count_to, number, 8);
	count_out.FreeTensor(number);
}

/* Each block counts bytes of its parts, and adds its counts to those in global memory. */
extern "C" __global__ __aicore__ void histogram_kernel(GM_ADDR values, GM_ADDR counts,
						       uint32_t count, uint32_t bins)
{
	constexpr uint32_t PART = 1024;
	TPipe pipe;
	TQue<TPosition::VECIN, 1> in;
	TQue<TPosition::VECOUT, 1> out;
	GlobalTensor<uint8_t> from;
	GlobalTensor<int32_t> to;

	pipe.InitBuffer(in, 1, PART);
	pipe.InitBuffer(out, 1, uint32_t(bins * sizeof(int32_t)));
	from.SetGlobalBuffer((__gm__ uint8_t *)values, count);
	to.SetGlobalBuffer((__gm__ int32_t *)counts, bins);
	LocalTensor<int32_t> mine = out.AllocTensor<int32_t>();
	Duplicate(mine, 0, bins);
	SetFlag<HardEvent::V_S>(EVENT_ID0);
	WaitFlag<HardEvent::V_S>(EVENT_ID0);
	for (uint32_t at = uint32_t(GetBlockIdx()) * PART; at < count;
	     at += uint32_t(GetBlockNum()) * PART) {
		const uint32_t left = count - at < PART ? count - at : PART;
		LocalTensor<uint8_t> part = in.AllocTensor<uint8_t>();

		DataCopyPad(part, from[at], {1, left, 0, 0, 0}, {false, 0, 0, 0});
		in.EnQue(part);
		part = in.DeQue<uint8_t>();
		SetFlag<HardEvent::MTE2_S>(EVENT_ID1);
		WaitFlag<HardEvent::MTE2_S>(EVENT_ID1);
		for (uint32_t i = 0; i < left; i++) {
			const uint32_t bin = part.GetValue(i) % bins;

			mine.SetValue(bin, mine.GetValue(bin) + 1);
		}
		SetFlag<HardEvent::S_MTE2>(EVENT_ID2);
		WaitFlag<HardEvent::S_MTE2>(EVENT_ID2);
		in.FreeTensor(part);
	}
	SetFlag<HardEvent::S_MTE3>(EVENT_ID3);
	WaitFlag<HardEvent::S_MTE3>(EVENT_ID3);
	out.EnQue(mine);
	mine = out.DeQue<int32_t>();
	SetAtomicAdd<int32_t>();
	DataCopy(to, mine, bins);
	SetAtomicNone();
	out.FreeTensor(mine);
}

/* Subtracts the mean of 256 numbers: one block of 32 bytes is the operand of all of them, by strides of 0. */
extern "C" __global__ __aicore__ void centre_kernel(GM_ADDR x, GM_ADDR y, int32_t rows)
{
	constexpr int32_t WIDTH = 256;
	TPipe pipe;
	TQue<TPosition::VECIN, 2> in;
	TQue<TPosition::VECOUT, 2> out;
	TBuf<TPosition::VECCALC> sums_buffer, wide_buffer;
	GlobalTensor<float> from, to;

	pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
	pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
	pipe.InitBuffer(sums_buffer, 64);
	pipe.InitBuffer(wide_buffer, 8 * 32);
	from.SetGlobalBuffer((__gm__ float *)x);
	to.SetGlobalBuffer((__gm__ float *)y);
	LocalTensor<float> sums = sums_buffer.Get<float>(), wide = wide_buffer.Get<float>();
	for (int32_t row = int32_t(GetBlockIdx()); row < rows; row += int32_t(GetBlockNum())) {
		LocalTensor<float> values = in.AllocTensor<float>();

		DataCopy(values, from[uint64_t(row) * WIDTH], WIDTH);
		in.EnQue(values);
		values = in.DeQue<float>();
		Duplicate(sums, 0.0f, 8);
		WholeReduceSum(sums, values, 64, 4, 1, 1, 8);
		WholeReduceSum(sums, sums, 4, 1, 1, 1, 8);
		Muls(sums, sums, -1.0f / WIDTH, 8);
		Brcb(wide, sums, 1, {1, 8});
		LocalTensor<float> result = out.AllocTensor<float>();
		Add(result, values, wide, 64, 4, {1, 1, 0, 8, 8, 0});
		out.EnQue(result);
		in.FreeTensor(values);
		result = out.DeQue<float>();
		DataCopy(to[uint64_t(row) * WIDTH], result, WIDTH);
		out.FreeTensor(result);
	}
}

TEST(KernelSample, Filter)
{
	Sample sample;
	std::vector<float> values(1024);
	for (uint32_t i = 0; i < values.size(); i++)
		values[i] = float(i * 113 % 257) - 100;
	float *x = sample.make(values), *kept = sample.zeros<float>(1024),
	      *masked = sample.zeros<float>(1024);
	int32_t *count = sample.zeros<int32_t>(8);
	sample.launch(
		1, [&] { filter_kernel(gm(x), gm(kept), gm(count), gm(masked), 20.0f, 120.0f); });
	int32_t found = 0;
	for (uint32_t i = 0; i < values.size(); i++) {
		EXPECT_EQ(masked[i], values[i] > 20 ? values[i] : 0.0f) << i;
		if (values[i] > 20) {
			EXPECT_EQ(kept[found++], std::min(values[i], 120.0f)) << i;
		}
	}
	EXPECT_EQ(count[0], found);
	EXPECT_EQ(kept[found], -1.0f);
}

TEST(KernelSample, Histogram)
{
	constexpr uint32_t COUNT = 20003, BINS = 64;
	Sample sample;
	std::vector<uint8_t> bytes(COUNT);
	std::vector<int32_t> expected(BINS);
	for (uint32_t i = 0; i < COUNT; i++) {
		bytes[i] = uint8_t((i * 2654435761u) >> 13);
		expected[bytes[i] % BINS]++;
	}
	uint8_t *values = sample.make(bytes);
	int32_t *counts = sample.zeros<int32_t>(BINS);
	sample.launch(8, [&] { histogram_kernel(gm(values), gm(counts), COUNT, BINS); });
	for (uint32_t i = 0; i < BINS; i++)
		EXPECT_EQ(counts[i], expected[i]) << i;
}

TEST(KernelSample, CentreByBroadcastBlocks)
{
	constexpr int32_t ROWS = 9, WIDTH = 256;
	Sample sample;
	std::vector<float> values(ROWS * WIDTH);
	for (uint32_t i = 0; i < values.size(); i++)
		values[i] = float(i * 31 % 97);
	float *x = sample.make(values), *y = sample.zeros<float>(values.size());
	sample.launch(4, [&] { centre_kernel(gm(x), gm(y), ROWS); });
	for (int32_t row = 0; row < ROWS; row++) {
		double mean = 0;
		for (int32_t i = 0; i < WIDTH; i++)
			mean += values[row * WIDTH + i] / WIDTH;
		for (int32_t i = 0; i < WIDTH; i++)
			EXPECT_NEAR(y[row * WIDTH + i], values[row * WIDTH + i] - mean, 1e-4);
	}
}
