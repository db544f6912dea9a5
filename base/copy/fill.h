// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace base {

/** fill_pattern() - repeats the low @width bytes of @pattern. @width: 1, 2 or 4, which divides @bytes */
void fill_pattern(void *to, uint64_t bytes, uint32_t pattern, uint32_t width);

} // namespace base
