// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "drv/device.h"
#include "umd/host_calls.h"

namespace umd {

struct Context;

/** struct DeviceState - what the process knows about one device. Lock: the runtime's. */
struct DeviceState {
	int32_t index = 0;		     /* the program's number */
	std::unique_ptr<drv::Device> device; /* open while anything of it is in use */
	std::unique_ptr<HostCalls> calls;
	uint64_t epoch = 0;	 /* counts openings */
	uint32_t references = 0; /* SetDevice less ResetDevice */
	Context *primary = nullptr;
	uint32_t contexts = 0; /* explicit ones */
};

/** struct DeviceRef - names a device as it was opened once; get() is nullptr after it closed. */
struct DeviceRef {
	DeviceState *state = nullptr;
	uint64_t epoch = 0;

	DeviceRef() = default;
	explicit DeviceRef(DeviceState &of) : state(&of), epoch(of.epoch) {}

	drv::Device *get() const
	{
		return state && state->epoch == epoch ? state->device.get() : nullptr;
	}
};

} // namespace umd
