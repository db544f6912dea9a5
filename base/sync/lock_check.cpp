// SPDX-License-Identifier: MIT
/**
 * DOC: Lock checker
 *
 * The list of locks that a thread holds belongs to the thread, so the checker needs no lock itself.
 */
#include "mutex.h"

#ifdef UNPU_LOCK_CHECK

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace base {

/* More locks than one thread ever holds. */
static constexpr unsigned MOST_LOCKS = 32;

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

void LockMark::enter(bool again) const
{
	if (!again && std::find(held, held + count, this) != held + count)
		fail("a thread waits for itself: it locks", name_, ", which it holds already");
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
