// SPDX-License-Identifier: MIT
/*
 * DOC: notifies and counters within one process
 *
 * Check 66: a record lets one wait pass, whichever of the two was first, and a wait has its time.
 * Counters are changed in four ways and waited for in five.
 */
#include "event/notify.h"
#include "capture/capture_objects.h"

using namespace conformance;

namespace {

using Notifies = DeviceTest;

constexpr size_t kBytes = 64;
constexpr uint32_t kMost = 8192;

aclError wait(aclrtNotify notify, aclrtStream stream, uint32_t seconds = 0)
{
	return aclrtWaitAndResetNotify(notify, stream, seconds);
}

class CountNotify {
public:
	CountNotify() { EXPECT_OK(aclrtCntNotifyCreate(&handle_, 0)); }
	~CountNotify() { EXPECT_OK(aclrtCntNotifyDestroy(handle_)); }
	CountNotify(const CountNotify &) = delete;
	CountNotify &operator=(const CountNotify &) = delete;

	operator aclrtCntNotify() const { return handle_; }

	void record(aclrtStream stream, int mode, uint32_t value) const
	{
		aclrtCntNotifyRecordInfo info = {static_cast<aclrtCntNotifyRecordMode>(mode),
						 value};

		EXPECT_OK(aclrtCntNotifyRecord(handle_, stream, &info));
	}

	aclError try_wait(aclrtStream stream, int mode, uint32_t value, uint8_t clear = 0,
			  uint32_t seconds = 0) const
	{
		aclrtCntNotifyWaitInfo info = {};

		info.mode = static_cast<aclrtCntNotifyWaitMode>(mode);
		info.value = value;
		info.timeout = seconds;
		info.isClear = clear;
		return aclrtCntNotifyWaitWithTimeout(handle_, stream, &info);
	}

	void wait(aclrtStream stream, int mode, uint32_t value, uint8_t clear = 0) const
	{
		EXPECT_OK(try_wait(stream, mode, value, clear));
	}

	/* The counter has this value when the stream gets there, or this fails within a second. */
	void expect(aclrtStream stream, uint32_t value) const
	{
		EXPECT_OK(try_wait(stream, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, value, 0, 1));
		EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "it is not " << value;
	}

private:
	aclrtCntNotify handle_ = nullptr;
};

} // namespace

TEST_F(Notifies, Check66_RecordThenWaitPassesAndResets)
{
	const Notify notify;
	const Stream a;
	const Stream b;

	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(wait(notify, b));
	EXPECT_OK(aclrtSynchronizeStream(b));

	EXPECT_OK(wait(notify, b));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY) << "the second wait has no record";
	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(aclrtSynchronizeStream(b));
}

TEST_F(Notifies, Check66_WaitThenRecordPasses)
{
	const Notify notify;
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream a;
	const Stream b;
	Gate gate;

	EXPECT_OK(wait(notify, b));
	copy_async(y, x, b);
	gate.block(a);
	x.fill_async(7, a);
	EXPECT_OK(aclrtRecordNotify(notify, a));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(y, 7));
}

TEST_F(Notifies, Check66_AWaitHasItsTime)
{
	const Notify notify;
	const Stream a;
	const DeviceBuffer x(kBytes);

	EXPECT_OK(wait(notify, a, 1));
	x.fill_async(3, a);
	EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "aclrtWaitAndResetNotify",
		     aclrtSynchronizeStream(a));
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_TRUE(holds(x, 3)) << "the stream goes on";
	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(wait(notify, a, 1));
	EXPECT_OK(aclrtSynchronizeStream(a));
}

TEST_F(Notifies, OneRecordReleasesOneWait)
{
	const Notify notify;
	const Stream a;
	const Stream b;
	const Stream c;

	EXPECT_OK(wait(notify, a));
	EXPECT_OK(wait(notify, b));
	turn_device();
	EXPECT_OK(aclrtRecordNotify(notify, c));
	EXPECT_OK(aclrtSynchronizeStream(c));
	while (query(a) != ACL_STREAM_STATUS_COMPLETE && query(b) != ACL_STREAM_STATUS_COMPLETE)
		turn_device();
	turn_device();
	EXPECT_NE(query(a), query(b));
	EXPECT_OK(aclrtRecordNotify(notify, c));
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_OK(aclrtSynchronizeStream(b));
}

