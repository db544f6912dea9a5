// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/device.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct PhysicalProperties - the properties of physical memory that the program set and can query. */
struct PhysicalProperties {
	static constexpr uint32_t UNSET = ~uint32_t{0};

	uint64_t bytes = 0;
	bool is_host = false;		/* true: host memory; false: device memory */
	uint32_t attribute = UNSET;	/* attribute that the API set; UNSET: there is none */
	uint32_t location_type = UNSET; /* location type that the API set; UNSET: there is none */
	uint32_t location_id = 0;	/* index of the device */
	uint32_t handle_types = 0;	/* how the API exports it; numbers of the API */
};

/** struct Physical - memory without an address of its own. It lives as long as the program has a reference
 * or it is mapped somewhere. Lock: VirtualMemory::mutex_. */
struct Physical {
	HandleWord handle;
	DeviceRef device;
	drv::SegmentFile segment;
	PhysicalProperties properties;
	uint32_t references = 0; /* held by the program; at 0 the handle is invalid */
	uint32_t mappings = 0;
	uint32_t exports = 0; /* files that are open in some process */
	bool is_imported = false;
	bool any_process = false; /* whether any process may import @key */
	unpu_export_key key{};	  /* nonce 0: not exported */
	uint64_t traced = 0;	  /* its block in the trace of the recorder; 0: none */
};

/** struct MapRights - which sides may access mapped memory, and which other memory may be in its reservation. */
struct MapRights {
	uint32_t device = UNPU_ACCESS_MASK; /* UNPU_ACCESS_* bits of the device */
	uint32_t host = UNPU_ACCESS_MASK;   /* UNPU_ACCESS_* bits of the host, for host memory */
	bool mixes = false; /* imported memory and other memory may share a reservation */
};

/** struct AccessChange - a new access right for the host, or for device @index. */
struct AccessChange {
	bool is_host = false;
	int32_t index = 0;
	uint32_t access = 0; /* UNPU_ACCESS_* bits */
};

/**
 * class VirtualMemory - virtual address ranges and physical memory that a program maps itself.
 * Context: any thread. Return: the functions set the error message.
 */
class VirtualMemory {
public:
	static VirtualMemory &get() { return Process::own<VirtualMemory>(); }

	/** reserve() - reserves addresses of the process, in units of 2 MiB, for memory of any device.
	 * @wish: preferred address, used if it is free; or NULL
	 * @alignment: of the start, a power of two. Return: NO_MEMORY. */
	base::Status reserve(uint64_t bytes, const void *wish, void **out,
			     uint64_t alignment = base::HUGE_PAGE_BYTES);
	/** reserve_at() - reserves addresses exactly at @start. Return: INVALID_ARGUMENT unless @start is a
	 * multiple of 2 MiB; NO_MEMORY. */
	base::Status reserve_at(uint64_t bytes, const void *start, void **out);
	/** release() - @bytes: what the program reserved, or 0 for any size.
	 * Return: INVALID_ARGUMENT if @start is not a reservation or it has mappings. */
	base::Status release(void *start, uint64_t bytes = 0);

	/** create() - allocates memory of device @index or host memory; it keeps the device open.
	 * Return: NO_MEMORY, INVALID_DEVICE, why the device can't be opened. */
	base::Result<void *> create(int32_t index, const PhysicalProperties &properties);
	/** drop() - drops a reference to the memory. */
	base::Status drop(const void *handle);
	/** properties() - the properties of the memory of a handle. Return: INVALID_HANDLE. */
	base::Result<PhysicalProperties> properties(const void *handle);

	/** share() - exports the memory, once. @any_process: any process may import it, else those of
	 * allow().
	 * Return: INVALID_ARGUMENT, NOT_SUPPORTED for imported memory, QUOTA. */
	base::Result<unpu_export_key> share(const void *handle, bool any_process);
	/** allow() - allows processes to import. Return: NOT_SHARED if this process did not share() it;
	 * QUOTA. */
	base::Status allow(uint64_t nonce, std::span<const uint32_t> pids);
	/** import() - imports memory of another process, for a device that the caller pins.
	 * @on_device, @on_host: what properties() returns if it is device memory, or host memory
	 * Return: NOT_SUPPORTED, SAME_PROCESS, NOT_SHARED, NOT_ALLOWED, NO_RESOURCE. */
	base::Result<void *> import(OpenDevice &open, const unpu_export_key &key,
				    PhysicalProperties on_device, PhysicalProperties on_host);

	/** export_file() - a file that stands for the memory. It keeps the memory alive until all its
	 * descriptors are closed, in all processes. Any number of files may stand for one memory.
	 * Return: INVALID_ARGUMENT, NOT_SUPPORTED for imported memory, QUOTA, NO_RESOURCE. */
	base::Result<base::Fd> export_file(const void *handle);
	/** read_file() - the key of a file of export_file(). Return: INVALID_ARGUMENT. */
	static base::Result<unpu_export_key> read_file(int file);
	/** own_memory() - the handle of memory that this process exported. Adds a reference.
	 * Return: NOT_SHARED; sets no error message. */
	base::Result<void *> own_memory(const unpu_export_key &key);
	/** drop_closed() - frees the memory of handles whose devices have closed. The program still has to
	 * free the handles. */
	void drop_closed();
	/** end_closed_files() - frees memory that only files kept alive, if these files are closed in all
	 * processes. */
	void end_closed_files();

