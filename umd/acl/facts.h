// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "front.h"
#include "umd/cores.h"

namespace umd {

/** struct Facts - what a device has told of itself. */
struct Facts {
	drv::DeviceInfo info;
	std::string soc_name;
	uint64_t memory_bytes = 0;
	uint64_t instance = 0; /* of its firmware */
	uint32_t number = 0;   /* the driver's */
	int32_t node = -1;

	Cores cores() const { return chip_cores(soc_name, info.cores); }
};

/** read_facts() - asks device @index, which is opened for the call when it is not open.
 * Context: any thread; may block while the device starts.
 * Return: INVALID_DEVICE, why it can't be opened, DEVICE_LOST; the sentence is set. */
base::Result<Facts> read_facts(int32_t index);

/** device_index() - a number that the interface has without a sign. */
inline int32_t device_index(uint32_t number)
{
	return static_cast<int32_t>(std::min<uint32_t>(number, INT32_MAX));
}

} // namespace umd
