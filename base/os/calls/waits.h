// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <poll.h>
#include <sys/epoll.h>

#include "base/clock.h"

namespace base::calls {

/* A deadline that has passed: a call with it checks once and does not wait. */
constexpr uint64_t NOW = 0;

/** time_left() - the time until @deadline_ns; 0 once it has passed. With NOW it does not read the clock. */
timespec time_left(uint64_t deadline_ns);

/** poll() - waits until a descriptor of @entries is ready, or until @deadline_ns.
 * Return: how many are ready; 0 at the deadline; -1 with errno, which is never EINTR. */
int poll(pollfd *entries, size_t count, uint64_t deadline_ns);

/** epoll_wait() - as poll(), for the descriptors of @epoll. Before Linux 5.11 the kernel counts in
 * milliseconds, and the wait may end up to one millisecond later. */
int epoll_wait(int epoll, epoll_event *events, int most, uint64_t deadline_ns);

/** sleep_until() - returns at @deadline_ns (monotonic clock), and not before. */
void sleep_until(uint64_t deadline_ns);

} // namespace base::calls
