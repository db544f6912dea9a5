// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "devices.h"

namespace tool {

/** fields() - a line for each plain member of @section; sizes for people. */
std::string fields(const Json &section);

/** clients() - who uses a device: a table of processes, one of channels, the graphs, and the
 * semaphores that something waits for. */
std::string clients(const Json &snapshot);

/** rates() - what a device did between two of its snapshots, in two lines. @before may be null or of
 * an earlier start of the device: then there are no rates yet. */
std::string rates(const Json &before, const Json &now);

} // namespace tool
