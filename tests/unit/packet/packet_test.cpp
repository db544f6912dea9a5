// SPDX-License-Identifier: MIT
/*
 * DOC: Packets, tested
 *
 * Every opcode does what uapi/packet.h says. Every invalid packet retires with the right status,
 * its cookie and the address that faulted, and the next packet of the channel runs.
 */
#include <cmath>
#include <limits>

#include <numeric>

#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

class Packet : public Stepped {
protected:
	Memory memory = client.memory(8192);
	uint32_t sem = client.new_semaphore();

	/* refuses() - the packet fails with @status, its signal does not happen, and a NOP passes. */
	void refuses(const unpu_packet &packet, Status status)
	{
		uint64_t before = client.value(sem);
		EXPECT_EQ(channel.run(packet), status);
		EXPECT_EQ(client.line(channel.timeline()).fault_cookie, packet.cookie);
		EXPECT_EQ(client.value(sem), before);
		EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
	}

	unpu_packet signal(uint64_t value)
	{
		return drv::signal_packet(9, sem, UNPU_SIGNAL_RAISE, value);
	}
};

TEST_F(Packet, NopRetires)
{
	EXPECT_EQ(channel.run(drv::nop_packet(1)), Status::OK);
	EXPECT_EQ(channel.retired(), 1u);
}

TEST_F(Packet, CopyMovesBytesEvenWhenTheyOverlap)
{
	auto *bytes = memory.as<uint8_t>();
	std::iota(bytes, bytes + 200, uint8_t{0});
	EXPECT_EQ(channel.run(drv::copy_packet(1, memory.va + 1000, memory.va, 200)), Status::OK);
	EXPECT_EQ(memcmp(bytes + 1000, bytes, 200), 0);
	EXPECT_EQ(bytes[1200], 0);
	EXPECT_EQ(channel.run(drv::copy_packet(1, memory.va + 1001, memory.va + 1000, 199)),
		  Status::OK);
	EXPECT_EQ(memcmp(bytes + 1001, bytes, 199), 0);
}

TEST_F(Packet, CopyReachesTheLastByte)
{
	memory.as<uint8_t>()[8191] = 0xa5;
	EXPECT_EQ(channel.run(drv::copy_packet(1, memory.va, memory.va + 8191, 1)), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0xa5);
	EXPECT_EQ(channel.run(drv::copy_packet(1, memory.va, memory.va + 4096, 4096)), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[4095], 0xa5);
}

TEST_F(Packet, FillRepeatsThePatternInEachWidth)
{
	auto *bytes = memory.as<uint8_t>();
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va + 1, 5, 0xffffff11, 1)), Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va + 16, 6, 0xffff2211, 2)), Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va + 32, 8, 0x44332211, 4)), Status::OK);
	const uint8_t expected[42] = {
		0, 0x11, 0x11, 0x11, 0x11, 0x11, 0,    0,    0,	   0,	 0,    0,    0, 0,
		0, 0,	 0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0,	   0,	 0,    0,    0, 0,
		0, 0,	 0,    0,    0x11, 0x22, 0x33, 0x44, 0x11, 0x22, 0x33, 0x44, 0, 0};
	EXPECT_EQ(memcmp(bytes, expected, sizeof(expected)), 0);
}

TEST_F(Packet, SignalRaisesAndSets)
{
	EXPECT_EQ(channel.run(signal(7)), Status::OK);
	EXPECT_EQ(client.value(sem), 7u);
	EXPECT_EQ(channel.run(signal(3)), Status::OK);
	EXPECT_EQ(client.value(sem), 7u) << "a raise never lowers";
	EXPECT_EQ(channel.run(drv::signal_packet(1, sem, UNPU_SIGNAL_SET, 2)), Status::OK);
	EXPECT_EQ(client.value(sem), 2u);
}

