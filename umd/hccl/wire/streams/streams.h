// SPDX-License-Identifier: MIT
#pragma once

#include "umd/hccl/wire/engine.h"

namespace umd {

/** streams_engine() - the engine over sockets of the kernel: Unix sockets in one network, TCP to others. */
const WireEngine *streams_engine();

} // namespace umd
