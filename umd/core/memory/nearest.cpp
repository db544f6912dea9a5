// SPDX-License-Identifier: MIT
/**
 * DOC: Allocations beside an address
 *
 * A copy that leaves its allocation is a mistake in a size, a use after a free, or a wild pointer. The error
 * message tells which, by the allocation that is or was near the address. Allocations are longer than the
 * program asked for; messages show the size that it asked for.
 */
#include "nearest.h"

#include <fmt/format.h>

#include "drv/device.h"
#include "released.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/owned.h"

namespace umd::check {

using base::Status;

static std::string count_of(uint64_t bytes)
{
	return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

static std::string maker_of(uint64_t address)
{
	return is_on() ? OwnedObjects::get().maker(address) : "";
}

static std::string name_of(const drv::Bo &bo)
{
	return fmt::format("the allocation of {} at {:#x}{}", count_of(bo.asked_bytes()), bo.va,
			   maker_of(bo.va));
}

static std::string tell_freed(const drv::Nearby &near, uint64_t address)
{
	if (is_on()) {
		const std::string freed = OwnedObjects::get().find_freed(address);
		if (!freed.empty())
			return freed;
	}
	if (near.freed_bytes == 0)
		return "";
	return fmt::format("the {} bytes at {:#x} were freed{}", near.freed_bytes, near.freed_va,
			   is_on() ? "" : " (UNPU_CHECK=warn names the call)");
}

/* Describes the nearer one of the two neighbouring allocations. */
static std::string tell_gap(const drv::Nearby &near, uint64_t address)
{
	const drv::Bo &below = near.below;
	const drv::Bo &above = near.above;
	const uint64_t behind = address - (below.va + below.asked_bytes());
	if (below.bytes != 0 && (above.bytes == 0 || behind <= above.va - address))
		return fmt::format("no allocation is there; {} ends {} before", name_of(below),
				   count_of(behind));
	if (above.bytes != 0)
		return fmt::format("no allocation is there; {} begins {} behind", name_of(above),
				   count_of(above.va - address));
	return "the device has no allocation";
}

static bool is_inside(const drv::Bo &bo, uint64_t address)
{
	return bo.bytes != 0 && address - bo.va < bo.bytes;
}

static std::string tell_outside(const drv::Nearby &near, uint64_t address)
{
	const std::string freed = tell_freed(near, address);
	return freed.empty() ? tell_gap(near, address) : freed;
}

std::string tell_no_start(const DeviceHold &device, uint64_t address)
{
	const drv::Nearby near = device->memory().nearby(address);
	const drv::Bo &bo = near.below;
	return is_inside(bo, address)
		       ? fmt::format("it is byte {} of {}", address - bo.va, name_of(bo))
		       : tell_outside(near, address);
}

std::string tell_nearest(uint64_t address, uint64_t bytes)
{
	drv::Place place;
	const DeviceHold device =
		Devices::get().locate(reinterpret_cast<const void *>(address), place);
	if (!device)
		return "the address is none of a device";
	const drv::Nearby near = device->memory().nearby(address);
	const drv::Bo &bo = near.below;
	const uint64_t offset = address - bo.va;
	if (!is_inside(bo, address))
		return tell_outside(near, address);
	if (bytes > bo.bytes - offset)
		return fmt::format("they begin at byte {} of {} and end {} behind it", offset,
				   name_of(bo), count_of(offset + bytes - bo.asked_bytes()));
	return fmt::format("{} does not allow this access", name_of(bo));
}

Status check_end(const char *call, const char *name, const void *address, uint64_t bytes)
{
	drv::Place place;
	const auto start = reinterpret_cast<uint64_t>(address);
	const DeviceHold device = Devices::get().locate(address, place);
	if (!device)
		return Status::OK;
	const drv::Bo bo = device->memory().lookup(start);
	const uint64_t offset = start - bo.va;
	const bool is_plain = bo.use == drv::Use::PLAIN || bo.use == drv::Use::POOLED;
	if (bo.bytes == 0 || !is_plain || bytes > UINT64_MAX - offset ||
	    offset + bytes <= bo.asked_bytes())
		return Status::OK;
	return misuse(
		Status::INVALID_ARGUMENT,
		fmt::format("{}: {}: the {} from {} begin at byte {} of {} and end {} behind it",
			    call, name, count_of(bytes), fmt::ptr(address), offset, name_of(bo),
			    count_of(offset + bytes - bo.asked_bytes())));
}

/* Whether tasks of device @here may use memory of device @home. For memory that is lent this is not known. */
static bool is_reached(const drv::Bo &bo, int32_t home, int32_t here)
{
	bool is_peer = false;
	return home == here || bo.place != drv::Place::DEVICE || (bo.readers | bo.writers) != 0 ||
	       Devices::get().peer_enabled(here, home, is_peer) != Status::OK || is_peer;
}

std::string tell_unusable(uint64_t address, int32_t here)
{
	const auto *pointer = reinterpret_cast<const void *>(address);
	drv::Place place;
	const DeviceHold device = Devices::get().locate(pointer, place);
	if (!device) {
		const std::string was = ReleasedMemory::told(pointer);
		return !was.empty()
			       ? was
			       : "it is host memory that no call has pinned or registered, or no "
				 "memory; a device uses host memory of $malloc_host";
	}
	const int32_t home = device.state().index;
	const drv::Bo bo = device->memory().lookup(address);
	if (bo.bytes == 0)
		return tell_outside(device->memory().nearby(address), address);
	if (is_reached(bo, home, here))
		return "";
	return fmt::format(
		"it is byte {} of {}, which is memory of device {}, and the stream is of "
		"device {}; allow it with $device_enable_peer_access, or copy it",
		address - bo.va, name_of(bo), home, here);
}

Status check_use(const char *call, const char *name, uint64_t address, uint64_t bytes, int32_t here)
{
	const std::string why = tell_unusable(address, here);
	if (why.empty())
		return check_end(call, name, reinterpret_cast<const void *>(address), bytes);
	return misuse(Status::INVALID_ARGUMENT,
		      fmt::format("{}: {}: no task of the stream can use {:#x}: {}", call, name,
				  address, why));
}

} // namespace umd::check