TEST_F(Packet, SignalCountsAndMasksIn32Bits)
{
	auto run = [&](unpu_signal_op op, uint64_t value) {
		EXPECT_EQ(channel.run(drv::signal_packet(1, sem, op, value)), Status::OK);
		return client.value(sem);
	};
	EXPECT_EQ(run(UNPU_SIGNAL_ADD, 5), 5u);
	EXPECT_EQ(run(UNPU_SIGNAL_ADD, 7), 12u);
	EXPECT_EQ(run(UNPU_SIGNAL_ADD, UINT32_MAX), 11u) << "the counter wraps at 32 bits";
	EXPECT_EQ(run(UNPU_SIGNAL_OR, 0xf0), 0xfbu);
	EXPECT_EQ(run(UNPU_SIGNAL_AND, 0x8f), 0x8bu);
	EXPECT_EQ(run(UNPU_SIGNAL_AND, 0), 0u);
	for (auto op : {UNPU_SIGNAL_ADD, UNPU_SIGNAL_OR, UNPU_SIGNAL_AND})
		refuses(drv::signal_packet(9, sem, op, uint64_t{1} << 32), Status::BAD_PACKET);
}

TEST_F(Packet, EveryPacketMayCarryASignal)
{
	unpu_packet copy = drv::copy_packet(1, memory.va, memory.va + 64, 64);
	copy.signal_sem = sem;
	copy.signal_op = UNPU_SIGNAL_RAISE;
	copy.signal_value = 5;
	EXPECT_EQ(channel.run(copy), Status::OK);
	EXPECT_EQ(client.value(sem), 5u);
}

TEST_F(Packet, TimestampCountsFromBoot)
{
	uint64_t before = base::now_ns() - client.bar().boot_ns;
	EXPECT_EQ(channel.run(drv::timestamp_packet(1, sem, 1)), Status::OK);
	uint64_t after = base::now_ns() - client.bar().boot_ns;
	uint64_t stamp = client.line(sem).timestamp_ns;
	EXPECT_EQ(client.value(sem), 1u);
	EXPECT_LE(before, stamp);
	EXPECT_LE(stamp, after);
}

TEST_F(Packet, OperatorsAddAndMultiply)
{
	auto *floats = memory.as<float>();
	for (int i = 0; i < 100; i++) {
		floats[i] = static_cast<float>(i);
		floats[256 + i] = static_cast<float>(2 * i + 1);
	}
	uint64_t a = memory.va, b = memory.va + 1024, out = memory.va + 4096;
	auto add = packed_operator(UNPU_OPERATOR_ADD, 100, out, a, b, 2.0);
	EXPECT_EQ(channel.run(drv::operator_packet(1, 0), &add), Status::OK);
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(floats[1024 + i], static_cast<float>(i + 2 * (2 * i + 1)));
	auto mul = packed_operator(UNPU_OPERATOR_MUL, 100, out, a, b, 0.0);
	mul.operands[1].address = a + 99 * 4;
	mul.operands[1].strides[0] = -1;
	EXPECT_EQ(channel.run(drv::operator_packet(1, 0), &mul), Status::OK);
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(floats[1024 + i], static_cast<float>((99 - i) * (2 * i + 1)));
}

TEST_F(Packet, OperatorFaultsNameTheOperandsAddress)
{
	uint64_t end = memory.va + memory.bytes;
	auto op = packed_operator(UNPU_OPERATOR_MUL, 16, memory.va, memory.va, end - 60, 0.0);
	EXPECT_EQ(channel.run(drv::operator_packet(77, 0), &op), Status::MMU_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_address, end);
	EXPECT_EQ(client.line(channel.timeline()).fault_cookie, 77u);
	op = packed_operator(UNPU_OPERATOR_MUL, 16, memory.va, memory.va, memory.va + 56, 0.0);
	op.operands[2].strides[0] = -1;
	EXPECT_EQ(channel.run(drv::operator_packet(78, 0), &op), Status::MMU_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_address, memory.va - 4);
}

