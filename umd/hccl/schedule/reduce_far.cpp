// SPDX-License-Identifier: MIT
/**
 * DOC: Reductions from island to island
 *
 * An agent receives the result of the agents before it, and reduces the data of its own ranks into it.
 */
#include <algorithm>

#include "far.h"
#include "umd/hccl/far/links.h"

namespace umd {

using base::Status;

/* class Chain - this rank's share of the reduction of one part. */
class Chain {
public:
	/* @agents: the agent of each run of Islands::runs(); one more rank may follow, which gets the
	 * result */
	Chain(Emitter &emitter, const Reduction &what, std::vector<uint32_t> agents)
		: emitter_(emitter), what_(what), agents_(std::move(agents))
	{
	}

	uint32_t last() const { return agents_.back(); }

	/* Passes one piece along the chain: @count elements at @offset of the buffers.
	 * @own: the data of this rank. @result: where the last agent stores the result */
	Status pass(uint64_t offset, uint64_t own, uint64_t result, uint64_t count) const
	{
		for (size_t i = 0; i < agents_.size(); i++) {
			if (agents_[i] == emitter_.rank())
				TRY(pass_run(i, offset, own, result, count));
		}
		return Status::OK;
	}

private:
	Status pass_run(size_t index, uint64_t offset, uint64_t own, uint64_t result,
			uint64_t count) const
	{
		const std::vector<Islands::Run> &runs = emitter_.islands().runs();
		const Islands::Run run = index < runs.size() ? runs[index] : Islands::Run{};
		const bool is_last = index + 1 == agents_.size();
		std::vector<uint64_t> operands;
		uint64_t slot = 0;
		if (index != 0) {
			TRY(emitter_.begin_take(agents_[index - 1], slot));
			operands.push_back(slot);
		}
		for (uint32_t rank = run.first; rank < run.first + run.count; rank++)
			operands.push_back(rank == emitter_.rank()
						   ? own
						   : emitter_.seats().buffer(rank) + offset);
		uint64_t dst = result;
		if (!is_last)
			TRY(emitter_.begin_send(agents_[index + 1], dst));
		TRY(fold(emitter_, what_, dst, operands, count));
		if (!is_last)
			TRY(emitter_.end_send(agents_[index + 1], count * what_.element_bytes));
		return index == 0 ? Status::OK : emitter_.end_take(agents_[index - 1]);
	}

