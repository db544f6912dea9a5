// SPDX-License-Identifier: MIT
/**
 * DOC: Mutexes with a lock check
 *
 * A thread that waits for the device holds no lock: the work that it waits for may need another thread,
 * and that thread may need the lock. A build with UNPU_LOCK_CHECK checks the rule. Each thread keeps a
 * list of the locks that it holds, and a place where threads wait calls assert_unlocked(), which ends
 * the process if a lock in the list forbids the wait. Without UNPU_LOCK_CHECK a Mutex is a std::mutex,
 * and assert_unlocked() is nothing.
 */
#pragma once

#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "thread_safety.h"

namespace base {

/** enum class Wait - what a thread waits for. */
enum class Wait : uint8_t {
	ANSWER =
		1, /* the reply to a mailbox request; it does not depend on the progress of streams */
	WORK = 2, /* anything else: a fence, room in a ring, a host function, threads that use an
	object */
};

/** enum class HeldOver - the waits during which a thread may hold a lock. A lock that allows more than
 * NOTHING has a comment that says why. */
enum class HeldOver : uint8_t { NOTHING = 0, ANSWERS = 1, WORK = 2 };

#ifdef UNPU_LOCK_CHECK
/** assert_unlocked() - prints a message and aborts if the calling thread holds a lock under which it must
 * not wait for @what. */
void assert_unlocked(const char *what, Wait wait = Wait::WORK);

/** class LockMark - the lock checker's data of one lock. Context: any thread. */
class LockMark {
public:
	constexpr LockMark(const char *name, HeldOver over) : name_(name), over_(over) {}

	/** enter() - adds the lock to the calling thread's list. Aborts if the thread holds it already (a
	 * self-deadlock), unless @again: the lock is recursive. */
	void enter(bool again = false) const;
	/** leave() - removes the lock from the list once. */
	void leave() const;

	const char *name() const { return name_; }
	HeldOver over() const { return over_; }

private:
	const char *const name_;
	const HeldOver over_;
};
#else
inline void assert_unlocked(const char *, Wait = Wait::WORK) {}

class LockMark {
public:
	constexpr LockMark(const char *, HeldOver) {}

	void enter(bool = false) const {}
	void leave() const {}
};
#endif

/** class CheckedMutex - @M with a name and a HeldOver rule for the lock checker. Context: as @M. */
template <class M> class CAPABILITY("mutex") CheckedMutex : public M {
public:
	/** CheckedMutex() - @name: a literal, for the messages of the lock checker. */
	constexpr explicit CheckedMutex(const char *name, HeldOver over = HeldOver::NOTHING)
		: mark_(name, over)
	{
	}

	void lock() ACQUIRE()
	{
		mark_.enter(IS_RECURSIVE);
		M::lock();
	}
	bool try_lock() TRY_ACQUIRE(true)
	{
		const bool is_locked = M::try_lock();
		if (is_locked)
			mark_.enter(IS_RECURSIVE);
		return is_locked;
	}
	void unlock() RELEASE()
	{
		M::unlock();
		mark_.leave();
	}

private:
	static constexpr bool IS_RECURSIVE = std::is_same_v<M, std::recursive_mutex>;

	[[no_unique_address]] LockMark mark_;
};

using Mutex = CheckedMutex<std::mutex>;
using RecursiveMutex = CheckedMutex<std::recursive_mutex>;

/** class Unlocked - releases a lock that the thread holds, and locks it again at the end of the scope. It is for a
 * function that REQUIRES a lock whose guard is in the function's caller. */
template <class M> class SCOPED_CAPABILITY Unlocked {
public:
	explicit Unlocked(M &mutex) RELEASE(mutex) : mutex_(mutex) { mutex_.unlock(); }
	~Unlocked() RELEASE() NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
	Unlocked(const Unlocked &) = delete;
	Unlocked &operator=(const Unlocked &) = delete;

private:
	M &mutex_;
};

} // namespace base

/*
 * The standard guards have no annotations, so the analysis would not see that they lock. These are the
 * same for the library's locks, with annotations. The analysis does not follow a guard into another function.
 * A function that releases the lock of its caller for a while uses base::Unlocked.
 */
namespace std {

template <class M> class SCOPED_CAPABILITY lock_guard<base::CheckedMutex<M>> {
public:
	using mutex_type = base::CheckedMutex<M>;

	explicit lock_guard(mutex_type &mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
	lock_guard(mutex_type &mutex, adopt_lock_t) REQUIRES(mutex) : mutex_(mutex) {}
	~lock_guard() RELEASE() { mutex_.unlock(); }
	lock_guard(const lock_guard &) = delete;
	lock_guard &operator=(const lock_guard &) = delete;

private:
	mutex_type &mutex_;
};

template <class M> class SCOPED_CAPABILITY unique_lock<base::CheckedMutex<M>> {
public:
	using mutex_type = base::CheckedMutex<M>;

	unique_lock() = default;
	explicit unique_lock(mutex_type &mutex) ACQUIRE(mutex) : mutex_(&mutex), owns_(true)
	{
		mutex.lock();
	}
	unique_lock(mutex_type &mutex, try_to_lock_t) TRY_ACQUIRE(true, mutex)
		: mutex_(&mutex), owns_(mutex.try_lock())
	{
	}
	unique_lock(unique_lock &&other) noexcept
		: mutex_(std::exchange(other.mutex_, nullptr)),
		  owns_(std::exchange(other.owns_, false))
	{
	}
	~unique_lock() RELEASE() NO_THREAD_SAFETY_ANALYSIS
	{
		if (owns_)
			mutex_->unlock();
	}
	unique_lock &operator=(unique_lock &&) = delete;

	void lock() ACQUIRE() NO_THREAD_SAFETY_ANALYSIS
	{
		mutex_->lock();
		owns_ = true;
	}
	void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS
	{
		owns_ = false;
		mutex_->unlock();
	}
	bool owns_lock() const { return owns_; }
	explicit operator bool() const { return owns_; }
	mutex_type *mutex() const { return mutex_; }

private:
	mutex_type *mutex_ = nullptr;
	bool owns_ = false;
};

} // namespace std
