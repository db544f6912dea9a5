// SPDX-License-Identifier: MIT
/**
 * DOC: Ledger of calls
 *
 * An entry is a few words that are stored one by one. Its number is stored last, and is 0 while they change.
 */
#include "ledger.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "base/sync/ordering.h"
#include "hccl/hccl_types.h"
#include "umd/core/collective/collective.h"
#include "umd/hccl/schedule/elements.h"

namespace umd {

using base::Status;

static_assert(std::atomic<uint64_t>::is_always_lock_free);

std::string describe(const CallNote &note)
{
	const auto call = static_cast<Collective>(note.call);
	std::string text = collective_name(call);
	if (call == Collective::BARRIER)
		return text;
	text += fmt::format("({}{}", note.count ? fmt::format("{} ", note.count) : "",
			    type_name(static_cast<HcclDataType>(note.type)));
	if (takes_op(call))
		text += fmt::format(", {}", op_name(static_cast<HcclReduceOp>(note.op)));
	if (takes_root(call))
		text += fmt::format(", root {}", note.root);
	return text + ")";
}

/* Both ends of a message are noted as a send, so that they are equal. */
static CallNote end_of(CallNote note, bool is_message, bool is_send)
{
	if (is_message && note.call == static_cast<uint64_t>(Collective::SEND) && !is_send)
		note.call = static_cast<uint64_t>(Collective::RECV);
	return note;
}

std::string difference_text(const char *what, uint32_t own, const CallNote &note,
			    const Difference &found)
{
	return fmt::format("{} {}: rank {} called {}, and rank {} called {}", what, found.number,
			   own, describe(end_of(note, found.is_message, found.is_send)), found.rank,
			   describe(end_of(found.theirs, found.is_message, !found.is_send)));
}

/* Of each rank of the island, both ends of the messages to it from all ranks; where there are several islands, those
 * from it to all ranks, too. */
uint64_t Ledger::bytes() const
{
	const uint64_t pairs = uint64_t{ranks_} * islands_.near().size();
	return ranks_ * sizeof(Rank) + (islands_.count() == 1 ? 2 : 4) * pairs * sizeof(Messages);
}

Status Ledger::make(drv::Device &device, const Islands &islands, uint32_t rank,
		    std::span<const uint32_t> pids, unpu_export_key &key)
{
	islands_ = islands;
	ranks_ = islands.ranks();
	rank_ = rank;
	auto segment = device.create_segment(UNPU_SEGMENT_PINNED, bytes(), UNPU_SEGMENT_SHAREABLE);
	if (!segment)
		return segment.status();
	memory_ = std::move(segment->memory);
	segment_ = segment->id;
	auto made = device.sharing().export_segment(segment_, 0, memory_.bytes(),
						    UNPU_EXPORT_SAME_PROCESS);
	if (!made)
		return made.status();
	key = *made;
	return pids.empty() ? Status::OK : device.sharing().allow(key, pids);
}

Status Ledger::join(drv::Device &device, const Islands &islands, uint32_t rank,
		    const unpu_export_key &key)
{
	islands_ = islands;
	ranks_ = islands.ranks();
	rank_ = rank;
	auto segment = device.sharing().import_segment(key);
	if (!segment)
		return segment.status();
	Status status = Status::NOT_SHARED;
	if (segment->shared.fd.valid() && segment->bytes >= bytes()) {
		auto mapped =
			base::map_shared(segment->shared.fd, segment->bytes, true, UNPU_PAGE_4K);
		status = mapped.status();
		if (mapped)
			memory_ = mapped.take();
	}
	if (status == Status::OK)
		segment_ = segment->id;
	else
		device.destroy_segment(segment->id);
	return status;
}

void Ledger::leave(drv::Device &device)
{
	if (segment_ != 0)
		device.destroy_segment(segment_);
	segment_ = 0;
}

Ledger::Rank &Ledger::rank_at(uint32_t rank) const
{
	return memory_.as<Rank>()[rank];
}

Ledger::Messages &Ledger::messages(uint32_t from, uint32_t to, bool is_send) const
{
	auto *first = reinterpret_cast<Messages *>(memory_.as<Rank>() + ranks_);
	const bool is_to_here = islands_.is_near(to);
	const uint64_t near =
		islands_.place(is_to_here ? to : from) + (is_to_here ? 0 : islands_.near().size());
	unpu_assert(is_to_here || islands_.is_near(from));
	return first[2 * (near * ranks_ + (is_to_here ? from : to)) + (is_send ? 0 : 1)];
}

template <uint32_t COUNT> uint64_t Ledger::put(Sequence<COUNT> &sequence, const CallNote &note)
{
	const uint64_t number = sequence.noted.load() + 1;
	Entry &entry = sequence.entries[number % COUNT];
	const uint64_t words[] = {note.call, note.type,	 note.op,
				  note.root, note.count, note.digest};
	entry.number.store(0);
	base::store_fence(); /* C1 */
	for (size_t i = 0; i < std::size(words); i++)
		base::store_relaxed(entry.words[i], words[i]);
	/* The other rank stores its own number before it loads this one, so at least one of the two sees both (C2). */
	entry.number.store(number);
	sequence.noted.store(number);
	return number;
}

/* A note that is not there yet, or not any more, does not differ. */
template <uint32_t COUNT>
bool Ledger::differs(const Sequence<COUNT> &sequence, uint64_t number, const CallNote &note,
		     CallNote &theirs)
{
	const Entry &entry = sequence.entries[number % COUNT];
	if (entry.number.load() != number)
		return false;
	uint64_t words[6];
	for (size_t i = 0; i < std::size(words); i++)
		words[i] = base::load_relaxed(entry.words[i]);
	base::load_fence(); /* C1 */
	if (entry.number.load() != number)
		return false;
	theirs = {words[0], words[1], words[2], words[3], words[4], words[5]};
	return theirs != note;
}

bool Ledger::note_call(uint32_t rank, const CallNote &note, Difference &found)
{
	found.number = put(rank_at(rank).calls, note);
	for (uint32_t other = 0; other < ranks_; other++) {
		found.rank = other;
		if (other != rank &&
		    differs(rank_at(other).calls, found.number, note, found.theirs))
			return true;
	}
	return false;
}

bool Ledger::note_message(uint32_t rank, uint32_t other, bool is_send, const CallNote &note,
			  Difference &found)
{
	const uint32_t from = is_send ? rank : other;
	const uint32_t to = is_send ? other : rank;
	found.is_message = true;
	found.is_send = is_send;
	found.rank = other;
	found.number = put(messages(from, to, is_send), note);
	return differs(messages(from, to, !is_send), found.number, note, found.theirs);
}

template <uint32_t COUNT> void Ledger::clear(Sequence<COUNT> &sequence)
{
	sequence.noted.store(0);
	for (Entry &entry : sequence.entries)
		entry.number.store(0);
}

void Ledger::restart(uint32_t rank)
{
	clear(rank_at(rank).calls);
	for (uint32_t other = 0; other < ranks_; other++) {
		if (!islands_.is_near(rank) && !islands_.is_near(other))
			continue;
		clear(messages(rank, other, true));
		clear(messages(other, rank, false));
	}
}

uint64_t Ledger::calls(uint32_t rank) const
{
	return rank_at(rank).calls.noted.load();
}

bool Ledger::has_left(uint32_t rank) const
{
	return rank_at(rank).has_left.load() != 0;
}

bool Ledger::is_lost(uint32_t rank) const
{
	return rank_at(rank).has_left.load() == LOST;
}

void Ledger::set_left(uint32_t rank, bool is_lost)
{
	rank_at(rank).has_left.store(is_lost ? LOST : 1);
}

std::vector<uint32_t> Ledger::behind(uint32_t rank) const
{
	std::vector<uint32_t> found;
	for (uint32_t other = 0; other < ranks_; other++) {
		if (calls(other) < calls(rank))
			found.push_back(other);
	}
	return found;
}

bool Ledger::is_met(uint32_t other, bool is_send, uint64_t number) const
{
	const uint32_t from = is_send ? rank_ : other;
	const uint32_t to = is_send ? other : rank_;
	return messages(from, to, !is_send).noted.load() >= number;
}

std::vector<uint32_t> Ledger::unmet() const
{
	std::vector<uint32_t> found;
	for (uint32_t other = 0; other < ranks_; other++) {
		const auto is_open = [&](uint32_t from, uint32_t to, bool is_send) {
			return messages(from, to, is_send).noted.load() >
			       messages(from, to, !is_send).noted.load();
		};
		if (is_open(rank_, other, true) || is_open(other, rank_, false))
			found.push_back(other);
	}
	return found;
}

bool Ledger::is_matched() const
{
	return behind(rank_).empty() && unmet().empty();
}

} // namespace umd
