// SPDX-License-Identifier: MIT
/**
 * DOC: The lock of task sinks
 *
 * One lock for all of them: an event may lead from the capture of one stream to that of another.
 */
#include "umd/task_sink.h"

namespace umd {

std::unique_lock<base::Mutex> TaskSink::lock()
{
	static constinit base::Mutex mutex{"TaskSink::lock()"};
	return std::unique_lock(mutex);
}

} // namespace umd
