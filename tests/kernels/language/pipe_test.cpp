// SPDX-License-Identifier: MIT
/*
 * DOC: Tensors, queues and buffers.
 */
#include "ub.h"

using namespace AscendC;
using namespace kernel_test;

TEST(KernelTensor, ValuesOffsetsAndReinterpretation)
{
	run_one([](Ub &ub) {
		auto tensor =
			ub.put<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});

		EXPECT_EQ(tensor.GetValue(3), 4.0f);
		tensor.SetValue(3, 40);
		EXPECT_EQ(tensor(3), 40.0f);
		tensor(4) = 50;
		EXPECT_EQ(tensor[4].GetValue(0), 50.0f);
		EXPECT_EQ(tensor[8].GetSize(), 8u);
		EXPECT_EQ(tensor.ReinterpretCast<uint16_t>().GetSize(), 32u);
		EXPECT_EQ(tensor.ReinterpretCast<uint32_t>().GetValue(0), 0x3f800000u);
		tensor.SetSize(4);
		EXPECT_EQ(tensor.GetSize(), 4u);
		EXPECT_EQ(((__ubuf__ float *)tensor.GetPhyAddr())[1], 2.0f);
		EXPECT_EQ(tensor.GetPosition(), TPosition::VECCALC);
		tensor.SetUserTag(7);
		EXPECT_EQ(tensor.GetUserTag(), 7u);
	});
}

TEST(KernelTensor, Int4OffsetsCountNumbers)
{
	run_one([](Ub &ub) {
		auto tensor = ub.make<int4b_t>(128);

		for (int i = 0; i < 128; i++)
			tensor.SetValue(uint32_t(i), int4b_t(i % 16 - 8));
		EXPECT_EQ(int8_t(tensor.GetValue(5)), -3);
		EXPECT_EQ(int8_t(tensor[64].GetValue(1)), -7);
		EXPECT_EQ(tensor.GetSize(), 128u);
		EXPECT_EQ(tensor.GetLength(), 64u);
	});
}

/* A program in CPU mode may make one and hand it to its kernels. */
TEST(KernelTensor, GlobalTensorOfTheHost)
{
	BlockHost host;
	float *memory = host.make(std::vector<float>{1, 2, 3, 4});
	GlobalTensor<float> tensor;
	float sum = 0;

	tensor.SetGlobalBuffer(memory, 4);
	EXPECT_EQ(tensor[2].GetPhyAddr(), memory + 2);
	for (int again = 0; again < 2; again++)
		ASSERT_TRUE(host.run(1, [&] {
			for (uint64_t i = 0; i < 4; i++)
				sum += tensor.GetValue(i) + tensor[i].GetValue(0);
		})) << host.failure().sentence;
	EXPECT_EQ(sum, 40.0f);
	EXPECT_FALSE(host.run(1, [&] { tensor.SetValue(4, 1.0f); }));
	EXPECT_NE(host.failure().sentence.find("allocation of 16 bytes"), std::string::npos);
}

TEST(KernelTensor, GlobalValuesAndOffsets)
{
	BlockHost host;
	int32_t *memory = host.make<int32_t>({1, 2, 3, 4, 5, 6, 7, 8});

	ASSERT_TRUE(host.run(1, [&] {
		GlobalTensor<int32_t> tensor;

		tensor.SetGlobalBuffer(memory, 8);
		EXPECT_EQ(tensor.GetSize(), 8u);
		EXPECT_EQ(tensor.GetValue(2), 3);
		EXPECT_EQ(tensor[4].GetValue(1), 6);
		tensor.SetValue(0, 10);
		tensor(1) = 20;
		EXPECT_EQ(tensor.GetPhyAddr(3), memory + 3);
		tensor.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
	})) << host.failure().sentence;
	EXPECT_EQ(memory[0], 10);
	EXPECT_EQ(memory[1], 20);
}

TEST(KernelPipe, BuffersFollowEachOtherFromByteZero)
{
	run_one([](Ub &) {
		TPipe pipe;
		TQue<QuePosition::VECIN, 2> in;
		TBuf<> scratch;

		EXPECT_TRUE(pipe.InitBuffer(in, 2, 100));
		EXPECT_TRUE(pipe.InitBuffer(scratch, 64));
		auto first = in.AllocTensor<float>();
		auto second = in.AllocTensor<float>();

		EXPECT_EQ(first.address_.bufferAddr, 0u);
		EXPECT_EQ(first.GetSize(), 32u);
		EXPECT_EQ(second.address_.bufferAddr, 128u);
		EXPECT_EQ(scratch.Get<half>().address_.bufferAddr, 256u);
		EXPECT_EQ(scratch.Get<half>().GetSize(), 32u);
		EXPECT_EQ(scratch.Get<half>(10).GetSize(), 10u);
		EXPECT_EQ(scratch.GetWithOffset<float>(8, 32).address_.bufferAddr, 288u);
		EXPECT_EQ(GetTPipePtr(), &pipe);
	});
}

