// SPDX-License-Identifier: MIT
/*
 * DOC: Channels, tested
 *
 * What a channel keeps across packets: its failure record, stop-on-failure, parking with and without
 * a time limit, host calls, the batching of its timeline, and its end in the middle of things.
 */
#include <cstdlib>
#include <cstring>

#include "firmware_sim/core/core.h"
#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

class ChannelTest : public Stepped {
protected:
	Memory memory = client.memory(8192);
	uint32_t sem = client.new_semaphore();

	const unpu_sem_device &line() { return client.line(channel.timeline()); }
	unpu_packet fault(uint64_t cookie) { return drv::fill_packet(cookie, 8, 8, 0, 1); }
	unpu_packet mark(unsigned at) { return drv::fill_packet(1, memory.va + at, 1, 0x5a, 1); }
};

TEST_F(ChannelTest, TheFirstFailureStaysAndAllAreCounted)
{
	channel.publish(fault(0x1111));
	channel.publish(drv::nop_packet(2));
	unpu_packet bad = drv::nop_packet(0x3333);
	bad.opcode = 200;
	channel.publish(bad);
	channel.publish(mark(0));
	settle(*device);
	EXPECT_EQ(channel.retired(), 4u);
	EXPECT_EQ(client.status(channel.timeline()), Status::MMU_FAULT);
	EXPECT_EQ(line().failures, 2u);
	EXPECT_EQ(line().fault_cookie, 0x1111u);
	EXPECT_EQ(line().fault_address, 8u);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0x5a) << "the channel goes on behind a failure";
}

TEST_F(ChannelTest, AClearedStatusTakesTheNextFailure)
{
	EXPECT_EQ(channel.run(fault(1)), Status::MMU_FAULT);
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
	unpu_packet bad = drv::nop_packet(2);
	bad.opcode = 200;
	channel.publish(bad);
	settle(*device);
	EXPECT_EQ(client.status(channel.timeline()), Status::BAD_OPCODE);
	EXPECT_EQ(line().fault_cookie, 2u);
	EXPECT_EQ(line().fault_address, 0u);
	EXPECT_EQ(line().failures, 2u);
}

TEST_F(ChannelTest, AFailedPacketStillSignals)
{
	unpu_packet packet = fault(1);
	packet.signal_sem = sem;
	packet.signal_op = UNPU_SIGNAL_RAISE;
	packet.signal_value = 3;
	EXPECT_EQ(channel.run(packet), Status::MMU_FAULT);
	EXPECT_EQ(client.value(sem), 3u) << "whoever waits for it must not hang";
}

TEST_F(ChannelTest, StopOnFailureSkipsWhatFollows)
{
	ASSERT_EQ(channel.control(UNPU_CHANNEL_STOP_ON_FAILURE), Status::OK);
	channel.publish(mark(0));
	channel.publish(fault(1));
	unpu_packet skipped = mark(1);
	skipped.signal_sem = sem;
	skipped.signal_op = UNPU_SIGNAL_RAISE;
	skipped.signal_value = 4;
	channel.publish(skipped);
	channel.publish(drv::wait_packet(2, sem, 1000, 0));
	unpu_packet always = mark(2);
	always.flags = UNPU_PACKET_ALWAYS;
	channel.publish(always);
	settle(*device);
	EXPECT_EQ(channel.retired(), 5u);
	EXPECT_EQ(client.status(channel.timeline()), Status::MMU_FAULT);
	EXPECT_EQ(line().failures, 1u) << "a skipped packet is not another failure";
	EXPECT_EQ(memory.as<uint8_t>()[0], 0x5a);
	EXPECT_EQ(memory.as<uint8_t>()[1], 0);
	EXPECT_EQ(memory.as<uint8_t>()[2], 0x5a);
	EXPECT_EQ(client.value(sem), 4u) << "a skipped packet still signals";
}

TEST_F(ChannelTest, AWaitThatIsFulfilledDoesNotPark)
{
	ASSERT_EQ(client.set_semaphore(sem, 5), Status::OK);
	EXPECT_EQ(channel.run(drv::wait_packet(1, sem, 5, 0)), Status::OK);
	EXPECT_EQ(channel.run(drv::wait_packet(1, sem, 0, 1)), Status::OK);
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
}

