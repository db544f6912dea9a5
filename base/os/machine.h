// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace base {

/** usable_cpus() - CPUs this process may run on, by affinity mask and cgroup quota; at least 1. */
unsigned usable_cpus();

/** host_memory_bytes() - physical memory of the host. */
uint64_t host_memory_bytes();

/** available_memory_bytes() - what the host, and the cgroup's limit, would give now without swapping. */
uint64_t available_memory_bytes();

} // namespace base
