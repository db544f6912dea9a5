// SPDX-License-Identifier: MIT
/*
 * DOC: events (checks E1 to E27)
 */
#include "support/child.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace cuda_test;

namespace {

class Events : public ContextTest {};

#ifdef CUDA_DRIVER_EVENT_H
/* Only the description of cuEventRecordWithFlags() has this name. */
static_assert(CUevent_capture_flags{CU_EVENT_RECORD_EXTERNAL} == CU_EVENT_RECORD_EXTERNAL);
#endif

using EventsAlone = testing::Test;
using EventsWithoutContext = DriverTest;

constexpr unsigned kUnknownFlag = 0x08000000;

float elapsed(CUevent start, CUevent end)
{
	float milliseconds = -1;

	EXPECT_OK(cuEventElapsedTime(&milliseconds, start, end));
	return milliseconds;
}

CUresult try_elapsed(CUevent start, CUevent end)
{
	float milliseconds = 0;

	return cuEventElapsedTime(&milliseconds, start, end);
}

/* A thread that polls is never seen asleep several times in a row; one that sleeps is, sooner or later. */
bool falls_asleep(long thread)
{
	constexpr int kInARow = 20;
	const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);

	for (int seen = 0; seen < kInARow;) {
		if (std::chrono::steady_clock::now() > give_up)
			return false;
		seen = asleep(thread) ? seen + 1 : 0;
		std::this_thread::yield();
	}
	return true;
}

} // namespace

TEST(EventsAlone, E1_NothingWorksBeforeInit)
{
	if (!alone())
		return;
	CUevent event = nullptr;
	float time = 0;

	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventCreate(&event, 0));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventRecord(event, nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventRecordWithFlags(event, nullptr, 0));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventSynchronize(event));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventElapsedTime(&time, event, event));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuEventDestroy(event));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuStreamWaitEvent(nullptr, event, 0));
}

TEST_F(EventsWithoutContext, E1_CreationNeedsAContext)
{
	CUevent event = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuEventCreate(&event, 0));
}

TEST_F(Events, E2_CreationRefusesNullAndUnknownFlags)
{
	CUevent event = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventCreate(nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&event, kUnknownFlag));
}

TEST_F(Events, E3_InterprocessNeedsDisableTiming)
{
	CUevent event = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&event, CU_EVENT_INTERPROCESS));
	for (unsigned flags :
	     {CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING,
	      CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC}) {
		EXPECT_OK(cuEventCreate(&event, flags));
		EXPECT_OK(cuEventDestroy(event));
	}
}

TEST_F(Events, E4_NeverRecordedIsDone)
{
	const Stream stream;
	const Event event;

	EXPECT_OK(cuEventQuery(event));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuStreamWaitEvent(stream, event, 0));
	EXPECT_OK(cuStreamSynchronize(stream));
}

TEST_F(Events, E5_NoTimeWithoutARecord)
{
	const Stream stream;
	const Event never;
	const Event recorded;

	EXPECT_OK(cuEventRecord(recorded, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(never, recorded));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(recorded, never));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(never, never));
}

TEST_F(Events, E6_PendingIsNotReady)
{
	const Stream stream;
	const Event first;
	const Event second;
	Gate gate;

	EXPECT_OK(cuEventRecord(first, stream));
	EXPECT_OK(cuEventSynchronize(first));
	gate.block(stream);
	EXPECT_OK(cuEventRecord(second, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(second));
	EXPECT_CU(CUDA_ERROR_NOT_READY, try_elapsed(first, second));
	gate.open();
	EXPECT_OK(cuEventSynchronize(second));
	EXPECT_OK(cuEventQuery(second));
	EXPECT_GE(elapsed(first, second), 0.0f);
}

TEST_F(Events, E7_NoTimeWithoutTimingEvenWhilePending)
{
	const Stream stream;
	const Event timed;
	const Event untimed(CU_EVENT_DISABLE_TIMING);
	Gate gate;

	EXPECT_OK(cuEventRecord(untimed, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	gate.block(stream);
	EXPECT_OK(cuEventRecord(timed, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(untimed, timed));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(timed, untimed));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(untimed, timed));
}

TEST_F(Events, E8_TimeNeedsSomewhereToGo)
{
	const Stream stream;
	const Event event;

	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventElapsedTime(nullptr, event, event));
}

TEST_F(Events, E9_TimeOfNoEvent)
{
	const Stream stream;
	const Event event;

	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(nullptr, event));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(event, nullptr));
}

