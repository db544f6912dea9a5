// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/process/words.h"

namespace umd {

/** acl_words - AscendCL's names for the words of the runtime. */
extern const Words acl_words;

} // namespace umd
