// SPDX-License-Identifier: MIT
/**
 * DOC: the memory of a device
 */
#include "memory_shares.h"

#include <algorithm>

namespace timing {

using Wide = unsigned __int128;

void MemoryShares::add(Id id, Picoseconds now, Picoseconds time, uint64_t wanted)
{
	tasks_.push_back({id, now, time, now + time, wanted, wanted});
	is_changed_ = true;
}

void MemoryShares::remove(Id id)
{
	std::erase_if(tasks_, [id](const Task &task) { return task.id == id; });
	is_changed_ = true;
}

/* Whole numbers: what is left is rounded up, so that a task that shares ends no earlier than alone. */
void MemoryShares::share(Picoseconds now, uint64_t rate)
{
	if (!is_changed_)
		return;
	is_changed_ = false;
	std::sort(tasks_.begin(), tasks_.end(), [](const Task &a, const Task &b) {
		return a.wanted != b.wanted ? a.wanted < b.wanted : a.id < b.id;
	});
	size_t left = tasks_.size();
	for (Task &task : tasks_) {
		const uint64_t most = std::max<uint64_t>(rate / left--, 1);
		const uint64_t get = std::min(task.wanted, most);
		rate -= std::min(rate, get);
		if (get == task.got)
			continue;
		const auto done = static_cast<Wide>(now - task.since) * task.got / task.wanted;
		task.left -= static_cast<Picoseconds>(std::min<Wide>(done, task.left));
		task.since = now;
		task.got = get;
		const Wide more = (static_cast<Wide>(task.left) * task.wanted + get - 1) / get;
		task.end = now + static_cast<Picoseconds>(std::min<Wide>(more, 1000 * SECOND));
	}
}

bool MemoryShares::next(Picoseconds &time) const
{
	if (tasks_.empty())
		return false;
	time = std::min_element(tasks_.begin(), tasks_.end(), [](const Task &a, const Task &b) {
		       return a.end < b.end;
	       })->end;
	return true;
}

std::vector<Id> MemoryShares::ended_at(Picoseconds now) const
{
	std::vector<Id> ended;
	for (const Task &task : tasks_) {
		if (task.end == now)
			ended.push_back(task.id);
	}
	std::sort(ended.begin(), ended.end());
	return ended;
}

} // namespace timing
