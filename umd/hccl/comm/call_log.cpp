// SPDX-License-Identifier: MIT
/**
 * DOC: Log of calls
 *
 * An entry is a few words, which are stored one by one. The writer stores the number of the entry last, and
 * keeps it at 0 while the words change. A digest is one word. The count of notes tells a reader whether it
 * sees the new digest or the one that was there before.
 */
#include "call_log.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "base/sync/ordering.h"
#include "drv/device.h"
#include "hccl/hccl_types.h"
#include "umd/core/process/collective.h"
#include "umd/hccl/elements.h"

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

/* Notes both ends of a message as a send, so that the two notes are equal. */
static CallNote end_of(CallNote note, bool is_message, bool is_send)
{
	if (is_message && note.call == static_cast<uint64_t>(Collective::SEND) && !is_send)
		note.call = static_cast<uint64_t>(Collective::RECV);
	return note;
}

std::string difference_text(const char *what, uint32_t own, const CallNote &note,
			    const Difference &found)
{
	const std::string ours = describe(end_of(note, found.is_message, found.is_send));
	std::string theirs = "something else then or before, too long ago to know what";
	if (found.is_kept) {
		theirs = describe(end_of(found.theirs, found.is_message, !found.is_send));
		if (note.digest != found.theirs.digest)
			theirs += ", with other counts of the ranks";
		else if (note == found.theirs)
			theirs += " too, but they differ in a call before it, too long ago to know "
				  "which";
	}
	return fmt::format("{} {}: rank {} called {}, and rank {} called {}", what, found.number,
			   own, ours, found.rank, theirs);
}

/* For each rank of the island, the call log has both ends of the messages that come from all ranks. With
 * several islands it also has both ends of the messages that go to all ranks. */
uint64_t CallLog::bytes() const
{
	const uint64_t pairs = uint64_t{ranks_} * islands_.near().size();
	return ranks_ * sizeof(Rank) + (islands_.count() == 1 ? 2 : 4) * pairs * sizeof(Messages);
}

Status CallLog::make(drv::Device &device, const Islands &islands, uint32_t rank,
		     std::span<const uint32_t> pids, unpu_export_key &key)
{
	islands_ = islands;
	ranks_ = islands.ranks();
	rank_ = rank;
	auto segment =
		TRY(device.create_segment(UNPU_SEGMENT_PINNED, bytes(), UNPU_SEGMENT_SHAREABLE));
	memory_ = std::move(segment.memory);
	segment_ = segment.id;
	key = TRY(device.sharing().export_segment(segment_, 0, memory_.bytes(),
						  UNPU_EXPORT_SAME_PROCESS));
	return pids.empty() ? Status::OK : device.sharing().allow(key, pids);
}

Status CallLog::join(drv::Device &device, const Islands &islands, uint32_t rank,
		     const unpu_export_key &key)
{
	islands_ = islands;
	ranks_ = islands.ranks();
	rank_ = rank;
	auto segment = TRY(device.sharing().import_segment(key));
	Status status = Status::NOT_SHARED;
	if (segment.shared.fd.valid() && segment.bytes >= bytes()) {
		auto mapped =
			base::map_shared(segment.shared.fd, segment.bytes, true, UNPU_PAGE_4K);
		status = mapped.status();
		if (mapped)
			memory_ = mapped.take();
	}
	if (status == Status::OK)
		segment_ = segment.id;
	else
		device.destroy_segment(segment.id);
	return status;
}

void CallLog::leave(drv::Device &device)
{
	if (segment_ != 0)
		device.destroy_segment(segment_);
	segment_ = 0;
}

CallLog::Rank &CallLog::rank_at(uint32_t rank) const
{
	return memory_.as<Rank>()[rank];
}

CallLog::Messages &CallLog::messages(uint32_t from, uint32_t to, bool is_send) const
{
	auto *first = reinterpret_cast<Messages *>(memory_.as<Rank>() + ranks_);
	const bool is_to_here = islands_.is_near(to);
	const uint64_t near =
		islands_.place(is_to_here ? to : from) + (is_to_here ? 0 : islands_.near().size());
	unpu_assert(is_to_here || islands_.is_near(from));
	return first[2 * (near * ranks_ + (is_to_here ? from : to)) + (is_send ? 0 : 1)];
}

/* The first four fields are small numbers, so one word can hold all four. */
static uint64_t word_of(const CallNote &note)
{
	return note.call | note.type << 16 | note.op << 32 | note.root << 48;
}

static CallNote note_of(const uint64_t (&words)[3])
{
	return {words[0] & 0xffff,
		words[0] >> 16 & 0xffff,
		words[0] >> 32 & 0xffff,
		words[0] >> 48,
		words[1],
		words[2]};
}

