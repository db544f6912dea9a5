// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "base/sync/mutex.h"

namespace umd::recorder {

/**
 * class EndedChildren - finds processes that have a trace in the same folder and have ended.
 *
 * A killed process could not record its end. Its parent has waited for it, so the parent knows that all its
 * work has ended. The trace of the process says which process was its parent.
 */
class EndedChildren {
public:
	EndedChildren(std::string folder, uint32_t own) : folder_(std::move(folder)), own_(own) {}

	/** look() - calls @found for each client that has ended since the last call. It searches for new
	 * clients at most once each millisecond, and checks up to MOST_AT_ONCE known clients each time.
	 * Context: any thread; may read a folder */
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
	std::set<uint32_t> alive_ GUARDED_BY(mutex_); /* clients that were alive at the last look */
	/* atomic: how many clients to check each time */
	uint32_t watched_ = 0;
};

} // namespace umd::recorder
