// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "base/mutex.h"

namespace drv {

/**
 * class Prefault - makes memory present behind the program's back, so that who touches it first does
 * not wait for the kernel. A thread of low priority does it piece by piece, and ends when nothing is
 * left. Context: any thread.
 */
class Prefault {
public:
	/* Below this a first touch costs no more than the thread's start. */
	static constexpr uint64_t LEAST_BYTES = uint64_t{1} << 20;

	Prefault() = default;
	~Prefault();
	Prefault(const Prefault &) = delete;
	Prefault &operator=(const Prefault &) = delete;

	/** configure() - @most_bytes: of each range; 0 for none. Before the first add(). */
	void configure(uint64_t most_bytes) { most_bytes_ = most_bytes; }

	/** add() - the beginning of a range that stays mapped until forget(). Small ranges, and those for
	 * which the host has too little memory, are left alone. */
	void add(std::byte *start, uint64_t bytes);

	/** forget() - when it returns nothing in the range is touched any more. Waits for one piece. */
	void forget(std::byte *start, uint64_t bytes);

	/** done_bytes() - made present so far. */
	uint64_t done_bytes();

private:
	struct Range {
		std::byte *start = nullptr;
		uint64_t bytes = 0;
		bool fresh = false; /* nothing of it was done */

		bool meets(const std::byte *other, uint64_t size) const
		{
			return start < other + size && other < start + bytes;
		}
	};

	void work();
	bool take(Range &piece);
	bool affordable(std::unique_lock<base::Mutex> &lock);

	uint64_t most_bytes_ = 0;
	base::Mutex mutex_{"Prefault::mutex_"};
	uint32_t pieces_ = 0;	   /* counts, for who waits for one */
	std::deque<Range> ranges_; /* what is left of each */
	Range piece_;		   /* that the thread is at */
	bool running_ = false;
	uint64_t done_bytes_ = 0;
	std::thread thread_; /* may have ended */
};

} // namespace drv
