// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "device_state.h"
#include "event_ids.h"
#include "fault_watch.h"
#include "host_calls.h"
#include "semaphore_users.h"
#include "umd/core/handle/hazard.h"

namespace hal {
class WaitListener;
} // namespace hal

namespace umd {

/** struct OpenDevice - one opening of a device, with the objects that serve it. */
struct OpenDevice {
	OpenDevice(DeviceState &of, uint64_t number, std::unique_ptr<drv::Device> opened);
	~OpenDevice();

	DeviceState &state;
	const uint64_t epoch;
	const std::unique_ptr<drv::Device> device;
	HostCalls calls;
	EventIds event_ids;
	FaultWatch faults;
	uint32_t ending = 0;	   /* contexts that are ending; under Devices::mutex() */
	bool is_abandoned = false; /* memory and pins do not keep it open; under Devices::mutex() */
	const char *closed_by = "the end of its firmware"; /* likewise */
	std::atomic<uint64_t> kernel_block{0};		   /* see umd/core/kernel/kernel_block.h */
	std::atomic<uint32_t> pins{0}; /* memory handles and DevicePins, which keep it open */
	SemaphoreUsers users;
	std::unique_ptr<hal::WaitListener> waits; /* gets reports of waits that can't end */
};

inline drv::Device &DeviceHold::operator*() const
{
	return *open_->device;
}

inline drv::Device *DeviceHold::operator->() const
{
	return open_->device.get();
}

inline DeviceState &DeviceHold::state() const
{
	return open_->state;
}

inline bool DeviceHold::holds(const drv::Device &device) const
{
	return open_ && open_->device.get() == &device;
}

inline DeviceRef::DeviceRef(const OpenDevice &open) : state(&open.state), epoch(open.epoch) {}

inline const drv::Device *DeviceRef::look(const HazardPair &pair) const
{
	const OpenDevice *open = state->open_.load();
	pair.set_second(open);
	return state->epoch_.load() == epoch ? open->device.get() : nullptr;
}

inline bool DeviceRef::is(const OpenDevice &open) const
{
	return state == &open.state && epoch == open.epoch;
}

} // namespace umd
