// SPDX-License-Identifier: MIT
/**
 * DOC: Lock checker
 *
 * The list of locks that a thread holds belongs to the thread, so the checker needs no lock itself.
 */
#include "mutex.h"

#ifdef UNPU_LOCK_CHECK

#include "lock_order.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

namespace base {

/* More locks than one thread ever holds. A library that is opened by dlopen() has little room for thread_local data. */
static constexpr unsigned MOST_LOCKS = 16;

static thread_local constinit const LockMark *held[MOST_LOCKS] = {};
static thread_local constinit unsigned count = 0;

/* Prints directly: the library's log takes locks too. */
[[noreturn]] static void fail(const char *begin, const char *name, const char *end)
{
	fprintf(stderr,
		"unpu: %s %s%s; see the rules for locks in Documentation/architecture.rst\n", begin,
		name, end);
	abort();
}

/* The place of a lock in the order. Inner locks share the last one. */
static auto place_of(const LockMark *lock)
{
	return std::find(std::begin(LOCK_ORDER), std::end(LOCK_ORDER),
			 std::string_view(lock->name()));
}

/* Equal places: two inner locks, or two locks of one kind, for which there is no order. */
static void check_order(const LockMark *taken)
{
	for (unsigned i = 0; i < count; i++) {
		if (place_of(held[i]) < place_of(taken))
			continue;
		const std::string sentence =
			std::string("a thread holds the lock ") + held[i]->name() + " and takes";
		fail(sentence.c_str(), taken->name(), ", against the order of locks");
	}
}

void LockMark::enter(bool again) const
{
	const bool is_held = std::find(held, held + count, this) != held + count;
	if (is_held && !again)
		fail("a thread waits for itself: it locks", name_, ", which it holds already");
	if (!is_held)
		check_order(this);
	if (count == MOST_LOCKS)
		fail("a thread holds too many locks, and asks for", name_, "");
	held[count++] = this;
}

/* A thread may release locks in any order. */
void LockMark::leave() const
{
	for (unsigned i = count; i-- > 0;) {
		if (held[i] != this)
			continue;
		std::copy(held + i + 1, held + count, held + i);
		count--;
		return;
	}
	fail("a thread unlocks", name_, ", which it does not hold");
}

void assert_unlocked(const char *what, Wait wait)
{
	for (unsigned i = 0; i < count; i++) {
		if (static_cast<uint8_t>(held[i]->over()) >= static_cast<uint8_t>(wait))
			continue;
		const std::string sentence =
			std::string("a thread waits for ") + what + " and holds the lock";
		fail(sentence.c_str(), held[i]->name(), "");
	}
}

} // namespace base

#endif
