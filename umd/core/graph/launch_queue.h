// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>

#include "base/assert.h"
#include "base/sync/bell.h"
#include "base/sync/mutex.h"

namespace umd {

/** class LaunchQueue - lets threads launch one after the other, in the order in which they came. The first thread of
 * the queue holds no lock, so it may wait for the device. Context: any thread. */
class LaunchQueue {
public:
	/** class Entry - an entry of the queue. Its construction waits until it is the first. */
	class Entry {
	public:
		explicit Entry(LaunchQueue &queue) : queue_(queue) { queue_.enter(); }
		~Entry() { queue_.leave(); }
		Entry(const Entry &) = delete;
		Entry &operator=(const Entry &) = delete;

	private:
		LaunchQueue &queue_;
	};

private:
	void enter()
	{
		std::unique_lock lock(mutex_);
		const uint64_t ticket = entered_++;
		while (left_ != ticket)
			changed_.wait(lock, base::NO_DEADLINE);
	}

	void leave()
	{
		std::lock_guard lock(mutex_);
		unpu_assert(left_ < entered_);
		left_++;
		changed_.ring();
	}

	base::Mutex mutex_{"LaunchQueue::mutex_"};
	base::Bell changed_ GUARDED_BY(mutex_);
	uint64_t entered_ GUARDED_BY(mutex_) = 0; /* number of threads that have entered so far */
	/* number of threads that have left; also the ticket of the first thread */
	uint64_t left_ GUARDED_BY(mutex_) = 0;
};

} // namespace umd
