// SPDX-License-Identifier: MIT
/*
 * DOC: How many of 67 public kernels, which programs launch by themselves, have all features that they use. The
 * features stand in stages, and of each stage it was counted how many of the kernels need nothing beyond it. A stage
 * counts if each of its features, and of the stages before, has its test in this program.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

struct Feature {
	int stage;
	const char *name;
	const char *test; /* suite.name, or ctest:name of another program */
};

/* Kernels that are complete with all features up to the stage. */
constexpr int COMPLETE[] = {0, 20, 48, 53, 61, 67};
constexpr size_t COUNT[] = {0, 27, 53, 55, 73, 86};

const Feature features[] = {
	{1, "qualifiers, GM_ADDR", "KernelTypes.QualifiersAndIdentityOfBlocks"},
	{1, "<<<>>>", "ctest:kernels.texts"},
	{1, "macros of chip and mode", "ctest:kernels.project"},
	{1, "SetGlobalBuffer", "KernelTensor.GlobalValuesAndOffsets"},
	{1, "GetValue, SetValue", "KernelTensor.ValuesOffsetsAndReinterpretation"},
	{1, "GetBlockIdx", "KernelTypes.QualifiersAndIdentityOfBlocks"},
	{1, "GetBlockNum", "KernelTypes.QualifiersAndIdentityOfBlocks"},
	{1, "InitBuffer", "KernelPipe.BuffersFollowEachOtherFromByteZero"},
	{1, "TQue", "KernelPipe.QueuesAreFirstInFirstOut"},
	{1, "TQueBind", "KernelPipe.QueueOfTwoPositionsIsInPlace"},
	{1, "TBuf::Get", "KernelPipe.BuffersFollowEachOtherFromByteZero"},
	{1, "DataCopy", "KernelDataCopy.CountsAreRoundedDownToBlocks"},
	{1, "DataCopyPad", "KernelDataCopyPad.PadsOnTheWayIn"},
	{1, "half", "KernelTypes.HalfRoundsOncePerOperation"},
	{1, "bfloat16_t", "KernelTypes.Bfloat16ConvertsToNearest"},
	{1, "traits", "KernelTypes.TraitsAndScalarHelpers"},
	{1, "DTYPE macros", "ctest:kernels.project"},
	{1, "KERNEL_TASK_TYPE", "KernelTypes.MixedKernelsNumberTheirVectorInstances"},
	{1, "PipeBarrier", "KernelTricky.BarrierOfAllPipes"},
	{1, "printf", "KernelPrint.FormatsNumbersOfTheDevice"},
	{1, "ASSERT", "KernelPrint.AssertionsEndTheKernel"},
	{1, "Cast", "KernelCast.RoundsToIntegersByMode"},
	{1, "Add", "KernelBinary.Add"},
	{1, "Adds", "KernelScalar.Adds"},
	{1, "Sub", "KernelBinary.Sub"},
	{1, "Mul", "KernelBinary.Mul"},
	{1, "Muls", "KernelScalar.Muls"},
	{2, "Div", "KernelBinary.Div"},
	{2, "Max", "KernelBinary.MaxAndMin"},
	{2, "Maxs", "KernelScalar.MaxsAndMins"},
	{2, "Mins", "KernelScalar.MaxsAndMins"},
	{2, "Abs", "KernelUnary.AbsExpLnSqrtAndOthers"},
	{2, "Exp", "KernelUnary.AbsExpLnSqrtAndOthers"},
	{2, "Ln", "KernelUnary.AbsExpLnSqrtAndOthers"},
	{2, "Sqrt", "KernelUnary.AbsExpLnSqrtAndOthers"},
	{2, "LeakyRelu", "KernelScalar.LeakyRelu"},
	{2, "Axpy", "KernelScalar.AxpyAddsToItsDestination"},
	{2, "SwiGLU", "KernelMath.PowerClampFmodAndSwiGlu"},
	{2, "CumSum", "KernelMath.SumsOfRows"},
	{2, "Ceil", "KernelMath.FunctionsOfElements"},
	{2, "Duplicate", "KernelFill.DuplicateForms"},
	{2, "Copy", "KernelFill.BrcbAndCopy"},
	{2, "ReduceSum", "KernelReduce.SumsOfHalfFollowTheTree"},
	{2, "ReduceMax", "KernelReduce.MaximumAndMinimumWithIndex"},
	{2, "ReduceMin", "KernelReduce.MaximumAndMinimumWithIndex"},
	{2, "PairReduceSum", "KernelReduce.BlocksAndPairs"},
	{2, "BlockReduceSum", "KernelReduce.BlocksAndPairs"},
	{2, "SetAtomicAdd", "KernelAtomic.AddsOfAllBlocks"},
	{2, "int4b_t", "KernelTypes.Int4HasTwoNumbersInAByte"},
	{2, "ReinterpretCast", "KernelTensor.ValuesOffsetsAndReinterpretation"},
	{2, "GetWithOffset", "KernelPipe.BuffersFollowEachOtherFromByteZero"},
	{2, "GetTPipePtr", "KernelPipe.ResetAndASecondPipeBeginAtZero"},
	{2, "Reset, Destroy", "KernelPipe.ResetAndASecondPipeBeginAtZero"},
	{3, "Matmul", "KernelMatmul.ProductsOfAllTypes"},
	{3, "workspaces", "KernelTiling.Workspaces"},
	{4, "GatherMask", "KernelGatherMask.PatternsAndTensors"},
	{4, "Gather", "KernelGather.ElementsAndBlocks"},
	{4, "Compare", "KernelCompare.AllModesOfTensorsAndScalars"},
	{4, "CompareScalar", "KernelCompare.AllModesOfTensorsAndScalars"},
	{4, "Select", "KernelSelect.TensorsAndScalars"},
	{4, "And", "KernelBinary.AndOrNot"},
	{4, "Or", "KernelBinary.AndOrNot"},
	{4, "Not", "KernelBinary.AndOrNot"},
	{4, "Sort32", "KernelSort.Sort32MrgSortAndExtract"},
	{4, "WholeReduceSum", "KernelReduce.WholeReduceOrdersItsPairs"},
	{4, "MulAddDst", "KernelBinary.MulAddDstRoundsOnce"},
	{4, "CreateVecIndex", "KernelFill.IndicesAndProgressions"},
	{4, "ArithProgression", "KernelFill.IndicesAndProgressions"},
	{4, "SetFlag, WaitFlag", "KernelTricky.FlagsInsteadOfQueues"},
	{4, "FetchEventID", "KernelPipe.EventIdentifiers"},
	{4, "dcci", "KernelSync.APollingBlockLetsOthersRun"},
	{4, "GET_TILING_DATA", "KernelTiling.MacrosReadStructs"},
	{4, "raw intrinsics", "KernelSync.VcaddSumsRepeatsUnderTheMask"},
	{5, "SyncAll", "KernelSync.SyncAllOrdersBlocks"},
	{5, "IBSet, IBWait", "KernelSync.IBSetAndIBWaitMakeAChain"},
	{5, "DataSyncBarrier", "KernelSync.APollingBlockLetsOthersRun"},
	{5, "Brcb", "KernelFill.BrcbAndCopy"},
	{5, "Broadcast", "KernelMath.BroadcastOfBothAxes"},
	{5, "RepeatReduceSum", "KernelReduce.WholeReduceOrdersItsPairs"},
	{5, "Sin", "KernelMath.FunctionsOfElements"},
	{5, "Cos", "KernelMath.FunctionsOfElements"},
	{5, "Power", "KernelMath.PowerClampFmodAndSwiGlu"},
	{5, "ShiftLeft", "KernelScalar.Shifts"},
	{5, "ShiftRight", "KernelScalar.Shifts"},
	{5, "SetDeqScale", "KernelCast.SetDeqScaleScalesIntegers"},
	{5, "ScalarCountLeadingZero", "KernelScalarUnit.BitsAndCasts"},
};

