// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "harness/round.h"

namespace bench {

/** measure_peers() - the shapes of replays.h as calls through an array of functions, and as flow graphs
 * of the libraries that this was built with. */
void measure_peers(const Effort &effort, Round &round);

/** missing_peers() - names of the libraries that this was built without. */
std::string missing_peers();

} // namespace bench
