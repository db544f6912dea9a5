// SPDX-License-Identifier: MIT
/**
 * DOC: Task lists
 *
 * A stream made for models does not run what it is given: it keeps the tasks until a model is built
 * of them, or they are dropped.
 */
#include "umd/task_list.h"

#include "umd/host_calls.h"

namespace umd {

void TaskList::add(const unpu_packet &packet, const unpu_operator *op)
{
	std::lock_guard lock(mutex_);
	Task task{packet, -1};
	if (op) {
		task.op = static_cast<int64_t>(operators_.size());
		operators_.push_back(*op);
	}
	tasks_.push_back(task);
}

void TaskList::add_call(uint64_t call)
{
	std::lock_guard lock(mutex_);
	calls_.push_back(call);
}

void TaskList::clear(HostCalls *calls)
{
	std::lock_guard lock(mutex_);
	for (uint64_t call : calls_) {
		if (calls)
			calls->remove(call);
	}
	tasks_.clear();
	operators_.clear();
	calls_.clear();
}

size_t TaskList::size()
{
	std::lock_guard lock(mutex_);
	return tasks_.size();
}

} // namespace umd
