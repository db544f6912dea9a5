// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>

#include "base/sync/mutex.h"

namespace umd {

struct KernelWords;

/**
 * class RecentLaunches - the latest launches of a binary, with their arguments. The program's function for
 * failures gets the arguments of a failed launch. Context: any thread.
 *
 * A launch may fail before the call that submits it knows the number of its packet. So a launch is kept
 * before it is submitted, under the thread that submits it, and gets its place afterwards.
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

	/** end() - sets the place of the launch of the calling thread's last begin(). @place: the result of
	 * drv::cookie_place(), or NOWHERE */
	void end(uint64_t place);

	/** find() - the launch at @place, or the one that @thread is submitting. Return: nullptr if it is too old. */
	Words find(uint64_t place, uint32_t thread);

	/** clear() - forgets all launches. */
	void clear();

private:
	struct Launch {
		/* kernel thread id of the submitting thread, until the launch has its place; then 0 */
		uint32_t thread;
		uint64_t place;
		Words words;
	};

	base::Mutex mutex_{"RecentLaunches::mutex_"};
	std::deque<Launch> launches_ GUARDED_BY(mutex_); /* oldest first */
};

} // namespace umd
