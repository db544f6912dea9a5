// SPDX-License-Identifier: MIT
/*
 * DOC: The cube unit by hand, and the instructions that turn blocks.
 */
#include "tests/kernels/language/ub.h"

#include <cstring>

using namespace AscendC;
using namespace kernel_test;

namespace {

/* What a product by hand computes. */
struct Product {
	uint32_t m, n, k;

	uint32_t rows() const { return AlignUp(m, 16u); }
	uint32_t columns() const { return AlignUp(n, 16u); }
	template <class T> uint32_t depth() const { return AlignUp(k, uint32_t(32 / sizeof(T))); }
};

/* A matrix row by row from global memory to L1. */
template <class T>
void load_l1(const LocalTensor<T> &dst, T *matrix, uint32_t rows, uint32_t columns, uint32_t padded)
{
	GlobalTensor<T> src;

	src.SetGlobalBuffer(matrix);
	DataCopy(dst, src, Nd2NzParams(1, rows, columns, 0, columns, padded, 1, 0));
}

/* A (m x k) as rows of fractals. */
template <class T>
void split_a(const LocalTensor<T> &a2, const LocalTensor<T> &a1, const Product &of)
{
	constexpr uint32_t width = 32 / sizeof(T);
	const uint32_t down = of.rows() / 16, across = of.depth<T>() / width;

	for (uint32_t i = 0; i < down; i++)
		LoadData(a2[i * across * 16 * width], a1[i * 16 * width],
			 LoadData2DParams(0, across, down, 0, 0, false, 0));
}

/* B (k x n) as rows of fractals, each of them turned. */
template <class T>
void split_b(const LocalTensor<T> &b2, const LocalTensor<T> &b1, const Product &of)
{
	const uint32_t down = of.depth<T>() / 16, across = of.columns() / 16;

	for (uint32_t i = 0; i < down; i++)
		LoadData(b2[i * across * 256], b1[i * 256],
			 LoadData2DParams(0, across, down, 0, 0, true, 0));
}
/* Of float a square is two fractals side by side, which lie below each other when they are turned. */
void split_b(const LocalTensor<float> &b2, const LocalTensor<float> &b1, const Product &of)
{
	const uint32_t down = AlignUp(of.k, 16u) / 16, across = of.columns() / 16;

	for (uint32_t i = 0; i < down; i++)
		LoadDataWithTranspose(b2[i * across * 256], b1[i * across * 256],
				      LoadData2dTransposeParams(0, across, 1, 0, across - 1, 0));
}

/* B in L1: columns of fractals, of float those of 16 rows each. */
template <class T> void load_b(const LocalTensor<T> &b1, T *matrix, const Product &of)
{
	const uint32_t rows = AlignUp(of.k, 16u);
	const uint32_t step = sizeof(T) == 4 ? 16 : rows;

	memset(static_cast<void *>(b1.data()), 0, b1.GetLength()); /* rows behind k count as 0 */
	for (uint32_t row = 0; row < rows; row += step)
		load_l1(b1[row * of.columns()], matrix + row * of.n, std::min(step, of.k - row),
			of.n, step);
}

template <class T, class C>
std::vector<double> expected(const std::vector<T> &a, const std::vector<T> &b, const Product &of)
{
	std::vector<double> c(size_t(of.m) * of.n);

	for (uint32_t i = 0; i < of.m; i++)
		for (uint32_t j = 0; j < of.n; j++)
			for (uint32_t k = 0; k < of.k; k++)
				c[i * of.n + j] += double(float(a[i * of.k + k])) *
						   double(float(b[k * of.n + j]));
	return c;
}

template <class T> void check_by_hand(const Product &of)
{
	BlockHost host(3);
	const auto a = random_values<T>(of.m * of.k, 1, -3, 3);
	const auto b = random_values<T>(of.k * of.n, 2, -3, 3);
	T *in_a = host.make(a), *in_b = host.make(b);
	float *out = host.zeros<float>(of.m * of.n);
	half *out_half = host.zeros<half>(of.m * of.n);

	host.type = KERNEL_TYPE_AIC_ONLY;
	ASSERT_TRUE(host.run(
		1,
		[&] {
			TPipe pipe;
			TQue<TPosition::A1, 1> a1_queue;
			TQue<TPosition::B1, 1> b1_queue;
			TQue<TPosition::A2, 1> a2_queue;
			TQue<TPosition::B2, 1> b2_queue;
			TQue<TPosition::CO1, 1> c_queue;
			GlobalTensor<float> c;
			GlobalTensor<half> c_half;

			pipe.InitBuffer(a1_queue, 1, of.rows() * of.depth<T>() * sizeof(T));
			pipe.InitBuffer(b1_queue, 1, AlignUp(of.k, 16u) * of.columns() * sizeof(T));
			pipe.InitBuffer(a2_queue, 1, of.rows() * of.depth<T>() * sizeof(T));
			pipe.InitBuffer(b2_queue, 1, AlignUp(of.k, 16u) * of.columns() * sizeof(T));
			pipe.InitBuffer(c_queue, 1, of.rows() * of.columns() * sizeof(float));
			auto a1 = a1_queue.AllocTensor<T>();
			auto b1 = b1_queue.AllocTensor<T>();

			load_l1(a1, in_a, of.m, of.k, of.rows());
			load_b(b1, in_b, of);
			a1_queue.EnQue(a1);
			b1_queue.EnQue(b1);
			a1 = a1_queue.DeQue<T>();
			b1 = b1_queue.DeQue<T>();
			auto a2 = a2_queue.AllocTensor<T>();
			auto b2 = b2_queue.AllocTensor<T>();

			split_a(a2, a1, of);
			split_b(b2, b1, of);
			a2_queue.EnQue(a2);
			b2_queue.EnQue(b2);
			a2 = a2_queue.DeQue<T>();
			b2 = b2_queue.DeQue<T>();
			auto sums = c_queue.AllocTensor<float>();
			MmadParams params;

			params.m = uint16_t(of.m);
			params.n = uint16_t(of.n);
			params.k = uint16_t(of.k);
			Mmad(sums, a2, b2, params);
			params.cmatrixInitVal = false; /* once more on top */
			Mmad(sums, a2, b2, params);
			c_queue.EnQue(sums);
			sums = c_queue.DeQue<float>();
			c.SetGlobalBuffer(out);
			c_half.SetGlobalBuffer(out_half);
			FixpipeParamsV220 fix(of.n, of.m, of.rows(), of.n, false);

			Fixpipe(c, sums, fix);
			fix.quantPre = F322F16;
			fix.reluEn = true;
			Fixpipe(c_half, sums, fix);
		}))
		<< host.failure().sentence << host.failure().line;
	const auto wanted = expected<T, float>(a, b, of);

	for (size_t i = 0; i < wanted.size(); i++) {
		ASSERT_NEAR(double(out[i]), 2 * wanted[i], 1e-3) << i;
		ASSERT_EQ(float(out_half[i]), float(half(std::max(out[i], 0.0f)))) << i;
	}
}

} // namespace

