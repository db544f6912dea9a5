// SPDX-License-Identifier: MIT
#pragma once

#include "umd/cuda/front.h"

namespace umd::cuda {

/** create_context() - implements all versions of cuCtxCreate(). */
CUresult create_context(CUcontext *out, unsigned flags, CUdevice device);

/** check_context_flags() - CUDA_ERROR_INVALID_VALUE for unknown or contradictory flags. */
CUresult check_context_flags(unsigned flags);

/** synchronize_context() - waits for all work of @context. */
CUresult synchronize_context(Context &context);

} // namespace umd::cuda
