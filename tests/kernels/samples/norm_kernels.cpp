// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels of rows: layer norm, RMS norm, rotary positions.
 */
#include "sample.h"

using namespace AscendC;
using namespace kernel_test;

namespace {

/* What the host tells the kernels of norms, by value. */
struct NormTiling {
	uint32_t rows;
	uint32_t columns;
	float epsilon;
};

/* The mean of the first @count elements. */
__aicore__ inline float mean_of(const LocalTensor<float> &x, const LocalTensor<float> &scratch,
				uint32_t count)
{
	ReduceSum(scratch, x, scratch[64], int32_t(count));
	const event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));

	SetFlag<HardEvent::V_S>(id);
	WaitFlag<HardEvent::V_S>(id);
	return scratch.GetValue(0) / float(count);
}

/* Reads rows, calls compute(y, x, scratch), writes rows. */
template <class Compute>
__aicore__ inline void for_each_row(GM_ADDR x, GM_ADDR y, const NormTiling &tiling, TPipe &pipe,
				    Compute compute)
{
	TQue<TPosition::VECIN, 2> in;
	TQue<TPosition::VECOUT, 2> out;
	TBuf<> scratch;
	GlobalTensor<float> x_gm, y_gm;
	const uint32_t columns = tiling.columns;

	pipe.InitBuffer(in, 2, columns * sizeof(float));
	pipe.InitBuffer(out, 2, columns * sizeof(float));
	pipe.InitBuffer(scratch, (columns + 512) * sizeof(float));
	x_gm.SetGlobalBuffer((__gm__ float *)x);
	y_gm.SetGlobalBuffer((__gm__ float *)y);
	for (uint32_t row = uint32_t(GetBlockIdx()); row < tiling.rows;
	     row += uint32_t(GetBlockNum())) {
		LocalTensor<float> from = in.AllocTensor<float>();

		DataCopyPad(from, x_gm[uint64_t(row) * columns],
			    {1, columns * sizeof(float), 0, 0, 0}, {false, 0, 0, 0});
		in.EnQue(from);
		from = in.DeQue<float>();
		LocalTensor<float> to = out.AllocTensor<float>();

		compute(to, from, scratch.Get<float>());
		in.FreeTensor(from);
		out.EnQue(to);
		to = out.DeQue<float>();
		DataCopyPad(y_gm[uint64_t(row) * columns], to,
			    {1, columns * sizeof(float), 0, 0, 0});
		out.FreeTensor(to);
	}
}

} // namespace

extern "C" __global__ __aicore__ void layer_norm_kernel(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta,
							GM_ADDR y, NormTiling tiling)
{
	TPipe pipe;
	TBuf<> weights;
	GlobalTensor<float> gamma_gm, beta_gm;
	const int32_t columns = int32_t(tiling.columns);

	gamma_gm.SetGlobalBuffer((__gm__ float *)gamma, tiling.columns);
	beta_gm.SetGlobalBuffer((__gm__ float *)beta, tiling.columns);
	pipe.InitBuffer(weights, 2 * tiling.columns * sizeof(float));
	LocalTensor<float> g = weights.Get<float>();
	LocalTensor<float> b = g[tiling.columns];

	DataCopy(g, gamma_gm, tiling.columns);
	DataCopy(b, beta_gm, tiling.columns);
	SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
	WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
	for_each_row(x, y, tiling, pipe, [&](auto &to, auto &from, auto scratch) {
		const float mean = mean_of(from, scratch, tiling.columns);

		Adds(to, from, -mean, columns);
		LocalTensor<float> squares = scratch[512];

		Mul(squares, to, to, columns);
		const float variance = mean_of(squares, scratch, tiling.columns);

		Muls(to, to, 1.0f / sqrtf(variance + tiling.epsilon), columns);
		Mul(to, to, g, columns);
		Add(to, to, b, columns);
	});
}

extern "C" __global__ __aicore__ void rms_norm_kernel(GM_ADDR x, GM_ADDR gamma, GM_ADDR y,
						      GM_ADDR tiling_gm)
{
	GET_TILING_DATA_WITH_STRUCT(NormTiling, tiling, tiling_gm);
	TPipe pipe;
	TQue<TPosition::VECIN, 1> weights;
	GlobalTensor<float> gamma_gm;
	const int32_t columns = int32_t(tiling.columns);

	gamma_gm.SetGlobalBuffer((__gm__ float *)gamma, tiling.columns);
	pipe.InitBuffer(weights, 1, tiling.columns * sizeof(float));
	LocalTensor<float> g = weights.AllocTensor<float>();

	DataCopyPad(g, gamma_gm, {1, uint32_t(tiling.columns * sizeof(float)), 0, 0, 0},
		    {false, 0, 0, 0});
	weights.EnQue(g);
	g = weights.DeQue<float>();
	for_each_row(x, y, tiling, pipe, [&](auto &to, auto &from, auto scratch) {
		LocalTensor<float> squares = scratch[512];

		Mul(squares, from, from, columns);
		const float mean = mean_of(squares, scratch, tiling.columns);

		Muls(to, from, 1.0f / sqrtf(mean + tiling.epsilon), columns);
		Mul(to, to, g, columns);
	});
	weights.FreeTensor(g);
}

