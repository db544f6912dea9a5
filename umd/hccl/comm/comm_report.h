// SPDX-License-Identifier: MIT
#pragma once

namespace umd {

/** show_communicators() - from now on, class Look reports the calls of this process's ranks and what they
 * wait for. */
void show_communicators();

} // namespace umd
