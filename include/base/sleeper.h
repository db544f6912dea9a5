// SPDX-License-Identifier: MIT
/**
 * DOC: Entry of a sleeping thread
 *
 * Host half of D2: the device makes no wake call before the value has come to what somebody waits for,
 * however often it moves until then.
 */
#pragma once

#include <algorithm>

#include "base/ordering.h"
#include "uapi/semaphore.h"

namespace base {

/**
 * class Sleeper - a thread's entry in the word of a semaphore's sleepers, from before its fence (D2) until
 * it is awake.
 *
 * The word has a count and the least value wanted. It is changed as a whole, and while somebody is
 * counted the value only falls: whoever came in between would else rely on one that is gone.
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
