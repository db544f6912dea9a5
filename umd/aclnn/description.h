// SPDX-License-Identifier: MIT
#pragma once

#include "elementwise.h"
#include "executor.h"

namespace umd {

/* describe() - stores the call's tensors and attributes in @executor, for dumps. */
void describe(const Elementwise &call, aclOpExecutor &executor);

} // namespace umd
