// SPDX-License-Identifier: MIT
/**
 * DOC: Resource limits
 *
 * How many of the device's cores a program lets its operators use: by device, by stream, and for the
 * streams a thread says it uses. Operators of this device run on engines, which are not cores, so a
 * limit is what the program finds again when it asks, and changes nothing else.
 */
#include "umd/resource_limits.h"

#include <fmt/format.h>

#include "umd/error.h"

namespace umd {

using base::Status;

/* As on the chip whose name the device gives by default. */
static constexpr uint32_t CUBE_CORES = 20;
static constexpr uint32_t VECTOR_CORES = 40;

uint32_t core_count(Resource resource)
{
	return resource == Resource::CUBE_CORE ? CUBE_CORES : VECTOR_CORES;
}

Status set_limit(ResourceLimits &limits, Resource resource, uint32_t cap)
{
	if (cap == 0 || cap > core_count(resource))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("value is {}; the device has {} cores of that kind, "
					     "and the limit must be between 1 and that",
					     cap, core_count(resource)));
	limits.set(resource, cap);
	return Status::OK;
}

} // namespace umd
