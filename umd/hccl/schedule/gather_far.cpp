// SPDX-License-Identifier: MIT
/**
 * DOC: Copies from island to island
 *
 * The agents bring the data that a rank needs into a buffer of its own island. The rank reads them there.
 */
#include <algorithm>

#include "far.h"
#include "operation.h"

namespace umd {

using base::Status;

Status bring_along(Emitter &emitter, const std::vector<uint32_t> &way, uint64_t place,
		   uint64_t bytes)
{
	const auto own = std::find(way.begin(), way.end(), emitter.rank());
	if (own == way.end())
		return Status::OK;
	uint64_t from = place;
	if (own != way.begin())
		TRY(emitter.begin_take(own[-1], from));
	if (own + 1 != way.end()) {
		uint64_t slot;
		TRY(emitter.begin_send(own[1], slot));
		TRY(emitter.copy(slot, from, bytes));
		TRY(emitter.end_send(own[1], bytes));
	}
	if (own == way.begin())
		return Status::OK;
	TRY(emitter.copy(place, from, bytes));
	return emitter.end_take(own[-1]);
}

Status broadcast_far(Emitter &emitter, uint64_t address, uint64_t bytes, uint32_t root)
{
	const Islands &islands = emitter.islands();
	const uint64_t own = emitter.seats().buffer(emitter.rank());
	const bool is_root = emitter.rank() == root;
	const uint32_t number = islands.place(root);
	std::vector<uint32_t> way{root};
	for (uint32_t i = 1; i < islands.count(); i++)
		way.push_back(islands.agent((islands.of(root) + i) % islands.count(), number));
	const uint32_t source = islands.agent(islands.own(), number);
	TRY(emitter.await_read());
	if (is_root)
		TRY(emitter.copy(own, address, bytes));
	const uint64_t piece = emitter.piece_bytes();
	for (uint64_t from = 0; from < bytes; from += piece)
		TRY(bring_along(emitter, way, own + from, std::min(piece, bytes - from)));
	TRY(emitter.meet(READY));
	if (!is_root)
		TRY(emitter.copy(address, emitter.seats().buffer(source), bytes));
	return emitter.tell(READ);
}

namespace {

/* class Gathering - knows which parts a rank has in its buffer: first its own part, then parts of ranks of
 * other islands. */
class Gathering {
public:
	Gathering(Emitter &emitter, uint64_t element_bytes, const Parts &parts)
		: emitter_(emitter), islands_(emitter.islands()), size_(element_bytes),
		  parts_(parts), held_(emitter.ranks(), 1), index_(emitter.ranks())
	{
		for (uint32_t rank = 0; rank < emitter.ranks(); rank++) {
			for (uint32_t island = 0; island < islands_.count(); island++) {
				if (island == islands_.of(rank))
					continue;
				const uint32_t at = islands_.agent(island, islands_.place(rank));
				if (island == islands_.own())
					index_[rank] = held_[at];
				held_[at]++;
			}
		}
		const uint64_t most = *std::max_element(held_.begin(), held_.end());
		room_ = emitter.seats().layout().collective_bytes / most / LINE_BYTES * LINE_BYTES;
	}

	/* Elements of each part in one round. */
	uint64_t step() const { return room_ / size_; }

	/* Brings a round of all parts to this island. */
	Status bring(uint64_t send, uint64_t from)
	{
		const uint32_t rank = emitter_.rank();
		const uint64_t own = emitter_.seats().buffer(rank);
		TRY(emitter_.await_read());
		TRY(emitter_.copy(own, send + from * size_, bytes_of(rank, from)));
		TRY(emitter_.exchange(messages(own, from), Lane::COLLECTIVE));
		return emitter_.meet(READY);
	}

	Status round(uint64_t send, uint64_t receive, uint64_t from)
	{
		const uint32_t rank = emitter_.rank();
		TRY(bring(send, from));
		for (uint32_t i = 0; i < emitter_.ranks(); i++) {
			const uint32_t of = (rank + i) % emitter_.ranks();
			const uint64_t source = of == rank ? send + from * size_ : place_of(of);
			TRY(emitter_.copy(receive + (parts_.offsets[of] + from) * size_, source,
					  bytes_of(of, from)));
		}
		return emitter_.tell(READ);
	}

	/* The address on this island at which the part of @rank is. */
	uint64_t place_of(uint32_t rank) const
	{
		if (islands_.is_near(rank))
			return emitter_.seats().buffer(rank);
		const uint32_t at = islands_.agent(islands_.own(), islands_.place(rank));
		return emitter_.seats().buffer(at) + index_[rank] * room_;
	}

private:
	static constexpr uint64_t LINE_BYTES = 64;

	uint64_t bytes_of(uint32_t rank, uint64_t from) const
	{
		return std::min(step(), parts_.counts[rank] - std::min(from, parts_.counts[rank])) *
		       size_;
	}

	std::vector<Message> messages(uint64_t own, uint64_t from) const
	{
		const uint32_t rank = emitter_.rank();
		std::vector<Message> found;
		for (uint32_t island = 0; island < islands_.count(); island++) {
			if (island != islands_.own())
				found.push_back({islands_.agent(island, islands_.place(rank)),
						 true,
						 own,
						 bytes_of(rank, from),
						 {}});
		}
		for (uint32_t of = 0; of < emitter_.ranks(); of++) {
			if (!islands_.is_near(of) &&
			    islands_.agent(islands_.own(), islands_.place(of)) == rank)
				found.push_back({of, false, place_of(of), bytes_of(of, from), {}});
		}
		return found;
	}

	Emitter &emitter_;
	const Islands &islands_;
	const uint64_t size_;
	const Parts &parts_;
	std::vector<uint64_t> held_; /* number of parts that each rank has */
	/* for a rank of another island: index of its part in the buffer of the agent */
	std::vector<uint64_t> index_;
	uint64_t room_ = 0; /* size of each part, in bytes */
};

} // namespace

Status gather_far(Emitter &emitter, uint64_t element_bytes, uint64_t send, uint64_t receive,
		  const Parts &parts)
{
	Gathering gathering(emitter, element_bytes, parts);
	for (uint64_t from = 0; from < parts.longest(); from += gathering.step())
		TRY(gathering.round(send, receive, from));
	return Status::OK;
}

Status fold_gathered(Emitter &emitter, const Reduction &what, uint64_t count, bool &is_done)
{
	const Parts parts = equal_parts(emitter.ranks(), count);
	Gathering gathering(emitter, what.element_bytes, parts);
	is_done = count <= gathering.step();
	if (!is_done)
		return Status::OK;
	TRY(gathering.bring(what.send, 0));
	std::vector<uint64_t> operands;
	for (uint32_t rank = 0; rank < emitter.ranks(); rank++)
		operands.push_back(gathering.place_of(rank));
	TRY(fold(emitter, what, what.receive, operands, count));
	return emitter.tell(READ);
}

/* The first ranks of all islands pass an empty piece around twice. When the last one gets it in the first
 * round, all islands have arrived. The second round tells that to all. */
Status barrier_far(Emitter &emitter)
{
	const Islands &islands = emitter.islands();
	std::vector<uint32_t> there;
	std::vector<uint32_t> back;
	for (uint32_t i = 0; i < islands.count(); i++) {
		there.push_back(islands.agent(i, 0));
		back.push_back(islands.agent((islands.count() - 1 + i) % islands.count(), 0));
	}
	TRY(bring_along(emitter, there, 0, 0));
	return bring_along(emitter, back, 0, 0);
}

} // namespace umd
