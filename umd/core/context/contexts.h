// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "umd/core/device/devices.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"
#include "umd/core/process/thread_state.h"

namespace umd {

/**
 * class Contexts - creates and destroys contexts, counts the references to the primary context of each
 * device, and selects the current context of a thread. Context: any thread. Lock: Devices::mutex(), which
 * also protects the states of the devices.
 */
class Contexts {
public:
	static Contexts &get() { return Process::own<Contexts>(); }

	/** set_device() - makes the primary context of the device current in the calling thread, with one
	 * more reference. Return: INVALID_DEVICE, why the device can't be opened. */
	base::Status set_device(int32_t index);
	/** reset_device() - give_back_primary() with the device callbacks before and after it. The last reset frees all
	 * memory and all handles of memory of the device, and closes it. */
	base::Status reset_device(int32_t index, bool force);

	/** retain_primary() - adds a reference to the primary context, which the first call creates.
	 * Return: INVALID_DEVICE, why the device can't be opened. */
	base::Result<Context *> retain_primary(int32_t index);

	/** give_back_primary() - drops a reference to the primary context, or all with @force. The thread
	 * that drops the last one waits for the context's work, without a lock.
	 * Return: INVALID_DEVICE, DEVICE_SET_MISSING. */
	base::Status give_back_primary(int32_t index, bool force);
	base::Status current_device(int32_t &index);
	base::Status primary_state(int32_t index, bool &active);

	base::Result<Context *> create_context(int32_t index);
	/** destroy_context() - waits for the context's work without a lock, and ends it.
	 * Return: NO_CONTEXT, CONTEXT_DYING while another thread destroys it. */
	base::Status destroy_context(const void *handle);
	base::Status set_current(const void *handle);
	/** contexts_on() - handles of the contexts on device @index. */
	std::vector<uint64_t> contexts_on(int32_t index);
	/** contexts_beside() - handles of the other contexts on the device of @context. */
	std::vector<uint64_t> contexts_beside(const Context &context);

	/** current() - holds the calling thread's context. Return: NO_CONTEXT sets the error message. */
	base::Result<ContextHold> current()
	{
		ContextHold context = hold_context(ThreadState::mine().context);
		if (context) [[likely]]
			return context;
		return choose_current();
	}

	/** hold_context() - holds the live context of @handle; empty if the handle is stale. */
	static ContextHold hold_context(uint64_t handle)
	{
		Context *context = Context::table().find(reinterpret_cast<void *>(handle));
		if (!context) [[unlikely]]
			return {};
		ContextHold hold(*context);
		if (hold && context->handle.now() == handle) [[likely]]
			return hold;
		return {};
	}

	/** set_default_device() - sets the device whose primary context a thread without a context uses; -1
	 * for none. */
	void set_default_device(int32_t index) { default_device_ = index; }

	/** abort_tasks() - drops the tasks of all streams of this process on a device. The device refuses
	 * work until it is repaired or closed.
	 * Return: INVALID_DEVICE, DEVICE_SET_MISSING, INTERNAL if a callback forbids it. */
	base::Status abort_tasks(int32_t index, uint32_t timeout_ms);

	/** using Ended - a function that is called when a context has ended. @handle: the last handle of the
	 * context. Its device is still open. */
	using Ended = void (*)(uint64_t handle);

	/** on_end() - adds a function that frees the objects which a front end has for a context. It runs
	 * without a lock, on the thread that ends the context, after the context's streams and the last call
	 * that held it. A function that was added before is not added again. There is room for MOST_ENDED. */
	void on_end(Ended ended);

	/** end_all() - lets all ready work of all contexts run, then ends the contexts and closes the
	 * devices.
	 * Context: no lock is held. Return: DEVICE_LOST. */
	base::Status end_all();

private:
	uint64_t retire_context(Context &context) REQUIRES(Devices::get().mutex());
	void end_context(Context &context, uint64_t handle) REQUIRES(Devices::get().mutex());
	base::Result<Context *> make_context(DeviceState &state, bool primary)
		REQUIRES(Devices::get().mutex());
	base::Status check_set(int32_t index) REQUIRES(Devices::get().mutex());
	void release_device(int32_t index);
	void tell(int32_t index, DeviceStage stage);
	base::Status drain_all() REQUIRES(Devices::get().mutex());
	std::vector<Devices::Closing> tear_down() REQUIRES(Devices::get().mutex());
	base::Result<ContextHold> choose_current();

	std::atomic<int32_t> default_device_{-1};
	static constexpr size_t MOST_ENDED = 4;
	std::array<std::atomic<Ended>, MOST_ENDED> ended_{};
};

} // namespace umd
