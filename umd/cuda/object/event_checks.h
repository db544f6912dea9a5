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

/** refuse_outliving() - sets the error sentence. Return: CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult refuse_outliving(const Event &event);

/** check_owner() - CUDA_ERROR_CONTEXT_IS_DESTROYED when the event's context was destroyed. */
inline CUresult check_owner(const Event &event)
{
	return outlives_context(event) ? refuse_outliving(event) : CUDA_SUCCESS;
}

/** find_usable_event() - find_event() and check_owner(). */
inline CUresult find_usable_event(CUevent handle, const char *name, Held<Event> &event)
{
	TRY(find_event(handle, name, event));
	return check_owner(*event);
}

/** refuse_foreign() - CUDA_ERROR_INVALID_HANDLE for an event that another context than @context
 * created. */
CUresult refuse_foreign(const Event &event, const Context &context);

/** reach() - finds a fence on which a stream of @device can wait for the event's latest record. The record may
 * be on another device: then a semaphore of @device follows the record's semaphore.
 * @fence: out; empty if the record is complete */
CUresult reach(Event &event, OpenDevice &device, drv::Fence &fence);

/** check_context_of() - Return: the failure of a task of the event's stream or context, or
 * CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult check_context_of(Event &event);

/** check_failure() - Return: the failure of a task before @fence, which the event's record has waited for. */
CUresult check_failure(const Event &event, const drv::Fence &fence);

} // namespace umd::cuda
