// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/sync/mutex.h"
#include "device_state.h"
#include "uapi/regs.h"
#include "umd/core/process/process.h"
#include "umd/core/task/named_callbacks.h"
#include "visible_devices.h"

namespace base {
class FaultPlan;
} // namespace base

namespace drv {
enum class Place;
struct Fence;
} // namespace drv

namespace hal {
struct Options;
} // namespace hal

namespace umd {

constexpr unsigned MAX_DEVICES = UNPU_MAX_DEVICES;

/** enum class DeviceStage - when callbacks of devices run. The numbers are the interface's. */
enum class DeviceStage { SET_PRE = 0, SET_POST = 1, RESET_PRE = 2, RESET_POST = 3 };

using DeviceCallback = std::function<void(int32_t device, DeviceStage)>;

/** enum class AbortStage - the numbers are the interface's. */
enum class AbortStage { BEFORE = 0, AFTER = 1 };

/* Return: 0; any other value forbids the abort. */
using AbortCallback = std::function<int32_t(int32_t device, AbortStage, uint32_t timeout_ms)>;

/**
 * class Devices - which devices the program may use, which are open, and when they close.
 * Context: any thread, unless a function says otherwise.
 */
class Devices {
public:
	Devices();
	~Devices();
	static Devices &get() { return Process::own<Devices>(); }

	/** device_count() - how many devices the program may use. */
	base::Result<uint32_t> device_count();

	/** visible_devices() - the numbers of these devices. Return: why the device string or the list of
	 * visible devices can't be read. */
	base::Result<VisibleDevices> visible_devices();
	const std::string &soc_name();

	/** host_faults() - the fault rules of the device string for calls of the host; nullptr: none. */
	std::shared_ptr<const base::FaultPlan> host_faults();

	/** with_device() - runs @visit on device @index. A device that is not open is opened for the call.
	 * @open_only: refuse a device that is not open.
	 * Context: the calling thread does not hold mutex(); @visit runs under it.
	 * Return: INVALID_DEVICE, DEVICE_SET_MISSING for @open_only, why it can't be opened, or what
	 * @visit returned. */
	base::Status with_device(int32_t index, bool open_only,
				 const std::function<base::Status(drv::Device &)> &visit);

	/** pin_device() - opens device @index if it is not open, and keeps it open until unpin_device(),
	 * unless it is lost or the library is finalized. Return: INVALID_DEVICE, why it can't be opened. */
	base::Result<DeviceHold> pin_device(int32_t index);
	/** unpin_device() - undoes pin_device(). Context: as close_idle(). */
	void unpin_device(DeviceHold device);

	/** window_bytes() - the largest size of a window that the device string allows, in bytes; 0 for no
	 * limit. Return: why the device string can't be read. */
	base::Result<uint64_t> window_bytes();

	/** snapshot() - the state of device @index as JSON. If the firmware is another process, the call does
	 * not make this process a client. Return: as with_device(), or why there is no snapshot. */
	base::Result<std::string> snapshot(int32_t index);

	/** device_state() - the state of device @index, open or not. Return: INVALID_DEVICE. */
	base::Result<DeviceState *> device_state(int32_t index);

	/** locate() - holds the open device whose address windows contain @address; empty for other
	 * memory. */
	DeviceHold locate(const void *address, drv::Place &place)
	{
		return search(nullptr, address, place);
	}
	/** locate_beside() - the same among all devices except @here. */
	DeviceHold locate_beside(const OpenDevice &here, const void *address, drv::Place &place)
	{
		return search(&here, address, place);
	}

	/** can_access_peer() - whether device @index could reach memory of device @peer.
	 * Return: INVALID_DEVICE. */
	base::Status can_access_peer(int32_t index, int32_t peer, bool &reachable);
	/** enable_peer(), disable_peer() - allows or forbids that tasks of the device of @open use memory of
	 * device @peer. Takes effect when @peer is open. Return: INVALID_DEVICE. */
	base::Status enable_peer(OpenDevice &open, int32_t peer);
	base::Status disable_peer(OpenDevice &open, int32_t peer);
	/** lend() - from now on device @home may lend some of its memory to device @user. Return: the bit of
	 * @user in the mask for drv::Memory::lend(). */
	uint32_t lend(int32_t home, int32_t user);
	/** peer_enabled() - Return: INVALID_ARGUMENT if a device does not exist. */
	base::Status peer_enabled(int32_t index, int32_t peer, bool &enabled);
	/** check_peer_range() - whether device @user may use this memory of another device: enable_peer() was
	 * called before for one of the two directions. Return: INVALID_DEVICE, INVALID_ARGUMENT,
	 * INVALID_ENUM, NOT_SUPPORTED. */
	base::Status check_peer_range(const void *start, uint64_t bytes, int32_t user);

	/** fences_of_users() - fences of @home for the pending work of other devices: of each device that may
	 * use host memory of @home at @address, and of each device whose host tasks may use memory of @home
	 * (visitors.h). Waits only for work whose fence @home can't follow. */
	std::vector<drv::Fence> fences_of_users(const DeviceHold &home, const void *address);

	/** fence_at() - a fence of @home that passes when @fence of device @other passes. If @home can't
	 * follow that fence, the function waits for it, and returns an empty fence. Context: no lock is
	 * held. */
	static drv::Fence fence_at(drv::Device &home, drv::Device &other, const drv::Fence &fence);

