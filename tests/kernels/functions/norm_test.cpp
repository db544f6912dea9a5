// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of rows that models use: normalisation, softmax in parts, quantisation, padding, the largest elements.
 */
#include "tests/kernels/language/ub.h"

#include <algorithm>
#include <numeric>

using namespace AscendC;
using namespace kernel_test;

/* The documented structs: 26 and 12 words. Programs lay their own fields behind them. */
static_assert(sizeof(LayerNormTiling) == 26 * sizeof(uint32_t));
static_assert(sizeof(RmsNormTiling) == 12 * sizeof(uint32_t));

TEST(KernelNorm, LayerNormAndRmsNorm)
{
	run_one([](Ub &ub) {
		constexpr uint32_t H = 24, COLUMNS = 20, ROWS = 6;
		const auto x = random_values<float>(ROWS * H),
			   g = random_values<float>(H, 2, -2, 2), b = random_values<float>(H, 3);
		auto src = ub.put(x);
		auto gamma = ub.put(g), beta = ub.put(b);
		auto dst = ub.make<float>(ROWS * H), rms = ub.make<float>(ROWS * H),
		     rstd_out = ub.make<float>(ROWS * H);
		auto mean = ub.make<float>(ROWS), variance = ub.make<float>(ROWS),
		     rstd = ub.make<float>(ROWS);
		auto tmp = ub.make<uint8_t>(64);
		LayerNormTiling tiling;
		RmsNormTiling rms_tiling;
		LayerNormSeparateTiling separate;

		tiling.bLength = rms_tiling.bLength = 2;
		tiling.sLength = rms_tiling.sLength = 3;
		tiling.hLength = rms_tiling.hLength = H;
		tiling.originalHLength = rms_tiling.originalHLength = COLUMNS;
		LayerNorm(dst, mean, variance, src, gamma, beta, tmp, 1e-5f, tiling);
		LayerNorm<float, float>(rstd_out, mean, rstd, src, gamma, beta, 1e-5f,
					LayerNormPara{ROWS, COLUMNS, H}, separate);
		RmsNorm(rms, src, gamma, 1e-5f, rms_tiling);
		for (uint32_t i = 0; i < ROWS; i++) {
			const auto row = x.begin() + i * H;
			const double sum = std::accumulate(row, row + COLUMNS, 0.0);
			double away = 0, squares = 0;

			for (uint32_t k = 0; k < COLUMNS; k++) {
				away += std::pow(double(row[k]) - sum / COLUMNS, 2);
				squares += double(row[k]) * double(row[k]);
			}
			EXPECT_NEAR(double(mean.GetValue(i)), sum / COLUMNS, 1e-4);
			EXPECT_NEAR(double(variance.GetValue(i)) / (away / COLUMNS), 1, 1e-4);
			EXPECT_NEAR(double(rstd.GetValue(i)) * std::sqrt(away / COLUMNS + 1e-5), 1,
				    1e-4);
			for (uint32_t k = 0; k < COLUMNS; k++) {
				const double wanted = (double(row[k]) - sum / COLUMNS) /
							      std::sqrt(away / COLUMNS + 1e-5) *
							      double(g[k]) +
						      double(b[k]);

				EXPECT_NEAR(double(dst.GetValue(i * H + k)), wanted, 1e-3);
				EXPECT_NEAR(double(rstd_out.GetValue(i * H + k)), wanted, 1e-3);
				EXPECT_NEAR(double(rms.GetValue(i * H + k)),
					    double(row[k]) / std::sqrt(squares / COLUMNS + 1e-5) *
						    double(g[k]),
					    1e-3);
			}
		}
	});
}

