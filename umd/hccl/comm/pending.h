// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "base/sync/mutex.h"
#include "call_log.h"
#include "drv/packet/fence.h"

namespace umd {

/** struct PendingMessage - a message that is part of a call. */
struct PendingMessage {
	uint32_t rank = 0; /* the other rank */
	bool is_send = false;
	uint64_t number = 0; /* number of the message in the call log */
};

/** struct PendingCall - a call whose operation has not completed. */
struct PendingCall {
	uint64_t number = 0; /* number of the collective call; 0: the call has only messages */
	CallNote note;
	uint32_t stream = 0; /* number of the stream in error messages */
	drv::Fence before;   /* the work that the stream had before the call */
	drv::Fence last;     /* end of the operation */
	std::vector<PendingMessage> messages;
};

/** class PendingCalls - the calls of one rank that have not completed. Diagnostics read it to find out what
 * the rank waits for. It has a lock of its own, because a thread may hold the lock of the communicator while
 * it waits for room in a ring. Context: any thread. */
class PendingCalls {
public:
	/** begin() - the packets of @call are about to be submitted. @is_done: (const drv::Fence &) -> bool */
	template <class IsDone> void begin(PendingCall call, IsDone is_done)
	{
		std::lock_guard lock(mutex_);
		while (!calls_.empty() && is_done(calls_.front().last))
			calls_.pop_front();
		is_kept_ = calls_.size() < MOST;
		if (is_kept_)
			calls_.push_back(std::move(call));
	}

	/** finish() - the operation of the last begin() ends with fence @last. */
	void finish(const drv::Fence &last)
	{
		std::lock_guard lock(mutex_);
		if (is_kept_ && !calls_.empty())
			calls_.back().last = last;
	}

	/** clear() - forgets all calls. */
	void clear()
	{
		std::lock_guard lock(mutex_);
		calls_.clear();
		is_kept_ = false;
	}

	/** all() - a copy of the list, with the oldest calls. */
	std::vector<PendingCall> all()
	{
		std::lock_guard lock(mutex_);
		return {calls_.begin(), calls_.end()};
	}

private:
	static constexpr size_t MOST = 256;

	base::Mutex mutex_{"PendingCalls::mutex_"};
	std::deque<PendingCall> calls_ GUARDED_BY(mutex_);
	/* whether the list has the call of the last begin() */
	bool is_kept_ GUARDED_BY(mutex_) = false;
};

} // namespace umd
