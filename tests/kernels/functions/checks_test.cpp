// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of rows and of the cube unit with a mistake. Each fails at level 1 with words of a sentence and the
 * line of the mark.
 */
#include "tests/kernels/language/ub.h"

using namespace AscendC;
using namespace kernel_test;

namespace {

uint32_t marked;
/* On the line of the mistake. */
#define MISTAKE marked = __LINE__;

struct Mistake {
	const char *name;
	uint32_t type; /* of the kernel */
	const char *words;
	void (*kernel)();
};

template <class T> LocalTensor<T> at(TPosition position, uint32_t byte, uint32_t elements)
{
	return LocalTensor<T>(position, byte, elements);
}
template <class T> LocalTensor<T> ub(uint32_t byte, uint32_t elements)
{
	return at<T>(TPosition::VECCALC, byte, elements);
}

const LoadData2DParams one_fractal(0, 1, 1, 0, 0, false, 0);

const Mistake mistakes[] = {
	{"TopKOfMoreThanThereAre", KERNEL_TYPE_AIV_ONLY, "TopK: k is 33; it has to be 1 to 20",
	 [] {
		 auto t = ub<float>(0, 64);
		 auto i = ub<int32_t>(256, 64);
		 auto b = ub<bool>(512, 32);
		 MISTAKE TopK(t, i, t, i, b, 33, TopkTiling{}, {1, 32, 20});
	 }},
	{"TopKOfRowsThatAreNoBlocks", KERNEL_TYPE_AIV_ONLY, "which is no multiple of 32",
	 [] {
		 auto t = ub<float>(0, 64);
		 auto i = ub<int32_t>(256, 64);
		 auto b = ub<bool>(512, 32);
		 MISTAKE TopK(t, i, t, i, b, 3, TopkTiling{}, {1, 40, 20});
	 }},
	{"RowsOfAPatternThatAreNoBlocks", KERNEL_TYPE_AIV_ONLY,
	 "ReduceSum: srcInnerPad is false, but rows of 12 elements are no whole blocks",
	 [] {
		 auto t = ub<float>(0, 64);
		 const uint32_t shape[] = {2, 12};
		 MISTAKE ReduceSum<float, AscendC::Pattern::Reduce::AR>(t, t, shape, false);
	 }},
	{"RowsOfAPatternBehindTheTensor", KERNEL_TYPE_AIV_ONLY, "ReduceMax: src would reach",
	 [] {
		 auto t = ub<float>(0, 64);
		 const uint32_t shape[] = {5, 12};
		 MISTAKE ReduceMax<float, AscendC::Pattern::Reduce::RA>(t, t, shape, true);
	 }},
	{"LayerNormWithAnEmptyTiling", KERNEL_TYPE_AIV_ONLY,
	 "LayerNorm: bLength * sLength of the tiling is 0",
	 [] {
		 auto t = ub<float>(0, 64);
		 MISTAKE LayerNorm(t, t, t, t, t, t, 1e-5f, LayerNormTiling{});
	 }},
	{"RmsNormOfMoreThanTheTensor", KERNEL_TYPE_AIV_ONLY, "RmsNorm: src would reach 512 bytes",
	 [] {
		 auto t = ub<float>(0, 64);
		 MISTAKE RmsNorm(t, t, t, 1e-5f, RmsNormTiling{2, 1, 64, 64, {}});
	 }},
	{"SoftmaxWithoutAShape", KERNEL_TYPE_AIV_ONLY,
	 "SoftmaxFlashV2: SoftMaxShapeInfo::srcM is 0",
	 [] {
		 auto t = ub<float>(0, 64);
		 MISTAKE SoftmaxFlashV2<float>(t, t, t, t, t, t, t, SoftMaxTiling{});
	 }},
	{"QuantOfMoreThanTheTensor", KERNEL_TYPE_AIV_ONLY, "AscendQuant: src would reach 260 bytes",
	 [] { MISTAKE AscendQuant(ub<int8_t>(512, 64), ub<float>(0, 64), 1.0f, 0.0f, 65); }},
	{"DequantOfRowsThatAreNoBlocks", KERNEL_TYPE_AIV_ONLY,
	 "DequantParams::n is 9, which is no multiple of 8",
	 [] {
		 MISTAKE AscendDequant(ub<half>(512, 64), ub<int32_t>(0, 64), 1.0f,
				       DequantParams{1, 9, 9});
	 }},
	{"AntiQuantOfGroupsThatDoNotDivide", KERNEL_TYPE_AIV_ONLY,
	 "AscendAntiQuant: offset has 3 x 16 elements, which do not divide the 4 x 16 of src",
	 [] {
		 auto s = ub<half>(512, 64);
		 MISTAKE AscendAntiQuant(ub<half>(1024, 64), ub<int8_t>(0, 64), s, s, 4,
					 {3, 16, 1, 16});
	 }},
	{"UnPadOfAllElements", KERNEL_TYPE_AIV_ONLY, "UnPad: leftPad + rightPad is 16",
	 [] {
		 auto t = ub<float>(0, 64);
		 MISTAKE UnPad(ub<float>(512, 64), t, UnPadParams{8, 8}, UnPadTiling{2, 16, {}});
	 }},
	{"ListOfAddressesOutsideOfUb", KERNEL_TYPE_AIV_ONLY,
	 "TransDataTo5HD: address 15 of srcList, and the 32 bytes of its repeats",
	 [] {
		 auto t = ub<half>(0, 256);
		 uint64_t dst[16], src[16];

		 for (uint32_t i = 0; i < 16; i++)
			 dst[i] = src[i] = t.GetPhyAddr(i * 16);
		 src[15] = t.GetPhyAddr(1);
		 MISTAKE TransDataTo5HD<half>(dst, src,
					      TransDataTo5HDParams(false, false, 1, 0, 0));
	 }},
	{"TransposeOfATensorThatIsTooShort", KERNEL_TYPE_AIV_ONLY,
	 "Transpose: src would reach 512 bytes",
	 [] { MISTAKE Transpose(ub<half>(0, 256), ub<half>(512, 255)); }},
	{"AllocatorOverflow", KERNEL_TYPE_AIV_ONLY,
	 "Alloc: UB overflow: needs 196608 of 196352 bytes",
	 [] {
		 LocalMemAllocator<> memory;
		 MISTAKE memory.Alloc<float, 49152>();
	 }},
	{"AllocatorOfAnotherMemory", KERNEL_TYPE_AIV_ONLY,
	 "A1 lies in L1, but this allocator has UB",
	 [] {
		 LocalMemAllocator<> memory;
		 MISTAKE memory.Alloc<TPosition::A1, float>(8);
	 }},
	{"SliceThatIsNotWhole", KERNEL_TYPE_AIV_ONLY,
	 "which are no whole runs of 24 with gaps of 7",
	 [] {
		 GlobalTensor<float> none;
		 SliceInfo whole[] = {{16, 71, 7, 3, 87}}, part[] = {{0, 47, 0, 3, 48}};
		 MISTAKE DataCopy(ub<float>(0, 48), none, part, whole);
	 }},
	{"LoadOnAVectorCore", KERNEL_TYPE_AIV_ONLY,
	 "LoadData: this block runs on a vector core, which has no cube unit",
	 [] {
		 MISTAKE LoadData(at<half>(TPosition::A2, 0, 256), at<half>(TPosition::A1, 0, 256),
				  one_fractal);
	 }},
	{"LoadIntoL1", KERNEL_TYPE_AIC_ONLY,
	 "LoadData: dst lies in L1; it has to lie in L0A or L0B",
	 [] {
		 MISTAKE LoadData(at<half>(TPosition::B1, 0, 256), at<half>(TPosition::A1, 0, 256),
				  one_fractal);
	 }},
	{"LoadOfMoreThanTheTensor", KERNEL_TYPE_AIC_ONLY, "LoadData: src would reach 1024 bytes",
	 [] {
		 MISTAKE LoadData(at<half>(TPosition::A2, 0, 256), at<half>(TPosition::A1, 0, 256),
				  LoadData2DParams(1, 1, 1, 0, 0, false, 0));
	 }},
	{"TransposedLoadOfFloat", KERNEL_TYPE_AIC_ONLY, "ifTranspose is for elements of 2 bytes",
	 [] {
		 MISTAKE LoadData(at<float>(TPosition::B2, 0, 128),
				  at<float>(TPosition::B1, 0, 128),
				  LoadData2DParams(0, 1, 1, 0, 0, true, 0));
	 }},
	{"ProductOfTooFewFractals", KERNEL_TYPE_AIC_ONLY, "Mmad: filter would reach 1024 bytes",
	 [] {
		 MISTAKE Mmad(at<float>(TPosition::CO1, 0, 256), at<half>(TPosition::A2, 0, 512),
			      at<half>(TPosition::B2, 0, 256),
			      MmadParams(16, 16, 17, 0, false, true));
	 }},
	{"OperandOfAnotherMemory", KERNEL_TYPE_AIC_ONLY,
	 "Mmad: fm lies in L0B (B2); it has to lie in L0A",
	 [] {
		 MISTAKE Mmad(at<float>(TPosition::CO1, 0, 256), at<half>(TPosition::B2, 0, 256),
			      at<half>(TPosition::B2, 0, 256),
			      MmadParams(16, 16, 16, 0, false, true));
	 }},
	{"BiasThatIsNoArgument", KERNEL_TYPE_AIC_ONLY, "pass that tensor as the fourth argument",
	 [] {
		 MISTAKE Mmad(at<float>(TPosition::CO1, 0, 256), at<half>(TPosition::A2, 0, 256),
			      at<half>(TPosition::B2, 0, 256),
			      MmadParams(16, 16, 16, 0, true, false));
	 }},
	{"ConversionThatDoesNotFit", KERNEL_TYPE_AIC_ONLY,
	 "quantPre is 0, which does not make float16 of float32",
	 [] {
		 GlobalTensor<half> none;
		 MISTAKE Fixpipe(none, at<float>(TPosition::CO1, 0, 256),
				 FixpipeParamsV220(16, 16, 16, 16, false));
	 }},
	{"FixpipeOfTooFewRows", KERNEL_TYPE_AIC_ONLY,
	 "FixpipeParamsV220::srcStride is 8; it has to be 16 to 65535",
	 [] {
		 GlobalTensor<float> none;
		 MISTAKE Fixpipe(none, at<float>(TPosition::CO1, 0, 256),
				 FixpipeParamsV220(16, 16, 8, 16, false));
	 }},
	{"FixpipeOfAPartOfARow", KERNEL_TYPE_AIC_ONLY,
	 "FixpipeParams::burstLen and srcStride are 33 and 0 blocks of 32 bytes; a row of 16 sums "
	 "is "
	 "2",
	 [] {
		 GlobalTensor<float> none;
		 MISTAKE Fixpipe(none, at<float>(TPosition::CO1, 0, 256),
				 FixpipeParams<float>(1, 33, 0, 0));
	 }},
	{"FixpipeToUb", KERNEL_TYPE_AIC_ONLY, "Fixpipe: dst lies in UB",
	 [] {
		 FixpipeParamsV220 fix(16, 16, 16, 16, false, F322F16);
		 MISTAKE Fixpipe(at<half>(TPosition::VECIN, 0, 256),
				 at<float>(TPosition::CO1, 0, 256), fix);
	 }},
	{"FixpipeBehindItsTensor", KERNEL_TYPE_AIC_ONLY, "Fixpipe: dst",
	 [] {
		 FixpipeParamsV220 fix(16, 16, 16, 16, false, F322F16);
		 MISTAKE Fixpipe(at<half>(TPosition::A1, 0, 240), at<float>(TPosition::CO1, 0, 256),
				 fix);
	 }},
	{"CopyThatComputes", KERNEL_TYPE_AIV_ONLY,
	 "DataCopy: this chip computes nothing on the way",
	 [] {
		 DataCopyEnhancedParams enhanced;
		 enhanced.isRelu = true;
		 MISTAKE DataCopy(at<half>(TPosition::VECIN, 0, 16),
				  at<half>(TPosition::VECIN, 32, 16), DataCopyParams(1, 1, 0, 0),
				  enhanced);
	 }},
};

} // namespace

class KernelFunctionChecks : public testing::TestWithParam<Mistake> {};

TEST_P(KernelFunctionChecks, TellTheMistakeAndItsLine)
{
	BlockHost host(1);

	host.type = GetParam().type;
	ASSERT_FALSE(host.run(1, GetParam().kernel));
	EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_CHECK));
	EXPECT_NE(host.failure().sentence.find(GetParam().words), std::string::npos)
		<< host.failure().sentence;
	EXPECT_EQ(host.failure().line, marked) << host.failure().sentence;
}

INSTANTIATE_TEST_SUITE_P(All, KernelFunctionChecks, testing::ValuesIn(mistakes),
			 [](const auto &of) { return std::string(of.param.name); });
