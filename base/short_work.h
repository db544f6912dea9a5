// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace base {

/** SHORT_WORK_BYTES - a copy, fill or operator of at most this many bytes is short: it ends within the time
 * that a cache line needs to get to another core. So the firmware does it without an engine, and a submitting
 * thread may run the device for it instead of waking the device's thread. */
constexpr uint64_t SHORT_WORK_BYTES = 4096;

} // namespace base
