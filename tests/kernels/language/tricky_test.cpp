// SPDX-License-Identifier: MIT
/*
 * DOC: Correct kernels that look wrong. All checks have to be silent at level 3.
 */
#include "ub.h"

using namespace AscendC;
using namespace kernel_test;

namespace {

using Kernel = std::function<void(float *in, float *out)>;

/* Runs a kernel at level 3 on memory of 1024 numbers. */
std::vector<float> run_tricky(uint32_t blocks, const Kernel &kernel)
{
	BlockHost host(3);
	float *in = host.make(random_values<float>(1024));
	float *out = host.zeros<float>(1024);

	EXPECT_TRUE(host.run(blocks, [&] { kernel(in, out); }))
		<< host.failure().sentence << " at line " << host.failure().line;
	return std::vector<float>(out, out + 1024);
}

GlobalTensor<float> global(float *memory)
{
	GlobalTensor<float> tensor;

	tensor.SetGlobalBuffer(memory);
	return tensor;
}

const float constants[64] = {1, 2, 3};

} // namespace

/* The device has the constants of a kernel in global memory. */
TEST(KernelTricky, ConstantsOfTheKernelAreGlobalMemory)
{
	const auto kernel = [](float *, float *out) {
		TPipe pipe;
		TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
		const auto from = global(const_cast<float *>(constants));

		pipe.InitBuffer(queue, 1, 256);
		auto x = queue.AllocTensor<float>();
		DataCopy(x, from, 64);
		queue.EnQue(x);
		x = queue.DeQue<float>();
		DataCopy(global(out), x, 64);
		queue.FreeTensor(x);
		global(out).SetValue(64, from.GetValue(1));
	};
	const auto written = run_tricky(1, kernel);

	EXPECT_EQ(written[2], 3.0f);
	EXPECT_EQ(written[64], 2.0f);

	BlockHost host;

	host.observe(true);
	EXPECT_TRUE(host.run(1, [&] { kernel(nullptr, host.zeros<float>(65)); }));
	EXPECT_EQ(host.observed().size(), 2u); /* of the results alone */
	EXPECT_FALSE(host.run(1, [&] { kernel(nullptr, const_cast<float *>(constants)); }));
	EXPECT_NE(host.failure().sentence.find("writes 256 bytes of global memory"),
		  std::string::npos);
}

/* A TBuf of the second pipe lies where a queue of the first had buffers, which it had back. */
TEST(KernelTricky, ASecondPipeBeginsAgain)
{
	const auto written = run_tricky(1, [](float *in, float *out) {
		{
			TPipe pipe;
			TQue<TPosition::VECIN, 1> queue;

			pipe.InitBuffer(queue, 1, 256);
			auto x = queue.AllocTensor<float>();
			DataCopy(x, global(in), 64);
			queue.EnQue(x);
			queue.FreeTensor(queue.DeQue<float>());
			pipe.Destroy();
		}
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 256);
		auto x = buffer.Get<float>();
		DataCopy(x, global(in)[64], 64);
		PipeBarrier<PIPE_ALL>();
		DataCopy(global(out), x, 64);
	});
	const auto read = random_values<float>(1024);

	for (uint32_t i = 0; i < 64; i++)
		ASSERT_EQ(written[i], read[64 + i]) << i;
}

TEST(KernelTricky, DoubleBuffersInALoop)
{
	const auto written = run_tricky(2, [](float *in, float *out) {
		TPipe pipe;
		TQue<TPosition::VECIN, 2> queue_in;
		TQue<TPosition::VECOUT, 2> queue_out;

		pipe.InitBuffer(queue_in, 2, 256);
		pipe.InitBuffer(queue_out, 2, 256);
		for (int i = 0; i < 8; i++) {
			const uint64_t at = uint64_t(GetBlockIdx()) * 512 + uint64_t(i) * 64;
			auto x = queue_in.AllocTensor<float>();

			DataCopy(x, global(in)[at], 64);
			queue_in.EnQue(x);
			x = queue_in.DeQue<float>();
			auto y = queue_out.AllocTensor<float>();

			Muls(y, x, 2.0f, 64);
			Exp(y, y, 64);
			queue_in.FreeTensor(x);
			queue_out.EnQue(y);
			y = queue_out.DeQue<float>();
			DataCopy(global(out)[at], y, 64);
			queue_out.FreeTensor(y);
		}
	});

	EXPECT_FLOAT_EQ(written[700], std::exp(2 * random_values<float>(1024)[700]));
}

