// SPDX-License-Identifier: MIT
/**
 * DOC: Threads of a worker
 */
#include "session.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "signals.h"

namespace worker {

bool Pool::start(uint32_t threads)
{
	try {
		for (; helpers_ + 1 < threads; helpers_++)
			std::thread([this] { work(); }).detach();
	} catch (const std::system_error &) {
		return false;
	}
	return true;
}

void Pool::work()
{
	use_signal_stack();
	std::unique_lock lock(mutex_);
	for (;;) {
		wanted_.wait(lock, [this] { return places_ != 0; });
		places_--;
		inside_++;
		Launch &launch = *launch_;
		lock.unlock();
		launch.run();
		lock.lock();
		if (--inside_ == 0)
			left_.notify_one();
	}
}

void Pool::run(Launch &launch)
{
	const uint32_t useful = std::min(helpers_, launch.threads() - 1);
	if (useful != 0) {
		const std::lock_guard lock(mutex_);
		launch_ = &launch;
		places_ = useful;
		wanted_.notify_all();
	}
	launch.run();
	if (useful == 0)
		return;
	std::unique_lock lock(mutex_);
	places_ = 0;
	left_.wait(lock, [this] { return inside_ == 0; });
	launch_ = nullptr;
}

} // namespace worker