TEST(KernelNorm, SoftmaxInPartsIsTheWholeSoftmax)
{
	run_one([](Ub &ub) {
		constexpr uint32_t K = 16, ROWS = 2;
		const auto first = random_values<float>(ROWS * K, 1, -3, 3),
			   last = random_values<float>(ROWS * K, 2, -3, 3);
		auto a = ub.put(first), b = ub.put(last), part = ub.make<float>(ROWS * K),
		     end = ub.make<float>(ROWS * K);
		auto sum = ub.make<float>(ROWS * 8), max = ub.make<float>(ROWS * 8),
		     sum2 = ub.make<float>(ROWS * 8), max2 = ub.make<float>(ROWS * 8),
		     scale = ub.make<float>(ROWS * 8);
		auto divided = ub.make<float>(ROWS * K), kept = ub.make<float>(ROWS * 8),
		     sum3 = ub.make<float>(ROWS * 8), max3 = ub.make<float>(ROWS * 8);
		const SoftMaxShapeInfo shape = {ROWS, K, ROWS, K};
		SoftMaxTiling tiling;

		SoftmaxFlashV2<float>(part, sum, max, a, scale, sum, max, tiling, shape);
		SoftmaxFlashV2<float, true>(end, sum2, max2, b, scale, sum, max, tiling, shape);
		SoftmaxFlash<float>(divided, sum3, max3, b, kept, sum, max, tiling, true, shape);
		for (uint32_t i = 0; i < ROWS; i++) {
			double total = 0;

			for (uint32_t k = 0; k < K; k++)
				total += std::exp(double(first[i * K + k])) +
					 std::exp(double(last[i * K + k]));
			EXPECT_NEAR(double(sum2.GetValue(i * 8 + 7)) *
					    std::exp(double(max2.GetValue(i * 8))) / total,
				    1, 1e-5);
			EXPECT_FLOAT_EQ(sum3.GetValue(i * 8), sum2.GetValue(i * 8));
			double before = 0;

			for (uint32_t k = 0; k < K; k++) {
				const uint32_t at = i * K + k;
				const double scaled = double(part.GetValue(at)) *
						      double(scale.GetValue(i * 8)) /
						      double(sum2.GetValue(i * 8));

				before += std::exp(double(first[at])) / total;
				EXPECT_NEAR(scaled, std::exp(double(first[at])) / total, 1e-5);
				EXPECT_NEAR(double(end.GetValue(at)) / double(sum2.GetValue(i * 8)),
					    std::exp(double(last[at])) / total, 1e-5);
				EXPECT_NEAR(double(divided.GetValue(at)),
					    std::exp(double(last[at])) / total, 1e-5);
			}
			EXPECT_NEAR(double(kept.GetValue(i * 8)), before, 1e-5);
		}
	});
}

TEST(KernelNorm, SoftmaxGradIsTheDerivative)
{
	run_one([](Ub &ub) {
		const auto y = random_values<float>(32, 1, 0, 1),
			   g = random_values<float>(32, 2, -1, 1);
		auto src = ub.put(y), grad = ub.put(g), dst = ub.make<float>(32),
		     front = ub.make<float>(16);
		SoftMaxTiling tiling;

		SoftmaxGrad(dst, grad, src, tiling, false, {2, 16, 2, 16});
		SoftmaxGrad(front, grad, src, ub.make<uint8_t>(32), tiling, true, {2, 16, 2, 16});
		for (uint32_t i = 0; i < 32; i++) {
			double sum = 0;

			for (uint32_t k = i / 16 * 16; k < i / 16 * 16 + 16; k++)
				sum += double(y[k]) * double(g[k]);
			EXPECT_NEAR(double(front.GetValue(i / 16 * 8 + i % 8)), sum, 1e-5);
			EXPECT_NEAR(double(dst.GetValue(i)), (double(g[i]) - sum) * double(y[i]),
				    1e-5);
		}
	});
}

TEST(KernelQuant, ToInt8AndBack)
{
	run_one([](Ub &ub) {
		const auto values = random_values<float>(64);
		auto src = ub.put(values), scale = ub.put(random_values<float>(16, 4, -4, 4)),
		     offset = ub.put(random_values<float>(16, 5, -4, 4));
		auto dst = ub.make<int8_t>(64);
		const auto rounded = [](double value) {
			return int8_t(std::min(127.0, std::max(-128.0, std::nearbyint(value))));
		};

		AscendQuant(dst, src, 1.5f, -3.0f, 60);
		for (uint32_t i = 0; i < 60; i++)
			EXPECT_EQ(dst.GetValue(i), rounded(double(values[i]) * 1.5 - 3)) << i;
		AscendQuant(dst, src, scale, offset, 16, 16, 64);
		for (uint32_t i = 0; i < 64; i++)
			EXPECT_EQ(dst.GetValue(i),
				  rounded(double(values[i]) * double(scale.GetValue(i % 16)) +
					  double(offset.GetValue(i % 16))))
				<< i;
		AscendQuant<float>(dst, src, scale, 2.0f, 16, 64);
		EXPECT_EQ(dst.GetValue(63),
			  rounded(double(values[63]) * double(scale.GetValue(15)) + 2));
	});
}

