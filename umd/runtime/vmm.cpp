// SPDX-License-Identifier: MIT
/**
 * DOC: Virtual memory
 *
 * Memory is counted by references and mappings and ends with the last of both. What belonged to a
 * device that has closed is forgotten when somebody looks.
 */
#include "umd/vmm.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include "umd/error.h"
#include "umd/memory.h"
#include "umd/runtime.h"
#include "umd/share_key.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

static uint64_t number(const void *address)
{
	return reinterpret_cast<uint64_t>(address);
}

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

Status VirtualMemory::reserve(Context &context, uint64_t bytes, const void *wish, void **out)
{
	if (bytes <= MOST_RESERVED) {
		drv::AddressSpace &space = context.device().space();
		auto chunk = can_start(wish) ? space.reserve_at(number(wish), bytes)
					     : base::Result<drv::Chunk *>(Status::NO_MEMORY);
		if (!chunk)
			chunk = space.reserve(bytes);
		if (chunk) {
			*out = reinterpret_cast<void *>((*chunk)->va);
			return Status::OK;
		}
	}
	return set_error(
		Status::NO_MEMORY,
		fmt::format("{} bytes of addresses are not to be had in one piece; the device "
			    "has twice the addresses that it has memory ({} bytes), and a "
			    "process may reserve {} bytes",
			    bytes, context.device().hal().bar().memory_bytes,
			    UNPU_MAX_RESERVED_BYTES));
}

Status VirtualMemory::reserve_at(Context &context, uint64_t bytes, const void *start, void **out)
{
	if (!can_start(start))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("expectPtr is {}; it must be the address where the "
					     "reservation is to begin, a multiple of 2 MiB",
					     fmt::ptr(start)));
	if (bytes <= MOST_RESERVED) {
		auto chunk = context.device().space().reserve_at(number(start), bytes);
		if (chunk) {
			*out = reinterpret_cast<void *>((*chunk)->va);
			return Status::OK;
		}
	}
	return set_error(Status::NO_MEMORY,
			 fmt::format("the {} bytes at {} are not to be had: something is there, or "
				     "it is no address of a process; choose others, or let "
				     "aclrtReserveMemAddress choose",
				     bytes, fmt::ptr(start)));
}

/* The reservation that starts at @start or, with @inside, holds it. */
static drv::Chunk *find_reservation(const void *start, bool inside, DeviceHold &device)
{
	Place place;
	device = Runtime::get().locate(start, place);
	drv::Chunk *chunk = device ? device->space().find(number(start)) : nullptr;
	if (!chunk || !chunk->pieces || (!inside && chunk->va != number(start)))
		return nullptr;
	return chunk;
}

Status VirtualMemory::release(void *start)
{
	std::lock_guard lock(mutex_);
	DeviceHold device;
	drv::Chunk *chunk = find_reservation(start, false, device);
	if (!chunk)
		return refuse("virPtr", start, "is not the start of reserved addresses");
	auto first = mappings_.lower_bound(chunk->va);
	if (first != mappings_.end() && first->first - chunk->va < chunk->bytes)
		return refuse("virPtr", start, "has memory mapped; call aclrtUnmapMem first");
	return device->space().release(chunk);
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
	physical->imported = imported;
	physical->key = {};
	if (!properties.host && !imported)
		open.device->memory().count_physical(static_cast<int64_t>(properties.bytes));
	return physicals_.pointer(*physical);
}

Result<void *> VirtualMemory::create(Context &context, const PhysicalProperties &properties)
{
	std::lock_guard lock(mutex_);
	drv::Device &device = context.device();
	device.reap();
	auto segment = device.space().create_segment(
		properties.host ? UNPU_SEGMENT_PINNED : UNPU_SEGMENT_DEVICE, properties.bytes,
		UNPU_PAGE_THP, UNPU_SEGMENT_SHAREABLE);
	if (!segment)
		return refuse_memory(
			context, segment.status(),
			fmt::format("{} bytes of {} memory are not to be had; the device has "
				    "{} bytes in all",
				    properties.bytes, properties.host ? "host" : "device",
				    device.hal().bar().memory_bytes));
	return add(*context.open, properties, segment.take(), false);
}

