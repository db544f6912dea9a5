// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "umd/core/device/device_state.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct ManagedPlace - preferred location of managed memory; the numbers are the interface's. */
struct ManagedPlace {
	int32_t type = 0; /* 0: no preference */
	int32_t id = 0;

	auto operator<=>(const ManagedPlace &) const = default;
};

/** struct ManagedHints - the program's hints for one unit of 2 MiB. */
struct ManagedHints {
	bool is_read_mostly = false;
	ManagedPlace preferred;
	ManagedPlace prefetched;
	std::set<ManagedPlace> accessed_by;
};

/** struct ManagedSummary - the hints that all units of a range have in common. */
struct ManagedSummary {
	bool is_first = true;
	bool is_read_mostly = true;
	ManagedPlace preferred;
	ManagedPlace prefetched;
	std::set<ManagedPlace> accessed_by;

	void add(const ManagedHints &unit);
};

/**
 * class ManagedMemory - memory with one address for host and device. Hints are stored and returned, but do
 * not move the memory. Context: any thread.
 */
class ManagedMemory {
public:
	static ManagedMemory &get() { return Process::own<ManagedMemory>(); }

	/** allocate() - allocates managed memory. Return: NO_MEMORY; sets the error message. */
	base::Status allocate(Context &context, uint64_t bytes, void **out);

	/** free() - frees memory of @device. Return: INVALID_ARGUMENT if @address is not the start of managed
	 * memory. */
	base::Status free(const DeviceHold &device, void *address);

	/** forget() - forgets the hints of memory that outlived its device and was freed. */
	void forget(const void *address);

	/** hint() - applies @change to each unit that [@address, @address + @bytes) touches.
	 * Return: INVALID_ARGUMENT, if the range is not inside managed memory; sets the error message. */
	template <class Change>
	base::Status hint(const void *address, uint64_t bytes, const Change &change)
	{
		std::lock_guard lock(mutex_);
		auto units = TRY(find(address, bytes));
		for (ManagedHints &unit : units)
			change(unit);
		return base::Status::OK;
	}

	/** prefetch() - stores the location. Return: INVALID_ARGUMENT as hint(). */
	base::Status prefetch(const void *address, uint64_t bytes, const ManagedPlace &place);

private:
	base::Result<std::span<ManagedHints>> find(const void *address, uint64_t bytes)
		REQUIRES(mutex_);

	base::Mutex mutex_{"ManagedMemory::mutex_"};
	std::map<uint64_t, std::vector<ManagedHints>> units_
		GUARDED_BY(mutex_); /* indexed by the address of the allocation */
};

} // namespace umd
