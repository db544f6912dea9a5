// SPDX-License-Identifier: MIT
/**
 * DOC: Properties of allocations that only the CUDA front end needs
 */
#include "allocations.h"
#include "base/sync/mutex.h"
#include "umd/core/process/process.h"

#include <mutex>
#include <unordered_map>

namespace umd::cuda {

namespace {

struct Notes {
	base::Mutex mutex{"cuda Notes::mutex"};
	std::unordered_map<uint64_t, Allocation> by_address;
	uint64_t last_id = 0;
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

} // namespace umd::cuda
