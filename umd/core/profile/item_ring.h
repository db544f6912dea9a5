// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/sync/futex.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"

namespace umd {

/**
 * class ItemRing - a FIFO with a fixed capacity; items are moved in and out. Context: the owner's lock.
 */
template <class T> class ItemRing {
public:
	explicit ItemRing(size_t capacity) : slots_(capacity) {}

	size_t capacity() const { return slots_.size(); }
	size_t size() const { return static_cast<size_t>(tail_ - head_); }
	bool empty() const { return tail_ == head_; }
	bool full() const { return size() == slots_.size(); }

	/** push() - at the end. Context: not full. */
	void push(T item) { slots_[tail_++ % slots_.size()] = std::move(item); }
	/** first(), pop() - the oldest. Context: not empty. */
	const T &first() const { return slots_[head_ % slots_.size()]; }
	T pop() { return std::exchange(slots_[head_++ % slots_.size()], T{}); }

private:
	std::vector<T> slots_;
	uint64_t head_ = 0;
	uint64_t tail_ = 0;
};

/** class Change - a condition variable on a futex, for a mutex that all users share. */
class Change {
public:
	/** announce() - wakes all. Context: under the lock. */
	void announce()
	{
		base::fetch_add(count_, uint32_t{1});
		base::futex_wake_all(count_, false);
	}

	/** wait() - releases the lock, sleeps until announce() or the deadline, and takes the lock again.
	 * Spurious wake-ups are possible. Context: under the lock, which
	 * the analysis can't follow through @lock. Return: false if the deadline passed. */
	bool wait(std::unique_lock<base::Mutex> &lock,
		  uint64_t deadline_ns) NO_THREAD_SAFETY_ANALYSIS
	{
		uint32_t seen = base::load_relaxed(count_);
		lock.unlock();
		base::assert_unlocked("a change");
		bool in_time = base::futex_wait(count_, seen, deadline_ns, false);
		lock.lock();
		return in_time;
	}

private:
	uint32_t count_ = 0;
};

/** wait_deadline() - the deadline of a timeout in milliseconds: -1 for no limit, 0 does not wait.
 * Return: 0 for a deadline that has passed already. */
inline uint64_t wait_deadline(int32_t timeout_ms)
{
	if (timeout_ms < 0)
		return base::NO_DEADLINE;
	return timeout_ms == 0
		       ? 0
		       : base::deadline_after(static_cast<uint64_t>(timeout_ms) * base::NS_PER_MS);
}

} // namespace umd
