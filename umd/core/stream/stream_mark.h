// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/status.h"

namespace umd {

struct Stream;

/** mark_stream() - adds a mark to the trace when the stream reaches it, and one for the calling thread now.
 * Does nothing while no trace is recorded. @words, @category: as in hal/trace.h. Return: as enqueue(). */
base::Status mark_stream(Stream &stream, uint32_t words, uint32_t category = 0);

} // namespace umd