TEST_F(Packet, MalformedDescriptorsAreRefused)
{
	auto good = packed_operator(UNPU_OPERATOR_ADD, 16, memory.va, memory.va, memory.va, 1.0);
	auto status = [&](auto &&change) {
		unpu_operator op = good;
		change(op);
		return channel.run(drv::operator_packet(1, 0), &op);
	};
	EXPECT_EQ(status([](auto &) {}), Status::OK);
	EXPECT_EQ(status([](auto &op) { op.kind = 99; }), Status::BAD_OPERATOR);
	EXPECT_EQ(status([](auto &op) { op.ndim = 9; }), Status::BAD_OPERATOR);
	EXPECT_EQ(status([](auto &op) { op.dims[0] = -1; }), Status::BAD_OPERATOR);
	EXPECT_EQ(status([](auto &op) { op.parameters[0] = 1; }), Status::BAD_OPERATOR);
	EXPECT_EQ(status([](auto &op) { op.noperands = 1000; }), Status::BAD_OPERATOR);
	EXPECT_EQ(status([](auto &op) { op.operands[0].strides[0] = INT64_MIN; }),
		  Status::BAD_OPERATOR);
	EXPECT_EQ(status([](auto &op) { op.dims[0] = INT64_MAX / 8; }), Status::MMU_FAULT);
}

TEST_F(Packet, UnknownOpcodesAreRefused)
{
	for (unsigned opcode : {0u, 64u, 255u}) {
		unpu_packet packet = signal(100);
		packet.opcode = static_cast<uint8_t>(opcode);
		refuses(packet, Status::BAD_OPCODE);
	}
}

TEST_F(Packet, ReservedBitsAreRefused)
{
	for (unsigned bit = 1; bit < 8; bit++) {
		unpu_packet packet = signal(100);
		packet.flags = static_cast<uint8_t>(1u << bit);
		refuses(packet, Status::BAD_PACKET);
	}
	for (unsigned bit = 0; bit < 16; bit++) {
		unpu_packet packet = signal(100);
		packet.variant = static_cast<uint16_t>(1u << bit);
		refuses(packet, Status::BAD_PACKET);
	}
	for (unsigned byte = 0; byte < 3; byte++) {
		unpu_packet packet = signal(100);
		packet.reserved1[byte] = 0x80;
		refuses(packet, Status::BAD_PACKET);
	}
}

/* A packet of each opcode, and the words of its payload that must be zero. */
struct Reserved {
	unpu_packet packet;
	std::vector<unsigned> words;
};

TEST_F(Packet, ReservedWordsOfEachPayloadAreRefused)
{
	auto op = packed_operator(UNPU_OPERATOR_MUL, 4, memory.va, memory.va, memory.va, 0.0);
	channel.ring().descriptor().op = op;
	const Reserved cases[] = {
		{drv::nop_packet(1), {0, 1, 2, 3}},
		{drv::copy_packet(2, memory.va, memory.va, 8), {3}},
		{drv::fill_packet(3, memory.va, 8, 0, 1), {3}},
		{drv::wait_packet(4, sem, 0, 0), {3}},
		{signal(100), {0, 1, 2, 3}},
		{drv::timestamp_packet(6, sem, 100), {0, 1, 2, 3}},
		{drv::operator_packet(7, 0), {2, 3}},
		{drv::graph_packet(8, 1), {0, 1, 2, 3}},
		{drv::graph_update_packet(8, 1, 64, 64), {0, 3}},
		{drv::host_call_packet(9, 1), {1, 2, 3}},
		{drv::host_done_packet(10, 1), {0, 2, 3}},
		{drv::packet(UNPU_OP_STOP, 11), {0, 1, 2, 3}},
		{drv::overflow_packet(18, UNPU_OVERFLOW_READ, memory.va), {1, 2, 3}},
		{drv::overflow_packet(18, UNPU_OVERFLOW_CLEAR, 0), {0, 1, 2, 3}},
	};
	for (const Reserved &one : cases) {
		for (unsigned word : one.words) {
			unpu_packet packet = one.packet;
			packet.words[word] |= uint64_t{1} << 63;
			SCOPED_TRACE(testing::Message()
				     << "opcode " << +packet.opcode << " word " << word);
			refuses(packet, Status::BAD_PACKET);
		}
	}
}

