// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fw {

/** STREAMED_BYTES - copies of so much are faster past the caches: what one brings in, it throws out. */
constexpr size_t STREAMED_BYTES = size_t{16} << 20;

/** copy_streamed() - copies without leaving the target in the caches. The ranges do not overlap. */
void copy_streamed(std::byte *to, const std::byte *from, size_t bytes);

} // namespace fw
