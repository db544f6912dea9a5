// SPDX-License-Identifier: MIT
/**
 * DOC: Devices that are open
 *
 * Code may access an open device in three ways only: through a DeviceHold, through a context that it holds
 * (ContextHold, or a Stay at the context or at one of its streams), and under the lock of Devices. Other
 * code does not compile. The thread that closes a device removes it from its state under that lock. It
 * then releases the lock, stops the device's threads and frees its memory.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/sync/mutex.h"
#include "drv/device.h"
#include "event_ids.h"
#include "fault_watch.h"
#include "host_calls.h"
#include "resource_limits.h"
#include "semaphore_users.h"
#include "umd/core/handle/stay.h"

namespace umd {

struct Context;
struct DeviceState;

/** struct OpenDevice - one opening of a device, with the objects that serve it. */
struct OpenDevice {
	OpenDevice(DeviceState &of, uint64_t number, std::unique_ptr<drv::Device> opened);

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
	std::unique_ptr<hal::WaitListener> waits; /* is told of waits that go nowhere */
};

/** struct DeviceState - the state of one device in this process. Lock: Devices::mutex(). */
struct DeviceState {
	int32_t index = 0;		     /* the program's number */
	std::atomic<uint32_t> references{0}; /* SetDevice less ResetDevice */
	Context *primary = nullptr;
	std::atomic<uint32_t> contexts{0}; /* explicit contexts */
	uint32_t groups = 0;		   /* numbers given to contexts so far */
	std::atomic<uint32_t> streams{0};
	std::atomic<bool> is_aborted{false}; /* by abort_tasks(), until repaired or closed */
	LastFault fault;
	std::atomic<bool> saturates{false}; /* Stream::saturates of streams created later */
	ResourceLimits limits;
	uint32_t peers = 0;   /* bit mask of the devices whose memory it may use, open or not */
	uint32_t lenders = 0; /* likewise of those that lend it some */
	std::atomic<uint32_t> notifies{0};

private:
	friend class Devices;
	friend class DeviceHold;
	friend struct DeviceRef;

	std::atomic<OpenDevice *> open_{nullptr};    /* nullptr while it is not open */
	std::atomic<drv::Device *> device_{nullptr}; /* likewise */
	std::atomic<uint64_t> epoch_{0};	     /* counts openings and closings */
};

/** class DeviceHold - keeps a device open with a hazard pointer, or is empty. Context: the thread that made
 * it drops it. Meanwhile this thread ends no context of the device, or it would wait for itself. */
class DeviceHold {
public:
	DeviceHold() = default;
	/** DeviceHold() - holds the present opening of the device; empty if it is not open. */
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
	/** holds() - whether this holds @device. */
	bool holds(const drv::Device &device) const
	{
		return open_ && open_->device.get() == &device;
	}

	/** drop() - stops holding the device. */
	void drop()
	{
		pointer_.clear();
		open_ = nullptr;
	}

private:
	friend struct DeviceRef;
	static constexpr struct Unchecked {
	} UNCHECKED{};

	/* Publishes @open. The caller checks the mark (G1). */
	DeviceHold(OpenDevice *open, Unchecked) : open_(open) { pointer_.set(open); }

	HazardPointer pointer_;
	OpenDevice *open_ = nullptr;
};

/** struct DeviceRef - remembers one opening of a device, without keeping it open. */
struct DeviceRef {
	DeviceState *state = nullptr;
	uint64_t epoch = 0;

	DeviceRef() = default;
	explicit DeviceRef(const OpenDevice &open) : state(&open.state), epoch(open.epoch) {}

	/** hold() - holds this opening; empty if it is closed. */
	DeviceHold hold() const
	{
		if (!state)
			return {};
		/* The epoch is the mark: it changes before open_ does. */
		DeviceHold hold(state->open_.load(), DeviceHold::UNCHECKED);
		if (!is_open()) [[unlikely]]
			hold.drop();
		return hold;
	}

	/** look() - publishes this opening as the second object of @pair and returns the device; nullptr if
	 * it is closed. Context: the first object of the pair contains this DeviceRef. */
	const drv::Device *look(const HazardPair &pair) const
	{
		const OpenDevice *open = state->open_.load();
		pair.set_second(open);
		return state->epoch_.load() == epoch ? open->device.get() : nullptr;
	}

	/** is_open() - whether the opening is open. Unless the caller holds it, it may close at any time. */
	bool is_open() const { return state && state->epoch_.load() == epoch; }

	/** is() - whether this refers to that opening, or to that of @device. Context: the caller holds
	 * it. */
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
