// SPDX-License-Identifier: MIT
#pragma once

namespace binding {

/** sweep_callbacks() - lets go of what callbacks need whose stream or model no longer exists. */
void sweep_callbacks();

} // namespace binding
