// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/sync/mutex.h"
#include "drv/device.h"
#include "umd/core/context/context.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/handle.h"
#include "umd/core/process/process.h"

namespace umd {

/** struct PhysicalProperties - the properties of physical memory that the program set and can query. */
struct PhysicalProperties {
	uint64_t bytes = 0;
	bool host = false;	/* host memory, else device memory */
	uint32_t attribute = 0; /* this and the following: numbers of the API */
	uint32_t location_type = 0;
	uint32_t location_id = 0;
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
	bool imported = false;
	unpu_export_key key{}; /* nonce 0: not exported */
};

/**
 * class VirtualMemory - virtual address ranges and physical memory that a program maps itself.
 * Context: any thread. Return: the calls set the error sentence.
 */
class VirtualMemory {
public:
	static VirtualMemory &get() { return Process::own<VirtualMemory>(); }

	/** reserve() - reserves addresses of the process, in units of 2 MiB, for memory of any device.
	 * @wish: preferred address, used if it is free; or NULL. Return: NO_MEMORY. */
	base::Status reserve(uint64_t bytes, const void *wish, void **out);
	/** reserve_at() - reserves addresses exactly at @start. Return: INVALID_ARGUMENT unless @start is a
	 * multiple of 2 MiB; NO_MEMORY. */
	base::Status reserve_at(uint64_t bytes, const void *start, void **out);
	/** release() - Return: INVALID_ARGUMENT if @start is not a reservation or it has mappings. */
	base::Status release(void *start);

	/** create() - allocates memory of device @index or host memory; it keeps the device open.
	 * Return: NO_MEMORY, INVALID_DEVICE, why the device can't be opened. */
	base::Result<void *> create(int32_t index, const PhysicalProperties &properties);
	/** drop() - drops a reference. */
	base::Status drop(const void *handle);
	/** properties() - Return: INVALID_HANDLE. */
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

	/** map() - maps the whole memory at @start, inside one reservation.
	 * @access: UNPU_ACCESS_* of the device */
	base::Status map(void *start, uint64_t bytes, const void *handle, uint32_t access);
	base::Status unmap(void *start);
	/** retain() - returns the handle of the memory mapped at @address and adds a reference. */
	base::Result<void *> retain(const void *address);

	/** set_access(), access() - access rights of the device, or of the host to host memory.
	 * @bytes: size of the whole mapping */
	base::Status set_access(void *start, uint64_t bytes, bool host, uint32_t access);
	base::Result<uint32_t> access(const void *address, bool host);

	/** mapped() - the properties of the memory mapped at @address; nothing if there is none. */
	std::optional<PhysicalProperties> mapped(const void *address);
	/** device_of() - index of the device on which the memory at @address is mapped; -1 for none. */
	int32_t device_of(const void *address);

private:
	struct Mapping {
		uint64_t bytes;
		Physical *physical;
		DeviceRef device;
		drv::Chunk *reservation;
		uint32_t device_access;
		uint32_t host_access;
	};

	struct Reservation {
		uint64_t bytes;
		std::vector<DeviceRef> devices; /* devices that have or had memory mapped there */
	};
	using Reservations = std::map<uint64_t, Reservation>; /* by address */

	base::Status enter(uint64_t va, uint64_t bytes, void **out);
	Reservations::iterator reservation_of(uint64_t address);
	bool has_mappings(uint64_t start, uint64_t bytes) const;
	base::Result<drv::Chunk *> attach(Reservations::iterator reservation, OpenDevice &open);
	base::Status map_at(uint64_t start, Physical &physical, OpenDevice &open, uint32_t access);
	base::Result<void *> make(OpenDevice &open, const PhysicalProperties &properties);
	base::Result<Physical *> find(const void *handle);
	Mapping *mapping(const void *address);
	base::Result<Mapping *> mapping_at(const void *start);
	base::Result<Reservations::iterator> check_place(const Physical &physical, uint64_t start);
	base::Result<void *> add(OpenDevice &open, const PhysicalProperties &properties,
				 drv::SegmentFile segment, bool imported);
	void end_if_unused(Physical &physical);
	void forget_closed();

	/* Protects the following. Held also for the device's request, so that both agree on what is
	 * mapped. */
	base::Mutex mutex_{"VirtualMemory::mutex_", base::HeldOver::ANSWERS};
	HandleTable<Physical, Kind::PHYSICAL> physicals_;
	Reservations reservations_;
	std::map<uint64_t, Mapping> mappings_;	/* by address */
	std::map<uint64_t, Physical *> shared_; /* by the nonce of their keys */
};

} // namespace umd
