// SPDX-License-Identifier: MIT
/**
 * DOC: Snapshots
 *
 * A test brings a stepped device into a state and reads it from the snapshot: on what a channel is
 * parked, what failed, how much memory each client has, and the counters.
 */
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "acl/acl.h"
#include "firmware_sim/engine/busy_time.h"
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/wire_client.h"
#include "unpu/unpu.h"

namespace {

using namespace wire;
using Json = nlohmann::json;

constexpr uint64_t COOKIE = 0x0102030405060708;

class Snapshot : public Stepped {
protected:
	Json look() { return Json::parse(device->snapshot()); }

	/* mine() - the channel of the fixture. */
	Json mine() { return look()["clients"][0]["channels"][0]; }
};

TEST_F(Snapshot, TellsWhatTheDeviceIs)
{
	settle(*device);
	Json seen = look();
	EXPECT_EQ(seen["device"], 0);
	EXPECT_EQ(seen["name"], "unit");
	EXPECT_EQ(seen["pid"], getpid());
	EXPECT_EQ(seen["features"][0], "stepped");
	EXPECT_EQ(seen["generation"], client.bar().generation);
	EXPECT_EQ(seen["memory_total_bytes"], MEMORY_BYTES);
	EXPECT_EQ(seen["memory_used_bytes"], 0);
	EXPECT_EQ(seen["busy_ns"], nullptr) << "a stepped device has no time of its own";
	ASSERT_EQ(seen["clients"].size(), 1u);
	EXPECT_EQ(seen["clients"][0]["pid"], PID);
	EXPECT_EQ(seen["clients"][0]["broken"], nullptr);
}

TEST_F(Snapshot, AChannelThatWaitsForAWordSaysWhere)
{
	Memory memory = client.memory(4096);
	channel.publish(drv::value_wait_packet(COOKIE, {memory.va, 5, 0, UNPU_VALUE_EQ, 8}));
	memory.as<uint64_t>()[0] = 4;
	settle(*device);
	Json parked = mine();
	EXPECT_EQ(parked["state"], "parked");
	EXPECT_EQ(parked["waits_for"], Json({{"address", memory.va}, {"wanted", 5}, {"value", 4}}));
	EXPECT_TRUE(look()["clients"][0]["semaphores"].empty());
}

TEST_F(Snapshot, AParkedChannelSaysOnWhat)
{
	uint32_t sem = client.new_semaphore();
	channel.publish(drv::wait_packet(COOKIE, sem, 5, 0));
	channel.publish(drv::wait_packet(COOKIE, sem, 6, 0));
	settle(*device);
	Json parked = mine();
	EXPECT_EQ(parked["state"], "parked");
	EXPECT_EQ(parked["published"], 2);
	EXPECT_EQ(parked["fetched"], 1);
	EXPECT_EQ(parked["retired"], 0);
	EXPECT_EQ(parked["waits_for"], Json({{"semaphore", sem}, {"wanted", 5}, {"value", 0}}));
	EXPECT_TRUE(parked["blocked_ms"].is_number_unsigned());
	Json semaphores = look()["clients"][0]["semaphores"];
	EXPECT_EQ(semaphores, Json::parse(R"([{"semaphore": )" + std::to_string(sem) +
					  R"(, "value": 0, "waiters": 1}])"));

	EXPECT_EQ(client.set_semaphore(sem, 6), Status::OK);
	settle(*device);
	Json rested = mine();
	EXPECT_EQ(rested["state"], "armed");
	EXPECT_EQ(rested["retired"], 2);
	EXPECT_EQ(rested["timeline_value"], 2);
	EXPECT_EQ(rested["waits_for"], nullptr);
	EXPECT_EQ(rested["blocked_ms"], nullptr);
	EXPECT_TRUE(look()["clients"][0]["semaphores"].empty());
}

TEST_F(Snapshot, BlockedChannelsSayWhy)
{
	channel.publish(drv::host_call_packet(COOKIE, 1));
	settle(*device);
	EXPECT_EQ(mine()["state"], "host call");

	unpu_packet stop{};
	stop.opcode = UNPU_OP_STOP;
	Channel second{client};
	second.publish(stop);
	settle(*device);
	EXPECT_EQ(look()["clients"][0]["channels"][1]["state"], "stopped");
}

TEST_F(Snapshot, AFailureStaysUntilItIsCleared)
{
	EXPECT_EQ(mine()["failure"], nullptr);
	channel.publish(drv::copy_packet(COOKIE, 4096, 8192, 64));
	settle(*device);
	EXPECT_EQ(mine()["failure"], Json({{"status", "MMU_FAULT"}, {"cookie", COOKIE}}));
	EXPECT_EQ(channel.control(UNPU_CHANNEL_CLEAR_STATUS), Status::OK);
	EXPECT_EQ(mine()["failure"], nullptr);
	EXPECT_EQ(look()["counters"]["faults"], 1);
}

TEST_F(Snapshot, AGraphAndItsLinesThatWait)
{
	uint32_t sem = client.new_semaphore();
	Image image;
	image.line({drv::signal_packet(0, client.new_semaphore(), UNPU_SIGNAL_RAISE, 1),
		    drv::wait_packet(COOKIE, sem, 3, 0)});
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	channel.publish(drv::graph_packet(COOKIE, graph));
	settle(*device);
	EXPECT_EQ(mine()["state"], "graph");
	Json seen = look()["clients"][0];
	ASSERT_EQ(seen["graphs"].size(), 1u);
	EXPECT_EQ(seen["graphs"][0]["graph"], graph);
	EXPECT_EQ(seen["graphs"][0]["nodes"], 2);
	EXPECT_EQ(seen["graphs"][0]["running"], true);
	EXPECT_EQ(seen["graphs"][0]["waits_for"][0]["semaphore"], sem);
	EXPECT_EQ(seen["graphs"][0]["at"], Json({COOKIE}));
	EXPECT_EQ(seen["semaphores"][0]["waiters"], 1);

	EXPECT_EQ(client.set_semaphore(sem, 3), Status::OK);
	settle(*device);
	seen = look()["clients"][0];
	EXPECT_EQ(seen["graphs"][0]["running"], false);
	EXPECT_EQ(seen["graphs"][0]["at"], Json::array());
	EXPECT_EQ(seen["graphs"][0]["executions"], 1);
	EXPECT_EQ(seen["counters"]["graph_nodes"], 2);
}

TEST_F(Snapshot, ChannelsThatAskForADoorbellWinOrLoseTheRaceWithAPacket)
{
	channel.publish(drv::nop_packet(COOKIE));
	settle(*device);
	const Json won = look()["counters"];
	EXPECT_GE(won["arms_won"], 1);
	EXPECT_EQ(won["arms_lost"], 0);

	/* While another channel has work, this one has asked, and its packet comes without a doorbell. */
	Channel busy{client};
	channel.publish(drv::nop_packet(COOKIE));
	for (unsigned i = 0; i < SLOTS / 2; i++)
		busy.publish(drv::nop_packet(COOKIE));
	while (device->step() && mine()["state"] != "armed") {
	}
	ASSERT_LT(busy.retired(), SLOTS / 2);
	const uint64_t retired = channel.retired();
	channel.ring().publish(drv::nop_packet(COOKIE));
	settle(*device);
	EXPECT_EQ(channel.retired(), retired + 1);
	EXPECT_EQ(look()["counters"]["arms_lost"], 1);
}

TEST_F(Snapshot, CountersOutliveChannelsAndClients)
{
	uint64_t before = look()["counters"]["packets"];
	{
		Client other{*device};
		Channel passing{other};
		for (unsigned i = 0; i < 3; i++)
			passing.publish(drv::signal_packet(0, passing.timeline() + 1,
							   UNPU_SIGNAL_RAISE, i));
		settle(*device);
		EXPECT_EQ(look()["clients"].size(), 2u);
		EXPECT_EQ(passing.destroy(), Status::OK);
		EXPECT_EQ(look()["clients"][1]["counters"]["packets"], 3);
	}
	Json seen = look();
	EXPECT_EQ(seen["clients"].size(), 1u);
	EXPECT_EQ(seen["counters"]["packets"], before + 3);
	EXPECT_GE(seen["counters"]["messages"].get<uint64_t>(), 3u);
	EXPECT_GE(seen["counters"]["doorbells"], seen["counters"]["messages"]);
}

TEST_F(Snapshot, AWakeIsCountedWhenAThreadSleeps)
{
	base::store_relaxed(client.shared().semaphores[channel.timeline()].sleepers, uint64_t{1});
	uint64_t before = look()["counters"]["wakes"];
	uint32_t sem = client.new_semaphore();
	EXPECT_EQ(channel.run(drv::signal_packet(0, sem, UNPU_SIGNAL_RAISE, 1)), Status::OK);
	EXPECT_EQ(look()["counters"]["wakes"], before + 1);
}

/* The wake comes with the value that the sleeper wants, neither before it nor after. */
TEST_F(Snapshot, ASleeperIsWokenByTheValueItWaitsFor)
{
	const uint32_t sem = client.new_semaphore();
	auto wakes_of = [&](uint64_t value) {
		const uint64_t before = look()["counters"]["wakes"];
		EXPECT_EQ(channel.run(drv::signal_packet(0, sem, UNPU_SIGNAL_RAISE, value)),
			  Status::OK);
		return look()["counters"]["wakes"].get<uint64_t>() - before;
	};
	base::store_relaxed(client.shared().semaphores[sem].sleepers,
			    uint64_t{5} << UNPU_SLEEPERS_VALUE_SHIFT | 1);
	EXPECT_EQ(wakes_of(4), 0u);
	EXPECT_EQ(wakes_of(5), 1u);
	EXPECT_EQ(wakes_of(6), 1u) << "it has not left yet";
	base::store_relaxed(client.shared().semaphores[sem].sleepers, uint64_t{0});
	EXPECT_EQ(wakes_of(7), 0u);
}

TEST_F(Snapshot, MemoryIsCountedByClient)
{
	Client other{*device};
	Memory memory = other.memory(3 * base::PAGE_BYTES);
	Json seen = look();
	EXPECT_EQ(seen["memory_used_bytes"], memory.bytes);
	EXPECT_EQ(seen["memory_free_bytes"], MEMORY_BYTES - memory.bytes);
	EXPECT_EQ(seen["clients"][0]["memory_used_bytes"], 0);
	EXPECT_EQ(seen["clients"][1]["memory_used_bytes"], memory.bytes);
	EXPECT_EQ(seen["clients"][1]["segments"]["device"]["pages_4k"], 1);
	EXPECT_EQ(seen["clients"][0]["segments"]["channel"]["pages_4k"], 1);
}

TEST_F(Snapshot, AClientThatWasCutOffSaysWhy)
{
	for (unsigned i = 0; i <= UNPU_DOORBELL_ENTRIES; i++)
		client.ring(channel.index());
	settle(*device);
	Json seen = look()["clients"][0];
	EXPECT_EQ(seen["broken"], "RING_BROKEN");
	EXPECT_EQ(seen["channels"][0]["state"], "stopped");
}

TEST(SnapshotApi, IsCutToFit)
{
	const char *before = getenv("UNPU_DEVICE");
	const std::string kept = before ? before : "";
	setenv("UNPU_DEVICE", "sim:step,memory=64M,devices=2", 1);
	ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
	size_t needed = 0;
	ASSERT_EQ(unpu_snapshot(1, nullptr, 0, &needed), UNPU_STATUS_OK);
	std::vector<char> text(needed + 64);
	ASSERT_EQ(unpu_snapshot(1, text.data(), text.size(), &needed), UNPU_STATUS_OK);
	EXPECT_EQ(Json::parse(text.data())["device"], 1);
	char cut[4] = {1, 1, 1, 1};
	ASSERT_EQ(unpu_snapshot(1, cut, sizeof(cut) - 1, nullptr), UNPU_STATUS_OK);
	EXPECT_STREQ(cut, "{\"");
	EXPECT_EQ(cut[3], 1) << "wrote past the buffer";
	EXPECT_EQ(unpu_snapshot(1, nullptr, 1, nullptr), UNPU_STATUS_NULL_POINTER);
	EXPECT_EQ(unpu_snapshot(2, nullptr, 0, nullptr), UNPU_STATUS_INVALID_DEVICE);
	EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
	if (before)
		setenv("UNPU_DEVICE", kept.c_str(), 1);
	else
		unsetenv("UNPU_DEVICE");
}

TEST(BusyTime, EmptyTurnsDoNotCount)
{
	fw::BusyTime busy;
	busy.add(1000, 1000, 1000);
	EXPECT_EQ(busy.total_ns(), 0u) << "polling is not work";
	busy.add(1500, 1000, 500);
	EXPECT_EQ(busy.total_ns(), 1000u) << "an empty turn is known to take a nanosecond";
	busy.add(100, 1000, 999);
	EXPECT_EQ(busy.total_ns(), 1000u) << "never less than nothing";
}

} // namespace
