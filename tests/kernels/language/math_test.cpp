// SPDX-License-Identifier: MIT
/*
 * DOC: High-level functions, and matrix products.
 */
#include "ub.h"

using namespace AscendC;
using namespace kernel_test;

#define CHECK_FUNCTION(Name, expression) \
	run_one([](Ub &ub) { \
		auto src = ub.put(random_values<float>(100, 3, 0, 1)); \
		auto in_half = ub.put(random_values<half>(100, 3, 0, 1)); \
		auto dst = ub.make<float>(100); \
		auto tmp = ub.make<uint8_t>(1024); \
		auto out_half = ub.make<half>(100); \
		Name(dst, src, tmp, 90); \
		Name(out_half, in_half); \
		for (uint32_t i = 0; i < 90; i++) { \
			const float x = src.GetValue(i); \
			ASSERT_FLOAT_EQ(dst.GetValue(i), float(expression)) << #Name << x; \
			ASSERT_NEAR(float(out_half.GetValue(i)), float(expression), 2e-3f) \
				<< #Name << x; \
		} \
	})

TEST(KernelMath, FunctionsOfElements)
{
	CHECK_FUNCTION(Sin, std::sin(x));
	CHECK_FUNCTION(Cos, std::cos(x));
	CHECK_FUNCTION(Tan, std::tan(x));
	CHECK_FUNCTION(Atan, std::atan(x));
	CHECK_FUNCTION(Tanh, std::tanh(x));
	CHECK_FUNCTION(Sigmoid, 1 / (1 + std::exp(-x)));
	CHECK_FUNCTION(Floor, std::floor(x));
	CHECK_FUNCTION(Ceil, std::ceil(x));
	CHECK_FUNCTION(Round, std::nearbyint(x));
	CHECK_FUNCTION(Trunc, std::trunc(x));
	CHECK_FUNCTION(Sign, x > 0 ? 1 : 0);
	CHECK_FUNCTION(Silu, x / (1 + std::exp(-x)));
	CHECK_FUNCTION(Erf, std::erf(x));
	CHECK_FUNCTION(Gelu,
		       0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x))));
}

TEST(KernelMath, PowerClampFmodAndSwiGlu)
{
	run_one([](Ub &ub) {
		auto a = ub.put<float>({1, 2, 3, 4, 5, 6, 7, 8});
		auto b = ub.put<float>({2, 2, 2, 2, 0.5f, 3, 1, 0});
		auto dst = ub.make<float>(8);
		auto tmp = ub.make<uint8_t>(256);

		Power(dst, a, b);
		EXPECT_FLOAT_EQ(dst.GetValue(5), 216.0f);
		Power<float>(dst, a, 2.0f, 8);
		EXPECT_FLOAT_EQ(dst.GetValue(6), 49.0f);
		Power<float>(dst, 2.0f, a, 8);
		EXPECT_FLOAT_EQ(dst.GetValue(6), 128.0f);
		ClampMin(dst, a, tmp, 3.0f, 8);
		EXPECT_EQ(dst.GetValue(0), 3.0f);
		ClampMax(dst, a, tmp, 3.0f, 8);
		EXPECT_EQ(dst.GetValue(7), 3.0f);
		Fmod(dst, a, b, 6);
		EXPECT_EQ(dst.GetValue(2), 1.0f);
		SwiGLU(dst, a, b, 1.5f, 8);
		EXPECT_FLOAT_EQ(dst.GetValue(2), 3 * 2 / (1 + std::exp(-3.0f)));
		Log(dst, a, 8);
		EXPECT_FLOAT_EQ(dst.GetValue(7), std::log(8.0f));
	});
}

constexpr CumSumConfig along_columns = {false, false, true};

TEST(KernelMath, SumsOfRows)
{
	run_one([](Ub &ub) {
		auto values = random_values<float>(48);
		auto src = ub.put(values);
		auto dst = ub.make<float>(48);
		auto last = ub.make<float>(16);

		Sum(dst, src, {3, 16, 10});
		float sum = 0;

		for (int i = 32; i < 42; i++)
			sum += values[size_t(i)];
		EXPECT_FLOAT_EQ(dst.GetValue(2), sum);
		CumSum(dst, last, src, {3, 16});
		EXPECT_FLOAT_EQ(dst.GetValue(41), sum);
		EXPECT_EQ(last.GetValue(15), dst.GetValue(47));
		CumSum<float, along_columns>(dst, last, src, {3, 16});
		EXPECT_FLOAT_EQ(dst.GetValue(33), values[1] + values[17] + values[33]);
	});
}