TEST_F(Packet, OverflowIsFoundReportedAndCleared)
{
	constexpr float BIG = 3e38f;
	auto *values = memory.as<float>();
	auto *status = reinterpret_cast<uint32_t *>(memory.window.data() + 1024);
	auto op = packed_operator(UNPU_OPERATOR_ADD, 4, memory.va, memory.va + 64, memory.va + 64,
				  1.0);
	op.operands[0].strides[0] = 2;
	unpu_packet packet = drv::operator_packet(1, 0);
	auto run = [&](uint8_t flags) {
		std::fill_n(values, 8, 5.0f);
		std::fill_n(values + 16, 4, BIG);
		values[17] = 1;
		packet.flags = flags;
		Status end = channel.run(packet, &op);
		EXPECT_EQ(
			channel.run(drv::overflow_packet(2, UNPU_OVERFLOW_READ, memory.va + 1024)),
			Status::OK);
		EXPECT_EQ(channel.run(drv::overflow_packet(3, UNPU_OVERFLOW_CLEAR, 0)), Status::OK);
		EXPECT_EQ(values[1], 5) << "between the elements of the result";
		EXPECT_EQ(values[2], 2);
		return end;
	};
	EXPECT_EQ(run(0), Status::OK);
	EXPECT_EQ(status[0], 0u);
	EXPECT_TRUE(std::isinf(values[0]));
	EXPECT_EQ(run(UNPU_PACKET_OVERFLOW_FAILS), Status::OVERFLOW);
	EXPECT_EQ(status[0], 1u);
	EXPECT_TRUE(std::isinf(values[6]));
	EXPECT_EQ(run(UNPU_PACKET_SATURATE), Status::OK);
	EXPECT_EQ(status[0], 1u);
	EXPECT_EQ(values[0], std::numeric_limits<float>::max());
	EXPECT_EQ(values[6], std::numeric_limits<float>::max());
	EXPECT_EQ(run(UNPU_PACKET_SATURATE | UNPU_PACKET_OVERFLOW_FAILS), Status::OVERFLOW);
	EXPECT_EQ(channel.run(drv::overflow_packet(4, UNPU_OVERFLOW_READ, 8)), Status::MMU_FAULT);
}

TEST_F(Packet, ARealFailureTakesThePlaceOfAnOverflow)
{
	auto op = packed_operator(UNPU_OPERATOR_MUL, 1, memory.va, memory.va, memory.va, 0.0);
	memory.as<float>()[0] = 3e38f;
	unpu_packet packet = drv::operator_packet(0x11, 0);
	packet.flags = UNPU_PACKET_OVERFLOW_FAILS;
	channel.publish(packet, &op);
	settle(*device);
	EXPECT_EQ(client.status(channel.timeline()), Status::OVERFLOW);
	EXPECT_EQ(channel.run(drv::fill_packet(0x22, 8, 8, 0, 1)), Status::MMU_FAULT);
}

TEST_F(Packet, FlagsOfOperatorsAreForOperatorsAlone)
{
	for (uint8_t flag : {UNPU_PACKET_OVERFLOW_FAILS, UNPU_PACKET_SATURATE}) {
		unpu_packet packet = drv::fill_packet(1, memory.va, 8, 0, 1);
		packet.flags = flag;
		refuses(packet, Status::BAD_PACKET);
	}
}

TEST_F(Packet, ImpossibleFieldsAreRefused)
{
	refuses(drv::copy_packet(1, memory.va, memory.va, 0), Status::BAD_PACKET);
	refuses(drv::fill_packet(2, memory.va, 0, 0, 1), Status::BAD_PACKET);
	refuses(drv::fill_packet(3, memory.va, 8, 0, 3), Status::BAD_PACKET);
	refuses(drv::fill_packet(4, memory.va, 8, 0, 0), Status::BAD_PACKET);
	refuses(drv::fill_packet(5, memory.va, 6, 0, 4), Status::BAD_PACKET);
	refuses(drv::fill_packet(6, memory.va + 1, 8, 0, 2), Status::BAD_PACKET);
	refuses(drv::operator_packet(7, sizeof(unpu_operator)), Status::BAD_PACKET);
	unpu_packet packet = drv::operator_packet(8, 0);
	packet.op.bytes--;
	refuses(packet, Status::BAD_PACKET);
	packet = drv::operator_packet(9, 0);
	packet.op.reserved0 = 1;
	refuses(packet, Status::BAD_PACKET);
	packet = drv::wait_packet(10, sem, 0, 0);
	packet.wait.op = UNPU_WAIT_MASK + 1;
	refuses(packet, Status::BAD_PACKET);
	packet = drv::wait_packet(10, sem, 0, 0);
	packet.wait.flags = UNPU_WAIT_FLAGS_MASK + 1;
	refuses(packet, Status::BAD_PACKET);
	packet = drv::graph_packet(11, 1);
	packet.graph.args = UNPU_GRAPH_PAGE_ARGS + 1;
	refuses(packet, Status::BAD_PACKET);
	for (auto opcode : {UNPU_OP_COND, UNPU_OP_JUMP, UNPU_OP_ACTIVATE}) {
		packet = drv::packet(opcode, 11);
		packet.words[2] = 1;
		refuses(packet, Status::BAD_PACKET);
	}
	packet = drv::nop_packet(11);
	packet.flags = UNPU_PACKET_ARGUMENT;
	refuses(packet, Status::BAD_PACKET);
	refuses(drv::graph_update_packet(12, 1, 64, 64), Status::BAD_GRAPH);
	refuses(drv::graph_packet(12, 1), Status::BAD_GRAPH);
	packet = drv::overflow_packet(18, UNPU_OVERFLOW_READ, memory.va);
	for (uint32_t action : {0u, 3u}) {
		packet.overflow.action = action;
		refuses(packet, Status::BAD_PACKET);
	}
	refuses(drv::host_done_packet(13, 1), Status::INVALID_HANDLE);
}

