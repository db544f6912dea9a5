// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>

namespace base {

/* A deadline that never comes. */
constexpr uint64_t NO_DEADLINE = UINT64_MAX;
constexpr uint64_t NS_PER_S = 1000000000ull;
constexpr uint64_t NS_PER_MS = 1000000ull;

/** now_ns() - CLOCK_MONOTONIC in nanoseconds. */
inline uint64_t now_ns()
{
	timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<uint64_t>(now.tv_sec) * NS_PER_S + static_cast<uint64_t>(now.tv_nsec);
}

/** coarse_ns() - now_ns() at the kernel's last tick: milliseconds late, but cheap. */
inline uint64_t coarse_ns()
{
	timespec now;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return static_cast<uint64_t>(now.tv_sec) * NS_PER_S + static_cast<uint64_t>(now.tv_nsec);
}

/** deadline_after() - the deadline @timeout_ns from now; saturates at NO_DEADLINE. */
inline uint64_t deadline_after(uint64_t timeout_ns)
{
	uint64_t now = now_ns();
	return timeout_ns > NO_DEADLINE - now ? NO_DEADLINE : now + timeout_ns;
}

inline timespec to_timespec(uint64_t ns)
{
	return {static_cast<time_t>(ns / NS_PER_S), static_cast<long>(ns % NS_PER_S)};
}

} // namespace base
