// SPDX-License-Identifier: MIT
/*
 * DOC: failed tasks, the last error and synchronised events
 */
#include "support/fixture.h"

namespace conformance {

namespace {

using LastError = DeviceTest;

/* A copy whose addresses the device finds in memory, and there are none. */
void fail(const Stream &stream, const DeviceBuffer &words)
{
	EXPECT_OK(aclrtMemcpyAsyncWithOffset(static_cast<void **>(words.data()), 64, 0,
					     static_cast<const void **>(words.data()), 64, 0,
					     ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
}

/* The device comes to the end of the stream, and no synchronisation sees it. */
void run_out(const Stream &stream)
{
	while (query(stream) != ACL_STREAM_STATUS_COMPLETE)
		turn_device();
}

} // namespace

/* Before a synchronisation reports the task, and once. */
TEST_F(LastError, IsAFailedTaskOfTheContext)
{
	const DeviceBuffer words(64);
	const Stream stream;

	(void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
	fail(stream, words);
	run_out(stream);
	const aclError code = aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL);
	EXPECT_NE(code, ACL_SUCCESS);
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), code);
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
	EXPECT_FAILS(code, "address 0x0", aclrtSynchronizeStream(stream));
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), code);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

/* The first synchronisation that covers the task reports it: the stream's, the device's or an event's. */
TEST_F(LastError, ComesOutOfTheEventsThatAreRecordedAfterTheTask)
{
	const DeviceBuffer words(64);
	const Stream stream;
	const Stream other;
	const Event before = Event::ex(ACL_EVENT_SYNC);
	const Event after = Event::plain();
	const Event beside = Event::ex(ACL_EVENT_SYNC);

	words.fill_async(0, stream);
	EXPECT_OK(aclrtRecordEvent(before, stream));
	fail(stream, words);
	EXPECT_OK(aclrtRecordEvent(after, stream));
	words.fill_async(0, other);
	EXPECT_OK(aclrtRecordEvent(beside, other));
	run_out(stream);
	EXPECT_OK(aclrtSynchronizeEvent(before));
	EXPECT_OK(aclrtSynchronizeEvent(beside));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "failed", aclrtSynchronizeEvent(after));
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_AICORE_EXCEPTION);
	EXPECT_OK(aclrtSynchronizeEvent(after));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	fail(stream, words);
	EXPECT_OK(aclrtRecordEvent(after, stream));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "failed",
		     aclrtSynchronizeEventWithTimeout(after, 60000));
	fail(stream, words);
	EXPECT_OK(aclrtRecordEvent(after, stream));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "failed", aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSynchronizeEvent(after));
}

TEST_F(LastError, ComesOutOfEachSynchronisationOfAContextThatHasStopped)
{
	const DeviceBuffer words(64);
	const ForeignContext context;
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	fail(stream, words);
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "stop", aclrtSynchronizeEvent(event));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "stop", aclrtSynchronizeEvent(event));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "stop", aclrtSynchronizeStream(stream));
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "stop", aclrtRecordEvent(event, stream));
}

/* Launches, allocations and queries return failures of their own only. */
TEST_F(LastError, ComesOutOfNoCallThatDoesNotSynchronise)
{
	const DeviceBuffer words(64);
	const Stream stream;
	void *memory = nullptr;

	fail(stream, words);
	run_out(stream);
	EXPECT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_OK(aclrtFree(memory));
	words.fill_async(0, stream);
	EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "failed", aclrtSynchronizeDevice());
	EXPECT_OK(aclrtSynchronizeDevice());
}

} // namespace conformance
