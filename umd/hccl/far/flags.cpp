// SPDX-License-Identifier: MIT
/**
 * DOC: Flags
 *
 * Making a flag takes three steps: create a semaphore, set its first value, and create the group whose
 * exporter is this semaphore.
 */
#include "flags.h"

#include "drv/device.h"
#include "drv/packet/packets.h"
#include "umd/core/device/open_device.h"

namespace umd {

using base::Result;
using base::Status;
using Use = drv::SemaphorePool::Use;

void Flags::open(const DeviceHold &device)
{
	device_ = DeviceRef(device.open());
}

Result<uint32_t> Flags::make(drv::Device &device, uint64_t value, std::span<const uint32_t> pids,
			     unpu_export_key &key, uint32_t &wait)
{
	auto made = TRY(device.allocate_semaphore(Use::FLAG));
	Home home{made, 0, value, {}};
	Status status = device.set_semaphore(home.sem, value);
	if (status == Status::OK) {
		auto group = device.sharing().export_group(UNPU_EXPORT_NOTIFY, {&home.sem, 1}, 0,
							   UNPU_EXPORT_SAME_PROCESS);
		status = group.status();
		if (group)
			home.key = key = group->key;
	}
	if (status == Status::OK && !pids.empty())
		status = device.sharing().allow(key, pids);
	if (status == Status::OK)
		status = join(device, key, home.wait);
	wait = home.wait;
	std::lock_guard lock(mutex_);
	homes_.push_back(home);
	if (status == Status::OK && is_withdrawn_) {
		(void)device.sharing().withdraw(key);
		status = Status::PEER_LOST;
	}
	TRY(status);
	return home.sem;
}

Status Flags::join(drv::Device &device, const unpu_export_key &key, uint32_t &sem)
{
	auto made = TRY(device.allocate_semaphore(Use::SHARED));
	auto member = device.sharing().import_group(key, {&made, 1});
	if (!member) {
		device.semaphores().release(made, Use::SHARED);
		return member.status();
	}
	sem = made;
	joined_.push_back(sem);
	return Status::OK;
}

Status Flags::reset()
{
	const DeviceHold device = device_.hold();
	if (!device)
		return Status::DEVICE_LOST;
	HostCalls &calls = device.open().calls;
	TRY(calls.ready());
	std::vector<Home> homes;
	{
		std::lock_guard lock(mutex_);
		homes = homes_;
	}
	/* No lock is held here, because a submit may wait for room in a ring. */
	drv::Fence last;
	for (const Home &home : homes) {
		/* This wait passes at once, and sets the flag to 0. */
		auto fence = calls.submit(
			drv::wait_packet(0, {home.wait, UNPU_WAIT_GE, 0, 0, UNPU_WAIT_CLEAR, 0}));
		if (fence && home.value != 0)
			fence = calls.submit(
				drv::signal_packet(0, home.wait, UNPU_SIGNAL_ADD, home.value));
		if (!fence)
			return fence.status();
		last = *fence;
	}
	return device->wait(last, base::deadline_after(device->hal().answer_limit_ns()));
}

void Flags::withdraw()
{
	const DeviceHold device = device_.hold();
	std::lock_guard lock(mutex_);
	if (!device || is_withdrawn_)
		return;
	is_withdrawn_ = true;
	for (const Home &home : homes_) {
		if (home.key.object != 0)
			(void)device->sharing().withdraw(home.key);
	}
}

void Flags::release(drv::Device &device)
{
	std::vector<uint32_t> homes;
	{
		std::lock_guard lock(mutex_);
		for (const Home &home : homes_)
			homes.push_back(home.sem);
		homes_.clear();
	}
	/* Queued work may still use these semaphores, so they are freed later. */
	device.defer([&device, homes = std::move(homes), joined = std::move(joined_)] {
		for (uint32_t sem : joined) {
			(void)device.sharing().leave_group(sem);
			device.semaphores().release(sem, Use::SHARED);
		}
		for (uint32_t sem : homes)
			device.semaphores().release(sem, Use::FLAG);
	});
	joined_.clear();
}

} // namespace umd