TEST(KernelMath, BroadcastOfBothAxes)
{
	run_one([](Ub &ub) {
		auto row = ub.put(random_values<half>(16));
		auto column = ub.put(random_values<half>(16, 2));
		auto dst = ub.make<half>(256);
		const uint32_t to[] = {16, 16}, of_row[] = {1, 16}, of_column[] = {16, 1};

		Broadcast<half, 2, 0>(dst, row, to, of_row);
		EXPECT_EQ(float(dst.GetValue(37)), float(row.GetValue(5)));
		BroadCast<half, 2, 1>(dst, column, to, of_column);
		EXPECT_EQ(float(dst.GetValue(37)), float(column.GetValue(2)));
	});
}

TEST(KernelMath, SoftMaxOfRows)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<float>(32, 3, -2, 2));
		auto dst = ub.make<float>(32);
		auto sum = ub.make<float>(16);
		auto max = ub.make<float>(16);
		SoftMaxTiling tiling;
		float total = 0;

		SoftMax(dst, sum, max, src, tiling, {2, 16, 2, 16});
		for (uint32_t i = 16; i < 32; i++)
			total += dst.GetValue(i);
		EXPECT_FLOAT_EQ(total, 1.0f);
		EXPECT_FLOAT_EQ(dst.GetValue(20) / dst.GetValue(21),
				std::exp(src.GetValue(20) - src.GetValue(21)));
		auto again = ub.make<float>(32);
		auto work = ub.make<uint8_t>(32);
		const auto is_same = [&] {
			for (uint32_t i = 0; i < 32; i++) {
				ASSERT_EQ(again.GetValue(i), dst.GetValue(i)) << i;
				again.SetValue(i, 0);
			}
		};
		const SoftMaxShapeInfo shape = {2, 16, 2, 16};

		SoftMax<float, false, false, false, SOFTMAX_DEFAULT_CFG>(again, sum, max, src, work,
									 tiling, shape);
		is_same();
		SoftMax<float>(again, src, tiling, shape);
		is_same();
		SoftMax<float>(again, src, work, tiling, shape);
		is_same();
		SimpleSoftMax<float>(again, sum, max, src, tiling, shape);
		is_same();
		SimpleSoftMax<float>(again, sum, max, src, work, tiling, shape);
		is_same();
	});
}

/* A product of M x K and K x N with a bias, on two blocks that share the rows. */
template <class T, class C, bool transposed_b> static void check_product(bool is_iterated)
{
	constexpr int M = 40, N = 72, K = 100;
	using AType = MatmulType<TPosition::GM, CubeFormat::ND, T>;
	using BType = MatmulType<TPosition::GM, CubeFormat::ND, T, transposed_b>;
	using CType = MatmulType<TPosition::GM, CubeFormat::ND, C>;
	BlockHost host(3);
	const auto a = random_values<T>(M * K, 1, -4, 4);
	const auto b = random_values<T>(K * N, 2, -4, 4);
	const auto bias = random_values<C>(N, 3, -4, 4);
	T *in_a = host.make(a), *in_b = host.make(b);
	C *in_bias = host.make(bias), *out = host.zeros<C>(M * N);
	TCubeTiling tiling;

	tiling.usedCoreNum = 2;
	tiling.M = M;
	tiling.N = N;
	tiling.Ka = tiling.Kb = tiling.singleCoreK = K;
	tiling.singleCoreM = M / 2;
	tiling.singleCoreN = N;
	tiling.baseM = 16;
	tiling.baseN = 32;
	host.type = KERNEL_TYPE_MIX_AIC_1_1;
	ASSERT_TRUE(host.run(2, [&] {
		TPipe pipe;
		Matmul<AType, BType, CType, CType> product;
		GlobalTensor<T> tensor_a, tensor_b;
		GlobalTensor<C> tensor_bias, tensor_c;
		const int64_t first = GetBlockIdx() * M / 2;

		REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
		tensor_a.SetGlobalBuffer(in_a + first * K);
		tensor_b.SetGlobalBuffer(in_b);
		tensor_bias.SetGlobalBuffer(in_bias);
		tensor_c.SetGlobalBuffer(out + first * N);
		product.SetTensorA(tensor_a);
		product.SetTensorB(tensor_b, transposed_b);
		product.SetBias(tensor_bias);
		if (!is_iterated) {
			product.IterateAll(tensor_c);
		} else {
			while (product.template Iterate<true>())
				product.template GetTensorC<true>(tensor_c);
		}
		product.End();
	})) << host.failure().sentence;
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++) {
			double sum = double(float(bias[size_t(j)]));

			for (int k = 0; k < K; k++)
				sum += double(float(a[size_t(i * K + k)])) *
				       double(float(
					       b[size_t(transposed_b ? j * K + k : k * N + j)]));
			ASSERT_NEAR(double(float(out[i * N + j])), sum, std::abs(sum) * 1e-3 + 1e-2)
				<< i << " " << j;
		}
	}
}

