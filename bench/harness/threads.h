// SPDX-License-Identifier: MIT
#pragma once

#include "round.h"

namespace bench {

/** measure_threads() - the same calls by one thread and by one on each CPU, up to sixteen, each with a
 * stream and an event of its own. */
void measure_threads(const Effort &effort, Round &round);

} // namespace bench
