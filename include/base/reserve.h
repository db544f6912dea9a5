// SPDX-License-Identifier: MIT
#pragma once

#include "base/shm.h"

namespace base {

/** reserve_up_to() - reserve_range() of @bytes. Where a limit or a tool leaves the process fewer addresses
 * it is a quarter of the largest half, quarter, eighth ... of @bytes that there is room for, so that most
 * addresses are left for everything else. Return: NO_MEMORY for less than @alignment. */
Result<Mapping> reserve_up_to(uint64_t bytes, uint64_t alignment);

} // namespace base
