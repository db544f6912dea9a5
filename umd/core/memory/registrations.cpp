// SPDX-License-Identifier: MIT
/**
 * DOC: Registered memory
 *
 * Memory of the program that the program registered for a device. Its pages stay as they are. This class stores
 * the registered ranges and answers queries about them.
 */
#include "registrations.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/clock.h"
#include "drv/device.h"
#include "drv/quota.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Place;

void Registrations::forget_closed()
{
	std::erase_if(entries_, [](const auto &entry) { return !entry.second.device.is_open(); });
}

static Status refuse_adopt(drv::Device &device, Status status, uint64_t start, uint64_t bytes)
{
	auto *address = reinterpret_cast<void *>(start);
	switch (status) {
	case Status::IN_USE:
		return set_error(Status::ALREADY_REGISTERED,
				 fmt::format("ptr {}: some of the {} bytes are registered already; "
					     "$host_unregister takes that back",
					     fmt::ptr(address), bytes));
	case Status::INVALID_ARGUMENT:
		return set_error(status,
				 fmt::format("ptr {}: the {} bytes from there are not memory that "
					     "can be read; pass the bytes of one mapping",
					     fmt::ptr(address), bytes));
	default:
		return set_error(status, fmt::format("{} bytes at {} can't be registered: {}",
						     bytes, fmt::ptr(address),
						     drv::quota_sentence(device.hal(), status)));
	}
}

Status Registrations::adopt(Context &context, uint64_t start, Entry &entry)
{
	drv::Device &device = context.device();
	Place place;
	if (Devices::get().locate(reinterpret_cast<void *>(start), place)) {
		if (place == Place::PINNED && device.memory().covers(start, entry.bytes))
			return Status::OK;
		return refuse_adopt(device, Status::INVALID_ARGUMENT, start, entry.bytes);
	}
	auto range = device.space().adopt(start, entry.bytes);
	if (!range)
		return refuse_adopt(device, range.status(), start, entry.bytes);
	entry.is_adopted = true;
	device.memory().enter(drv::Bo{start, entry.bytes, 0, nullptr, drv::Use::REGISTERED,
				      range->access, range->is_reached});
	return Status::OK;
}

Status Registrations::add(Context &context, void *start, uint64_t bytes, bool mapped)
{
	constexpr uint64_t MOST = uint64_t{1} << 46;
	std::lock_guard guard(mutex_);
	forget_closed();
	auto address = reinterpret_cast<uint64_t>(start);
	if (bytes > MOST || address + bytes < address)
		return refuse_adopt(context.device(), Status::INVALID_ARGUMENT, address, bytes);
	auto after = entries_.lower_bound(address + bytes);
	if (after != entries_.begin()) {
		const auto &[before, entry] = *std::prev(after);
		if (before + entry.bytes > address)
			return refuse_adopt(context.device(), Status::IN_USE, address, bytes);
	}
	Entry entry{bytes, DeviceRef(*context.open), false, mapped};
	TRY(adopt(context, address, entry));
	entries_.emplace(address, entry);
	if (entry.is_adopted)
		recorder::observer.note_allocation(
			{start, bytes, san::ALLOC_HOST | san::ALLOC_DEFINED});
	return Status::OK;
}

Status Registrations::remove(void *start)
{
	std::unique_lock guard(mutex_);
	forget_closed();
	auto found = entries_.find(reinterpret_cast<uint64_t>(start));
	if (found == entries_.end()) {
		TRY(Process::check_fork());
		return set_error(
			Status::NOT_REGISTERED,
			fmt::format("ptr {} is not an address that is registered now; pass "
				    "the address that was registered; a reset of its device "
				    "releases it too",
				    fmt::ptr(start)));
	}
	const auto [first, entry] = *found;
	DeviceHold device = entry.device.hold();
	recorder::observer.forget_sources();
	if (entry.is_adopted)
		recorder::observer.note_given_back(start, entry.bytes);
	if (device && entry.is_adopted) {
		/* The buffer object is removed first, because a task that finds it may use the memory. */
		(void)device->memory().remove(Place::PINNED, first, drv::Use::REGISTERED);
		device->space().give_up(first);
	}
	entries_.erase(found);
	guard.unlock();
	wait_for_uses(first, first + entry.bytes);
	if (device)
		Devices::get().close_idle(std::move(device));
	return Status::OK;
}

uint64_t Registrations::begin_use(uint64_t address, uint64_t bytes)
{
	std::lock_guard guard(uses_mutex_);
	uses_.emplace(++last_use_, Use{address, address + bytes});
	return last_use_;
}

void Registrations::end_use(uint64_t use)
{
	std::lock_guard guard(uses_mutex_);
	uses_.erase(use);
	use_ended_.ring();
}

/* Waits for all uses that have begun. A later use finds no registration, or a new one, so it need not be
 * waited for. */
void Registrations::wait_for_uses(uint64_t start, uint64_t end)
{
	std::unique_lock guard(uses_mutex_);
	const uint64_t last = last_use_;
	const auto is_awaited = [&](const auto &use) {
		return use.first <= last && use.second.start < end && start < use.second.end;
	};
	while (std::any_of(uses_.begin(), uses_.end(), is_awaited))
		use_ended_.wait(guard, base::NO_DEADLINE);
}

Result<void *> Registrations::device_address(void *address)
{
	std::lock_guard guard(mutex_);
	forget_closed();
	auto after = entries_.upper_bound(reinterpret_cast<uint64_t>(address));
	if (after != entries_.begin()) {
		const auto &[start, entry] = *std::prev(after);
		if (reinterpret_cast<uint64_t>(address) - start < entry.bytes && entry.is_mapped)
			return address;
	}
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("pHost {} is not inside host memory that was registered as "
				     "mapped",
				     fmt::ptr(address)));
}

} // namespace umd
