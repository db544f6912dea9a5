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

/** wait_contexts() - waits for the work of all contexts on device @index, without an end, and ignores
 * captures and failures. Context: no lock and no context is held. */
void wait_contexts(int32_t index);

} // namespace umd
