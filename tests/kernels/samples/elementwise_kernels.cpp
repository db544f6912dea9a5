// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels of elements: sum, quotient, leaky relu, SwiGLU, threshold, a mask of bits.
 */
#include "sample.h"

using namespace AscendC;
using namespace kernel_test;

namespace {

/* A loop over tiles: reads one to three inputs, computes, writes one output. The last tile may be short. */
template <class T, uint32_t inputs> class TileLoop {
public:
	__aicore__ inline void Init(GM_ADDR const (&in)[inputs], GM_ADDR out, uint32_t total,
				    uint32_t tile)
	{
		const uint32_t share = AlignUp(DivCeil(total, uint32_t(GetBlockNum())), 64u);
		const uint32_t first = share * uint32_t(GetBlockIdx());

		count_ = first >= total ? 0 : total - first < share ? total - first : share;
		tile_ = tile;
		for (uint32_t i = 0; i < inputs; i++) {
			in_gm_[i].SetGlobalBuffer((__gm__ T *)in[i] + first, count_);
			pipe_.InitBuffer(in_[i], 2, tile * sizeof(T));
		}
		out_gm_.SetGlobalBuffer((__gm__ T *)out + first, count_);
		pipe_.InitBuffer(out_, 2, tile * sizeof(T));
		pipe_.InitBuffer(scratch_, tile * sizeof(T) + tile);
	}

	template <class Compute> __aicore__ inline void Process(Compute compute)
	{
		for (uint32_t at = 0; at < count_; at += tile_) {
			const uint32_t now = count_ - at < tile_ ? count_ - at : tile_;
			LocalTensor<T> x[inputs];

			for (uint32_t i = 0; i < inputs; i++) {
				x[i] = in_[i].template AllocTensor<T>();
				DataCopyPad(x[i], in_gm_[i][at], {1, now * sizeof(T), 0, 0, 0},
					    {false, 0, 0, 0});
				in_[i].EnQue(x[i]);
				x[i] = in_[i].template DeQue<T>();
			}
			LocalTensor<T> y = out_.template AllocTensor<T>();

			compute(y, x, scratch_.template Get<T>(), now);
			out_.EnQue(y);
			y = out_.template DeQue<T>();
			DataCopyPad(out_gm_[at], y, {1, now * sizeof(T), 0, 0, 0});
			out_.FreeTensor(y);
			for (uint32_t i = 0; i < inputs; i++)
				in_[i].FreeTensor(x[i]);
		}
	}

private:
	TPipe pipe_;
	TQue<TPosition::VECIN, 2> in_[inputs];
	TQue<TPosition::VECOUT, 2> out_;
	TBuf<TPosition::VECCALC> scratch_;
	GlobalTensor<T> in_gm_[inputs], out_gm_;
	uint32_t count_ = 0, tile_ = 0;
};

} // namespace

extern "C" __global__ __aicore__ void add_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total)
{
	TileLoop<half, 2> loop;

	loop.Init({x, y}, z, total, 256);
	loop.Process([](auto &z_local, auto *in, auto, uint32_t n) {
		Add(z_local, in[0], in[1], int32_t(n));
	});
}

extern "C" __global__ __aicore__ void addcdiv_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR out,
						     float value, uint32_t total)
{
	TileLoop<float, 3> loop;

	loop.Init({x, y, z}, out, total, 128);
	loop.Process([=](auto &dst, auto *in, auto scratch, uint32_t n) {
		Div(scratch, in[1], in[2], int32_t(n));
		Muls(scratch, scratch, value, int32_t(n));
		Add(dst, in[0], scratch, int32_t(n));
	});
}

extern "C" __global__ __aicore__ void leaky_relu_kernel(GM_ADDR x, GM_ADDR y, float slope,
							uint32_t total)
{
	TileLoop<float, 1> loop;

	loop.Init({x}, y, total, 192);
	loop.Process([=](auto &dst, auto *in, auto, uint32_t n) {
		LeakyRelu(dst, in[0], slope, int32_t(n));
	});
}

extern "C" __global__ __aicore__ void swiglu_kernel(GM_ADDR up, GM_ADDR gate, GM_ADDR out,
						    uint32_t total)
{
	TileLoop<half, 2> loop;

	loop.Init({up, gate}, out, total, 512);
	loop.Process(
		[](auto &dst, auto *in, auto, uint32_t n) { SwiGLU(dst, in[0], in[1], 1.0f, n); });
}

/* Numbers above the threshold become the maximum, others 0. */
extern "C" __global__ __aicore__ void threshold_kernel(GM_ADDR x, GM_ADDR y, float threshold,
						       float maximum, uint32_t total)
{
	TileLoop<float, 1> loop;

	loop.Init({x}, y, total, 256);
	loop.Process([=](auto &dst, auto *in, auto scratch, uint32_t n) {
		LocalTensor<uint8_t> bits = scratch.template ReinterpretCast<uint8_t>();
		const uint32_t whole = AlignUp(n, 64u);

		CompareScalar(bits, in[0], threshold, CMPMODE::GT, whole);
		Duplicate(dst, maximum, int32_t(n));
		Select(dst, bits, dst, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, n);
	});
}

