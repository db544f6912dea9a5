// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/ordering.h"
#include "uapi/trace.h"

namespace base {

/**
 * class TraceRing - the last entries of one writer. Writing takes no lock and allocates nothing. A write
 * to a full ring overwrites the oldest entry.
 *
 * Context: one thread at a time writes, another may copy meanwhile (T1).
 */
class TraceRing {
public:
	static constexpr uint32_t MIN_ENTRIES = 64;
	static constexpr uint32_t MAX_ENTRIES = 1u << 24;
	static constexpr uint32_t DEFAULT_ENTRIES = 1u << 16;

	/** room() - the capacity of a ring for @entries: a power of two within bounds. 0: the default. */
	static constexpr uint32_t room(uint32_t entries)
	{
		if (entries == 0)
			return DEFAULT_ENTRIES;
		if (entries > MAX_ENTRIES)
			return MAX_ENTRIES;
		return std::bit_ceil(entries < MIN_ENTRIES ? MIN_ENTRIES : entries);
	}

	/** init() - empties the ring. The kernel allocates its pages at the first write.
	 * Context: no other thread uses the ring. Return: NO_MEMORY. */
	Status init(uint32_t entries)
	{
		uint32_t slots = room(entries);
		if (slots != slots_) {
			memory_ = TRY(map_private_zeroed(uint64_t{slots} * ENTRY_BYTES));
			slots_ = slots;
		}
		begun_ = written_ = 0;
		return Status::OK;
	}

	void put(const unpu_trace_entry &entry)
	{
		uint64_t words[WORDS];
		memcpy(words, &entry, sizeof(words));
		uint64_t *slot = this->slot(written_);
		store_relaxed(begun_, written_ + 1);
		store_fence(); /* T1 */
		for (unsigned i = 0; i < WORDS; i++)
			store_relaxed(slot[i], words[i]);
		store_release(written_, written_ + 1); /* T1 */
	}

	/** total() - entries since init(). */
	uint64_t total() const { return load_acquire(written_); }

	/** copy() - appends the entries of the ring, oldest first. Return: number of overwritten entries. */
	uint64_t copy(std::vector<unpu_trace_entry> &out) const
	{
		uint64_t end = load_acquire(written_); /* T1 */
		uint64_t first = end > slots_ ? end - slots_ : 0;
		size_t old = out.size();
		out.resize(old + (end - first));
		for (uint64_t at = first; at < end; at++) {
			uint64_t words[WORDS];
			const uint64_t *from = slot(at);
			for (unsigned i = 0; i < WORDS; i++)
				words[i] = load_relaxed(from[i]);
			memcpy(&out[old + (at - first)], words, sizeof(words));
		}
		load_fence(); /* T1 */
		/* Drop the entries that the writer overwrote during the copy. */
		uint64_t begun = load_relaxed(begun_);
		uint64_t valid = begun > slots_ ? begun - slots_ : 0;
		if (valid > first) {
			auto torn =
				static_cast<ptrdiff_t>(valid < end ? valid - first : end - first);
			auto start = out.begin() + static_cast<ptrdiff_t>(old);
			out.erase(start, start + torn);
			first += static_cast<uint64_t>(torn);
		}
		return first;
	}

private:
	static constexpr size_t ENTRY_BYTES = sizeof(unpu_trace_entry);
	static constexpr unsigned WORDS = ENTRY_BYTES / sizeof(uint64_t);

	uint64_t *slot(uint64_t index) const
	{
		return memory_.as<uint64_t>() + (index & (slots_ - 1)) * WORDS;
	}

	Mapping memory_;
	uint32_t slots_ = 0;
	uint64_t begun_ = 0;   /* number of entries, including an entry that is being written */
	uint64_t written_ = 0; /* number of entries that are complete */
};

} // namespace base
