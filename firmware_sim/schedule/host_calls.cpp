// SPDX-License-Identifier: MIT
/**
 * DOC: Host calls
 *
 * A token numbers each entry of the queue. The client answers it in a packet of its own, in any order.
 */
#include "host_calls.h"

#include <utility>

namespace fw {

using base::Status;

/* Chooses the token of a new call so that its queue entry does not overwrite an outstanding one.
 * Return: 0 when the queue is full. */
uint64_t HostCalls::new_token(Waiter *owner)
{
	const uint64_t token = posted_ + 1;
	if (!waiting_.empty() && token - waiting_.begin()->first >= UNPU_CALL_QUEUE_ENTRIES)
		return 0;
	posted_ = token;
	waiting_.emplace_hint(waiting_.end(), token, owner);
	return token;
}

void HostCalls::put(const base::Call &call)
{
	base::post_call(queue_, call);
	semaphores_.raise(UNPU_SEM_CALLS, posted_);
}

Status HostCalls::post(uint64_t call, uint64_t cookie, Waiter &owner)
{
	const uint64_t token = new_token(&owner);
	if (token == 0)
		return Status::NO_RESOURCE;
	if (trace_.trace && trace_.trace->on())
		trace_.put(UNPU_TRACE_HOST_CALL, 0, token, cookie);
	owner.call = token;
	put({call, token, cookie});
	return Status::OK;
}

void HostCalls::report_fault(const Failure &failure, uint32_t timeline)
{
	const uint64_t token = reports_faults_ ? new_token(nullptr) : 0;
	if (token == 0)
		return;
	put({UNPU_CALL_FAULT, token, failure.cookie, failure.address,
	     static_cast<uint32_t>(failure.status), timeline});
}

Status HostCalls::finish(uint64_t token, Status status)
{
	auto found = waiting_.find(token);
	if (found == waiting_.end())
		return Status::INVALID_HANDLE;
	Waiter *owner = found->second;
	waiting_.erase(found);
	if (owner) {
		owner->call = 0;
		owner->woken(status, 0, 0);
	}
	return Status::OK;
}

void HostCalls::forget(Waiter &waiter)
{
	if (waiter.call)
		waiting_.erase(std::exchange(waiter.call, 0));
}

} // namespace fw
