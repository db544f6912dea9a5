// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "drv/fence.h"
#include "uapi/regs.h"

namespace drv {

/** class SemaphorePool - which semaphores of the context are in use. Context: any thread. */
class SemaphorePool {
public:
	/** enum class Use - values of timelines and stamps only grow, also over their owners; flags are
	 * set back; shared ones follow what others do. The kinds never share a semaphore, or an old
	 * fence could come undone. */
	enum class Use { GROWING, FLAG, SHARED };

	/** limit() - the firmware lets the context have @quota of them. */
	void limit(uint32_t quota)
	{
		std::lock_guard lock(mutex_);
		if (quota < end_ - UNPU_SEM_FIRST_FREE)
			end_ = UNPU_SEM_FIRST_FREE + quota;
	}

	/** allocate() - a semaphore index. Its value is whatever its last owner left: growing ones go
	 * on from there, flags are set by UNPU_MSG_SEM_SET. Return: NO_RESOURCE, QUOTA. */
	base::Result<uint32_t> allocate(Use use = Use::GROWING)
	{
		std::lock_guard lock(mutex_);
		auto &free = free_[static_cast<unsigned>(use)];
		if (!free.empty()) {
			uint32_t sem = free.back();
			free.pop_back();
			return sem;
		}
		if (next_ == end_)
			return end_ == UNPU_MAX_SEMAPHORES ? base::Status::NO_RESOURCE
							   : base::Status::QUOTA;
		return next_++;
	}

	/** available() - whether a growing one is left. */
	bool available()
	{
		std::lock_guard lock(mutex_);
		return next_ != end_ || !free_[static_cast<unsigned>(Use::GROWING)].empty();
	}

	/** retire() - @sem, a growing one, is free again once @fence has passed. Neither this nor
	 * reuse() needs memory.
	 * Return: false when too many are retired already; release() it after the fence then. */
	bool retire(uint32_t sem, const Fence &fence)
	{
		std::lock_guard lock(mutex_);
		if (last_ - first_ == RETIRED)
			return false;
		retired_[last_++ % RETIRED] = {sem, fence};
		return true;
	}

	/** reuse() - a retired semaphore whose fence has passed, or UNPU_SEM_NONE.
	 * @done: tells whether a fence has passed. */
	template <class Done> uint32_t reuse(const Done &done)
	{
		std::lock_guard lock(mutex_);
		if (first_ == last_ || !done(retired_[first_ % RETIRED].fence))
			return UNPU_SEM_NONE;
		return retired_[first_++ % RETIRED].sem;
	}

	/** reclaim() - retired ones whose fences have passed are free. May need memory.
	 * @done: tells whether a fence has passed. */
	template <class Done> void reclaim(const Done &done)
	{
		std::lock_guard lock(mutex_);
		uint64_t kept = last_;
		for (uint64_t i = last_; i-- > first_;) {
			const Retired &one = retired_[i % RETIRED];
			if (done(one.fence))
				free_[static_cast<unsigned>(Use::GROWING)].push_back(one.sem);
			else
				retired_[--kept % RETIRED] = one;
		}
		first_ = kept;
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
		       static_cast<uint32_t>(free_[0].size() + free_[1].size() + free_[2].size()) -
		       static_cast<uint32_t>(last_ - first_);
	}

private:
	static constexpr unsigned RETIRED = 1024;

	struct Retired {
		uint32_t sem;
		Fence fence;
	};

	base::Mutex mutex_{"SemaphorePool::mutex_"};
	std::vector<uint32_t> free_[3]; /* by use */
	uint32_t next_ = UNPU_SEM_FIRST_FREE;
	uint32_t end_ = UNPU_MAX_SEMAPHORES;
	std::array<Retired, RETIRED> retired_; /* a ring */
	uint64_t first_ = 0;
	uint64_t last_ = 0;
};

} // namespace drv
