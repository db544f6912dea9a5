// SPDX-License-Identifier: MIT
/**
 * DOC: Devices that are open
 *
 * A device may be looked into in three ways only: through a DeviceHold, through a context that is held
 * (ContextHold, or a Stay at the context or at a stream of it), and under the lock of Devices. The
 * state of a device has no other access. A device that closes is taken out of its state under that
 * lock; its threads are stopped and its memory is freed later, without that lock.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/mutex.h"
#include "drv/device.h"
#include "umd/event_ids.h"
#include "umd/fault_watch.h"
#include "umd/host_calls.h"
#include "umd/resource_limits.h"
#include "umd/stay.h"

namespace umd {

struct Context;
struct DeviceState;

/** struct LastFault - the latest fault of a task that was reported, for who asks again. */
struct LastFault {
	base::Mutex mutex{"LastFault::mutex"};
	base::Status status = base::Status::OK;
	uint64_t address = 0;
};

/** struct OpenDevice - one opening of a device, and what serves it. */
struct OpenDevice {
	OpenDevice(DeviceState &of, uint64_t number, std::unique_ptr<drv::Device> opened);

	DeviceState &state;
	const uint64_t epoch;
	const std::unique_ptr<drv::Device> device;
	HostCalls calls;
	EventIds event_ids;
	FaultWatch faults;
	uint32_t ending = 0;	       /* contexts that end at the moment; under Devices::lock() */
	bool abandoned = false;	       /* its memory does not keep it open; the same lock */
	std::atomic<uint32_t> pins{0}; /* handles of memory, and DevicePins; both keep it open */
};

/** struct DeviceState - what the process knows about one device. Lock: the runtime's. */
struct DeviceState {
	int32_t index = 0;		     /* the program's number */
	std::atomic<uint32_t> references{0}; /* SetDevice less ResetDevice */
	Context *primary = nullptr;
	std::atomic<uint32_t> contexts{0}; /* explicit ones */
	uint32_t groups = 0;		   /* numbers given to contexts so far */
	std::atomic<uint32_t> streams{0};
	std::atomic<bool> aborted{false}; /* by aclrtDeviceTaskAbort, until repaired or closed */
	LastFault fault;
	std::atomic<bool> saturates{false}; /* streams made from now on do */
	ResourceLimits limits;
	uint32_t peers = 0; /* devices whose memory it may reach, a bit each; open or not */
	std::atomic<uint32_t> notifies{0};

private:
	friend class Devices;
	friend class DeviceHold;
	friend struct DeviceRef;

	std::atomic<OpenDevice *> open_{nullptr};    /* nullptr while it is not open */
	std::atomic<drv::Device *> device_{nullptr}; /* the same */
	std::atomic<uint64_t> epoch_{0};	     /* counts openings and ends */
};

/** class DeviceHold - keeps a device open, by a hazard pointer, or holds nothing. Context: any thread
 * makes one, and the same thread drops it; it does not end a context of the device meanwhile. */
class DeviceHold {
public:
	DeviceHold() = default;
	/** DeviceHold() - of the device as it is open now. */
	explicit DeviceHold(const DeviceState &state)
	{
		OpenDevice *open = state.open_.load();
		while (open) {
			pointer_.set(open);
			open_ = std::exchange(open, state.open_.load());
			if (open_ == open) [[likely]]
				return;
		}
		drop();
	}
	DeviceHold(DeviceHold &&other) noexcept
		: pointer_(std::move(other.pointer_)), open_(std::exchange(other.open_, nullptr))
	{
	}
	DeviceHold &operator=(DeviceHold &&other) noexcept
	{
		pointer_ = std::move(other.pointer_);
		open_ = std::exchange(other.open_, nullptr);
		return *this;
	}

	explicit operator bool() const { return open_ != nullptr; }
	drv::Device &operator*() const { return *open_->device; }
	drv::Device *operator->() const { return open_->device.get(); }
	OpenDevice &open() const { return *open_; }
	DeviceState &state() const { return open_->state; }
	/** holds() - whether it is @device. */
	bool holds(const drv::Device &device) const
	{
		return open_ && open_->device.get() == &device;
	}

	/** drop() - holds nothing from now on. */
	void drop()
	{
		pointer_.clear();
		open_ = nullptr;
	}

private:
	friend struct DeviceRef;
	static constexpr struct Unchecked {
	} UNCHECKED{};

	/* Names @open. The caller looks for the mark. */
	DeviceHold(OpenDevice *open, Unchecked) : open_(open) { pointer_.set(open); }

	HazardPointer pointer_;
	OpenDevice *open_ = nullptr;
};

/** struct DeviceRef - names a device as it was opened once. */
struct DeviceRef {
	DeviceState *state = nullptr;
	uint64_t epoch = 0;

	DeviceRef() = default;
	explicit DeviceRef(const OpenDevice &open) : state(&open.state), epoch(open.epoch) {}

	/** hold() - nothing after it closed. */
	DeviceHold hold() const
	{
		if (!state)
			return {};
		/* The epoch is the mark: it is counted before the state has another opening, or none. */
		DeviceHold hold(state->open_.load(), DeviceHold::UNCHECKED);
		if (!is_open()) [[unlikely]]
			hold.drop();
		return hold;
	}

	/** look() - the device, which the second of @pair names from now on, or nullptr after it closed.
	 * Context: the pair names the object that has this. */
	const drv::Device *look(const HazardPair &pair) const
	{
		const OpenDevice *open = state->open_.load();
		pair.set_second(open);
		return state->epoch_.load() == epoch ? open->device.get() : nullptr;
	}

	/** is_open() - until it closes, which may be at once unless the caller holds it. */
	bool is_open() const { return state && state->epoch_.load() == epoch; }

	/** is() - whether it names that opening, or the one of @device, which the caller holds. */
	bool is(const OpenDevice &open) const
	{
		return state == &open.state && epoch == open.epoch;
	}
	bool is(const drv::Device &device) const
	{
		return state && state->device_.load() == &device && is_open();
	}
};

} // namespace umd
