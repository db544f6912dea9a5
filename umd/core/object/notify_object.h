// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/sync/mutex.h"
#include "uapi/mailbox.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

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
	bool is_waitable = true; /* the semaphore is on @device, so streams can wait for it */
	DeviceRef device;
	uint32_t sem = 0;

	/* Held also during requests to the device, so that this object and the firmware agree. */
	base::Mutex mutex{"Notify::mutex", base::HeldOver::ANSWERS};
	/* a graph may use the semaphores even after the notify was destroyed */
	bool in_graph GUARDED_BY(mutex) = false;
	unpu_export_key key GUARDED_BY(mutex){}; /* object 0: the notify is not exported */
	std::vector<Seat> seats GUARDED_BY(mutex);

	uint64_t traced = 0; /* its number in the trace; 0: none */

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

} // namespace umd
