// SPDX-License-Identifier: MIT
/*
 * DOC: streams (checks S1 to S14, S23, S24)
 */
#include "support/child.h"

#include <atomic>
#include <set>
#include <thread>

using namespace cuda_test;

/* The form of cuEventRecord for which NULL is the thread's own stream. */
extern "C" CUresult cuEventRecord_ptsz(CUevent event, CUstream stream);

namespace {

class Streams : public ContextTest {};
using StreamsWithoutContext = DriverTest;

unsigned long long id_of(CUstream stream)
{
	unsigned long long id = 0;

	EXPECT_OK(cuStreamGetId(stream, &id));
	return id;
}

} // namespace

TEST_F(Streams, S1_CreationRefusesNullAndUnknownFlags)
{
	CUstream stream = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(nullptr, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 0xff));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamCreateWithPriority(nullptr, 0, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamCreateWithPriority(&stream, 0xff, 0));
}

TEST_F(Streams, S2_PrioritiesAreClamped)
{
	int least = -100;
	int greatest = 100;
	int priority = 100;

	EXPECT_OK(cuCtxGetStreamPriorityRange(&least, &greatest));
	EXPECT_EQ(least, 0);
	EXPECT_LE(greatest, 0);
	for (auto [wanted, got] : {std::pair{least + 10, least},
				   {greatest - 10, greatest},
				   {least, least},
				   {greatest, greatest}}) {
		CUstream stream = nullptr;

		EXPECT_OK(cuStreamCreateWithPriority(&stream, 0, wanted));
		EXPECT_OK(cuStreamGetPriority(stream, &priority));
		EXPECT_EQ(priority, got);
		EXPECT_OK(cuStreamDestroy(stream));
	}
	const Stream plain;
	EXPECT_OK(cuStreamGetPriority(plain, &priority));
	EXPECT_EQ(priority, 0);
	EXPECT_OK(cuStreamGetPriority(nullptr, &priority));
	EXPECT_EQ(priority, 0);
}

TEST_F(Streams, S3_FlagsAreReported)
{
	const Stream blocking(CU_STREAM_DEFAULT);
	const Stream free(CU_STREAM_NON_BLOCKING);
	unsigned flags = 77;

	EXPECT_OK(cuStreamGetFlags(blocking, &flags));
	EXPECT_EQ(flags, unsigned{CU_STREAM_DEFAULT});
	EXPECT_OK(cuStreamGetFlags(free, &flags));
	EXPECT_EQ(flags, unsigned{CU_STREAM_NON_BLOCKING});
	EXPECT_OK(cuStreamGetFlags(nullptr, &flags));
	EXPECT_EQ(flags, 0u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamGetFlags(free, nullptr));
}

TEST_F(Streams, S4_DestroyNoneOrTwice)
{
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(CU_STREAM_LEGACY));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(CU_STREAM_PER_THREAD));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamDestroy(destroyed_stream()));
}

TEST_F(Streams, S5_DestroyLetsWorkFinish)
{
	const Words words(1);
	const Event event;
	Stream stream;
	Gate gate;

	gate.block(stream);
	EXPECT_OK(cuMemsetD32Async(words, 7, 1, stream));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuStreamDestroy(stream.release()));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	gate.open();
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_EQ(words.load()[0], 7u);
}

namespace {

/* Work of a destroyed stream, which writes a mark. A stepped device runs only inside a waiting thread.
 * So there a thread that does not wait surely finds no mark. */
struct Left {
	std::atomic<bool> done{false};

	static void finish(void *left) { static_cast<Left *>(left)->done = true; }

	void behind(unsigned flags = CU_STREAM_NON_BLOCKING)
	{
		Stream stream(flags);

		EXPECT_OK(cuLaunchHostFunc(stream, finish, this));
		EXPECT_OK(cuStreamDestroy(stream.release()));
	}
};

} // namespace

