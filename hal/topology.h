// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace hal {

/** numa_nodes() - nodes with memory; 1 where the kernel or the machine has no NUMA. */
unsigned numa_nodes();

/** populate() - makes all pages present that overlap a range. Return: NO_MEMORY. */
base::Status populate(void *start, uint64_t bytes);

/** lock_pages() - keeps a present range in memory.
 * Return: NO_PERMISSION when RLIMIT_MEMLOCK does not allow it. */
base::Status lock_pages(void *start, uint64_t bytes);

/** unlock_pages() - undoes lock_pages(). */
void unlock_pages(void *start, uint64_t bytes);

/** limits_sentence() - names the process limits that can make an allocation fail, with a "; " before each:
 * RLIMIT_FSIZE and RLIMIT_AS if set, RLIMIT_NOFILE if reached (shared memory needs descriptors). "" if no
 * limit can be the cause. */
std::string limits_sentence();

/** memlock_sentence() - text for an error message: the limit of locked memory, and how to raise it. */
std::string memlock_sentence(uint64_t wanted_bytes);

} // namespace hal
