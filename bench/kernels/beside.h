// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels beside operators
 *
 * Kernels as users write them, and the operators that compute the same. Both take turns, so that they see the same
 * machine.
 */
#pragma once

#include "harness/round.h"
#include "process/client.h"

namespace bench {

/** measure_beside_operators() - a sum of 64 MiB, two products, and norms of rows. Each kernel's result is compared
 * with that of the operator.
 */
void measure_beside_operators(const Effort &effort, const Client &client, Round &round);

/** measure_beside_loops() - kernels of the kinds that users write, each beside a plain loop of the program that has the
 * same result.
 */
void measure_beside_loops(const Effort &effort, const Client &client, Round &round);

} // namespace bench
