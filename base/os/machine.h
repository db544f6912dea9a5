// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace base {

/** usable_cpus() - CPUs this process may run on, by affinity mask and cgroup quota; at least 1. */
unsigned usable_cpus();

/** host_memory_bytes() - physical memory of the host. */
uint64_t host_memory_bytes();

/** available_memory_bytes() - what the host, and the cgroup's limit, would give now without swapping. */
uint64_t available_memory_bytes();

/** process_cpu_ns() - how long the threads of process @pid have used a CPU so far; 0 if there is no such process. */
uint64_t process_cpu_ns(uint32_t pid);

/**
 * folder_of() - the folder of the library or program that has the code at an address
 *
 * A link to the file, as in a folder that the loader searches, is followed: the other files of the toolkit lie
 * beside the file.
 *
 * Return: with no slash at its end; "." where nothing is known.
 */
std::string folder_of(const void *code);

} // namespace base
