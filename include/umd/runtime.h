// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/mutex.h"
#include "umd/allocators.h"
#include "umd/condition.h"
#include "umd/context.h"
#include "umd/device_state.h"
#include "umd/event.h"
#include "umd/fault_watch.h"
#include "umd/file.h"
#include "umd/handle.h"
#include "umd/ipc_memory.h"
#include "umd/label.h"
#include "umd/managed.h"
#include "umd/model.h"
#include "umd/model_task.h"
#include "umd/named_callbacks.h"
#include "umd/notify.h"
#include "umd/pool.h"
#include "umd/registrations.h"
#include "umd/report_threads.h"
#include "umd/stream.h"
#include "umd/task_group.h"
#include "umd/thread_state.h"
#include "umd/visible_devices.h"
#include "umd/vmm.h"

namespace umd {

constexpr unsigned MAX_DEVICES = UNPU_MAX_DEVICES;

using StreamCallback = std::function<void(Stream &, StreamState)>;

/** enum class DeviceStage - when callbacks of devices run. Numbers as in aclrtDeviceState. */
enum class DeviceStage { SET_PRE = 0, SET_POST = 1, RESET_PRE = 2, RESET_POST = 3 };

using DeviceCallback = std::function<void(int32_t device, DeviceStage)>;

/** enum class AbortStage - numbers as in aclrtDeviceTaskAbortStage. */
enum class AbortStage { BEFORE = 0, AFTER = 1 };

/* Return: 0, or anything else when the abort must not go on. */
using AbortCallback = std::function<int32_t(int32_t device, AbortStage, uint32_t timeout_ms)>;

/**
 * class Runtime - the process-wide root. Made on first use and never destroyed: programs free things
 * from static destructors.
 */
class Runtime {
public:
	/** get() - the root. After fork() the child's root refuses everything. */
	static Runtime &get()
	{
		Runtime *made = base::load_acquire(root_);
		return made ? *made : make();
	}

	/** made() - the root, or nullptr before anything called get(). */
	static const Runtime *made() { return base::load_acquire(root_); }

	static ThreadState &thread() { return ThreadState::mine(); }

	/** check_fork() - NOT_INITIALISED with the sentence set, in a fork of a process that had a root. */
	base::Status check_fork() const;

	/** init() - counts. Return: ALREADY_INITIALISED (which also counts), BAD_FILE, BAD_CONFIG,
	 * CONFIG_CHANGED. */
	base::Status init(const char *config_path);
	/** cancel_init() - takes back an init() that returned OK, as if it had not been called. */
	void cancel_init();
	uint64_t init_count();
	/** config_text() - what the file of the last init() said, "" without one. */
	std::string config_text();
	/** finalize() - count to zero and everything closed. Return: ALREADY_FINALISED. */
	base::Status finalize();
	/** finalize_reference() - one less; the last one closes everything. */
	base::Status finalize_reference(uint64_t *left);

	/** device_count() - how many devices the program may use. */
	base::Result<uint32_t> device_count();

	/** visible_devices() - their numbers. Return: why device string or list can't be read. */
	base::Result<VisibleDevices> visible_devices();
	const std::string &soc_name();

	/** set_device() - makes the primary context the thread's, with one more reference.
	 * Return: INVALID_DEVICE, why it can't be opened. */
	base::Status set_device(int32_t index);
	/** reset_device() - give_back_primary() that callbacks of devices are told of. */
	base::Status reset_device(int32_t index, bool force);

	/** retain_primary() - one more reference to the primary context, which is made if need be.
	 * Return: INVALID_DEVICE, why it can't be opened. */
	base::Result<Context *> retain_primary(int32_t index);

	/** give_back_primary() - retain_primary() taken back, or all of them with @force; waits for the
	 * context's work with the last, without a lock. Return: INVALID_DEVICE, DEVICE_SET_MISSING. */
	base::Status give_back_primary(int32_t index, bool force);
	base::Status current_device(int32_t &index);
	/** chosen_device() - the calling thread's device, or 0 for a thread without one. */
	int32_t chosen_device();
	base::Status primary_state(int32_t index, bool &active);

