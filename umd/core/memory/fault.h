// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/process/mode.h"

namespace umd::check {

/** explain_faults() - installs a handler that prints a line about each SIGSEGV at an address of a device, and then
 * takes the signal's earlier action. Later calls do nothing. */
void explain_faults();

} // namespace umd::check
