// SPDX-License-Identifier: MIT
/*
 * DOC: Kernels with a mistake. Each row has a kernel, the level at which it has to fail, and words of the sentence; the
 * failure has to name this file and the line of the mark. Below that level the same kernel runs to its end.
 */
#include "ub.h"

#include <cstring>

using namespace AscendC;
using namespace kernel_test;

namespace {

uint32_t marked_line;
/* On the line of the mistake. */
#define MISTAKE marked_line = __LINE__;

/* What most kernels here begin with. */
struct Frame {
	TPipe pipe;
	TQue<TPosition::VECIN, 2> in;
	TQue<TPosition::VECOUT, 2> out;
	TBuf<> scratch;
	GlobalTensor<float> x, y;

	Frame(float *memory, uint64_t count)
	{
		x.SetGlobalBuffer(memory, count);
		y.SetGlobalBuffer(memory + count, count);
		pipe.InitBuffer(in, 2, 256);
		pipe.InitBuffer(out, 2, 256);
		pipe.InitBuffer(scratch, 1024);
	}
};

struct Row {
	const char *name;
	uint32_t level;
	const char *words;
	uint32_t blocks;
	void (*kernel)(float *memory);
};

constexpr uint64_t COUNT = 128;

const Row rows[] = {
	/* Level 1: bounds of global memory. */
	{"CopyBehindTheEnd", 1, "but the allocation of 1024 bytes at", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE DataCopy(t, f.y[96], 64);
	 }},
	{"CopyFarOutside", 1, "bytes behind the end of the allocation", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE DataCopyPad(t, f.x[260], {1, 12, 0, 0, 0}, {false, 0, 0, 0});
	 }},
	{"WriteBehindTheEnd", 1, "DataCopyPad: writes 16 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 Duplicate(t, 0.0f, 64);
		 MISTAKE DataCopyPad(f.y[126], t, {1, 16, 0, 0, 0});
	 }},
	{"StridedCopyBehindTheEnd", 1, "DataCopy: reads", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE DataCopy(t, f.x, {4, 1, 20, 0});
	 }},
	{"ScalarBehindTheEnd", 1, "GetValue: reads 4 bytes of global memory", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 MISTAKE f.y.GetValue(130);
	 }},
	/* Levels 2 and 3 know where x ends, of which the allocation goes on with y. */
	{"ScalarBehindTheEndOfALoop", 1, "4 bytes of global memory", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 for (uint32_t i = 0; i <= COUNT; i++) {
			 MISTAKE f.y.SetValue(i, f.x.GetValue(i) + f.x[i](0));
		 }
	 }},
	{"ScalarBeforeTheStart", 1, "operator(): writes 4 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 f.x(0) = 1;
		 MISTAKE f.x[uint64_t(0) - 2](1) = 2;
	 }},
	/* The homes of tensors are taken by others meanwhile. */
	{"ScalarOfOneOfManyTensors", 1, "GetValue: reads 4 bytes of global memory", 1,
	 [](float *memory) {
		 GlobalTensor<float> many[2 * unpu::lang::HOMES];
		 float sum = 0;
		 for (uint64_t round = 0; round < 3; round++)
			 for (uint64_t i = 0; i < std::size(many); i++) {
				 if (round == 0)
					 many[i].SetGlobalBuffer(memory + i);
				 sum += many[i].GetValue(2 * COUNT - 1 - i);
			 }
		 MISTAKE sum += many[3].GetValue(2 * COUNT - 3);
	 }},
	{"TensorThatWasNeverSet", 1, "where no allocation is", 1,
	 [](float *) {
		 GlobalTensor<float> none;
		 MISTAKE none.SetValue(0, 1);
	 }},
	{"NullGlobalMemory", 1, "where no allocation is", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 GlobalTensor<float> none;
		 auto t = f.in.AllocTensor<float>();
		 none.SetGlobalBuffer(nullptr);
		 MISTAKE DataCopy(t, none, 8);
	 }},
	/* Level 1: bounds and alignment of UB. */
	{"CountLargerThanTheTensor", 1, "Add: src1 would reach 256 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Add(t, t, t[200], 64);
	 }},
	{"RepeatsLeaveTheTensor", 1, "Muls: dst would reach 1280 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Muls(t, t, 2.0f, 64, 5, {1, 1, 8, 0});
	 }},
	{"StridesLeaveTheTensor", 1, "Adds: src would reach 1136 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Adds(t, t, 2.0f, 60, 1, {1, 5, 8, 8});
	 }},
	{"UnalignedOperand", 1, "Exp: src begins at byte 1028 of UB, which is no multiple of 32", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Exp(t, t[1], 8);
	 }},
	{"TensorThatWasNeverAllocated", 1, "it was never allocated", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 LocalTensor<float> t;
		 MISTAKE Duplicate(t, 1.0f, 8);
	 }},
	{"OffsetOfGatherLeavesItsSource", 1, "Gather: offset 1024 (element 0) leads out of src", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 auto offsets = t.ReinterpretCast<uint32_t>();
		 offsets.SetValue(0, 1024);
		 MISTAKE Gather(t[64], t, offsets, 0, 1);
	 }},
	{"ElementBehindTheTensor", 1, "SetValue: the tensor would reach 260 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE t.SetValue(64, 1.0f);
	 }},
	{"OverflowOfUb", 1, "UB overflow: needs 198656 of 196352 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 TBuf<> more;
		 MISTAKE f.pipe.InitBuffer(more, 196608);
	 }},
	{"TooManyElementsOfABuffer", 1, "Get: 1028 bytes from byte 0 of a TBuf that has 1024 bytes",
	 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 MISTAKE f.scratch.Get<float>(257);
	 }},
	/* Level 1: masks, counts, parameters. */
	{"MaskLargerThanARepeat", 1,
	 "Mul: mask is 128, but a repeat of this type has 1 to 64 elements", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Mul(t, t, t, 128, 1, {1, 1, 1, 8, 8, 8});
	 }},
	{"RepeatThatDoesNotFit", 1, "Sub: repeat is 256, 255 at most", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Sub(t, t, t, 8, 256, {1, 1, 1, 0, 0, 0});
	 }},
	{"LengthThatDoesNotFitIn16Bits", 1,
	 "a field of its parameters was given a number that is too large", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE DataCopyPad(f.y, t, DataCopyParams(1, 65536 + 64, 0, 0));
	 }},
	{"CompareOfAPartOfARepeat", 1, "count is 65, which is no multiple of 256 bytes", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE CompareScalar(t[128].ReinterpretCast<uint8_t>(), t, 0.0f, CMPMODE::LT, 65);
	 }},
	{"NegativeCount", 1, "Abs: count is -8", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Abs(t, t, -8);
	 }},
	{"PaddingOfMoreThan32Bytes", 1, "each has 32 bytes at most", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE DataCopyPad(t, f.x, {1, 12, 0, 0, 0}, {true, 9, 0, 0});
	 }},
	{"EventThatDoesNotExist", 1, "the identifier of an event is 8; there are 0 to 7", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 MISTAKE SetFlag<HardEvent::MTE2_V>(8);
	 }},
	/* Level 0 and up: queues; the kernel could not go on. */
	{"DeQueOfAnEmptyQueue", 0, "DeQue: the queue (VECIN) is empty", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 (void)t;
		 MISTAKE f.in.DeQue<float>();
	 }},
	{"AllBuffersInUse", 0, "AllocTensor: all 2 buffers of this queue (VECOUT) are in use", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 f.out.AllocTensor<float>();
		 f.out.AllocTensor<float>();
		 MISTAKE f.out.AllocTensor<float>();
	 }},
	{"FreeOfAnotherQueuesTensor", 0, "does not come from this queue", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE f.out.FreeTensor(t);
	 }},
	{"FreeTwice", 0, "is free already", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 f.in.FreeTensor(t);
		 MISTAKE f.in.FreeTensor(t);
	 }},
	{"EnQueTwice", 0, "is in the queue already", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 f.in.EnQue(t);
		 MISTAKE f.in.EnQue(t);
	 }},
	{"QueueWithoutInitBuffer", 0, "InitBuffer has not given this queue (VECIN) any buffer", 1,
	 [](float *) {
		 TPipe pipe;
		 TQue<TPosition::VECIN, 1> queue;
		 MISTAKE queue.AllocTensor<float>();
	 }},
	/* Level 2: bytes of UB. */
	{"ResultBehindTheStartOfASource", 2, "Add: dst begins 32 bytes behind src0", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 Duplicate(t, 1.0f, 256);
		 MISTAKE Add(t[8], t, t, 64);
	 }},
	{"CopyOfUnwrittenBytes", 2, "DataCopy: src reads byte 1056 of UB (byte 32 of the operand)",
	 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 Duplicate(t, 1.0f, 8);
		 PipeBarrier<PIPE_ALL>();
		 MISTAKE DataCopy(f.y, t, 16);
	 }},
	{"ResultOfUnwrittenBytesLeaves", 2,
	 "Muls: src reads byte 1280 of UB, which the kernel has not written before; DataCopy at", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 MISTAKE Muls(t, t[64], 2.0f, 16);
		 Adds(t, t, 2.0f, 16);
		 PipeBarrier<PIPE_ALL>();
		 DataCopy(f.y, t, 16);
	 }},
	{"ReductionOfAnUnwrittenTail", 2, "ReduceMax: src reads byte 1072 of UB", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 Duplicate(t, 1.0f, 12);
		 MISTAKE ReduceMax(t[64], t, t[128], 16);
	 }},
	{"UseAfterFreeTensor", 2, "whose buffer FreeTensor has given back", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 Duplicate(t, 1.0f, 64);
		 f.in.FreeTensor(t);
		 MISTAKE Muls(t, t, 2.0f, 64);
	 }},
	{"RemainderIsNotCopied", 1, "the last 8 are no whole block of 32 bytes and are not copied",
	 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE DataCopy(t, f.x, 10);
	 }},
	{"ScalarReadOfUnwrittenBytes", 2, "GetValue: the tensor reads byte 0 of UB", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 MISTAKE t.GetValue(0);
	 }},
	/* Level 3: the order of pipes, flags, blocks. */
	{"NoFlagFromMte2ToV", 3,
	 "Muls: src reads byte 1024 of UB on the pipe V, but nothing waits for DataCopy", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 DataCopy(t, f.x, 64);
		 PipeBarrier<PIPE_V>();
		 MISTAKE Muls(t, t, 2.0f, 64);
	 }},
	{"NoFlagFromVToMte3", 3, "a queue, a flag V_MTE3 or PipeBarrier<PIPE_ALL> is missing", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 Duplicate(t, 1.0f, 64);
		 MISTAKE DataCopy(f.y, t, 64);
	 }},
	{"NoFlagFromMte3ToV", 3, "nothing waits for the pipe MTE3, which may still read it", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 Duplicate(t, 1.0f, 64);
		 SetFlag<HardEvent::V_MTE3>(0);
		 WaitFlag<HardEvent::V_MTE3>(0);
		 DataCopy(f.y, t, 64);
		 MISTAKE Duplicate(t, 2.0f, 64);
	 }},
	{"NoFlagFromVToMte2", 3, "nothing waits for the pipe V, which may still read it", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 DataCopy(t, f.x, 64);
		 SetFlag<HardEvent::MTE2_V>(0);
		 WaitFlag<HardEvent::MTE2_V>(0);
		 Adds(t[64], t, 1.0f, 64);
		 MISTAKE DataCopy(t, f.y, 64);
	 }},
	{"FlagOfOtherPipes", 3, "a flag MTE2_V or PipeBarrier<PIPE_ALL> is missing", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 DataCopy(t, f.x, 64);
		 SetFlag<HardEvent::MTE3_V>(0);
		 WaitFlag<HardEvent::MTE3_V>(0);
		 MISTAKE Adds(t, t, 1.0f, 64);
	 }},
	{"ScalarReadBehindMte2", 3, "GetValue: the tensor reads byte 1024 of UB on the pipe S", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.scratch.Get<float>();
		 DataCopy(t, f.x, 64);
		 MISTAKE t.GetValue(0);
	 }},
	{"QueueWithoutEnQue", 3, "Adds: src reads byte 0 of UB on the pipe V", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 DataCopy(t, f.x, 64);
		 MISTAKE Adds(t, t, 1.0f, 64);
	 }},
	{"FlagIsSetTwice", 3, "SetFlag: the flag V_MTE3 2 is set already", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 SetFlag<HardEvent::V_MTE3>(2);
		 MISTAKE SetFlag<HardEvent::V_MTE3>(2);
	 }},
	{"WaitForAFlagThatIsNotSet", 3, "WaitFlag: the flag MTE3_MTE2 1 is not set", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 MISTAKE WaitFlag<HardEvent::MTE3_MTE2>(1);
	 }},
	{"FlagIsLeftSet", 3, "the kernel ends, and no WaitFlag has waited for the flag S_V 0", 1,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 MISTAKE SetFlag<HardEvent::S_V>(0);
	 }},
	{"BlocksWriteDifferentValues", 3, "with another value, and nothing orders the two blocks",
	 2,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.out.AllocTensor<float>();
		 Duplicate(t, float(GetBlockIdx() + 1), 64);
		 f.out.EnQue(t);
		 t = f.out.DeQue<float>();
		 MISTAKE DataCopy(f.y[uint64_t(GetBlockIdx()) * 32], t, 64);
	 }},
	{"NoSyncAllBeforeARead", 3, "which the vector block 1 has written by DataCopy at", 3,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 const uint64_t block = uint64_t(GetBlockIdx());
		 auto t = f.out.AllocTensor<float>();
		 Duplicate(t, float(block + 1), 32);
		 f.out.EnQue(t);
		 t = f.out.DeQue<float>();
		 DataCopy(f.y[block * 32], t, 32);
		 f.out.FreeTensor(t);
		 auto other = f.in.AllocTensor<float>();
		 if (block == 2) {
			 MISTAKE DataCopy(other, f.y[32], 32);
		 }
	 }},
	{"NoSyncAllBehindARead", 3, "which the vector block 0 has read by DataCopy at", 2,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 if (GetBlockIdx() == 0) {
			 DataCopy(t, f.x, 32);
			 return;
		 }
		 Duplicate(t, 1000.0f, 32);
		 PipeBarrier<PIPE_ALL>();
		 MISTAKE DataCopy(f.x, t, 32);
	 }},
	{"NoSyncAllBeforeAnAtomicCopy", 3,
	 "which the vector block 0 has written by InitGlobalMemory", 2,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 auto t = f.in.AllocTensor<float>();
		 if (GetBlockIdx() == 0)
			 InitOutput(f.y, 32);
		 Duplicate(t, 1.0f, 32);
		 PipeBarrier<PIPE_ALL>();
		 SetAtomicAdd<float>();
		 MISTAKE DataCopy(f.y, t, 32);
		 SetAtomicNone();
	 }},
	{"ScalarReadOfAnotherBlock", 3, "GetValue: reads byte", 2,
	 [](float *memory) {
		 Frame f(memory, COUNT);
		 if (GetBlockIdx() == 0) {
			 f.y.SetValue(5, 1.0f);
			 return;
		 }
		 MISTAKE f.y.GetValue(5);
	 }},
};

} // namespace

