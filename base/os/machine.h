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

/** process_cpu_ns() - how long the threads of process @pid have used a CPU so far; 0 if there is no such process. */
uint64_t process_cpu_ns(uint32_t pid);

} // namespace base
