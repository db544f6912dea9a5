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

} // namespace umd
