// SPDX-License-Identifier: MIT
/**
 * DOC: The kind of memory at an address
 */
#include "side.h"

#include "drv/device.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/task/box.h"

namespace umd {

using drv::Place;

static Side side_in(drv::Device &device, Place place, const void *address)
{
	if (place == Place::OUTSIDE)
		return Side::HOST;
	if (place == Place::DEVICE)
		return Side::DEVICE;
	const drv::Chunk *chunk = device.space().find(number(address));
	return chunk && chunk->is_managed ? Side::MANAGED : Side::HOST;
}

Side side_of(const void *address, const Context *here)
{
	Place place = here ? here->device().space().place(number(address)) : Place::OUTSIDE;
	if (place != Place::OUTSIDE)
		return side_in(here->device(), place, address);
	Devices &devices = Devices::get();
	const DeviceHold device = here ? devices.locate_beside(*here->open, address, place)
				       : devices.locate(address, place);
	return device ? side_in(*device, place, address) : Side::HOST;
}

} // namespace umd
