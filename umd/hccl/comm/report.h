// SPDX-License-Identifier: MIT
#pragma once

namespace umd {

/** show_communicators() - class Look tells what this process's ranks have called and wait for, from now on. */
void show_communicators();

} // namespace umd
