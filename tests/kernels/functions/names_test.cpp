// SPDX-License-Identifier: MIT
/*
 * DOC: Names that no other test uses: constants, types of parameters, macros, and functions of elements.
 */
#include "tests/kernels/language/ub.h"

#include "lib/hccl/hccl.h"

using namespace AscendC;
using namespace kernel_test;

#define EXPECT_FUNCTION(Name, expression) \
	run_one([](Ub &ub) { \
		auto src = \
			ub.put<float>({0.125f, 0.25f, 0.375f, 0.5f, 0.625f, 0.75f, 0.875f, 0.9f}); \
		auto dst = ub.make<float>(8); \
\
		Name(dst, src, 8); \
		for (uint32_t i = 0; i < 8; i++) { \
			const float x = src.GetValue(i); \
\
			EXPECT_FLOAT_EQ(dst.GetValue(i), float(expression)) << #Name << x; \
		} \
	})

/* Kernels have functions of their own whose names the language has too, and unpu has not. */
static float Mean(const float *numbers, int64_t count)
{
	return (numbers[0] + numbers[1]) / static_cast<float>(count);
}
template <class T> static void Normalize(const LocalTensor<T> &tensor, T by, int32_t count)
{
	Muls(tensor, tensor, by, count);
}

TEST(KernelNames, AnOwnFunctionIsTakenBeforeAMissingOne)
{
	run_one([](Ub &ub) {
		auto tensor = ub.put<float>({1, 2, 3, 4, 5, 6, 7, 8});
		const float numbers[2] = {2, 4};

		Normalize(tensor, Mean(numbers, 2), 8);
		Normalize<float>(tensor, 2, 8);
		EXPECT_EQ(tensor.GetValue(7), 48.0f);
	});
}

TEST(KernelNames, FunctionsWithBuffersAndConfigurations)
{
	run_one([](Ub &ub) {
		auto src = ub.put<float>({1, 2, 3, 4, 5, 6, 7, 8});
		auto dst = ub.put<float>({1, 1, 1, 1, 1, 1, 1, 1});
		auto work = ub.make<uint8_t>(32);
		TQueSync<PIPE_V, PIPE_S> flags;

		Axpy<float, float>(dst, src, 2.0f, work, 8);
		flags.SetFlag(EVENT_ID0);
		flags.WaitFlag(EVENT_ID0);
		EXPECT_EQ(dst.GetValue(7), 17.0f);
		Exp<float, 15, true>(dst, src, work, 8);
		EXPECT_FLOAT_EQ(dst.GetValue(2), std::exp(3.0f));
		Exp<float, 10>(dst, src, 4);
		EXPECT_FLOAT_EQ(dst.GetValue(3), std::exp(4.0f));
		Power(dst, src, 2.0f, work);
		EXPECT_FLOAT_EQ(dst.GetValue(4), 25.0f);
		Power(dst, 2.0f, src, work);
		EXPECT_FLOAT_EQ(dst.GetValue(4), 32.0f);
		Gelu<float, false, true>(dst, src, work, 8);
		EXPECT_NEAR(dst.GetValue(0), 0.8412f, 1e-4f);
	});
}

