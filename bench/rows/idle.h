// SPDX-License-Identifier: MIT
#pragma once

#include "harness/round.h"

namespace bench {

/** measure_idle_device() - what this process costs while its device has nothing to do, and what its
 * first task after a second costs, by turns with a wake by futex after a second. */
void measure_idle_device(const Effort &effort, Round &round);

/** measure_idle_daemon() - what a firmware-sim costs whose 64 clients have nothing to do. */
void measure_idle_daemon(const Effort &effort, Round &round);

} // namespace bench