class KernelChecks : public testing::TestWithParam<Row> {};

TEST_P(KernelChecks, TellsTheMistakeAndItsLine)
{
	const Row &row = GetParam();

	/* The blocks run each level twice: without reports of accesses, and with them. */
	for (uint32_t i = 2 * row.level; i < 8; i++) {
		const uint32_t level = i / 2;
		BlockHost host(level);
		host.observe(i % 2 == 1);
		float *memory = host.make(random_values<float>(2 * COUNT));
		const bool is_good = host.run(row.blocks, [&] { row.kernel(memory); });

		ASSERT_FALSE(is_good) << "at level " << level;
		EXPECT_EQ(host.failure().kind, uint32_t(UNPU_KERNEL_FAIL_CHECK));
		EXPECT_NE(host.failure().sentence.find(row.words), std::string::npos)
			<< host.failure().sentence;
		EXPECT_EQ(host.failure().line, marked_line) << host.failure().sentence;
		EXPECT_NE(host.failure().file.find("checks_test.cpp"), std::string::npos);
	}
}

TEST_P(KernelChecks, IsSilentBelowItsLevel)
{
	const Row &row = GetParam();

	/* Level 0 checks nothing; mistakes of level 1 would then spoil memory of the test. */
	for (uint32_t level = 1; level < row.level; level++) {
		BlockHost host(level);
		float *memory = host.make(random_values<float>(2 * COUNT));

		EXPECT_TRUE(host.run(row.blocks, [&] { row.kernel(memory); }))
			<< host.failure().sentence;
	}
}

INSTANTIATE_TEST_SUITE_P(All, KernelChecks, testing::ValuesIn(rows),
			 [](const auto &of) { return std::string(of.param.name); });
