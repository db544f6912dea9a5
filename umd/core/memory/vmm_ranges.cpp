// SPDX-License-Identifier: MIT
/**
 * DOC: Ranges of virtual memory
 *
 * An interface may name several mappings that follow each other as one range. The first one starts where the
 * range starts, each other one starts where the one before ends, and the last one ends with the range.
 */
#include "umd/core/device/open_device.h"
#include "vmm.h"

#include <fmt/format.h>

#include "umd/core/device/devices.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

Result<VirtualMemory::Tiles> VirtualMemory::tiles(const void *start, uint64_t bytes)
{
	forget_closed();
	const auto first = reinterpret_cast<uint64_t>(start);
	Tiles found;
	uint64_t covered = 0;
	for (auto at = mappings_.find(first); covered < bytes && at != mappings_.end(); ++at) {
		if (at->first != first + covered)
			break;
		covered += at->second.bytes;
		found.push_back(&*at);
	}
	if (bytes != 0 && covered == bytes)
		return found;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("the {} bytes from $virtual_address {} on are not one or several "
			    "mappings from the first byte to the last",
			    bytes, fmt::ptr(start)));
}

Result<std::set<int32_t>> VirtualMemory::devices_of(const void *start, uint64_t bytes)
{
	std::lock_guard lock(mutex_);
	auto found = TRY(tiles(start, bytes));
	std::set<int32_t> devices;
	for (const auto *tile : found)
		devices.insert(tile->second.device.state->index);
	return devices;
}

Status VirtualMemory::unmap_range(void *start, uint64_t bytes)
{
	std::vector<DeviceRef> devices;
	{
		std::lock_guard lock(mutex_);
		auto found = TRY(tiles(start, bytes));
		for (const auto *tile : found) {
			devices.push_back(tile->second.device);
			TRY(unmap_one(tile->first, tile->second));
		}
	}
	for (const DeviceRef &device : devices) {
		if (DeviceHold hold = device.hold())
			Devices::get().close_idle(std::move(hold));
	}
	return Status::OK;
}

/* Whether @change names the host or the device that reaches the memory of @mapping. */
template <class Mapping> static bool reaches(const AccessChange &change, const Mapping &mapping)
{
	return change.is_host ? mapping.physical->properties.is_host
			      : mapping.device.state->index == change.index;
}

Status VirtualMemory::change_access(void *start, uint64_t bytes,
				    std::span<const AccessChange> changes)
{
	std::lock_guard lock(mutex_);
	auto found = TRY(tiles(start, bytes));
	for (const AccessChange &change : changes) {
		for (const auto *tile : found) {
			if (change.access == 0 || reaches(change, tile->second))
				continue;
			return set_error(
				Status::NOT_SUPPORTED,
				fmt::format(
					"desc names {}, which does not reach the memory at {:#x}",
					change.is_host ? "the host" : "a device", tile->first));
		}
	}
	for (const AccessChange &change : changes) {
		for (auto *tile : found) {
			if (reaches(change, tile->second))
				TRY(protect(tile->first, tile->second, change.is_host,
					    change.access));
		}
	}
	return Status::OK;
}

std::pair<uint64_t, uint64_t> VirtualMemory::reserved(uint64_t address)
{
	std::lock_guard lock(mutex_);
	auto found = reservation_of(address);
	if (found == reservations_.end())
		return {0, 0};
	return {found->first, found->second.asked};
}

} // namespace umd
