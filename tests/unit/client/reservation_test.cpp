// SPDX-License-Identifier: MIT
/*
 * DOC: Reservations, tested
 *
 * Adjacent mappings in a reservation are one range for a task, each with its own access. An address
 * between or after them faults.
 */
#include <functional>

#include "tests/unit/support/wire_client.h"

namespace {

using namespace wire;

constexpr uint64_t PIECE = base::HUGE_PAGE_BYTES;
constexpr uint64_t VA = uint64_t{1} << 40;
constexpr uint32_t BOTH = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;

class Reservation : public Stepped {
protected:
	Status send(uint32_t type, uint64_t va, uint64_t bytes, uint32_t access = 0)
	{
		unpu_message message{};
		message.type = type;
		message.map.va = va;
		message.map.bytes = bytes;
		message.map.access = access;
		return client.call(message);
	}

	Status reserve(uint64_t va, uint64_t bytes) { return send(UNPU_MSG_RESERVE, va, bytes); }
	Status release(uint64_t va, uint64_t bytes) { return send(UNPU_MSG_RELEASE, va, bytes); }

	uint64_t shareable(uint64_t bytes)
	{
		unpu_message message{};
		message.type = UNPU_MSG_SEGMENT_CREATE;
		message.segment = {
			0, bytes, UNPU_SEGMENT_DEVICE, UNPU_PAGE_4K, UNPU_SEGMENT_SHAREABLE, 0};
		EXPECT_EQ(client.call(message), Status::OK);
		return message.segment.segment;
	}

	/* The first @count pieces of a reservation of 8 are mapped. */
	void map_pieces(unsigned count)
	{
		ASSERT_EQ(reserve(VA, 8 * PIECE), Status::OK);
		for (unsigned i = 0; i < count; i++) {
			pieces.push_back(shareable(PIECE));
			ASSERT_EQ(client.map_segment(VA + i * PIECE, PIECE, pieces[i], 0, BOTH),
				  Status::OK);
		}
	}

	uint64_t fault() const { return client.line(channel.timeline()).fault_address; }

