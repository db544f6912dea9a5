// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "devices.h"

namespace tool {

/** fields() - text with a line for each member of @section that is a number or a text. Sizes get a unit. */
std::string fields(const Json &section);

/** clients() - the users of a device: a table of processes, a table of channels, the graphs, and the
 * semaphores for which a channel or a thread waits. */
std::string clients(const Json &snapshot);

/** rates() - what a device did between two of its snapshots, in two lines. @before may be null, or come from
 * an earlier start of the device: then there are no rates yet. */
std::string rates(const Json &before, const Json &now);

} // namespace tool