TEST(KernelMatmul, ProductsOfAllTypes)
{
	check_product<half, float, false>(false);
	check_product<half, half, true>(true);
	check_product<float, float, true>(false);
	check_product<bfloat16_t, float, false>(true);
	check_product<int8_t, int32_t, false>(false);
}

/* iterateOrder 0: down the columns of tiles; 1: along the rows. */
TEST(KernelMatmul, TilesFollowTheOrderOfTheTiling)
{
	constexpr int M = 32, N = 48, K = 16;

	for (int order : {0, 1}) {
		BlockHost host;
		float *a = host.zeros<float>(M * K), *b = host.zeros<float>(K * N);
		float *out = host.zeros<float>(M * N);
		TCubeTiling tiling;

		for (int i = 0; i < M; i++)
			a[i * K] = float(i);
		for (int j = 0; j < N; j++)
			b[j] = float(100 * j + 1);
		tiling.M = tiling.singleCoreM = M;
		tiling.N = tiling.singleCoreN = N;
		tiling.Ka = tiling.Kb = tiling.singleCoreK = K;
		tiling.baseM = tiling.baseN = 16;
		tiling.iterateOrder = order;
		ASSERT_TRUE(host.run(1, [&] {
			using Type = MatmulType<TPosition::GM, CubeFormat::ND, float>;
			TPipe pipe;
			Matmul<Type, Type, Type> product;
			GlobalTensor<float> tensor_a, tensor_b, tensor_c;
			uint64_t tiles = 0;

			REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
			tensor_a.SetGlobalBuffer(a);
			tensor_b.SetGlobalBuffer(b);
			tensor_c.SetGlobalBuffer(out);
			product.SetTensorA(tensor_a);
			product.SetTensorB(tensor_b);
			while (product.Iterate())
				product.GetTensorC(tensor_c[256 * tiles++], 0, true);
		})) << host.failure().sentence;
		for (int tile = 0; tile < 6; tile++) {
			const int row = (order ? tile / 3 : tile % 2) * 16;
			const int column = (order ? tile % 3 : tile / 2) * 16;

			EXPECT_EQ(out[tile * 256 + 17], float((row + 1) * (100 * (column + 1) + 1)))
				<< "order " << order << " tile " << tile;
		}
	}
}

TEST(KernelMatmul, LocalTensorsTailsAndAtomics)
{
	run_one([](Ub &ub) {
		using Type = MatmulType<TPosition::VECCALC, CubeFormat::ND, float>;
		auto a = ub.put(std::vector<float>(16 * 8, 1.0f));
		auto b = ub.put(std::vector<float>(8 * 16, 2.0f));
		auto c = ub.put(std::vector<float>(16 * 16, 100.0f));
		Matmul<Type, Type, Type> product;
		TCubeTiling tiling;

		tiling.M = tiling.N = tiling.singleCoreM = tiling.singleCoreN = tiling.baseM =
			tiling.baseN = 16;
		tiling.Ka = tiling.Kb = tiling.singleCoreK = 8;
		product.Init(&tiling);
		product.SetTensorA(a);
		product.SetTensorB(b);
		product.IterateAll(c, 1);
		EXPECT_EQ(c.GetValue(255), 116.0f);
		product.SetTail(2, 16, 8);
		product.IterateAll(c);
		EXPECT_EQ(c.GetValue(31), 16.0f);
		EXPECT_EQ(c.GetValue(32), 116.0f);
	});
}
