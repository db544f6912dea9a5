// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "base/mutex.h"
#include "umd/context.h"
#include "umd/device_state.h"
#include "umd/process.h"

namespace umd {

/** class Registrations - memory of the program that the device reaches. Context: any thread. */
class Registrations {
public:
	static Registrations &get() { return Process::own<Registrations>(); }

	/** add() - [@start, @start + @bytes), from a page's start on. Memory from aclrtMallocHost stays as
	 * it is, any other gets new pages.
	 * @mapped: the program may ask for its device address
	 * @lock: the pages stay in memory
	 * Return: ALREADY_REGISTERED, INVALID_ARGUMENT, NO_PERMISSION, NO_MEMORY; the sentence is set. */
	base::Status add(Context &context, void *start, uint64_t bytes, bool mapped, bool lock);

	/** remove() - Return: NOT_REGISTERED. */
	base::Status remove(void *start);

	/** device_address() - of host memory that was registered as mapped. Return: INVALID_ARGUMENT. */
	base::Result<void *> device_address(void *address);

private:
	struct Entry {
		uint64_t bytes;
		DeviceRef device;
		drv::Chunk *chunk; /* nullptr: pinned memory already */
		bool mapped;
	};

	base::Status adopt(Context &context, uint64_t start, Entry &entry, bool lock);
	void forget_closed();

	/* Memory is registered here and on the device in one step. */
	base::Mutex mutex_{"Registrations::mutex_", base::HeldOver::ANSWERS};
	std::map<uint64_t, Entry> entries_; /* by address */
};

} // namespace umd