Result<unpu_export_key> VirtualMemory::share(const void *handle, bool any_process)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = find(handle);
	if (!found)
		return found.status();
	Physical &physical = **found;
	if (physical.key.nonce)
		return refuse("handle", handle, "is exported already; it has one name at most");
	if (physical.imported)
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("handle {} was imported; the process whose memory it is "
				    "exports it",
				    fmt::ptr(handle)));
	const DeviceHold device = physical.device.hold();
	if (!device)
		return refuse("handle", handle, "is of a device that was reset");
	auto key =
		device->sharing().export_segment(physical.segment.id, 0, physical.properties.bytes,
						 any_process ? UNPU_EXPORT_ANY_PROCESS : 0);
	if (!key)
		return refuse_import(key.status(), {});
	physical.key = *key;
	shared_[key->nonce] = &physical;
	return key;
}

Status VirtualMemory::allow(uint64_t nonce, std::span<const uint32_t> pids)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = shared_.find(nonce);
	const DeviceHold device =
		found == shared_.end() ? DeviceHold{} : found->second->device.hold();
	if (!device)
		return set_error(Status::NOT_SHARED,
				 "shareableHandle names nothing that this process exported and has "
				 "not freed");
	Status status = device->sharing().allow(found->second->key, pids);
	return status == Status::OK ? status : refuse_import(status, found->second->key);
}

Result<void *> VirtualMemory::import(OpenDevice &open, const unpu_export_key &key,
				     PhysicalProperties on_device, PhysicalProperties on_host)
{
	drv::Device &device = *open.device;
	TRY(check_import(device, key));
	auto segment = device.sharing().import_segment(key);
	if (!segment)
		return refuse_import(segment.status(), key);
	PhysicalProperties &properties = segment->host ? on_host : on_device;
	properties.bytes = segment->bytes;
	properties.host = segment->host;
	std::lock_guard lock(mutex_);
	return add(open, properties, drv::SegmentFile{segment->id, std::move(segment->shared)},
		   true);
}

Result<Physical *> VirtualMemory::find(const void *handle)
{
	Physical *physical = physicals_.get(handle);
	if (physical && physical->references > 0)
		return physical;
	TRY(Runtime::get().check_fork());
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("handle {} is not a live handle of memory: it was freed, or is "
			    "something else",
			    fmt::ptr(handle)));
}

void VirtualMemory::end_if_unused(Physical &physical)
{
	if (physical.references > 0 || physical.mappings > 0)
		return;
	if (const DeviceHold device = physical.device.hold()) {
		const PhysicalProperties &properties = physical.properties;
		device->space().destroy_segment(physical.segment.id);
		if (!properties.host && !physical.imported)
			device->memory().count_physical(-static_cast<int64_t>(properties.bytes));
	}
	physical.segment = {};
	if (physical.key.nonce)
		shared_.erase(physical.key.nonce);
	physicals_.destroy(physical);
}

Status VirtualMemory::drop(const void *handle)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto physical = find(handle);
	if (!physical)
		return physical.status();
	(*physical)->references--;
	end_if_unused(**physical);
	return Status::OK;
}

Result<PhysicalProperties> VirtualMemory::properties(const void *handle)
{
	std::lock_guard lock(mutex_);
	auto physical = find(handle);
	if (!physical)
		return physical.status();
	return (*physical)->properties;
}

void VirtualMemory::forget_closed()
{
	for (auto entry = mappings_.begin(); entry != mappings_.end();) {
		if (entry->second.device.is_open()) {
			++entry;
			continue;
		}
		Physical &physical = *entry->second.physical;
		entry = mappings_.erase(entry);
		physical.mappings--;
		end_if_unused(physical);
	}
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
	return refuse("virPtr", start, "is not an address that memory was mapped at");
}

Result<drv::Chunk *> VirtualMemory::check_place(const Physical &physical, uint64_t start,
						uint64_t bytes)
{
	auto *address = reinterpret_cast<void *>(start);
	DeviceHold device;
	drv::Chunk *chunk = find_reservation(address, true, device);
	if (!chunk || bytes > chunk->bytes - (start - chunk->va))
		return refuse("virPtr", address, "and size do not lie in reserved addresses");
	if (start % base::HUGE_PAGE_BYTES != 0)
		return refuse("virPtr", address, "is not a multiple of 2 MiB");
	if (!physical.device.is(device.open()))
		return refuse("virPtr", address,
			      "is reserved on another device than the memory was made on");
	auto first = mappings_.lower_bound(chunk->va);
	bool used = first != mappings_.end() && first->first - chunk->va < chunk->bytes;
	if (used && first->second.physical->imported != physical.imported)
		return refuse("virPtr", address,
			      "lies in a reservation with memory that was imported, or was not, "
			      "other than this");
	return chunk;
}