	base::Result<Context *> create_context(int32_t index);
	/** destroy_context() - waits for its work, without a lock.
	 * Return: NO_CONTEXT, CONTEXT_DYING while another thread destroys it. */
	base::Status destroy_context(const void *handle);
	base::Status set_current(const void *handle);
	/** contexts_beside() - handles of the other contexts on the device of @context. */
	std::vector<uint64_t> contexts_beside(const Context &context);

	/** current() - the calling thread's context, which does not end before the hold is dropped.
	 * Return: NO_CONTEXT with the sentence set. */
	base::Result<ContextHold> current()
	{
		ContextHold context = hold_context(thread().context);
		if (context) [[likely]]
			return context;
		return choose_current();
	}

	/** hold_context() - the live context of a handle, or nothing. */
	ContextHold hold_context(uint64_t handle)
	{
		Context *context = contexts.find(reinterpret_cast<void *>(handle));
		if (!context) [[unlikely]]
			return {};
		ContextHold hold(*context);
		if (hold && context->handle.now() == handle) [[likely]]
			return hold;
		return {};
	}

	/** locate() - holds the open device whose windows hold @address, or nothing for other memory. */
	DeviceHold locate(const void *address, drv::Place &place);
	/** locate_beside() - the same among the other devices than that of @context, which is held. */
	DeviceHold locate_beside(const Context &context, const void *address, drv::Place &place);

	/** with_device() - runs @visit on device @index, opened for the call when it is not open.
	 * @open_only: refuse a device that is not open.
	 * Context: any thread without the runtime's lock; @visit runs under it.
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

	/** can_access_peer() - whether device @index could reach memory of device @peer.
	 * Return: INVALID_DEVICE. */
	base::Status can_access_peer(int32_t index, int32_t peer, bool &reachable);
	/** enable_peer(), disable_peer() - tasks of the context's device may, or may not, name memory of
	 * device @peer, as soon as that is open. Return: INVALID_DEVICE. */
	base::Status enable_peer(Context &context, int32_t peer);
	base::Status disable_peer(Context &context, int32_t peer);
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

	Settings<OPTIONS> options; /* of the process */
	Settings<LIMITS> limits;

	HandleTable<Context, Kind::CONTEXT> contexts;
	HandleTable<Stream, Kind::STREAM> streams;
	HandleTable<Event, Kind::EVENT> events;
	HandleTable<Model, Kind::MODEL> models;
	HandleTable<ModelStream, Kind::MODEL_STREAM> model_streams;
	HandleTable<ModelTask, Kind::MODEL_TASK> model_tasks;
	HandleTable<TaskGroup, Kind::TASK_GROUP> task_groups;
	HandleTable<Condition, Kind::CONDITION> conditions;
	HandleTable<Label, Kind::LABEL> labels;
	HandleTable<LabelList, Kind::LABEL_LIST> label_lists;
	std::atomic<uint32_t> label_count{0};
	VirtualMemory vmm;
	Registrations registrations;
	ManagedMemory managed;
	Pools pools;
	Allocators allocators;
	HandleTable<Notify, Kind::NOTIFY> notifies;
	HandleTable<Notify, Kind::COUNTER> counters;
	IpcMemory ipc_memory;
	HandleTable<File, Kind::FILE> files;

	NamedCallbacks<DeviceCallback> device_callbacks;
	NamedCallbacks<StreamCallback> stream_callbacks;
	NamedCallbacks<AbortCallback> abort_callbacks;
	FaultCallbacks fault_callbacks;
	ReportThreads report_threads;

	/** watch_faults() - every device tells fault_callbacks of failed tasks from now on. */
	base::Status watch_faults();

	/** set_execute_limit() - of work that engines do, on every device; 0 for none. */
	base::Status set_execute_limit(uint64_t limit_ns);
	uint64_t execute_limit() const { return execute_limit_ns_.load(); }

	/** wait_timeout_ns - limit of wait tasks that come without one, 0 for none. */
	std::atomic<uint64_t> wait_timeout_ns{0};

