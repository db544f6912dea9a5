// SPDX-License-Identifier: MIT
/*
 * DOC: Groups and aborts, tested
 *
 * Channels that stop together, and dropped packets: packets that wait in the ring, and the packet
 * that is parked, runs on an engine, waits for a host call or has launched a graph.
 */
#include "tests/unit/support/graph_image.h"
#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

class AbortTest : public Stepped {
protected:
	Memory memory = client.memory(8192);
	uint32_t sem = client.new_semaphore();

	unpu_packet fault(uint64_t cookie) { return drv::fill_packet(cookie, 8, 8, 0, 1); }
	unpu_packet mark(unsigned at) { return drv::fill_packet(1, memory.va + at, 1, 0x5a, 1); }
	uint8_t byte(unsigned at) { return memory.as<uint8_t>()[at]; }
};

TEST_F(AbortTest, AGroupStopsWithItsFirstFailure)
{
	Channel first(client, SLOTS, 0, 0, 7);
	Channel second(client, SLOTS, 0, 0, 7);
	Channel stranger(client, SLOTS, 0, 0, 8);
	ASSERT_EQ(second.control(UNPU_CHANNEL_STOP_ON_FAILURE), Status::OK);
	first.publish(fault(0x77));
	settle(*device);
	first.publish(mark(0));
	second.publish(mark(1));
	stranger.publish(mark(2));
	settle(*device);
	EXPECT_EQ(byte(0), 0);
	EXPECT_EQ(byte(1), 0);
	EXPECT_EQ(byte(2), 0x5a);
	for (Channel *member : {&first, &second}) {
		EXPECT_EQ(client.status(member->timeline()), Status::MMU_FAULT);
		EXPECT_EQ(client.line(member->timeline()).fault_cookie, 0x77u);
		EXPECT_EQ(client.line(member->timeline()).fault_address, 8u);
	}
	EXPECT_EQ(client.status(stranger.timeline()), Status::OK);
	Channel late(client, SLOTS, 0, 0, 7);
	EXPECT_EQ(client.status(late.timeline()), Status::MMU_FAULT) << "it joined what failed";
}

TEST_F(AbortTest, AnUnclearedFailureStopsAGroupThatIsSetToStopLater)
{
	Channel first(client, SLOTS, 0, 0, 7);
	Channel second(client, SLOTS, 0, 0, 7);
	first.publish(fault(0x11));
	settle(*device);
	ASSERT_EQ(second.control(UNPU_CHANNEL_STOP_ON_FAILURE), Status::OK);
	second.publish(mark(0));
	settle(*device);
	EXPECT_EQ(byte(0), 0);
	EXPECT_EQ(client.line(second.timeline()).fault_cookie, 0x11u);
}

TEST_F(AbortTest, AGroupWithoutStopOnFailureContinues)
{
	Channel first(client, SLOTS, 0, 0, 7);
	Channel second(client, SLOTS, 0, 0, 7);
	first.publish(fault(1));
	first.publish(mark(0));
	second.publish(mark(1));
	settle(*device);
	EXPECT_EQ(byte(0), 0x5a);
	EXPECT_EQ(byte(1), 0x5a);
	EXPECT_EQ(client.status(second.timeline()), Status::OK);
}

TEST_F(AbortTest, AGroupEndsWithItsLastChannel)
{
	{
		Channel first(client, SLOTS, 0, 0, 7);
		ASSERT_EQ(first.control(UNPU_CHANNEL_STOP_ON_FAILURE), Status::OK);
		first.publish(fault(1));
		settle(*device);
		ASSERT_EQ(first.destroy(), Status::OK);
	}
	Channel fresh(client, SLOTS, 0, 0, 7);
	EXPECT_EQ(fresh.run(mark(0)), Status::OK);
	EXPECT_EQ(byte(0), 0x5a);
}

TEST_F(AbortTest, QueuedPacketsNeverRun)
{
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	channel.publish(mark(0));
	unpu_packet signals = drv::nop_packet(1);
	signals.signal_sem = client.new_semaphore();
	signals.signal_op = UNPU_SIGNAL_RAISE;
	signals.signal_value = 9;
	channel.publish(signals);
	settle(*device);
	ASSERT_EQ(channel.abort(), Status::OK);
	EXPECT_EQ(channel.retired(), 3u) << "who waits on the host is let go";
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(byte(0), 0);
	EXPECT_EQ(client.value(signals.signal_sem), 0u);
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
	EXPECT_EQ(channel.run(mark(1)), Status::OK) << "the channel goes on";
	EXPECT_EQ(byte(1), 0x5a);
	EXPECT_EQ(channel.retired(), 4u);
}

