// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace san::test {

/** heap_bytes() - what this program has allocated with new and not deleted. */
size_t heap_bytes();

} // namespace san::test