TEST_F(Notifies, RecordsDoNotAddUp)
{
	const Notify notify;
	const Stream a;

	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(wait(notify, a));
	EXPECT_OK(wait(notify, a, 1));
	EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "", aclrtSynchronizeStream(a));
}

TEST_F(Notifies, TheDefaultStreamTakesPart)
{
	const Notify notify;
	const Stream a;

	EXPECT_OK(wait(notify, a));
	EXPECT_OK(aclrtRecordNotify(notify, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(a));
}

TEST_F(Notifies, BatchResetClears)
{
	const Notify first;
	const Notify second;
	const Stream a;
	aclrtNotify both[] = {first, second};

	EXPECT_OK(aclrtRecordNotify(first, a));
	EXPECT_OK(aclrtRecordNotify(second, a));
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_OK(aclrtNotifyBatchReset(both, 2));
	EXPECT_OK(wait(first, a));
	turn_device();
	EXPECT_EQ(query(a), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_OK(aclrtRecordNotify(first, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(a));

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notifies", aclrtNotifyBatchReset(nullptr, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "num", aclrtNotifyBatchReset(both, 0));
	both[1] = nullptr;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notify", aclrtNotifyBatchReset(both, 2));
	both[1] = a;
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "notify", aclrtNotifyBatchReset(both, 2));
}

TEST_F(Notifies, IdsTellThemApart)
{
	const Notify first;
	const Notify second;
	uint32_t one = 0;
	uint32_t two = 0;

	EXPECT_OK(aclrtGetNotifyId(first, &one));
	EXPECT_OK(aclrtGetNotifyId(second, &two));
	EXPECT_NE(one, two);
	EXPECT_OK(aclrtGetNotifyId(first, &two));
	EXPECT_EQ(one, two);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notifyId", aclrtGetNotifyId(first, nullptr));
}

TEST_F(Notifies, FlagsOfCreation)
{
	aclrtNotify notify = nullptr;
	const Stream a;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag", aclrtCreateNotify(&notify, 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notify", aclrtCreateNotify(nullptr, 0));
	EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEVICE_USE_ONLY));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "DEVICE_USE_ONLY", aclrtRecordNotify(notify, a));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "DEVICE_USE_ONLY", wait(notify, a));
	EXPECT_OK(aclrtDestroyNotify(notify));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag", aclrtCntNotifyCreate(&notify, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cntNotify", aclrtCntNotifyCreate(nullptr, 0));
}

TEST_F(Notifies, TheDeviceHasSoMany)
{
	std::vector<aclrtNotify> all(kMost);
	aclrtNotify more = nullptr;

	for (aclrtNotify &notify : all)
		ASSERT_OK(aclrtCreateNotify(&notify, 0));
	EXPECT_FAILS(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "8192", aclrtCreateNotify(&more, 0));
	EXPECT_FAILS(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "8192", aclrtCntNotifyCreate(&more, 0));
	EXPECT_OK(aclrtDestroyNotify(all.back()));
	EXPECT_OK(aclrtCreateNotify(&all.back(), 0));
	for (const aclrtNotify notify : all)
		ASSERT_OK(aclrtDestroyNotify(notify));
}

TEST_F(Notifies, BadHandles)
{
	aclrtNotify dead = nullptr;
	const Notify notify;
	const CountNotify counter;
	const Stream a;
	uint32_t id = 0;

	EXPECT_OK(aclrtCreateNotify(&dead, 0));
	EXPECT_OK(aclrtDestroyNotify(dead));
	for (const aclrtNotify wrong :
	     {dead, static_cast<aclrtNotify>(counter), static_cast<aclrtNotify>(a)}) {
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "notify", aclrtDestroyNotify(wrong));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "notify", aclrtRecordNotify(wrong, a));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "notify", wait(wrong, a));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "notify", aclrtGetNotifyId(wrong, &id));
	}
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "cntNotify", aclrtCntNotifyDestroy(notify));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "cntNotify", aclrtCntNotifyReset(notify, a));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "cntNotify", aclrtCntNotifyGetId(notify, &id));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notify", aclrtDestroyNotify(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notify", aclrtRecordNotify(nullptr, a));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notify", wait(nullptr, a));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtRecordNotify(notify, notify));
	const ForeignContext other;
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "stream|context", aclrtRecordNotify(notify, a));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "stream|context", wait(notify, a));
	other.leave();
}

