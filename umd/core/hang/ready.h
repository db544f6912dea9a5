// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "drv/channel/fence.h"

namespace umd {

struct OpenDevice;

/**
 * run_ready() - before work is dropped by force, lets run what is ready: tasks that wait for nothing but tasks that run
 * @fences: the last ones of streams
 * @since_ns: when the end began
 *
 * It waits until hal::Device::force_ns() after @since_ns at most, and no longer than there is something ready.
 * Context: any thread; the caller keeps @open open. No lock is held.
 * Return: TIMEOUT: work is left, which the caller drops; a line on stderr names it. DEVICE_LOST, without a sentence.
 */
base::Status run_ready(OpenDevice &open, std::span<const drv::Fence> fences, uint64_t since_ns);

} // namespace umd
