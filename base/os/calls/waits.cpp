// SPDX-License-Identifier: MIT
/**
 * DOC: Waits in system calls
 *
 * A signal makes poll(), epoll_wait() and clock_nanosleep() fail with EINTR, even with SA_RESTART. poll()
 * fails with EINTR even if it must not wait: a pending signal is enough. These functions repeat the call. The
 * deadline is a point in time, so signals can't move it.
 */
#include "waits.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace base::calls {

timespec time_left(uint64_t deadline_ns)
{
	if (deadline_ns == NOW)
		return {};
	const uint64_t now = now_ns();
	return to_timespec(deadline_ns > now ? deadline_ns - now : 0);
}

int poll(pollfd *entries, size_t count, uint64_t deadline_ns)
{
	for (;;) {
		const timespec left = time_left(deadline_ns);
		const int ready = ::ppoll(entries, count,
					  deadline_ns == NO_DEADLINE ? nullptr : &left, nullptr);
		if (ready >= 0 || errno != EINTR)
			return ready;
	}
}

/* epoll_pwait2() needs Linux 5.11. */
static int wait_once(int epoll, epoll_event *events, int most, uint64_t deadline_ns)
{
	constexpr uint64_t MOST_MS = 3600 * 1000;
	const bool is_endless = deadline_ns == NO_DEADLINE;
	const timespec left = time_left(deadline_ns);
	const int ready =
		::epoll_pwait2(epoll, events, most, is_endless ? nullptr : &left, nullptr);
	if (ready >= 0 || errno != ENOSYS)
		return ready;
	const uint64_t left_ns =
		static_cast<uint64_t>(left.tv_sec) * NS_PER_S + static_cast<uint64_t>(left.tv_nsec);
	const uint64_t left_ms = std::min((left_ns + NS_PER_MS - 1) / NS_PER_MS, MOST_MS);
	return ::epoll_wait(epoll, events, most, is_endless ? -1 : static_cast<int>(left_ms));
}

int epoll_wait(int epoll, epoll_event *events, int most, uint64_t deadline_ns)
{
	for (;;) {
		const int ready = wait_once(epoll, events, most, deadline_ns);
		if (ready >= 0 || errno != EINTR)
			return ready;
	}
}

void sleep_until(uint64_t deadline_ns)
{
	const timespec when = to_timespec(deadline_ns);
	while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) == EINTR)
		continue;
}

} // namespace base::calls
