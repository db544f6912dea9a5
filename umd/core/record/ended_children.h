// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "base/sync/mutex.h"

namespace umd::recorder {

/**
 * class EndedChildren - finds the processes with a trace in the same folder that are gone.
 *
 * A process that was killed has written no end. Its parent, which has waited for it, knows that all its work is over.
 * Whether a process was a child is in its own trace.
 */
class EndedChildren {
public:
	EndedChildren(std::string folder, uint32_t own) : folder_(std::move(folder)), own_(own) {}

	/** look() - calls @found with each client that is gone since the last time. It looks for new ones no more often
	 * than each millisecond, and at up to MOST_AT_ONCE that it knows each time. Context: any thread; may read a
	 * folder */
	void look(uint64_t now_ns, const std::function<void(uint32_t client)> &found);

private:
	static constexpr size_t MOST_AT_ONCE = 8;

	void find() REQUIRES(mutex_);
	std::set<uint32_t> take_gone() REQUIRES(mutex_);

	const std::string folder_;
	const uint32_t own_;
	uint64_t next_ns_ = 0; /* atomic */
	base::Mutex mutex_{"EndedChildren::mutex_"};
	std::set<uint32_t> told_ GUARDED_BY(mutex_);
	std::set<uint32_t> alive_ GUARDED_BY(mutex_); /* when they were looked at last */
	uint32_t watched_ = 0;			      /* atomic: how many to look at each time */
};

} // namespace umd::recorder
