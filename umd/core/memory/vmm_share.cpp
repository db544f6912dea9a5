// SPDX-License-Identifier: MIT
/**
 * DOC: Virtual memory of several processes
 *
 * Memory that is exported has the firmware's key. A program may get the key as a number, or as a file. A file is
 * one end of a pair of sockets: the key is a message that stays in it, and the other end, which this process
 * keeps, tells when all descriptors of the file are closed. Until then the file keeps the memory alive.
 */
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "umd/core/device/open_device.h"
#include "vmm.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/socket.h>

#include "share_key.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;

/* From now on the memory has the number in the trace that all processes with the key use. Existing mappings
 * keep the old number. */
static void note_shared(uint64_t &traced, const unpu_export_key &key)
{
	if (recorder::is_on())
		traced = recorder::observer.number_of_key(key);
}

Result<unpu_export_key> VirtualMemory::publish(const void *handle, Physical &physical,
					       bool any_process)
{
	if (physical.is_imported)
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("handle {} was imported; the process whose memory it is "
				    "exports it",
				    fmt::ptr(handle)));
	const DeviceHold device = physical.device.hold();
	if (!device)
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("handle {} is of a device that was reset", fmt::ptr(handle)));
	auto key =
		device->sharing().export_segment(physical.segment.id, 0, physical.properties.bytes,
						 any_process ? UNPU_EXPORT_ANY_PROCESS : 0);
	if (!key)
		return refuse_import(key.status(), {});
	physical.key = *key;
	physical.any_process = any_process;
	shared_[key->nonce] = &physical;
	note_shared(physical.traced, *key);
	if (physical.traced != 0)
		recorder::observer.note_allocation(
			{nullptr, physical.properties.bytes, san::ALLOC_DEFINED, physical.traced});
	return key;
}

Result<unpu_export_key> VirtualMemory::share(const void *handle, bool any_process)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = TRY(find(handle));
	if (found->key.nonce)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("handle {} is exported already; it has one name at "
					     "most; use that name",
					     fmt::ptr(handle)));
	return publish(handle, *found, any_process);
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
				 "not freed; pass what the export gave");
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
	PhysicalProperties &properties = segment->is_host ? on_host : on_device;
	properties.bytes = segment->bytes;
	properties.is_host = segment->is_host;
	std::lock_guard lock(mutex_);
	auto handle = add(open, properties,
			  drv::SegmentFile{segment->id, std::move(segment->shared)}, true);
	if (handle)
		note_shared(physicals_.get(*handle)->traced, key);
	return handle;
}

/* A pair of sockets, of which the first has the key to read. */
static bool make_file(const unpu_export_key &key, base::Fd &file, base::Fd &kept)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	file = base::Fd(ends[0]);
	kept = base::Fd(ends[1]);
	return base::calls::send(kept.get(), &key, sizeof(key), base::NO_DEADLINE) ==
	       ssize_t{sizeof(key)};
}

Result<base::Fd> VirtualMemory::export_file(const void *handle)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = TRY(find(handle));
	Physical &physical = *found;
	if (physical.key.nonce && !physical.any_process)
		return set_error(Status::NOT_SUPPORTED,
				 fmt::format("handle {} is exported already, to chosen processes; "
					     "export it once, to any process",
					     fmt::ptr(handle)));
	if (!physical.key.nonce)
		TRY(publish(handle, physical, true));
	base::Fd file;
	base::Fd kept;
	if (!make_file(physical.key, file, kept))
		return set_error(Status::NO_RESOURCE,
				 "the process has no room for two more descriptors; close some, or "
				 "raise RLIMIT_NOFILE");
	physical.exports++;
	exports_.push_back({&physical, std::move(kept)});
	return file;
}

Result<unpu_export_key> VirtualMemory::read_file(int file)
{
	unpu_export_key key{};
	/* If the message is too long, recvmsg() cuts it off, and the length shows that. */
	const ssize_t bytes =
		base::calls::recv(file, &key, sizeof(key), MSG_PEEK | MSG_TRUNC, base::calls::NOW);
	if (bytes == ssize_t{sizeof(key)} && key.kind == UNPU_EXPORT_MEMORY)
		return key;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("{} is not the descriptor of a file that memory was exported as",
			    file));
}

Result<void *> VirtualMemory::own_memory(const unpu_export_key &key)
{
	std::lock_guard lock(mutex_);
	forget_closed();
	auto found = shared_.find(key.nonce);
	if (found == shared_.end() || found->second->key.instance != key.instance)
		return Status::NOT_SHARED;
	found->second->references++;
	return physicals_.pointer(*found->second);
}

void VirtualMemory::end_closed_files()
{
	std::vector<DeviceRef> devices;
	{
		std::lock_guard lock(mutex_);
		std::vector<pollfd> ends;
		for (const Export &one : exports_)
			ends.push_back({one.kept.get(), 0, 0});
		if (ends.empty() ||
		    base::calls::poll(ends.data(), ends.size(), base::calls::NOW) <= 0)
			return;
		for (size_t i = ends.size(); i-- > 0;) {
			if (!ends[i].revents)
				continue;
			Physical &physical = *exports_[i].physical;
			exports_.erase(exports_.begin() + static_cast<ptrdiff_t>(i));
			devices.push_back(physical.device);
			physical.exports--;
			end_if_unused(physical);
		}
	}
	for (const DeviceRef &device : devices) {
		if (DeviceHold hold = device.hold())
			Devices::get().close_idle(std::move(hold));
	}
}

} // namespace umd