TEST_F(AbortTest, PacketsPastTheMarkRun)
{
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	channel.publish(mark(0));
	channel.publish(mark(1));
	settle(*device);
	ASSERT_EQ(channel.abort(0, 2), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 3u);
	EXPECT_EQ(byte(0), 0);
	EXPECT_EQ(byte(1), 0x5a);
}

TEST_F(AbortTest, ChannelsParkedOnTheTimelineStayParked)
{
	Channel other(client);
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	other.publish(drv::wait_packet(1, channel.timeline(), 1, 0));
	other.publish(mark(0));
	settle(*device);
	ASSERT_EQ(channel.abort(), Status::OK);
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(other.retired(), 0u);
	ASSERT_EQ(other.abort(), Status::OK);
	EXPECT_EQ(other.run(mark(1)), Status::OK);
	EXPECT_EQ(byte(0), 0);
	EXPECT_EQ(byte(1), 0x5a);
}

TEST_F(AbortTest, AWaiterOnAnAbortedStreamKeepsItsTimeLimitAndCanBeDestroyed)
{
	Channel limited(client);
	Channel leaving(client);
	channel.publish(drv::wait_packet(1, sem, 1, 0));
	limited.publish(drv::wait_packet(1, channel.timeline(), 1, base::NS_PER_MS));
	leaving.publish(drv::wait_packet(1, channel.timeline(), 1, 0));
	settle(*device);
	ASSERT_EQ(channel.abort(), Status::OK);
	ASSERT_EQ(leaving.destroy(), Status::OK);
	while (base::now_ns() < device->next_deadline_ns() && limited.retired() == 0)
		device->step();
	settle(*device);
	EXPECT_EQ(client.status(limited.timeline()), Status::WAIT_TIMEOUT);
}

TEST_F(AbortTest, AHostCallAndAGraphEnd)
{
	Channel calling(client);
	calling.publish(drv::host_call_packet(1, 1));
	calling.publish(mark(0));
	Image image;
	image.line({drv::wait_packet(1, sem, 1, 0), mark(1)});
	uint32_t id = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), id), Status::OK);
	channel.publish(drv::graph_packet(1, id));
	channel.publish(mark(2));
	Channel queued(client);
	queued.publish(drv::graph_packet(1, id));
	settle(*device);
	ASSERT_EQ(calling.abort(), Status::OK);
	ASSERT_EQ(channel.abort(), Status::OK);
	EXPECT_EQ(calling.retired(), 2u);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(queued.retired(), 0u) << "the next execution has begun, and waits";
	ASSERT_EQ(client.set_semaphore(sem, 1), Status::OK);
	settle(*device);
	EXPECT_EQ(queued.retired(), 1u);
	EXPECT_EQ(byte(0), 0);
	EXPECT_EQ(byte(1), 0x5a);
	EXPECT_EQ(byte(2), 0);
	EXPECT_EQ(calling.run(drv::nop_packet(1)), Status::OK);
}

TEST_F(AbortTest, AStopEndsTheRunningPacketAlone)
{
	ASSERT_EQ(channel.abort(UNPU_ABORT_CURRENT, 0), Status::OK) << "nothing runs";
	channel.publish(drv::wait_packet(0x55, sem, 1, 0));
	channel.publish(mark(0));
	settle(*device);
	ASSERT_EQ(channel.abort(UNPU_ABORT_CURRENT, 0), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(client.status(channel.timeline()), Status::CHANNEL_STOPPED);
	EXPECT_EQ(client.line(channel.timeline()).fault_cookie, 0x55u);
	EXPECT_EQ(byte(0), 0x5a);
}

TEST_F(AbortTest, AStopOfAGraphIsAFailureOfItsLaunch)
{
	Image image;
	image.line({drv::wait_packet(1, sem, 1, 0), mark(1)});
	uint32_t id = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), id), Status::OK);
	channel.publish(drv::graph_packet(0x66, id));
	channel.publish(mark(0));
	settle(*device);
	ASSERT_EQ(channel.abort(UNPU_ABORT_CURRENT, 0), Status::OK);
	settle(*device);
	EXPECT_EQ(client.status(channel.timeline()), Status::CHANNEL_STOPPED);
	EXPECT_EQ(byte(0), 0x5a);
	EXPECT_EQ(byte(1), 0);
	EXPECT_EQ(client.unload_graph(id), Status::OK);
}

