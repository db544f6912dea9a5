// SPDX-License-Identifier: MIT
#pragma once

#include "front.h"

namespace umd::cuda {

/** outlives_context() - whether the event's context was destroyed. Its device may be open still, or open
 * again, for the sake of other contexts. */
inline bool outlives_context(const Event &event)
{
	return !event.device.is_open() ||
	       !Runtime::get().contexts.get(reinterpret_cast<const void *>(event.owner));
}

/** refuse_outliving() - CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult refuse_outliving(const Event &event);

/** check_owner() - CUDA_ERROR_CONTEXT_IS_DESTROYED when the event's context was destroyed. */
inline CUresult check_owner(const Event &event)
{
	return outlives_context(event) ? refuse_outliving(event) : CUDA_SUCCESS;
}

/** find_usable_event() - find_event() and check_owner(). */
inline CUresult find_usable_event(CUevent handle, const char *name, Held<Event> &event)
{
	CU_TRY(find_event(handle, name, event));
	return check_owner(*event);
}

/** refuse_foreign() - CUDA_ERROR_INVALID_HANDLE for an event that @context has not made. */
CUresult refuse_foreign(const Event &event, const Context &context);

/** reach() - a fence of @device that passes when the event's latest record has; an empty one when it
 * has already. */
CUresult reach(Event &event, OpenDevice &device, drv::Fence &fence);

/** check_context_of() - what a task of the event's stream or context failed with, or
 * CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult check_context_of(Event &event);

/** elapsed_time() - cuEventElapsedTime() in both versions. */
CUresult elapsed_time(float *milliseconds, CUevent start_handle, CUevent end_handle);

} // namespace umd::cuda
