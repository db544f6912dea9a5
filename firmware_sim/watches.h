// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>

#include "mmu.h"
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
 * class Watches - who stands still for a word in memory. A write of the device looks at the words it
 * touched; for stores that the device is not told of, those of the host's processors, all words are
 * looked at from time to time. Nothing is looked at while nobody waits. Context: under the step token.
 */
class Watches final : public Parking {
public:
	bool empty() const { return entries_.empty(); }

	/** add() - @waiter stands still until the condition holds.
	 * @mmu: the client's table; when it changes the address is translated again
	 * @word: where @wait.address was found, which did not fulfil the condition */
	void add(Waiter &waiter, Mmu &mmu, const unpu_value_wait &wait, const std::byte *word);

	void unpark(Waiter &waiter) override;
	Wait describe(const Waiter &waiter) const override;

	/** wrote() - wakes those whose word lies in what was written and fulfils its condition now. */
	void wrote(const Written &written);

	/** look() - reads the words that are waited for, since a host may have stored to them. One call reads a
	 * bounded number of words; the next call continues behind them. */
	void look();

	/** poll() - look(), if it is time for it. */
	void poll(uint64_t now_ns)
	{
		if (next_ns_ <= now_ns)
			look();
	}

	/** next_ns() - when poll() has something to do; base::NO_DEADLINE while nobody waits. */
	uint64_t next_ns() const { return next_ns_; }

private:
	struct Watch {
		Waiter *waiter;
		Mmu *mmu;
		uint64_t epoch;
		unpu_value_wait wait;
		/* A wait does not keep the word from being unmapped, so each look asks for it. */
		std::weak_ptr<const Place> place;
	};
	/* The word's place in this process, and a number that grows with each wait: those for one word are in
	 * order of arrival. */
	using Key = std::pair<const std::byte *, uint64_t>;
	using Entries = std::map<Key, Watch>;

	static Translation translate(const Watch &watch);
	void look_on(const Key &key);
	static bool met(const std::byte *word, const Watch &watch);
	Entries::const_iterator find(const Waiter &waiter) const;
	Entries::iterator wake(Entries::iterator entry, base::Status status, uint64_t address);

	Entries entries_;
	Key next_{};	     /* look() begins here */
	uint64_t waits_ = 0; /* so far */
	uint64_t next_ns_ = base::NO_DEADLINE;
	uint64_t interval_ns_ = 0;
};

} // namespace fw