TEST_F(AbortTest, MarksTheRingCanNotHoldAreRefused)
{
	channel.publish(drv::nop_packet(1));
	settle(*device);
	EXPECT_EQ(channel.abort(0, 0), Status::INVALID_ARGUMENT) << "it has retired";
	EXPECT_EQ(channel.abort(0, 1 + SLOTS + 1), Status::INVALID_ARGUMENT);
	EXPECT_EQ(channel.abort(0, ~uint64_t{0}), Status::INVALID_ARGUMENT);
	EXPECT_EQ(channel.abort(UNPU_ABORT_CURRENT, 1), Status::INVALID_ARGUMENT);
	EXPECT_EQ(channel.abort(0x2, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(channel.abort(0, 1), Status::OK) << "there is nothing to drop";
	EXPECT_EQ(channel.run(mark(0)), Status::OK);
	ASSERT_EQ(channel.destroy(), Status::OK);
	EXPECT_EQ(channel.abort(), Status::INVALID_HANDLE);
}

TEST_F(AbortTest, WorkOnAnEngineEndsBeforeTheAbortIsAnswered)
{
	constexpr uint64_t LONG = 4u << 20;
	auto engines = make_device(0, 1);
	Client owner(*engines);
	Memory big = owner.memory(LONG);
	Channel busy(owner);
	busy.publish(drv::fill_packet(1, big.va, LONG, 3, 1));
	busy.publish(drv::fill_packet(1, big.va, LONG, 4, 1));
	engines->step();
	engines->step();
	ASSERT_EQ(busy.abort(), Status::OK);
	EXPECT_EQ(busy.retired(), 2u);
	big.as<uint8_t>()[0] = 7;
	settle(*engines);
	EXPECT_EQ(big.as<uint8_t>()[0], 7) << "nothing of it moves any more";
	EXPECT_EQ(owner.unmap(big.va, big.bytes), Status::OK);
	EXPECT_EQ(busy.run(drv::nop_packet(1)), Status::OK);
	owner.detach();
}

/*
 * The engine copies to a higher address of the same memory, from the end and not in pieces. The abort is not
 * answered before that copy has ended. Other clients' packets run meanwhile, and none of the client's own.
 */
TEST_F(AbortTest, OtherClientsGoOnWhileAnAbortWaitsForAnEngine)
{
	constexpr uint64_t LONG = 128u << 20;
	auto engines = make_device(0, 1);
	Client owner(*engines), neighbour(*engines);
	const Memory big = owner.memory(LONG + 4096);
	Channel busy(owner), beside(owner), other(neighbour);
	bool seen = false;
	/* The thread that steps may get its CPU back only after the copy has ended: then it looks again. */
	/* Among the first bytes that memmove() writes; it keeps the very last ones for its end. */
	uint8_t *const last = &big.as<uint8_t>()[LONG - 4096];
	for (unsigned round = 0; round < 20 && !seen; round++) {
		*last = static_cast<uint8_t>(round + 1);
		busy.publish(drv::copy_packet(1, big.va + 4096, big.va, LONG));
		settle(*engines);
		ASSERT_TRUE(changes(last[4096], static_cast<uint8_t>(round)));
		unpu_message abort{};
		abort.type = UNPU_MSG_CHANNEL_ABORT;
		abort.abort = {busy.index(), 0, busy.ring().next()};
		owner.post(abort);
		const uint64_t wanted = other.publish(drv::nop_packet(2));
		const uint64_t own = beside.publish(drv::nop_packet(3));
		bool answered = false;
		ASSERT_TRUE(step_until(*engines, [&] {
			answered = owner.is_answered(abort);
			return answered || other.retired() >= wanted;
		}));
		if (!answered) {
			seen = true;
			EXPECT_LT(beside.retired(), own) << "the client's own work waits";
			EXPECT_LT(busy.retired(), busy.ring().next()) << "the copy still writes";
		}
		ASSERT_TRUE(step_until(*engines, [&] { return owner.is_answered(abort); }));
		EXPECT_EQ(static_cast<Status>(abort.status), Status::OK);
		ASSERT_TRUE(step_until(*engines, [&] { return beside.retired() >= own; }));
	}
	EXPECT_TRUE(seen);
	EXPECT_EQ(owner.broken(), Status::OK);
}

/* A client may leave, or be cut off, while its request waits. */
TEST_F(AbortTest, AClientEndsWhileItsAbortWaitsForAnEngine)
{
	constexpr uint64_t LONG = 64u << 20;
	auto engines = make_device(0, 1);
	Client neighbour(*engines);
	Channel other(neighbour);
	{
		Client owner(*engines);
		const Memory big = owner.memory(LONG + 4096);
		Channel busy(owner), beside(owner);
		big.as<uint8_t>()[LONG - 4096] = 1;
		busy.publish(drv::copy_packet(1, big.va + 4096, big.va, LONG));
		settle(*engines);
		ASSERT_TRUE(changes(big.as<uint8_t>()[LONG], 0));
		unpu_message abort{};
		abort.type = UNPU_MSG_CHANNEL_ABORT;
		abort.abort = {busy.index(), 0, busy.ring().next()};
		owner.post(abort);
		beside.publish(drv::nop_packet(3));
		settle(*engines);
	}
	EXPECT_EQ(other.run(drv::nop_packet(1)), Status::OK);
}

} // namespace