	/** close_idle() - closes the device if the program does not use it any more. Waits for functions of
	 * the program that run for the device, unless such a function calls it. Context: the caller holds
	 * neither the device nor a lock. */
	void close_idle(DeviceState &state);
	/** close_idle() - drops @device, then the same. Takes no lock while the program uses the device. */
	void close_idle(DeviceHold device);

	/** watch_faults() - from now on, failed tasks of every device are passed to the FaultCallbacks. */
	base::Status watch_faults();

	/** set_execute_limit() - sets the time limit for work of the engines on every device; 0 for none. */
	base::Status set_execute_limit(uint64_t limit_ns);
	uint64_t execute_limit() const { return execute_limit_ns_.load(); }

	/** last_fault() - @fault: receives the latest fault of a task on the device, or OK.
	 * Return: INVALID_DEVICE. */
	base::Status last_fault(int32_t index, base::Status &fault, uint64_t &address);

	/** repair() - lets a device whose tasks were aborted take work again.
	 * Return: INVALID_DEVICE, INVALID_ARGUMENT for a device that was not aborted. */
	base::Status repair(int32_t index);

	/** wait_timeout_ns - time limit for wait tasks that set none; 0 for no limit. */
	std::atomic<uint64_t> wait_timeout_ns{0};

	NamedCallbacks<DeviceCallback> device_callbacks;
	NamedCallbacks<AbortCallback> abort_callbacks;

	/* The following are for Contexts, which makes and ends contexts. */

	/** mutex() - protects the states of all devices, and serialises the creation and the end of
	 * contexts. A device opens under it, so that a second thread that sets the device waits for the
	 * first. */
	base::RecursiveMutex &mutex() RETURN_CAPABILITY(mutex_) { return mutex_; }

	/** check_index() - Return: INVALID_DEVICE, NOT_INITIALISED in a fork. */
	base::Status check_index(int32_t index) REQUIRES(mutex_);

	/** at() - the state of device @index, which the caller has checked. */
	DeviceState &at(int32_t index) REQUIRES(mutex_)
	{
		return states_[static_cast<unsigned>(index)];
	}

	/** open() - opens the device unless it is open. Return: why it can't be opened. */
	base::Status open(DeviceState &state) REQUIRES(mutex_);

	/** opened() - the present opening; nullptr if the device is not open. */
	static OpenDevice *opened(const DeviceState &state) { return state.open_; }

	/** struct Closer - closes the device that it owns. Context: no lock is held. */
	struct Closer {
		void operator()(OpenDevice *open) const;
	};
	using Closing = std::unique_ptr<OpenDevice, Closer>;

	/** take_out_idle() - if nothing uses the device, removes it from its state, so that no later call
	 * finds it. The caller releases the lock before it destroys the result, which closes the device. */
	Closing take_out_idle(DeviceState &state) REQUIRES(mutex_);

	/** abandon() - take_out_idle() for a device that was reset: its memory and its handles do not keep it open from
	 * now on. Does nothing if another thread has set it meanwhile. */
	Closing abandon(DeviceState &state) REQUIRES(mutex_);

	/** abandon_all() - from now on contexts and memory do not keep a device open, and the options are
	 * read again at their next use. */
	void abandon_all() REQUIRES(mutex_);

	/** take_out_all_idle() - take_out_idle() for each device. */
	std::vector<Closing> take_out_all_idle() REQUIRES(mutex_);

	/** await_closings() - waits until every device that is closing is closed. Context: no lock is
	 * held. */
	static void await_closings();

private:
	/* Reads the device string and the list of visible devices, once after the start and after each
	 * abandon_all(). Return: why they can't be read. */
	base::Status ensure_options() REQUIRES(mutex_);
	base::Status prepare(OpenDevice &open) REQUIRES(mutex_);
	DeviceHold search(const OpenDevice *but, const void *address, drv::Place &place);
	static bool is_used(const DeviceState &state);
	static void link(DeviceState &state, DeviceState &peer);
	void link_peers(DeviceState &state) REQUIRES(mutex_);

	base::RecursiveMutex mutex_{"Devices::mutex_", base::HeldOver::ANSWERS};
	std::array<DeviceState, MAX_DEVICES>
		states_; /* search() reads their atomic words without the lock */
	const std::unique_ptr<hal::Options> options_ PT_GUARDED_BY(mutex_);
	VisibleDevices visible_ GUARDED_BY(mutex_);
	bool options_read_ GUARDED_BY(mutex_) = false;
	/* The longest possible limit. A device has no limit before the first set_execute_limit(). */
	std::atomic<uint64_t> execute_limit_ns_{254 * (uint64_t{4294967} * 1000)};
	bool limits_execution_ GUARDED_BY(mutex_) = false;
};

/** class DevicePin - pins a device, see pin_device(), for the lifetime of this object. Context: the caller
 * holds neither a device nor a lock when it creates or destroys the object. */
class DevicePin {
public:
	explicit DevicePin(int32_t index) : device_(Devices::get().pin_device(index)) {}
	~DevicePin()
	{
		if (device_)
			Devices::get().unpin_device(std::move(*device_));
	}
	DevicePin(const DevicePin &) = delete;
	DevicePin &operator=(const DevicePin &) = delete;

	/** status() - OK, or why the device can't be pinned, sets the error message. */
	base::Status status() const { return device_.status(); }
	OpenDevice &open() const { return device_->open(); }

private:
	base::Result<DeviceHold> device_;
};

} // namespace umd
