// SPDX-License-Identifier: MIT
#pragma once

namespace hal {

/** has_variable() - whether the environment has a variable, even an empty one. environment() returns its
 * value. */
bool has_variable(const char *name);

} // namespace hal
