/* SPDX-License-Identifier: MIT */
/*
 * DOC: what the kernel lists of this process
 */
#ifndef UNPU_TESTS_OWN_ENTRIES_H
#define UNPU_TESTS_OWN_ENTRIES_H

#include <sched.h>

#include <cstddef>
#include <filesystem>
#include <iterator>

/* The entries of a folder of /proc/self, such as "fd". */
inline std::size_t count_own(const char *folder)
{
	const std::filesystem::directory_iterator all(std::filesystem::path("/proc/self") / folder);

	return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/* Waits until there are no more than @threads, for some turns. A joined thread stays in /proc until the kernel has put
 * it away. Return: how many there are. */
inline std::size_t await_threads(std::size_t threads)
{
	std::size_t now = count_own("task");

	for (int turn = 0; turn < 10000 && now > threads; ++turn) {
		sched_yield();
		now = count_own("task");
	}
	return now;
}

#endif
