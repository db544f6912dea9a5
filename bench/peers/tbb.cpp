// SPDX-License-Identifier: MIT
/**
 * DOC: oneTBB
 *
 * task_group runs the task in the caller where it can, an arena's queue never does. Its flow graph is
 * measured by graph.cpp.
 */
#include <future>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "peers/peer.h"

namespace bench {

void run_tbb(const Effort &effort, Round &round)
{
	tbb::task_group group;
	add_trip(effort, round, "tbb_task_group", "trip", "oneTBB task_group: run, wait", [&] {
		group.run([] {});
		group.wait();
	});
	tbb::task_arena arena(2);
	add_trip(effort, round, "tbb_arena", "trip", "oneTBB arena: enqueue, future", [&] {
		std::promise<void> promise;
		arena.enqueue([&] { promise.set_value(); });
		promise.get_future().get();
	});
}

} // namespace bench