/* @before: the digest of all earlier notes */
static uint64_t digest_of(uint64_t before, const CallNote &note)
{
	uint64_t digest = before;
	for (const uint64_t word : {word_of(note), note.count, note.digest}) {
		digest = (digest ^ word) * 0x9e3779b97f4a7c15ull;
		digest ^= digest >> 32;
	}
	return digest;
}

template <class Notes> uint64_t CallLog::put(Notes &sequence, const CallNote &note)
{
	const uint64_t last = sequence.noted.load();
	const uint64_t number = last + 1;
	Entry &entry = sequence.entries[number % std::size(sequence.entries)];
	auto &digests = sequence.digests;
	const uint64_t before = last == 0 ? 0 : digests[last % std::size(digests)].load();
	const uint64_t words[] = {word_of(note), note.count, note.digest};
	entry.number.store(0);
	base::store_fence(); /* C1 */
	for (size_t i = 0; i < std::size(words); i++)
		base::store_relaxed(entry.words[i], words[i]);
	entry.number.store(number);
	digests[number % std::size(digests)].store(digest_of(before, note));
	/* The other rank stores its own number before it loads this one, so at least one of the two sees both (C2). */
	sequence.noted.store(number);
	return number;
}

/* Return: whether the call log still has the note. */
template <class Notes> bool CallLog::read(const Notes &sequence, uint64_t number, CallNote &note)
{
	const Entry &entry = sequence.entries[number % std::size(sequence.entries)];
	if (entry.number.load() != number)
		return false;
	uint64_t words[3];
	for (size_t i = 0; i < std::size(words); i++)
		words[i] = base::load_relaxed(entry.words[i]);
	base::load_fence(); /* C1 */
	note = note_of(words);
	return entry.number.load() == number;
}

/* A note that does not exist yet, or whose digest was overwritten, counts as equal. */
template <class Notes>
bool CallLog::differs(const Notes &sequence, const Notes &own, Difference &found)
{
	const auto &digests = sequence.digests;
	const size_t place = found.number % std::size(digests);
	if (sequence.noted.load() < found.number)
		return false;
	const uint64_t theirs = digests[place].load();
	/* The writer stores a digest before it raises the count (C2), so this place may already have the next
	 * digest. */
	if (sequence.noted.load() + 1 >= found.number + std::size(digests) ||
	    theirs == own.digests[place].load())
		return false;
	found.is_kept = read(sequence, found.number, found.theirs);
	return true;
}

bool CallLog::note_call(uint32_t rank, const CallNote &note, Difference &found)
{
	found.number = put(rank_at(rank).calls, note);
	for (uint32_t other = 0; other < ranks_; other++) {
		found.rank = other;
		if (other != rank && differs(rank_at(other).calls, rank_at(rank).calls, found))
			return true;
	}
	return false;
}

bool CallLog::note_message(uint32_t rank, uint32_t other, bool is_send, const CallNote &note,
			   Difference &found)
{
	const uint32_t from = is_send ? rank : other;
	const uint32_t to = is_send ? other : rank;
	found.is_message = true;
	found.is_send = is_send;
	found.rank = other;
	found.number = put(messages(from, to, is_send), note);
	return differs(messages(from, to, !is_send), messages(from, to, is_send), found);
}

template <class Notes> void CallLog::clear(Notes &sequence)
{
	sequence.noted.store(0);
	for (Entry &entry : sequence.entries)
		entry.number.store(0);
}

void CallLog::restart(uint32_t rank)
{
	clear(rank_at(rank).calls);
	for (uint32_t other = 0; other < ranks_; other++) {
		if (!islands_.is_near(rank) && !islands_.is_near(other))
			continue;
		clear(messages(rank, other, true));
		clear(messages(other, rank, false));
	}
}

uint64_t CallLog::calls(uint32_t rank) const
{
	return rank_at(rank).calls.noted.load();
}

bool CallLog::has_left(uint32_t rank) const
{
	return rank_at(rank).has_left.load() != 0;
}

bool CallLog::is_lost(uint32_t rank) const
{
	return rank_at(rank).has_left.load() == LOST;
}

void CallLog::set_left(uint32_t rank, bool is_lost)
{
	rank_at(rank).has_left.store(is_lost ? LOST : 1);
}

std::vector<uint32_t> CallLog::behind(uint32_t rank) const
{
	std::vector<uint32_t> found;
	for (uint32_t other = 0; other < ranks_; other++) {
		if (calls(other) < calls(rank))
			found.push_back(other);
	}
	return found;
}

bool CallLog::is_met(uint32_t other, bool is_send, uint64_t number) const
{
	const uint32_t from = is_send ? rank_ : other;
	const uint32_t to = is_send ? other : rank_;
	return messages(from, to, !is_send).noted.load() >= number;
}

std::vector<uint32_t> CallLog::unmet() const
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

bool CallLog::is_matched() const
{
	return behind(rank_).empty() && unmet().empty();
}

} // namespace umd
