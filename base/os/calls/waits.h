// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <poll.h>
#include <sys/epoll.h>

#include "base/clock.h"

namespace base::calls {

/* A deadline that has passed: a call with it looks and does not wait. */
constexpr uint64_t NOW = 0;

/** time_left() - the time until @deadline_ns; 0 once it has passed. NOW needs no look at the clock. */
timespec time_left(uint64_t deadline_ns);

/** poll() - waits until a descriptor of @entries is ready, or until @deadline_ns.
 * Return: how many are ready; 0 at the deadline; -1 with errno, which is never EINTR. */
int poll(pollfd *entries, size_t count, uint64_t deadline_ns);

/** epoll_wait() - as poll(), for the descriptors of @epoll. Before Linux 5.11 the kernel counts milliseconds, and the
 * wait ends up to one later. */
int epoll_wait(int epoll, epoll_event *events, int most, uint64_t deadline_ns);

/** sleep_until() - returns at @deadline_ns (monotonic clock), and not before. */
void sleep_until(uint64_t deadline_ns);

} // namespace base::calls
