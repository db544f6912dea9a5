// SPDX-License-Identifier: MIT
/**
 * DOC: Devices that are open
 *
 * Code may access an open device in three ways only: through a DeviceHold, through a context that it holds
 * (ContextHold, or a HazardGuard at the context or at one of its streams), and under the lock of Devices. Other
 * code does not compile. The thread that closes a device removes it from its state under that lock. It
 * then releases the lock, stops the device's threads and frees its memory.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/status.h"
#include "base/sync/mutex.h"
#include "resource_limits.h"
#include "umd/core/handle/hazard.h"

namespace drv {
class Device;
} // namespace drv

namespace umd {

struct Context;
struct OpenDevice;

/** struct LastFault - the latest fault of a task that was reported; see Devices::last_fault(). */
struct LastFault {
	base::Mutex mutex{"LastFault::mutex"};
	base::Status status GUARDED_BY(mutex) = base::Status::OK;
	uint64_t address GUARDED_BY(mutex) = 0;
};

/** struct DeviceState - the state of one device in this process. Lock: Devices::mutex(). */
struct DeviceState {
	int32_t index = 0;		     /* the number that the program uses for the device */
	std::atomic<uint32_t> references{0}; /* number of SetDevice calls minus ResetDevice calls */
	Context *primary = nullptr;
	std::atomic<uint32_t> contexts{0}; /* number of explicit contexts */
	uint32_t groups = 0;		   /* numbers given to contexts so far */
	std::atomic<uint32_t> streams{0};
	/* set by abort_tasks(), until the device is repaired or closed */
	std::atomic<bool> is_aborted{false};
	LastFault fault;
	std::atomic<bool> saturates{false}; /* Stream::saturates of streams created later */
	ResourceLimits limits;
	uint32_t peers = 0;   /* bit mask of the devices whose memory it may use, open or not */
	uint32_t lenders = 0; /* bit mask of the devices that lend it memory */
	std::atomic<uint32_t> notifies{0};

private:
	friend class Devices;
	friend class DeviceHold;
	friend struct DeviceRef;

	std::atomic<OpenDevice *> open_{nullptr};    /* nullptr while it is not open */
	std::atomic<drv::Device *> device_{nullptr}; /* nullptr while the device is not open */
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
	OpenDevice &open() const { return *open_; }

	/* Defined in open_device.h. */
	inline drv::Device &operator*() const;
	inline drv::Device *operator->() const;
	inline DeviceState &state() const;
	/** holds() - whether this holds @device. */
	inline bool holds(const drv::Device &device) const;

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
	inline explicit DeviceRef(const OpenDevice &open); /* defined in open_device.h */

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
	inline const drv::Device *look(const HazardPair &pair) const; /* defined in open_device.h */

	/** is_open() - whether the opening is open. Unless the caller holds it, it may close at any time. */
	bool is_open() const { return state && state->epoch_.load() == epoch; }

	/** is() - whether this refers to that opening, or to that of @device. Context: the caller holds
	 * it. */
	inline bool is(const OpenDevice &open) const; /* defined in open_device.h */
	bool is(const drv::Device &device) const
	{
		return state && state->device_.load() == &device && is_open();
	}
};

} // namespace umd
