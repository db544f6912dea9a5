// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "firmware_sim/memory/mmu.h"
#include "runner.h"
#include "uapi/packet.h"

namespace fw {

/** struct Written - the memory that work wrote, as the firmware maps it. */
struct Written {
	const std::byte *data = nullptr;
	uint64_t bytes = 0;
};

/** value_met() - whether the word at @word, aligned to its width, fulfils the condition. */
bool value_met(const std::byte *word, const unpu_value_wait &wait);

/**
 * class Watches - the waiters that are parked on a word in memory. After a write of the device, wrote()
 * checks the words that it touched. The device gets no notice of stores by host CPUs, so poll() reads
 * all words periodically. No word is read while no waiter is parked. Context: under the step token.
 */
class Watches final : public Parking {
public:
	bool empty() const { return entries_.empty(); }

	/** add() - parks @waiter until the condition holds.
	 * @mmu: the client's page table; after a change the address is translated again
	 * @word: the translation of @wait.address; its value did not meet the condition */
	void add(Waiter &waiter, Mmu &mmu, const unpu_value_wait &wait, const std::byte *word);

	void unpark(Waiter &waiter) override;
	Wait describe(const Waiter &waiter) const override;

	/** wrote() - wakes the waiters whose word overlaps the written range and now meets its
	 * condition. */
	void wrote(const Written &written);

	/** look() - reads the watched words, since the host may have stored to them. One call reads a
	 * bounded number of words; the next call continues behind them. */
	void look();

	/** poll() - calls look() if it is due. */
	void poll(uint64_t now_ns)
	{
		if (next_ns_ <= now_ns)
			look();
	}

	/** next_ns() - time of the next look(); base::NO_DEADLINE while no waiter is parked. */
	uint64_t next_ns() const { return next_ns_; }

private:
	struct Watch {
		Waiter *waiter;
		Mmu *mmu;
		uint64_t epoch; /* epoch of the translation; 0: it is valid for only one look */
		unpu_value_wait wait;
		/* A wait does not keep the word mapped, so each check locks this pointer first. */
		std::weak_ptr<const MappedPart> place;
	};
	/* The word's address in this process, and a sequence number: waits for one word are in order of
	 * arrival. */
	using Key = std::pair<const std::byte *, uint64_t>;
	using Entries = std::map<Key, Watch>;

	static Translation translate(const Watch &watch);
	static void keep(Watch &watch);
	void look_on(const Key &key);
	static bool met(const std::byte *word, const Watch &watch);
	Entries::const_iterator find(const Waiter &waiter) const;
	Entries::iterator wake(Entries::iterator entry, base::Status status, uint64_t address);

	Entries entries_;
	Key next_{};	     /* look() begins here */
	uint64_t waits_ = 0; /* number of waits so far */
	uint64_t next_ns_ = base::NO_DEADLINE;
	uint64_t interval_ns_ = 0;
};

} // namespace fw
