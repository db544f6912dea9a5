// SPDX-License-Identifier: MIT
/*
 * DOC: the order between the legacy stream and the blocking streams
 *
 * Each test closes a gate, so that what should wait can't be done, and compares what is in memory when all is done.
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <thread>

using namespace cuda_test;

/* The form of cuMemcpyDtoH for which the thread's own stream copies. */
extern "C" CUresult cuMemcpyDtoH_v2_ptds(void *dst, CUdeviceptr src, size_t bytes);

namespace {

class Turns : public ContextTest {
protected:
	/* A closed gate and a fill are in the legacy stream. */
	void fill_late(Gate &gate, CUdeviceptr word, unsigned value) const
	{
		gate.block(nullptr);
		EXPECT_OK(cuMemsetD32Async(word, value, 1, nullptr));
	}

	/* What @stream copies is not there before the gate opens, and then it is @value. */
	void copies(CUstream stream, Gate &gate, CUdeviceptr word, unsigned value) const
	{
		const PinnedWords copy(1);

		EXPECT_OK(cuMemcpyDtoHAsync(copy.data(), word, sizeof(unsigned), stream));
		EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
		EXPECT_EQ(copy[0], 0u);
		gate.open();
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_EQ(copy[0], value);
	}

	/* Calls @use in a thread that has the context. */
	template <class F> std::thread in_thread(F use) const
	{
		return std::thread([this, use] {
			EXPECT_OK(cuCtxSetCurrent(context_));
			use();
		});
	}
};

} // namespace

TEST_F(Turns, ABlockingStreamCreatedLaterFollowsTheLegacyStream)
{
	const Words words(1);
	Gate gate;

	fill_late(gate, words, 7);
	const Stream later(CU_STREAM_DEFAULT);
	copies(later, gate, words, 7);
}

TEST_F(Turns, AThreadsStreamFirstUsedLaterFollowsTheLegacyStream)
{
	const Words words(1);
	Gate gate;

	fill_late(gate, words, 7);
	copies(CU_STREAM_PER_THREAD, gate, words, 7);
}

TEST_F(Turns, AThreadStartedLaterFollowsTheLegacyStream)
{
	const Words words(1);
	Gate gate;

	fill_late(gate, words, 7);
	in_thread([&] { copies(CU_STREAM_PER_THREAD, gate, words, 7); }).join();
}

/* The host makes the copy in the call. */
TEST_F(Turns, ACopyIntoPageableMemoryFollowsTheLegacyStream)
{
	const Words words(1);
	unsigned copy = 0;
	Gate gate;

	fill_late(gate, words, 7);
	std::thread reader =
		in_thread([&] { EXPECT_OK(cuMemcpyDtoH_v2_ptds(&copy, words, sizeof(copy))); });
	gate.open();
	reader.join();
	EXPECT_EQ(copy, 7u);
}

TEST_F(Turns, AStreamCreatedLaterFollowsAGraphInTheLegacyStream)
{
	const Words words(1);
	const Graph graph;
	Gate gate;
	const CUgraphNode first = add_gate(graph, {}, gate);
	add_fill(graph, {first}, context_, words, 7);
	const Exec exec(graph);

	EXPECT_OK(cuGraphLaunch(exec, nullptr));
	const Stream later(CU_STREAM_DEFAULT);
	copies(later, gate, words, 7);
}

TEST_F(Turns, AGraphInAStreamCreatedLaterFollowsTheLegacyStream)
{
	const Words words(2);
	const Graph graph;
	add_copy(graph, {}, context_, words + sizeof(unsigned), words);
	const Exec exec(graph);
	Gate gate;

	fill_late(gate, words, 7);
	const Stream later(CU_STREAM_DEFAULT);
	EXPECT_OK(cuGraphLaunch(exec, later));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(later));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(later));
	EXPECT_EQ(words.load()[1], 7u);
}

TEST_F(Turns, AnEventInAStreamCreatedLaterFollowsTheLegacyStream)
{
	const Words words(1);
	const Event event(CU_EVENT_DISABLE_TIMING);
	Gate gate;

	fill_late(gate, words, 7);
	const Stream later(CU_STREAM_DEFAULT);
	EXPECT_OK(cuEventRecord(event, later));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	gate.open();
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_EQ(words.load()[0], 7u);
}

/* Neither a stream that takes no turns nor one of another context. */
TEST_F(Turns, OtherStreamsCreatedLaterDoNotFollowTheLegacyStream)
{
	const Words words(2);
	Gate gate;

	fill_late(gate, words, 7);
	const Stream free;
	EXPECT_OK(cuMemsetD32Async(words + sizeof(unsigned), 8, 1, free));
	EXPECT_OK(cuStreamSynchronize(free));
	const Context other;
	const Stream theirs(CU_STREAM_DEFAULT);
	EXPECT_OK(cuMemsetD32Async(words + sizeof(unsigned), 9, 1, theirs));
	EXPECT_OK(cuStreamSynchronize(theirs));
	EXPECT_OK(cuMemsetD32Async(words + sizeof(unsigned), 9, 1, nullptr));
	EXPECT_OK(cuStreamSynchronize(nullptr));
}

