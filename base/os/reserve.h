// SPDX-License-Identifier: MIT
#pragma once

#include "shm.h"

namespace base {

/** reserve_up_to() - reserve_range() of @bytes. If a limit or a tool leaves the process less address space,
 * it finds the largest half, quarter, eighth ... of @bytes that fits and reserves a quarter of that. The
 * rest stays free for other mappings. Return: NO_MEMORY for less than @alignment. */
Result<Mapping> reserve_up_to(uint64_t bytes, uint64_t alignment);

} // namespace base
