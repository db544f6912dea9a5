// SPDX-License-Identifier: MIT
/**
 * DOC: Levels of checks
 *
 * What level 1 costs, which kernels run at unless a user asks for another. A program has one level, so each
 * measurement starts a process; the levels alternate.
 */
#pragma once

#include <string>

#include "harness/round.h"

namespace bench {

/** time_kernel() - prints the nanoseconds of the fastest launch of kernel @name, as measure_levels() reads
 * them: slower ones are those of other programs.
 * Return: the exit status of main()
 */
int time_kernel(const std::string &name);

/** measure_levels() - of each kernel: a row at level 1, by the same at level 0.
 * @self: this program; with --time NAME it calls time_kernel()
 */
void measure_levels(const Effort &effort, const std::string &self, Round &round);

} // namespace bench