TEST_F(Packet, BadSignalsAreRefused)
{
	unpu_packet packet = signal(100);
	packet.signal_op = UNPU_SIGNAL_AND + 1;
	refuses(packet, Status::BAD_PACKET);
	for (uint32_t bad :
	     {UNPU_SEM_NONE, UNPU_SEM_MAILBOX, UNPU_SEM_CALLS, UNPU_MAX_SEMAPHORES, UINT32_MAX})
		refuses(drv::signal_packet(2, bad, UNPU_SIGNAL_RAISE, 1), Status::BAD_PACKET);
	refuses(drv::signal_packet(3, sem, UNPU_SIGNAL_NONE, 0), Status::BAD_PACKET);
	packet = drv::nop_packet(4);
	packet.signal_sem = sem;
	refuses(packet, Status::BAD_PACKET);
	packet = drv::nop_packet(5);
	packet.signal_value = 1;
	refuses(packet, Status::BAD_PACKET);
	packet = drv::packet(UNPU_OP_TIMESTAMP, 6);
	refuses(packet, Status::BAD_PACKET);
	EXPECT_EQ(client.value(UNPU_SEM_NONE), 0u);
}

TEST_F(Packet, BadWaitsAreRefused)
{
	for (uint32_t bad :
	     {UNPU_SEM_NONE, UNPU_SEM_MAILBOX, UNPU_SEM_CALLS, UNPU_MAX_SEMAPHORES, UINT32_MAX})
		refuses(drv::wait_packet(2, bad, 1, 0), Status::BAD_SEMAPHORE);
}

/* A range and the first address in it that is wrong. */
struct Outside {
	uint64_t va;
	uint64_t bytes;
	uint64_t address;
};

TEST_F(Packet, AddressesOutsideFault)
{
	const uint64_t start = memory.va, end = memory.va + memory.bytes;
	const Outside cases[] = {
		{0, 8, 0},
		{start - 1, 1, start - 1},
		{start - 4, 8, start - 4},
		{end, 1, end},
		{end - 1, 2, end},
		{start, memory.bytes + 1, end},
		{start, UINT64_MAX, end},
		{start + 8, UINT64_MAX - start, end},
		{start + 8, 0 - start - 8, end},
		{end - 1, UINT64_MAX, end},
		{UINT64_MAX, 1, UINT64_MAX},
		{UINT64_MAX, 2, UINT64_MAX},
		{UINT64_MAX - 7, UINT64_MAX, UINT64_MAX - 7},
	};
	for (const Outside &one : cases) {
		SCOPED_TRACE(testing::Message() << std::hex << one.va << " + " << one.bytes);
		refuses(drv::copy_packet(1, start, one.va, one.bytes), Status::MMU_FAULT);
		EXPECT_EQ(client.line(channel.timeline()).fault_address,
			  one.bytes > memory.bytes ? end : one.address);
		refuses(drv::fill_packet(2, one.va, one.bytes, 0, 1), Status::MMU_FAULT);
		EXPECT_EQ(client.line(channel.timeline()).fault_address, one.address);
	}
}

