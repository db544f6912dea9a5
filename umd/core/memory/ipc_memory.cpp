// SPDX-License-Identifier: MIT
/**
 * DOC: Memory of several processes
 *
 * The firmware keeps the list of shared memory. This class maps each key to its address in this process,
 * because programs close memory by its key.
 */
#include "ipc_memory.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "share_key.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;

static bool same(const unpu_export_key &one, const unpu_export_key &other)
{
	return memcmp(&one, &other, sizeof(one)) == 0;
}

/* Erases the entries of devices that have closed. */
void IpcMemory::purge()
{
	std::erase_if(entries_, [](const Entry &entry) { return !entry.device.is_open(); });
}

IpcMemory::Entry *IpcMemory::find(const unpu_export_key &key, bool imported)
{
	purge();
	for (Entry &entry : entries_) {
		if (same(entry.key, key) && (entry.imports > 0) == imported)
			return &entry;
	}
	return nullptr;
}

static Status refuse_key()
{
	return set_error(
		Status::NOT_SHARED,
		"the key names nothing that this process shares: it was closed, its memory was "
		"freed or released by a reset of its device, or it is another process's; pass what "
		"the export gave here");
}

Result<unpu_export_key> IpcMemory::export_range(const void *address, uint64_t bytes,
						bool any_process)
{
	drv::Place place;
	const DeviceHold device = Devices::get().locate(address, place);
	auto value = reinterpret_cast<uint64_t>(address);
	TRY(ReleasedMemory::check("devPtr", address));
	if (!device || place != drv::Place::DEVICE || !device->memory().covers(value, bytes))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("devPtr, size: the {} bytes from {} are not inside one "
				    "live allocation of device memory",
				    bytes, fmt::ptr(address)));
	if (value % UNPU_MAP_UNIT != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("devPtr: memory is exported from a multiple of {} "
					     "bytes on, and {} is none",
					     UNPU_MAP_UNIT, fmt::ptr(address)));
	const drv::SegmentPart part = device->memory().part_of(value);
	auto key = device->sharing().export_segment(part.segment, part.offset, bytes,
						    any_process ? UNPU_EXPORT_ANY_PROCESS : 0);
	if (!key && key.status() == Status::NOT_SUPPORTED)
		return set_error(key.status(),
				 fmt::format("devPtr: {} was imported; the process whose memory it "
					     "is exports it",
					     fmt::ptr(address)));
	if (!key)
		return refuse_import(key.status(), {});
	recorder::observer.note_export(address, bytes, *key);
	std::lock_guard lock(mutex_);
	purge();
	entries_.push_back({*key, DeviceRef(device.open()), part.va, 0, false});
	return key;
}

Result<unpu_export_key> IpcMemory::export_allocation(const void *address)
{
	drv::Place place;
	const DeviceHold device = Devices::get().locate(address, place);
	drv::Bo bo =
		device ? device->memory().lookup(reinterpret_cast<uint64_t>(address)) : drv::Bo{};
	{
		std::lock_guard lock(mutex_);
		purge();
		for (const Entry &entry : entries_) {
			if (entry.is_whole && entry.va == bo.va)
				return entry.key;
		}
	}
	if (bo.bytes == 0)
		return export_range(address, 1, true);
	auto key = export_range(reinterpret_cast<const void *>(bo.va), bo.bytes, true);
	std::lock_guard lock(mutex_);
	if (Entry *entry = key ? find(*key, false) : nullptr)
		entry->is_whole = true;
	return key;
}

Status IpcMemory::exported(const unpu_export_key &key)
{
	std::lock_guard lock(mutex_);
	return find(key, false) ? Status::OK : refuse_key();
}

Status IpcMemory::allow(const unpu_export_key &key, std::span<const uint32_t> pids)
{
	std::lock_guard lock(mutex_);
	const Entry *entry = find(key, false);
	if (!entry)
		return refuse_key();
	const DeviceHold device = entry->device.hold();
	if (!device)
		return refuse_key();
	Status status = device->sharing().allow(key, pids);
	return status == Status::OK ? status : refuse_import(status, key);
}

