// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>

#include "base/sync/mutex.h"

namespace umd {

struct KernelWords;

/**
 * class RecentLaunches - the latest launches of a binary, with their arguments, for a function of the program that is
 * told of failures. Context: any thread.
 *
 * A launch may fail before the call that submits it knows the number of its packet. So a launch is kept before it is
 * submitted, under the thread that submits it, and gets its place afterwards.
 */
class RecentLaunches {
public:
	using Words = std::shared_ptr<const KernelWords>;

	/* As many tasks as the longest ring of a stream holds. */
	static constexpr size_t MOST = 16384;

	/* No packet: a graph has captured the launch, or it was refused. */
	static constexpr uint64_t NOWHERE = ~uint64_t{0};

	/** begin() - keeps a launch that the calling thread is about to submit. */
	void begin(const Words &words);

	/** end() - the launch of the last begin() of the calling thread is at @place, as drv::cookie_place() says, or
	 * NOWHERE. */
	void end(uint64_t place);

	/** find() - the launch at @place, or the one that @thread is submitting. Return: nullptr if it is too old. */
	Words find(uint64_t place, uint32_t thread);

	/** clear() - forgets all launches. */
	void clear();

private:
	struct Launch {
		uint32_t thread; /* the kernel's number, until the launch has its place; then 0 */
		uint64_t place;
		Words words;
	};

	base::Mutex mutex_{"RecentLaunches::mutex_"};
	std::deque<Launch> launches_ GUARDED_BY(mutex_); /* oldest first */
};

} // namespace umd
