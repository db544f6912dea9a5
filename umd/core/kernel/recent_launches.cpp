// SPDX-License-Identifier: MIT
/**
 * DOC: Recent launches
 *
 * Forgetting a launch may destroy it. That happens after the lock is released.
 */
#include "recent_launches.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/os/thread.h"
#include "drv/packet/cookie.h"

namespace umd {

void RecentLaunches::begin(const Words &words)
{
	Launch old{};
	std::lock_guard lock(mutex_);
	if (launches_.size() >= MOST) {
		old = std::move(launches_.front());
		launches_.pop_front();
	}
	launches_.push_back({base::thread_id(), NOWHERE, words});
}

void RecentLaunches::end(uint64_t place)
{
	Words last;
	const uint32_t thread = base::thread_id();
	std::lock_guard lock(mutex_);
	const auto found =
		std::find_if(launches_.rbegin(), launches_.rend(),
			     [thread](const Launch &launch) { return launch.thread == thread; });
	if (found == launches_.rend())
		return;
	found->thread = 0;
	found->place = place;
	if (place != NOWHERE)
		return;
	last = std::move(found->words);
	launches_.erase(std::next(found).base());
}

RecentLaunches::Words RecentLaunches::find(uint64_t place, uint32_t thread)
{
	std::lock_guard lock(mutex_);
	const auto found = std::find_if(
		launches_.rbegin(), launches_.rend(), [place, thread](const Launch &launch) {
			return launch.place == place || (thread != 0 && launch.thread == thread);
		});
	return found == launches_.rend() ? nullptr : found->words;
}

void RecentLaunches::clear()
{
	std::deque<Launch> ended;
	std::lock_guard lock(mutex_);
	ended.swap(launches_);
}

} // namespace umd