TEST(KernelQuant, OfSumsAndOfWeights)
{
	run_one([](Ub &ub) {
		const auto sums = random_values<int32_t>(3 * 8, 1),
			   weights = random_values<int32_t>(64, 2);
		auto src = ub.put(sums), dst_scale = ub.put(random_values<int32_t>(8, 3));
		auto scales = ub.put(random_values<float>(8, 3, -4, 4));
		auto packed = ub.make<uint64_t>(8);
		auto dst = ub.make<half>(3 * 16), other = ub.make<half>(3 * 16);
		auto bytes = ub.make<int8_t>(64);
		auto wide = ub.make<half>(64),
		     group_scale = ub.put(random_values<half>(32, 5, -2, 2)),
		     group_offset = ub.put(random_values<half>(32, 6, -9, 9));
		(void)dst_scale;

		for (uint32_t j = 0; j < 8; j++)
			packed.SetValue(j, unpu::lang::cast_bits<uint32_t>(scales.GetValue(j)));
		AscendDequant(dst, src, scales, DequantParams{3, 8, 7});
		AscendDequant(other, src, packed, DequantParams{3, 8, 7});
		for (uint32_t i = 0; i < 3; i++)
			for (uint32_t j = 0; j < 7; j++) {
				EXPECT_EQ(float(dst.GetValue(i * 16 + j)),
					  float(half(float(sums[i * 8 + j]) * scales.GetValue(j))));
				EXPECT_EQ(float(other.GetValue(i * 16 + j)),
					  float(dst.GetValue(i * 16 + j)));
			}
		AscendDequant(dst, src, 0.25f, DequantParams{1, 8, 8});
		EXPECT_EQ(float(dst.GetValue(5)), float(half(float(sums[5]) * 0.25f)));
		for (uint32_t i = 0; i < 64; i++)
			bytes.SetValue(i, int8_t(weights[i]));
		/* 4 rows of K, 16 across, two rows in a group. */
		AscendAntiQuant(wide, bytes, group_offset, group_scale, 4, {2, 16, 2, 16});
		for (uint32_t i = 0; i < 64; i++) {
			const uint32_t group = i / 32 * 16 + i % 16;

			EXPECT_EQ(float(wide.GetValue(i)),
				  float(half((float(bytes.GetValue(i)) +
					      float(group_offset.GetValue(group))) *
					     float(group_scale.GetValue(group)))));
		}
		AscendAntiQuant<int8_t, half, true>(wide, bytes, group_offset, group_scale, 4,
						    {16, 1, 16, 1});
		EXPECT_EQ(float(wide.GetValue(62)), float(half((float(bytes.GetValue(62)) +
								float(group_offset.GetValue(15))) *
							       float(group_scale.GetValue(15)))));
		AscendAntiQuant<int8_t, half>(wide, bytes, half(1), half(2), 4);
		EXPECT_EQ(float(wide.GetValue(63)), (float(bytes.GetValue(63)) + 1) * 2);
	});
}

TEST(KernelMath, PadAndUnPad)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<half>(2 * 32));
		auto dst = ub.make<half>(2 * 32), back = ub.make<half>(2 * 30);
		PadTiling pad;
		UnPadTiling un_pad;

		pad.srcHeight = un_pad.srcHeight = 2;
		pad.srcWidth = 32;
		pad.srcOriWidth = 28;
		un_pad.srcWidth = 32;
		Pad(dst, src, PadParams{1, 2, 7}, pad);
		for (uint32_t i = 0; i < 2; i++)
			for (uint32_t k = 0; k < 31; k++)
				EXPECT_EQ(float(dst.GetValue(i * 32 + k)),
					  k == 0 || k > 28 ? 7.0f
							   : float(src.GetValue(i * 32 + k - 1)));
		UnPad(back, dst, UnPadParams{1, 1}, un_pad);
		EXPECT_EQ(float(back.GetValue(30)), float(src.GetValue(32)));
	});
}

TEST(KernelSort, TopKOfRows)
{
	run_one([](Ub &ub) {
		constexpr uint32_t N = 50, INNER = 64, ROWS = 3;
		const auto values = random_values<float>(ROWS * INNER, 3, -5, 5);
		auto src = ub.put(values), best = ub.make<float>(ROWS * 8);
		auto index = ub.make<int32_t>(ROWS * 8), names = ub.make<int32_t>(N + 6),
		     none = ub.make<int32_t>(8);
		auto finish = ub.make<bool>(32);
		TopkTiling tiling;

		for (uint32_t i = 0; i < N; i++)
			names.SetValue(i, int32_t(1000 + i));
		for (uint32_t i = 0; i < 32; i++)
			finish.SetValue(i, i == 1);
		TopK(best, index, src, none, finish, 5, tiling, {ROWS, INNER, N});
		for (uint32_t i = 0; i < ROWS; i++) {
			std::vector<int32_t> order(N);
			const float *row = &values[i * INNER];

			std::iota(order.begin(), order.end(), 0);
			std::stable_sort(order.begin(), order.end(),
					 [=](int32_t a, int32_t b) { return row[a] > row[b]; });
			for (uint32_t k = 0; k < 5; k++) {
				EXPECT_EQ(index.GetValue(i * 8 + k), order[k]);
				EXPECT_EQ(best.GetValue(i * 8 + k), row[order[k]]);
			}
		}
		TopK<float, true, true>(best, index, src, names, finish, 1, tiling,
					{ROWS, INNER, N}, false);
		const float *row = &values[2 * INNER];

		EXPECT_EQ(best.GetValue(16), *std::min_element(row, row + N));
		EXPECT_EQ(index.GetValue(16), 1000 + (std::min_element(row, row + N) - row));
		EXPECT_EQ(index.GetValue(8), int32_t(N));
	});
}
