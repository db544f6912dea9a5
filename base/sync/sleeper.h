// SPDX-License-Identifier: MIT
/**
 * DOC: Entry of a sleeping thread
 *
 * Host half of D2. A waiting thread publishes the value that it waits for. The device makes no wake call
 * before the semaphore reaches the least published value.
 */
#pragma once

#include <algorithm>

#include "ordering.h"
#include "uapi/semaphore.h"

namespace base {

/**
 * class Sleeper - counts a sleeping thread in the sleepers word of a semaphore. The thread creates it
 * before the heavy fence (D2) and destroys it after it has woken.
 *
 * The word has a count of threads and the least wanted value, and is changed by one compare-exchange.
 * While the count is not 0 the value only decreases: if a leaving thread raised it, the thread with the
 * least wanted value could miss its wake-up.
 */
class Sleeper {
public:
	/** Sleeper() - @value: what the thread waits for */
	Sleeper(uint64_t &word, uint64_t value) : word_(word)
	{
		const uint64_t wanted = std::min<uint64_t>(value, UNPU_SLEEPERS_MOST);
		change([wanted](uint64_t count, uint64_t least) {
			return (count == 0 ? wanted : std::min(least, wanted))
				       << UNPU_SLEEPERS_VALUE_SHIFT |
			       (count + 1);
		});
	}
	~Sleeper()
	{
		change([](uint64_t count, uint64_t least) {
			return count == 1 ? 0 : least << UNPU_SLEEPERS_VALUE_SHIFT | (count - 1);
		});
	}
	Sleeper(const Sleeper &) = delete;
	Sleeper &operator=(const Sleeper &) = delete;

private:
	template <class Next> void change(const Next &next)
	{
		for (;;) {
			const uint64_t seen = load_relaxed(word_);
			if (compare_exchange(word_, seen,
					     next(seen & UNPU_SLEEPERS_COUNT_MASK,
						  seen >> UNPU_SLEEPERS_VALUE_SHIFT)))
				return;
		}
	}

	uint64_t &word_;
};

} // namespace base
