// SPDX-License-Identifier: MIT
/**
 * DOC: Checks of events
 *
 * An event cannot be used if its context was destroyed, if it belongs to another context, or if the work
 * before its record has failed.
 */
#include "event_checks.h"

#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/event/event.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"

namespace umd::cuda {

using base::Status;

CUresult refuse_outliving(const Event &event)
{
	mention(event.handle);
	return refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED,
		      fmt::format("event {:#x} belongs to context {:#x}, which was destroyed",
				  event.handle, event.owner));
}

CUresult check_failure(const Event &event, const drv::Fence &fence)
{
	if (fence.empty())
		return CUDA_SUCCESS;
	const DeviceHold device = event.device.hold();
	const Status status = device ? device->status(failing_semaphore(event, fence)) : Status::OK;
	if (status == Status::OK) [[likely]]
		return CUDA_SUCCESS;
	Context *context = Context::table().get(reinterpret_cast<const void *>(event.owner));
	if (!context)
		return result(status);
	(void)settle(*context, status);
	return check_context(*context);
}

CUresult refuse_foreign(const Event &event, const Context &context)
{
	mention(event.handle);
	return refuse(CUDA_ERROR_INVALID_HANDLE,
		      fmt::format("event {:#x} was made in context {:#x}, and can't be recorded in "
				  "context {:#x}; record it in a stream of its own",
				  event.handle, event.owner, context.handle));
}

CUresult check_context_of(Event &event)
{
	TRY(check_owner(event));
	return check_failure(event, view_event(event).fence);
}

CUresult reach(Event &event, OpenDevice &device, drv::Fence &fence)
{
	EventView view = view_event(event);
	fence = view.is_done ? drv::Fence{} : view.fence;
	if (fence.empty() || event.device.is(device))
		return CUDA_SUCCESS;
	const DeviceHold home = event.device.hold();
	if (!home)
		return refuse_outliving(event);
	fence = TRY(device.device->peers().follow(*home, view.fence));
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