	std::vector<uint64_t> pieces;
};

TEST_F(Reservation, RangesAreChecked)
{
	EXPECT_EQ(reserve(VA + 4096, PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(VA, PIECE / 2), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(VA, 0), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(0, PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(UINT64_MAX - PIECE + 1, 2 * PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(VA, 2 * UNPU_MAX_RESERVED_BYTES), Status::QUOTA);
	EXPECT_EQ(reserve(VA, 4 * PIECE), Status::OK);
	EXPECT_EQ(reserve(VA + PIECE, PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(VA - PIECE, 2 * PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(reserve(VA - PIECE, PIECE), Status::OK);
	EXPECT_EQ(release(VA, PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(release(VA, 4 * PIECE), Status::OK);
	EXPECT_EQ(release(VA, 4 * PIECE), Status::INVALID_ARGUMENT);
	EXPECT_EQ(send(UNPU_MSG_RESERVE, VA, PIECE, UNPU_ACCESS_READ), Status::BAD_MESSAGE);
}

#if !defined(UNPU_TSAN)

/* Clients share the addresses of the firmware; one that takes all it gets leaves others some. */
TEST_F(Reservation, NoClientTakesAllAddresses)
{
	constexpr uint64_t TEBIBYTE = uint64_t{1} << 40;
	Client other(*device);
	unsigned taken = 0;

	while (taken < 64 && reserve((1 + taken) * TEBIBYTE, TEBIBYTE) == Status::OK)
		taken++;
	EXPECT_EQ(taken, UNPU_MAX_RESERVED_BYTES / TEBIBYTE);
	for (uint32_t type : {UNPU_MSG_RESERVE, UNPU_MSG_RELEASE}) {
		unpu_message message{};
		message.type = type;
		message.map.va = VA;
		message.map.bytes = 4 * TEBIBYTE;
		EXPECT_EQ(other.call(message), Status::OK) << type;
	}
	for (unsigned i = 0; i < taken; i++)
		EXPECT_EQ(release((1 + i) * TEBIBYTE, TEBIBYTE), Status::OK);
}

#endif

TEST_F(Reservation, PiecesAreWholePagesOfShareableSegments)
{
	ASSERT_EQ(reserve(VA, 4 * PIECE), Status::OK);
	uint64_t segment = shareable(2 * PIECE);
	uint64_t own = 0;
	ASSERT_EQ(client.create_segment(UNPU_SEGMENT_DEVICE, PIECE, UNPU_PAGE_4K, own), Status::OK);
	EXPECT_EQ(client.map_segment(VA, PIECE, own, 0, BOTH), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.map_segment(VA + 4096, PIECE, segment, 0, BOTH), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.map_segment(VA, 4096, segment, 0, BOTH), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.map_segment(VA, PIECE, segment, 4096, BOTH), Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.map_segment(VA - PIECE, 2 * PIECE, segment, 0, BOTH),
		  Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.map_segment(VA + 3 * PIECE, 2 * PIECE, segment, 0, BOTH),
		  Status::INVALID_ARGUMENT);
	EXPECT_EQ(client.map_segment(VA, PIECE, segment, PIECE, BOTH), Status::OK);
	EXPECT_EQ(client.map_segment(VA, PIECE, segment, 0, BOTH), Status::INVALID_ARGUMENT);
	EXPECT_EQ(release(VA, 4 * PIECE), Status::IN_USE);
	EXPECT_EQ(client.unmap(VA, PIECE), Status::OK);
	EXPECT_EQ(release(VA, 4 * PIECE), Status::OK);
}

TEST_F(Reservation, WorkReachesOverPieces)
{
	map_pieces(3);
	Memory other = client.memory(3 * PIECE);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA, 3 * PIECE, 0x11, 1)), Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA + PIECE - 2, PIECE + 4, 0x22, 1)), Status::OK);
	EXPECT_EQ(channel.run(drv::copy_packet(1, other.va, VA, 3 * PIECE)), Status::OK);
	const auto *bytes = other.as<uint8_t>();
	EXPECT_EQ(bytes[PIECE - 3], 0x11);
	EXPECT_EQ(bytes[PIECE - 2], 0x22);
	EXPECT_EQ(bytes[2 * PIECE + 1], 0x22);
	EXPECT_EQ(bytes[2 * PIECE + 2], 0x11);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA + PIECE, 2 * PIECE + 1, 0, 1)),
		  Status::MMU_FAULT);
	EXPECT_EQ(fault(), VA + 3 * PIECE);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA, UINT64_MAX, 0, 1)), Status::MMU_FAULT);
}

TEST_F(Reservation, EachPieceHasItsAccess)
{
	map_pieces(3);
	ASSERT_EQ(send(UNPU_MSG_PROTECT, VA + PIECE, PIECE, UNPU_ACCESS_READ), Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA, PIECE, 1, 1)), Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA, 3 * PIECE, 1, 1)), Status::ACCESS_FAULT);
	EXPECT_EQ(fault(), VA + PIECE);
	EXPECT_EQ(channel.run(drv::copy_packet(1, VA, VA + PIECE, 64)), Status::OK);
	ASSERT_EQ(send(UNPU_MSG_PROTECT, VA + PIECE, PIECE, 0), Status::OK);
	EXPECT_EQ(channel.run(drv::copy_packet(1, VA, VA + PIECE, 64)), Status::ACCESS_FAULT);
	ASSERT_EQ(send(UNPU_MSG_PROTECT, VA + PIECE, PIECE, BOTH), Status::OK);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA, 3 * PIECE, 1, 1)), Status::OK);
	EXPECT_EQ(send(UNPU_MSG_PROTECT, VA, 2 * PIECE, BOTH), Status::INVALID_ARGUMENT);
	EXPECT_EQ(send(UNPU_MSG_PROTECT, VA, PIECE, 4), Status::INVALID_ARGUMENT);
}

TEST_F(Reservation, OneSegmentAtTwoAddresses)
{
	map_pieces(1);
	ASSERT_EQ(client.map_segment(VA + 4 * PIECE, PIECE, pieces[0], 0, UNPU_ACCESS_READ),
		  Status::OK);
	Memory other = client.memory(4096);
	EXPECT_EQ(channel.run(drv::fill_packet(1, VA, 64, 0x33, 1)), Status::OK);
	EXPECT_EQ(channel.run(drv::copy_packet(1, other.va, VA + 4 * PIECE, 64)), Status::OK);
	EXPECT_EQ(other.as<uint8_t>()[63], 0x33);
	ASSERT_EQ(client.unmap(VA, PIECE), Status::OK);
	EXPECT_EQ(client.destroy_segment(pieces[0]), Status::IN_USE);
	EXPECT_EQ(channel.run(drv::copy_packet(1, other.va, VA, 64)), Status::MMU_FAULT);
	EXPECT_EQ(channel.run(drv::copy_packet(1, other.va, VA + 4 * PIECE, 64)), Status::OK);
}