TEST_F(Events, E10_TimeHasASign)
{
	const Words words(1 << 20);
	const Stream stream;
	const Event start;
	const Event stop;

	EXPECT_OK(cuEventRecord(start, stream));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1 << 20, stream));
	EXPECT_OK(cuEventRecord(stop, stream));
	EXPECT_OK(cuEventSynchronize(stop));
	EXPECT_EQ(elapsed(start, start), 0.0f);
	EXPECT_GT(elapsed(start, stop), 0.0f);
	EXPECT_LT(elapsed(stop, start), 0.0f);
}

TEST(EventsAlone, E11_NoTimeBetweenDevices)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first(0);
	const Event here;
	EXPECT_OK(cuEventRecord(here, nullptr));
	EXPECT_OK(cuEventSynchronize(here));
	const Context second(1);
	const Event there;
	EXPECT_OK(cuEventRecord(there, nullptr));
	EXPECT_OK(cuEventSynchronize(there));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(here, there));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(there, here));
}

TEST_F(Events, E12_TimeIsThatOfTheDeviceWork)
{
	constexpr auto kPause = std::chrono::milliseconds(10);
	const Stream stream;
	const Event start;
	const Event stop;
	Gate gate;

	EXPECT_OK(cuEventRecord(start, stream));
	gate.block(stream);
	EXPECT_OK(cuEventRecord(stop, stream));
	EXPECT_OK(cuEventSynchronize(start));
	/* Not before that time has gone by does the second record happen. */
	std::promise<void> never;
	(void)never.get_future().wait_for(kPause);
	gate.open();
	EXPECT_OK(cuEventSynchronize(stop));
	EXPECT_GE(elapsed(start, stop), 9.9f);
}

/* A task of @stream fails: its memory is gone when it runs. */
static void fail_a_task(CUstream stream)
{
	constexpr size_t kBytes = 4096;
	alignas(kBytes) static char memory[kBytes];
	CUDA_MEMSET_NODE_PARAMS fill = {};
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	CUgraphNode node = nullptr;
	CUcontext context = nullptr;

	EXPECT_OK(cuMemHostRegister(memory, kBytes, 0));
	fill.dst = reinterpret_cast<CUdeviceptr>(memory);
	fill.elementSize = 1;
	fill.width = kBytes;
	fill.height = 1;
	EXPECT_OK(cuCtxGetCurrent(&context));
	EXPECT_OK(cuGraphCreate(&graph, 0));
	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuMemHostUnregister(memory));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	(void)cuGraphExecDestroy(exec);
	(void)cuGraphDestroy(graph);
}

/* The context is of no use afterwards, and neither are the things in it. */
TEST(EventsAlone, E13_FailuresOfTasks)
{
	if (!alone())
		return;
	CUcontext context = nullptr;
	CUstream stream = nullptr;
	CUevent start = nullptr;
	CUevent stop = nullptr;
	void *first_version = nullptr;
	float ms = -1;
	CUdriverProcAddressQueryResult status;

	ASSERT_OK(cuInit(0));
	ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
	ASSERT_OK(cuCtxSetCurrent(context));
	EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	EXPECT_OK(cuEventCreate(&start, 0));
	EXPECT_OK(cuEventCreate(&stop, 0));
	EXPECT_OK(cuGetProcAddress("cuEventElapsedTime", &first_version, 2000, 0, &status));
	EXPECT_OK(cuEventRecord(start, stream));
	EXPECT_OK(cuEventRecord(stop, stream));
	EXPECT_OK(cuEventSynchronize(stop));
	fail_a_task(stream);
	EXPECT_NE(cuStreamSynchronize(stream), CUDA_SUCCESS);
	EXPECT_OK(cuEventElapsedTime(&ms, start, stop));
	EXPECT_GE(ms, 0);
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS,
		  reinterpret_cast<CUresult (*)(float *, CUevent, CUevent)>(first_version)(
			  &ms, start, stop));
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventQuery(stop));
}

