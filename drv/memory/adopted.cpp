// SPDX-License-Identifier: MIT
/**
 * DOC: Adopted memory
 *
 * Memory of the program that the program registered. Its pages stay where they are: other objects of the
 * program may lie in the same pages, and other threads may write to them at any time. A firmware in this
 * process accesses the memory in place. A firmware in another process does not reach it, and the host copies
 * for it.
 */
#include "drv/attachment/address_space.h"

#include "base/os/mapped.h"
#include "uapi/operator.h"

namespace drv {

using base::Result;
using base::Status;

bool AddressSpace::adopts_part_of(uint64_t start, uint64_t bytes) const
{
	std::lock_guard lock(adopted_mutex_);
	auto after = adopted_.lower_bound(start + bytes);
	if (after == adopted_.begin())
		return false;
	const auto &[before, range] = *std::prev(after);
	return before + range.bytes > start;
}

bool AddressSpace::adopted(uint64_t address) const
{
	return base::load_acquire(adopted_count_) != 0 && adopts_part_of(address, 1);
}

/* Empty if the device does not access the memory in place. */
HostRange AddressSpace::find_adopted(uint64_t address) const
{
	std::lock_guard lock(adopted_mutex_);
	auto after = adopted_.upper_bound(address);
	if (after == adopted_.begin())
		return {};
	const auto &[start, range] = *std::prev(after);
	if (!range.is_reached || address - start >= range.bytes)
		return {};
	return {start, range.bytes, 0, range.access};
}

/* @segment 0 stands for the memory of this process at the same address. */
Result<bool> AddressSpace::map_in_place(uint64_t start, uint64_t bytes, uint32_t access)
{
	unpu_message message{};
	message.type = UNPU_MSG_MAP;
	message.map.va = start;
	message.map.bytes = bytes;
	message.map.access = access;
	const Status status = mailbox_.call(message);
	if (status != Status::OK && status != Status::NOT_SUPPORTED)
		return status;
	return status == Status::OK;
}

Result<AdoptedRange> AddressSpace::adopt(uint64_t start, uint64_t bytes)
{
	std::lock_guard guard(mutex_);
	const base::MappedAccess mapped = base::mapped_access(start, bytes);
	if (!mapped.can_read)
		return Status::INVALID_ARGUMENT;
	AdoptedRange range{bytes, UNPU_ACCESS_READ, false};
	if (mapped.can_write)
		range.access |= UNPU_ACCESS_WRITE;
	range.is_reached = TRY(map_in_place(start, bytes, range.access));
	base::watch_unmaps(start, bytes);
	std::lock_guard lock(adopted_mutex_);
	adopted_.emplace(start, range);
	base::store_release(adopted_count_, static_cast<uint32_t>(adopted_.size()));
	return range;
}

void AddressSpace::give_up(uint64_t start)
{
	std::lock_guard guard(mutex_);
	AdoptedRange range;
	{
		std::lock_guard lock(adopted_mutex_);
		auto found = adopted_.find(start);
		if (found == adopted_.end())
			return;
		range = found->second;
		adopted_.erase(found);
		base::store_release(adopted_count_, static_cast<uint32_t>(adopted_.size()));
	}
	note_host_range_removed(start);
	/* The firmware answers only when the device does not access the memory any more. */
	if (range.is_reached)
		(void)unmap(start, range.bytes);
	base::end_watch(start);
}

} // namespace drv
