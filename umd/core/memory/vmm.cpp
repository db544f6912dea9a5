// SPDX-License-Identifier: MIT
/**
 * DOC: Virtual memory
 *
 * A physical allocation counts its references, its mappings and its files, and is freed when all are 0. Most
 * calls of this class first run forget_closed(), which drops the mappings of devices that have closed.
 */
#include "vmm.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "memory.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/observer.h"
#include "umd/core/task/box.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

static Status refuse(const char *name, const void *address, const char *text)
{
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} {} {}", name, fmt::ptr(address), text));
}

static constexpr uint64_t MOST_RESERVED = uint64_t{1} << 46;

static bool can_start(const void *address)
{
	return address && number(address) % base::HUGE_PAGE_BYTES == 0;
}

/* The window starts at a multiple of 2 MiB. For a larger alignment, some room before the start of the range
 * is reserved, too.
 * Return: the start of the range with that room. */
static Result<uint64_t> choose_addresses(uint64_t bytes, const void *wish, uint64_t window_bytes,
					 uint64_t alignment)
{
	drv::ReservedAddresses &reserved = drv::ReservedAddresses::get();
	if (bytes <= MOST_RESERVED && alignment <= MOST_RESERVED) {
		const bool fits = can_start(wish) && number(wish) % alignment == 0;
		if (fits && reserved.reserve_at(number(wish), bytes) == Status::OK)
			return number(wish);
		auto start =
			reserved.reserve(bytes + alignment - base::HUGE_PAGE_BYTES, window_bytes);
		if (start)
			return start;
	}
	const bool small = reserved.window_bytes() < drv::ReservedAddresses::WINDOW_BYTES;
	const char *why = !small	 ? ""
			  : window_bytes ? ", as window= of UNPU_DEVICE asks"
					 : ", because RLIMIT_AS or a tool leaves it few";
	return set_error(Status::NO_MEMORY,
			 fmt::format("{} contiguous bytes of addresses can't be reserved; the "
				     "process has {} bytes of addresses for reservations{}",
				     bytes, reserved.window_bytes(), why));
}

void VirtualMemory::enter(uint64_t va, uint64_t bytes, uint64_t base, void **out)
{
	reservations_[va] = {base::round_up(bytes, base::HUGE_PAGE_BYTES), bytes, base, {}, false};
	*out = reinterpret_cast<void *>(va);
}

Status VirtualMemory::reserve(uint64_t bytes, const void *wish, void **out, uint64_t alignment)
{
	alignment = std::max<uint64_t>(alignment, base::HUGE_PAGE_BYTES);
	auto window_bytes = TRY(Devices::get().window_bytes());
	std::lock_guard lock(mutex_);
	auto base = TRY(choose_addresses(bytes, wish, window_bytes, alignment));
	enter(base::round_up(base, alignment), bytes, base, out);
	return Status::OK;
}

Status VirtualMemory::reserve_at(uint64_t bytes, const void *start, void **out)
{
	TRY(Process::check_fork());
	if (!can_start(start))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("expectPtr is {}; it must be the address where the "
					     "reservation is to begin, a multiple of 2 MiB",
					     fmt::ptr(start)));
	std::lock_guard lock(mutex_);
	if (bytes <= MOST_RESERVED &&
	    drv::ReservedAddresses::get().reserve_at(number(start), bytes) == Status::OK) {
		enter(number(start), bytes, number(start), out);
		return Status::OK;
	}
	return set_error(
		Status::NO_MEMORY,
		fmt::format("the {} bytes at {} can't be reserved: they overlap a mapping, "
			    "or leave the address space; choose others, or let "
			    "$reserve_mem_address choose",
			    bytes, fmt::ptr(start)));
}

VirtualMemory::Reservations::iterator VirtualMemory::reservation_of(uint64_t address)
{
	auto after = reservations_.upper_bound(address);
	if (after == reservations_.begin())
		return reservations_.end();
	auto found = std::prev(after);
	return address - found->first < found->second.bytes ? found : reservations_.end();
}

bool VirtualMemory::has_mappings(uint64_t start, uint64_t bytes) const
{
	auto first = mappings_.lower_bound(start);
	return first != mappings_.end() && first->first - start < bytes;
}