TEST(KernelNames, FunctionsOfElements)
{
	EXPECT_FUNCTION(Asin, std::asin(x));
	EXPECT_FUNCTION(Acos, std::acos(x));
	EXPECT_FUNCTION(Sinh, std::sinh(x));
	EXPECT_FUNCTION(Cosh, std::cosh(x));
	EXPECT_FUNCTION(Asinh, std::asinh(x));
	EXPECT_FUNCTION(Atanh, std::atanh(x));
	EXPECT_FUNCTION(Erfc, std::erfc(x));
	EXPECT_FUNCTION(Log2, std::log2(x));
	EXPECT_FUNCTION(Log10, std::log10(x));
	EXPECT_FUNCTION(Frac, x - std::trunc(x));
	EXPECT_FUNCTION(FasterGelu, x / (1 + std::exp(-1.702f * x)));
	run_one([](Ub &ub) {
		auto large = ub.put<float>({1, 2, 3, 4, 5, 6, 7, 8});
		auto dst = ub.make<float>(8);

		Acosh(dst, large, 8);
		EXPECT_FLOAT_EQ(dst.GetValue(7), std::acosh(8.0f));
		Swish(dst, large, 8, 2.0f);
		EXPECT_FLOAT_EQ(dst.GetValue(1), 2 / (1 + std::exp(-4.0f)));
		auto a = ub.put<int16_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
		auto b = ub.put(std::vector<int16_t>(16, 5));
		auto bits = ub.make<int16_t>(16);

		Xor(bits, a, b, 16);
		EXPECT_EQ(bits.GetValue(9), 10 ^ 5);
		WholeReduceMin<float>(dst, large, 8, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
		EXPECT_EQ(dst.GetValue(0), 1.0f);
		Sum(dst, large, SumParams{1, 8, 8});
		EXPECT_EQ(dst.GetValue(0), 36.0f);
		LocalTensor<float> scores, none;
		Concat(scores, large, none, 1);
		EXPECT_EQ(scores.GetValue(7), 8.0f);
		auto mask =
			ub.put<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
		auto copy = ub.make<uint8_t>(32);
		SetCmpMask(mask);
		GetCmpMask(copy);
		EXPECT_EQ(copy.GetValue(15), 16);
		TBufHandle handle = large.address_.bufferHandle;
		const TBuffAddr &address = large.address_;
		EXPECT_EQ(handle, address.bufferHandle);
		EXPECT_EQ(AscendCUtils::GetBitSize(1), 8);
	});
}

TEST(KernelNames, GlobalMemory)
{
	BlockHost host;
	float *out = host.zeros<float>(64);

	EXPECT_TRUE(host.run(1, [&] {
		GlobalTensor<float> to;
		GlobalTensor<uint64_t> code;
		Ub ub;

		to.SetGlobalBuffer(out, 64);
		InitGlobalMemory(to, 16, 2.0f);
		DataCachePreload(code, 0);
		SetPadValue<float>(3.0f);
		auto t = ub.make<float>(8);
		DataCopyPad(t, to, DataCopyExtParams{1, 4, 0, 0, 0},
			    DataCopyPadExtParams<float>{true, 0, 7, 4.0f});
		PipeBarrier<PIPE_ALL>();
		DataCopy(to[32], t, 8);
		SetSysWorkspaceForce(reinterpret_cast<uint8_t *>(out));
		EXPECT_EQ(GetTaskRation(), GetTaskRatio());
		EXPECT_EQ(GetDataBlockSizeInBytes(), 32);
		EXPECT_EQ(CountBitsCntSameAsSignBit(-1), 63);
		if ASCEND_IS_NOT_AIC
			to.SetValue(63, 1.0f);
		if ASCEND_IS_NOT_AIV
			to.SetValue(62, 1.0f);
	})) << host.failure().sentence;
	EXPECT_EQ(out[15], 2.0f);
	EXPECT_EQ(out[16], 0.0f);
	EXPECT_EQ(out[32], 2.0f);
	EXPECT_EQ(out[39], 4.0f);
	EXPECT_EQ(out[63], 1.0f);
	EXPECT_EQ(out[62], 0.0f);
}

/* A struct of two numbers in global memory. */
struct TwoNumbers {
	uint32_t first, second;
};

REGISTER_NONE_TILING;
REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", TwoNumbers);

TEST(KernelNames, MacrosOfTiling)
{
	BlockHost host;
	uint32_t *tiling = host.make(std::vector<uint32_t>{7, 9});

	EXPECT_TRUE(host.run(1, [&] {
		GET_TILING_DATA_PTR_WITH_STRUCT(TwoNumbers, all, tiling);
		COPY_TILING_WITH_STRUCT(TwoNumbers, tiling, again);
		EXPECT_EQ(all->first, 7u);
		EXPECT_EQ(again->second, 9u);
		/* As the device's compiler does it: public kernels have such names. */
		int seen = 0;
		ASCENDC_ASSERT((all->first == no_such_name), { seen = 1; });
		EXPECT_EQ(seen, 0);
		GET_TILING_DATA_WITH_STRUCT(TwoNumbers, own, tiling);
		TwoNumbers *changed = &own;
		changed->first++;
		EXPECT_EQ(own.first, 8u);
	})) << host.failure().sentence;
}

TEST(KernelNames, Constants)
{
	EXPECT_EQ(ONE_BLK_SIZE, DEFAULT_C0_SIZE);
	EXPECT_EQ(ONE_BLK_SIZE * DEFAULT_BLK_NUM, ONE_REPEAT_BYTE_SIZE);
	EXPECT_EQ(DEFAULT_BLOCK_SIZE, ONE_REPEAT_BYTE_SIZE);
	EXPECT_EQ(B16_DATA_NUM_PER_BLOCK * 2, ONE_BLK_SIZE);
	EXPECT_EQ(B32_DATA_NUM_PER_BLOCK * 4, ONE_BLK_SIZE);
	EXPECT_EQ(B16_DATA_NUM_PER_REPEAT, ONE_REPEAT_HALF_SIZE);
	EXPECT_EQ(B32_DATA_NUM_PER_REPEAT, ONE_REPEAT_FLOAT_SIZE);
	EXPECT_EQ(ONE_BLK_FLOAT_NUM * 2, ONE_BLK_HALF_NUM);
	EXPECT_EQ(BLOCK_CUBE * BLOCK_CUBE, CUBE_MAX_SIZE);
	EXPECT_EQ(CACHE_LINE_SIZE, 64u);
	EXPECT_EQ(MAX_REPEAT_TIMES, 255u);
	EXPECT_EQ(~FULL_MASK, MASK_PLACEHOLDER);
	EXPECT_EQ(MASK_PLACEHOLDER_LIST[1], 0u);
	EXPECT_EQ(DEFAULT_BLK_STRIDE * DEFAULT_REPEAT_STRIDE, 2 * HALF_DEFAULT_REPEAT_STRIDE);
	EXPECT_EQ(DEFAULT_DATA_COPY_NBURST, 1u);
	EXPECT_EQ(DEFAULT_DATA_COPY_STRIDE, 0u);
	EXPECT_EQ(TOTAL_UB_SIZE, 196608u);
	EXPECT_LT(TOTAL_VEC_LOCAL_SIZE, TOTAL_UB_SIZE);
	EXPECT_EQ(TOTAL_L1_SIZE, 524288u);
	EXPECT_EQ(TOTAL_L0A_SIZE, TOTAL_L0B_SIZE);
	EXPECT_EQ(TOTAL_L0C_SIZE, 2 * TOTAL_L0A_SIZE);
	EXPECT_EQ(NCHW_CONV_ADDR_LIST_SIZE, 16);
	EXPECT_EQ(K_MAX_SHAPE_DIM, 8);
	EXPECT_EQ(MAX_SHAPE_DIM, 8);
	EXPECT_EQ(GetSortLen<float>(32), GetSortOffset<float>(32));
	EXPECT_EQ(__CCE_AICORE__, 220);
	EXPECT_EQ(__NPU_ARCH__, 2201);
	EXPECT_EQ(ASCENDC_DUMP, 1);
}

/* Words that stand before declarations, and mean nothing here. */
__forceinline__ __host__ __host_aicore__ int sixteen()
{
	return 16;
}
static __cube__ __vector__ __mix__(1, 2) __gm__ __cbuf__ __ca__ __cb__ __cc__ __fbuf__ int zero = 0;

TEST(KernelNames, TypesOfParameters)
{
	const uint32_t sizes[2] = {4, 8};
	const ShapeInfo shape(2, sizes, DataFormat::ND);
	const pad_t pad = PAD_NONE;
	const pipe_t pipe = PIPE_V;
	const QuantMode_t quant = QuantMode_t::NoQuant;
	const cache_line_t line = ::SINGLE_CACHE_LINE;
	const dcci_dst_t target = ::CACHELINE_ALL;
	const KernelMetaType type = KERNEL_TYPE_AIV_ONLY;

	EXPECT_EQ(GetShapeSize(shape), 32);
	EXPECT_EQ(int(pad) + int(line) + int(target) + int(type), 0);
	EXPECT_NE(pipe, PIPE_S);
	EXPECT_EQ(QuantParams().quantPre, quant);
	EXPECT_EQ(DataCopyEnhancedParams().blockMode, BlockMode::BLOCK_MODE_NORMAL);
	EXPECT_EQ(DataCopyEnhancedParams().deqScale, DeqScale::DEQ_NONE);
	EXPECT_EQ(CFG_ROW_MAJOR.format, CO2Layout::ROW_MAJOR);
	EXPECT_EQ(FixpipeConfig{}.format, CFG_NZ.format);
	EXPECT_EQ(BinaryRepeatParams().dstRepStride, UnaryRepeatParams().dstRepStride);
	EXPECT_EQ(BrcbRepeatParams().dstBlkStride, 1);
	EXPECT_EQ(GatherRepeatParams().dstBlkStride, 1);
	EXPECT_EQ(sizeof(Nz2NdParams) % 2, 0u);
	EXPECT_EQ(AntiQuantShapeInfo().offsetHeight, 0u);
	EXPECT_EQ(sizeof(AscendQuantConfig), sizeof(ASCEND_QUANT_DEFAULT_CFG));
	EXPECT_EQ(sizeof(SoftmaxConfig), sizeof(SOFTMAX_DEFAULT_CFG));
	EXPECT_TRUE(defaultCumSumConfig.isLastAxis);
	EXPECT_EQ(int(DeQuantMode::DEQUANT_WITH_SINGLE_ROW), 0);
	EXPECT_EQ(int(TopKMode::TOPK_NORMAL), 0);
	EXPECT_EQ(int(HcclServerType::HCCL_SERVER_TYPE_AICPU), 0);
	EXPECT_EQ(TopKInfo().outter, 1);
	EXPECT_EQ(int(LayoutMode::NONE), 0);
	EXPECT_EQ(int(CacheRwMode::READ), 1);
	const MatmulConfig configs[] = {CFG_NORM,
					MM_CFG_BB,
					CFG_IBSHARE_NORM,
					GetNormalConfig(),
					GetMDLConfig(false),
					GetIBShareNormConfig(),
					matmul::GetMDLConfig()};
	EXPECT_EQ(std::size(configs), 7u);
	EXPECT_EQ(sixteen() + zero, 16);
	EXPECT_EQ(sizeof(float16_t), sizeof(half));
}

TEST(KernelNames, TraitsOfTypes)
{
	static_assert(Std::is_same_v<Std::add_const_t<int>, const int>);
	static_assert(Std::is_same<Std::add_const<int>::type, const int>::value);
	static_assert(Std::is_same_v<Std::decay_t<const int &>, Std::decay<int>::type>);
	static_assert(Std::is_same_v<Std::enable_if_t<true, int>, Std::enable_if<true, int>::type>);
	static_assert(Std::is_same_v<Std::remove_const_t<const int>, Std::remove_const<int>::type>);
	static_assert(Std::is_same_v<Std::remove_cv_t<const int>, Std::remove_cv<int>::type>);
	static_assert(
		Std::is_same_v<Std::remove_reference_t<int &>, Std::remove_reference<int>::type>);
	static_assert(Std::is_same_v<decltype(Std::declval<int>()), int &&>);
	static_assert(Std::is_convertible_v<int, long> && Std::is_convertible<int, long>::value);
	static_assert(Std::is_floating_point<float>::value && Std::is_integral<int>::value);
	static_assert(Std::true_type::value && !Std::false_type::value);
	static_assert(Std::integral_constant<int, 3>::value == 3);
	SUCCEED();
}
