// SPDX-License-Identifier: MIT
/**
 * DOC: Allocations of the program
 */
#include "objects.h"

#include <algorithm>

#include "base/sync/ordering.h"

namespace worker {

/* The number of entries among which the nearest allocation below is searched, because freed ones may lie between. */
static constexpr unsigned LOOKS = 64;

Objects::Place Objects::below(uint64_t address)
{
	auto after = all_.upper_bound(address);
	return after == all_.begin() ? all_.end() : std::prev(after);
}

/* Removes the entries in a range that is used again. */
void Objects::clear(uint64_t start, uint64_t end)
{
	auto at = below(start);
	if (at == all_.end() || at->first + at->second.bytes <= start)
		at = all_.upper_bound(start);
	while (at != all_.end() && at->first < end)
		at = all_.erase(at);
}

void Objects::add(const unpu_kernel_object &entry)
{
	uint64_t start = entry.start, bytes = entry.bytes;
	const uint64_t group = entry.group;
	if (group != 0) {
		auto joins = [&](Place at) {
			return at != all_.end() && at->second.freed == 0 &&
			       at->second.group == group;
		};
		const auto before = below(start);
		if (joins(before) && before->first + before->second.bytes == start) {
			start = before->first;
			bytes += before->second.bytes;
			all_.erase(before);
		}
		const auto after = all_.find(start + bytes);
		if (joins(after)) {
			bytes += after->second.bytes;
			all_.erase(after);
		}
	}
	all_[start] = {bytes, 0, group, bytes == entry.bytes ? entry.slack : 0};
}

/* One of several merged objects may be removed from the middle. */
void Objects::remove(const unpu_kernel_object &entry)
{
	const uint64_t end = entry.start + entry.bytes;
	const auto found = below(entry.start);
	if (found != all_.end() && found->second.freed == 0) {
		const uint64_t first = found->first, last = first + found->second.bytes;
		if (first <= entry.start && end <= last) {
			all_.erase(found);
			if (first < entry.start)
				all_[first] = {entry.start - first, 0, entry.group, 0};
			if (end < last)
				all_[end] = {last - end, 0, entry.group, 0};
		}
	}
	clear(entry.start, end);
	all_[entry.start] = {entry.bytes, entry.freed, entry.group, entry.slack};
}

void Objects::apply(const unpu_kernel_object &entry)
{
	if (entry.bytes == 0 || entry.start + entry.bytes < entry.start ||
	    entry.slack >= entry.bytes)
		return;
	if (entry.freed != 0)
		return remove(entry);
	clear(entry.start, entry.start + entry.bytes);
	add(entry);
}

uint64_t Objects::asked_bytes(const unpu_kernel_memory_range &range) const
{
	const auto found = all_.find(range.start);
	return found == all_.end() ? range.bytes : found->second.bytes - found->second.slack;
}

/* Reads the entries that are new. Return: false: there is no log. */
bool Objects::catch_up(const Reader &can_read)
{
	if (head_ == 0 || !can_read(head_, sizeof(unpu_kernel_objects)))
		return false;
	const auto &head = *reinterpret_cast<const unpu_kernel_objects *>(head_);
	const uint64_t at = base::load_acquire(head.log); /* U5 */
	if (at == 0 || !can_read(at, sizeof(unpu_kernel_log)))
		return false;
	const auto &log = *reinterpret_cast<const unpu_kernel_log *>(at);
	const uint64_t count = base::load_acquire(log.count); /* U5 */
	if (log.generation != generation_) {
		all_.clear();
		count_ = 0;
		generation_ = log.generation;
		windows_[0] = head.windows[0];
		windows_[1] = head.windows[1];
	}
	if (count <= count_)
		return true;
	const auto *entries = reinterpret_cast<const unpu_kernel_object *>(&log + 1);
	if (count > UINT32_MAX || !can_read(at, sizeof(log) + count * sizeof(unpu_kernel_object)))
		return false;
	for (; count_ < count; count_++)
		apply(entries[count_]);
	return true;
}

Objects::Found Objects::find(uint64_t address, uint64_t freed, const Reader &can_read,
			     unpu_kernel_memory_range &range)
{
	range = {};
	if (!catch_up(can_read))
		return Found::UNKNOWN;
	auto lives = [&](const Object &object) {
		return object.freed == 0 || freed < object.freed;
	};
	auto at = below(address);
	if (at != all_.end() && address - at->first < at->second.bytes) {
		range = {at->first, at->second.bytes};
		return lives(at->second) ? Found::LIVE : Found::FREED;
	}
	const bool is_known = std::any_of(std::begin(windows_), std::end(windows_),
					  [&](const unpu_kernel_window &window) {
						  return address - window.start < window.bytes;
					  });
	if (!is_known)
		return Found::UNKNOWN;
	for (unsigned i = 0; i < LOOKS && at != all_.end(); i++) {
		if (lives(at->second)) {
			range = {at->first, at->second.bytes};
			break;
		}
		at = at == all_.begin() ? all_.end() : std::prev(at);
	}
	return Found::NONE;
}

} // namespace worker
