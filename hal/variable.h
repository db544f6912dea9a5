// SPDX-License-Identifier: MIT
#pragma once

namespace hal {

/** has_variable() - whether the environment has a variable, be it empty. environment() has its value. */
bool has_variable(const char *name);

} // namespace hal
