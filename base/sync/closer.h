// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "base/os/shm.h"

namespace base {

/** close_apart() - closes, on a separate thread, a descriptor that another process sent. The last close of
 * a file can block in its file system. Context: any thread. */
void close_apart(Fd fd);

/** closes_waiting() - number of descriptors passed to close_apart() and not closed yet. */
size_t closes_waiting();

} // namespace base