TEST_F(ChannelTest, AWaitParksUntilAnotherChannelSignals)
{
	Channel other(client);
	channel.publish(drv::wait_packet(1, sem, 3, 0));
	channel.publish(mark(0));
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	EXPECT_FALSE(device->step()) << "a parked channel costs no steps";
	EXPECT_EQ(other.run(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, 2)), Status::OK);
	EXPECT_EQ(channel.retired(), 0u) << "2 is not yet 3";
	EXPECT_EQ(other.run(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, 4)), Status::OK);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0x5a);
}

TEST_F(ChannelTest, EachParkedChannelWakesAtItsOwnValue)
{
	constexpr unsigned COUNT = 12;
	std::vector<std::unique_ptr<Channel>> parked;
	for (unsigned i = 0; i < COUNT; i++) {
		parked.push_back(std::make_unique<Channel>(client));
		parked.back()->publish(drv::wait_packet(1, sem, i * 7 % COUNT + 1, 0));
	}
	settle(*device);
	for (unsigned value = 1; value <= COUNT; value++) {
		EXPECT_EQ(channel.run(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, value)),
			  Status::OK);
		for (unsigned i = 0; i < COUNT; i++)
			EXPECT_EQ(parked[i]->retired(), i * 7 % COUNT + 1 <= value ? 1u : 0u);
	}
}

TEST_F(ChannelTest, AWaitWakesOnSemSetAndOnASetSignal)
{
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	settle(*device);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	Channel other(client);
	ASSERT_EQ(client.set_semaphore(sem, 0), Status::OK);
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(other.run(drv::signal_packet(1, sem, UNPU_SIGNAL_SET, 1)), Status::OK);
	EXPECT_EQ(channel.retired(), 2u);
}

TEST_F(ChannelTest, EachConditionHoldsWhereItSays)
{
	struct Case {
		unpu_wait_op op;
		uint64_t holds, fails;
	};
	const Case cases[] = {{UNPU_WAIT_GE, 5, 4},
			      {UNPU_WAIT_LT, 4, 5},
			      {UNPU_WAIT_EQ, 5, 6},
			      {UNPU_WAIT_GT, 6, 5},
			      {UNPU_WAIT_MASK, 7, 4}};
	for (const Case &wait : cases) {
		Channel waits(client);
		ASSERT_EQ(client.set_semaphore(sem, wait.fails), Status::OK);
		waits.publish(drv::wait_packet(1, {sem, wait.op, 5, 0, 0, 0}));
		settle(*device);
		EXPECT_EQ(waits.retired(), 0u) << wait.op;
		ASSERT_EQ(client.set_semaphore(sem, wait.holds), Status::OK);
		settle(*device);
		EXPECT_EQ(waits.retired(), 1u) << wait.op;
		EXPECT_EQ(waits.run(drv::wait_packet(1, {sem, wait.op, 5, 0, 0, 0})), Status::OK);
	}
}

/* A notify: one signal ends one wait, whichever came first. */
TEST_F(ChannelTest, AWaitThatClearsTakesTheSignalForItself)
{
	const unpu_sem_wait wait{sem, UNPU_WAIT_EQ, 1, 0, UNPU_WAIT_CLEAR, 0};
	Channel first(client), second(client);
	first.publish(drv::wait_packet(1, wait));
	settle(*device);
	second.publish(drv::wait_packet(1, wait));
	settle(*device);
	unpu_packet signal = drv::signal_packet(1, sem, UNPU_SIGNAL_SET, 1);
	EXPECT_EQ(channel.run(signal), Status::OK);
	EXPECT_EQ(first.retired(), 1u);
	EXPECT_EQ(second.retired(), 0u);
	EXPECT_EQ(client.value(sem), 0u);
	EXPECT_EQ(channel.run(signal), Status::OK);
	EXPECT_EQ(second.retired(), 1u);
	EXPECT_EQ(client.value(sem), 0u);
	EXPECT_EQ(channel.run(signal), Status::OK);
	EXPECT_EQ(client.value(sem), 1u) << "nobody waited";
	EXPECT_EQ(first.run(drv::wait_packet(1, wait)), Status::OK);
	EXPECT_EQ(client.value(sem), 0u);
}

