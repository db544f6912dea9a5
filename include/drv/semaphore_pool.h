// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <vector>

#include "base/result.h"
#include "uapi/regs.h"

namespace drv {

/** class SemaphorePool - which semaphores of the context are in use. Context: any thread. */
class SemaphorePool {
public:
	/** allocate() - a semaphore index. Its value is whatever its last owner left: timelines go on
	 * from there, flags are set by UNPU_MSG_SEM_SET. Return: NO_RESOURCE. */
	base::Result<uint32_t> allocate()
	{
		std::lock_guard lock(mutex_);
		if (!free_.empty()) {
			uint32_t sem = free_.back();
			free_.pop_back();
			return sem;
		}
		if (next_ == UNPU_MAX_SEMAPHORES)
			return base::Status::NO_RESOURCE;
		return next_++;
	}

	/** release() - @sem must have no packet left that signals it. */
	void release(uint32_t sem)
	{
		std::lock_guard lock(mutex_);
		free_.push_back(sem);
	}

	uint32_t in_use()
	{
		std::lock_guard lock(mutex_);
		return next_ - UNPU_SEM_FIRST_FREE - static_cast<uint32_t>(free_.size());
	}

private:
	std::mutex mutex_;
	std::vector<uint32_t> free_;
	uint32_t next_ = UNPU_SEM_FIRST_FREE;
};

} // namespace drv