TEST_F(Streams, S5_TheContextWaitsForStreamsThatAreGone)
{
	Left left;

	left.behind();
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_TRUE(left.done);
}

TEST_F(Streams, S5_TheEndOfAContextWaitsForStreamsThatAreGone)
{
	Left left;
	{
		const Context other;

		left.behind();
	}
	EXPECT_TRUE(left.done);
}

TEST_F(Streams, S5_AResetWaitsForStreamsThatAreGone)
{
	Left left;
	CUcontext primary = nullptr;

	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 0));
	ASSERT_OK(cuCtxPushCurrent(primary));
	left.behind();
	ASSERT_OK(cuCtxPopCurrent(nullptr));
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
	EXPECT_OK(cuDevicePrimaryCtxRelease(0));
	EXPECT_TRUE(left.done);
}

TEST_F(Streams, S5_AThreadsOwnStreamIsWaitedForToo)
{
	Left left;

	std::thread([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		EXPECT_OK(cuLaunchHostFunc(CU_STREAM_PER_THREAD, Left::finish, &left));
	}).join();
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_TRUE(left.done);
}

TEST_F(Streams, S5_S8_TheLegacyStreamWaitsForStreamsThatAreGone)
{
	Left left;

	left.behind(CU_STREAM_DEFAULT);
	EXPECT_OK(cuStreamSynchronize(nullptr));
	EXPECT_TRUE(left.done);
}

TEST_F(Streams, S5_StreamsThatAreGoneLeaveNothing)
{
	/* More than a device has at once. */
	constexpr int kStreams = 5000;
	const Words words(1);

	for (int i = 0; i < kStreams; ++i) {
		Stream stream;

		EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
		EXPECT_OK(cuStreamDestroy(stream.release()));
		if (i % 500 == 0) {
			EXPECT_OK(cuCtxSynchronize());
		}
	}
	EXPECT_OK(cuCtxSynchronize());
}

TEST_F(Streams, S6_QueryTellsWhetherIdle)
{
	const Stream stream;
	Gate gate;

	EXPECT_OK(cuStreamQuery(stream));
	gate.block(stream);
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_OK(cuStreamQuery(stream));
}

TEST_F(Streams, S7_UseAfterDestroy)
{
	const Event event;
	const Words words(1);
	unsigned long long id = 0;

	for (CUstream dead : {destroyed_stream(), garbage<CUstream>()}) {
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamQuery(dead));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamSynchronize(dead));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamGetId(dead, &id));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamWaitEvent(dead, event, 0));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventRecord(event, dead));
		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD32Async(words, 1, 1, dead));
	}
}

/* Errors and reports call a stream by the lower bits of its id. */
TEST_F(Streams, IdsAreNumbersOfErrorsAndUnique)
{
	std::set<unsigned long long> ids, numbers;

	for (int i = 0; i < 3; i++) {
		const Stream a, b;

		for (const CUstream stream : {CUstream(a), CUstream(b)}) {
			const unsigned long long id = id_of(stream);

			EXPECT_TRUE(ids.insert(id).second) << id;
			EXPECT_EQ(id_of(stream), id);
			EXPECT_EQ(id >> 16 & 0xffff, 0u) << "the device";
			numbers.insert(id & 0xffff);
		}
	}
	EXPECT_LT(numbers.size(), ids.size()) << "a device gives numbers again";
}

TEST_F(Streams, S8_LegacyStreamTakesTurns)
{
	const Words words(1);
	const Stream before(CU_STREAM_DEFAULT);
	const Stream after(CU_STREAM_DEFAULT);
	Gate gate;

	gate.block(before);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, before));
	/* The second waits for the first, the third for the second. */
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, nullptr));
	EXPECT_OK(cuMemsetD32Async(words, 3, 1, after));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(after));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(CU_STREAM_LEGACY));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(after));
	EXPECT_EQ(words.load()[0], 3u);
}

