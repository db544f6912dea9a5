// SPDX-License-Identifier: MIT
/*
 * DOC: A caller leaves a device that sleeps, tested
 *
 * A thread that waits moves a device whose own thread sleeps and does not know of what is left when
 * the caller leaves (K1). The doorbells here are rung without a kick, so that the caller alone can
 * have woken the device's thread.
 */
#include "wire_client.h"

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
		/* Callers are let in while the device's thread sleeps, and not before. */
		ASSERT_TRUE(eventually([&] { return device_->turn() == fw::Turn::NOTHING; }));
	}

	/* One packet of the channel is done, or begun, by this thread. */
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
	})) << "the device sleeps, and a packet lies in the ring of a channel that is not armed";
}

TEST_F(CallerLeaves, ATimeLimitThatItsTurnBeganIsMet)
{
	const uint32_t sem = client.new_semaphore();
	wait_until_asleep();
	const uint64_t wait = channel.publish(drv::wait_packet(1, sem, 1, base::NS_PER_MS));
	take_turn();
	EXPECT_TRUE(eventually([&] { return client.value(channel.timeline()) == wait; }))
		<< "the device sleeps and does not know of the limit";
	EXPECT_EQ(client.status(channel.timeline()), Status::WAIT_TIMEOUT);
}

} // namespace
