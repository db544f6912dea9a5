// SPDX-License-Identifier: MIT
/**
 * DOC: MMU
 *
 * Each context has its own table of mapped ranges. Every address of every packet is translated here
 * and nowhere else; a range that is not wholly inside one mapping, or that the mapping does not
 * allow, is a fault with the first bad address.
 */
#include "mmu.h"

#include <algorithm>

#include "uapi/operator.h"

namespace fw {

using base::Status;

static auto position(auto &ranges, uint64_t va)
{
	return std::upper_bound(
		ranges.begin(), ranges.end(), va,
		[](uint64_t wanted, const auto &range) { return wanted < range.va; });
}

/* Maps a piece of a segment at its place in a reservation. */
static Status map_in_place(std::byte *where, uint64_t bytes, const Segment &segment,
			   uint64_t offset)
{
	constexpr uint64_t UNIT = base::HUGE_PAGE_BYTES;
	const Segment &whole = segment.of ? *segment.of : segment;
	offset += static_cast<uint64_t>(segment.data - whole.data);
	if (!where || reinterpret_cast<uint64_t>(where) % UNIT != 0 || bytes % UNIT != 0 ||
	    offset % UNIT != 0 || !whole.fd.valid())
		return Status::INVALID_ARGUMENT;
	auto mapped = base::map_shared(whole.fd, bytes, true, segment.pages, where, offset);
	if (!mapped)
		return mapped.status();
	mapped->release();
	return Status::OK;
}

Status Mmu::map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment, uint64_t offset,
		uint32_t access)
{
	if (bytes == 0 || va == 0 || va + bytes < va || access & ~UNPU_ACCESS_MASK)
		return Status::INVALID_ARGUMENT;
	if (offset > segment->bytes || bytes > segment->bytes - offset)
		return Status::INVALID_ARGUMENT;
	auto after = position(ranges_, va);
	if (after != ranges_.end() && after->va - va < bytes)
		return Status::INVALID_ARGUMENT;
	if (after != ranges_.begin() && va - std::prev(after)->va < std::prev(after)->bytes)
		return Status::INVALID_ARGUMENT;
	std::byte *data = segment->data + offset;
	bool reserved = reserved_.touches(va, bytes);
	if (reserved) {
		data = reserved_.place(va, bytes);
		TRY(map_in_place(data, bytes, *segment, offset));
	}
	ranges_.insert(after, Range{va, bytes, data, access, reserved, std::move(segment)});
	return Status::OK;
}

Mmu::Range *Mmu::find_mapped(uint64_t va, uint64_t bytes)
{
	auto after = position(ranges_, va);
	if (after == ranges_.begin())
		return nullptr;
	Range *range = &*std::prev(after);
	return range->va == va && range->bytes == bytes ? range : nullptr;
}

Status Mmu::unmap(uint64_t va, uint64_t bytes)
{
	Range *range = find_mapped(va, bytes);
	if (!range)
		return Status::INVALID_ARGUMENT;
	if (range->reserved)
		base::unmap_in_place(range->data, bytes);
	ranges_.erase(ranges_.begin() + (range - ranges_.data()));
	epoch_++;
	last_[0] = last_[1] = 0;
	return Status::OK;
}

Status Mmu::protect(uint64_t va, uint64_t bytes, uint32_t access)
{
	Range *range = find_mapped(va, bytes);
	if (!range || access & ~UNPU_ACCESS_MASK)
		return Status::INVALID_ARGUMENT;
	range->access = access;
	epoch_++;
	return Status::OK;
}

Status Mmu::release(uint64_t va, uint64_t bytes)
{
	auto after = position(ranges_, va);
	bool used = after != ranges_.end() && after->va - va < bytes;
	if (used ||
	    (after != ranges_.begin() && va - std::prev(after)->va < std::prev(after)->bytes))
		return Status::IN_USE;
	return reserved_.release(va, bytes);
}

const Mmu::Range *Mmu::find(uint64_t va) const
{
	auto after = position(ranges_, va);
	return after == ranges_.begin() ? nullptr : &*std::prev(after);
}

/* Whether @reach bytes from the start of @first on are mapped without a gap, and allow @access. */
Translation Mmu::check_reach(const Range &first, uint64_t reach, uint32_t access) const
{
	const Range *range = &first;
	while (reach > range->bytes) {
		const Range *next = range + 1;
		reach -= range->bytes;
		uint64_t end = range->va + range->bytes;
		if (!range->reserved || next == ranges_.data() + ranges_.size() ||
		    next->va != end || next->data != range->data + range->bytes)
			return {nullptr, Status::MMU_FAULT, end, nullptr};
		if ((next->access & access) != access)
			return {nullptr, Status::ACCESS_FAULT, end, nullptr};
		range = next;
	}
	return {first.data, Status::OK, 0, &first.segment};
}

/* The hints are places of ranges, if there are any. */
const Mmu::Range *Mmu::recent(uint64_t va) const
{
	if (ranges_.empty())
		return nullptr;
	for (size_t hint : last_) {
		const Range &range = ranges_.data()[hint];
		if (va - range.va < range.bytes)
			return &range;
	}
	return nullptr;
}

Translation Mmu::translate(uint64_t va, uint64_t bytes, uint32_t access)
{
	const Range *range = recent(va);
	if (!range) {
		range = find(va);
		if (!range || va - range->va >= range->bytes)
			return {nullptr, Status::MMU_FAULT, va, nullptr};
		last_[1] = last_[0];
		last_[0] = static_cast<size_t>(range - ranges_.data());
	}
	uint64_t offset = va - range->va;
	if (bytes > range->bytes - offset) [[unlikely]] {
		uint64_t reach;
		if (__builtin_add_overflow(offset, bytes, &reach))
			return {nullptr, Status::MMU_FAULT, range->va + range->bytes, nullptr};
		Translation found = check_reach(*range, reach, access);
		if (found.status != Status::OK)
			return found;
	}
	if ((range->access & access) != access)
		return {nullptr, Status::ACCESS_FAULT, va, nullptr};
	return {range->data + offset, Status::OK, 0, &range->segment};
}

bool Mmu::uses(const Segment &segment) const
{
	return std::any_of(ranges_.begin(), ranges_.end(),
			   [&](const Range &range) { return range.segment.get() == &segment; });
}

} // namespace fw
