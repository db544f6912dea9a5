// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "base/shm.h"

namespace base {

/** close_apart() - closes a descriptor that another process has handed over, on a thread of its own: the
 * last close of a file takes as long as its file system wants. Context: any thread. */
void close_apart(Fd fd);

/** closes_waiting() - descriptors given to close_apart() that are not closed yet. */
size_t closes_waiting();

} // namespace base
