// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "umd/core/device/device_state.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

/**
 * class IpcMemory - device memory that this process exports to others or imports, by key.
 * Context: any thread.
 */
class IpcMemory {
public:
	static IpcMemory &get() { return Process::own<IpcMemory>(); }

	/** export_range() - a new key for a part of one live allocation.
	 * @any_process: any process may import it, else those of allow()
	 * Return: INVALID_ARGUMENT for other memory, NOT_SUPPORTED for imported memory, QUOTA. */
	base::Result<unpu_export_key> export_range(const void *address, uint64_t bytes,
						   bool any_process);

	/** export_allocation() - the key of the whole allocation that @address is in, for any process;
	 * the same one each time. Return: as export_range(). */
	base::Result<unpu_export_key> export_allocation(const void *address);

	/** allow() - allows processes to import. Return: NOT_SHARED if this process did not export @key;
	 * QUOTA. */
	base::Status allow(const unpu_export_key &key, std::span<const uint32_t> pids);

	/** import() - maps memory of another process. @open: the device; the caller keeps it open. @address:
	 * receives the address for that device. Importing a key again gives the same address and needs one
	 * more close().
	 * Return: NOT_SUPPORTED, SAME_PROCESS, NOT_SHARED, NOT_ALLOWED, NO_MEMORY. */
	base::Status import(OpenDevice &open, const unpu_export_key &key, void **address);

	/** imported_at() - where import() mapped the memory of @key; NULL if it did not. Sets no error
	 * message. */
	const void *imported_at(const unpu_export_key &key);

	/** close() - ends an export or an import. Return: NOT_SHARED. */
	base::Status close(const unpu_export_key &key);

	/** close_import() - ends the import at @address.
	 * @others: fences of work of other devices that may use the memory
	 * @is_recorded: the recorder already knows it, for example from a free in stream order
	 * Return: INVALID_ARGUMENT if import() mapped nothing there. */
	base::Status close_import(const void *address, std::vector<drv::Fence> others = {},
				  bool is_recorded = false);

	/** exported() - checks a key. Return: NOT_SHARED if this process did not export @key. */
	base::Status exported(const unpu_export_key &key);

	/** forget() - removes the keys of the allocation at @address, which the caller frees. */
	void forget(const DeviceHold &device, const void *address);

private:
	struct Entry {
		unpu_export_key key{};
		DeviceRef device;
		uint64_t va = 0;       /* address of the allocation, or of the imported memory */
		uint32_t imports = 0;  /* number of imports; 0: it is an export */
		bool is_whole = false; /* an export of the whole allocation, for any process */
	};

	DeviceHold drop(Entry &entry, std::vector<drv::Fence> others = {}, bool is_recorded = false)
		REQUIRES(mutex_);
	Entry *find(const unpu_export_key &key, bool imported) REQUIRES(mutex_);
	void purge() REQUIRES(mutex_);

	/* Held also during requests to the device, so that this list and the firmware's list agree. */
	base::Mutex mutex_{"IpcMemory::mutex_", base::HeldOver::ANSWERS};
	std::vector<Entry> entries_ GUARDED_BY(mutex_);
};

} // namespace umd
