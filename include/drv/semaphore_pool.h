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
	/** enum class Use - values of timelines and stamps only grow, also over their owners; flags are
	 * set back. The two never share a semaphore, or an old fence could come undone. */
	enum class Use { GROWING, FLAG };

	/** allocate() - a semaphore index. Its value is whatever its last owner left: growing ones go
	 * on from there, flags are set by UNPU_MSG_SEM_SET. Return: NO_RESOURCE. */
	base::Result<uint32_t> allocate(Use use = Use::GROWING)
	{
		std::lock_guard lock(mutex_);
		auto &free = free_[static_cast<unsigned>(use)];
		if (!free.empty()) {
			uint32_t sem = free.back();
			free.pop_back();
			return sem;
		}
		if (next_ == UNPU_MAX_SEMAPHORES)
			return base::Status::NO_RESOURCE;
		return next_++;
	}

	/** release() - @sem must have no packet left that signals it. */
	void release(uint32_t sem, Use use = Use::GROWING)
	{
		std::lock_guard lock(mutex_);
		free_[static_cast<unsigned>(use)].push_back(sem);
	}

	uint32_t in_use()
	{
		std::lock_guard lock(mutex_);
		return next_ - UNPU_SEM_FIRST_FREE -
		       static_cast<uint32_t>(free_[0].size() + free_[1].size());
	}

private:
	std::mutex mutex_;
	std::vector<uint32_t> free_[2]; /* by use */
	uint32_t next_ = UNPU_SEM_FIRST_FREE;
};

} // namespace drv
