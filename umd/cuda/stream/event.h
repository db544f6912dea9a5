// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/front.h"

namespace umd::cuda {

/** elapsed_time() - implements both versions of cuEventElapsedTime(). */
CUresult elapsed_time(float *milliseconds, CUevent start_handle, CUevent end_handle);

} // namespace umd::cuda
