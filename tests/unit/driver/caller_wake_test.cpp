// SPDX-License-Identifier: MIT
/*
 * DOC: A caller leaves a device that sleeps, tested
 *
 * A thread that waits runs a device while the device's own thread sleeps. When the caller leaves, it has
 * to wake that thread if work is left (K1). These tests ring doorbells without a kick, so nothing but the
 * caller can have woken the device's thread.
 */
#include "tests/unit/support/wire_client.h"

#include <functional>
#include <thread>

#include <nlohmann/json.hpp>

namespace {

using namespace wire;

class CallerLeaves : public testing::Test {
protected:
	explicit CallerLeaves(uint32_t engines = 0) : device_(make(engines))
	{
		device_->leave_to_callers(fw::Callers::WHILE_ASLEEP);
		thread_ = std::thread([this] { device_->run(); });
	}
	~CallerLeaves() override
	{
		device_->stop();
		thread_.join();
	}

	static std::unique_ptr<fw::Device> make(uint32_t engines)
	{
		fw::Config config;
		config.engines = engines;
		config.memory_bytes = MEMORY_BYTES;
		config.watchdog_ns = 0;
		return fw::Device::create(config).take();
	}

	static bool eventually(const std::function<bool()> &condition)
	{
		const uint64_t deadline_ns = base::deadline_after(10 * base::NS_PER_S);
		while (!condition()) {
			if (base::now_ns() > deadline_ns)
				return false;
			std::this_thread::yield();
		}
		return true;
	}

	void wait_until_asleep()
	{
		/* A caller may run the device only while the device's thread sleeps. */
		ASSERT_TRUE(eventually([&] { return device_->turn() == fw::Turn::NOTHING; }));
	}

	/* This thread runs one packet of the channel, or begins it. */
	void take_turn()
	{
		ASSERT_TRUE(eventually([&] { return device_->turn() == fw::Turn::WORKED; }));
	}

	/* This thread does pieces of the work of which @value is the end. Return: whether it did any. */
	bool help(uint64_t value)
	{
		const uint64_t &word = client.completion().semaphores[channel.timeline()].value;
		return device_->help(word, value, base::NO_DEADLINE);
	}

	uint64_t kicks() { return nlohmann::json::parse(device_->snapshot())["counters"]["kicks"]; }

	std::unique_ptr<fw::Device> device_;
	Client client{*device_};
	Channel channel{client};

private:
	std::thread thread_;
};

TEST_F(CallerLeaves, TheRestIsDoneByTheDevice)
{
	wait_until_asleep();
	channel.publish(drv::nop_packet(1));
	const uint64_t last = channel.publish(drv::nop_packet(2));
	take_turn();
	EXPECT_TRUE(eventually([&] {
		return client.value(channel.timeline()) == last;
	})) << "the device sleeps although a channel that is not armed has a packet in its ring";
}

TEST_F(CallerLeaves, ATimeLimitStartedInTheCallersTurnIsKept)
{
	const uint32_t sem = client.new_semaphore();
	wait_until_asleep();
	const uint64_t wait = channel.publish(drv::wait_packet(1, sem, 1, base::NS_PER_MS));
	take_turn();
	EXPECT_TRUE(eventually([&] { return client.value(channel.timeline()) == wait; }))
		<< "the device sleeps although a time limit has begun";
	EXPECT_EQ(client.status(channel.timeline()), Status::WAIT_TIMEOUT);
}

TEST_F(CallerLeaves, AChannelThatHasAskedForADoorbellIsLookedAtAgain)
{
	Channel blocked(client);
	const uint32_t sem = client.new_semaphore();
	wait_until_asleep();
	const uint64_t before = kicks();
	/* The hint for @channel comes last, so it has the first turn, finds nothing and asks for a doorbell. */
	const uint64_t last = blocked.publish(drv::wait_packet(1, sem, 1, 0));
	client.ring(channel.index());
	take_turn();
	EXPECT_EQ(kicks(), before + 1)
		<< "a packet that came just before the request would lie there";
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	EXPECT_TRUE(eventually([&] { return client.value(blocked.timeline()) == last; }));
}

class HelperLeaves : public CallerLeaves {
protected:
	HelperLeaves() : CallerLeaves(1) {}
};

/* The thread that does the last piece ends the job. It is the engine in some rounds and this thread in others. */
TEST_F(HelperLeaves, TheJobThatHasEndedIsTakenBack)
{
	constexpr int ROUNDS = 100, MOST_ROUNDS = 10'000;
	constexpr uint64_t BYTES = uint64_t{4} << 20;
	const raw::Memory memory = client.memory(BYTES);
	int helped = 0;
	for (int i = 0; i < ROUNDS || helped == 0; i++) {
		ASSERT_LT(i, MOST_ROUNDS) << "the engine left no piece to this thread";
		wait_until_asleep();
		const uint64_t end = channel.publish(
			drv::fill_packet(1, memory.va, BYTES, static_cast<uint8_t>(i), 1));
		/* A late wake of the round before can let the device's own thread begin the job. */
		ASSERT_TRUE(eventually([&] {
			return device_->turn() == fw::Turn::WORKED ||
			       client.value(channel.timeline()) == end;
		})) << "nobody begins the job; round "
		    << i;
		while (help(end))
			helped++;
		ASSERT_TRUE(eventually([&] { return client.value(channel.timeline()) == end; }))
			<< "the device sleeps although a job has ended; round " << i;
	}
}

/* A submitter that has read the old arming number rings no doorbell. Here the test publishes without one. */
TEST(CallerArms, APacketThatCameBeforeTheArmingNumberIsFound)
{
	fw::Config config;
	config.memory_bytes = MEMORY_BYTES;
	auto device = fw::Device::create(config).take();
	device->leave_to_callers(fw::Callers::ALL);
	Client client(*device);
	Channel late(client), busy(client);
	settle(*device);
	busy.publish(drv::nop_packet(1));
	late.publish(drv::nop_packet(1));
	ASSERT_EQ(device->turn(), fw::Turn::WORKED);
	ASSERT_EQ(late.retired(), 1u);
	ASSERT_EQ(device->turn(), fw::Turn::WORKED);
	busy.publish(drv::nop_packet(2));
	ASSERT_EQ(device->turn(), fw::Turn::WORKED);
	ASSERT_EQ(busy.retired(), 2u);
	/* Now @late has asked, and no heavy fence has followed. */
	ASSERT_NE(client.completion().channels[late.index()].armed, 0u);
	late.ring().publish(drv::nop_packet(2));
	for (unsigned turns = 0; turns < 4; turns++)
		(void)device->turn();
	EXPECT_EQ(late.retired(), 2u);
}

} // namespace