TEST(EventsAlone, E13_S5_FailuresOfADestroyedStream)
{
	if (!alone())
		return;
	CUcontext context = nullptr;
	CUstream stream = nullptr;

	ASSERT_OK(cuInit(0));
	ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
	ASSERT_OK(cuCtxSetCurrent(context));
	EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	fail_a_task(stream);
	EXPECT_OK(cuStreamDestroy(stream));
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamCreate(&stream, 0));
}

TEST_F(Events, E14_RecordOfNoEvent)
{
	const Stream stream;

	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(nullptr, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventRecordWithFlags(nullptr, stream, 0));
}

TEST_F(Events, E15_RecordInAnotherContext)
{
	const Event event;
	const Stream stream;
	{
		const Context other;
		const Stream foreign;

		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, foreign));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, nullptr));
		/* The stream's context counts, not the current one. */
		EXPECT_OK(cuEventRecord(event, stream));
	}
	EXPECT_OK(cuEventRecord(event, nullptr));
	EXPECT_OK(cuEventSynchronize(event));
}

TEST_F(Events, E16_ARecordReplacesTheOldOne)
{
	const Stream slow;
	const Stream idle;
	const Event event(CU_EVENT_DISABLE_TIMING);
	Gate gate;

	gate.block(slow);
	EXPECT_OK(cuEventRecord(event, slow));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	EXPECT_OK(cuEventRecord(event, idle));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuEventQuery(event));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(slow));
}

TEST_F(Events, E17_AWaitKeepsTheRecordItTook)
{
	const Words words(1);
	const Stream slow;
	const Stream waiter;
	const Stream other;
	const Event event;
	Gate gate;

	gate.block(slow);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, slow));
	EXPECT_OK(cuEventRecord(event, slow));
	EXPECT_OK(cuStreamWaitEvent(waiter, event, 0));
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, waiter));
	EXPECT_OK(cuEventRecord(event, other));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(waiter));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(waiter));
	EXPECT_EQ(words.load()[0], 2u);
}

TEST_F(Events, E18_LaterWorkDoesNotDelayIt)
{
	for (unsigned flags : {CU_EVENT_DEFAULT, CU_EVENT_DISABLE_TIMING}) {
		const Stream stream;
		const Event event(flags);
		Gate gate;

		EXPECT_OK(cuEventRecord(event, stream));
		gate.block(stream);
		EXPECT_OK(cuEventSynchronize(event));
		EXPECT_OK(cuEventQuery(event));
		EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
		gate.open();
		EXPECT_OK(cuStreamSynchronize(stream));
	}
}

TEST_F(Events, E19_WaitAcrossContexts)
{
	const Words words(1);
	const Stream here;
	const Event event;
	{
		const Context other;
		const Stream there;
		Gate gate;

		gate.block(here);
		EXPECT_OK(cuMemsetD32Async(words, 1, 1, here));
		EXPECT_OK(cuEventRecord(event, here));
		EXPECT_OK(cuStreamWaitEvent(there, event, 0));
		EXPECT_OK(cuMemsetD32Async(words, 2, 1, there));
		EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(there));
		gate.open();
		EXPECT_OK(cuStreamSynchronize(there));
	}
	EXPECT_EQ(words.load()[0], 2u);
}

