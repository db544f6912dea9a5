// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/process/words.h"

namespace umd::cuda {

/** cuda_words - the CUDA driver interface's names for the words in messages of the runtime. It has a row for
 * each word of a message that a CUDA call can cause. */
extern const Words cuda_words;

} // namespace umd::cuda