TEST(KernelCube, ProductsByHand)
{
	check_by_hand<half>({32, 48, 64});
	check_by_hand<half>({20, 24, 40});
	check_by_hand<half>({7, 40, 72});
	check_by_hand<bfloat16_t>({16, 16, 32});
	check_by_hand<float>({32, 32, 48});
	check_by_hand<float>({20, 16, 24});
}

TEST(KernelCube, RowOfInt8WithBiasAndScales)
{
	BlockHost host(1);
	constexpr uint32_t N = 32, K = 64;
	const auto a = random_values<int8_t>(K, 1, -30, 30),
		   b = random_values<int8_t>(K * N, 2, -30, 30);
	const auto bias = random_values<int32_t>(N, 3);
	half *out = host.zeros<half>(N);
	half *out_scales = host.zeros<half>(N);
	half *out_nz = host.zeros<half>(N);

	host.type = KERNEL_TYPE_AIC_ONLY;
	ASSERT_TRUE(host.run(1, [&] {
		LocalMemAllocator<Hardware::L1> l1;
		LocalMemAllocator<Hardware::L0A> l0a;
		LocalMemAllocator<Hardware::L0B> l0b;
		LocalMemAllocator<Hardware::L0C> l0c;
		auto a2 = l0a.Alloc<int8_t, K>();
		auto b2 = l0b.Alloc<TPosition::B2, int8_t>(K * N);
		auto c2 = l0b.Alloc<TPosition::C2, int32_t, N>();
		auto c = l0c.Alloc<int32_t>(16 * N);
		auto scales = l1.Alloc<TPosition::A1, uint64_t>(N);
		GlobalTensor<half> gm;
		FixpipeParamsV220 fix(N, 1, 16, N, false, DEQF16,
				      unpu::lang::cast_bits<uint32_t>(0.5f));

		std::copy(a.begin(), a.end(), a2.data());
		std::copy(bias.begin(), bias.end(), c2.data());
		for (uint32_t k = 0; k < K; k++) /* columns of a fractal are 32 bytes */
			for (uint32_t j = 0; j < N; j++)
				b2.data()[(k / 32 * (N / 16) + j / 16) * 512 + j % 16 * 32 +
					  k % 32] = b[k * N + j];
		for (uint32_t j = 0; j < N; j++)
			scales.SetValue(j, unpu::lang::cast_bits<uint32_t>(float(j)));
		Mmad(c, a2, b2, c2, MmadParams(1, N, K, 0, false, true));
		gm.SetGlobalBuffer(out);
		Fixpipe(gm, c, fix);
		fix.quantPre = VDEQF16;
		gm.SetGlobalBuffer(out_scales);
		Fixpipe(gm, c, scales, fix);
		fix.quantPre = DEQF16;
		fix.dstStride = 1;
		gm.SetGlobalBuffer(out_nz);
		Fixpipe<half, int32_t, CFG_NZ>(gm, c, fix);
		EXPECT_EQ(l0b.GetCurAddr(), K * N + N * 4);
	})) << host.failure().sentence;
	for (uint32_t j = 0; j < N; j++) {
		int32_t sum = bias[j];

		for (uint32_t k = 0; k < K; k++)
			sum += int32_t(a[k]) * b[k * N + j];
		EXPECT_EQ(float(out[j]), float(half(float(sum) * 0.5f))) << j;
		EXPECT_EQ(float(out_scales[j]), float(half(float(sum) * float(j)))) << j;
		EXPECT_EQ(float(out_nz[j]), float(out[j])) << j;
	}
}