bool is_here(const std::string &test)
{
	const testing::UnitTest &all = *testing::UnitTest::GetInstance();

	if (test.rfind("ctest:", 0) == 0)
		return true;
	for (int i = 0; i < all.total_test_suite_count(); i++) {
		const testing::TestSuite &suite = *all.GetTestSuite(i);

		for (int k = 0; k < suite.total_test_count(); k++)
			if (test == std::string(suite.name()) + "." + suite.GetTestInfo(k)->name())
				return true;
	}
	return false;
}

} // namespace

TEST(KernelCoverage, AtLeast60Of67KernelsHaveAllTheirFeatures)
{
	int first_missing = 6;
	size_t tested = 0;

	for (const Feature &feature : features) {
		const bool is_tested = is_here(feature.test);

		tested += is_tested;
		EXPECT_TRUE(is_tested) << feature.name << ": no test " << feature.test;
		if (!is_tested)
			first_missing = std::min(first_missing, feature.stage);
	}
	for (int stage = 1; stage < 6; stage++)
		EXPECT_EQ(
			COUNT[stage],
			size_t(std::count_if(std::begin(features), std::end(features),
					     [=](const Feature &of) { return of.stage <= stage; })))
			<< "features up to stage " << stage;
	std::printf("%zu of %zu features have a test; %d of 67 kernels have all their features\n",
		    tested, std::size(features), COMPLETE[first_missing - 1]);
	EXPECT_GE(COMPLETE[first_missing - 1], 60);
}
