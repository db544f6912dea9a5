// SPDX-License-Identifier: MIT
/*
 * DOC: capture - an execution among the other work
 *
 * Check 62: an execution of a model is ordered against the work of all streams that took part in
 * its capture, on whichever stream the program launches it. It begins after the work that was
 * queued on them before. Later work waits for it: tasks, records, copies that the host makes
 * itself, and later executions.
 */
#include <atomic>
#include <memory>
#include <thread>

#include "capture/capture_objects.h"

using namespace conformance;

namespace {

using CaptureOrder = DeviceTest;

constexpr size_t kBytes = 4096;

/* origin forks to side and joins it; side copies from to to. */
std::unique_ptr<Model> capture_side_copy(const DeviceBuffer &to, const DeviceBuffer &from,
					 aclrtStream origin, aclrtStream side)
{
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);

	begin_capture(origin);
	follow(side, origin, fork);
	copy_async(to, from, side);
	follow(origin, side, join);
	return std::make_unique<Model>(origin);
}

} // namespace

TEST_F(CaptureOrder, Check62_WorkQueuedOnAMemberBeforeFinishesFirst)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream origin;
	const Stream side;
	const Stream launch;
	Gate gate;
	const std::unique_ptr<Model> model = capture_side_copy(out, in, origin, side);

	gate.block(side);
	in.fill_async(1, side);
	model->execute(launch);
	turn_device();
	EXPECT_EQ(query(launch), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(out, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(launch));
	EXPECT_TRUE(holds(out, 1));
}

TEST_F(CaptureOrder, Check62_WorkQueuedOnAMemberAfterWaits)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer middle(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream origin;
	const Stream side;
	const Stream launch;
	Gate gate;
	const std::unique_ptr<Model> model = capture_side_copy(middle, in, origin, side);

	in.store(std::vector<uint8_t>(kBytes, 2));
	gate.block(launch);
	model->execute(launch);
	copy_async(out, middle, side);
	turn_device();
	EXPECT_EQ(query(side), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(out, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(side));
	EXPECT_TRUE(holds(out, 2));
}

TEST_F(CaptureOrder, Check62_RecordOnAMemberAfterWaits)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream origin;
	const Stream side;
	const Stream launch;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	Gate gate;
	const std::unique_ptr<Model> model = capture_side_copy(out, in, origin, side);

	in.store(std::vector<uint8_t>(kBytes, 3));
	gate.block(launch);
	model->execute(launch);
	EXPECT_OK(aclrtRecordEvent(event, side));
	turn_device();
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_TRUE(holds(out, 3));
	EXPECT_OK(aclrtSynchronizeStream(launch));
}

TEST_F(CaptureOrder, Check62_PageableCopyOnAMemberAfterWaits)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream origin;
	const Stream side;
	const Stream launch;
	std::vector<uint8_t> host(kBytes, 0);
	std::atomic<bool> returned = false;
	Gate gate;
	const std::unique_ptr<Model> model = capture_side_copy(out, in, origin, side);

	in.store(std::vector<uint8_t>(kBytes, 4));
	gate.block(launch);
	model->execute(launch);

	std::thread copier([&] {
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtMemcpyAsync(host.data(), kBytes, out.data(), kBytes,
					   ACL_MEMCPY_DEVICE_TO_HOST, side));
		returned = true;
		EXPECT_OK(aclrtResetDevice(0));
	});

	turn_device();
	EXPECT_FALSE(returned);
	gate.open();
	copier.join();
	EXPECT_EQ(host, std::vector<uint8_t>(kBytes, 4));
	EXPECT_OK(aclrtSynchronizeStream(launch));
}

TEST_F(CaptureOrder, ExternalFlagHoldsEachExecutionForWorkOutside)
{
	const DeviceBuffer in(kBytes);
	const DeviceBuffer out(kBytes);
	const Stream origin;
	const Stream outside;
	const Event flag = Event::with_flag(ACL_EVENT_EXTERNAL);

	begin_capture(origin);
	EXPECT_OK(aclrtStreamWaitEvent(origin, flag));
	EXPECT_OK(aclrtResetEvent(flag, origin));
	copy_async(out, in, origin);

	const Model model(origin);

	for (int value = 1; value < 5; ++value) {
		model.execute(origin);
		turn_device();
		EXPECT_EQ(query(origin), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_TRUE(holds(out, value - 1));
		in.fill_async(value, outside);
		EXPECT_OK(aclrtRecordEvent(flag, outside));
		EXPECT_OK(aclrtSynchronizeStream(origin));
		EXPECT_TRUE(holds(out, value));
	}
}

/* Executions of one model follow each other, also past one that was dropped. */
TEST_F(CaptureOrder, AnExecutionFollowsTheOnesBeforeADroppedOne)
{
	const DeviceBuffer buffer(64);
	const Stream first;
	const Stream aborted;
	const Stream last;
	Gate gate;
	aclmdlRI model = nullptr;

	{
		/* While it lives, executions follow each other through it. */
		const Stream origin;

		ASSERT_OK(aclmdlRICaptureBegin(origin, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
		buffer.fill_async(1, origin);
		ASSERT_OK(aclmdlRICaptureEnd(origin, &model));
	}
	gate.block(first);
	EXPECT_OK(aclmdlRIExecuteAsync(model, first));
	EXPECT_OK(aclmdlRIExecuteAsync(model, aborted));
	EXPECT_OK(aclrtStreamAbort(aborted));
	EXPECT_OK(aclmdlRIExecuteAsync(model, last));
	turn_device();
	EXPECT_EQ(query(last), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(buffer, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(last));
	EXPECT_TRUE(holds(buffer, 1));
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_EQ(query(first), ACL_STREAM_STATUS_COMPLETE) << "the destroy waits for all";
}