TEST_F(ChannelTest, AWaitForZeroIsWokenByAClear)
{
	Channel zero(client), clears(client);
	ASSERT_EQ(client.set_semaphore(sem, 2), Status::OK);
	zero.publish(drv::wait_packet(1, {sem, UNPU_WAIT_LT, 1, 0, 0, 0}));
	settle(*device);
	clears.publish(drv::wait_packet(1, {sem, UNPU_WAIT_GT, 2, 0, UNPU_WAIT_CLEAR, 0}));
	settle(*device);
	EXPECT_EQ(zero.retired() + clears.retired(), 0u);
	EXPECT_EQ(channel.run(drv::signal_packet(1, sem, UNPU_SIGNAL_ADD, 1)), Status::OK);
	EXPECT_EQ(clears.retired(), 1u);
	EXPECT_EQ(zero.retired(), 1u);
	EXPECT_EQ(client.value(sem), 0u);
}

TEST_F(ChannelTest, AWaiterInTheMiddleMayLeave)
{
	std::vector<std::unique_ptr<Channel>> parked;
	for (unsigned i = 0; i < 4; i++) {
		parked.push_back(std::make_unique<Channel>(client));
		parked.back()->publish(
			drv::wait_packet(1, {sem, UNPU_WAIT_EQ, 1, 0, UNPU_WAIT_CLEAR, 0}));
		settle(*device);
	}
	EXPECT_EQ(parked[1]->destroy(), Status::OK);
	EXPECT_EQ(parked[3]->destroy(), Status::OK);
	Channel late(client);
	late.publish(drv::wait_packet(1, {sem, UNPU_WAIT_EQ, 1, 0, UNPU_WAIT_CLEAR, 0}));
	settle(*device);
	for (Channel *next : {parked[0].get(), parked[2].get(), &late}) {
		EXPECT_EQ(next->retired(), 0u);
		EXPECT_EQ(channel.run(drv::signal_packet(1, sem, UNPU_SIGNAL_SET, 1)), Status::OK);
		EXPECT_EQ(next->retired(), 1u);
	}
}

TEST_F(ChannelTest, AWaitTimesOut)
{
	uint64_t start = base::now_ns();
	constexpr uint64_t LIMIT_NS = 200 * base::NS_PER_MS;
	channel.publish(drv::wait_packet(0x77, sem, 1, LIMIT_NS));
	channel.publish(mark(0));
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	uint64_t deadline = device->next_deadline_ns();
	EXPECT_GE(deadline, start + LIMIT_NS);
	ASSERT_LE(deadline, base::now_ns() + LIMIT_NS);
	while (base::now_ns() < deadline)
		ASSERT_EQ(channel.retired(), 0u);
	settle(*device);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(client.status(channel.timeline()), Status::WAIT_TIMEOUT);
	EXPECT_EQ(line().fault_cookie, 0x77u);
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
	Channel other(client);
	EXPECT_EQ(other.run(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, 1)), Status::OK);
	EXPECT_EQ(channel.retired(), 2u) << "a wait that ended is not woken again";
}

TEST_F(ChannelTest, AWokenWaitLeavesNoTimer)
{
	channel.publish(drv::wait_packet(1, sem, 1, base::NS_PER_S));
	settle(*device);
	EXPECT_NE(device->next_deadline_ns(), base::NO_DEADLINE);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
}

/* struct Bystander - a waiter that is never woken. */
struct Bystander final : fw::Waiter {
	void woken(Status, uint64_t, uint64_t) override {}
};

TEST(Timers, ALimitThatNeverComesIsNotKept)
{
	fw::Timers timers;
	Bystander waiter;
	timers.add(waiter, base::deadline_after(UINT64_MAX));
	timers.remove(waiter);
	EXPECT_TRUE(timers.empty()) << "the waiter may be gone by now";
}

