// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "round.h"

namespace bench {

/** usable_cpus() - the CPUs this process may run on. */
std::vector<int> usable_cpus();

/** pin_thread() - moves the calling thread to @cpu. */
void pin_thread(int cpu);

/* Lines between two looks at the clock: as many as the batches of tasks that are compared with them. */
constexpr unsigned RING_BATCH = 1000;

/** measure_machine() - a call, and round trips and a ring between two CPUs, without any of our code in between. On a
 * machine with one CPU only what needs no other. */
void measure_machine(const Effort &effort, Round &round);

/** measure_ring() - 64-byte lines from one CPU to another. @by: lines that are published together, 1 or 8 */
void measure_ring(const Effort &effort, unsigned by, Round &round);

} // namespace bench
