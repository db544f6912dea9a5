// SPDX-License-Identifier: MIT
/*
 * DOC: failed tasks and the last error
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

} // namespace

/* Before a synchronisation reports the task, and once. */
TEST_F(LastError, IsAFailedTaskOfTheContext)
{
	const DeviceBuffer words(64);
	const Stream stream;
	const Event event = Event::ex(ACL_EVENT_SYNC);

	(void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
	fail(stream, words);
	/* The device has come to the end of the stream, and the event tells of no failure. */
	EXPECT_OK(aclrtRecordEvent(event, stream));
	EXPECT_OK(aclrtSynchronizeEvent(event));
	const aclError code = aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL);
	EXPECT_NE(code, ACL_SUCCESS);
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), code);
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
	EXPECT_FAILS(code, "failed", aclrtSynchronizeStream(stream));
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), code);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

} // namespace conformance
