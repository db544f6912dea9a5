// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "round.h"

namespace bench {

/** usable_cpus() - the CPUs this process may run on. */
std::vector<int> usable_cpus();

/** pin_thread() - moves the calling thread to @cpu. */
void pin_thread(int cpu);

/** measure_machine() - round trips between two CPUs without any of our code in between. Adds nothing
 * on a machine with one CPU. */
void measure_machine(const Effort &effort, Round &round);

} // namespace bench
