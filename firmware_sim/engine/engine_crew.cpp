// SPDX-License-Identifier: MIT
/**
 * DOC: Crews of engine threads
 */
#include "engine_crew.h"

#include "base/os/thread.h"

namespace fw {

bool EngineCrew::add(const char *name, const std::function<void(uint32_t)> &work)
{
	const auto number = static_cast<uint32_t>(threads_.size());
	stuck_.resize(number + 1);
	auto thread = base::start_thread(name, [nice = nice_, number, work] {
		if (nice != 0)
			base::lower_priority(base::nice_value(), nice);
		work(number);
	});
	if (!thread)
		return false;
	threads_.push_back(thread.take());
	return true;
}

void EngineCrew::join()
{
	for (size_t number = 0; number < threads_.size(); number++) {
		if (stuck_[number])
			threads_[number].detach();
		else
			threads_[number].join();
	}
}

} // namespace fw
