// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>

#include "base/sync/ordering.h"

namespace fw {

/**
 * class Finished - jobs that other threads have ended, until the command processor takes them, in the order in which
 * they ended. @Pointer: what owns a job. Context: under the lock of the owner, except has_some().
 */
template <class Pointer> class Finished {
public:
	/** has_some() - whether take() has a job; a hint that costs one load. Context: any thread, with or without the
	 * lock. */
	bool has_some() const { return base::load_acquire(count_) != 0; }

	void add(Pointer job)
	{
		jobs_.push_back(std::move(job));
		note_count();
	}

	/** take() - Return: the job that ended first; nullptr: there is none. */
	Pointer take()
	{
		if (jobs_.empty())
			return nullptr;
		Pointer job = std::move(jobs_.front());
		jobs_.pop_front();
		note_count();
		return job;
	}

	/** drop() - removes the jobs for which @which returns true. */
	template <class Which> void drop(const Which &which)
	{
		std::erase_if(jobs_, which);
		note_count();
	}

	auto begin() const { return jobs_.begin(); }
	auto end() const { return jobs_.end(); }

private:
	void note_count() { base::store_release(count_, static_cast<uint32_t>(jobs_.size())); }

	std::deque<Pointer> jobs_;
	uint32_t count_ = 0; /* size of @jobs_ */
};

} // namespace fw
