// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "base/sync/mutex.h"
#include "umd/core/context/context.h"
#include "umd/core/device/device_state.h"
#include "umd/core/process/process.h"

namespace umd {

/** class Registrations - host memory of the program that it registered for access by the device.
 * Context: any thread. */
class Registrations {
public:
	static Registrations &get() { return Process::own<Registrations>(); }

	/** add() - registers [@start, @start + @bytes) of pinned or any other memory, whose pages stay as they
	 * are.
	 * @mapped: the program may query the device address
	 * Return: ALREADY_REGISTERED, INVALID_ARGUMENT, NO_MEMORY, QUOTA; the sentence is set. */
	base::Status add(Context &context, void *start, uint64_t bytes, bool mapped);

	/** remove() - Return: NOT_REGISTERED. */
	base::Status remove(void *start);

	/** device_address() - of host memory that was registered as mapped. Return: INVALID_ARGUMENT. */
	base::Result<void *> device_address(void *address);

private:
	struct Entry {
		uint64_t bytes;
		DeviceRef device;
		bool is_adopted; /* false: pinned memory already */
		bool mapped;
	};

	base::Status adopt(Context &context, uint64_t start, Entry &entry);
	void forget_closed();

	/* Protects the following. Held also for the device's request, so that both agree. */
	base::Mutex mutex_{"Registrations::mutex_", base::HeldOver::ANSWERS};
	std::map<uint64_t, Entry> entries_; /* by address */
};

} // namespace umd
