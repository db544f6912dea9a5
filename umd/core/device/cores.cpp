// SPDX-License-Identifier: MIT
/**
 * DOC: Resource limits
 *
 * How many of the device's cores a program lets its operators use: per device, per stream, and per thread
 * for the streams that it uses. Programs compute limits from the chip's data sheet, so the number of cores
 * is that of the chip in the device's name, not that of the engine threads. The names here are those of soc= in the
 * device string, not of an interface. A limit is stored and reported; it has no other effect.
 */
#include "cores.h"

#include <cstring>

#include <fmt/format.h>

#include "base/chip/chip.h"
#include "devices.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

Cores chip_cores(std::string_view soc_name, uint32_t threads)
{
	const base::Chip chip = base::chip_named(soc_name);
	if (chip.cube_cores != 0)
		return {chip.cube_cores, chip.vector_cores()};
	return {threads, threads};
}

Result<Cores> read_cores(int32_t device)
{
	Cores cores;
	Status status = Devices::get().with_device(device, false, [&](drv::Device &opened) {
		auto info = opened.info();
		if (!info)
			return device_failed(opened, info.status(),
					     "the device did not report its cores");
		const char *name = opened.hal().bar().soc_name;
		cores = chip_cores({name, strnlen(name, sizeof(unpu_bar::soc_name))}, info->cores);
		return Status::OK;
	});
	if (status != Status::OK)
		return status;
	return cores;
}

Status set_limit(ResourceLimits &limits, int32_t device, Resource resource, uint32_t cap)
{
	auto cores = TRY(read_cores(device));
	const uint32_t most = cores.of(resource);
	if (cap == 0 || cap > most)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("value is {}; device {} has {} cores of that kind, "
					     "and the limit must be between 1 and that",
					     cap, device, most));
	limits.set(resource, cap);
	return Status::OK;
}

} // namespace umd