Status IpcMemory::import(OpenDevice &open, const unpu_export_key &key, void **address)
{
	drv::Device &device = *open.device;
	TRY(check_import(device, key));
	std::lock_guard lock(mutex_);
	purge();
	for (Entry &entry : entries_) {
		if (!same(entry.key, key) || !entry.device.is(open))
			continue;
		entry.imports++;
		*address = reinterpret_cast<void *>(entry.va);
		return Status::OK;
	}
	auto segment = device.sharing().import_segment(key);
	if (!segment)
		return refuse_import(segment.status(), key);
	auto bo = device.memory().import(*segment);
	if (!bo)
		return set_error(bo.status(),
				 fmt::format("no address is left for {} bytes of imported memory",
					     segment->bytes));
	recorder::observer.note_import(bo->va, segment->bytes, key);
	entries_.push_back({key, DeviceRef(open), bo->va, 1, false});
	*address = reinterpret_cast<void *>(bo->va);
	return Status::OK;
}

/* Drops one import of @entry, or ends the export. Return: the device that may be unused now, or none. */
DeviceHold IpcMemory::drop(Entry &entry, std::vector<drv::Fence> others, bool is_recorded)
{
	if (entry.imports > 1) {
		entry.imports--;
		return {};
	}
	DeviceHold device = entry.device.hold();
	if (device && entry.imports == 1) {
		const uint64_t bytes = device->memory().lookup(entry.va).bytes;
		recorder::observer.forget_sources();
		if (!is_recorded)
			recorder::observer.begin_unmap(entry.va, bytes, false).publish();
	}
	if (device && entry.imports == 1 && others.empty())
		(void)device->memory().close(entry.va);
	else if (device && entry.imports == 1)
		device->defer_after(std::move(others), [&memory = device->memory(), va = entry.va] {
			(void)memory.close(va);
		});
	else if (device)
		(void)device->sharing().withdraw(entry.key);
	entries_.erase(entries_.begin() + (&entry - entries_.data()));
	return device;
}

static Status close_unused(DeviceHold device)
{
	if (device)
		Devices::get().close_idle(std::move(device));
	return Status::OK;
}

const void *IpcMemory::imported_at(const unpu_export_key &key)
{
	std::lock_guard lock(mutex_);
	const Entry *entry = find(key, true);
	return entry ? reinterpret_cast<const void *>(entry->va) : nullptr;
}

Status IpcMemory::close(const unpu_export_key &key)
{
	std::unique_lock lock(mutex_);
	Entry *entry = find(key, true);
	if (!entry)
		entry = find(key, false);
	if (!entry)
		return refuse_key();
	DeviceHold device = drop(*entry);
	lock.unlock();
	return close_unused(std::move(device));
}

Status IpcMemory::close_import(const void *address, std::vector<drv::Fence> others,
			       bool is_recorded)
{
	std::unique_lock lock(mutex_);
	purge();
	for (Entry &entry : entries_) {
		if (entry.imports == 0 || entry.va != reinterpret_cast<uint64_t>(address))
			continue;
		DeviceHold device = drop(entry, std::move(others), is_recorded);
		lock.unlock();
		return close_unused(std::move(device));
	}
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("{} is not the start of imported memory", fmt::ptr(address)));
}

void IpcMemory::forget(const DeviceHold &device, const void *address)
{
	auto value = reinterpret_cast<uint64_t>(address);
	std::lock_guard lock(mutex_);
	std::erase_if(entries_, [&](const Entry &entry) {
		if (entry.imports > 0 || entry.va != value || !entry.device.is(device.open()))
			return false;
		(void)device->sharing().withdraw(entry.key);
		return true;
	});
}

} // namespace umd