TEST(KernelPipe, QueuesAreFirstInFirstOut)
{
	run_one([](Ub &) {
		TPipe pipe;
		TQue<TPosition::VECOUT, 4> queue;

		pipe.InitBuffer(queue, 3, 32);
		for (int i = 0; i < 3; i++) {
			auto tensor = queue.AllocTensor<int32_t>();

			tensor.SetValue(0, i);
			EXPECT_TRUE(queue.EnQue(tensor));
		}
		EXPECT_FALSE(queue.HasIdleBuffer());
		EXPECT_TRUE(queue.VacantInQue());
		EXPECT_EQ(queue.GetTensorCountInQue(), 3);
		for (int i = 0; i < 3; i++) {
			LocalTensor<int32_t> tensor;

			queue.DeQue(tensor);
			EXPECT_EQ(tensor.GetValue(0), i);
			queue.FreeTensor(tensor);
		}
		EXPECT_FALSE(queue.HasTensorInQue());
		EXPECT_TRUE(queue.HasIdleBuffer());
	});
}

TEST(KernelPipe, QueueOfTwoPositionsIsInPlace)
{
	BlockHost host(3);
	float *in = host.make(random_values<float>(64));
	float *out = host.zeros<float>(64);

	ASSERT_TRUE(host.run(1, [&] {
		TPipe pipe;
		TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
		GlobalTensor<float> from, to;

		from.SetGlobalBuffer(in);
		to.SetGlobalBuffer(out);
		pipe.InitBuffer(queue, 1, 256);
		auto tensor = queue.AllocTensor<float>();

		DataCopy(tensor, from, 64);
		queue.EnQue(tensor);
		tensor = queue.DeQue<float>();
		DataCopy(to, tensor, 64);
		queue.FreeTensor(tensor);
	})) << host.failure().sentence;
	EXPECT_TRUE(std::equal(in, in + 64, out));
}

TEST(KernelPipe, ResetAndASecondPipeBeginAtZero)
{
	run_one([](Ub &) {
		{
			TPipe pipe;
			TBuf<> first, again;

			pipe.InitBuffer(first, 196352);
			pipe.Reset();
			pipe.InitBuffer(again, 64);
			EXPECT_EQ(again.Get<float>().address_.bufferAddr, 0u);
		}
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 196352);
		EXPECT_EQ(buffer.Get<float>().address_.bufferAddr, 0u);
	});
}

TEST(KernelPipe, TheSystemsBytesOfUbAreTolerated)
{
	run_one([](Ub &) {
		TPipe pipe;
		TBuf<> buffer;

		pipe.InitBuffer(buffer, 196608);
		LocalTensor<float> all = buffer.Get<float>();
		Duplicate(all, 1.0f, 49152);
		EXPECT_EQ(all.GetValue(49151), 1.0f);
	});
}

TEST(KernelPipe, PoolsAreTakenOfThePipe)
{
	run_one([](Ub &) {
		TPipe pipe;
		TBuf<> before;
		TBufPool<TPosition::VECCALC> pool, other;
		TBuf<> inside;
		TQue<TPosition::VECIN, 1> queue;

		pipe.InitBuffer(before, 32);
		pipe.InitBufPool(pool, 1024);
		pipe.InitBufPool(other, 512, pool);
		pool.InitBuffer(inside, 64);
		other.InitBuffer(queue, 2, 128);
		EXPECT_EQ(inside.Get<float>().address_.bufferAddr, 32u);
		EXPECT_EQ(queue.AllocTensor<float>().address_.bufferAddr, 32u);
	});
}

TEST(KernelPipe, EventIdentifiers)
{
	run_one([](Ub &) {
		TPipe pipe;
		const TEventID first = pipe.AllocEventID<HardEvent::MTE2_V>();

		EXPECT_EQ(first, 0);
		EXPECT_EQ(pipe.FetchEventID(HardEvent::MTE2_V), 1);
		EXPECT_EQ(pipe.FetchEventID<HardEvent::MTE2_V>(), 1);
		EXPECT_EQ(pipe.AllocEventID<HardEvent::MTE2_V>(), 1);
		EXPECT_EQ(pipe.AllocEventID<HardEvent::V_MTE3>(), 0);
		pipe.ReleaseEventID<HardEvent::MTE2_V>(first);
		EXPECT_EQ(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V), 0);
	});
}