TEST(KernelCube, OlderParametersOfFixpipe)
{
	constexpr uint32_t M = 20, N = 32, ROWS = 32; /* in L0C */
	BlockHost host(1);
	float *rows = host.zeros<float>(M * N);
	half *columns = host.zeros<half>(2 * (M + 1) * 16);

	host.type = KERNEL_TYPE_AIC_ONLY;
	ASSERT_TRUE(host.run(1, [&] {
		LocalMemAllocator<Hardware::L0C> l0c;
		auto sums = l0c.Alloc<float>(ROWS * N);
		GlobalTensor<float> gm;
		GlobalTensor<half> gm_half;

		for (uint32_t i = 0; i < M; i++)
			for (uint32_t j = 0; j < N; j++)
				sums.data()[(j / 16 * ROWS + i) * 16 + j % 16] = float(i * N + j);
		gm.SetGlobalBuffer(rows);
		FixpipeParams<float> older(N / 16, M * 2, (ROWS - M) * 2, N);
		older.nz2ndParams = {true, 1, 0, 0, N};
		Fixpipe(gm, sums, older);

		/* A block is left out between the columns of fractals. */
		gm_half.SetGlobalBuffer(columns);
		older.nz2ndParams.nz2ndEn = false;
		older.quantParams = {F322F16};
		older.dstStride = 1;
		Fixpipe(gm_half, sums, older);
	})) << host.failure().sentence;
	for (uint32_t i = 0; i < M; i++)
		for (uint32_t j = 0; j < N; j++) {
			EXPECT_EQ(rows[i * N + j], float(i * N + j));
			EXPECT_EQ(float(columns[(j / 16 * (M + 1) + i) * 16 + j % 16]),
				  float(i * N + j));
		}
}

