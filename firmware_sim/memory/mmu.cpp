// SPDX-License-Identifier: MIT
/**
 * DOC: MMU
 *
 * Each context has its own table of mapped ranges. Every address of every packet is translated here and
 * nowhere else; a range without a mapping, or whose mapping does not allow the access, is a fault with
 * the first bad address.
 */
#include "mmu.h"

#include <algorithm>
#include <iterator>

#include <sys/mman.h>

#include "base/os/mapped.h"
#include "uapi/operator.h"

namespace fw {

using base::Status;

/* A client may keep a descriptor of a destroyed segment. Free the pages, so that the descriptor keeps
 * none. */
Segment::~Segment()
{
	if (is_given_out && memory.data())
		(void)madvise(memory.data(), memory.bytes(), MADV_REMOVE);
}

MappedPart::~MappedPart()
{
	if (reservation)
		base::unmap_in_place(data, bytes);
}

void Hold::drop_shared()
{
	if (first_.use_count() > 1)
		first_.reset();
	std::erase_if(others_, [](const auto &place) { return place.use_count() > 1; });
}

/* Maps a piece of a segment at its place in a reservation. */
static Status map_in_place(std::byte *where, uint64_t bytes, const Segment &segment,
			   uint64_t offset)
{
	constexpr uint64_t UNIT = base::HUGE_PAGE_BYTES;
	const Segment &whole = segment.of ? *segment.of : segment;
	offset += static_cast<uint64_t>(segment.data - whole.data);
	if (reinterpret_cast<uint64_t>(where) % UNIT != 0 || bytes % UNIT != 0 ||
	    offset % UNIT != 0 || !whole.fd.valid())
		return Status::INVALID_ARGUMENT;
	auto mapped = TRY(base::map_shared(whole.fd, bytes, true, segment.pages, where, offset));
	mapped.release();
	return Status::OK;
}

static PageGuard guard_in_place(const Segment &segment)
{
	return segment.pages == UNPU_PAGE_HUGETLB ? PageGuard::take() : PageGuard();
}

bool Mmu::lost_pages() const
{
	return std::any_of(ranges_.begin(), ranges_.end(),
			   [](const auto &entry) { return entry.second.place->guard.is_lost(); });
}

Status Mmu::map(uint64_t va, uint64_t bytes, std::shared_ptr<Segment> segment, uint64_t offset,
		uint32_t access, Charge entries)
{
	if (bytes == 0 || va == 0 || va + bytes < va || access & ~UNPU_ACCESS_MASK ||
	    (va - offset) % UNPU_MAP_UNIT != 0)
		return Status::INVALID_ARGUMENT;
	if (offset > segment->bytes || bytes > segment->bytes - offset)
		return Status::INVALID_ARGUMENT;
	if (touches(va, bytes))
		return Status::INVALID_ARGUMENT;
	auto [reservation, data] = reserved_.find(va, bytes);
	if (!reservation)
		data = reserved_.touches(va, bytes) ? nullptr : segment->data + offset;
	if (!data)
		return Status::INVALID_ARGUMENT;
	auto place = std::make_shared<MappedPart>(data, bytes, segment);
	place->offset = offset;
	if (reservation) {
		place->guard = guard_in_place(*segment);
		const Segment &whole = segment->of ? *segment->of : *segment;
		if (whole.guard.valid() && !place->guard.valid())
			return Status::NO_RESOURCE;
		TRY(map_in_place(data, bytes, *segment, offset));
		place->reservation = std::move(reservation);
		if (place->guard.valid())
			place->guard.watch(data, bytes, base::HUGE_PAGE_BYTES);
	}
	place->entries = std::move(entries);
	ranges_.emplace(va, Range{va, bytes, data, access, std::move(place)});
	segment->mappings++;
	return Status::OK;
}

bool Mmu::touches(uint64_t va, uint64_t bytes) const
{
	auto after = ranges_.upper_bound(va);
	if (after != ranges_.end() && after->first - va < bytes)
		return true;
	return after != ranges_.begin() &&
	       va - std::prev(after)->first < std::prev(after)->second.bytes;
}

Mmu::Ranges::iterator Mmu::find_mapped(uint64_t va, uint64_t bytes)
{
	auto found = ranges_.find(va);
	return found != ranges_.end() && found->second.bytes == bytes ? found : ranges_.end();
}

Status Mmu::unmap(uint64_t va, uint64_t bytes)
{
	auto found = find_mapped(va, bytes);
	if (found == ranges_.end())
		return Status::INVALID_ARGUMENT;
	const MappedPart &place = *found->second.place;
	/* After the answer the client may use such memory for something else. */
	const bool is_reused = place.reservation || place.segment->is_clients;
	if (is_reused && found->second.place.use_count() > 1)
		return Status::IN_USE;
	place.segment->mappings--;
	ranges_.erase(found);
	epoch_++;
	last_[0] = last_[1] = nullptr;
	return Status::OK;
}

Status Mmu::protect(uint64_t va, uint64_t bytes, uint32_t access)
{
	auto found = find_mapped(va, bytes);
	if (found == ranges_.end() || access & ~UNPU_ACCESS_MASK)
		return Status::INVALID_ARGUMENT;
	found->second.access = access;
	epoch_++;
	return Status::OK;
}

Status Mmu::release(uint64_t va, uint64_t bytes)
{
	return touches(va, bytes) ? Status::IN_USE : reserved_.release(va, bytes);
}

void Mmu::clear()
{
	ranges_.clear();
	reserved_.clear();
	epoch_++;
	last_[0] = last_[1] = nullptr;
}

const Mmu::Range *Mmu::find(uint64_t va) const
{
	auto after = ranges_.upper_bound(va);
	return after == ranges_.begin() ? nullptr : &std::prev(after)->second;
}

/* The range that follows @range in the same reservation without a gap, or the end. The reservation is
 * compared because a mapping outside may lie directly behind one in this process by chance. */
Mmu::Ranges::const_iterator Mmu::next(Ranges::const_iterator range) const
{
	const Range &before = range->second;
	if (!before.place->reservation || ++range == ranges_.end())
		return ranges_.end();
	const Range &after = range->second;
	const bool follows = after.va == before.va + before.bytes &&
			     after.place->reservation == before.place->reservation;
	return follows ? range : ranges_.end();
}

/* Whether @reach bytes from the start of @first on are mapped without a gap, and allow @access. */
Translation Mmu::check_reach(const Range &first, uint64_t reach, uint32_t access) const
{
	auto range = at(first);
	while (reach > range->second.bytes) {
		reach -= range->second.bytes;
		uint64_t end = range->second.va + range->second.bytes;
		range = next(range);
		if (range == ranges_.end())
			return {nullptr, Status::MMU_FAULT, end};
		if ((range->second.access & access) != access)
			return {nullptr, Status::ACCESS_FAULT, end};
	}
	return {first.data, Status::OK, 0};
}

Hold Mmu::hold(uint64_t va, uint64_t bytes) const
{
	const Range *range = find(va);
	uint64_t reach = va - range->va + bytes;
	Hold hold;
	hold.data_ = range->data + (va - range->va);
	hold.first_ = range->place;
	if (reach <= range->bytes) [[likely]]
		return hold;
	for (auto each = at(*range); reach > each->second.bytes;) {
		reach -= each->second.bytes;
		each = next(each);
		hold.others_.push_back(each->second.place);
	}
	return hold;
}

const Mmu::Range *Mmu::recent(uint64_t va) const
{
	for (const Range *range : last_) {
		if (range && va - range->va < range->bytes)
			return range;
	}
	return nullptr;
}

/* The client may have unmapped its own memory since it registered it, so no address there is cached. */
Translation Mmu::look_at_clients(const Range &range, uint64_t va, uint64_t bytes)
{
	epoch_++;
	std::replace(std::begin(last_), std::end(last_), &range,
		     static_cast<const Range *>(nullptr));
	std::byte *const data = range.data + (va - range.va);
	if (base::is_mapped(reinterpret_cast<uint64_t>(data), bytes))
		return {data, Status::OK, 0};
	return {nullptr, Status::MMU_FAULT, va};
}

Translation Mmu::translate(uint64_t va, uint64_t bytes, uint32_t access)
{
	const Range *range = recent(va);
	if (!range) {
		range = find(va);
		if (!range || va - range->va >= range->bytes)
			return {nullptr, Status::MMU_FAULT, va};
		last_[1] = last_[0];
		last_[0] = range;
	}
	uint64_t offset = va - range->va;
	if (bytes > range->bytes - offset) [[unlikely]] {
		uint64_t reach;
		if (__builtin_add_overflow(offset, bytes, &reach))
			return {nullptr, Status::MMU_FAULT, range->va + range->bytes};
		Translation found = check_reach(*range, reach, access);
		if (found.status != Status::OK)
			return found;
	}
	if ((range->access & access) != access)
		return {nullptr, Status::ACCESS_FAULT, va};
	if (range->place->segment->is_clients) [[unlikely]]
		return look_at_clients(*range, va, bytes);
	return {range->data + offset, Status::OK, 0};
}

} // namespace fw
