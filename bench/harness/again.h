// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "round.h"

namespace bench {

/** run_again() - runs this program once more, as a process of its own, and ends this one if that fails.
 * @arguments: what tells it what to measure
 * @device: its device string; empty leaves this program's
 * Return: what it measured, by answer(). */
Round run_again(std::vector<std::string> arguments, const Effort &effort,
		const std::string &device = "");

/** answer() - the other half: writes what was measured to standard output. Return: the exit code. */
int answer(const Round &round);

} // namespace bench
