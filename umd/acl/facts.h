// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "drv/device.h"
#include "front.h"
#include "umd/core/device/cores.h"

namespace umd {

/** struct Facts - the properties that a device reports. */
struct Facts {
	drv::DeviceInfo info;
	std::string soc_name;
	uint64_t memory_bytes = 0;
	uint64_t instance = 0; /* number of the device's firmware process */
	uint32_t number = 0;   /* the driver's number of the device */
	int32_t node = -1;

	Cores cores() const { return chip_cores(soc_name, info.cores); }
};

/** read_facts() - reads the properties of device @index, and opens the device for the call if necessary.
 * Context: any thread; may block while the device starts.
 * Return: on failure INVALID_DEVICE, DEVICE_LOST or the reason why the device can't be opened; sets the error
 * message. */
base::Result<Facts> read_facts(int32_t index);

/** device_index() - converts the unsigned device number of some API calls to the signed one. */
inline int32_t device_index(uint32_t number)
{
	return static_cast<int32_t>(std::min<uint32_t>(number, INT32_MAX));
}

} // namespace umd