	/** map() - maps the whole memory at @start, inside one reservation. */
	base::Status map(void *start, uint64_t bytes, const void *handle, const MapRights &rights);
	base::Status unmap(void *start);
	/** devices_of() - indexes of the devices of several mappings, which together are the range.
	 * Return: INVALID_ARGUMENT. */
	base::Result<std::set<int32_t>> devices_of(const void *start, uint64_t bytes);
	/** unmap_range() - unmaps several mappings, which together are the range.
	 * Return: INVALID_ARGUMENT. */
	base::Status unmap_range(void *start, uint64_t bytes);
	/** retain() - returns the handle of the memory mapped at @address and adds a reference. */
	base::Result<void *> retain(const void *address);

	/** set_access(), access() - access rights of the device, or of the host to host memory.
	 * @bytes: size of the whole mapping */
	base::Status set_access(void *start, uint64_t bytes, bool host, uint32_t access);
	base::Result<uint32_t> access(const void *address, bool host);
	/** change_access() - changes access to several mappings, which together are the range. Changes
	 * nothing if it refuses one of @changes.
	 * Return: INVALID_ARGUMENT; NOT_SUPPORTED where the host or a device can't reach the memory. */
	base::Status change_access(void *start, uint64_t bytes,
				   std::span<const AccessChange> changes);

	/** mapped() - the properties of the memory mapped at @address; nothing if there is none. */
	std::optional<PhysicalProperties> mapped(const void *address);
	/** device_of() - index of the device on which the memory at @address is mapped; -1 for none. */
	int32_t device_of(const void *address);
	/** reserved() - the reservation that holds @address: its start and the bytes that the program
	 * asked for; 0 bytes if there is none. */
	std::pair<uint64_t, uint64_t> reserved(uint64_t address);

private:
	struct Mapping {
		uint64_t bytes;
		Physical *physical;
		DeviceRef device;
		drv::Chunk *reservation;
		uint32_t device_access;
		uint32_t host_access;
	};

	struct Export {
		Physical *physical;
		/* reports a hang-up when all descriptors of the other end are closed */
		base::Fd kept;
	};

	struct Reservation {
		uint64_t bytes;
		uint64_t asked; /* bytes that the program asked for */
		/* address of the larger range that it was cut from */
		uint64_t base;
		std::vector<DeviceRef> devices; /* devices that have or had memory mapped there */
		bool is_lost = false;		/* memory was mapped there when its device closed */
	};
	using Reservations = std::map<uint64_t, Reservation>; /* indexed by address */

	using Tiles = std::vector<std::pair<const uint64_t, Mapping> *>;

	void enter(uint64_t va, uint64_t bytes, uint64_t base, void **out) REQUIRES(mutex_);
	Reservations::iterator reservation_of(uint64_t address) REQUIRES(mutex_);
	bool has_mappings(uint64_t start, uint64_t bytes) const REQUIRES(mutex_);
	base::Result<drv::Chunk *> attach(Reservations::iterator reservation, OpenDevice &open)
		REQUIRES(mutex_);
	base::Status map_at(uint64_t start, Physical &physical, OpenDevice &open,
			    const MapRights &rights) REQUIRES(mutex_);
	base::Status unmap_one(uint64_t start, const Mapping &mapping) REQUIRES(mutex_);
	base::Status protect(uint64_t start, Mapping &mapping, bool host, uint32_t access)
		REQUIRES(mutex_);
	base::Result<Tiles> tiles(const void *start, uint64_t bytes) REQUIRES(mutex_);
	base::Result<unpu_export_key> publish(const void *handle, Physical &physical,
					      bool any_process) REQUIRES(mutex_);
	base::Result<void *> make(OpenDevice &open, const PhysicalProperties &properties);
	base::Result<Physical *> find(const void *handle) REQUIRES(mutex_);
	Mapping *mapping(const void *address) REQUIRES(mutex_);
	base::Result<Mapping *> mapping_at(const void *start) REQUIRES(mutex_);
	base::Result<Reservations::iterator> check_place(const Physical &physical, uint64_t start,
							 bool mixes) REQUIRES(mutex_);
	base::Result<void *> add(OpenDevice &open, const PhysicalProperties &properties,
				 drv::SegmentFile segment, bool imported) REQUIRES(mutex_);
	void end_if_unused(Physical &physical) REQUIRES(mutex_);
	void forget_closed() REQUIRES(mutex_);

	/* Held also during requests to the device, so that both agree on what is mapped. */
	base::Mutex mutex_{"VirtualMemory::mutex_", base::HeldOver::ANSWERS};
	HandleTable<Physical, Kind::PHYSICAL> physicals_ GUARDED_BY(mutex_);
	Reservations reservations_ GUARDED_BY(mutex_);
	std::map<uint64_t, Mapping> mappings_ GUARDED_BY(mutex_); /* indexed by address */
	/* indexed by the nonce of the export's key */
	std::map<uint64_t, Physical *> shared_ GUARDED_BY(mutex_);
	std::vector<Export> exports_ GUARDED_BY(mutex_);
};

} // namespace umd
