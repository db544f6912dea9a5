// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "umd/resource_limits.h"

namespace umd {

/** struct Cores - how many cores of each kind a device says it has. */
struct Cores {
	uint32_t cube = 0;
	uint32_t vector = 0;

	uint32_t of(Resource resource) const
	{
		return resource == Resource::CUBE_CORE ? cube : vector;
	}
};

/** chip_cores() - those of the chip named @soc_name; @threads of each kind where the chip's number of
 * cores is not known. */
Cores chip_cores(std::string_view soc_name, uint32_t threads);

/** read_cores() - those of a device, which is opened for the call when it is not open.
 * Return: INVALID_DEVICE, why it does not answer. */
base::Result<Cores> read_cores(int32_t device);

/** set_limit() - @limits of something of @device get a cap.
 * Return: INVALID_ARGUMENT for 0 and for more than there is; what read_cores() returns. */
base::Status set_limit(ResourceLimits &limits, int32_t device, Resource resource, uint32_t cap);

} // namespace umd
