// SPDX-License-Identifier: MIT
/*
 * DOC: Threads that wait run the device, tested
 *
 * Waiting threads run the device where they may, and only there. When a caller leaves, it leaves no
 * work that no thread would do.
 */
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/sync/ordering.h"
#include "drv/channel/channel.h"
#include "drv/device.h"
#include "drv/packet/packets.h"

namespace {

using base::Status;
using Turn = hal::Stepper::Turn;

std::unique_ptr<drv::Device> open(const char *text)
{
	std::string why;
	auto options = hal::parse_device_string(text, why);
	EXPECT_TRUE(options.ok()) << why;
	auto device = drv::Device::open(*options, 0, why);
	EXPECT_TRUE(device.ok()) << why;
	return device.ok() ? device.take() : nullptr;
}

std::unique_ptr<drv::Channel> make_channel(drv::Device &device)
{
	auto channel = drv::Channel::create(device, {});
	EXPECT_TRUE(channel.ok());
	return channel.ok() ? channel.take() : nullptr;
}

drv::Fence submit(drv::Channel &channel)
{
	auto fence = channel.submit(drv::nop_packet(1));
	EXPECT_TRUE(fence.ok());
	return *fence;
}

/* Whether the device does it though no thread waits for it; a test that fails ends all the same. */
bool ends_by_itself(drv::Device &device, const drv::Fence &fence)
{
	const uint64_t give_up_ns = base::deadline_after(60 * base::NS_PER_S);
	while (!device.done(fence)) {
		if (base::now_ns() > give_up_ns)
			return false;
		std::this_thread::yield();
	}
	return true;
}

/* What a thread does by itself depends on how long ago it did so last. */
void let_pass(uint64_t ns)
{
	for (uint64_t end_ns = base::deadline_after(ns); base::now_ns() < end_ns;)
		std::this_thread::yield();
}

TEST(CallerRuns, ATurnDoesTheWork)
{
	auto device = open("sim:memory=64M,window=256M,caller-runs=on");
	auto channel = make_channel(*device);
	/* The device's thread naps from now on: it may come first now and then, not always. */
	device->hal().stepper().let_callers_run(true);
	unsigned worked = 0;
	for (unsigned i = 0; i < 1000; i++) {
		drv::Fence fence = submit(*channel);
		while (!device->done(fence))
			worked += device->hal().stepper().run_turn() == Turn::WORKED;
	}
	EXPECT_GT(worked, 0u);
}

TEST(CallerRuns, WorkCompletesThoughNoThreadWaits)
{
	for (const char *how : {"on", "auto"}) {
		auto device = open(
			(std::string("sim:memory=64M,window=256M,caller-runs=") + how).c_str());
		auto channel = make_channel(*device);
		device->hal().stepper().let_callers_run(true);
		for (unsigned i = 0; i < 20; i++) {
			ASSERT_TRUE(ends_by_itself(*device, submit(*channel)))
				<< "caller-runs=" << how << ", task " << i;
		}
	}
}

/* Work that was late ends it, until the next row of short waits. */
TEST(CallerRuns, TheDeviceTakesItselfBack)
{
	auto device = open("sim:memory=64M,window=256M");
	auto channel = make_channel(*device);
	device->hal().stepper().let_callers_run(true);
	Turn turn = Turn::NOTHING;
	while (turn != Turn::LEFT) {
		for (unsigned i = 0; i < 3; i++)
			ASSERT_TRUE(ends_by_itself(*device, submit(*channel)));
		turn = device->hal().stepper().run_turn();
	}
	EXPECT_EQ(device->wait(submit(*channel), base::NO_DEADLINE), Status::OK);
}

TEST(CallerRuns, OffIsOff)
{
	auto device = open("sim:memory=64M,window=256M,caller-runs=off");
	auto channel = make_channel(*device);
	for (unsigned i = 0; i < 200; i++) {
		drv::Fence fence = submit(*channel);
		EXPECT_EQ(device->hal().stepper().run_turn(), Turn::LEFT);
		EXPECT_EQ(device->wait(fence, base::NO_DEADLINE), Status::OK);
	}
	EXPECT_FALSE(device->hal().waits().callers_run());
}

/* A waiting thread does not wait for another thread to wake. */
TEST(CallerRuns, AWaitingThreadRunsASleepingDevice)
{
	auto device = open("sim:memory=64M,window=256M");
	auto channel = make_channel(*device);
	unsigned worked = 0;
	/* The device's thread may come first now and then, not always. */
	for (unsigned i = 0; i < 100; i++) {
		while (base::load_relaxed(device->hal().completion().status.sleeping) == 0)
			std::this_thread::yield();
		drv::Fence fence = submit(*channel);
		/* The thread that submits may have done it already. */
		worked += device->done(fence) &&
			  base::load_relaxed(device->hal().completion().status.sleeping) != 0;
		for (Turn turn = Turn::WORKED; turn != Turn::LEFT && !device->done(fence);) {
			turn = device->hal().stepper().run_turn();
			worked += turn == Turn::WORKED;
		}
		EXPECT_EQ(device->wait(fence, base::NO_DEADLINE), Status::OK);
		device->hal().stepper().let_callers_run(false);
	}
	EXPECT_GT(worked, 0u);
}

/* A thread that submits short work to a sleeping device runs it without a wake-up. Work that follows
 * at once is done too. */
TEST(CallerRuns, ASubmitterRunsSmallTasks)
{
	auto device = open("sim:memory=64M,window=256M");
	auto channel = make_channel(*device);
	unsigned at_once = 0;
	for (unsigned i = 0; i < 50; i++) {
		while (base::load_relaxed(device->hal().completion().status.sleeping) == 0)
			std::this_thread::yield();
		let_pass(base::NS_PER_MS);
		at_once += device->done(submit(*channel));
		submit(*channel);
		ASSERT_TRUE(ends_by_itself(*device, submit(*channel)));
	}
	EXPECT_GT(at_once, 0u);
}

/* The device checks the time limit of a waiting stream while other threads submit. */
TEST(CallerRuns, ASubmitterLeavesTimeToTheDevice)
{
	auto device = open("sim:memory=64M,window=256M");
	auto channel = make_channel(*device);
	auto other = make_channel(*device);
	auto sem = device->semaphores().allocate();
	ASSERT_TRUE(sem.ok());
	uint64_t value = device->value(*sem) + 1;
	auto fence = channel->submit(drv::wait_packet(1, *sem, value, 2 * base::NS_PER_MS));
	ASSERT_TRUE(fence.ok());
	while (!device->done(*fence)) {
		ASSERT_TRUE(ends_by_itself(*device, submit(*other)));
		let_pass(base::NS_PER_MS / 3);
	}
	EXPECT_EQ(channel->failure().status, Status::WAIT_TIMEOUT);
}

/* Several threads wait, each for its own channel and now and then for another's. */
TEST(CallerRuns, ManyThreadsWaitAtOnce)
{
	constexpr unsigned THREADS = 4;
	constexpr unsigned TRIPS = 500;
	for (const char *how : {"on", "auto"}) {
		auto device = open(
			(std::string("sim:memory=64M,window=256M,caller-runs=") + how).c_str());
		std::vector<std::unique_ptr<drv::Channel>> channels;
		for (unsigned i = 0; i < THREADS; i++)
			channels.push_back(make_channel(*device));
		std::vector<std::thread> threads;
		std::atomic<unsigned> good{0};
		for (unsigned i = 0; i < THREADS; i++)
			threads.emplace_back([&, i] {
				for (unsigned k = 0; k < TRIPS; k++) {
					drv::Fence fence = submit(*channels[i]);
					drv::Channel &other = *channels[(i + k) % THREADS];
					if (k % 7 == 0)
						fence = other.last();
					constexpr hal::WaitWay WAYS[] = {
						hal::WaitWay::SLEEP, hal::WaitWay::BRIEF,
						hal::WaitWay::SPIN, hal::WaitWay::YIELD,
						hal::WaitWay::POLITE};
					const auto way = WAYS[k % std::size(WAYS)];
					good += device->wait(fence, base::NO_DEADLINE, way) ==
						Status::OK;
				}
			});
		for (std::thread &thread : threads)
			thread.join();
		EXPECT_EQ(good, THREADS * TRIPS);
	}
}

/* A wait that ends by its deadline gives the device back. */
TEST(CallerRuns, AWaitEndsInTime)
{
	auto device = open("sim:memory=64M,window=256M,caller-runs=on");
	auto channel = make_channel(*device);
	auto sem = device->semaphores().allocate();
	ASSERT_TRUE(sem.ok());
	uint64_t value = device->value(*sem) + 1;
	auto fence = channel->submit(drv::wait_packet(1, *sem, value, 0));
	ASSERT_TRUE(fence.ok());
	EXPECT_EQ(device->wait(*fence, base::deadline_after(base::NS_PER_MS)), Status::TIMEOUT);
	auto other = make_channel(*device);
	auto signal = other->submit(drv::signal_packet(2, *sem, UNPU_SIGNAL_RAISE, value));
	ASSERT_TRUE(signal.ok());
	EXPECT_EQ(device->wait(*fence, base::NO_DEADLINE), Status::OK);
}

} // namespace
