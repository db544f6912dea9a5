// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "uapi/regs.h"

namespace drv {

/**
 * struct Fence - the condition "this semaphore has reached this value". Stream order, waits between streams,
 * deferred free and profiling use it. A default-constructed fence has passed.
 */
struct Fence {
	uint32_t sem = UNPU_SEM_NONE;
	uint64_t value = 0;

	bool empty() const { return sem == UNPU_SEM_NONE; }
	bool operator==(const Fence &) const = default;
};

} // namespace drv
