// SPDX-License-Identifier: MIT
/*
 * DOC: the hot calls neither allocate nor enter the kernel
 *
 * What a program does for each task: it launches, copies, fills, records, waits and asks. While the
 * device is awake none of these may need memory or make a system call. Each call runs a few times
 * before it is counted, since the first use of an object may set it up. Streams are held closed by an
 * event that behaves like a flag, so that the device does not go to sleep on them.
 */
#include <gtest/gtest.h>

#include <cstring>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "counters.h"

/* Others could see it, so that the compiler keeps what it is given. */
int *seen;

namespace {

constexpr int kTurns = 20;
constexpr size_t kBytes = 256;

#define MUST(...) ASSERT_EQ((__VA_ARGS__), ACL_SUCCESS)
#define WANT(...) EXPECT_EQ((__VA_ARGS__), ACL_SUCCESS)

void nothing(void *) {}

class HotPath : public testing::Test {
protected:
	void SetUp() override
	{
		MUST(aclInit(nullptr));
		MUST(aclrtSetDevice(0));
		MUST(aclrtCreateStream(&stream_));
		MUST(aclrtCreateStream(&other_));
		MUST(aclrtCreateStream(&opener_));
		MUST(aclrtCreateEventWithFlag(&gate_, ACL_EVENT_SYNC));
		MUST(aclrtMalloc(&device_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
		MUST(aclrtMallocHost(&pinned_, kBytes));
	}

	void TearDown() override
	{
		WANT(aclrtFreeHost(pinned_));
		WANT(aclrtFree(device_));
		WANT(aclrtDestroyEvent(gate_));
		WANT(aclrtDestroyStream(opener_));
		WANT(aclrtDestroyStream(other_));
		WANT(aclrtDestroyStream(stream_));
		WANT(aclrtResetDevice(0));
		WANT(aclFinalize());
	}

	/* Both streams stand still from here to release(). */
	void hold() const
	{
		WANT(aclrtStreamWaitEvent(stream_, gate_));
		WANT(aclrtStreamWaitEvent(other_, gate_));
	}

	void release() const
	{
		WANT(aclrtRecordEvent(gate_, opener_));
		WANT(aclrtSynchronizeStream(stream_));
		WANT(aclrtSynchronizeStream(other_));
		WANT(aclrtResetEvent(gate_, opener_));
		WANT(aclrtSynchronizeStream(opener_));
	}

	/* The call costs nothing but itself, on streams that are busy. */
	template <typename Call> void costs_nothing(const char *name, Call call) const
	{
		const auto several = [&call] {
			for (int i = 0; i < kTurns; ++i)
				call();
		};
		const hot_path::Cost cost = hot_path::measure(
			[&] {
				WANT(aclrtSetDevice(0));
				hold();
				several();
			},
			several,
			[&] {
				release();
				WANT(aclrtResetDevice(0));
			});

		EXPECT_EQ(cost.allocations, 0u) << name;
		EXPECT_EQ(cost.system_calls.size(), 0u)
			<< name << ": the first has number "
			<< (cost.system_calls.empty() ? -1 : cost.system_calls[0]);
		if (!cost.watched)
			GTEST_SKIP() << "the kernel does not let this process watch system calls";
	}

	aclrtStream stream_ = nullptr;
	aclrtStream other_ = nullptr;
	aclrtStream opener_ = nullptr;
	aclrtEvent gate_ = nullptr;
	void *device_ = nullptr;
	void *pinned_ = nullptr;
};

/* One event of each kind. */
class HotEvents : public HotPath, public testing::WithParamInterface<int> {
protected:
	void SetUp() override
	{
		constexpr uint32_t timed = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;

		HotPath::SetUp();
		switch (GetParam()) {
		case 0:
			MUST(aclrtCreateEvent(&event_));
			break;
		case 1:
			MUST(aclrtCreateEventWithFlag(&event_, timed));
			break;
		case 2:
			MUST(aclrtCreateEventExWithFlag(&event_, timed));
			break;
		default:
			MUST(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC));
			break;
		}
	}

	void TearDown() override
	{
		WANT(aclrtDestroyEvent(event_));
		HotPath::TearDown();
	}

	aclrtEvent event_ = nullptr;
};

} // namespace

TEST(Counters, SeeAllocationsAndSystemCalls)
{
	/* The first allocation of a thread sets up its heap. */
	const auto first = [] {
		seen = new int(2);
		delete seen;
	};
	const hot_path::Cost cost = hot_path::measure(
		first,
		[] {
			seen = new int(1);
			delete seen;
			(void)sysconf(_SC_PAGESIZE);
			(void)getppid();
		},
		[] {});

	EXPECT_GE(cost.allocations, 1u);
	if (cost.watched) {
		EXPECT_EQ(cost.system_calls.size(), 1u);
	}
}

TEST_P(HotEvents, Record)
{
	costs_nothing("aclrtRecordEvent", [this] { WANT(aclrtRecordEvent(event_, stream_)); });
}

TEST_P(HotEvents, RecordOnStreamsInTurn)
{
	costs_nothing("aclrtRecordEvent", [this] {
		WANT(aclrtRecordEvent(event_, stream_));
		WANT(aclrtRecordEvent(event_, other_));
	});
}

TEST_P(HotEvents, Wait)
{
	costs_nothing("aclrtStreamWaitEvent", [this] {
		WANT(aclrtRecordEvent(event_, stream_));
		WANT(aclrtStreamWaitEvent(other_, event_));
	});
}

TEST_P(HotEvents, Query)
{
	costs_nothing("aclrtQueryEventStatus", [this] {
		aclrtEventRecordedStatus status;
		WANT(aclrtRecordEvent(event_, stream_));
		WANT(aclrtQueryEventStatus(event_, &status));
	});
}

INSTANTIATE_TEST_SUITE_P(Kinds, HotEvents, testing::Range(0, 4));

TEST_F(HotPath, Reset)
{
	aclrtEvent event = nullptr;

	MUST(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
	costs_nothing("aclrtResetEvent", [&] {
		WANT(aclrtRecordEvent(event, stream_));
		WANT(aclrtStreamWaitEvent(stream_, event));
		WANT(aclrtResetEvent(event, stream_));
	});
	WANT(aclrtDestroyEvent(event));
}

TEST_F(HotPath, StreamQuery)
{
	costs_nothing("aclrtStreamQuery", [this] {
		aclrtStreamStatus status;
		WANT(aclrtStreamQuery(stream_, &status));
		EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
	});
}

TEST_F(HotPath, Memset)
{
	costs_nothing("aclrtMemsetAsync",
		      [this] { WANT(aclrtMemsetAsync(device_, kBytes, 1, kBytes, stream_)); });
}

TEST_F(HotPath, Memcpy)
{
	costs_nothing("aclrtMemcpyAsync", [this] {
		WANT(aclrtMemcpyAsync(device_, kBytes, pinned_, kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
				      stream_));
		WANT(aclrtMemcpyAsync(pinned_, kBytes, device_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
				      stream_));
	});
}

TEST_F(HotPath, HostFunction)
{
	costs_nothing("aclrtLaunchHostFunc",
		      [this] { WANT(aclrtLaunchHostFunc(stream_, nothing, nullptr)); });
}

TEST_F(HotPath, Operator)
{
	const int64_t dims[] = {4};
	const int64_t strides[] = {1};
	const float one = 1;
	aclTensor *tensor =
		aclCreateTensor(dims, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 1, device_);
	aclScalar *alpha = aclCreateScalar(const_cast<float *>(&one), ACL_FLOAT);
	aclOpExecutor *executor = nullptr;
	uint64_t workspace_bytes = 0;

	MUST(aclnnAddGetWorkspaceSize(tensor, tensor, alpha, tensor, &workspace_bytes, &executor));
	MUST(aclSetAclOpExecutorRepeatable(executor));
	costs_nothing("aclnnAdd", [&] { WANT(aclnnAdd(nullptr, 0, executor, stream_)); });
	WANT(aclDestroyAclOpExecutor(executor));
	WANT(aclDestroyScalar(alpha));
	WANT(aclDestroyTensor(tensor));
}

TEST_F(HotPath, Model)
{
	aclmdlRI model = nullptr;
	aclrtEvent fork = nullptr;
	aclrtEvent join = nullptr;

	MUST(aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
	MUST(aclrtCreateEventExWithFlag(&join, ACL_EVENT_SYNC));
	MUST(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	MUST(aclrtRecordEvent(fork, stream_));
	MUST(aclrtStreamWaitEvent(other_, fork));
	MUST(aclrtMemsetAsync(device_, kBytes, 1, kBytes, other_));
	MUST(aclrtRecordEvent(join, other_));
	MUST(aclrtStreamWaitEvent(stream_, join));
	MUST(aclmdlRICaptureEnd(stream_, &model));
	costs_nothing("aclmdlRIExecuteAsync", [&] { WANT(aclmdlRIExecuteAsync(model, stream_)); });
	WANT(aclmdlRIDestroy(model));
	WANT(aclrtDestroyEvent(join));
	WANT(aclrtDestroyEvent(fork));
}
