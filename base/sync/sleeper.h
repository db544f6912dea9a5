// SPDX-License-Identifier: MIT
/**
 * DOC: Threads that sleep on a semaphore
 *
 * Both sides of D2. A waiting thread publishes the value that it waits for, passes the heavy fence, and
 * sleeps while the semaphore is below it. The device stores a value, passes the light fence, and makes no
 * wake call before the value reaches the least published one.
 */
#pragma once

#include <algorithm>

#include "futex.h"
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

/** sleep_below() - sleeps until the semaphore's value changes or the deadline passes, unless the value is
 * at least @value. Spurious wake-ups are possible.
 * Context: after a Sleeper was created and the heavy fence passed (D2).
 * Return: false when the deadline passed. */
inline bool sleep_below(const uint64_t &word, uint64_t value, uint64_t deadline_ns)
{
	const uint64_t seen = load_acquire(word);
	if (seen >= value)
		return true;
	const auto *low = reinterpret_cast<const uint32_t *>(&word);
	return futex_wait(*low, static_cast<uint32_t>(seen), deadline_ns, true);
}

/** publish_value() - the device's half: makes @value visible to the host.
 * Return: whether a thread sleeps that waits for it: the caller calls wake_sleepers(). */
inline bool publish_value(unpu_sem_device &line, const unpu_sem_host &host, uint64_t value,
			  FenceScope fence)
{
	store_release(line.value, value); /* R3 */
	light_fence(fence);		  /* D2: a thread stores its entry, then loads the value */
	const uint64_t sleepers = load_relaxed(host.sleepers);
	return sleepers != 0 && value >= sleepers >> UNPU_SLEEPERS_VALUE_SHIFT;
}

inline void wake_sleepers(const unpu_sem_device &line)
{
	futex_wake_all(*reinterpret_cast<const uint32_t *>(&line.value), true);
}

} // namespace base
