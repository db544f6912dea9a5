// SPDX-License-Identifier: MIT
/**
 * DOC: Taskflow
 *
 * One task; its graphs are measured by graph.cpp.
 */
#include <taskflow/taskflow.hpp>

#include "peers/peer.h"

namespace bench {

void run_taskflow(const Effort &effort, Round &round)
{
	tf::Executor executor(2);
	add_trip(effort, round, "taskflow", "trip", "Taskflow: async, get",
		 [&] { executor.async([] {}).get(); });
}

} // namespace bench
