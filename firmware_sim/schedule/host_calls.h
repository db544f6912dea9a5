// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "base/sync/call_queue.h"
#include "runner.h"
#include "semaphores.h"
#include "trace.h"
#include "uapi/regs.h"

namespace fw {

/** class HostCalls - the calls that a client's program has to make, in the queue that it reads. Context: under
 * the step token. */
class HostCalls {
public:
	/** @queue: array of UNPU_CALL_QUEUE_ENTRIES. @semaphores: semaphores of the client; UNPU_SEM_CALLS
	 * counts the calls */
	HostCalls(unpu_call_entry *queue, Semaphores &semaphores)
		: queue_(queue), semaphores_(semaphores)
	{
	}

	/** trace_to() - records each call as one of @trace's client. */
	void trace_to(TraceOf trace) { trace_ = trace; }

	/** post() - puts a call into the queue; @owner is woken by finish(). Return: NO_RESOURCE when the
	 * queue is full. */
	base::Status post(uint64_t call, uint64_t cookie, Waiter &owner);

	/** report_faults() - the client asks for reports of packets that fail. */
	void report_faults() { reports_faults_ = true; }

	/** report_fault() - posts a report of a failed packet if the client asked for reports and the queue
	 * has room. */
	void report_fault(const Failure &failure, uint32_t timeline);

	/** finish() - ends the call @token; the task that waits for it ends with @status.
	 * Return: INVALID_HANDLE for a token that is not outstanding. */
	base::Status finish(uint64_t token, base::Status status);

	/** forget() - removes @waiter from the calls that are waited for. */
	void forget(Waiter &waiter);

private:
	uint64_t new_token(Waiter *owner);
	void put(const base::Call &call);

	unpu_call_entry *const queue_;
	Semaphores &semaphores_;
	TraceOf trace_{};
	std::map<uint64_t, Waiter *> waiting_; /* indexed by token; nullptr: a fault report */
	uint64_t posted_ = 0;
	bool reports_faults_ = false;
};

} // namespace fw