TEST(KernelCube, FixpipeToL1)
{
	constexpr uint32_t M = 16, N = 32;
	BlockHost host(1);
	std::vector<float> seen(3 * M * N);

	host.type = KERNEL_TYPE_AIC_ONLY;
	ASSERT_TRUE(host.run(1, [&] {
		LocalMemAllocator<Hardware::L0C> l0c;
		LocalMemAllocator<Hardware::L1> l1;
		auto sums = l0c.Alloc<int32_t>(M * N);
		auto scales = l1.Alloc<TPosition::A1, uint64_t>(N);
		auto newer = l1.Alloc<TPosition::A1, half>(M * N);
		auto older = l1.Alloc<TPosition::A1, half>(M * N);
		auto scaled = l1.Alloc<TPosition::A1, half>(M * N);

		for (uint32_t i = 0; i < M * N; i++)
			sums.data()[i] = int32_t(i);
		for (uint32_t j = 0; j < N; j++)
			scales.SetValue(j, unpu::lang::cast_bits<uint32_t>(float(j)));
		const uint64_t half_of = unpu::lang::cast_bits<uint32_t>(0.5f);
		FixpipeParamsV220 params(N, M, M, M, false, DEQF16, half_of);
		Fixpipe<half, int32_t, CFG_NZ>(newer, sums, params);
		FixpipeParams<int32_t> old_params(N / 16, M * 2, 0, 0);
		old_params.quantParams = {DEQF16, half_of};
		Fixpipe(older, sums, old_params);
		params.quantPre = VDEQF16;
		Fixpipe<half, int32_t, CFG_NZ>(scaled, sums, scales, params);
		for (uint32_t i = 0; i < M * N; i++) {
			seen[i] = float(newer.data()[i]);
			seen[M * N + i] = float(older.data()[i]);
			seen[2 * M * N + i] = float(scaled.data()[i]);
		}
	})) << host.failure().sentence;
	for (uint32_t i = 0; i < M * N; i++) {
		const uint32_t column = i / (M * 16) * 16 + i % 16;

		EXPECT_EQ(seen[i], float(half(float(i) * 0.5f))) << i;
		EXPECT_EQ(seen[M * N + i], seen[i]) << i;
		EXPECT_EQ(seen[2 * M * N + i], float(half(float(i) * float(column)))) << i;
	}
}

TEST(KernelCube, FillsWithANumber)
{
	BlockHost host(3);

	host.type = KERNEL_TYPE_AIC_ONLY;
	ASSERT_TRUE(host.run(1, [&] {
		LocalTensor<half> l1(TPosition::A1, 0, 64), l0(TPosition::A2, 0, 1024);

		memset(static_cast<void *>(l1.data()), 0, 128);
		memset(static_cast<void *>(l0.data()), 0, 2048);
		/* Two blocks of 32 bytes, one that is left out, and two again: one of them is outside. */
		InitConstValue(l1, InitConstValueParams<half>(2, 1, 1, half(2.0f)));
		InitConstValue(l0, InitConstValueParams<half>(2, 1, 2, half(-1.0f)));
		for (uint32_t i = 0; i < 64; i++)
			EXPECT_EQ(float(l1.data()[i]), i / 16 % 2 == 0 && i < 48 ? 2.0f : 0.0f)
				<< i;
		for (uint32_t i = 0; i < 1024; i++)
			EXPECT_EQ(float(l0.data()[i]), i / 256 % 3 == 0 ? -1.0f : 0.0f) << i;
		LoadData2dParams spelled;
		spelled.repeatTimes = 1;
		EXPECT_EQ(spelled.repeatTimes, 1);
	})) << host.failure().sentence;
}

/* Loads that skip fractals, go down, come from global memory, and turn squares of bytes. */
TEST(KernelCube, LoadsOfFractals)
{
	BlockHost host(1);
	auto values = random_values<int16_t>(4 * 256);
	half *gm = host.make(std::vector<half>(4 * 256));

	memcpy(static_cast<void *>(gm), values.data(), 4 * 512);
	host.type = KERNEL_TYPE_AIC_ONLY;
	ASSERT_TRUE(host.run(1, [&] {
		LocalTensor<half> a1(TPosition::A1, 0, 1024), a2(TPosition::A2, 0, 1024);
		LocalTensor<int8_t> bytes(TPosition::B1, 4096, 1024),
			turned(TPosition::B2, 0, 2048);
		GlobalTensor<half> src;

		src.SetGlobalBuffer(gm);
		memcpy(a1.address_.absAddr, gm, 2048);
		LoadData(a2, a1, LoadData2DParams(3, 2, 2, 0, 1, false, 1));
		EXPECT_EQ(memcmp(a2.data(), gm + 3 * 256, 512), 0);
		EXPECT_EQ(memcmp(a2.data() + 512, gm + 256, 512), 0);
		LoadData(a2, src, LoadData2DParams(1, 3, 1, 0, 0, false, 0));
		EXPECT_EQ(memcmp(a2.data(), gm + 256, 3 * 512), 0);
		for (uint32_t i = 0; i < 1024; i++)
			bytes.SetValue(i, int8_t(i % 127));
		LoadDataWithTranspose(turned, bytes, LoadData2dTransposeParams(0, 1, 1, 0, 1));
		for (uint32_t i = 0; i < 32; i++)
			for (uint32_t j = 0; j < 32; j++)
				ASSERT_EQ(turned.GetValue(j / 16 * 1024 + j % 16 * 32 + i),
					  bytes.GetValue(i * 32 + j));
	})) << host.failure().sentence;
}

