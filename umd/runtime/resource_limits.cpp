// SPDX-License-Identifier: MIT
/**
 * DOC: Resource limits
 *
 * How many of the device's cores a program lets its operators use: by device, by stream, and for the
 * streams a thread says it uses. A task of this device runs on one core, so a limit is what the
 * program finds again when it asks, and changes nothing else.
 */
#include "umd/resource_limits.h"

#include <fmt/format.h>

#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

using base::Result;
using base::Status;

Result<uint32_t> core_count(int32_t device)
{
	uint32_t cores = 0;
	Status status = Runtime::get().with_device(device, false, [&](drv::Device &opened) {
		auto info = opened.info();
		if (!info)
			return set_error(info.status(), "the device does not tell its cores");
		cores = info->cores;
		return Status::OK;
	});
	if (status != Status::OK)
		return status;
	return cores;
}

Status set_limit(ResourceLimits &limits, int32_t device, Resource resource, uint32_t cap)
{
	auto cores = core_count(device);
	if (!cores)
		return cores.status();
	if (cap == 0 || cap > *cores)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("value is {}; device {} has {} cores of that kind, "
					     "and the limit must be between 1 and that",
					     cap, device, *cores));
	limits.set(resource, cap);
	return Status::OK;
}

} // namespace umd
