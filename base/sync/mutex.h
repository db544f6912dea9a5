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
template <class M> class CheckedMutex : public M {
public:
	/** CheckedMutex() - @name: a literal, for the messages of the lock checker. */
	constexpr explicit CheckedMutex(const char *name, HeldOver over = HeldOver::NOTHING)
		: mark_(name, over)
	{
	}

	void lock()
	{
		mark_.enter(IS_RECURSIVE);
		M::lock();
	}
	bool try_lock()
	{
		const bool is_locked = M::try_lock();
		if (is_locked)
			mark_.enter(IS_RECURSIVE);
		return is_locked;
	}
	void unlock()
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

} // namespace base
