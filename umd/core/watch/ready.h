// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "drv/packet/fence.h"

namespace umd {

struct OpenDevice;

/* If a stream is at the same wait for this many looks, only a call of the program can end the wait. One look
 * is not enough, because the device may still have to check the word in memory for which the stream waits. */
constexpr unsigned MOST_LOOKS = 5;

/**
 * await_ready() - lets ready tasks run: tasks that wait only for running tasks
 * @fences: the last fence of each stream
 * @since_ns: as in run_ready(), with the same time limit
 * @most_looks: it stops after this many looks in a row at which nothing was ready
 *
 * Context: as run_ready().
 * Return: TIMEOUT: work is left. DEVICE_LOST. Sets no error message.
 */
base::Status await_ready(OpenDevice &open, std::span<const drv::Fence> fences, uint64_t since_ns,
			 unsigned most_looks = MOST_LOOKS);

/**
 * run_ready() - before work is dropped by force, lets ready tasks run: tasks that wait only for running tasks
 * @fences: the last fence of each stream
 * @since_ns: time at which the end began
 *
 * It waits at most until hal::Device::force_ns() after @since_ns, and only as long as some task is ready.
 * Context: any thread; the caller keeps @open open. No lock is held.
 * Return: TIMEOUT: work is left, which the caller drops; a line on stderr names it. DEVICE_LOST. Sets no
 * error message.
 */
base::Status run_ready(OpenDevice &open, std::span<const drv::Fence> fences, uint64_t since_ns);

} // namespace umd
