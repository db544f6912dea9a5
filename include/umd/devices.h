// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "hal/options.h"
#include "umd/device_state.h"
#include "umd/named_callbacks.h"
#include "umd/process.h"
#include "umd/visible_devices.h"

namespace umd {

constexpr unsigned MAX_DEVICES = UNPU_MAX_DEVICES;

/** enum class DeviceStage - when callbacks of devices run. Numbers as in aclrtDeviceState. */
enum class DeviceStage { SET_PRE = 0, SET_POST = 1, RESET_PRE = 2, RESET_POST = 3 };

using DeviceCallback = std::function<void(int32_t device, DeviceStage)>;

/** enum class AbortStage - numbers as in aclrtDeviceTaskAbortStage. */
enum class AbortStage { BEFORE = 0, AFTER = 1 };

/* Return: 0, or anything else when the abort must not go on. */
using AbortCallback = std::function<int32_t(int32_t device, AbortStage, uint32_t timeout_ms)>;

/**
 * class Devices - which devices the program may use, which are open, and when they close.
 * Context: any thread, unless a function says otherwise.
 */
class Devices {
public:
	using Lock = std::unique_lock<base::RecursiveMutex>;

	Devices();
	static Devices &get() { return Process::own<Devices>(); }

	/** device_count() - how many devices the program may use. */
	base::Result<uint32_t> device_count();

	/** visible_devices() - their numbers. Return: why device string or list can't be read. */
	base::Result<VisibleDevices> visible_devices();
	const std::string &soc_name();

	/** with_device() - runs @visit on device @index, opened for the call when it is not open.
	 * @open_only: refuse a device that is not open.
	 * Context: the calling thread does not hold lock(); @visit runs under it.
	 * Return: INVALID_DEVICE, DEVICE_SET_MISSING for @open_only, why it can't be opened, or what
	 * @visit returned. */
	base::Status with_device(int32_t index, bool open_only,
				 const std::function<base::Status(drv::Device &)> &visit);

	/** pin_device() - holds device @index, opened if need be. It stays open until unpin_device(), unless
	 * it is lost or the library is finalized. Return: INVALID_DEVICE, why it can't be opened. */
	base::Result<DeviceHold> pin_device(int32_t index);
	/** unpin_device() - undoes pin_device(). Context: as close_idle(). */
	void unpin_device(DeviceHold device);

	/** window_bytes() - the most addresses that a window may have, as the device string says; 0 for no
	 * bound. Return: why the device string can't be read. */
	base::Result<uint64_t> window_bytes();

	/** snapshot() - what device @index does, as JSON. The program becomes no client for it where the
	 * firmware is another process. Return: as with_device(), why it does not tell. */
	base::Result<std::string> snapshot(int32_t index);

	/** device_state() - of device @index, open or not. Return: INVALID_DEVICE. */
	base::Result<DeviceState *> device_state(int32_t index);

	/** locate() - holds the open device whose windows hold @address, or nothing for other memory. */
	DeviceHold locate(const void *address, drv::Place &place)
	{
		return search(nullptr, address, place);
	}
	/** locate_beside() - the same among the other devices than @here. */
	DeviceHold locate_beside(const OpenDevice &here, const void *address, drv::Place &place)
	{
		return search(&here, address, place);
	}

	/** can_access_peer() - whether device @index could reach memory of device @peer.
	 * Return: INVALID_DEVICE. */
	base::Status can_access_peer(int32_t index, int32_t peer, bool &reachable);
	/** enable_peer(), disable_peer() - tasks of the device of @open may, or may not, name memory of
	 * device @peer, as soon as that is open. Return: INVALID_DEVICE. */
	base::Status enable_peer(OpenDevice &open, int32_t peer);
	base::Status disable_peer(OpenDevice &open, int32_t peer);
	/** peer_enabled() - Return: INVALID_ARGUMENT for a device there is not. */
	base::Status peer_enabled(int32_t index, int32_t peer, bool &enabled);
	/** check_peer_range() - whether device @user reaches memory of another device, which it or that
	 * one was allowed before. Return: INVALID_DEVICE, INVALID_ARGUMENT, NOT_SUPPORTED. */
	base::Status check_peer_range(const void *start, uint64_t bytes, int32_t user);

