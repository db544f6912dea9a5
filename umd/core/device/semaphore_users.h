// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "base/sync/mutex.h"

namespace umd {

/** class SemaphoreUsers - which event or notify of the program uses a semaphore of one device. Error messages
 * about waits name it. Context: any thread. */
class SemaphoreUsers {
public:
	/** add() - @handle: handle of an object whose fields do not change any more */
	void add(uint32_t sem, uint64_t handle)
	{
		std::lock_guard lock(mutex_);
		users_[sem] = handle;
	}

	void remove(uint32_t sem)
	{
		std::lock_guard lock(mutex_);
		users_.erase(sem);
	}

	/** find() - the handle of the user; 0 if the semaphore has none. The handle may be stale. */
	uint64_t find(uint32_t sem)
	{
		std::lock_guard lock(mutex_);
		const auto found = users_.find(sem);
		return found == users_.end() ? 0 : found->second;
	}

private:
	base::Mutex mutex_{"SemaphoreUsers::mutex_"};
	std::unordered_map<uint32_t, uint64_t> users_ GUARDED_BY(mutex_);
};

} // namespace umd
