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

#include <sched.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/mutex.h"
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
	/** BiasedLock() - @name: for the sentence of the checker, a literal. */
	constexpr explicit BiasedLock(const char *name, HeldOver over = HeldOver::NOTHING)
		: mark_(name, over)
	{
	}

	/** lock() - Return: what unlock() wants to know. */
	bool lock()
	{
		mark_.enter();
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
		mark_.leave();
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
		heavy_fence(); /* L1 */
		wait_for_owner();
		return false;
	}

	/* The owner does not wake anybody: its unlock() is a plain store. A thread of a real-time class
	 * that only yielded would keep an owner on its own CPU from ever getting there. */
	void wait_for_owner()
	{
		for (unsigned looks = 1; load_acquire(held_) != 0; looks++) { /* L2 */
			if (looks <= YIELDS)
				sched_yield();
			else
				(void)futex_wait(held_, 1, deadline_after(NAP_NS), false);
		}
	}

	static constexpr unsigned YIELDS = 16;
	static constexpr uint64_t NAP_NS = 50000;

	uintptr_t owner_ = NOBODY;
	uint32_t held_ = 0;
	[[no_unique_address]] LockMark mark_;
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