	/** close_idle() - closes a device that the program does not use any more. Waits for the program's
	 * functions that run for the device, unless it is called from one. Context: the caller holds
	 * neither the device nor a lock. */
	void close_idle(DeviceState &state);
	/** close_idle() - drops @device first. Costs no lock while the program uses the device. */
	void close_idle(DeviceHold device);

	/** watch_faults() - every device tells the FaultCallbacks of failed tasks from now on. */
	base::Status watch_faults();

	/** set_execute_limit() - of work that engines do, on every device; 0 for none. */
	base::Status set_execute_limit(uint64_t limit_ns);
	uint64_t execute_limit() const { return execute_limit_ns_.load(); }

	/** last_fault() - the latest fault of a task on a device, or OK. Return: INVALID_DEVICE. */
	base::Status last_fault(int32_t index, base::Status &fault, uint64_t &address);

	/** repair() - lets a device whose tasks were aborted take work again.
	 * Return: INVALID_DEVICE, INVALID_ARGUMENT for one that was not aborted. */
	base::Status repair(int32_t index);

	/** wait_timeout_ns - limit of wait tasks that come without one, 0 for none. */
	std::atomic<uint64_t> wait_timeout_ns{0};

	NamedCallbacks<DeviceCallback> device_callbacks;
	NamedCallbacks<AbortCallback> abort_callbacks;

	/* The following are for who makes and ends contexts, and want lock() held. */

	/** lock() - of the states of all devices, and of the making and ending of contexts. A device opens
	 * under it: the second of two threads that set a device waits for the first. */
	Lock lock() { return Lock(mutex_); }

	/** check_index() - Return: INVALID_DEVICE, NOT_INITIALISED in a fork. */
	base::Status check_index(int32_t index);

	/** at() - the state of a device whose index was checked. */
	DeviceState &at(int32_t index) { return states_[static_cast<unsigned>(index)]; }

	/** open() - unless it is open. Return: why it can't be opened. */
	base::Status open(DeviceState &state);

	/** opened() - nullptr while it is not open. */
	static OpenDevice *opened(const DeviceState &state) { return state.open_; }

	/** struct Closer - closes the device that it owns. Context: no lock is held. */
	struct Closer {
		void operator()(OpenDevice *open) const;
	};
	using Closing = std::unique_ptr<OpenDevice, Closer>;

	/** take_out_idle() - no call finds the device from now on, if nothing uses it. The caller gives the
	 * lock back before it destroys the result. */
	Closing take_out_idle(DeviceState &state);

	/** abandon_all() - no context and no memory keeps a device open any more, and the options are read
	 * again when they are next needed. */
	void abandon_all();

	/** take_out_all_idle() - take_out_idle() for each device. */
	std::vector<Closing> take_out_all_idle();

	/** await_closings() - until every device that closes is closed. Context: no lock is held. */
	static void await_closings();

private:
	/* Reads the device string and the list of visible devices, unless that was done since the start or
	 * the last abandon_all(). Return: why they can't be read. */
	base::Status ensure_options();
	base::Status prepare(OpenDevice &open);
	DeviceHold search(const OpenDevice *but, const void *address, drv::Place &place);
	static bool is_used(const DeviceState &state);
	static void link(DeviceState &state, DeviceState &peer);
	void link_peers(DeviceState &state);

	base::RecursiveMutex mutex_{"Devices::mutex_", base::HeldOver::ANSWERS};
	std::array<DeviceState, MAX_DEVICES> states_;
	hal::Options options_;
	VisibleDevices visible_;
	bool options_read_ = false;
	/* The longest limit there is; a device has none until it is told one. */
	std::atomic<uint64_t> execute_limit_ns_{254 * (uint64_t{4294967} * 1000)};
	bool limits_execution_ = false;
};

/** class DevicePin - a device that stays open for as long as this lives, as pin_device() has it. Context:
 * the caller holds neither a device nor a lock when this is made and when it ends. */
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

	/** status() - OK, or why there is none, with the sentence set. */
	base::Status status() const { return device_.status(); }
	OpenDevice &open() const { return device_->open(); }

private:
	base::Result<DeviceHold> device_;
};

} // namespace umd
