// SPDX-License-Identifier: MIT
/**
 * DOC: Copies in a list
 *
 * Many small copies in one packet. The firmware has copied the list already. It translates all
 * addresses before it moves a byte, so a list with a fault copies nothing.
 */
#include <algorithm>
#include <array>
#include <memory>

#include "base/copy/copy.h"
#include "base/os/mapped.h"
#include "base/sync/ordering.h"
#include "firmware_sim/core/command_processor.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/kernels/operator_table.h"

namespace fw {

using base::Status;

namespace {

/* struct Moves - the copies of a list, translated. */
struct Moves {
	struct Move {
		std::byte *to;
		const std::byte *from;
		uint64_t bytes;
	};

	std::array<Move, UNPU_COPY_LIST_MAX> moves;
	unsigned count = 0;

	void run() const
	{
		const base::NoteOrder order;
		for (unsigned i = 0; i < count; i++)
			base::copy_bytes(moves[i].to, moves[i].from, moves[i].bytes);
	}
};

/* class Copier - does the copies in pieces, one after the other. */
class Copier {
public:
	explicit Copier(const Moves &moves) : moves_(moves) {}

	/** step() - does one piece. Return: whether one is left. */
	bool step()
	{
		const base::NoteOrder order;
		const Moves::Move &move = moves_.moves[at_];
		const uint64_t some = std::min(move.bytes - done_, PIECE_BYTES);
		const uint64_t place = backward(move) ? move.bytes - done_ - some : done_;
		base::copy_piece(move.to + place, move.from + place, some, move.bytes);
		done_ += some;
		if (done_ == move.bytes) {
			done_ = 0;
			at_++;
		}
		return at_ < moves_.count;
	}

private:
	static bool backward(const Moves::Move &move)
	{
		return move.to > move.from && move.to < move.from + move.bytes;
	}

	const Moves moves_;
	unsigned at_ = 0;
	uint64_t done_ = 0; /* bytes of that copy that are done */
};

/* struct Held - what an engine takes over: Holds of the memory of the moves. */
struct Held {
	std::array<Hold, 2 * UNPU_COPY_LIST_MAX> memory;
};

Outcome translate(ClientContext &client, const unpu_copy_list &list, Moves &moves,
		  Held *held = nullptr)
{
	for (const unpu_copy_entry &entry : list.entries) {
		if (moves.count == list.count)
			break;
		Translation to = client.mmu.translate(entry.dst, entry.bytes, UNPU_ACCESS_WRITE);
		if (to.status != Status::OK)
			return {to.status, to.address};
		Translation from = client.mmu.translate(entry.src, entry.bytes, UNPU_ACCESS_READ);
		if (from.status != Status::OK)
			return {from.status, from.address};
		if (held) {
			held->memory[2 * moves.count] = client.mmu.hold(entry.dst, entry.bytes);
			held->memory[2 * moves.count + 1] = client.mmu.hold(entry.src, entry.bytes);
		}
		moves.moves[moves.count++] = {to.data, from.data, entry.bytes};
	}
	return {};
}

/* All ranges are mapped, so the sum cannot overflow. */
uint64_t bytes_of(const Moves &moves)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < moves.count; i++)
		bytes += moves.moves[i].bytes;
	return bytes;
}

/* On a device without engines. */
void run_long(const Moves &moves, Core &core)
{
	Copier mover(moves);
	bool has_more = true;
	while (has_more) {
		has_more = mover.step();
		core.did_long_work(PIECE_BYTES);
		core.beat();
	}
}

} // namespace

Outcome copy_listed(const Task &task, const unpu_operator &op)
{
	ClientContext &client = task.client;
	const unpu_copy_list list = copy_list(op);
	Moves moves;
	Outcome outcome = translate(client, list, moves);
	if (outcome.status != Status::OK)
		return outcome;
	uint64_t bytes = bytes_of(moves);
	client.core.note_work(client.client_queue, bytes);
	if (client.core.in_place(bytes)) {
		const base::UnmapGuard guard;
		if (bytes < tuning::LONG_BYTES)
			moves.run();
		else
			run_long(moves, client.core);
		client.core.wrote(task.packet, &op, {});
		if (guard.lost_at() != 0)
			return {Status::MMU_FAULT, guard.lost_at()};
		return {};
	}
	auto held = std::make_shared<Held>();
	Moves again;
	outcome = translate(client, list, again, held.get());
	if (outcome.status != Status::OK)
		return outcome;
	auto job = std::make_unique<Job>();
	job->packet = task.packet;
	job->op = op;
	job->bytes = bytes;
	job->step = [held, mover = std::make_shared<Copier>(again)] { return mover->step(); };
	return hand_over(client, task.owner, std::move(job));
}

} // namespace fw