	Emitter &emitter_;
	const Reduction &what_;
	const std::vector<uint32_t> agents_;
};

static std::vector<uint32_t> agents_of(const Islands &islands, uint32_t part)
{
	std::vector<uint32_t> agents;
	for (const Islands::Run &run : islands.runs())
		agents.push_back(islands.agent(run.island, part));
	return agents;
}

/* The agents along which a result travels. The first agent has the result. */
static std::vector<uint32_t> way_back(const Islands &islands, uint32_t part, uint32_t first,
				      uint32_t island)
{
	std::vector<uint32_t> way{islands.agent(first, part)};
	for (uint32_t i = 1; i < islands.count(); i++) {
		const uint32_t next = (first + i) % islands.count();
		if (island == ALL_ISLANDS || island == next)
			way.push_back(islands.agent(next, part));
	}
	return way;
}

/* struct Round - what the parts of a round have in common. */
struct Round {
	uint64_t send; /* the data of this rank */
	/* where this rank stores the results of the parts of which it is the agent */
	uint64_t result;
	uint32_t island; /* the island that needs the result, or ALL_ISLANDS */
};

/* Reduces elements @first to @last of a round, which form one part. */
static Status reduce_part(Emitter &emitter, const Reduction &what, const Round &round,
			  uint32_t part, uint64_t first, uint64_t last)
{
	const Islands &islands = emitter.islands();
	const Chain chain(emitter, what, agents_of(islands, part));
	const std::vector<uint32_t> way =
		way_back(islands, part, islands.of(chain.last()), round.island);
	const uint64_t size = what.element_bytes;
	const uint64_t piece = emitter.piece_bytes() / size;
	const uint64_t pieces = (last - first + piece - 1) / piece;
	/* If an agent has several runs, a link carries pieces of the chain and of the way back. Both ends
	 * must take them in the same order, so there is no lag then. */
	const bool is_regular = islands.runs().size() == islands.count();
	const uint64_t lag = is_regular ? std::max(LINK_SLOTS, islands.count()) : 0;
	const uint64_t own_lag = chain.last() == emitter.rank() ? 0 : lag;
	for (uint64_t i = 0; i < pieces + lag; i++) {
		if (i < pieces) {
			const uint64_t at = (first + i * piece) * size;
			TRY(chain.pass(at, round.send + at, round.result + at,
				       std::min(piece, last - first - i * piece)));
		}
		const uint64_t back = i - own_lag;
		if (i < own_lag || back >= pieces)
			continue;
		const uint64_t at = (first + back * piece) * size;
		TRY(bring_along(emitter, way, round.result + at,
				std::min(piece, last - first - back * piece) * size));
	}
	return Status::OK;
}

Status reduce_far(Emitter &emitter, const Reduction &what, uint64_t from, uint64_t count,
		  uint32_t island, bool has_result)
{
	const Islands &islands = emitter.islands();
	const uint32_t parts = islands.most_members();
	const uint64_t size = what.element_bytes;
	const uint64_t send = what.send + from * size;
	const uint64_t own = emitter.seats().buffer(emitter.rank());
	const auto start = [&](uint32_t part) {
		return part_start(what, count, parts, part) * size;
	};
	const auto agent = [&](uint32_t part) { return islands.agent(islands.own(), part); };
	/* A rank that is alone on its island reads its data directly, because no other rank needs them in the
	 * buffer. */
	const bool is_alone = islands.near().size() == 1;
	const uint64_t receive = what.receive + from * size;
	const Round round{send, is_alone && has_result ? receive : own, island};
	TRY(emitter.await_read());
	/* No other rank reads the parts of which this rank is the agent, so the results can go there. */
	for (uint32_t part = 0; part < parts; part++) {
		if (agent(part) != emitter.rank())
			TRY(emitter.copy(own + start(part), send + start(part),
					 start(part + 1) - start(part)));
	}
	TRY(emitter.meet(READY));
	for (uint32_t part = 0; part < parts; part++)
		TRY(reduce_part(emitter, what, round, part, start(part) / size,
				start(part + 1) / size));
	if (island == ALL_ISLANDS || island == islands.own())
		TRY(emitter.meet(REDUCED));
	for (uint32_t part = 0; has_result && !is_alone && part < parts; part++)
		TRY(emitter.copy(receive + start(part),
				 emitter.seats().buffer(agent(part)) + start(part),
				 start(part + 1) - start(part)));
	return emitter.tell(READ);
}

/* A rank sends ahead as many pieces as there are slots, less the one that is being read. So each slot is
 * released in a step before the step that needs it again. */
Status reduce_pair(Emitter &emitter, const Reduction &what, uint64_t count)
{
	constexpr uint64_t AHEAD = LINK_SLOTS - 1;
	const uint32_t other = 1 - emitter.rank();
	const uint64_t size = what.element_bytes;
	const uint64_t piece = emitter.piece_bytes() / size;
	const uint64_t pieces = (count + piece - 1) / piece;
	for (uint64_t i = 0; i < pieces + AHEAD; i++) {
		uint64_t slot;
		if (i < pieces) {
			const uint64_t bytes = std::min(piece, count - i * piece) * size;
			TRY(emitter.begin_send(other, slot));
			TRY(emitter.copy(slot, what.send + i * piece * size, bytes));
			TRY(emitter.end_send(other, bytes));
		}
		if (i < AHEAD)
			continue;
		const uint64_t from = (i - AHEAD) * piece;
		if (from >= count)
			continue;
		const uint64_t own = what.send + from * size;
		TRY(emitter.begin_take(other, slot));
		const bool is_first = emitter.rank() == 0;
		TRY(fold(emitter, what, what.receive + from * size,
			 {is_first ? own : slot, is_first ? slot : own},
			 std::min(piece, count - from)));
		TRY(emitter.end_take(other));
	}
	return Status::OK;
}

/* Reduces the part of rank @to, which gets the result. */
static Status scatter_part(Emitter &emitter, const Reduction &what, uint32_t to, uint64_t offset,
			   uint64_t receive, uint64_t count)
{
	const Islands &islands = emitter.islands();
	std::vector<uint32_t> agents;
	for (const Islands::Run &run : islands.runs())
		agents.push_back(run.island == islands.of(to)
					 ? to
					 : islands.agent(run.island, islands.place(to)));
	if (agents.back() != to)
		agents.push_back(to);
	const Chain chain(emitter, what, std::move(agents));
	const uint64_t size = what.element_bytes;
	const uint64_t own = emitter.seats().buffer(emitter.rank()) + offset;
	const uint64_t piece = emitter.piece_bytes() / size;
	for (uint64_t from = 0; from < count; from += piece) {
		const uint64_t at = from * size;
		TRY(chain.pass(offset + at, own + at, receive + at, std::min(piece, count - from)));
	}
	return Status::OK;
}

Status scatter_far(Emitter &emitter, const Reduction &what, const Parts &parts, uint64_t from,
		   uint64_t slot)
{
	const uint64_t size = what.element_bytes;
	const uint64_t own = emitter.seats().buffer(emitter.rank());
	const auto left = [&](uint32_t of) {
		return std::min(slot, parts.counts[of] - std::min(from, parts.counts[of]));
	};
	TRY(emitter.await_read());
	for (uint32_t to = 0; to < emitter.ranks(); to++)
		TRY(emitter.copy(own + to * slot * size,
				 what.send + (parts.offsets[to] + from) * size, left(to) * size));
	TRY(emitter.meet(READY));
	for (uint32_t to = 0; to < emitter.ranks(); to++)
		TRY(scatter_part(emitter, what, to, to * slot * size, what.receive + from * size,
				 left(to)));
	return emitter.tell(READ);
}

} // namespace umd
