// SPDX-License-Identifier: MIT
/**
 * DOC: Accesses of a launch
 *
 * Each instance has sets of its own, so that it needs no lock. They become part of the launch's when it ends.
 */
#include "accesses.h"

#include <algorithm>

namespace worker {

bool Ranges::add(Range more)
{
	/* Most accesses go on where the last one ended. */
	if (last_ < ranges_.size()) {
		Range &last = ranges_[last_];
		const bool is_free =
			last_ + 1 == ranges_.size() || more.end < ranges_[last_ + 1].start;
		if (more.start >= last.start && more.start <= last.end && is_free) {
			last.end = std::max(last.end, more.end);
			return true;
		}
	}
	const auto first = std::lower_bound(
		ranges_.begin(), ranges_.end(), more.start,
		[](const Range &range, uint64_t start) { return range.end < start; });
	auto behind = first;
	for (; behind != ranges_.end() && behind->start <= more.end; ++behind)
		more = {std::min(more.start, behind->start), std::max(more.end, behind->end)};
	last_ = static_cast<size_t>(first - ranges_.begin());
	if (first != behind) {
		*first = more;
		ranges_.erase(first + 1, behind);
		return true;
	}
	if (ranges_.size() == MOST)
		return false;
	ranges_.insert(first, more);
	return true;
}

bool Ranges::meets(const Range &range) const
{
	const auto after = std::upper_bound(
		ranges_.begin(), ranges_.end(), range.start,
		[](uint64_t start, const Range &other) { return start < other.end; });
	return after != ranges_.end() && after->start < range.end;
}

void Accesses::add(uint64_t address, uint64_t bytes, uint32_t write)
{
	if (bytes == 0 || bytes > UINT64_MAX - address || write >= KINDS)
		return;
	is_lost_ = is_lost_ || !sets_[write].add({address, address + bytes});
}

void Accesses::add(const Accesses &other)
{
	is_lost_ = is_lost_ || other.is_lost_;
	for (uint32_t kind = 0; kind < KINDS && !is_lost_; kind++) {
		for (const Ranges::Range &range : other.sets_[kind].all())
			is_lost_ = is_lost_ || !sets_[kind].add(range);
	}
}

/* Return: whether the range is one more part of @access, to which it is then added. */
static bool add_part(unpu_kernel_access &access, const Ranges::Range &range, uint32_t kind,
		     const unpu_kernel_memory_range &home)
{
	const uint64_t stride = access.count == 1 ? range.start - access.start : access.stride;
	if (access.kind != kind || access.bytes != range.end - range.start ||
	    range.start != access.start + access.count * stride || access.start < home.start ||
	    range.end - home.start > home.bytes)
		return false;
	access.stride = stride;
	access.count++;
	return true;
}

std::vector<unpu_kernel_access> Accesses::list(const Finder &find) const
{
	std::vector<unpu_kernel_access> all;
	if (is_lost_)
		return all;
	for (uint32_t set = 0; set < KINDS; set++) {
		for (const Ranges::Range &range : sets_[set].all()) {
			const bool is_reread = set == UNPU_KERNEL_ACCESS_READ &&
					       (sets_[UNPU_KERNEL_ACCESS_WRITE].meets(range) ||
						sets_[UNPU_KERNEL_ACCESS_ATOMIC].meets(range));
			const uint32_t kind = is_reread ? uint32_t{UNPU_KERNEL_ACCESS_REREAD} : set;
			unpu_kernel_memory_range home{0, 0};
			(void)find(range.start, home);
			if (!all.empty() && add_part(all.back(), range, kind, home))
				continue;
			if (all.size() == UNPU_KERNEL_MAX_ACCESSES)
				return {};
			all.push_back({range.start, range.end - range.start, 0, 1, kind});
		}
	}
	return all;
}

} // namespace worker
