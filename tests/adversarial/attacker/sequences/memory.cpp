// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of memory
 */
#include <fcntl.h>

#include "drv/packet/packets.h"
#include "sequences.h"

namespace attacker {

namespace {

constexpr uint64_t PIECE = base::HUGE_PAGE_BYTES;
constexpr uint64_t PIECES = 3;
/* Where only reservations lie. */
constexpr uint64_t RESERVED_VA = uint64_t{1} << 40;

Status map(Actor &actor, uint32_t type, uint64_t va, uint64_t bytes, uint64_t segment,
	   uint32_t access)
{
	unpu_message message{};
	message.type = type;
	message.map = {va, bytes, segment, 0, access, 0};
	return actor.ask(message);
}

Status create(Actor &actor, uint64_t bytes, uint32_t flags, uint64_t &segment)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_CREATE;
	message.segment = {0, bytes, UNPU_SEGMENT_DEVICE, UNPU_PAGE_4K, flags, 0};
	const Status status = actor.ask(message);
	segment = message.segment.segment;
	return status;
}

void destroy(Actor &actor, uint64_t segment)
{
	unpu_message message{};
	message.type = UNPU_MSG_SEGMENT_DESTROY;
	message.segment.segment = segment;
	(void)actor.ask(message);
}

} // namespace

void map_and_unmap(Actor &actor)
{
	constexpr uint32_t ACCESS = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;
	const uint64_t va = (uint64_t{1} << 41) + actor.below(64) * 4096;
	uint64_t segment = 0;
	Channel *channel = actor.channel();
	if (!channel || create(actor, 16 * 4096, 0, segment) != Status::OK)
		return;
	if (map(actor, UNPU_MSG_MAP, va, 16 * 4096, segment, ACCESS) == Status::OK) {
		(void)actor.publish(*channel, drv::fill_packet(1, va, 16 * 4096, 3, 4));
		(void)map(actor, UNPU_MSG_PROTECT, va, 16 * 4096, 0, UNPU_ACCESS_READ);
		(void)actor.publish(*channel, drv::fill_packet(1, va, 4096, 3, 4));
		(void)map(actor, UNPU_MSG_UNMAP, va, 16 * 4096, 0, 0);
	}
	destroy(actor, segment);
}

/* Work reaches over the pieces of a reservation and past its end while the pieces go away. */
void reserve_and_reach_over(Actor &actor)
{
	constexpr uint32_t ACCESS = UNPU_ACCESS_READ | UNPU_ACCESS_WRITE;
	const uint64_t va = RESERVED_VA + actor.below(8) * PIECES * PIECE;
	uint64_t segments[PIECES + 1] = {};
	Channel *channel = actor.channel();
	if (!channel || map(actor, UNPU_MSG_RESERVE, va, PIECES * PIECE, 0, 0) != Status::OK)
		return;
	uint64_t mapped = 0;
	for (; mapped < PIECES; mapped++) {
		if (create(actor, PIECE, UNPU_SEGMENT_SHAREABLE, segments[mapped]) != Status::OK)
			break;
		(void)map(actor, UNPU_MSG_MAP, va + mapped * PIECE, PIECE, segments[mapped],
			  ACCESS);
	}
	(void)create(actor, PIECE, 0, segments[PIECES]);
	(void)map(actor, UNPU_MSG_MAP, va + PIECES * PIECE, PIECE, segments[PIECES], ACCESS);
	const uint64_t reach = PIECES * PIECE + (actor.one_in(2) ? PIECE : 0);
	uint64_t end = actor.publish(*channel, drv::fill_packet(1, va, reach, 9, 4));
	if (actor.one_in(2))
		end = actor.publish(*channel, drv::copy_packet(1, va, va + PIECE, reach - PIECE));
	if (actor.one_in(2))
		actor.settle(*channel, end);
	for (uint64_t i = 0; i <= PIECES; i++) {
		(void)map(actor, UNPU_MSG_UNMAP, va + i * PIECE, PIECE, 0, 0);
		destroy(actor, segments[i]);
	}
	(void)map(actor, UNPU_MSG_RELEASE, va, PIECES * PIECE, 0, 0);
}

/* Pages go away under work that uses them. */
void punch_holes(Actor &actor)
{
	run_packets(actor);
	const Memory *memory = actor.memory();
	if (!memory)
		return;
	const uint64_t pages = memory->bytes / 4096;
	const auto at = static_cast<off_t>(actor.below(pages) * 4096);
	if (fallocate(memory->fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, 4096) == 0)
		actor.tally().holes++;
	run_packets(actor);
}

void destroy_a_segment_in_use(Actor &actor)
{
	run_operators(actor);
	const Memory *memory = actor.memory();
	if (!memory || !actor.one_in(4))
		return;
	if (actor.one_in(2))
		(void)map(actor, UNPU_MSG_UNMAP, memory->va, memory->bytes, 0, 0);
	destroy(actor, memory->segment);
}

} // namespace attacker