TEST_F(Reservation, AWaitBesideAnUnmappedPieceIsNotChecked)
{
	map_pieces(2);
	uint64_t last = VA + PIECE - 4;
	channel.publish(drv::value_wait_packet(1, {last, 1, 0, UNPU_VALUE_EQ, 4}));
	settle(*device);
	ASSERT_EQ(client.unmap(VA, PIECE), Status::OK);
	Channel other(client);
	EXPECT_EQ(other.run(drv::fill_packet(1, VA + PIECE, 8, 1, 1)), Status::OK);
	EXPECT_EQ(channel.retired(), 1u);
	EXPECT_EQ(client.status(channel.timeline()), Status::MMU_FAULT);
}

TEST_F(Reservation, AnUnmapWaitsForTheEngines)
{
	auto busy = make_device(0, 1);
	Client with_engine(*busy);
	Channel ring(with_engine);
	unpu_message message{};
	message.type = UNPU_MSG_RESERVE;
	message.map.va = VA;
	message.map.bytes = 16 * PIECE;
	ASSERT_EQ(with_engine.call(message), Status::OK);
	message = {};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment = {0, 16 * PIECE, UNPU_SEGMENT_DEVICE, UNPU_PAGE_4K, UNPU_SEGMENT_SHAREABLE,
			   0};
	ASSERT_EQ(with_engine.call(message), Status::OK);
	for (unsigned round = 0; round < 8; round++) {
		ASSERT_EQ(with_engine.map_segment(VA, 16 * PIECE, message.segment.segment, 0, BOTH),
			  Status::OK);
		ring.publish(drv::fill_packet(1, VA, 16 * PIECE, 1, 1));
		/* The job is handed over and the memory taken away under it. */
		busy->step();
		ASSERT_EQ(with_engine.unmap(VA, 16 * PIECE), Status::OK);
	}
	settle(*busy);
	EXPECT_EQ(with_engine.status(ring.timeline()), Status::OK);
}

/* A mapping in a reservation goes away when the jobs that use it have ended; see abort_test.cpp. */
TEST_F(Reservation, OtherClientsGoOnWhileAnUnmapWaitsForAnEngine)
{
	constexpr uint64_t LONG = 128u << 20, ALL = 2 * LONG;
	auto engines = make_device(0, 1);
	Client owner(*engines), neighbour(*engines);
	Channel busy(owner), other(neighbour);
	unpu_message message{};
	message.type = UNPU_MSG_RESERVE;
	message.map.va = VA;
	message.map.bytes = ALL;
	ASSERT_EQ(owner.call(message), Status::OK);
	const Memory memory = owner.segment(UNPU_SEGMENT_DEVICE, ALL, UNPU_SEGMENT_SHAREABLE);
	uint8_t *const last = &memory.as<uint8_t>()[LONG - 4096];
	bool seen = false;
	for (unsigned round = 0; round < 20 && !seen; round++) {
		ASSERT_EQ(owner.map_segment(VA, ALL, memory.segment, 0, BOTH), Status::OK);
		const uint8_t before = last[4096];
		*last = static_cast<uint8_t>(before + 1);
		busy.publish(drv::copy_packet(1, VA + 4096, VA, LONG));
		settle(*engines);
		ASSERT_TRUE(changes(last[4096], before));
		unpu_message unmap{};
		unmap.type = UNPU_MSG_UNMAP;
		unmap.map.va = VA;
		unmap.map.bytes = ALL;
		owner.post(unmap);
		const uint64_t wanted = other.publish(drv::nop_packet(2));
		bool answered = false;
		ASSERT_TRUE(step_until(*engines, [&] {
			answered = owner.is_answered(unmap);
			return answered || other.retired() >= wanted;
		}));
		seen = !answered;
		ASSERT_TRUE(step_until(*engines, [&] { return owner.is_answered(unmap); }));
		EXPECT_EQ(static_cast<Status>(unmap.status), Status::OK);
	}
	EXPECT_TRUE(seen);
}

} // namespace