/* The program opens the gate only when the synchronisation has returned. */
TEST_F(Turns, ASynchronisationWaitsOnlyForWorkOfItsStream)
{
	const Words words(2);
	const Stream idle(CU_STREAM_DEFAULT);
	const Stream held(CU_STREAM_DEFAULT);
	Gate gate;

	EXPECT_OK(cuMemsetD32Async(words, 1, 1, idle));
	EXPECT_OK(cuStreamSynchronize(idle));
	gate.block(held);
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, nullptr));
	EXPECT_OK(cuStreamQuery(idle));
	EXPECT_OK(cuStreamSynchronize(idle));
	EXPECT_OK(cuStreamQuery(CU_STREAM_PER_THREAD));
	EXPECT_OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	/* From now on it has such work. */
	EXPECT_OK(cuMemsetD32Async(words, 3, 1, idle));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(idle));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(idle));
	EXPECT_EQ(words.load()[0], 3u);
}

TEST_F(Turns, RecordsAndWaitsAreWorkOfTheirStream)
{
	const Stream free;
	const Stream records(CU_STREAM_DEFAULT);
	const Stream waits(CU_STREAM_DEFAULT);
	const Stream held(CU_STREAM_DEFAULT);
	const Event event(CU_EVENT_DISABLE_TIMING);
	const Event other(CU_EVENT_DISABLE_TIMING);
	const Words words(1);
	Gate gate;

	gate.block(held);
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, nullptr));
	EXPECT_OK(cuEventRecord(event, records));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(records));
	EXPECT_OK(cuStreamQuery(waits));
	EXPECT_OK(cuStreamWaitEvent(free, event, 0));
	EXPECT_OK(cuEventRecord(other, free));
	EXPECT_OK(cuStreamWaitEvent(waits, other, 0));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(waits));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(waits));
}

/* The event has nothing to wait for; the wait is a task of the legacy stream all the same. */
TEST_F(Turns, AWaitInTheLegacyStreamOrdersTheOthers)
{
	const Words words(1);
	const Event event(CU_EVENT_DISABLE_TIMING);
	const Stream held(CU_STREAM_DEFAULT);
	const Stream after(CU_STREAM_DEFAULT);
	Gate gate;

	gate.block(held);
	EXPECT_OK(cuMemsetD32Async(words, 7, 1, held));
	EXPECT_OK(cuStreamWaitEvent(nullptr, event, 0));
	copies(after, gate, words, 7);
}

/* Another thread's synchronisation, during which the others go on. */
TEST_F(Turns, ASynchronisationOfTheLegacyStreamOrdersNothing)
{
	constexpr int kRounds = 100;
	const Words words(1);
	const Stream held(CU_STREAM_DEFAULT);
	const Stream free(CU_STREAM_DEFAULT);
	Gate gate;

	gate.block(held);
	std::thread waiter = in_thread([] { EXPECT_OK(cuStreamSynchronize(nullptr)); });
	for (int i = 0; i < kRounds; ++i) {
		const Stream later(CU_STREAM_DEFAULT);

		for (CUstream stream : {CUstream(free), CUstream(later)}) {
			EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
			EXPECT_OK(cuStreamSynchronize(stream));
		}
	}
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(held));
	gate.open();
	waiter.join();
}

TEST_F(Turns, AFailedCallOrdersNothing)
{
	const Words words(1);
	const Stream held(CU_STREAM_DEFAULT);
	const Stream free(CU_STREAM_DEFAULT);
	Gate gate;

	gate.block(held);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(words + 2, 1, 1, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(words, 1, 1000, nullptr));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, free));
	EXPECT_OK(cuStreamSynchronize(free));
}

/* A wait for an event of another device is no packet of the stream that waits. */
TEST(TurnsOfDevices, TheLegacyStreamFollowsWhatABlockingStreamWaitsFor)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event event = event_of(two.second);
	const Event all = event_of(two.first);
	const Stream waits(CU_STREAM_DEFAULT);
	const Stream after(CU_STREAM_DEFAULT);
	Gate gate;

	two.use_second();
	gate.block(two.there);
	EXPECT_OK(cuEventRecord(event, two.there));
	two.use_first();
	EXPECT_OK(cuStreamWaitEvent(waits, event, 0));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
	EXPECT_OK(cuCtxRecordEvent(two.first, all));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(all));
	EXPECT_OK(cuMemsetD32Async(two.a, 1, 1, nullptr));
	EXPECT_OK(cuMemsetD32Async(two.a, 2, 1, after));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(after));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(after));
	EXPECT_EQ(two.a.load()[0], 2u);
}

/* And so does the wait in the legacy stream itself. */
TEST(TurnsOfDevices, BlockingStreamsFollowWhatTheLegacyStreamWaitsFor)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event event = event_of(two.second);
	Gate gate;

	gate.block(two.there);
	EXPECT_OK(cuEventRecord(event, two.there));
	two.use_first();
	const Stream before(CU_STREAM_DEFAULT);
	EXPECT_OK(cuStreamWaitEvent(nullptr, event, 0));
	const Stream after(CU_STREAM_DEFAULT);
	EXPECT_OK(cuMemsetD32Async(two.a, 2, 1, before));
	EXPECT_OK(cuMemsetD32Async(two.a + 4, 3, 1, after));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(before));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(after));
	gate.open();
	EXPECT_OK(cuCtxSynchronize());
}
