// SPDX-License-Identifier: MIT
/**
 * DOC: Accesses of a launch
 *
 * Each instance has sets of its own, so that it needs no lock. They become part of the launch's when it ends.
 */
#include "accesses.h"

#include <algorithm>

namespace runner {

/* Most accesses begin where the last one ended. Return: whether this one does, and was added. */
bool Ranges::extend_last(const Range &more)
{
	if (last_ >= ranges_.size())
		return false;
	Range &last = ranges_[last_];
	const bool is_free = last_ + 1 == ranges_.size() || more.end < ranges_[last_ + 1].start;
	if (more.start < last.start || more.start > last.end || !is_free)
		return false;
	last.end = std::max(last.end, more.end);
	return true;
}

bool Ranges::add(const Range &more, const HomeFinder &find)
{
	if (extend_last(more))
		return true;
	if (ranges_.size() == MOST)
		widen(find);
	const auto first = std::lower_bound(
		ranges_.begin(), ranges_.end(), more.start,
		[](const Range &range, uint64_t start) { return range.end < start; });
	Range whole = more;
	auto behind = first;
	for (; behind != ranges_.end() && behind->start <= more.end; ++behind)
		whole = {std::min(whole.start, behind->start), std::max(whole.end, behind->end)};
	last_ = static_cast<size_t>(first - ranges_.begin());
	if (first != behind) {
		*first = whole;
		ranges_.erase(first + 1, behind);
		return true;
	}
	if (ranges_.size() == MOST)
		return false;
	ranges_.insert(first, whole);
	return true;
}

bool Ranges::add(const Ranges &other, const HomeFinder &find)
{
	is_wide_ = is_wide_ || other.is_wide_;
	return std::all_of(other.ranges_.begin(), other.ranges_.end(),
			   [&](const Range &range) { return add(range, find); });
}

void Ranges::widen(const HomeFinder &find)
{
	std::vector<Range> wide;
	unpu_kernel_memory_range home{0, 0};
	for (const Range &range : ranges_) {
		if (!wide.empty() && range.start - home.start < home.bytes) {
			wide.back().end = range.end;
			continue;
		}
		if (!find(range.start, home))
			home = {0, 0};
		wide.push_back(range);
	}
	ranges_ = std::move(wide);
	is_wide_ = true;
}

bool Ranges::meets(const Range &range) const
{
	const auto after = std::upper_bound(
		ranges_.begin(), ranges_.end(), range.start,
		[](uint64_t start, const Range &other) { return start < other.end; });
	return after != ranges_.end() && after->start < range.end;
}

void Accesses::add(uint64_t address, uint64_t bytes, uint32_t write, const HomeFinder &find)
{
	if (bytes == 0 || bytes > UINT64_MAX - address || write >= KINDS)
		return;
	is_lost_ = is_lost_ || !sets_[write].add({address, address + bytes}, find);
}

void Accesses::add(const Accesses &other, const HomeFinder &find)
{
	is_lost_ = is_lost_ || other.is_lost_;
	for (uint16_t kind = 0; kind < KINDS && !is_lost_; kind++)
		is_lost_ = !sets_[kind].add(other.sets_[kind], find);
}

uint16_t Accesses::flags_of(uint16_t kind, const Ranges::Range &range) const
{
	if (kind >= BEYOND)
		return static_cast<uint16_t>(
			UNPU_KERNEL_ACCESS_BEYOND |
			(sets_[kind].is_wide() ? UNPU_KERNEL_ACCESS_PARTIAL : 0));
	const bool is_written =
		kind != UNPU_KERNEL_ACCESS_WRITE && sets_[UNPU_KERNEL_ACCESS_WRITE].meets(range);
	const bool is_added =
		kind == UNPU_KERNEL_ACCESS_READ && sets_[UNPU_KERNEL_ACCESS_ATOMIC].meets(range);
	return static_cast<uint16_t>((is_written || is_added ? UNPU_KERNEL_ACCESS_OWN : 0) |
				     (sets_[kind].is_wide() ? UNPU_KERNEL_ACCESS_PARTIAL : 0));
}

/* Return: whether @next is one more part of @access, to which it is then added. */
static bool add_part(unpu_kernel_access &access, const unpu_kernel_access &next,
		     const unpu_kernel_memory_range &home)
{
	const uint64_t stride = access.count == 1 ? next.start - access.start : access.stride;
	if (access.kind != next.kind || access.flags != next.flags || access.bytes != next.bytes ||
	    next.flags & UNPU_KERNEL_ACCESS_PARTIAL ||
	    next.start != access.start + access.count * stride || access.start < home.start ||
	    next.start + next.bytes - home.start > home.bytes)
		return false;
	access.stride = stride;
	access.count++;
	return true;
}

std::vector<unpu_kernel_access> Accesses::list_as_is(const HomeFinder &find) const
{
	std::vector<unpu_kernel_access> all;
	for (uint16_t kind = 0; kind < KINDS; kind++) {
		for (const Ranges::Range &range : sets_[kind].all()) {
			const auto does =
				static_cast<uint16_t>(kind < BEYOND ? kind : kind - BEYOND);
			const unpu_kernel_access next{range.start, range.end - range.start, 0, 1,
						      does,	   flags_of(kind, range)};
			unpu_kernel_memory_range home{0, 0};
			(void)find(range.start, home);
			if (all.empty() || !add_part(all.back(), next, home))
				all.push_back(next);
		}
	}
	return all;
}

std::vector<unpu_kernel_access> Accesses::list(const HomeFinder &find) const
{
	if (is_lost_)
		return {};
	std::vector<unpu_kernel_access> all = list_as_is(find);
	if (all.size() <= UNPU_KERNEL_MAX_ACCESSES)
		return all;
	Accesses wide = *this;
	for (Ranges &set : wide.sets_)
		set.widen(find);
	all = wide.list_as_is(find);
	return all.size() <= UNPU_KERNEL_MAX_ACCESSES ? all : std::vector<unpu_kernel_access>();
}

} // namespace runner
