// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/mutex.h"
#include "drv/memory/memory.h"
#include "umd/core/process/process.h"

namespace umd {

/**
 * class ReleasedMemory - memory of devices that the program reset or finalised. Context: any thread.
 */
class ReleasedMemory {
public:
	static ReleasedMemory &get() { return Process::own<ReleasedMemory>(); }

	/** add() - takes over the remaining memory of a device that closes.
	 * @device: the program's number of the device; @call: the call that closed it: a literal, which may
	 * contain words of words.h */
	void add(drv::Memory &memory, int32_t device, const char *call);

	/** told() - a message about the device memory that was at @address, or "". */
	static std::string told(const void *address);

	/** check() - refuses the argument @name if device memory was at @address. If nothing was released, it
	 * costs one load.
	 * Return: OK; or @status, which sets the error message. */
	static base::Status check(const char *name, const void *address,
				  base::Status status = base::Status::INVALID_ARGUMENT)
	{
		const auto *all = Process::find<ReleasedMemory>();
		if (!all || base::load_relaxed(all->reserved_) == 0) [[likely]]
			return base::Status::OK;
		return refuse(name, address, status);
	}

	/** free() - frees pinned or managed memory that outlived its device.
	 * @use: PLAIN, MANAGED. Return: INVALID_ARGUMENT if there is no such object. */
	static base::Status free(const void *address, drv::Use use);

	/** forget() - removes an object that a thread has freed while its device was closing. */
	static void forget(const void *address, drv::Use use)
	{
		const auto *all = Process::find<ReleasedMemory>();
		if (all && base::load_acquire(all->added_) != 0) [[unlikely]]
			(void)free(address, use);
	}

private:
	struct Range {
		drv::Place place;
		base::Mapping memory;
		int32_t device;
		const char *call;
		std::map<uint64_t, drv::Use> objects; /* indexed by address */
	};
	using Ranges = std::map<uint64_t, Range>;

	static base::Status refuse(const char *name, const void *address, base::Status status);
	Ranges::iterator find(uint64_t address) REQUIRES(mutex_);
	void forget_oldest() REQUIRES(mutex_);

	/* Held while the objects of a device are read, so that forget() finds them. */
	base::Mutex mutex_{"ReleasedMemory::mutex_", base::HeldOver::ANSWERS};
	Ranges ranges_ GUARDED_BY(mutex_);		       /* indexed by address */
	std::deque<uint64_t> reservations_ GUARDED_BY(mutex_); /* device memory, the oldest first */
	uint32_t reserved_ = 0; /* how many reservations there are; read without the lock */
	uint32_t added_ = 0;	/* number of add() calls that have begun; read without the lock */
};

} // namespace umd