	/** abort_tasks() - drops the tasks of all streams of this process on a device; it takes no work
	 * until it is repaired or closed.
	 * Return: INVALID_DEVICE, DEVICE_SET_MISSING, INTERNAL when a callback forbids it. */
	base::Status abort_tasks(int32_t index, uint32_t timeout_ms);

	/** last_fault() - the latest fault of a task on a device, or OK. Return: INVALID_DEVICE. */
	base::Status last_fault(int32_t index, base::Status &fault, uint64_t &address);

	/** repair() - lets a device whose tasks were aborted take work again.
	 * Return: INVALID_DEVICE, INVALID_ARGUMENT for one that was not aborted. */
	base::Status repair(int32_t index);

private:
	static Runtime *root_;

	explicit Runtime(bool refused);
	static Runtime &make();
	static void refuse_in_fork();
	base::Status load_config(const char *path);
	base::Status ensure_options();
	base::Status check_index(int32_t index);
	base::Status open(DeviceState &state);
	base::Status prepare(OpenDevice &open);
	/* Closes the device that it owns. Context: no lock is held. */
	struct Closer {
		void operator()(OpenDevice *open) const;
	};
	using Closing = std::unique_ptr<OpenDevice, Closer>;

	Closing take_out_idle(DeviceState &state);
	static void await_closings();
	DeviceHold search(const OpenDevice *but, const void *address, drv::Place &place);
	static bool is_used(const DeviceState &state);
	void retire_context(Context &context);
	void end_context(std::unique_lock<base::RecursiveMutex> &lock, Context &context);
	static void link(DeviceState &state, DeviceState &peer);
	void link_peers(DeviceState &state);
	base::Result<Context *> make_context(DeviceState &state, bool primary);
	base::Status check_set(int32_t index);
	void tell(int32_t index, DeviceStage stage);
	bool wants_default(const ThreadState &thread);
	base::Status drain_all(std::unique_lock<base::RecursiveMutex> &lock);
	void tear_down(std::unique_lock<base::RecursiveMutex> &lock);
	base::Status end(std::unique_lock<base::RecursiveMutex> &lock);
	base::Result<ContextHold> choose_current();

	/* A device opens under it: the second of two threads that set a device waits for the first. */
	base::RecursiveMutex mutex_{"Runtime::mutex_", base::HeldOver::ANSWERS};
	std::array<DeviceState, MAX_DEVICES> devices_;
	hal::Options options_;
	VisibleDevices visible_;
	bool options_read_ = false;
	uint64_t init_count_ = 0;
	bool ever_initialised_ = false;
	bool initialised_before_ = false; /* the last init() */
	bool ever_finalised_ = false;
	uint64_t config_hash_ = 0;
	std::string config_text_;
	int32_t default_device_ = -1;
	/* The longest limit there is; a device has none until it is told one. */
	std::atomic<uint64_t> execute_limit_ns_{254 * (uint64_t{4294967} * 1000)};
	bool limits_execution_ = false;
	const bool refused_; /* in a fork */
};

/** class DevicePin - a device that stays open for as long as this lives, as pin_device() has it. Context:
 * the caller holds neither a device nor a lock when this is made and when it ends. */
class DevicePin {
public:
	explicit DevicePin(int32_t index) : device_(Runtime::get().pin_device(index)) {}
	~DevicePin()
	{
		if (device_)
			Runtime::get().unpin_device(std::move(*device_));
	}
	DevicePin(const DevicePin &) = delete;
	DevicePin &operator=(const DevicePin &) = delete;

	/** status() - OK, or why there is none, with the sentence set. */
	base::Status status() const { return device_.status(); }
	OpenDevice &open() const { return device_->open(); }

private:
	base::Result<DeviceHold> device_;
};

/** is_current() - whether @stream, which is held, belongs to the thread's current context and has not
 * ended. A context that has ended has another handle than any thread's. */
inline bool is_current(const Stream &stream)
{
	const uint64_t current = Runtime::thread().context;
	return current != 0 && !stream.ends.load() && stream.context->handle.now() == current;
}

} // namespace umd
