// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "umd/core/device/device_state.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

/** class Registrations - host memory of the program that it registered for access by the device.
 * Context: any thread. */
class Registrations {
public:
	static Registrations &get() { return Process::own<Registrations>(); }

	/** add() - registers [@start, @start + @bytes) of pinned or any other memory, whose pages stay as
	 * they are.
	 * @mapped: the program may query the device address
	 * Return: ALREADY_REGISTERED, INVALID_ARGUMENT, NO_MEMORY, QUOTA; sets the error message. */
	base::Status add(Context &context, void *start, uint64_t bytes, bool mapped);

	/** remove() - waits until no copy by the host uses the range any more; a later one fails.
	 * Return: NOT_REGISTERED. */
	base::Status remove(void *start);

	/** begin_use(), end_use() - mark the use of [@address, @address + @bytes) by a copy that the host
	 * makes. After begin_use() the caller checks that the range is still registered.
	 * Return: the number of the use. */
	uint64_t begin_use(uint64_t address, uint64_t bytes);
	void end_use(uint64_t use);

	/** device_address() - the device address of host memory that was registered as mapped. Return:
	 * INVALID_ARGUMENT. */
	base::Result<void *> device_address(void *address);

private:
	struct Entry {
		uint64_t bytes;
		DeviceRef device;
		bool is_adopted; /* false: it was pinned memory before */
		bool is_mapped;
	};

	struct Use {
		uint64_t start;
		uint64_t end;
	};

	base::Status adopt(Context &context, uint64_t start, Entry &entry) REQUIRES(mutex_);
	void forget_closed() REQUIRES(mutex_);
	void wait_for_uses(uint64_t start, uint64_t end);

	/* Held also during requests to the device, so that this list and the firmware's list agree. */
	base::Mutex mutex_{"Registrations::mutex_", base::HeldOver::ANSWERS};
	std::map<uint64_t, Entry> entries_ GUARDED_BY(mutex_); /* indexed by address */

	base::Mutex uses_mutex_{"Registrations::uses_mutex_"};
	base::Bell use_ended_ GUARDED_BY(uses_mutex_);
	/* indexed by a number that only grows */
	std::map<uint64_t, Use> uses_ GUARDED_BY(uses_mutex_);
	uint64_t last_use_ GUARDED_BY(uses_mutex_) = 0;
};

} // namespace umd
