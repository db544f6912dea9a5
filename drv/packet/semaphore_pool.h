// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "base/assert.h"
#include "base/result.h"
#include "base/sync/mutex.h"
#include "fence.h"
#include "uapi/regs.h"

namespace drv {

/** class SemaphorePool - allocates the semaphores of the context. Context: any thread. */
class SemaphorePool {
public:
	/** enum class Use - GROWING: values only grow, also across owners (timelines, time stamps). FLAG: the
	 * value can be reset. SHARED: the value follows other clients. A semaphore never changes its kind:
	 * otherwise an old fence that has passed could become pending again. */
	enum class Use { GROWING, FLAG, SHARED };

	/** limit() - sets the firmware's quota of semaphores for this context. */
	void limit(uint32_t quota)
	{
		std::lock_guard lock(mutex_);
		if (quota < end_ - UNPU_SEM_FIRST_FREE)
			end_ = UNPU_SEM_FIRST_FREE + quota;
	}

	/** allocate() - a semaphore index. The semaphore has the value that its last owner left: GROWING ones
	 * continue from it, FLAG ones are set by UNPU_MSG_SEM_SET. Return: NO_RESOURCE, QUOTA. */
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

	/** available() - whether a GROWING semaphore is left. */
	bool available()
	{
		std::lock_guard lock(mutex_);
		return next_ != end_ || !free_[static_cast<unsigned>(Use::GROWING)].empty();
	}

	/** retire() - frees @sem, a GROWING one, after @fence has passed. Neither this function nor reuse()
	 * allocates memory.
	 * Return: false if too many are retired already; the caller must then release() it after the fence. */
	bool retire(uint32_t sem, const Fence &fence)
	{
		std::lock_guard lock(mutex_);
		if (last_ - first_ == RETIRED)
			return false;
		retired_[last_++ % RETIRED] = {sem, fence};
		return true;
	}

	/** reuse() - takes a retired semaphore whose fence has passed. Return: UNPU_SEM_NONE if there is none.
	 * @done: tells whether a fence has passed. */
	template <class Done> uint32_t reuse(const Done &done)
	{
		std::lock_guard lock(mutex_);
		if (first_ == last_ || !done(retired_[first_ % RETIRED].fence))
			return UNPU_SEM_NONE;
		return retired_[first_++ % RETIRED].sem;
	}

	/** reclaim() - frees all retired semaphores whose fences have passed. May allocate memory.
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

	/** release() - frees @sem. No open packet may signal it. */
	void release(uint32_t sem, Use use = Use::GROWING)
	{
		std::lock_guard lock(mutex_);
		unpu_assert(sem >= UNPU_SEM_FIRST_FREE && sem < next_);
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
	std::vector<uint32_t> free_[3] GUARDED_BY(mutex_); /* indexed by Use */
	uint32_t next_ GUARDED_BY(mutex_) = UNPU_SEM_FIRST_FREE;
	uint32_t end_ GUARDED_BY(mutex_) = UNPU_MAX_SEMAPHORES;
	std::array<Retired, RETIRED> retired_ GUARDED_BY(mutex_); /* a ring buffer */
	uint64_t first_ GUARDED_BY(mutex_) = 0;
	uint64_t last_ GUARDED_BY(mutex_) = 0;
};

} // namespace drv
