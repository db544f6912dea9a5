// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "words.h"

namespace umd {

/** make_nonce() - a random one. derive_nonce() - the one that follows from two parts. */
Nonce make_nonce();
Nonce derive_nonce(const void *first, size_t first_bytes, const void *second, size_t second_bytes);

} // namespace umd
