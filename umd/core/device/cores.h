// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "resource_limits.h"

namespace umd {

/** struct Cores - how many cores of each kind a device reports. */
struct Cores {
	uint32_t cube = 0;
	uint32_t vector = 0;

	uint32_t of(Resource resource) const
	{
		return resource == Resource::CUBE_CORE ? cube : vector;
	}
};

/** chip_cores() - the cores of the chip @soc_name; for an unknown chip, @threads of each kind. */
Cores chip_cores(std::string_view soc_name, uint32_t threads);

/** read_cores() - the cores of a device. A device that is not open is opened for the call.
 * Return: INVALID_DEVICE, why it does not answer. */
base::Result<Cores> read_cores(int32_t device);

/** set_limit() - sets the limit of @resource in @limits, which belong to @device or a stream of it.
 * Return: INVALID_ARGUMENT for 0 and for more than the device has; as read_cores(). */
base::Status set_limit(ResourceLimits &limits, int32_t device, Resource resource, uint32_t cap);

} // namespace umd
