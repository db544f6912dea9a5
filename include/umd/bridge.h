// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "drv/fence.h"

namespace umd {

struct DeviceState;

/**
 * bridge_fence() - a fence of @to that passes some time after @fence of @from has: devices can't see
 * each other's semaphores, so a thread of ours waits on the one and signals on the other.
 * Context: any thread; both devices are open.
 * Return: NO_RESOURCE when the thread can't be started, or no semaphore is left.
 */
base::Result<drv::Fence> bridge_fence(DeviceState &from, const drv::Fence &fence, DeviceState &to);

/** close_bridges() - the device is about to close and has no more work: ends what leads from it and
 * cuts off what leads to it. Context: the runtime's lock. */
void close_bridges(DeviceState &state);

} // namespace umd
