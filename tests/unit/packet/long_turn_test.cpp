// SPDX-License-Identifier: MIT
/*
 * DOC: Long work on a device without engines, tested
 *
 * A device without engines does long work in pieces, one in each turn. Other channels move between
 * the pieces, the heartbeat grows, and the rest of the work can be dropped. The test is the only
 * thread that moves the device.
 */
#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

constexpr uint64_t BYTES = (uint64_t{5} << 20) + 100;
constexpr unsigned PIECES = 6;

class LongTurns : public testing::Test {
protected:
	LongTurns() { device_->leave_to_callers(fw::Callers::ALL); }

	static std::unique_ptr<fw::Device> make()
	{
		fw::Config config;
		config.memory_bytes = MEMORY_BYTES;
		return fw::Device::create(config).take();
	}

	uint64_t heartbeat() const { return base::load_relaxed(client.bar().heartbeat); }
	uint64_t done(const Channel &of) { return client.value(of.timeline()); }

	/* Turns until a packet has retired. Return: how many. */
	unsigned run_to(const Channel &of, uint64_t value)
	{
		unsigned turns = 0;
		for (; done(of) != value && turns < STEPS_MAX; turns++)
			(void)device_->turn();
		return turns;
	}

	static uint64_t filled(const Memory &memory)
	{
		const auto *bytes = memory.as<uint8_t>();
		return static_cast<uint64_t>(std::count(bytes, bytes + BYTES, uint8_t{7}));
	}

private:
	std::unique_ptr<fw::Device> device_ = make();

protected:
	Client client{*device_};
	Channel channel{client};
	Channel other{client};
	Memory memory = client.memory(BYTES);
	const unpu_packet fill = drv::fill_packet(1, memory.va, BYTES, 7, 1);
};

TEST_F(LongTurns, EachPieceIsATurnAndShowsLife)
{
	const uint64_t wanted = channel.publish(fill);
	const uint64_t before = heartbeat();
	EXPECT_GE(run_to(channel, wanted), PIECES);
	EXPECT_GE(heartbeat() - before, PIECES);
	EXPECT_EQ(filled(memory), BYTES);
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
}

TEST_F(LongTurns, AnotherChannelMovesMeanwhile)
{
	const uint64_t wanted = channel.publish(fill);
	const uint64_t small = other.publish(drv::nop_packet(2));
	run_to(other, small);
	EXPECT_NE(done(channel), wanted);
	EXPECT_LT(filled(memory), BYTES);
	run_to(channel, wanted);
	EXPECT_EQ(filled(memory), BYTES);
}

TEST_F(LongTurns, OneChannelsPiecesAreNoRow)
{
	const uint64_t wanted = channel.publish(fill);
	unsigned turns = 0;
	for (; done(channel) != wanted && turns < STEPS_MAX; turns++)
		(void)client.device().turn(true);
	EXPECT_GE(turns, PIECES - 1);
}

TEST_F(LongTurns, WhatIsLeftCanBeDropped)
{
	const uint64_t wanted = channel.publish(fill);
	while (filled(memory) == 0)
		(void)client.device().turn();
	EXPECT_EQ(channel.abort(), Status::OK);
	run_to(channel, wanted);
	EXPECT_LT(filled(memory), BYTES);
	EXPECT_EQ(channel.run(drv::nop_packet(3)), Status::OK);
}

TEST_F(LongTurns, ItsMemoryStaysUntilTheEnd)
{
	const uint64_t wanted = channel.publish(fill);
	while (filled(memory) == 0)
		(void)client.device().turn();
	EXPECT_EQ(client.unmap(memory.va, memory.bytes), Status::OK);
	EXPECT_EQ(client.destroy_segment(memory.segment), Status::OK);
	run_to(channel, wanted);
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
}

} // namespace
