// SPDX-License-Identifier: MIT
#pragma once

#include "client.h"
#include "round.h"

namespace bench {

/** measure_graphs() - aclmdlRIExecuteAsync() and synchronize for captured graphs of 1 to 1000 nodes. */
void measure_graphs(const Client &client, const Effort &effort, Round &round);

} // namespace bench
