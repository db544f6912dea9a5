// SPDX-License-Identifier: MIT
/**
 * DOC: Reductions
 *
 * Each rank copies its data into its buffer, and signals that. When all ranks have done so, each rank reads
 * what it needs from all buffers and reduces it in the order of the ranks: r0 op r1, op r2, and so on,
 * rounded to the type after each step. So each element is always computed in the same order, whatever the
 * number of elements and the arrival times of the ranks.
 *
 * Every rank computes a short result itself. For a long result, each rank computes one part and puts it into
 * its buffer; the other ranks read the part there. Both ways compute the same bits.
 */
#include "schedules.h"

#include <algorithm>

#include "far.h"

namespace umd {

using base::Status;

/* Up to this size it is faster to compute the whole result on each rank than to synchronise the ranks a
 * second time. */
static constexpr uint64_t SHORT_BYTES = 32 << 10;

/* The same limits for several islands: the bytes of all ranks together, and the number of ranks. Up to these
 * limits, a chain from island to island takes longer. */
static constexpr uint64_t SHORT_FAR_BYTES = 64 << 10;
static constexpr uint32_t SHORT_FAR_RANKS = 16;
/* The same limit for two ranks that are alone on their islands. Beyond it, both ways take equally long. */
static constexpr uint64_t PAIR_BYTES = 256 << 10;

/* Parts begin at cache lines. */
static constexpr uint64_t LINE_BYTES = 64;

uint64_t Parts::longest() const
{
	return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

Parts equal_parts(uint32_t ranks, uint64_t count)
{
	Parts parts;
	for (uint32_t rank = 0; rank < ranks; rank++) {
		parts.counts.push_back(count);
		parts.offsets.push_back(rank * count);
	}
	return parts;
}

Status fold(Emitter &emitter, const Reduction &what, uint64_t dst,
	    const std::vector<uint64_t> &operands, uint64_t count)
{
	if (operands.size() == 1)
		return emitter.copy(dst, operands[0], count * what.element_bytes);
	uint64_t left = operands[0];
	for (size_t i = 1; i < operands.size(); i++) {
		TRY(emitter.combine(what.how, dst, left, operands[i], count));
		left = dst;
	}
	return Status::OK;
}

/* The addresses at @offset in the buffers of all ranks; for this rank, @own takes the place of the buffer. */
static std::vector<uint64_t> operands_at(const Emitter &emitter, uint64_t offset, uint64_t own)
{
	std::vector<uint64_t> operands;
	for (uint32_t rank = 0; rank < emitter.ranks(); rank++)
		operands.push_back(rank == emitter.rank() ? own
							  : emitter.seats().buffer(rank) + offset);
	return operands;
}

static Status reduce_short(Emitter &emitter, const Reduction &what, uint64_t from, uint64_t count,
			   bool has_result)
{
	const uint64_t own = emitter.seats().buffer(emitter.rank());
	const uint64_t at = from * what.element_bytes;
	TRY(emitter.await_read());
	TRY(emitter.copy(own, what.send + at, count * what.element_bytes));
	TRY(emitter.meet(READY));
	if (has_result)
		TRY(fold(emitter, what, what.receive + at, operands_at(emitter, 0, own), count));
	return emitter.tell(READ);
}

uint64_t part_start(const Reduction &what, uint64_t count, uint32_t parts, uint32_t part)
{
	const uint64_t unit = LINE_BYTES / what.element_bytes;
	const uint64_t each = (count / parts + unit - 1) / unit * unit;
	return part == parts ? count : std::min(count, part * each);
}

static Status reduce_long(Emitter &emitter, const Reduction &what, uint64_t from, uint64_t count)
{
	const uint32_t rank = emitter.rank();
	const uint64_t own = emitter.seats().buffer(rank);
	const uint64_t size = what.element_bytes;
	const uint64_t send = what.send + from * size;
	const uint64_t first = part_start(what, count, emitter.ranks(), rank) * size;
	const uint64_t last = part_start(what, count, emitter.ranks(), rank + 1) * size;
	TRY(emitter.await_read());
	/* No other rank reads this rank's own part, so the result can go there. */
	TRY(emitter.copy(own, send, first));
	TRY(emitter.copy(own + last, send + last, count * size - last));
	TRY(emitter.meet(READY));
	TRY(fold(emitter, what, own + first, operands_at(emitter, first, send + first),
		 (last - first) / size));
	TRY(emitter.meet(REDUCED));
	for (uint32_t i = 0; i < emitter.ranks(); i++) {
		const uint32_t of = (rank + i) % emitter.ranks();
		const uint64_t start = part_start(what, count, emitter.ranks(), of) * size;
		const uint64_t end = part_start(what, count, emitter.ranks(), of + 1) * size;
		TRY(emitter.copy(what.receive + from * size + start,
				 emitter.seats().buffer(of) + start, end - start));
	}
	return emitter.tell(READ);
}

Status emit_all_reduce(Emitter &emitter, const Reduction &what, uint64_t count)
{
	if (emitter.ranks() == 1)
		return emitter.copy(what.receive, what.send, count * what.element_bytes);
	const bool is_alone = emitter.islands().most_members() == 1;
	if (is_alone && emitter.ranks() == 2 && count * what.element_bytes <= PAIR_BYTES)
		return reduce_pair(emitter, what, count);
	if (!emitter.is_one_island() && count != 0 && emitter.ranks() <= SHORT_FAR_RANKS &&
	    count * what.element_bytes * emitter.ranks() <= SHORT_FAR_BYTES) {
		bool is_done = false;
		TRY(fold_gathered(emitter, what, count, is_done));
		if (is_done)
			return Status::OK;
	}
	/* A rank that is alone on its island needs no buffer, because no rank reads it. */
	if (is_alone && count != 0)
		return reduce_far(emitter, what, 0, count, ALL_ISLANDS, true);
	const uint64_t most = emitter.seats().layout().collective_bytes / what.element_bytes;
	for (uint64_t from = 0; from < count; from += most) {
		const uint64_t some = std::min(most, count - from);
		const bool is_short = some * what.element_bytes <= SHORT_BYTES;
		if (!emitter.is_one_island())
			TRY(reduce_far(emitter, what, from, some, ALL_ISLANDS, true));
		else
			TRY(is_short ? reduce_short(emitter, what, from, some, true)
				     : reduce_long(emitter, what, from, some));
	}
	return Status::OK;
}

Status emit_reduce(Emitter &emitter, const Reduction &what, uint64_t count, uint32_t root)
{
	if (emitter.ranks() == 1)
		return emitter.copy(what.receive, what.send, count * what.element_bytes);
	const uint64_t most = emitter.seats().layout().collective_bytes / what.element_bytes;
	const bool is_root = emitter.rank() == root;
	for (uint64_t from = 0; from < count; from += most) {
		const uint64_t some = std::min(most, count - from);
		TRY(emitter.is_one_island() ? reduce_short(emitter, what, from, some, is_root)
					    : reduce_far(emitter, what, from, some,
							 emitter.islands().of(root), is_root));
	}
	return Status::OK;
}

/* The part of each rank has a slot of @slot elements in every buffer. */
static Status scatter_round(Emitter &emitter, const Reduction &what, const Parts &parts,
			    uint64_t from, uint64_t slot)
{
	const uint32_t rank = emitter.rank();
	const uint64_t size = what.element_bytes;
	const uint64_t own = emitter.seats().buffer(rank);
	TRY(emitter.await_read());
	for (uint32_t to = 0; to < emitter.ranks(); to++) {
		const uint64_t left = parts.counts[to] - std::min(from, parts.counts[to]);
		TRY(emitter.copy(own + to * slot * size,
				 what.send + (parts.offsets[to] + from) * size,
				 std::min(slot, left) * size));
	}
	TRY(emitter.meet(READY));
	const uint64_t left = parts.counts[rank] - std::min(from, parts.counts[rank]);
	const uint64_t at = rank * slot * size;
	if (left != 0)
		TRY(fold(emitter, what, what.receive + from * size,
			 operands_at(emitter, at, own + at), std::min(slot, left)));
	return emitter.tell(READ);
}

Status emit_reduce_scatter(Emitter &emitter, const Reduction &what, const Parts &parts)
{
	if (emitter.ranks() == 1)
		return emitter.copy(what.receive, what.send + parts.offsets[0] * what.element_bytes,
				    parts.counts[0] * what.element_bytes);
	const uint64_t room = emitter.seats().layout().collective_bytes / emitter.ranks();
	const uint64_t slot = room / LINE_BYTES * LINE_BYTES / what.element_bytes;
	for (uint64_t from = 0; from < parts.longest(); from += slot)
		TRY(emitter.is_one_island() ? scatter_round(emitter, what, parts, from, slot)
					    : scatter_far(emitter, what, parts, from, slot));
	return Status::OK;
}

} // namespace umd
