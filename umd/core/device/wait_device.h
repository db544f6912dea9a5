// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/status.h"

namespace umd {

struct Context;

/** wait_device() - waits for all streams of all contexts that the process has on the context's device.
 * It does not report failures of the other contexts, and ignores captures there.
 * Return: as wait_context(). */
base::Status wait_device(Context &context, uint64_t deadline_ns);

} // namespace umd
