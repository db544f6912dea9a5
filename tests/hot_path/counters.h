// SPDX-License-Identifier: MIT
/*
 * DOC: counting what a thread costs
 */
#ifndef UNPU_TESTS_HOT_PATH_COUNTERS_H
#define UNPU_TESTS_HOT_PATH_COUNTERS_H

#include <functional>
#include <string>
#include <vector>

namespace hot_path {

/* Allocations of the calling thread so far. */
unsigned long allocations();

/* The allocations and system calls of a piece of work. */
struct Cost {
	bool watched = false; /* whether system calls could be counted at all */
	unsigned long allocations = 0;
	std::vector<long> system_calls; /* their numbers */
};

/*
 * Runs prepare, and then work with everything counted, on a thread of its own: a filter for system
 * calls is for the rest of a thread's life. The calls are only looked at, and happen as ever.
 */
Cost measure(const std::function<void()> &prepare, const std::function<void()> &work,
	     const std::function<void()> &finish);

} // namespace hot_path

#endif
