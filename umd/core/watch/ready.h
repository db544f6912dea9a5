// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "drv/packet/fence.h"

namespace umd {

struct OpenDevice;

/* A stream that stands before a wait for so many looks stands there until a call of the program ends the wait. The
 * device may still have to look at the word in memory for which the stream waits. */
constexpr unsigned MOST_LOOKS = 5;

/**
 * await_ready() - lets run what is ready: tasks that wait for nothing but tasks that run
 * @fences: the last ones of streams
 * @since_ns: as of run_ready(), whose bounds it has
 * @most_looks: at how many looks in a row nothing may be ready
 *
 * Context: as run_ready().
 * Return: TIMEOUT: work is left. DEVICE_LOST, without a sentence.
 */
base::Status await_ready(OpenDevice &open, std::span<const drv::Fence> fences, uint64_t since_ns,
			 unsigned most_looks = MOST_LOOKS);

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