TEST(EventsAlone, E19_WaitAcrossDevices)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first(0);
	const Stream here;
	const Event event;
	const Event again;
	const Context second(1);
	const Stream there;
	const Words words(1);
	Gate gate;

	gate.block(here);
	EXPECT_OK(cuEventRecord(event, here));
	EXPECT_OK(cuStreamWaitEvent(there, event, 0));
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, there));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(there));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(there));
	EXPECT_EQ(words.load()[0], 2u);
	/* A record that is done needs no wait. */
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuStreamWaitEvent(there, event, 0));
	EXPECT_OK(cuCtxWaitEvent(second, event));
	EXPECT_OK(cuStreamQuery(there));
}

TEST_F(Events, E20_WaitForNoEventOrInAnUnknownWay)
{
	const Stream stream;
	const Event event;

	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(stream, nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(stream, event, ~0u));
}

TEST_F(Events, E21_FlagsOfARecord)
{
	const Stream stream;
	const Event event;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(event, stream, 2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags(event, stream, ~0u));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
	EXPECT_OK(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT));
	EXPECT_OK(cuEventSynchronize(event));
}

TEST_F(Events, E22_ExternalWaitsAreForCaptures)
{
	const Stream stream;
	const Event event;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL));
}

TEST_F(Events, E23_DestroyedWhilePending)
{
	const Words words(1);
	const Stream slow;
	const Stream waiter;
	Event event;
	Gate gate;

	gate.block(slow);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, slow));
	EXPECT_OK(cuEventRecord(event, slow));
	EXPECT_OK(cuStreamWaitEvent(waiter, event, 0));
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, waiter));
	EXPECT_OK(cuEventDestroy(event.release()));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(waiter));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(waiter));
	EXPECT_EQ(words.load()[0], 2u);
}

TEST_F(Events, E24_DestroyNone)
{
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(nullptr));
}

TEST_F(Events, E25_UseAfterDestroy)
{
	const Stream stream;
	const Event live;

	for (CUevent dead : {destroyed_event(), garbage<CUevent>()}) {
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(dead));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(dead));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(dead));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(dead, stream));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(stream, dead, 0));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(dead, live));
	}
	/* A handle of another kind is no event either. */
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE,
		  cuEventQuery(reinterpret_cast<CUevent>(static_cast<CUstream>(stream))));
}

TEST_F(Events, E26_ManyThreadsLookAtOneEvent)
{
	constexpr unsigned kRecords = 2000;
	constexpr unsigned kThreads = 8;
	const Stream stream;
	const Event event;
	std::atomic<bool> stop{false};
	std::atomic<unsigned> wrong{0};
	std::vector<std::thread> threads;

	for (unsigned i = 0; i < kThreads; ++i) {
		threads.emplace_back([&] {
			while (!stop.load()) {
				const CUresult code = cuEventQuery(event);

				if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY)
					++wrong;
			}
		});
	}
	for (unsigned i = 0; i < kRecords; ++i)
		EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuEventSynchronize(event));
	stop = true;
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(wrong.load(), 0u);
}

TEST_F(Events, E26_TwoThreadsWaitForOneEvent)
{
	const Stream stream;
	const Event event;
	std::vector<std::thread> threads;
	Gate gate;

	gate.block(stream);
	EXPECT_OK(cuEventRecord(event, stream));
	for (unsigned i = 0; i < 2; ++i)
		threads.emplace_back([&] { EXPECT_OK(cuEventSynchronize(event)); });
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	gate.open();
	for (std::thread &thread : threads)
		thread.join();
}

TEST_F(Events, E27_ABlockingWaitSleeps)
{
	const long waiter = thread_number();
	const Stream stream;
	const Event event(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
	Gate gate;

	gate.block(stream);
	EXPECT_OK(cuEventRecord(event, stream));
	std::thread opener([&] {
		EXPECT_TRUE(falls_asleep(waiter)) << "the wait polls";
		gate.open();
	});
	EXPECT_OK(cuEventSynchronize(event));
	opener.join();
}
