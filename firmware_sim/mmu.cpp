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

Status Mmu::map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment, uint64_t offset,
		uint32_t access)
{
	if (bytes == 0 || va == 0 || va + bytes < va || access == 0 || access & ~UNPU_ACCESS_MASK)
		return Status::INVALID_ARGUMENT;
	if (offset > segment->bytes || bytes > segment->bytes - offset)
		return Status::INVALID_ARGUMENT;
	auto after = position(ranges_, va);
	if (after != ranges_.end() && after->va - va < bytes)
		return Status::INVALID_ARGUMENT;
	if (after != ranges_.begin() && va - std::prev(after)->va < std::prev(after)->bytes)
		return Status::INVALID_ARGUMENT;
	std::byte *data = segment->data + offset;
	ranges_.insert(after, Range{va, bytes, data, access, std::move(segment)});
	return Status::OK;
}

Status Mmu::unmap(uint64_t va, uint64_t bytes)
{
	auto after = position(ranges_, va);
	if (after == ranges_.begin())
		return Status::INVALID_ARGUMENT;
	auto range = std::prev(after);
	if (range->va != va || range->bytes != bytes)
		return Status::INVALID_ARGUMENT;
	ranges_.erase(range);
	epoch_++;
	last_[0] = last_[1] = 0;
	return Status::OK;
}

const Mmu::Range *Mmu::find(uint64_t va) const
{
	auto after = position(ranges_, va);
	return after == ranges_.begin() ? nullptr : &*std::prev(after);
}

Translation Mmu::translate(uint64_t va, uint64_t bytes, uint32_t access)
{
	const Range *range = nullptr;
	for (size_t hint : last_) {
		if (hint < ranges_.size() && va - ranges_[hint].va < ranges_[hint].bytes)
			range = &ranges_[hint];
	}
	if (!range) {
		range = find(va);
		if (!range || va - range->va >= range->bytes)
			return {nullptr, Status::MMU_FAULT, va, nullptr};
		last_[1] = last_[0];
		last_[0] = static_cast<size_t>(range - ranges_.data());
	}
	uint64_t offset = va - range->va;
	if (bytes > range->bytes - offset)
		return {nullptr, Status::MMU_FAULT, range->va + range->bytes, nullptr};
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
