// SPDX-License-Identifier: MIT
/*
 * DOC: ends of streams that others use
 *
 * A stream is destroyed while another thread gives it work, and after it has stopped its context.
 */
#include <atomic>
#include <future>

#include "support/fixture.h"

using namespace conformance;

namespace {

using StreamEnds = DeviceTest;

constexpr int TASKS = 200;

void count(void *calls)
{
	++*static_cast<std::atomic<int> *>(calls);
}

/* Destroys @stream on another thread, which has the caller's context. */
std::future<aclError> destroy_elsewhere(aclrtStream stream)
{
	aclrtContext context = nullptr;
	EXPECT_OK(aclrtGetCurrentContext(&context));
	return std::async(std::launch::async, [context, stream] {
		EXPECT_OK(aclrtSetCurrentContext(context));
		return aclrtDestroyStream(stream);
	});
}

TEST_F(StreamEnds, WorkThatComesWhileDestroyWaitsIsDone)
{
	std::atomic<int> calls{0};
	Stream stream;
	Gate gate;

	gate.block(stream);
	turn_device();
	const aclrtStream ending = stream.release();
	std::future<aclError> destroyed = destroy_elsewhere(ending);
	EXPECT_EQ(destroyed.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
	for (int i = 0; i < TASKS; i++)
		ASSERT_OK(aclrtLaunchHostFunc(ending, count, &calls));
	gate.open();
	EXPECT_OK(destroyed.get());
	EXPECT_EQ(calls, TASKS);
}

/* A launch and a destroy race: the device runs each task for which the launch returned 0. */
TEST_F(StreamEnds, WorkIsDoneOrRefused)
{
	constexpr int ROUNDS = 10;
	std::atomic<int> calls{0};
	int accepted = 0;

	for (int round = 0; round < ROUNDS; round++) {
		Stream stream;
		const aclrtStream ending = stream.release();
		EXPECT_OK(aclrtLaunchHostFunc(ending, count, &calls));
		accepted++;
		std::future<aclError> destroyed = destroy_elsewhere(ending);
		aclError rc = ACL_SUCCESS;
		while ((rc = aclrtLaunchHostFunc(ending, count, &calls)) == ACL_SUCCESS)
			accepted++;
		EXPECT_EQ(rc, ACL_ERROR_RT_INVALID_HANDLE);
		EXPECT_OK(destroyed.get());
	}
	EXPECT_EQ(calls, accepted);
}

/* A stopped context stays so when the stream that failed is gone. */
TEST_F(StreamEnds, AContextThatStoppedStaysSo)
{
	for (const bool is_reported : {true, false}) {
		const ForeignContext context;
		std::atomic<int> calls{0};
		const Event never = Event::with_flag(ACL_EVENT_SYNC);
		Stream failing;

		EXPECT_OK(aclrtSetStreamFailureMode(failing, ACL_STOP_ON_FAILURE));
		EXPECT_OK(aclrtStreamWaitEventWithTimeout(failing, never, 1));
		if (is_reported) {
			EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "stop",
				     aclrtSynchronizeStream(failing));
		}
		EXPECT_OK(aclrtDestroyStream(failing.release()));
		const Stream next;
		EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "stopped",
			     aclrtLaunchHostFunc(next, count, &calls));
		EXPECT_EQ(calls, 0);
	}
}

} // namespace