TEST_F(Streams, S8_LegacyEventsAndWaitsTakeTurns)
{
	const Words words(1);
	const Stream before(CU_STREAM_DEFAULT);
	const Stream free;
	const Stream after(CU_STREAM_DEFAULT);
	const Event event(CU_EVENT_DISABLE_TIMING);
	const Event gated(CU_EVENT_DISABLE_TIMING);
	Gate gate;

	/* A record in the legacy stream covers the others. */
	gate.block(before);
	EXPECT_OK(cuEventRecord(event, nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	/* A wait in the legacy stream holds the others. */
	EXPECT_OK(cuStreamWaitEvent(free, event, 0));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, free));
	EXPECT_OK(cuEventRecord(gated, free));
	EXPECT_OK(cuStreamWaitEvent(nullptr, gated, 0));
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, after));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(after));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(after));
	EXPECT_EQ(words.load()[0], 2u);
}

TEST_F(Streams, S9_NonBlockingStreamsTakeNoTurns)
{
	const Words words(2);
	const Stream slow;
	const Stream free;
	Gate gate;

	gate.block(slow);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, nullptr));
	EXPECT_OK(cuStreamSynchronize(nullptr));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(slow));
	/* And not the other way either. */
	Gate legacy;
	legacy.block(nullptr);
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, free));
	EXPECT_OK(cuStreamSynchronize(free));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
}

TEST_F(Streams, S10_QueryOfTheLegacyStreamSeesTheOthers)
{
	const Stream stream(CU_STREAM_DEFAULT);
	Gate gate;

	EXPECT_OK(cuStreamQuery(nullptr));
	gate.block(stream);
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(nullptr));
	EXPECT_OK(cuStreamQuery(stream));
}

TEST_F(Streams, AQueryOfTheLegacyStreamChangesNothing)
{
	const Stream idle(CU_STREAM_DEFAULT);
	const Stream slow(CU_STREAM_DEFAULT);
	Gate gate;

	gate.block(slow);
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(CU_STREAM_LEGACY));
	EXPECT_OK(cuStreamQuery(idle));
	EXPECT_OK(cuStreamSynchronize(idle));
}

TEST_F(Streams, S11_EachThreadHasAStream)
{
	const unsigned long long mine = id_of(CU_STREAM_PER_THREAD);
	unsigned long long theirs = mine;

	EXPECT_NE(mine, id_of(CU_STREAM_LEGACY));
	EXPECT_EQ(mine, id_of(CU_STREAM_PER_THREAD));
	std::thread([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		theirs = id_of(CU_STREAM_PER_THREAD);
	}).join();
	EXPECT_NE(mine, theirs);
}

TEST_F(Streams, S11_TheThreadsStreamTakesTurns)
{
	const Words words(1);
	Gate gate;

	gate.block(CU_STREAM_PER_THREAD);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, CU_STREAM_PER_THREAD));
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(nullptr));
	EXPECT_EQ(words.load()[0], 2u);
}

TEST_F(Streams, S11_AThreadsStreamOutlivesItForItsWork)
{
	const Words words(1);
	const Event event;
	Gate gate;

	std::thread([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		gate.block(CU_STREAM_PER_THREAD);
		EXPECT_OK(cuMemsetD32Async(words, 5, 1, CU_STREAM_PER_THREAD));
		EXPECT_OK(cuEventRecord(event, CU_STREAM_PER_THREAD));
	}).join();
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	gate.open();
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_EQ(words.load()[0], 5u);
}

TEST_F(Streams, S12_PtszRecordsInTheThreadsStream)
{
	const Stream blocker;
	const Event mine(CU_EVENT_DISABLE_TIMING);
	const Event legacy(CU_EVENT_DISABLE_TIMING);
	Gate gate;

	gate.block(CU_STREAM_PER_THREAD);
	EXPECT_OK(cuEventRecord_ptsz(mine, nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(mine));
	gate.open();
	EXPECT_OK(cuEventSynchronize(mine));
	Gate other;
	other.block(nullptr);
	/* The legacy stream blocks; earlier records of the other stream do not. */
	EXPECT_OK(cuEventQuery(mine));
	EXPECT_OK(cuEventRecord(legacy, nullptr));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(legacy));
}

