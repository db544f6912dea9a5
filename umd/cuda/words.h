// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/process/words.h"

namespace umd::cuda {

/** cuda_words - The CUDA driver interface's names for the words of the runtime. The sentences that it can get have no others. */
extern const Words cuda_words;

} // namespace umd::cuda
