// SPDX-License-Identifier: MIT
/**
 * DOC: Targets of the runtime's host functions
 */
#include "host_target.h"
#include "base/sync/mutex.h"
#include "umd/core/process/process.h"

#include <map>
#include <mutex>

namespace umd {

namespace {

struct Targets {
	base::Mutex mutex{"Targets::mutex"};
	std::map<uint64_t, std::shared_ptr<HostTarget>> known GUARDED_BY(mutex);
	uint64_t last GUARDED_BY(mutex) = 0;
};

Targets &all()
{
	return Process::own<Targets>();
}

} // namespace

uint64_t add_target(std::shared_ptr<HostTarget> target)
{
	Targets &targets = all();
	std::lock_guard lock(targets.mutex);
	targets.known.emplace(++targets.last, std::move(target));
	return targets.last;
}

void drop_target(uint64_t number)
{
	std::shared_ptr<HostTarget> gone; /* destroyed after the lock is released */
	Targets &targets = all();
	std::lock_guard lock(targets.mutex);
	auto found = targets.known.find(number);
	if (found == targets.known.end())
		return;
	gone = std::move(found->second);
	targets.known.erase(found);
}

static void run_target(void *args)
{
	std::shared_ptr<HostTarget> target;
	{
		Targets &targets = all();
		std::lock_guard lock(targets.mutex);
		auto found = targets.known.find(reinterpret_cast<uint64_t>(args));
		if (found != targets.known.end())
			target = found->second;
	}
	if (target)
		target->run();
}

HostFunction target_function(uint64_t number)
{
	return {run_target, reinterpret_cast<void *>(number)};
}

void run_dropped(const HostFunction &function)
{
	if (function.fn == run_target)
		run_target(function.args);
}

} // namespace umd