Status VirtualMemory::release(void *start, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = reservations_.find(number(start));
	if (found == reservations_.end())
		return refuse(
			"$virtual_address", start,
			"is not the start of reserved addresses; $reserve_mem_address returns it");
	if (bytes != 0 && bytes != found->second.asked)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("size is {}; it must be as it was reserved, {}", bytes,
					     found->second.asked));
	if (has_mappings(found->first, found->second.bytes))
		return refuse("$virtual_address", start,
			      "has memory mapped; call $unmap_mem first");
	for (const DeviceRef &user : found->second.devices) {
		const DeviceHold device = user.hold();
		const Status status = device ? device->space().detach(found->first) : Status::OK;
		if (status != Status::OK)
			return device_failed(
				*device, status,
				fmt::format("the addresses at {} can't be given up", start));
	}
	drv::ReservedAddresses::get().release(found->second.base);
	reservations_.erase(found);
	return Status::OK;
}

/* Makes the reservation known to the device, so that the device can map memory in it. */
Result<drv::Chunk *> VirtualMemory::attach(Reservations::iterator reservation, OpenDevice &open)
{
	auto &[va, entry] = *reservation;
	auto chunk = open.device->space().attach(va, entry.bytes);
	if (!chunk)
		return set_error(Status::NO_MEMORY,
				 fmt::format("device {} has no {} bytes of addresses for the "
					     "reservation at {}; release others",
					     open.state.index, entry.bytes,
					     fmt::ptr(reinterpret_cast<void *>(va))));
	std::erase_if(entry.devices,
		      [&](const DeviceRef &user) { return !user.is_open() || user.is(open); });
	entry.devices.emplace_back(open);
	return chunk;
}

Result<void *> VirtualMemory::add(OpenDevice &open, const PhysicalProperties &properties,
				  drv::SegmentFile segment, bool imported)
{
	Physical *physical = physicals_.create();
	if (!physical) {
		open.device->space().destroy_segment(segment.id);
		return set_error(Status::NO_RESOURCE,
				 "there are too many handles of memory; free some");
	}
	physical->device = DeviceRef(open);
	physical->segment = std::move(segment);
	physical->properties = properties;
	physical->references = 1;
	physical->mappings = 0;
	physical->is_imported = imported;
	physical->exports = 0;
	physical->any_process = false;
	physical->key = {};
	physical->traced = recorder::observer.note_block(properties.bytes, properties.is_host);
	open.pins++;
	if (!properties.is_host && !imported)
		open.device->memory().count_physical(static_cast<int64_t>(properties.bytes));
	return physicals_.pointer(*physical);
}

Result<void *> VirtualMemory::make(OpenDevice &open, const PhysicalProperties &properties)
{
	drv::Device &device = *open.device;
	device.reap();
	auto segment = device.memory().with_room([&] {
		return device.space().create_segment(
			properties.is_host ? UNPU_SEGMENT_PINNED : UNPU_SEGMENT_DEVICE,
			properties.bytes, UNPU_PAGE_THP, UNPU_SEGMENT_SHAREABLE);
	});
	if (!segment)
		return refuse_memory(
			device, segment.status(),
			fmt::format("{} bytes of {} memory can't be allocated; the device has "
				    "{} bytes in all",
				    properties.bytes, properties.is_host ? "host" : "device",
				    device.hal().bar().memory_bytes));
	std::lock_guard lock(mutex_);
	return add(open, properties, segment.take(), false);
}

Result<void *> VirtualMemory::create(int32_t index, const PhysicalProperties &properties)
{
	const DevicePin device(index);
	TRY(device.status());
	return make(device.open(), properties);
}

Result<Physical *> VirtualMemory::find(const void *handle)
{
	Physical *physical = physicals_.get(handle);
	if (physical && physical->references > 0)
		return physical;
	TRY(Process::check_fork());
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("handle {} is not a live handle of memory: it was freed, or is "
			    "something else",
			    fmt::ptr(handle)));
}

void VirtualMemory::end_if_unused(Physical &physical)
{
	if (physical.references > 0 || physical.mappings > 0 || physical.exports > 0)
		return;
	if (const DeviceHold device = physical.device.hold()) {
		const PhysicalProperties &properties = physical.properties;
		device->space().destroy_segment(physical.segment.id);
		device.open().pins--;
		if (!properties.is_host && !physical.is_imported)
			device->memory().count_physical(-static_cast<int64_t>(properties.bytes));
	}
	physical.segment = {};
	if (physical.key.nonce)
		shared_.erase(physical.key.nonce);
	physicals_.destroy(physical);
}

Status VirtualMemory::drop(const void *handle)
{
	DeviceHold device;
	{
		std::lock_guard lock(mutex_);
		forget_closed();
		auto physical = TRY(find(handle));
		device = physical->device.hold();
		physical->references--;
		end_if_unused(*physical);
	}
	if (device)
		Devices::get().close_idle(std::move(device));
	return Status::OK;
}

