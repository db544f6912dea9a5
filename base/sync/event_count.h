// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "futex.h"
#include "ordering.h"

namespace base {

/**
 * class EventCount - lets one thread sleep until another thread of this process notifies it. The sleeper
 * calls prepare(), passes a heavy fence, checks its condition, and calls wait(). A notifier makes the
 * condition true and then calls notify(). With the fences (D1) either the sleeper sees the condition or the
 * notifier sees the sleeper.
 */
class EventCount {
public:
	/** notify() - counts an event. Context: any thread.
	 * Return: whether the sleeper must be woken: by wake(), or in another way that the caller knows. */
	bool notify(FenceScope fence)
	{
		fetch_add(events_, uint32_t{1});
		light_fence(fence); /* D1: the sleeper stores asleep_, then checks its condition */
		return is_asleep();
	}
	void wake() const { futex_wake_all(events_, false); }

	/** events() - how many calls of notify() there have been. is_asleep() - whether the sleeper sleeps or
	 * is about to. Context: any thread. */
	uint32_t events() const { return load_relaxed(events_); }
	bool is_asleep() const { return load_relaxed(asleep_) != 0; }

	/* Only the sleeper calls the functions below. */

	/** prepare() - from now on notify() returns true. Return: a ticket for wait(). */
	uint32_t prepare()
	{
		const uint32_t ticket = load_acquire(events_);
		store_relaxed(asleep_, uint32_t{1});
		return ticket;
	}

	/** has_event() - whether there was a notify() since prepare() returned @ticket. */
	bool has_event(uint32_t ticket) const { return load_acquire(events_) != ticket; }

	/** wait() - sleeps until has_event() or @deadline_ns. Return: false when the deadline passed. */
	bool wait(uint32_t ticket, uint64_t deadline_ns) const
	{
		return futex_wait(events_, ticket, deadline_ns, false);
	}

	/** finish() - ends what prepare() began. */
	void finish() { store_relaxed(asleep_, uint32_t{0}); }

private:
	uint32_t events_ = 0;
	uint32_t asleep_ = 0;
};

} // namespace base
