// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "base/ordering.h"
#include "drv/fence.h"

namespace drv {

/** class RetireList - things to do once some fences have passed. Context: any thread. */
class RetireList {
public:
	using Action = std::function<void()>;

	/** add() - @action runs in a later reap(), after all of @fences. */
	void add(std::vector<Fence> fences, Action action)
	{
		std::lock_guard lock(mutex_);
		entries_.push_back({std::move(fences), std::move(action)});
		base::store_relaxed(count_, static_cast<uint32_t>(entries_.size()));
	}

	/** reap() - runs the actions whose fences have passed; one load where there are none.
	 * @done: tells whether a fence has passed.
	 * Context: no lock is held while an action runs. */
	template <class Done> void reap(const Done &done)
	{
		while (base::load_relaxed(count_) != 0) {
			Action action;
			{
				std::lock_guard lock(mutex_);
				auto ready = entries_.begin();
				while (ready != entries_.end() && !passed(*ready, done))
					++ready;
				if (ready == entries_.end())
					return;
				action = std::move(ready->action);
				entries_.erase(ready);
				base::store_relaxed(count_, static_cast<uint32_t>(entries_.size()));
			}
			action();
		}
	}

	/** oldest() - fences of the entry that waits longest; empty when there is none. */
	std::vector<Fence> oldest()
	{
		std::lock_guard lock(mutex_);
		return entries_.empty() ? std::vector<Fence>{} : entries_.front().fences;
	}

private:
	struct Entry {
		std::vector<Fence> fences;
		Action action;
	};

	template <class Done> static bool passed(const Entry &entry, const Done &done)
	{
		for (const Fence &fence : entry.fences) {
			if (!done(fence))
				return false;
		}
		return true;
	}

	std::mutex mutex_;
	std::deque<Entry> entries_;
	uint32_t count_ = 0; /* of @entries_, to look at without the lock */
};

} // namespace drv