Result<PhysicalProperties> VirtualMemory::properties(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto physical = TRY(find(handle));
	return physical->properties;
}

void VirtualMemory::forget_closed()
{
	for (auto entry = mappings_.begin(); entry != mappings_.end();) {
		if (entry->second.device.is_open()) {
			++entry;
			continue;
		}
		Physical &physical = *entry->second.physical;
		auto place = reservation_of(entry->first);
		if (place != reservations_.end())
			place->second.is_lost = true;
		entry = mappings_.erase(entry);
		physical.mappings--;
		end_if_unused(physical);
	}
}

void VirtualMemory::drop_closed()
{
	std::lock_guard lock(mutex_);
	forget_closed();
	physicals_.for_each([](Physical &physical) {
		if (!physical.device.is_open())
			physical.segment = {};
	});
}

VirtualMemory::Mapping *VirtualMemory::mapping(const void *address)
{
	forget_closed();
	auto after = mappings_.upper_bound(number(address));
	if (after == mappings_.begin())
		return nullptr;
	auto &[start, found] = *std::prev(after);
	return number(address) - start < found.bytes ? &found : nullptr;
}

Result<VirtualMemory::Mapping *> VirtualMemory::mapping_at(const void *start)
{
	forget_closed();
	auto found = mappings_.find(number(start));
	if (found != mappings_.end())
		return &found->second;
	auto place = reservation_of(number(start));
	const bool is_lost = place != reservations_.end() && place->second.is_lost;
	return refuse("$virtual_address", start,
		      is_lost ? "had memory mapped that was released by $reset_device; map other "
				"memory or release the addresses"
			      : "is not an address that memory was mapped at; pass the one that "
				"$map_mem was given");
}

Result<VirtualMemory::Reservations::iterator> VirtualMemory::check_place(const Physical &physical,
									 uint64_t start, bool mixes)
{
	auto *address = reinterpret_cast<void *>(start);
	auto found = reservation_of(start);
	if (found == reservations_.end() ||
	    physical.properties.bytes > found->second.bytes - (start - found->first))
		return refuse("$virtual_address", address,
			      "and size do not lie in reserved addresses; $reserve_mem_address "
			      "reserves some");
	if (start % base::HUGE_PAGE_BYTES != 0)
		return refuse("$virtual_address", address,
			      "is not a multiple of 2 MiB; it must be one");
	if (has_mappings(start, physical.properties.bytes) || mapping(address))
		return refuse("$virtual_address", address,
			      "has memory mapped there, or behind it; $unmap_mem takes that away");
	auto first = mappings_.lower_bound(found->first);
	bool used = !mixes && has_mappings(found->first, found->second.bytes);
	if (used && first->second.physical->is_imported != physical.is_imported)
		return refuse("$virtual_address", address,
			      "lies in a reservation that can't mix imported memory with memory of "
			      "this process; reserve other addresses for it");
	return found;
}

Status VirtualMemory::map_at(uint64_t start, Physical &physical, OpenDevice &open,
			     const MapRights &rights)
{
	auto place = TRY(check_place(physical, start, rights.mixes));
	auto chunk = TRY(attach(place, open));
	const PhysicalProperties &properties = physical.properties;
	drv::Device &device = *open.device;
	drv::Piece piece{start, properties.bytes, physical.segment, rights.device,
			 properties.is_host};
	auto record = recorder::observer.begin_map(start, properties.bytes, physical.traced);
	Status status = device.space().map_piece(*chunk, piece);
	if (status != Status::OK)
		return device_failed(
			device, status,
			fmt::format("{} bytes can't be mapped at {:#x}", properties.bytes, start));
	record.publish();
	physical.mappings++;
	place->second.is_lost = false;
	Mapping &entry = mappings_
				 .emplace(start, Mapping{properties.bytes, &physical,
							 physical.device, chunk, rights.device,
							 properties.is_host ? UNPU_ACCESS_MASK : 0})
				 .first->second;
	drv::Bo bo = drv::Bo::in_chunk(*chunk, start, properties.bytes, drv::Use::MAPPED);
	bo.access = rights.device;
	device.memory().enter(bo);
	if (!properties.is_host || rights.host == UNPU_ACCESS_MASK)
		return Status::OK;
	status = protect(start, entry, true, rights.host);
	if (status != Status::OK)
		(void)unmap_one(start, Mapping(entry));
	return status;
}