TEST_F(Streams, S13_IdsAreUnique)
{
	const Stream first;
	const Stream second;
	const unsigned long long legacy = id_of(nullptr);

	EXPECT_NE(id_of(first), id_of(second));
	EXPECT_NE(id_of(first), legacy);
	EXPECT_EQ(legacy, id_of(CU_STREAM_LEGACY));
	const Context other;
	EXPECT_NE(id_of(nullptr), legacy);
}

TEST_F(StreamsWithoutContext, S14_SpecialStreamsNeedAContext)
{
	CUcontext context = nullptr;

	for (CUstream stream : {CUstream{nullptr}, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD})
		EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuStreamGetCtx(stream, &context));
}

TEST_F(Streams, S14_AStreamKnowsItsContextAndDevice)
{
	const Stream stream;
	CUcontext found = nullptr;
	CUdevice device = -1;

	EXPECT_OK(cuStreamGetCtx(nullptr, &found));
	EXPECT_EQ(found, context_);
	const Context other;
	EXPECT_OK(cuStreamGetCtx(stream, &found));
	EXPECT_EQ(found, context_);
	EXPECT_OK(cuStreamGetDevice(stream, &device));
	EXPECT_EQ(device, 0);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamGetCtx(stream, nullptr));
}

TEST_F(Streams, S23_AttributesAreKept)
{
	const Stream stream;
	const Stream copy;
	CUstreamAttrValue value = {};
	const auto unknown = static_cast<CUstreamAttrID>(77);

	EXPECT_OK(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
	EXPECT_EQ(value.priority, 0);
	value.syncPolicy = CU_SYNC_POLICY_BLOCKING_SYNC;
	EXPECT_OK(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
	value = {};
	EXPECT_OK(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
	EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_BLOCKING_SYNC);
	EXPECT_OK(cuStreamCopyAttributes(copy, stream));
	value = {};
	EXPECT_OK(cuStreamGetAttribute(copy, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
	EXPECT_EQ(value.syncPolicy, CU_SYNC_POLICY_BLOCKING_SYNC);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamSetAttribute(stream, unknown, &value));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamGetAttribute(stream, unknown, &value));
	EXPECT_OK(cuStreamSynchronize(stream));
}

TEST_F(Streams, S24_SynchronousCopiesAreDoneWhenTheyReturn)
{
	constexpr size_t kWords = 100000;
	const Words words(kWords);
	std::vector<uint32_t> values(kWords, 3);
	std::vector<uint32_t> back(kWords);

	EXPECT_OK(cuMemcpyHtoD(words, values.data(), words.bytes()));
	/* The source may be changed at once. */
	values.assign(kWords, 4);
	EXPECT_OK(cuMemcpyDtoH(back.data(), words, words.bytes()));
	EXPECT_EQ(back, std::vector<uint32_t>(kWords, 3));
}

TEST_F(Streams, S24_AFillOfPinnedMemoryIsDoneWhenItReturns)
{
	constexpr size_t kWords = 100000;
	const PinnedWords pinned(kWords);

	EXPECT_OK(cuMemsetD32(pinned.address(), 9, kWords));
	EXPECT_EQ(pinned[0], 9u);
	EXPECT_EQ(pinned[kWords - 1], 9u);
}

TEST_F(Streams, S24_AFillOfDeviceMemoryDoesNotWait)
{
	const Words words(1);
	const Stream slow(CU_STREAM_DEFAULT);
	Gate gate;

	gate.block(slow);
	EXPECT_OK(cuMemsetD32(words, 9, 1));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(nullptr));
	gate.open();
	EXPECT_EQ(words.load()[0], 9u);
}
