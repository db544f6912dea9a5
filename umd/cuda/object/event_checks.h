// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/object/context_object.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** outlives_context() - whether the event's context was destroyed. The device may still be open, or
 * open again, because of other contexts. */
inline bool outlives_context(const Event &event)
{
	return !event.device.is_open() ||
	       !Context::table().get(reinterpret_cast<const void *>(event.owner));
}

/** refuse_outliving() - sets the error message for such an event. Return: CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult refuse_outliving(const Event &event);

/** check_owner() - checks that the event's context still exists. Return: CUDA_ERROR_CONTEXT_IS_DESTROYED. */
inline CUresult check_owner(const Event &event)
{
	return outlives_context(event) ? refuse_outliving(event) : CUDA_SUCCESS;
}

/** find_usable_event() - calls find_event() and check_owner(). */
inline CUresult find_usable_event(CUevent handle, const char *name, Held<Event> &event)
{
	TRY(find_event(handle, name, event));
	return check_owner(*event);
}

/** refuse_foreign() - refuses an event that another context than @context created. Return:
 * CUDA_ERROR_INVALID_HANDLE. */
CUresult refuse_foreign(const Event &event, const Context &context);

/** reach() - finds a fence on which a stream of @device can wait for the event's latest record. The record may
 * be on another device: then a semaphore of @device follows the record's semaphore.
 * @fence: out; empty if the record is complete */
CUresult reach(Event &event, OpenDevice &device, drv::Fence &fence);

/** check_context_of() - checks the stream and the context of an event. Return: the failure of a task of the
 * event's stream or context, or CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult check_context_of(Event &event);

/** check_failure() - looks for a failure of the work before the event's record, whose fence is @fence.
 * Return: that failure. */
CUresult check_failure(const Event &event, const drv::Fence &fence);

} // namespace umd::cuda
