// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "drv/channel/packets.h"
#include "umd/core/context/context.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

struct Stream;

/**
 * struct Notify - a number that streams change and wait for: a notify, which is 0 or 1, or a counter.
 * It belongs to one device, and only streams there wait for it. Streams of any device of its process, and
 * of processes that imported it, change it.
 */
struct Notify {
	/** struct Seat - the semaphore of the notify on another device of the process. */
	struct Seat {
		DeviceRef device;
		uint32_t sem = 0;
	};

	HandleWord handle;
	bool is_counter = false;
	bool is_imported = false;
	bool is_device_only = false;
	bool is_waitable = true; /* it lives on @device */
	DeviceRef device;
	uint32_t sem = 0;

	/* Held also for the device's request, so that both agree. */
	base::Mutex mutex{"Notify::mutex", base::HeldOver::ANSWERS};
	bool in_graph GUARDED_BY(mutex) =
		false; /* a graph may use the semaphores also after the end */
	unpu_export_key key GUARDED_BY(mutex){}; /* object 0: not exported */
	std::vector<Seat> seats GUARDED_BY(mutex);

	uint64_t traced = 0; /* its number in the trace of the recorder; 0: none */

	using Table = HandleTable<Notify, Kind::NOTIFY>;
	using Counters = HandleTable<Notify, Kind::COUNTER>;
	/** table(), counters() - all notifies, and all counters. */
	static Table &table();
	static Counters &counters();
};

inline Notify::Table &Notify::table()
{
	return Process::own<Table>();
}
inline Notify::Counters &Notify::counters()
{
	return Process::own<Counters>();
}

constexpr uint32_t NOTIFY_DEVICE_USE_ONLY = 1;

/** create_notify() - creates it on the context's device. @counter: any value is possible, else 0 or 1.
 * Return: INVALID_ARGUMENT for unknown @flags, NO_NOTIFY. */
base::Result<Notify *> create_notify(Context &context, bool counter, uint64_t flags);

/** destroy_notify() - never blocks; queued tasks that use it still run.
 * Return: false if another thread destroyed it first, so that @handle is stale. */
bool destroy_notify(Notify &notify, const void *handle);

/** record_notify() - appends a task to @stream that does @op with @value.
 * Return: INVALID_ARGUMENT for DEVICE_USE_ONLY; INVALID_HANDLE when its device was reset. */
base::Status record_notify(Notify &notify, Stream &stream, unpu_signal_op op, uint32_t value);

/** wait_notify() - makes the next task of @stream wait. @wait: the condition, without the semaphore.
 * Return: as record_notify(); INVALID_ARGUMENT on another device than the notify lives on. */
base::Status wait_notify(Notify &notify, Stream &stream, unpu_sem_wait wait);

/** clear_notify() - sets it to 0 from the host; waits for no stream. */
base::Status clear_notify(Notify &notify);

/** export_notify() - a key for other processes, the same each time.
 * @any_process: any process may import it, else those of allow_notify()
 * Return: INVALID_ARGUMENT for an imported one, QUOTA. */
base::Result<unpu_export_key> export_notify(Notify &notify, bool any_process);

/** allow_notify() - allows processes to import. Return: INVALID_ARGUMENT if it was not exported, QUOTA. */
base::Status allow_notify(Notify &notify, std::span<const uint32_t> pids);

/** import_notify() - Return: NOT_SUPPORTED, SAME_PROCESS, NOT_SHARED, NOT_ALLOWED, NO_NOTIFY. */
base::Result<Notify *> import_notify(Context &context, const unpu_export_key &key);

} // namespace umd
