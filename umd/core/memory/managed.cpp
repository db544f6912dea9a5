// SPDX-License-Identifier: MIT
/**
 * DOC: Managed memory
 *
 * Managed memory is host memory that the device accesses at the same address. Its pages never migrate, so the
 * runtime only stores the program's placement hints.
 */
#include "managed.h"

#include <fmt/format.h>

#include "memory.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

Status ManagedMemory::allocate(Context &context, uint64_t bytes, void **out)
{
	constexpr uint64_t MOST = uint64_t{1} << 46;
	auto bo = bytes <= MOST ? context.device().memory().allocate_managed(bytes)
				: Result<drv::Bo>(Status::NO_MEMORY);
	if (!bo)
		return refuse_memory(
			context.device(), bo.status(),
			fmt::format("{} contiguous bytes of managed memory can't be allocated",
				    bytes));
	std::lock_guard lock(mutex_);
	units_.insert_or_assign(
		bo->va, std::vector<ManagedHints>(base::round_up(bo->bytes, base::HUGE_PAGE_BYTES) /
						  base::HUGE_PAGE_BYTES));
	*out = reinterpret_cast<void *>(bo->va);
	recorder::observer.note_allocation({*out, bytes, san::ALLOC_HOST});
	return Status::OK;
}

Status ManagedMemory::free(const DeviceHold &device, void *address)
{
	auto value = reinterpret_cast<uint64_t>(address);
	{
		std::lock_guard lock(mutex_);
		if (units_.erase(value) == 0)
			return Status::INVALID_ARGUMENT;
	}
	return device->memory().free(Place::PINNED, value, drv::Use::MANAGED,
				     Devices::get().fences_of_users(device, address));
}

void ManagedMemory::forget(const void *address)
{
	std::lock_guard lock(mutex_);
	units_.erase(reinterpret_cast<uint64_t>(address));
}

Status ManagedMemory::prefetch(const void *address, uint64_t bytes, const ManagedPlace &place)
{
	return hint(address, bytes, [&](ManagedHints &unit) { unit.prefetched = place; });
}

void ManagedSummary::add(const ManagedHints &unit)
{
	if (is_first) {
		preferred = unit.preferred;
		prefetched = unit.prefetched;
		accessed_by = unit.accessed_by;
	}
	is_first = false;
	is_read_mostly = is_read_mostly && unit.is_read_mostly;
	if (preferred != unit.preferred)
		preferred = {};
	if (prefetched != unit.prefetched)
		prefetched = {};
	std::erase_if(accessed_by,
		      [&](const ManagedPlace &place) { return !unit.accessed_by.contains(place); });
}

Result<std::span<ManagedHints>> ManagedMemory::find(const void *address, uint64_t bytes)
{
	constexpr uint64_t UNIT = base::HUGE_PAGE_BYTES;
	auto value = reinterpret_cast<uint64_t>(address);
	auto after = units_.upper_bound(value);
	Place place;
	if (after != units_.begin() && Devices::get().locate(address, place)) {
		auto &[start, units] = *std::prev(after);
		uint64_t offset = value - start;
		uint64_t reach = units.size() * UNIT;
		if (offset < reach && bytes <= reach - offset) {
			uint64_t first = offset / UNIT;
			uint64_t last = (offset + bytes - 1) / UNIT;
			return std::span(units).subspan(first, last - first + 1);
		}
	}
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("ptr: the {} bytes from {} are not inside managed memory",
				     bytes, fmt::ptr(address)));
}

} // namespace umd
