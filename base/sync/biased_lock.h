// SPDX-License-Identifier: MIT
/**
 * DOC: Biased lock
 *
 * A lock for objects that one thread uses nearly always, for example a stream, which its producer uses.
 * The first thread that takes the lock becomes its owner: each lock and unlock then costs the owner one
 * plain store. The first other thread revokes the bias. From then on the lock is a mutex for all threads,
 * and no thread becomes the owner again.
 *
 * L1 orders the owner against the revoker: either the owner sees that its bias is gone, or the revoker
 * sees that the lock is held. L2 is acquire and release of a lock.
 *
 *	pair	owner				revoker (lock_slowly())
 *	L1	held, light fence, owner	owner, heavy fence, held
 *	L2	data, then not held (release)	not held (acquire), then data
 */
#pragma once

#include <sched.h>

#include "base/clock.h"
#include "futex.h"
#include "mutex.h"
#include "ordering.h"

namespace base {

/** thread_mark() - a number that no other living thread has; never 0 or 1. */
inline uintptr_t thread_mark()
{
	return reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
}

/** class BiasedLock - Context: any thread; not recursive. */
class CAPABILITY("biased lock") BiasedLock {
public:
	/** BiasedLock() - @name: a literal, for the messages of the lock checker. */
	constexpr explicit BiasedLock(const char *name, HeldOver over = HeldOver::NOTHING)
		: mark_(name, over)
	{
	}

	/** lock() - Return: whether the caller holds the lock as its owner; pass it to unlock(). */
	bool lock() ACQUIRE()
	{
		mark_.enter();
		uintptr_t me = thread_mark();
		if (load_relaxed(owner_) == me) [[likely]] {
			/* A new thread may reuse the mark of an ended owner. The acquire orders it after that
			 * owner's last unlock() (L2). */
			(void)load_acquire(held_);
			store_relaxed(held_, uint32_t{1});
			light_fence(); /* L1: the revoker writes owner_, then reads held_ */
			if (load_relaxed(owner_) == me) [[likely]]
				return true;
			store_release(held_, uint32_t{0});
		}
		return lock_slowly(me);
	}

	void unlock(bool biased) RELEASE()
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
		heavy_fence(); /* L1: the owner writes held_, then reads owner_ */
		wait_for_owner();
		return false;
	}

	/* Polls, because the owner's unlock() is a plain store and wakes no thread. After some yields it
	 * sleeps for short times: a real-time thread that only yields would never let an owner on the same
	 * CPU run. */
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
	/* used after the bias was revoked; the lock checker uses @mark_ instead */
	std::mutex mutex_;
};

/** class BiasedGuard - holds a BiasedLock for a scope. */
class SCOPED_CAPABILITY BiasedGuard {
public:
	explicit BiasedGuard(BiasedLock &lock) ACQUIRE(lock) : lock_(lock), biased_(lock.lock()) {}
	~BiasedGuard() RELEASE() NO_THREAD_SAFETY_ANALYSIS
	{
		if (held_)
			lock_.unlock(biased_);
	}
	BiasedGuard(const BiasedGuard &) = delete;
	BiasedGuard &operator=(const BiasedGuard &) = delete;

	/** unlock() - releases the lock before the end of the scope. */
	void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS
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