/* Pairs (x[i], x[i + half]) turn by the angle of their position. */
extern "C" __global__ __aicore__ void rope_kernel(GM_ADDR x, GM_ADDR angles, GM_ADDR y,
						  uint32_t width)
{
	TPipe pipe;
	TQue<TPosition::VECIN, 1> in;
	TQue<TPosition::VECOUT, 1> out;
	TBuf<> scratch;
	GlobalTensor<half> x_gm, y_gm;
	GlobalTensor<float> angles_gm;
	const uint32_t pairs = width / 2;

	x_gm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * width, width);
	y_gm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * width, width);
	angles_gm.SetGlobalBuffer((__gm__ float *)angles + GetBlockIdx() * pairs, pairs);
	pipe.InitBuffer(in, 2, width * sizeof(float));
	pipe.InitBuffer(out, 1, width * sizeof(half));
	pipe.InitBuffer(scratch, 6 * pairs * sizeof(float));
	LocalTensor<half> x_local = in.AllocTensor<half>();
	LocalTensor<float> angle = in.AllocTensor<float>();

	DataCopy(x_local, x_gm, width);
	DataCopy(angle, angles_gm, pairs);
	in.EnQue(x_local);
	in.EnQue(angle);
	x_local = in.DeQue<half>();
	angle = in.DeQue<float>();
	LocalTensor<float> a = scratch.Get<float>(), b = a[pairs], sines = a[2 * pairs],
			   cosines = a[3 * pairs], t = a[4 * pairs];
	LocalTensor<half> y_local = out.AllocTensor<half>();

	Cast(a, x_local, RoundMode::CAST_NONE, width);
	Sin(sines, angle, pairs);
	Cos(cosines, angle, pairs);
	Mul(t, a, cosines, int32_t(pairs));
	Mul(t[pairs], b, sines, int32_t(pairs));
	Sub(t, t, t[pairs], int32_t(pairs));
	Cast(y_local, t, RoundMode::CAST_RINT, pairs);
	Mul(t, a, sines, int32_t(pairs));
	MulAddDst(t, b, cosines, int32_t(pairs));
	Cast(y_local[pairs], t, RoundMode::CAST_RINT, pairs);
	in.FreeTensor(x_local);
	in.FreeTensor(angle);
	out.EnQue(y_local);
	y_local = out.DeQue<half>();
	DataCopy(y_gm, y_local, width);
	out.FreeTensor(y_local);
}

TEST(KernelSample, LayerNorm)
{
	Sample sample;
	float *x = sample.make(random_values<float>(7 * 200, 1)), *y = sample.zeros<float>(7 * 200);
	float *gamma = sample.make(random_values<float>(200, 2, 1, 2)),
	      *beta = sample.make(random_values<float>(200, 3, -1, 1));

	sample.launch(3, [&] {
		layer_norm_kernel(gm(x), gm(gamma), gm(beta), gm(y), {7, 200, 1e-5f});
	});
	for (int row = 0; row < 7; row++) {
		double mean = 0, variance = 0;

		for (int i = 0; i < 200; i++)
			mean += x[row * 200 + i] / 200.0;
		for (int i = 0; i < 200; i++)
			variance += (x[row * 200 + i] - mean) * (x[row * 200 + i] - mean) / 200.0;
		for (int i = 0; i < 200; i++)
			ASSERT_NEAR(y[row * 200 + i],
				    (x[row * 200 + i] - mean) / std::sqrt(variance + 1e-5) *
						    gamma[i] +
					    beta[i],
				    1e-4);
	}
}

TEST(KernelSample, RmsNorm)
{
	Sample sample;
	float *x = sample.make(random_values<float>(5 * 100, 1)), *y = sample.zeros<float>(5 * 100);
	float *gamma = sample.make(random_values<float>(100, 2, 1, 2));
	NormTiling *tiling = sample.make<NormTiling>({{5, 100, 1e-6f}});

	sample.launch(2, [&] { rms_norm_kernel(gm(x), gm(gamma), gm(y), gm(tiling)); });
	for (int row = 0; row < 5; row++) {
		double mean = 0;

		for (int i = 0; i < 100; i++)
			mean += double(x[row * 100 + i]) * x[row * 100 + i] / 100.0;
		for (int i = 0; i < 100; i++)
			ASSERT_NEAR(y[row * 100 + i],
				    x[row * 100 + i] / std::sqrt(mean + 1e-6) * gamma[i], 1e-4);
	}
}

TEST(KernelSample, Rope)
{
	Sample sample;
	half *x = sample.make(random_values<half>(4 * 64, 1, -4, 4)),
	     *y = sample.zeros<half>(4 * 64);
	float *angles = sample.make(random_values<float>(4 * 32, 2, -3, 3));

	sample.launch(4, [&] { rope_kernel(gm(x), gm(angles), gm(y), 64); });
	for (int i = 0; i < 128; i++) {
		const int at = i / 32 * 64 + i % 32;
		const float a = float(x[at]), b = float(x[at + 32]);

		ASSERT_NEAR(float(y[at]), a * std::cos(angles[i]) - b * std::sin(angles[i]), 5e-3f);
		ASSERT_NEAR(float(y[at + 32]), a * std::sin(angles[i]) + b * std::cos(angles[i]),
			    5e-3f);
	}
}
