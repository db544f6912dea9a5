// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "drv/device.h"
#include "umd/context.h"
#include "umd/device_state.h"
#include "umd/handle.h"
#include "umd/process.h"

namespace umd {

/** struct PhysicalProperties - what a program asked for, told back to it on request. */
struct PhysicalProperties {
	uint64_t bytes = 0;
	bool host = false;	/* host memory, else device memory */
	uint32_t attribute = 0; /* the following as the API numbers them */
	uint32_t location_type = 0;
	uint32_t location_id = 0;
};

/** struct Physical - memory that has no address of its own. It lives as long as somebody has a
 * reference or it is mapped somewhere. Lock: the VirtualMemory's. */
struct Physical {
	HandleWord handle;
	DeviceRef device;
	drv::SegmentFile segment;
	PhysicalProperties properties;
	uint32_t references = 0; /* of the program; with none the handle is no good */
	uint32_t mappings = 0;
	bool imported = false;
	unpu_export_key key{}; /* nonce 0: it is not exported */
};

/**
 * class VirtualMemory - addresses and memory that a program puts together itself.
 * Context: any thread. Return: the calls set the sentence of what they return.
 */
class VirtualMemory {
public:
	static VirtualMemory &get() { return Process::own<VirtualMemory>(); }

	/** reserve() - addresses of the process, in units of 2 MiB. Memory of any device may be mapped there.
	 * @wish: where, if that is free; or NULL. Return: NO_MEMORY. */
	base::Status reserve(uint64_t bytes, const void *wish, void **out);
	/** reserve_at() - addresses exactly at @start. Return: INVALID_ARGUMENT unless that is a multiple
	 * of 2 MiB; NO_MEMORY. */
	base::Status reserve_at(uint64_t bytes, const void *start, void **out);
	/** release() - Return: INVALID_ARGUMENT for what is no reservation or has mappings. */
	base::Status release(void *start);

	/** create() - memory of device @index or its host; the device is open for as long as the memory lives.
	 * Return: NO_MEMORY, INVALID_DEVICE, why the device can't be opened. */
	base::Result<void *> create(int32_t index, const PhysicalProperties &properties);
	/** drop() - one reference less. */
	base::Status drop(const void *handle);
	/** properties() - Return: INVALID_HANDLE. */
	base::Result<PhysicalProperties> properties(const void *handle);

	/** share() - a key for the memory, once. @any_process: without a list.
	 * Return: INVALID_ARGUMENT, NOT_SUPPORTED for imported memory, QUOTA. */
	base::Result<unpu_export_key> share(const void *handle, bool any_process);
	/** allow() - lists processes. Return: NOT_SHARED for what this process did not share(); QUOTA. */
	base::Status allow(uint64_t nonce, std::span<const uint32_t> pids);
	/** import() - another process's memory, for a device that the caller pins.
	 * @on_device, @on_host: what properties() is to tell of it, if it is memory of the one or other
	 * Return: NOT_SUPPORTED, SAME_PROCESS, NOT_SHARED, NOT_ALLOWED, NO_RESOURCE. */
	base::Result<void *> import(OpenDevice &open, const unpu_export_key &key,
				    PhysicalProperties on_device, PhysicalProperties on_host);

	/** map() - all of the memory at @start, inside one reservation.
	 * @access: UNPU_ACCESS_* of the device */
	base::Status map(void *start, uint64_t bytes, const void *handle, uint32_t access);
	base::Status unmap(void *start);
	/** retain() - the handle of what is mapped at @address, with one reference more. */
	base::Result<void *> retain(const void *address);

	/** set_access(), access() - of the device, or of the host to host memory.
	 * @bytes: as it was mapped */
	base::Status set_access(void *start, uint64_t bytes, bool host, uint32_t access);
	base::Result<uint32_t> access(const void *address, bool host);

	/** mapped() - what is mapped at @address, if anything is. */
	std::optional<PhysicalProperties> mapped(const void *address);
	/** device_of() - index of the device that what is mapped at @address is mapped on; -1 for none. */
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
		std::vector<DeviceRef> devices; /* that have, or had, memory there */
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

	/* Memory is mapped here and on the device in one step. */
	base::Mutex mutex_{"VirtualMemory::mutex_", base::HeldOver::ANSWERS};
	HandleTable<Physical, Kind::PHYSICAL> physicals_;
	Reservations reservations_;
	std::map<uint64_t, Mapping> mappings_;	/* by address */
	std::map<uint64_t, Physical *> shared_; /* by the nonce of their keys */
};

} // namespace umd