Status VirtualMemory::map(void *start, uint64_t bytes, const void *handle, const MapRights &rights)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = TRY(find(handle));
	Physical &physical = *found;
	if (bytes != physical.properties.bytes)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("size is {}; it must be the size of the memory, {}",
					     bytes, physical.properties.bytes));
	const DeviceHold device = physical.device.hold();
	if (!device)
		return refuse(
			"handle", handle,
			"is of memory that was released by $reset_device; it can only be freed");
	return map_at(number(start), physical, device.open(), rights);
}

Status VirtualMemory::unmap_one(uint64_t start, const Mapping &mapping)
{
	const DeviceHold device = mapping.device.hold();
	if (!device)
		return refuse("$virtual_address", reinterpret_cast<void *>(start),
			      "is of a device that was reset; map the memory again");
	const Mapping gone = mapping;
	recorder::observer.forget_sources();
	recorder::observer.begin_unmap(start, gone.bytes, false).publish();
	(void)device->memory().remove(Place::DEVICE, start, drv::Use::MAPPED);
	Status status = device->space().unmap_piece(*gone.reservation, start, gone.bytes);
	mappings_.erase(start);
	gone.physical->mappings--;
	end_if_unused(*gone.physical);
	if (status == Status::OK)
		return status;
	return device_failed(
		*device, status,
		fmt::format("{} bytes can't be unmapped from {:#x}", gone.bytes, start));
}

Status VirtualMemory::unmap(void *start)
{
	DeviceHold device;
	{
		std::lock_guard lock(mutex_);
		auto found = TRY(mapping_at(start));
		device = found->device.hold();
		TRY(unmap_one(number(start), *found));
	}
	Devices::get().close_idle(std::move(device));
	return Status::OK;
}

Result<void *> VirtualMemory::retain(const void *address)
{
	std::lock_guard lock(mutex_);
	Mapping *found = mapping(address);
	if (!found)
		return refuse("$virtual_address", address,
			      "is not inside mapped memory; $map_mem maps some");
	found->physical->references++;
	return physicals_.pointer(*found->physical);
}

Status VirtualMemory::protect(uint64_t start, Mapping &mapping, bool host, uint32_t access)
{
	auto *address = reinterpret_cast<void *>(start);
	if (!host) {
		const DeviceHold device = mapping.device.hold();
		if (!device)
			return refuse("$virtual_address", address,
				      "is of a device that was reset; map the memory again");
		const Status status = device->space().protect(start, mapping.bytes, access);
		if (status != Status::OK)
			return device_failed(
				*device, status,
				fmt::format("the access to {} bytes at {} can't be set",
					    mapping.bytes, address));
		device->memory().protect(start, access);
		mapping.device_access = access;
		return Status::OK;
	}
	if (!mapping.physical->properties.is_host)
		return set_error(Status::NOT_SUPPORTED,
				 "the host does not reach device memory by its address; desc must "
				 "name the device");
	int protection = (access & UNPU_ACCESS_READ ? PROT_READ : 0) |
			 (access & UNPU_ACCESS_WRITE ? PROT_WRITE : 0);
	if (mprotect(address, mapping.bytes, protection) != 0)
		return set_error(Status::NO_MEMORY,
				 "the process has as many mappings as vm.max_map_count allows; "
				 "raise it, or unmap some");
	mapping.host_access = access;
	return Status::OK;
}

Status VirtualMemory::set_access(void *start, uint64_t bytes, bool host, uint32_t access)
{
	std::lock_guard lock(mutex_);
	auto found = TRY(mapping_at(start));
	Mapping &entry = *found;
	if (bytes != entry.bytes)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("size is {}; it must be as it was mapped, {}", bytes,
					     entry.bytes));
	return protect(number(start), entry, host, access);
}

Result<uint32_t> VirtualMemory::access(const void *address, bool host)
{
	std::lock_guard lock(mutex_);
	Mapping *found = mapping(address);
	if (!found)
		return refuse("$virtual_address", address,
			      "is not inside mapped memory; $map_mem maps some");
	return host ? found->host_access : found->device_access;
}

std::optional<PhysicalProperties> VirtualMemory::mapped(const void *address)
{
	std::lock_guard lock(mutex_);
	Mapping *found = mapping(address);
	if (!found)
		return std::nullopt;
	return found->physical->properties;
}

int32_t VirtualMemory::device_of(const void *address)
{
	std::lock_guard lock(mutex_);
	Mapping *found = mapping(address);
	return found ? found->device.state->index : -1;
}

} // namespace umd