TEST(KernelTricky, QueueAsScratchMemory)
{
	run_tricky(1, [](float *, float *out) {
		TPipe pipe;
		TQue<TPosition::VECOUT, 1> queue;
		TQue<TPosition::VECIN, 1> scratch;

		pipe.InitBuffer(queue, 1, 256);
		pipe.InitBuffer(scratch, 1, 256);
		for (int i = 0; i < 3; i++) {
			auto t = scratch.AllocTensor<float>();
			auto y = queue.AllocTensor<float>();

			Duplicate(t, 1.0f, 64);
			Add(y, t, t, 64);
			scratch.FreeTensor(t);
			queue.EnQue(y);
			y = queue.DeQue<float>();
			DataCopy(global(out), y, 64);
			queue.FreeTensor(y);
		}
	});
}

TEST(KernelTricky, EnQueAndDeQueOnlyToSynchronise)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;

		pipe.InitBuffer(queue, 1, 256);
		auto t = queue.AllocTensor<float>();

		DataCopy(t, global(in), 64);
		queue.EnQue<TPosition::GM, TPosition::VECIN, float>(t);
		t = queue.DeQue<TPosition::GM, TPosition::VECIN, float>();
		Adds(t, t, 1.0f, 64);
		queue.EnQue<TPosition::VECOUT, TPosition::GM, float>(t);
		t = queue.DeQue<TPosition::VECOUT, TPosition::GM, float>();
		DataCopy(global(out), t, 64);
		queue.FreeTensor(t);
	});
}

TEST(KernelTricky, FlagsInsteadOfQueues)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 256);
		auto t = buffer.Get<float>();

		for (int i = 0; i < 4; i++) {
			const event_t id = static_cast<event_t>(
				GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));

			if (i > 0)
				WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
			DataCopy(t, global(in)[uint64_t(i) * 64], 64);
			SetFlag<HardEvent::MTE2_V>(id);
			WaitFlag<HardEvent::MTE2_V>(id);
			Muls(t, t, 2.0f, 64);
			SetFlag<HardEvent::V_MTE3>(id);
			WaitFlag<HardEvent::V_MTE3>(id);
			DataCopy(global(out)[uint64_t(i) * 64], t, 64);
			if (i < 3)
				SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
		}
	});
}

TEST(KernelTricky, NoVectorBarriers)
{
	run_tricky(1, [](float *, float *) {
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 1024);
		auto t = buffer.Get<float>();

		Duplicate(t, 1.0f, 64);
		Adds(t[64], t, 1.0f, 64);
		Mul(t, t, t[64], 64);
		t.SetValue(0, 3.0f);
		Adds(t, t, t.GetValue(0), 64);
		EXPECT_EQ(t.GetValue(0), 6.0f);
	});
}

TEST(KernelTricky, ScalarReadsAfterDeQue)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TQue<TPosition::VECIN, 1> queue;
		TQue<TPosition::VECOUT, 1> result;

		pipe.InitBuffer(queue, 1, 64);
		pipe.InitBuffer(result, 1, 64);
		auto t = queue.AllocTensor<float>();

		DataCopyPad(t, global(in), {1, 4, 0, 0, 0}, {false, 0, 0, 0});
		queue.EnQue(t);
		t = queue.DeQue<float>();
		auto y = result.AllocTensor<float>();

		y.SetValue(0, t.GetValue(0) + 1);
		result.EnQue(y);
		y = result.DeQue<float>();
		DataCopyPad(global(out), y, {1, 4, 0, 0, 0});
		queue.FreeTensor(t);
		result.FreeTensor(y);
	});
}

TEST(KernelTricky, BarrierOfAllPipes)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 256);
		auto t = buffer.Get<float>();

		for (int i = 0; i < 2; i++) {
			DataCopy(t, global(in), 64);
			PipeBarrier<PIPE_ALL>();
			t.SetValue(0, t.GetValue(1));
			PipeBarrier<PIPE_ALL>();
			DataCopy(global(out), t, 64);
			PipeBarrier<PIPE_ALL>();
		}
	});
}

TEST(KernelTricky, LastBlockBeginsEarlierWithTheSameValues)
{
	run_tricky(3, [](float *in, float *out) {
		TPipe pipe;
		TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
		const uint64_t first = GetBlockIdx() == 2 ? 100 : uint64_t(GetBlockIdx()) * 64;

		pipe.InitBuffer(queue, 1, 256);
		auto t = queue.AllocTensor<float>();

		DataCopy(t, global(in)[first], 64);
		queue.EnQue(t);
		t = queue.DeQue<float>();
		DataCopy(global(out)[first], t, 64);
		queue.FreeTensor(t);
	});
}

