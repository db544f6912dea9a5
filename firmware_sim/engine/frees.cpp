// SPDX-License-Identifier: MIT
/**
 * DOC: Memory to be freed
 *
 * A client can give up memory faster than one thread frees it: to unmap takes the lock of the process's
 * mappings, which the client's own requests take too. A client that is too fast gets its answer only when all
 * earlier memory has been freed.
 */
#include "frees.h"

#include <new>
#include <utility>

namespace fw {

void Frees::submit(BackgroundWork &background, std::function<void()> work, Waiter *owner) const
{
	auto job = std::make_unique<Job>();
	job->work = std::move(work);
	/* All these jobs have the same client queue, so they keep their order. */
	job->client_queue = this;
	job->owner = owner;
	background.submit(std::move(job));
}

void Frees::add(BackgroundWork &background, std::function<void()> free, uint64_t bytes)
{
	std::list<Entry> added;
	added.push_back({std::move(free), bytes});
	{
		const std::lock_guard lock(mutex_);
		entries_.splice(entries_.end(), added);
		count_++;
		bytes_ += bytes;
		if (std::exchange(has_job_, true))
			return;
	}
	try {
		submit(
			background, [this] { work(); }, nullptr);
	} catch (const std::bad_alloc &) {
		const std::lock_guard lock(mutex_);
		has_job_ = false;
	}
}

bool Frees::is_full() const
{
	const std::lock_guard lock(mutex_);
	return count_ >= MOST || bytes_ >= MOST_BYTES;
}

void Frees::tell(BackgroundWork &background, Waiter &owner)
{
	submit(
		background, [] {}, &owner);
}

/* Runs on an upkeep thread. Memory that is added during this time is freed by the next job. */
void Frees::work()
{
	std::list<Entry> taken;
	{
		const std::lock_guard lock(mutex_);
		taken.swap(entries_);
		has_job_ = false;
	}
	while (!taken.empty()) {
		const uint64_t bytes = taken.front().bytes;
		taken.front().free();
		taken.pop_front();
		const std::lock_guard lock(mutex_);
		count_--;
		bytes_ -= bytes;
	}
}

} // namespace fw
