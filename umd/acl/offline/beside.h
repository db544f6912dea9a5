// SPDX-License-Identifier: MIT
#pragma once

#include "drv/packet/fence.h"
#include "umd/core/stream/stream.h"

namespace umd {

/** runs_beside() - whether what @stream gets next may run while the work of @end does: that has not ended, and
 * nothing of what the stream has to do may wait for it. @end: of the stream's device */
bool runs_beside(Stream &stream, const drv::Fence &end);

/** watch_graphs() - from now on strict mode looks at the graphs that a program launches: a graph with a captured run of
 * a model must not run beside that model. */
void watch_graphs();

} // namespace umd
