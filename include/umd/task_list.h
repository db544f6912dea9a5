// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace umd {

class HostCalls;

/** struct Task - what a stream was given while it collects. */
struct Task {
	unpu_packet packet{};
	int64_t op = -1; /* index into the list's operators, or -1 */
};

/**
 * class TaskList - the tasks that a stream collects for a model, in order. Context: any thread.
 */
class TaskList {
public:
	/** add() - appends a task. */
	void add(const unpu_packet &packet, const unpu_operator *op);

	/** add_call() - a host function that one of the tasks calls. */
	void add_call(uint64_t call);

	/** clear() - forgets all tasks, and with @calls the functions they call. */
	void clear(HostCalls *calls);

	size_t size();

private:
	std::mutex mutex_;
	std::vector<Task> tasks_;
	std::vector<unpu_operator> operators_;
	std::vector<uint64_t> calls_;
};

} // namespace umd