TEST(KernelTricky, AtomicSumsOfAllBlocks)
{
	const auto written = run_tricky(4, [](float *, float *out) {
		TPipe pipe;
		TQue<TPosition::VECOUT, 1> queue;

		pipe.InitBuffer(queue, 1, 64);
		auto t = queue.AllocTensor<float>();

		Duplicate(t, float(GetBlockIdx()), 8);
		queue.EnQue(t);
		t = queue.DeQue<float>();
		SetAtomicAdd<float>();
		DataCopy(global(out), t, 8);
		SetAtomicNone();
		queue.FreeTensor(t);
	});

	EXPECT_EQ(written[7], 6.0f);
}

TEST(KernelTricky, BlocksOverwriteBehindSyncAll)
{
	run_tricky(2, [](float *, float *out) {
		if (GetBlockIdx() == 0)
			global(out).SetValue(0, 1.0f);
		SyncAll();
		if (GetBlockIdx() == 1)
			global(out).SetValue(0, 2.0f);
	});
}

TEST(KernelTricky, ComputesOnAnUnwrittenTailThatStays)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TQue<TPosition::VECIN, 1> queue;
		TQue<TPosition::VECOUT, 1> result;

		pipe.InitBuffer(queue, 1, 512);
		pipe.InitBuffer(result, 1, 512);
		auto t = queue.AllocTensor<float>();

		DataCopyPad(t, global(in), {1, 4 * 13, 0, 0, 0}, {false, 0, 0, 0});
		queue.EnQue(t);
		t = queue.DeQue<float>();
		auto y = result.AllocTensor<float>();

		Muls(y, t, 2.0f, 128);
		result.EnQue(y);
		y = result.DeQue<float>();
		DataCopyPad(global(out), y, {1, 4 * 13, 0, 0, 0});
		queue.FreeTensor(t);
		result.FreeTensor(y);
	});
}

TEST(KernelTricky, RowsWithPaddingOnTheRight)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TQue<TPosition::VECIN, 1> queue;
		TBuf<> buffer;

		pipe.InitBuffer(queue, 1, 1024);
		pipe.InitBuffer(buffer, 1024);
		auto t = queue.AllocTensor<float>();

		DataCopyPad(t, global(in), {4, 4 * 10, 8, 0, 0}, {true, 0, 6, 0});
		queue.EnQue(t);
		t = queue.DeQue<float>();
		auto sums = buffer.Get<float>();

		WholeReduceSum<float>(sums, t, 16, 4, 1, 1, 2);
		SetFlag<HardEvent::V_S>(0);
		WaitFlag<HardEvent::V_S>(0);
		global(out).SetValue(0, sums.GetValue(3));
		queue.FreeTensor(t);
	});
}

TEST(KernelTricky, RawPointersIntoUb)
{
	run_tricky(1, [](float *, float *) {
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 256);
		auto t = buffer.Get<float>();
		__ubuf__ float *raw = (__ubuf__ float *)t.GetPhyAddr();

		for (int i = 0; i < 64; i++)
			raw[i] = float(i);
		EXPECT_EQ(t.GetValue(63), 63.0f);
	});
}

TEST(KernelTricky, ViewsOfOtherTypes)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;
		TQue<TPosition::VECIN, 1> queue;
		TQue<TPosition::VECOUT, 1> result;

		pipe.InitBuffer(queue, 1, 512);
		pipe.InitBuffer(result, 1, 512);
		auto t = queue.AllocTensor<half>();
		auto wide = t.ReinterpretCast<float>();

		/* The halves lie in the upper part of the buffer, and grow into the whole. */
		DataCopy(wide[64], global(in), 64);
		queue.EnQue(t);
		t = queue.DeQue<half>();
		auto y = result.AllocTensor<float>();

		Cast(y, t[128], RoundMode::CAST_NONE, 128);
		queue.FreeTensor(t);
		result.EnQue(y);
		y = result.DeQue<float>();
		DataCopy(global(out), y, 128);
		result.FreeTensor(y);
	});
}

TEST(KernelTricky, ResetOfThePipeBetweenPhases)
{
	run_tricky(1, [](float *in, float *out) {
		TPipe pipe;

		for (int i = 0; i < 2; i++) {
			TBuf<> buffer;

			pipe.InitBuffer(buffer, 256);
			auto t = buffer.Get<float>();

			DataCopy(t, global(in), 64);
			SetFlag<HardEvent::MTE2_MTE3>(0);
			WaitFlag<HardEvent::MTE2_MTE3>(0);
			DataCopy(global(out), t, 64);
			pipe.Reset();
		}
	});
}
