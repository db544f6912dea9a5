// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "base/sync/mutex.h"

namespace drv {

/**
 * class Prefault - makes pages present in the background, so that the program's first access causes no page
 * fault. A thread of low priority does it piece by piece, and ends when no range is left.
 * Context: any thread.
 */
class Prefault {
public:
	/* Below this size the page faults cost less than the start of the thread. */
	static constexpr uint64_t LEAST_BYTES = uint64_t{1} << 20;

	Prefault() = default;
	~Prefault();
	Prefault(const Prefault &) = delete;
	Prefault &operator=(const Prefault &) = delete;

	/** configure() - @most_bytes: limit per range; 0: no prefault. Before the first add(). */
	void configure(uint64_t most_bytes) { most_bytes_ = most_bytes; }

	/** add() - queues the beginning of a range. The range must stay mapped until forget(). Ignores small
	 * ranges and ranges for which the host has too little memory. */
	void add(std::byte *start, uint64_t bytes);

	/** forget() - removes a range; after the return the thread does not access it. Waits for at most one
	 * piece. */
	void forget(std::byte *start, uint64_t bytes);

	/** done_bytes() - bytes made present so far. */
	uint64_t done_bytes();

private:
	struct Range {
		std::byte *start = nullptr;
		uint64_t bytes = 0;
		bool is_fresh = false; /* the thread has not touched any piece of the range yet */

		bool meets(const std::byte *other, uint64_t size) const
		{
			return start < other + size && other < start + bytes;
		}
	};

	void work();
	bool take(Range &piece) REQUIRES(mutex_);
	bool affordable() REQUIRES(mutex_);

	uint64_t most_bytes_ = 0;
	base::Mutex mutex_{"Prefault::mutex_"};
	uint32_t pieces_ = 0; /* futex word: counts finished pieces */
	/* the part of each range that is not present yet */
	std::deque<Range> ranges_ GUARDED_BY(mutex_);
	Range piece_ GUARDED_BY(mutex_); /* the thread's current piece */
	bool running_ GUARDED_BY(mutex_) = false;
	uint64_t done_bytes_ GUARDED_BY(mutex_) = 0;
	std::thread thread_ GUARDED_BY(mutex_); /* the thread may have ended already */
};

} // namespace drv
