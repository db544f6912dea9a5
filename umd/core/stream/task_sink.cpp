// SPDX-License-Identifier: MIT
/**
 * DOC: The lock of task sinks
 *
 * One lock protects all sinks, because an event may connect the capture of one stream with that of another.
 */
#include "task_sink.h"

namespace umd {

std::unique_lock<base::Mutex> TaskSink::lock()
{
	static constinit base::Mutex mutex{"TaskSink::lock()"};
	return std::unique_lock(mutex);
}

} // namespace umd
