// SPDX-License-Identifier: MIT
/*
 * DOC: Waits for words in memory, tested
 *
 * A channel that waits for a word continues when the word fulfils the condition, whether the host
 * or a task stored it. If the wait ends in another way, no entry of it stays in the table.
 */
#include "tests/unit/support/graph_image.h"

namespace {

using namespace wire;

class Value : public Stepped {
protected:
	Memory memory = client.memory(8192);
	Channel other{client};

	uint64_t at(unsigned index) const { return memory.va + index * 8; }
	uint64_t &word(unsigned index) const { return memory.as<uint64_t>()[index]; }

	unpu_packet wait(uint32_t op, uint64_t value, uint32_t bytes = 8, uint64_t timeout_ns = 0)
	{
		return drv::value_wait_packet(3, {at(0), value, timeout_ns, op, bytes});
	}

	unpu_packet write(uint64_t value, uint32_t bytes = 8)
	{
		return drv::value_write_packet(4, at(0), value, bytes);
	}

	/* waits() - with this in the word the condition holds the channel. */
	bool waits(uint32_t op, uint64_t stored, uint64_t value, uint32_t bytes = 8)
	{
		word(0) = stored;
		Channel fresh(client);
		fresh.publish(wait(op, value, bytes));
		settle(*device);
		return fresh.retired() == 0;
	}
};

TEST_F(Value, WritesStoreTheirWidth)
{
	word(0) = word(1) = UINT64_MAX;
	EXPECT_EQ(channel.run(write(0x1122334455667788)), Status::OK);
	EXPECT_EQ(word(0), 0x1122334455667788u);
	EXPECT_EQ(channel.run(write(7, 4)), Status::OK);
	EXPECT_EQ(word(0), 0x1122334400000007u);
	EXPECT_EQ(word(1), UINT64_MAX);
}

TEST_F(Value, ConditionsOf64Bits)
{
	EXPECT_FALSE(waits(UNPU_VALUE_GE, 5, 5));
	EXPECT_FALSE(waits(UNPU_VALUE_GE, 6, 5));
	EXPECT_TRUE(waits(UNPU_VALUE_GE, 4, 5));
	EXPECT_FALSE(waits(UNPU_VALUE_GE, 2, UINT64_MAX)) << "a counter that wrapped";
	EXPECT_TRUE(waits(UNPU_VALUE_GE, UINT64_MAX, 2));
	EXPECT_FALSE(waits(UNPU_VALUE_EQ, 5, 5));
	EXPECT_TRUE(waits(UNPU_VALUE_EQ, 6, 5));
	EXPECT_FALSE(waits(UNPU_VALUE_AND, uint64_t{1} << 40, uint64_t{3} << 40));
	EXPECT_TRUE(waits(UNPU_VALUE_AND, 4, 3));
	EXPECT_FALSE(waits(UNPU_VALUE_NOR, 1, 2));
	EXPECT_TRUE(waits(UNPU_VALUE_NOR, UINT64_MAX - 2, 2));
}

TEST_F(Value, ConditionsOf32BitsIgnoreTheRest)
{
	constexpr uint64_t REST = 0xabcd000000000000;
	EXPECT_FALSE(waits(UNPU_VALUE_GE, REST | 2, UINT32_MAX, 4));
	EXPECT_TRUE(waits(UNPU_VALUE_GE, REST | UINT32_MAX, 2, 4));
	EXPECT_FALSE(waits(UNPU_VALUE_EQ, REST | 5, 5, 4));
	EXPECT_TRUE(waits(UNPU_VALUE_EQ, REST | 6, 5, 4));
	EXPECT_TRUE(waits(UNPU_VALUE_AND, REST | 4, 3, 4));
	EXPECT_TRUE(waits(UNPU_VALUE_NOR, 0xfffffffd, 2, 4)) << "the upper half is not looked at";
}

TEST_F(Value, EveryKindOfWorkWakes)
{
	word(9) = 5;
	auto sum = packed_operator(UNPU_OPERATOR_ADD, 2, at(0), at(2), at(3), 1.0);
	for (unsigned i = 0; i < 2; i++) {
		memory.as<float>()[4 + i] = 1.0f;
		memory.as<float>()[6 + i] = 2.0f;
	}
	const struct {
		unpu_packet packet;
		const unpu_operator *op;
		uint64_t value;
	} writers[] = {
		{write(5), nullptr, 5},
		{drv::copy_packet(1, at(0), at(9), 8), nullptr, 5},
		{drv::fill_packet(1, at(0), 8, 0x01010101, 4), nullptr, 0x0101010101010101},
		{drv::operator_packet(1, 0), &sum, 0x4040000040400000},
	};
	for (const auto &writer : writers) {
		word(0) = 0;
		uint64_t before = channel.retired();
		channel.publish(wait(UNPU_VALUE_EQ, writer.value));
		settle(*device);
		EXPECT_EQ(channel.retired(), before);
		EXPECT_EQ(other.run(writer.packet, writer.op), Status::OK);
		EXPECT_EQ(channel.retired(), before + 1);
	}
}

TEST_F(Value, AStoreOfTheHostWakes)
{
	channel.publish(wait(UNPU_VALUE_GE, 1));
	settle(*device);
	EXPECT_EQ(channel.retired(), 0u);
	base::store_release(word(0), uint64_t{1});
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
}

TEST_F(Value, OnlyThoseWhoseConditionHoldsWake)
{
	constexpr unsigned COUNT = 12;
	std::vector<std::unique_ptr<Channel>> parked;
	for (unsigned i = 0; i < COUNT; i++) {
		parked.push_back(std::make_unique<Channel>(client));
		parked.back()->publish(wait(UNPU_VALUE_GE, i * 7 % COUNT + 1));
	}
	settle(*device);
	for (unsigned value = 1; value <= COUNT; value++) {
		EXPECT_EQ(channel.run(write(value)), Status::OK);
		for (unsigned i = 0; i < COUNT; i++)
			EXPECT_EQ(parked[i]->retired(), i * 7 % COUNT + 1 <= value ? 1u : 0u);
	}
}

TEST_F(Value, AWaitTimesOutOnce)
{
	channel.publish(wait(UNPU_VALUE_EQ, 1, 8, 200 * base::NS_PER_MS));
	settle(*device);
	uint64_t deadline = device->next_deadline_ns();
	ASSERT_NE(deadline, base::NO_DEADLINE);
	while (base::now_ns() < deadline)
		ASSERT_EQ(channel.retired(), 0u);
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(client.status(channel.timeline()), Status::WAIT_TIMEOUT);
	EXPECT_EQ(other.run(write(1)), Status::OK);
	EXPECT_EQ(channel.retired(), 1u) << "a wait that ended is not woken again";
}

TEST_F(Value, AWordThatIsUnmappedFaults)
{
	channel.publish(wait(UNPU_VALUE_EQ, 1));
	settle(*device);
	EXPECT_EQ(client.unmap(memory.va, memory.bytes), Status::OK);
	settle(*device);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(client.status(channel.timeline()), Status::MMU_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_address, at(0));
}

TEST_F(Value, AChannelThatGoesLeavesNothing)
{
	{
		Channel gone(client);
		gone.publish(wait(UNPU_VALUE_EQ, 1));
		settle(*device);
		EXPECT_EQ(gone.destroy(), Status::OK);
	}
	EXPECT_EQ(other.run(write(1)), Status::OK);
	Client second(*device);
	Channel theirs(second);
	Memory their_memory = second.memory(4096);
	theirs.publish(drv::value_wait_packet(1, {their_memory.va, 1, 0, UNPU_VALUE_EQ, 8}));
	settle(*device);
	second.detach();
	EXPECT_EQ(other.run(write(2)), Status::OK);
}

TEST_F(Value, InAGraphALineWaits)
{
	Image image;
	image.line({wait(UNPU_VALUE_GE, 1), drv::value_write_packet(1, at(1), 7, 8)});
	image.line({drv::value_write_packet(1, at(2), 8, 8)});
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	for (uint64_t round = 0; round < 3; round++) {
		word(0) = word(1) = word(2) = 0;
		channel.publish(drv::graph_packet(1, graph));
		settle(*device);
		EXPECT_EQ(channel.retired(), round);
		EXPECT_EQ(word(1), 0u);
		EXPECT_EQ(word(2), 8u);
		EXPECT_EQ(other.run(write(1)), Status::OK);
		EXPECT_EQ(channel.retired(), round + 1);
		EXPECT_EQ(word(1), 7u);
	}
}

TEST_F(Value, WordsOfAReplayWake)
{
	Image image;
	image.line({drv::copy_packet(1, at(0), at(9), 8)});
	uint32_t graph = 0;
	ASSERT_EQ(client.load_graph(image.bytes(), graph), Status::OK);
	/* The second and third execution use the places that the first one found. */
	for (uint64_t round = 1; round <= 3; round++) {
		word(9) = round;
		channel.publish(wait(UNPU_VALUE_EQ, round));
		settle(*device);
		EXPECT_EQ(channel.retired(), round - 1);
		EXPECT_EQ(other.run(drv::graph_packet(1, graph)), Status::OK);
		EXPECT_EQ(channel.retired(), round);
	}
}

TEST_F(Value, ImpossiblePacketsAreRefused)
{
	EXPECT_EQ(channel.run(drv::value_write_packet(1, at(0) + 4, 1, 8)), Status::BAD_PACKET);
	EXPECT_EQ(channel.run(drv::value_write_packet(1, at(0) + 2, 1, 4)), Status::BAD_PACKET);
	EXPECT_EQ(channel.run(drv::value_write_packet(1, at(0), 1, 2)), Status::BAD_PACKET);
	EXPECT_EQ(channel.run(drv::value_write_packet(1, at(0), uint64_t{1} << 32, 4)),
		  Status::BAD_PACKET);
	EXPECT_EQ(channel.run(wait(4, 1)), Status::BAD_PACKET);
	EXPECT_EQ(channel.run(wait(UNPU_VALUE_EQ, 1, 16)), Status::BAD_PACKET);
	EXPECT_EQ(channel.run(drv::value_write_packet(1, 4096, 1, 8)), Status::MMU_FAULT);
	Memory constant = client.memory(4096, UNPU_ACCESS_READ);
	EXPECT_EQ(channel.run(drv::value_write_packet(1, constant.va, 1, 8)), Status::ACCESS_FAULT);
}

TEST_F(Value, AnIndirectCopyReadsItsAddressesWhenItRuns)
{
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_COPY_INDIRECT;
	op.noperands = 3;
	for (unsigned i = 0; i < 3; i++)
		op.operands[i] = {at(i), UNPU_DTYPE_I64, UNPU_ACCESS_READ, {}};
	op.parameters[0] = 8;
	op.parameters[1] = 16;
	word(20) = 1;
	channel.publish(drv::value_wait_packet(3, {at(20), 0, 0, UNPU_VALUE_EQ, 8}));
	channel.publish(drv::operator_packet(1, 0), &op);
	settle(*device);
	word(0) = at(100);
	word(1) = at(200);
	word(2) = 16;
	word(202) = 11;
	word(203) = 12;
	EXPECT_EQ(other.run(drv::value_write_packet(4, at(20), 0, 8)), Status::OK);
	EXPECT_EQ(channel.retired(), 2u);
	EXPECT_EQ(word(101), 11u);
	EXPECT_EQ(word(102), 12u);
	op.noperands = 2;
	op.operands[2] = {};
	op.scalar_bits = 8;
	word(202) = 13;
	EXPECT_EQ(channel.run(drv::operator_packet(1, 0), &op), Status::OK);
	EXPECT_EQ(word(101), 13u);
	EXPECT_EQ(word(102), 12u);
	word(0) = 4096;
	EXPECT_EQ(channel.run(drv::operator_packet(1, 0), &op), Status::MMU_FAULT);
	op.operands[0].address = at(0) + 1;
	EXPECT_EQ(channel.run(drv::operator_packet(1, 0), &op), Status::BAD_OPERATOR);
}

} // namespace
