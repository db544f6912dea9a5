// SPDX-License-Identifier: MIT
#pragma once

#include "elementwise.h"
#include "executor.h"

namespace umd {

/* describe() - keeps in @executor what the call was given, for the services that write it down. */
void describe(const Elementwise &call, aclOpExecutor &executor);

} // namespace umd
