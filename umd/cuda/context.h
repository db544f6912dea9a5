// SPDX-License-Identifier: MIT
#pragma once

#include "front.h"

namespace umd::cuda {

/** create_context() - cuCtxCreate() in all its versions. */
CUresult create_context(CUcontext *out, unsigned flags, CUdevice device);

/** check_context_flags() - CUDA_ERROR_INVALID_VALUE for unknown or contradicting ones. */
CUresult check_context_flags(unsigned flags);

/** synchronize_context() - waits for all work of @context. */
CUresult synchronize_context(Context &context);

} // namespace umd::cuda