/* Contexts of one device share its notifies. */
TEST_F(Notifies, StreamsOfTwoContextsMeet)
{
	const Notify notify;
	const Stream a;

	EXPECT_OK(wait(notify, a));
	{
		const ForeignContext other;

		EXPECT_OK(aclrtRecordNotify(notify, nullptr));
	}
	EXPECT_OK(aclrtSynchronizeStream(a));
}

TEST_F(Notifies, DestructionLeavesQueuedTasksAlone)
{
	const DeviceBuffer x(kBytes);
	const Stream a;
	const Stream b;
	aclrtNotify notify = nullptr;
	Gate gate;

	EXPECT_OK(aclrtCreateNotify(&notify, 0));
	gate.block(a);
	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(wait(notify, b));
	x.fill_async(5, b);
	EXPECT_OK(aclrtDestroyNotify(notify));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(x, 5));
}

TEST_F(Notifies, AGraphWaitsAndRecordsEachTimeItRuns)
{
	const Notify go;
	const Notify gone;
	const Counter counter;
	const Stream origin;
	const Stream host;

	begin_capture(origin);
	EXPECT_OK(wait(go, origin));
	counter.step(origin);
	EXPECT_OK(aclrtRecordNotify(gone, origin));
	const Model model(origin);

	for (size_t run = 1; run <= 3; ++run) {
		model.execute(origin);
		turn_device();
		EXPECT_EQ(query(origin), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_EQ(counter.value(), run - 1);
		EXPECT_OK(aclrtRecordNotify(go, host));
		EXPECT_OK(wait(gone, host));
		EXPECT_OK(aclrtSynchronizeStream(host));
		EXPECT_EQ(counter.value(), run);
		EXPECT_OK(aclrtSynchronizeStream(origin));
	}
}

TEST_F(Notifies, CountersChangeInFourWays)
{
	const CountNotify counter;
	const Stream a;
	uint32_t id = 0;

	counter.expect(a, 0);
	counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 5);
	counter.expect(a, 5);
	counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 3);
	counter.expect(a, 8);
	counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, 0x13);
	counter.expect(a, 0x1b);
	counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, 0x11);
	counter.expect(a, 0x11);
	counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, UINT32_MAX);
	counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 2);
	counter.expect(a, 1);
	EXPECT_OK(aclrtCntNotifyReset(counter, a));
	counter.expect(a, 0);
	EXPECT_OK(aclrtCntNotifyGetId(counter, &id));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "notifyId", aclrtCntNotifyGetId(counter, nullptr));
}

/* Each wait blocks at the first value and ends at the second. */
TEST_F(Notifies, CountersAreWaitedForInFiveWays)
{
	const struct {
		int mode;
		uint32_t wanted;
		uint32_t holds_at;
		uint32_t passes_at;
	} cases[] = {
		{ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 4, 4, 3},
		{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 4, 5, 4},
		{ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 4, 4, 5},
		{ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 4, 3, 4},
		{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 6, 3, 7},
	};

	for (const auto &each : cases) {
		const CountNotify counter;
		const Stream a;
		const Stream b;

		counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, each.holds_at);
		EXPECT_OK(aclrtSynchronizeStream(a));
		counter.wait(b, each.mode, each.wanted);
		turn_device();
		EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY) << "mode " << each.mode;
		counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, each.passes_at);
		EXPECT_OK(aclrtSynchronizeStream(b));
		counter.expect(a, each.passes_at);
	}
}

TEST_F(Notifies, AWaitClearsTheCounterWhenItShall)
{
	const CountNotify counter;
	const Stream a;
	const Stream b;

	counter.wait(b, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 3, 1);
	for (int i = 0; i < 3; ++i)
		counter.record(a, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1);
	EXPECT_OK(aclrtSynchronizeStream(b));
	counter.expect(a, 0);
}

TEST_F(Notifies, CountersRefuseWhatTheyDoNotKnow)
{
	const CountNotify counter;
	const Stream a;
	aclrtCntNotifyRecordInfo info = {static_cast<aclrtCntNotifyRecordMode>(3), 1};

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mode", aclrtCntNotifyRecord(counter, a, &info));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mode", counter.try_wait(a, 5, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "isClear",
		     counter.try_wait(a, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1, 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "info", aclrtCntNotifyRecord(counter, a, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "info",
		     aclrtCntNotifyWaitWithTimeout(counter, a, nullptr));
	EXPECT_OK(counter.try_wait(a, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1, 0, 1));
	EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "aclrtCntNotifyWaitWithTimeout",
		     aclrtSynchronizeStream(a));
}
