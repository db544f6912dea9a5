// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <climits>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

namespace base {

/** futex_wait() - sleeps while @word holds @value, at most until @deadline_ns (monotonic clock).
 * @shared: the word lies in memory that is mapped more than once. A signal does not end the sleep. Otherwise
 * a caller that sleeps for short slices would begin a new slice with each signal.
 * Return: false when the deadline passed. */
inline bool futex_wait(const uint32_t &word, uint32_t value, uint64_t deadline_ns, bool shared)
{
	timespec when = to_timespec(deadline_ns);
	int op = FUTEX_WAIT_BITSET | (shared ? 0 : FUTEX_PRIVATE_FLAG);
	long rc;
	do
		rc = syscall(SYS_futex, &word, op, value,
			     deadline_ns == NO_DEADLINE ? nullptr : &when, nullptr,
			     FUTEX_BITSET_MATCH_ANY);
	while (rc != 0 && errno == EINTR);
	return rc == 0 || errno != ETIMEDOUT;
}

/** futex_wake_all() - wakes every thread that sleeps on @word. */
inline void futex_wake_all(const uint32_t &word, bool shared)
{
	int op = FUTEX_WAKE | (shared ? 0 : FUTEX_PRIVATE_FLAG);
	syscall(SYS_futex, &word, op, INT_MAX, nullptr, nullptr, 0);
}

} // namespace base
