// SPDX-License-Identifier: MIT
/**
 * DOC: Objects by address, and the neighbours of an address
 */
#include <algorithm>
#include <iterator>
#include <mutex>

#include "memory.h"

namespace drv {

/* An object extends to the next multiple of REACH bytes: a copy of the program may go past its size up to there. */
static constexpr uint64_t REACH = 64;

/* The bytes behind a registered object are memory of the program, so a copy must not touch them. */
static uint64_t reach_of(const Bo &bo)
{
	return bo.use == Use::REGISTERED ? bo.bytes : base::round_up(bo.bytes, REACH);
}

const Bo *Memory::find(uint64_t address) const
{
	auto after = objects_.upper_bound(address);
	if (after == objects_.begin())
		return nullptr;
	const Bo &bo = std::prev(after)->second;
	return address - bo.va < reach_of(bo) ? &bo : nullptr;
}

Bo Memory::lookup(uint64_t address)
{
	std::lock_guard lock(mutex_);
	const Bo *bo = find(address);
	return bo ? *bo : Bo{};
}

SegmentPart Memory::part_of(uint64_t address)
{
	std::lock_guard lock(mutex_);
	const Bo *bo = find(address);
	if (!bo || !bo->chunk)
		return {};
	const Chunk &chunk = *bo->chunk;
	return {bo->va, chunk.segment, address - chunk.va,
		!chunk.has_pieces && chunk.pages == UNPU_PAGE_4K};
}

bool Memory::covers_pieces(uint64_t address, uint64_t bytes, uint32_t access)
{
	std::lock_guard lock(mutex_);
	const Chunk *reservation = nullptr;
	for (;;) {
		const Bo *bo = find(address);
		if (!bo || bo->use != Use::MAPPED || (bo->access & access) != access ||
		    (reservation && bo->chunk != reservation))
			return false;
		reservation = bo->chunk;
		uint64_t here = bo->bytes - (address - bo->va);
		if (bytes <= here)
			return true;
		address += here;
		bytes -= here;
	}
}

uint64_t Memory::next_epoch()
{
	/* Process-wide: two Memory objects never have the same epoch. */
	static constinit uint64_t epoch = 0;
	return base::fetch_add(epoch, uint64_t{1}) + 1;
}

bool Memory::covers(uint64_t address, uint64_t bytes, uint32_t access)
{
	Place place;
	if (knows(address, bytes, place))
		return true;
	uint64_t epoch = base::load_acquire(epoch_);
	Bo bo = lookup(address);
	if (bo.use == Use::MAPPED)
		return covers_pieces(address, bytes, access);
	uint64_t reach = reach_of(bo);
	if (address - bo.va >= reach || bytes > reach - (address - bo.va) || !bo.is_reached ||
	    (bo.access & access) != access)
		return false;
	/* The cache does not store the access rights of an object. */
	if (bo.access != UNPU_ACCESS_MASK)
		return true;
	RecentObjects &recent = recent_;
	if (recent.epoch != epoch)
		recent = RecentObjects{};
	recent.epoch = epoch;
	recent.objects[recent.next] = {bo.va, reach, bo.place};
	recent.next ^= 1;
	return true;
}

bool Memory::registered(uint64_t address, uint64_t bytes, uint32_t access)
{
	const Bo bo = lookup(address);
	const uint64_t offset = address - bo.va;
	return bo.use == Use::REGISTERED && offset < bo.bytes && bytes <= bo.bytes - offset &&
	       (bo.access & access) == access;
}

Nearby Memory::nearby(uint64_t address)
{
	std::lock_guard lock(mutex_);
	Nearby found;
	const auto above = objects_.upper_bound(address);
	if (above != objects_.end())
		found.above = above->second;
	if (above != objects_.begin())
		found.below = std::prev(above)->second;
	/* Of the freed objects that contained the address, take the one that was freed last. */
	const uint64_t first = frees_ - std::min<uint64_t>(frees_, freed_.size());
	for (uint64_t i = frees_; i > first && found.freed_bytes == 0; i--) {
		const auto &[va, bytes] = freed_[(i - 1) % freed_.size()];
		if (address - va < bytes) {
			found.freed_va = va;
			found.freed_bytes = bytes;
		}
	}
	return found;
}

} // namespace drv
