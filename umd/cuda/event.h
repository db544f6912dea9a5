// SPDX-License-Identifier: MIT
#pragma once

#include "front.h"

namespace umd::cuda {

/** check_device_of() - CUDA_ERROR_CONTEXT_IS_DESTROYED when the event's device was closed. */
CUresult check_device_of(const Event &event);

/** refuse_foreign() - CUDA_ERROR_INVALID_HANDLE for an event that @context has not made. */
CUresult refuse_foreign(const Event &event, const Context &context);

/** reach() - a fence of @device that passes when the event's latest record has; an empty one when it
 * has already. */
CUresult reach(Event &event, OpenDevice &device, drv::Fence &fence);

/** check_context_of() - what a task of the event's stream or context failed with. */
CUresult check_context_of(Event &event);

/** elapsed_time() - cuEventElapsedTime() in both versions. */
CUresult elapsed_time(float *milliseconds, CUevent start_handle, CUevent end_handle);

} // namespace umd::cuda
