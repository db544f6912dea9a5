// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>

#include "futex.h"
#include "mutex.h"
#include "ordering.h"

namespace base {

/**
 * class Bell - a condition variable for the threads of one process.
 * Context: the caller of either method holds the mutex that protects the condition.
 */
class Bell {
public:
	/** ring() - wakes all waiting threads. */
	void ring()
	{
		if (waiters_ == 0)
			return;
		fetch_add(rings_, uint32_t{1});
		futex_wake_all(rings_, false);
	}

	/** wait() - releases the lock, sleeps until ring() or @deadline_ns, and takes the lock again. Spurious
	 * wake-ups are possible. The analysis can't follow the lock through @lock.
	 * Return: false if the deadline passed. */
	bool wait(std::unique_lock<Mutex> &lock, uint64_t deadline_ns) NO_THREAD_SAFETY_ANALYSIS
	{
		const uint32_t seen = load_relaxed(rings_);
		waiters_++;
		lock.unlock();
		assert_unlocked("a bell");
		const bool in_time = futex_wait(rings_, seen, deadline_ns, false);
		lock.lock();
		waiters_--;
		return in_time;
	}

private:
	uint32_t rings_ = 0;
	uint32_t waiters_ = 0;
};

} // namespace base
