// SPDX-License-Identifier: MIT
/**
 * DOC: Biased lock
 *
 * A lock for objects that one thread uses nearly always, as a stream is used by the thread that
 * fills it. The first thread that takes it owns it from then on and pays two plain stores; the first
 * other thread takes the ownership away for good, and from then on it is a mutex for everybody.
 *
 *	pair	owner				who takes the ownership away
 *	L1	held, light fence, owner	owner, heavy fence, held
 *	L2	data, then not held (release)	not held (acquire), then data
 */
#pragma once

#include <mutex>

#include <sched.h>

#include "base/ordering.h"

namespace base {

/** thread_mark() - a number that no other living thread has; never 0 or 1. */
inline uintptr_t thread_mark()
{
	return reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
}

/** class BiasedLock - Context: any thread; not recursive. */
class BiasedLock {
public:
	/** lock() - Return: what unlock() wants to know. */
	bool lock()
	{
		uintptr_t me = thread_mark();
		if (load_relaxed(owner_) == me) [[likely]] {
			/* A thread may have the mark of one that has ended: it follows it (L2). */
			(void)load_acquire(held_);
			store_relaxed(held_, uint32_t{1});
			light_fence(); /* L1 */
			if (load_relaxed(owner_) == me) [[likely]]
				return true;
			store_release(held_, uint32_t{0});
		}
		return lock_slowly(me);
	}

	void unlock(bool biased)
	{
		if (biased) [[likely]]
			store_release(held_, uint32_t{0}); /* L2 */
		else
			mutex_.unlock();
	}

private:
	static constexpr uintptr_t NOBODY = 0;
	static constexpr uintptr_t EVERYBODY = 1;

	bool lock_slowly(uintptr_t me)
	{
		mutex_.lock();
		uintptr_t owner = load_relaxed(owner_);
		if (owner == EVERYBODY)
			return false;
		if (owner == NOBODY) {
			store_relaxed(held_, uint32_t{1});
			store_relaxed(owner_, me);
			mutex_.unlock();
			return true;
		}
		store_relaxed(owner_, EVERYBODY);
		heavy_fence();			 /* L1 */
		while (load_acquire(held_) != 0) /* L2 */
			sched_yield();
		return false;
	}

	uintptr_t owner_ = NOBODY;
	uint32_t held_ = 0;
	std::mutex mutex_; /* once there is more than one thread */
};

/** class BiasedGuard - holds a BiasedLock for a scope. */
class BiasedGuard {
public:
	explicit BiasedGuard(BiasedLock &lock) : lock_(lock), biased_(lock.lock()) {}
	~BiasedGuard()
	{
		if (held_)
			lock_.unlock(biased_);
	}
	BiasedGuard(const BiasedGuard &) = delete;
	BiasedGuard &operator=(const BiasedGuard &) = delete;

	/** unlock() - before the end of the scope. */
	void unlock()
	{
		held_ = false;
		lock_.unlock(biased_);
	}

private:
	BiasedLock &lock_;
	const bool biased_;
	bool held_ = true;
};

} // namespace base
