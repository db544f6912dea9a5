// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "devices.h"

namespace tool {

/** look_at_communicators() - asks processes for their ranks: all processes at once, for at most one second.
 * @pids: the processes to ask; empty: all processes of the user that have an open device
 * Return: an array of communicators, each with "ranks" in the order of their numbers. If the process of a
 * rank does not answer, the rank has only what other processes know about it. A process that does not answer
 * and that no other process knows is listed as a communicator without a name and ranks; its member "silent"
 * has "process", "program" and "why". */
Json look_at_communicators(std::vector<uint64_t> pids);

/** communicators() - text with a line for each rank: in which process it is, and what it waits for. */
std::string communicators(const Json &list);

} // namespace tool