TEST_F(ChannelTest, AHostCallBlocksItsChannelUntilItIsDone)
{
	Channel other(client);
	channel.publish(drv::host_call_packet(0xc0, 0xabcd));
	channel.publish(mark(0));
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	ASSERT_EQ(client.value(UNPU_SEM_CALLS), 1u);
	const unpu_call_entry &entry = client.completion().calls[0];
	EXPECT_EQ(entry.sequence, 1u);
	EXPECT_EQ(entry.call, 0xabcdu);
	EXPECT_EQ(entry.cookie, 0xc0u);
	EXPECT_EQ(other.run(drv::host_done_packet(1, entry.token + 1)), Status::INVALID_HANDLE);
	EXPECT_EQ(channel.retired(), 0u);
	EXPECT_EQ(other.run(drv::host_done_packet(1, entry.token)), Status::OK);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(other.run(drv::host_done_packet(1, entry.token)), Status::INVALID_HANDLE)
		<< "a token is good for once";
}

TEST_F(ChannelTest, HostCallsMayEndInAnyOrder)
{
	Channel second(client), third(client), done(client);
	channel.publish(drv::host_call_packet(1, 10));
	settle(*device);
	second.publish(drv::host_call_packet(2, 20));
	settle(*device);
	third.publish(drv::host_call_packet(3, 30));
	settle(*device);
	ASSERT_EQ(client.value(UNPU_SEM_CALLS), 3u);
	EXPECT_EQ(done.run(drv::host_done_packet(1, client.completion().calls[1].token)),
		  Status::OK);
	EXPECT_EQ(second.retired(), 1u);
	EXPECT_EQ(channel.retired() + third.retired(), 0u);
	EXPECT_EQ(done.run(drv::host_done_packet(1, client.completion().calls[2].token)),
		  Status::OK);
	EXPECT_EQ(done.run(drv::host_done_packet(1, client.completion().calls[0].token)),
		  Status::OK);
	EXPECT_EQ(channel.retired() + third.retired(), 2u);
}

TEST_F(ChannelTest, AHostCallMayFail)
{
	Channel done(client);
	channel.publish(drv::host_call_packet(1, 10));
	settle(*device);
	const uint64_t token = client.completion().calls[0].token;
	EXPECT_EQ(done.run(drv::host_done_packet(1, token, Status::MMU_FAULT)), Status::OK);
	EXPECT_EQ(client.status(channel.timeline()), Status::MMU_FAULT);
	EXPECT_EQ(done.run(drv::host_done_packet(1, token, Status::TIMEOUT)), Status::BAD_PACKET);
}

TEST_F(ChannelTest, AStoppedChannelFetchesNothingMore)
{
	EXPECT_EQ(channel.run(drv::packet(UNPU_OP_STOP, 1)), Status::OK);
	channel.publish(mark(0));
	client.ring(channel.index());
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0);
	EXPECT_EQ(channel.destroy(), Status::OK);
}

TEST_F(ChannelTest, AStopRetiresWithPacketsBehindIt)
{
	channel.publish(drv::packet(UNPU_OP_STOP, 1));
	channel.publish(mark(0));
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0);
}

TEST_F(ChannelTest, OneStepIsOnePacketAtMost)
{
	constexpr unsigned COUNT = 60;
	Channel second(client);
	uint32_t sems[2] = {sem, client.new_semaphore()};
	for (unsigned i = 1; i <= COUNT; i++) {
		channel.publish(drv::signal_packet(1, sems[0], UNPU_SIGNAL_RAISE, i));
		second.publish(drv::signal_packet(1, sems[1], UNPU_SIGNAL_RAISE, i));
	}
	uint64_t seen = 0;
	int64_t lead = INT64_MAX;
	for (unsigned step = 0; step < 10 * COUNT && seen < 2 * COUNT; step++) {
		device->step();
		uint64_t first = client.value(sems[0]), other = client.value(sems[1]);
		EXPECT_LE(first + other - seen, 1u);
		seen = first + other;
		/* A doorbell may lie there for a while; once both are awake they take turns. */
		if (first == 0 || other == 0 || first == COUNT || other == COUNT)
			continue;
		int64_t now = static_cast<int64_t>(first - other);
		lead = lead == INT64_MAX ? now : lead;
		EXPECT_LE(std::abs(now - lead), 2);
	}
	EXPECT_EQ(seen, 2 * COUNT);
}

