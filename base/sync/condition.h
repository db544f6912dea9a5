// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "mutex.h"

namespace base {

/**
 * class Condition - std::condition_variable for a Mutex: it can wake one thread, and Bell wakes all.
 * Context: any thread.
 */
class Condition {
public:
	void notify_one() { condition_.notify_one(); }
	void notify_all() { condition_.notify_all(); }

	/** wait() - releases the lock and sleeps until a notification, at most until @deadline_ns. Spurious
	 * wake-ups are possible. Context: the calling thread holds @lock. */
	void wait(std::unique_lock<Mutex> &lock, uint64_t deadline_ns = NO_DEADLINE)
	{
		std::mutex &mutex = *lock.mutex();
		std::unique_lock native(mutex, std::adopt_lock);
		if (deadline_ns == NO_DEADLINE)
			condition_.wait(native);
		else
			condition_.wait_until(
				native, Clock::time_point(std::chrono::nanoseconds(deadline_ns)));
		(void)native.release(); /* release ownership: @lock still holds the mutex */
	}

private:
	using Clock = std::chrono::steady_clock; /* the clock of now_ns() */

	std::condition_variable condition_;
};

} // namespace base
