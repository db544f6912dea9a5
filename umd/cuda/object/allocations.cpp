// SPDX-License-Identifier: MIT
/**
 * DOC: Properties of allocations that only the CUDA front end needs
 */
#include "allocations.h"
#include "base/sync/mutex.h"
#include "umd/core/memory/ipc_memory.h"
#include "umd/core/memory/memory.h"
#include "umd/core/memory/registrations.h"
#include "umd/core/process/process.h"

#include <mutex>
#include <unordered_map>
#include <vector>

namespace umd::cuda {

namespace {

struct Notes {
	base::Mutex mutex{"cuda Notes::mutex"};
	std::unordered_map<uint64_t, Allocation> by_address GUARDED_BY(mutex);
	uint64_t last_id GUARDED_BY(mutex) = 0;
};

Notes &notes()
{
	return Process::own<Notes>();
}

} // namespace

void note_allocation(uint64_t address, Allocation allocation)
{
	Notes &all = notes();
	std::lock_guard lock(all.mutex);
	if (allocation.id == 0)
		allocation.id = ++all.last_id;
	all.by_address[address] = allocation;
}

void forget_allocation(uint64_t address)
{
	Notes &all = notes();
	std::lock_guard lock(all.mutex);
	all.by_address.erase(address);
}

Allocation find_allocation(uint64_t address)
{
	Notes &all = notes();
	std::lock_guard lock(all.mutex);
	auto found = all.by_address.find(address);
	return found == all.by_address.end() ? Allocation{} : found->second;
}

drv::Bo live_object(drv::Device &device, uint64_t address)
{
	drv::Bo bo = device.memory().lookup(address);
	if (bo.use != drv::Use::POOLED && bo.use != drv::Use::IMPORTED)
		return bo;
	const Allocation allocation = find_allocation(bo.va);
	if (bo.use == drv::Use::IMPORTED && allocation.kind != Allocation::Kind::POOL)
		return bo;
	if (allocation.kind != Allocation::Kind::POOL || address - bo.va >= allocation.bytes)
		return {};
	bo.bytes = allocation.bytes;
	return bo;
}

static void free_one(uint64_t address, const Allocation &allocation)
{
	auto *start = reinterpret_cast<void *>(address);
	switch (allocation.kind) {
	case Allocation::Kind::HOST:
		(void)free_memory(start, drv::Place::PINNED);
		break;
	case Allocation::Kind::REGISTERED:
		(void)Registrations::get().remove(start);
		break;
	case Allocation::Kind::IMPORTED:
		while (IpcMemory::get().close_import(start) == base::Status::OK)
			;
		break;
	default:
		(void)free_memory(start, drv::Place::DEVICE);
		break;
	}
}

void free_allocations(uint64_t context)
{
	std::vector<std::pair<uint64_t, Allocation>> gone;
	Notes &all = notes();
	{
		std::lock_guard lock(all.mutex);
		std::erase_if(all.by_address, [&](const auto &entry) {
			if (entry.second.context != context)
				return false;
			gone.push_back(entry);
			return true;
		});
	}
	for (const auto &[address, allocation] : gone)
		free_one(address, allocation);
}

} // namespace umd::cuda