TEST(KernelTranspose, SquaresAndLists)
{
	run_one([](Ub &ub) {
		auto src = ub.put(random_values<half>(512));
		auto dst = ub.make<half>(512);
		LocalTensor<half> from[16], to[16];

		Transpose(dst, src);
		for (uint32_t i = 0; i < 256; i++)
			ASSERT_EQ(float(dst.GetValue(i % 16 * 16 + i / 16)),
				  float(src.GetValue(i)));
		for (uint32_t i = 0; i < 16; i++) {
			from[i] = src[i * 16];
			to[i] = dst[i * 32];
		}
		TransDataTo5HD(to, from, TransDataTo5HDParams(false, false, 2, 1, 16));
		for (uint32_t i = 0; i < 512; i++) /* repeat, row, column */
			ASSERT_EQ(float(dst.GetValue(i % 16 * 32 + i / 256 * 16 + i / 16 % 16)),
				  float(src.GetValue(i)));
	});
}

TEST(KernelTranspose, ListsOfOtherWidths)
{
	run_one([](Ub &ub) {
		auto words = ub.put(random_values<int32_t>(128));
		auto turned = ub.make<int32_t>(128);
		auto bytes = ub.put(random_values<int8_t>(512));
		auto high = ub.put(std::vector<int8_t>(512, 99));
		uint64_t from[16], to[16];

		for (uint32_t i = 0; i < 16; i++) {
			from[i] = words[i * 8].GetPhyAddr();
			to[i] = turned[i * 8].GetPhyAddr();
		}
		TransDataTo5HD<int32_t>(to, from, TransDataTo5HDParams(false, false, 1, 0, 0));
		for (uint32_t i = 0; i < 128; i++)
			ASSERT_EQ(turned.GetValue(i % 8 * 16 + i / 8), words.GetValue(i));
		auto from_list = ub.make<uint64_t>(16), to_list = ub.make<uint64_t>(16);

		for (uint32_t i = 0; i < 16; i++) {
			from_list.SetValue(i, bytes[i * 32].GetPhyAddr());
			to_list.SetValue(i, high[i * 32].GetPhyAddr());
		}
		TransDataTo5HD<int8_t>(to_list, from_list,
				       TransDataTo5HDParams(true, false, 1, 0, 0));
		for (uint32_t i = 0; i < 16; i++)
			for (uint32_t j = 0; j < 16; j++) {
				ASSERT_EQ(high.GetValue(j * 32 + 16 + i),
					  bytes.GetValue(i * 32 + j));
				ASSERT_EQ(high.GetValue(j * 32 + i), 99);
			}
	});
}

TEST(KernelDataCopy, SlicesOfTwoDimensions)
{
	BlockHost host(3);
	const auto values = random_values<float>(3 * 87);
	float *in = host.make(values), *out = host.zeros<float>(3 * 87);

	ASSERT_TRUE(host.run(1, [&] {
		TPipe pipe;
		TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
		GlobalTensor<float> src, dst;
		SliceInfo whole[] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}};
		SliceInfo part[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};

		src.SetGlobalBuffer(in);
		dst.SetGlobalBuffer(out);
		pipe.InitBuffer(queue, 1, 96 * sizeof(float));
		auto t = queue.AllocTensor<float>();

		DataCopy(t, src, part, whole, 2);
		queue.EnQue(t);
		t = queue.DeQue<float>();
		DataCopy(dst, t, whole, part, 2);
		queue.FreeTensor(t);
	})) << host.failure().sentence;
	for (uint32_t i = 0; i < 3 * 87; i++) {
		const uint32_t at = i % 87;
		const bool is_part =
			i / 87 != 1 && ((at >= 16 && at < 40) || (at >= 47 && at < 71));

		ASSERT_EQ(out[i], is_part ? values[i] : 0.0f) << i;
	}
}

TEST(KernelSync, VcaddSumsRepeatsUnderTheMask)
{
	run_one([](Ub &ub) {
		auto src = ub.put(std::vector<float>(128, 1.0f));
		auto dst = ub.make<float>(8);

		SetVectorMask<float>(0, (1ull << get_imm(10)) - 1);
		vcadd(reinterpret_cast<__ubuf__ float *>(dst.GetPhyAddr()),
		      reinterpret_cast<__ubuf__ float *>(src.GetPhyAddr()), 2, 1, 1, 8, false);
		ResetMask();
		EXPECT_EQ(dst.GetValue(0), 10.0f);
		EXPECT_EQ(dst.GetValue(1), 10.0f);
	});
}
