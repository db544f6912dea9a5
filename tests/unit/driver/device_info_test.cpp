// SPDX-License-Identifier: MIT
/**
 * DOC: Cores, as a device tells them
 *
 * The mailbox's answer about cores and their time, over the wire and through the driver.
 */
#include "tests/unit/support/wire_client.h"

#include "drv/device.h"

namespace {

using namespace wire;

unpu_msg_device_info ask(Client &client)
{
	unpu_message message{};
	message.type = UNPU_MSG_DEVICE_INFO;
	EXPECT_EQ(client.call(message), Status::OK);
	return message.device;
}

TEST(DeviceInfo, CoresAreTheCommandProcessorAndTheEngines)
{
	for (uint32_t engines : {0u, 1u, 3u}) {
		auto device = make_device(0, engines);
		ASSERT_NE(device, nullptr);
		Client client{*device};
		EXPECT_EQ(ask(client).cores, 1 + engines);
	}
}

TEST(DeviceInfo, TimePasses)
{
	auto device = make_device();
	ASSERT_NE(device, nullptr);
	Client client{*device};
	auto first = ask(client);
	auto second = ask(client);
	EXPECT_GT(first.uptime_ns, 0u);
	EXPECT_GT(second.uptime_ns, first.uptime_ns);
	EXPECT_EQ(second.busy_ns, 0u) << "a stepped device has no time of its own";
	EXPECT_EQ(second.engines_busy_ns, 0u);
}

TEST(DeviceInfo, EnginesCountTheirJobs)
{
	constexpr uint64_t BYTES = uint64_t{4} << 20;
	auto device = make_device(0, 1);
	ASSERT_NE(device, nullptr);
	Client client{*device};
	Channel channel{client};
	Memory target = client.memory(BYTES);
	channel.publish(drv::fill_packet(0, target.va, BYTES, 1, 1));
	while (channel.retired() == 0)
		settle(*device);
	auto seen = ask(client);
	EXPECT_GT(seen.engines_busy_ns, 0u);
	EXPECT_LT(seen.engines_busy_ns, seen.uptime_ns);
}

TEST(DeviceInfo, TheDriverPassesItOn)
{
	hal::Options options;
	options.memory_bytes = MEMORY_BYTES;
	options.engines = 2;
	std::string why;
	auto opened = drv::Device::open(options, 0, why);
	ASSERT_TRUE(opened) << why;
	auto device = opened.take();
	auto first = device->info();
	auto second = device->info();
	ASSERT_TRUE(first && second);
	EXPECT_EQ(first->cores, 3u);
	EXPECT_EQ(second->clock_mhz, first->clock_mhz);
	EXPECT_EQ(second->shared_bytes, first->shared_bytes);
	EXPECT_GT(second->uptime_ns, first->uptime_ns);
	EXPECT_GE(second->busy_ns, first->busy_ns);
	EXPECT_LE(second->busy_ns, second->uptime_ns);
}

drv::DeviceInfo at(uint64_t uptime_ns, uint64_t busy_ns, uint64_t engines_busy_ns)
{
	drv::DeviceInfo info;
	info.uptime_ns = uptime_ns;
	info.busy_ns = busy_ns;
	info.engines_busy_ns = engines_busy_ns;
	info.cores = 4;
	return info;
}

TEST(Busy, IsAShareOfTheTimeThatPassed)
{
	drv::Busy use = drv::busy_between(at(1000, 100, 200), at(2000, 600, 700));
	EXPECT_DOUBLE_EQ(*use.command_processor, 0.5);
	EXPECT_DOUBLE_EQ(*use.cores, 0.25);
	use = drv::busy_between(at(1000, 100, 200), at(2000, 100, 200));
	EXPECT_DOUBLE_EQ(*use.command_processor, 0);
	EXPECT_DOUBLE_EQ(*use.cores, 0);
}

TEST(Busy, IsNeverMoreThanAll)
{
	drv::Busy use = drv::busy_between(at(1000, 0, 0), at(1100, 900, 5000));
	EXPECT_DOUBLE_EQ(*use.command_processor, 1);
	EXPECT_DOUBLE_EQ(*use.cores, 1);
	use = drv::busy_between(at(1000, 0, 0), at(1000, 0, 0));
	EXPECT_DOUBLE_EQ(*use.cores, 0) << "no time passed";
}

} // namespace
