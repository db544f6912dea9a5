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

namespace {

using namespace wire;

class CallerLeaves : public testing::Test {
protected:
	CallerLeaves()
	{
		device_->leave_to_callers(fw::Callers::WHILE_ASLEEP);
		thread_ = std::thread([this] { device_->run(); });
	}
	~CallerLeaves() override
	{
		device_->stop();
		thread_.join();
	}

	static std::unique_ptr<fw::Device> make()
	{
		fw::Config config;
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

private:
	std::unique_ptr<fw::Device> device_ = make();

protected:
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

} // namespace
