// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/task/task_sink.h"

namespace umd::cuda {

/** graphs_mutex() - the lock of all graphs. It is the lock of captures, because a capture
 * adds to a graph that the program may inspect. A thread must not wait while it holds this lock. */
inline base::Mutex &graphs_mutex() RETURN_CAPABILITY(TaskSink::mutex)
{
	return TaskSink::mutex;
}

} // namespace umd::cuda
