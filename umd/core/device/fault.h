// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/process/mode.h"

namespace umd::check {

/** explain_faults() - from now on, a line explains a SIGSEGV at an address of a device before the signal's earlier
 * action. Later calls do nothing. */
void explain_faults();

} // namespace umd::check