TEST_F(Packet, NeighbouringMappingsAreNotOneRange)
{
	uint64_t segment = 0;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, 4096, UNPU_PAGE_4K, segment),
		  Status::OK);
	ASSERT_EQ(client.map_segment(memory.va + memory.bytes, 4096, segment, 0, UNPU_ACCESS_MASK),
		  Status::OK);
	refuses(drv::fill_packet(1, memory.va + memory.bytes - 4, 8, 0, 1), Status::MMU_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_address, memory.va + memory.bytes);
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va + memory.bytes, 8, 0, 1)), Status::OK);
}

TEST_F(Packet, MappingsAreKeptToTheirAccess)
{
	Memory readable = client.memory(4096, UNPU_ACCESS_READ);
	Memory writable = client.memory(4096, UNPU_ACCESS_WRITE);
	EXPECT_EQ(channel.run(drv::copy_packet(1, writable.va, readable.va, 64)), Status::OK);
	refuses(drv::copy_packet(2, readable.va, memory.va, 64), Status::ACCESS_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_address, readable.va);
	refuses(drv::copy_packet(3, memory.va, writable.va + 8, 64), Status::ACCESS_FAULT);
	EXPECT_EQ(client.line(channel.timeline()).fault_address, writable.va + 8);
	refuses(drv::fill_packet(4, readable.va, 64, 0, 1), Status::ACCESS_FAULT);
	auto op = packed_operator(UNPU_OPERATOR_MUL, 4, readable.va, memory.va, memory.va, 0.0);
	EXPECT_EQ(channel.run(drv::operator_packet(5, 0), &op), Status::ACCESS_FAULT);
}

TEST_F(Packet, AnUnmappedRangeFaults)
{
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va, 8, 0, 1)), Status::OK);
	ASSERT_EQ(client.unmap(memory.va, memory.bytes), Status::OK);
	refuses(drv::fill_packet(1, memory.va, 8, 0, 1), Status::MMU_FAULT);
	ASSERT_EQ(client.map_segment(memory.va, 4096, memory.segment, 4096, UNPU_ACCESS_MASK),
		  Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va, 8, 0x5a, 1)), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[4096], 0x5a);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0);
}

TEST_F(Packet, ContextsDoNotReachEachOther)
{
	Client other(*device);
	Channel theirs(other);
	uint32_t mine = client.new_semaphore();
	EXPECT_EQ(theirs.run(drv::signal_packet(1, mine, UNPU_SIGNAL_SET, 5)), Status::OK);
	EXPECT_EQ(client.value(mine), 0u);
	EXPECT_EQ(theirs.run(drv::fill_packet(1, memory.va, 8, 0xff, 1)), Status::MMU_FAULT);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0);
	EXPECT_EQ(client.status(channel.timeline()), Status::OK);
}

TEST_F(Packet, AnOldLineIsNotTakenForANewOne)
{
	Channel small(client, UNPU_RING_MIN_SLOTS);
	for (unsigned i = 0; i < 3 * UNPU_RING_MIN_SLOTS; i++)
		EXPECT_EQ(small.run(drv::nop_packet(i)), Status::OK);
	client.ring(small.index());
	settle(*device);
	EXPECT_EQ(small.retired(), 3u * UNPU_RING_MIN_SLOTS);
}

TEST(NullDevice, RetiresWorkWithoutDoingIt)
{
	auto device = make_device(UNPU_FEATURE_NULL);
	Client client(*device);
	Channel channel(client);
	Memory memory = client.memory(4096);
	uint32_t sem = client.new_semaphore();
	EXPECT_EQ(channel.run(drv::fill_packet(1, memory.va, 64, 0xff, 1)), Status::OK);
	EXPECT_EQ(memory.as<uint8_t>()[0], 0);
	EXPECT_EQ(channel.run(drv::wait_packet(2, sem, 5, 0)), Status::OK);
	EXPECT_EQ(channel.run(drv::signal_packet(3, sem, UNPU_SIGNAL_RAISE, 9)), Status::OK);
	EXPECT_EQ(client.value(sem), 9u);
}

} // namespace
