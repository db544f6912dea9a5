// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "devices.h"

namespace tool {

/** look_at_communicators() - asks processes for the ranks that they have, all at once, for a second.
 * @pids: none: all processes of the user with an open device
 * Return: an array of communicators, each with its "ranks" in their order. A rank whose process does not answer has
 * only what the others know about it. Such a process that no other one knows is a communicator without a name and
 * without ranks, with its "silent": "process", "program" and "why". */
Json look_at_communicators(std::vector<uint64_t> pids);

/** communicators() - a line for each rank: where it is, and what it waits for. */
std::string communicators(const Json &list);

} // namespace tool
