// SPDX-License-Identifier: MIT
#pragma once

#include "hal/wait_policy.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** create_context() - implements all versions of cuCtxCreate(). */
CUresult create_context(CUcontext *out, unsigned flags, CUdevice device);

/** check_context_flags() - CUDA_ERROR_INVALID_VALUE for unknown or contradictory flags. */
CUresult check_context_flags(unsigned flags);

/** way_of() - how a thread waits for the work of @context, from its flag CU_CTX_SCHED_... */
hal::WaitWay way_of(const Context &context);

/** synchronize_context() - waits for all work of @context. */
CUresult synchronize_context(Context &context);

} // namespace umd::cuda
