// SPDX-License-Identifier: MIT
/*
 * DOC: Host functions that are never called, and work on the host that fails, tested
 *
 * A thread that aborts or destroys a stream again and again must not fill the table of functions. The device has one
 * status for all work on the host that fails; that of a collective operation fails because another rank is lost.
 */
#include <gtest/gtest.h>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/call.h"
#include "umd/core/process/collective.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/host_launch.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_failure.h"

namespace {

using base::Status;

class GivesUp final : public umd::HostWork {
public:
	Status run() const override { return Status::PEER_LOST; }
};

class HostCallsTest : public testing::Test {
protected:
	static constexpr unsigned FUNCTIONS = 8;

	void SetUp() override
	{
		ASSERT_EQ(setenv("UNPU_DEVICE", "sim:step,memory=64M", 1), 0);
		(void)umd::Process::get().finalize();
		ASSERT_EQ(umd::Process::get().init(nullptr), Status::OK);
		ASSERT_EQ(umd::Contexts::get().set_device(0), Status::OK);
		drv::Device &device = (*umd::Contexts::get().current())->device();
		gate = *device.semaphores().allocate(drv::SemaphorePool::Use::FLAG);
		ASSERT_EQ(device.set_semaphore(gate, 0), Status::OK);
	}

	void TearDown() override
	{
		(void)umd::Process::get().finalize();
		unsetenv("UNPU_DEVICE");
	}

	umd::Stream &make() { return **umd::create_stream(**umd::Contexts::get().current(), 0, 0); }

	/* Submitted behind a wait; otherwise a thread that runs the device would call some of them. */
	void launch(umd::Stream &stream)
	{
		ASSERT_TRUE(umd::submit(stream, drv::wait_packet(0, gate, 1, 0)).ok());
		auto count = [](void *to) { ++*static_cast<unsigned *>(to); };
		for (unsigned i = 0; i < FUNCTIONS; i++)
			ASSERT_EQ(umd::launch_host_func(stream, count, &called, false), Status::OK);
	}

	void open()
	{
		const auto opened = drv::signal_packet(0, gate, UNPU_SIGNAL_RAISE, 1);
		ASSERT_TRUE(umd::submit(make(), opened).ok());
	}

	/* Submits a task of @call that gives up on the host. */
	drv::Fence fail(umd::Stream &stream, uint16_t call)
	{
		umd::HostFunction function;
		function.work = std::make_shared<GivesUp>();
		const auto number = context().open->calls.add(function);
		return *umd::submit(stream, drv::host_call_packet(drv::cookie_call(call), *number));
	}

	umd::Context &context() { return **umd::Contexts::get().current(); }

	size_t known() { return (*umd::Contexts::get().current())->open->calls.known(); }

	unsigned called = 0;
	uint32_t gate = 0;
};

TEST_F(HostCallsTest, AnAbortForgetsThem)
{
	umd::Stream &stream = make();
	umd::Stream &other = make();
	launch(other);
	for (unsigned round = 0; round < 3; round++) {
		launch(stream);
		EXPECT_EQ(known(), 2 * FUNCTIONS);
		ASSERT_EQ(umd::abort_stream(stream), Status::OK);
		EXPECT_EQ(known(), FUNCTIONS) << "those of the other stream";
	}
	EXPECT_EQ(called, 0u);
	launch(stream);
	open();
	EXPECT_EQ(umd::wait_stream(stream, base::NO_DEADLINE), Status::OK);
	EXPECT_EQ(umd::wait_stream(other, base::NO_DEADLINE), Status::OK);
	EXPECT_EQ(called, 2 * FUNCTIONS);
	EXPECT_EQ(known(), 0u);
}

TEST_F(HostCallsTest, TheEndOfAStreamForgetsThem)
{
	umd::Stream &stream = make();
	launch(stream);
	void *handle = umd::Stream::table().pointer(stream);
	EXPECT_EQ(umd::destroy_stream(stream, handle, false), Status::OK);
	EXPECT_EQ(umd::destroy_stream(stream, handle, false), Status::INVALID_HANDLE);
	EXPECT_EQ(known(), 0u);
	EXPECT_EQ(called, 0u);
}

constexpr auto ALL_REDUCE = static_cast<uint8_t>(umd::Collective::ALL_REDUCE);

TEST_F(HostCallsTest, WorkOfACollectiveOperationFailsAsARankIsLost)
{
	umd::Stream &stream = make();
	(void)fail(stream, ALL_REDUCE);
	EXPECT_EQ(umd::wait_stream(stream, base::NO_DEADLINE), Status::PEER_LOST);
	(void)fail(stream, static_cast<uint8_t>(umd::Call::MEMCPY_ASYNC));
	EXPECT_EQ(umd::wait_stream(stream, base::NO_DEADLINE), Status::MMU_FAULT);
}

/* The streams that stop at the failure report the same code, and so does a call that only peeks at the error. */
TEST_F(HostCallsTest, WorkOfACollectiveOperationFailsTheSameEverywhere)
{
	umd::Stream &stream = make();
	context().stops_on_failure.store(true);
	(void)context().device().wait(fail(stream, ALL_REDUCE), base::NO_DEADLINE);
	EXPECT_EQ(umd::note_failure(context()), Status::PEER_LOST);
	umd::keep_failure(stream);
	EXPECT_EQ(context().failed.load(), Status::PEER_LOST);
	EXPECT_EQ(umd::report_failure(stream), Status::PEER_LOST);
}

/* So do functions of the program that are told of failed tasks. */
TEST_F(HostCallsTest, WorkOfACollectiveOperationIsToldAsALostRank)
{
	umd::Stream &stream = make();
	std::vector<Status> told;
	umd::FaultCallbacks::get().add(
		&told, [&](const umd::FaultInfo &info) { told.push_back(info.status); });
	ASSERT_EQ(context().open->faults.start(), Status::OK);
	(void)fail(stream, ALL_REDUCE);
	EXPECT_EQ(umd::wait_stream(stream, base::NO_DEADLINE), Status::PEER_LOST);
	umd::FaultCallbacks::get().remove(&told);
	EXPECT_EQ(told, std::vector{Status::PEER_LOST});
}

} // namespace