TEST_F(ChannelTest, TheTimelineMovesInBatchesAndIsNeverAheadOrForgotten)
{
	constexpr unsigned COUNT = 50;
	for (unsigned i = 1; i <= COUNT; i++)
		channel.publish(drv::signal_packet(1, sem, UNPU_SIGNAL_RAISE, i));
	unsigned stores = 0;
	uint64_t seen = 0;
	for (unsigned step = 0; step < 10 * COUNT && channel.retired() < COUNT; step++) {
		device->step();
		EXPECT_LE(channel.retired(), client.value(sem)) << "retired before its results";
		EXPECT_LE(client.value(sem) - channel.retired(), 8u) << "held back too long";
		stores += channel.retired() != seen;
		seen = channel.retired();
	}
	EXPECT_EQ(seen, COUNT);
	EXPECT_LE(stores, COUNT / 4);
}

TEST_F(ChannelTest, WorkIsNotHeldBackByALongPacketBehindIt)
{
	channel.publish(drv::nop_packet(1));
	channel.publish(drv::nop_packet(2));
	channel.publish(drv::wait_packet(3, sem, 1, 0));
	channel.publish(drv::nop_packet(4));
	settle(*device);
	EXPECT_EQ(channel.retired(), 2u);
}

TEST_F(ChannelTest, ATimelineStartsAtItsBase)
{
	constexpr uint64_t BASE = (uint64_t{1} << 32) - 3;
	Channel based(client, UNPU_RING_MIN_SLOTS, BASE);
	EXPECT_EQ(based.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(client.value(based.timeline()), BASE + 1);
	for (unsigned i = 0; i < 5; i++)
		EXPECT_EQ(based.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(client.value(based.timeline()), BASE + 6);
}

TEST_F(ChannelTest, AFullRingGoesRoundManyTimes)
{
	for (unsigned round = 0; round < 40; round++) {
		while (channel.ring().has_room(channel.retired()))
			channel.publish(drv::nop_packet(round));
		EXPECT_EQ(channel.ring().next() - channel.retired(), SLOTS);
		settle(*device);
		EXPECT_EQ(channel.retired(), channel.ring().next());
	}
}

TEST_F(ChannelTest, AParkedChannelCanBeDestroyed)
{
	Channel other(client);
	channel.publish(drv::wait_packet(1, sem, 1, base::NS_PER_S));
	other.publish(drv::host_call_packet(1, 1));
	settle(*device);
	EXPECT_EQ(channel.destroy(), Status::OK);
	EXPECT_EQ(other.destroy(), Status::OK);
	EXPECT_EQ(channel.destroy(), Status::INVALID_HANDLE);
	EXPECT_EQ(device->next_deadline_ns(), base::NO_DEADLINE);
	ASSERT_EQ(client.set_semaphore(sem, 5), Status::OK);
	Channel fresh(client);
	EXPECT_EQ(fresh.run(drv::host_done_packet(1, client.completion().calls[0].token)),
		  Status::INVALID_HANDLE);
	EXPECT_EQ(fresh.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(channel.retired(), 0u);
}

TEST_F(ChannelTest, AnIndexIsUsedAgainWithACleanState)
{
	ASSERT_EQ(channel.control(UNPU_CHANNEL_STOP_ON_FAILURE), Status::OK);
	channel.publish(fault(1));
	settle(*device);
	ASSERT_EQ(channel.destroy(), Status::OK);
	EXPECT_EQ(client.completion().channels[channel.index()].armed, 0u);
	Channel fresh(client);
	EXPECT_EQ(fresh.index(), channel.index());
	EXPECT_EQ(fresh.run(mark(0)), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0x5a);
}

TEST_F(ChannelTest, UnfetchedPacketsAreDroppedWithTheChannel)
{
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	channel.publish(mark(0));
	settle(*device);
	ASSERT_EQ(channel.destroy(), Status::OK);
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0);
}

/* Whatever pieces several engines make of a copy, each byte gets where it belongs and no other. */
TEST_F(ChannelTest, EnginesShareACopy)
{
	constexpr uint64_t MOST = (20u << 20) + 4096;
	for (uint32_t count : {1u, 3u}) {
		auto engines = make_device(0, count);
		Client owner(*engines);
		Memory from = owner.memory(MOST);
		Memory to = owner.memory(MOST);
		Channel first(owner);
		for (uint64_t i = 0; i < MOST; i++)
			from.as<uint8_t>()[i] = static_cast<uint8_t>(i * 7 + (i >> 13));
		for (uint64_t bytes :
		     {uint64_t{1} << 20, (uint64_t{3} << 20) + 1, (uint64_t{17} << 20) + 77}) {
			constexpr uint64_t TO = 65, FROM = 3;
			memset(to.as<uint8_t>(), 0xee, MOST);
			uint64_t wanted = first.publish(
				drv::copy_packet(1, to.va + TO, from.va + FROM, bytes));
			ASSERT_TRUE(
				step_until(*engines, [&] { return first.retired() >= wanted; }));
			EXPECT_EQ(memcmp(to.as<uint8_t>() + TO, from.as<uint8_t>() + FROM, bytes),
				  0);
			EXPECT_EQ(to.as<uint8_t>()[TO - 1], 0xee);
			EXPECT_EQ(to.as<uint8_t>()[TO + bytes], 0xee);
		}
	}
}

/* The first byte is copied before it is written over. */
TEST_F(ChannelTest, ALongCopyMayOverlap)
{
	constexpr uint64_t LONG = 4u << 20;
	auto engines = make_device(0, 2);
	Client owner(*engines);
	Memory big = owner.memory(LONG + 4096);
	Channel first(owner);
	for (uint64_t i = 0; i < LONG; i++)
		big.as<uint8_t>()[i] = static_cast<uint8_t>(i >> 12);
	uint64_t wanted = first.publish(drv::copy_packet(1, big.va + 4096, big.va, LONG));
	ASSERT_TRUE(step_until(*engines, [&] { return first.retired() >= wanted; }));
	for (uint64_t i = 0; i < LONG; i += 4096)
		ASSERT_EQ(big.as<uint8_t>()[i + 4096], static_cast<uint8_t>(i >> 12)) << i;
}

TEST_F(ChannelTest, LongWorkOnAnEngineEndsOrderlyWithItsChannel)
{
	/* Less than a single engine cuts into pieces. */
	constexpr uint64_t LONG = 3u << 20;
	auto engines = make_device(0, 1);
	Client owner(*engines);
	Memory big = owner.memory(LONG);
	Channel first(owner), second(owner);
	for (unsigned round = 0; round < 4; round++) {
		first.publish(drv::fill_packet(1, big.va, LONG, round + 1, 1));
		uint64_t wanted = first.publish(drv::nop_packet(2));
		ASSERT_TRUE(step_until(*engines, [&] { return first.retired() >= wanted; }));
		EXPECT_EQ(big.as<uint8_t>()[LONG - 1], round + 1);
	}
	const Memory kept = owner.memory(LONG);
	memset(big.as<uint8_t>(), 9, LONG);
	second.publish(drv::copy_packet(1, kept.va, big.va, LONG));
	settle(*engines);
	/* A job that no engine has begun is dropped with its channel. */
	while (base::load_relaxed(*kept.as<uint8_t>()) != 9)
		base::cpu_relax();
	EXPECT_EQ(owner.unmap(big.va, big.bytes), Status::OK);
	EXPECT_EQ(owner.destroy_segment(big.segment), Status::OK);
	EXPECT_EQ(second.destroy(), Status::OK);
	EXPECT_EQ(kept.as<uint8_t>()[LONG - 1], 9) << "a job that runs keeps its memory";
	owner.detach();
}

} // namespace
