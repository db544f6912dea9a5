// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "drv/device.h"
#include "umd/event_ids.h"
#include "umd/fault_watch.h"
#include "umd/host_calls.h"
#include "umd/resource_limits.h"

namespace umd {

struct Context;

/** struct LastFault - the latest fault of a task that was reported, for who asks again. */
struct LastFault {
	std::mutex mutex;
	base::Status status = base::Status::OK;
	uint64_t address = 0;
};

/** struct DeviceState - what the process knows about one device. Lock: the runtime's. */
struct DeviceState {
	int32_t index = 0;		     /* the program's number */
	std::unique_ptr<drv::Device> device; /* open while anything of it is in use */
	std::unique_ptr<HostCalls> calls;
	std::unique_ptr<EventIds> event_ids;
	std::unique_ptr<FaultWatch> faults;
	std::atomic<bool> ends{true}; /* see Stay; while it is not open */
	uint64_t epoch = 0;	      /* counts openings */
	uint32_t references = 0;      /* SetDevice less ResetDevice */
	Context *primary = nullptr;
	uint32_t contexts = 0; /* explicit ones */
	uint32_t groups = 0;   /* numbers given to contexts so far */
	uint32_t pins = 0;     /* threads that wait for its work, with the lock given back */
	std::atomic<uint32_t> streams{0};
	std::atomic<bool> aborted{false}; /* by aclrtDeviceTaskAbort, until repaired or closed */
	LastFault fault;
	std::atomic<bool> saturates{false}; /* streams made from now on do */
	ResourceLimits limits;
	uint32_t peers = 0; /* devices whose memory it may reach, a bit each; open or not */
	std::atomic<uint32_t> notifies{0};
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
