// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <list>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"
#include "fence.h"

namespace drv {

/** class RetireList - deferred actions that run after their fences have passed. Context: any thread. */
class RetireList {
public:
	using Action = std::function<void()>;

	/** add() - runs @action in a later reap(), after all of @fences have passed. */
	void add(std::vector<Fence> fences, Action action)
	{
		std::lock_guard lock(mutex_);
		std::vector<Action> actions;
		actions.push_back(std::move(action));
		enter(std::move(fences), actions);
	}

	/** gather() - adds @action to the batch. The next close() decides which fences the batch waits for.
	 * @credit: how much @action counts: the caller closes a batch whose sum is large enough
	 * Return: the sum of the credits since the last close(). */
	uint64_t gather(Action action, uint64_t credit)
	{
		std::lock_guard lock(mutex_);
		if (gathered_.empty())
			base::store_relaxed(since_ns_, base::coarse_ns());
		gathered_.push_back(std::move(action));
		return credit_ += credit;
	}

	/** gathers_since() - when the current batch began, by coarse_ns(); 0 if it is empty. */
	uint64_t gathers_since() const { return base::load_relaxed(since_ns_); }

	/** close() - closes the batch: its actions run in a later reap(), after the fences that @pending
	 * returns now, which are those of all open work. Without open work they run at once. */
	template <class Pending> void close(const Pending &pending)
	{
		std::vector<Action> ready;
		{
			std::lock_guard lock(mutex_);
			std::vector<Fence> fences = pending();
			base::store_relaxed(since_ns_, uint64_t{0});
			credit_ = 0;
			ready.swap(gathered_);
			if (!fences.empty() && !ready.empty())
				enter(std::move(fences), ready);
			if (ready.empty())
				return;
			running_++;
		}
		run(ready);
	}

	/** reap() - runs actions whose fences have passed. An empty list costs one load. Each call checks
	 * only some entries, and the next call continues after them.
	 * @done: tells whether a fence has passed.
	 * @looks: the maximum number of entries to check for each action
	 * Context: no lock is held while an action runs. */
	template <class Done> void reap(const Done &done, size_t looks = LOOKS)
	{
		while (base::load_relaxed(count_) != 0) {
			std::list<Entry> ready;
			{
				std::lock_guard lock(mutex_);
				if (!take_ready(done, looks, ready))
					return;
			}
			run(ready.front().actions);
		}
	}

	/** finished() - the number of entries whose actions have run. */
	uint64_t finished()
	{
		std::lock_guard lock(mutex_);
		return finished_;
	}

	/** wait_running() - waits until finished() is greater than @seen.
	 * Return: false when no thread runs an action, or the deadline passes first. */
	bool wait_running(uint64_t seen, uint64_t deadline_ns)
	{
		std::unique_lock lock(mutex_);
		while (finished_ == seen && running_ != 0 && base::now_ns() < deadline_ns)
			bell_.wait(lock, deadline_ns);
		return finished_ != seen;
	}

	/** oldest() - the fences of the oldest entry; empty if there is none. */
	std::vector<Fence> oldest()
	{
		std::lock_guard lock(mutex_);
		return entries_.empty() ? std::vector<Fence>{} : entries_.front().fences;
	}

private:
	static constexpr size_t LOOKS = 64;

	struct Entry {
		std::vector<Fence> fences;
		std::vector<Action> actions;
	};

	/* Runs @actions of an entry that take_ready() or close() has counted in @running_. The lock is not
	 * held. */
	void run(const std::vector<Action> &actions)
	{
		for (const Action &action : actions)
			action();
		std::lock_guard lock(mutex_);
		running_--;
		finished_++;
		bell_.ring();
	}

	/* Frees between two submits have the same fences, so they share an entry. */
	void enter(std::vector<Fence> fences, std::vector<Action> &actions) REQUIRES(mutex_)
	{
		if (entries_.empty() || entries_.back().fences != fences)
			entries_.push_back({std::move(fences), {}});
		std::vector<Action> &last = entries_.back().actions;
		std::move(actions.begin(), actions.end(), std::back_inserter(last));
		actions.clear();
		base::store_relaxed(count_, static_cast<uint32_t>(entries_.size()));
	}

	template <class Done> static bool passed(const Entry &entry, const Done &done)
	{
		for (const Fence &fence : entry.fences) {
			if (!done(fence))
				return false;
		}
		return true;
	}

	/* Moves one due entry to @ready. Checks the oldest entry and then up to @looks entries from next_ on. */
	template <class Done>
	bool take_ready(const Done &done, size_t looks, std::list<Entry> &ready) REQUIRES(mutex_)
	{
		if (entries_.empty())
			return false;
		auto entry = entries_.begin();
		const size_t most = std::min(entries_.size(), looks);
		for (size_t i = 0; i <= most; i++) {
			if (passed(*entry, done)) {
				next_ = std::next(entry);
				ready.splice(ready.begin(), entries_, entry);
				running_++;
				base::store_relaxed(count_, static_cast<uint32_t>(entries_.size()));
				return true;
			}
			if (next_ == entries_.end())
				next_ = entries_.begin();
			entry = next_++;
		}
		return false;
	}

	base::Mutex mutex_{"RetireList::mutex_"};
	std::list<Entry> entries_ GUARDED_BY(mutex_);
	std::list<Entry>::iterator next_ GUARDED_BY(mutex_) = entries_.end();
	uint32_t count_ = 0; /* size of @entries_, read without the lock */
	/* Number of entries that threads have taken out of the list to run their actions. */
	uint32_t running_ GUARDED_BY(mutex_) = 0;
	uint64_t finished_ GUARDED_BY(mutex_) = 0; /* entries whose actions have run */
	base::Bell bell_ GUARDED_BY(mutex_);	   /* rings when @finished_ changes */
	std::vector<Action> gathered_ GUARDED_BY(mutex_);
	uint64_t credit_ GUARDED_BY(mutex_) = 0;
	uint64_t since_ns_ = 0; /* when the current batch began; read without the lock */
};

} // namespace drv