Status VirtualMemory::map(void *start, uint64_t bytes, const void *handle, uint32_t access)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = find(handle);
	if (!found)
		return found.status();
	Physical &physical = **found;
	if (bytes != physical.properties.bytes)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("size is {}; it must be the size of the memory, {}",
					     bytes, physical.properties.bytes));
	auto chunk = check_place(physical, number(start), bytes);
	if (!chunk)
		return chunk.status();
	const DeviceHold held = physical.device.hold();
	if (!held)
		return refuse("handle", handle, "is of a device that was reset");
	drv::Device &device = *held;
	drv::Piece piece{number(start), bytes, physical.segment, access, physical.properties.host};
	Status status = device.space().map_piece(**chunk, piece);
	if (status != Status::OK)
		return status == Status::INVALID_ARGUMENT
			       ? refuse("virPtr", start, "has memory mapped there, or behind it")
			       : set_error(status, base::status_sentence(status));
	physical.mappings++;
	uint32_t host_access = physical.properties.host ? UNPU_ACCESS_MASK : 0;
	mappings_.emplace(number(start),
			  Mapping{bytes, &physical, physical.device, *chunk, access, host_access});
	device.memory().enter(drv::Bo{number(start), bytes, 0, *chunk, drv::Use::MAPPED, access});
	return Status::OK;
}

Status VirtualMemory::unmap(void *start)
{
	DeviceHold device;
	{
		std::lock_guard lock(mutex_);
		auto found = mapping_at(start);
		if (!found)
			return found.status();
		Mapping gone = **found;
		device = gone.device.hold();
		if (!device)
			return refuse("virPtr", start, "is of a device that was reset");
		(void)device->memory().remove(Place::DEVICE, number(start), drv::Use::MAPPED);
		Status status =
			device->space().unmap_piece(*gone.reservation, number(start), gone.bytes);
		mappings_.erase(number(start));
		gone.physical->mappings--;
		end_if_unused(*gone.physical);
		if (status != Status::OK)
			return set_error(status, base::status_sentence(status));
	}
	Runtime::get().close_idle(std::move(device));
	return Status::OK;
}

Result<void *> VirtualMemory::retain(const void *address)
{
	std::lock_guard lock(mutex_);
	Mapping *found = mapping(address);
	if (!found)
		return refuse("virPtr", address, "is not inside mapped memory");
	found->physical->references++;
	return physicals_.pointer(*found->physical);
}

Status VirtualMemory::set_access(void *start, uint64_t bytes, bool host, uint32_t access)
{
	std::lock_guard lock(mutex_);
	auto found = mapping_at(start);
	if (!found)
		return found.status();
	Mapping &entry = **found;
	if (bytes != entry.bytes)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("size is {}; it must be as it was mapped, {}", bytes,
					     entry.bytes));
	if (!host) {
		const DeviceHold device = entry.device.hold();
		if (!device)
			return refuse("virPtr", start, "is of a device that was reset");
		TRY(device->space().protect(number(start), bytes, access));
		device->memory().protect(number(start), access);
		entry.device_access = access;
		return Status::OK;
	}
	if (!entry.physical->properties.host)
		return set_error(Status::NOT_SUPPORTED,
				 "the host does not reach device memory by its address; desc must "
				 "name the device");
	int protection = (access & UNPU_ACCESS_READ ? PROT_READ : 0) |
			 (access & UNPU_ACCESS_WRITE ? PROT_WRITE : 0);
	if (mprotect(start, bytes, protection) != 0)
		return set_error(Status::NO_MEMORY, "the process is out of mappings");
	entry.host_access = access;
	return Status::OK;
}

Result<uint32_t> VirtualMemory::access(const void *address, bool host)
{
	std::lock_guard lock(mutex_);
	Mapping *found = mapping(address);
	if (!found)
		return refuse("virPtr", address, "is not inside mapped memory");
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
