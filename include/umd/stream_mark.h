// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/status.h"

namespace umd {

struct Stream;

/** mark_stream() - a place in a stream's order, and a moment of the calling thread. @words, @category:
 * as in hal/trace.h. Nothing while nothing is recorded. Return: what enqueue() says. */
base::Status mark_stream(Stream &stream, uint32_t words, uint32_t category = 0);

} // namespace umd