/* A score whose bit is 0 becomes minus infinity. */
extern "C" __global__ __aicore__ void token_bitmask_kernel(GM_ADDR scores, GM_ADDR bitmask,
							   uint32_t tokens)
{
	TPipe pipe;
	TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
	TQue<TPosition::VECIN, 1> bits_queue;
	GlobalTensor<float> row;
	GlobalTensor<uint8_t> bits_row;

	row.SetGlobalBuffer((__gm__ float *)scores + GetBlockIdx() * tokens, tokens);
	bits_row.SetGlobalBuffer((__gm__ uint8_t *)bitmask + GetBlockIdx() * tokens / 8,
				 tokens / 8);
	pipe.InitBuffer(queue, 1, tokens * sizeof(float));
	pipe.InitBuffer(bits_queue, 1, tokens / 8);
	LocalTensor<float> x = queue.AllocTensor<float>();
	LocalTensor<uint8_t> bits = bits_queue.AllocTensor<uint8_t>();

	DataCopy(x, row, tokens);
	DataCopyPad(bits, bits_row, {1, tokens / 8, 0, 0, 0}, {false, 0, 0, 0});
	queue.EnQue<TPosition::GM, TPosition::VECIN, float>(x);
	bits_queue.EnQue(bits);
	x = queue.DeQue<TPosition::GM, TPosition::VECIN, float>();
	bits = bits_queue.DeQue<uint8_t>();
	Select(x, bits, x, -INFINITY, SELMODE::VSEL_TENSOR_SCALAR_MODE, tokens);
	queue.EnQue<TPosition::VECOUT, TPosition::GM, float>(x);
	x = queue.DeQue<TPosition::VECOUT, TPosition::GM, float>();
	DataCopy(row, x, tokens);
	queue.FreeTensor(x);
	bits_queue.FreeTensor(bits);
}

TEST(KernelSample, Add)
{
	Sample sample;
	half *x = sample.make(random_values<half>(3001, 1)),
	     *y = sample.make(random_values<half>(3001, 2)), *z = sample.zeros<half>(3001);

	sample.launch(5, [&] { add_kernel(gm(x), gm(y), gm(z), 3001); });
	for (int i = 0; i < 3001; i++)
		ASSERT_EQ(float(z[i]), float(half(float(x[i]) + float(y[i]))));
}

TEST(KernelSample, Addcdiv)
{
	Sample sample;
	float *x = sample.make(random_values<float>(1000, 1)),
	      *y = sample.make(random_values<float>(1000, 2));
	float *z = sample.make(random_values<float>(1000, 3, 1, 9)),
	      *out = sample.zeros<float>(1000);

	sample.launch(3, [&] { addcdiv_kernel(gm(x), gm(y), gm(z), gm(out), 0.5f, 1000); });
	for (int i = 0; i < 1000; i++)
		ASSERT_EQ(out[i], x[i] + y[i] / z[i] * 0.5f);
}

TEST(KernelSample, LeakyRelu)
{
	Sample sample;
	float *x = sample.make(random_values<float>(1000, 1)), *y = sample.zeros<float>(1000);

	sample.launch(2, [&] { leaky_relu_kernel(gm(x), gm(y), 0.01f, 1000); });
	for (int i = 0; i < 1000; i++)
		ASSERT_EQ(y[i], x[i] < 0 ? x[i] * 0.01f : x[i]);
}

TEST(KernelSample, SwiGlu)
{
	Sample sample;
	half *up = sample.make(random_values<half>(2000, 1, -4, 4)),
	     *gate = sample.make(random_values<half>(2000, 2, -4, 4));
	half *out = sample.zeros<half>(2000);

	sample.launch(4, [&] { swiglu_kernel(gm(up), gm(gate), gm(out), 2000); });
	for (int i = 0; i < 2000; i++)
		ASSERT_NEAR(float(out[i]),
			    float(up[i]) * float(gate[i]) / (1 + std::exp(-float(gate[i]))), 1e-2f);
}

TEST(KernelSample, Threshold)
{
	Sample sample;
	float *x = sample.make(random_values<float>(777, 1)), *y = sample.zeros<float>(777);

	sample.launch(2, [&] { threshold_kernel(gm(x), gm(y), 10.0f, 255.0f, 777); });
	for (int i = 0; i < 777; i++)
		ASSERT_EQ(y[i], x[i] > 10.0f ? 255.0f : 0.0f);
}

TEST(KernelSample, TokenBitmask)
{
	Sample sample;
	const auto before = random_values<float>(2 * 512, 1);
	float *scores = sample.make(before);
	uint8_t *bits = sample.make(random_values<uint8_t>(2 * 64, 5, 0, 255));

	sample.launch(2, [&] { token_bitmask_kernel(gm(scores), gm(bits), 512); });
	for (size_t i = 0; i < 1024; i++)
		ASSERT_EQ(scores[i], bits[i / 8] >> (i % 8) & 1 ? before[i] : -INFINITY);
}
