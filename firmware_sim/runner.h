// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/status.h"
#include "uapi/packet.h"

namespace fw {

/** enum class Progress - what a turn came to. */
enum class Progress {
	MORE,	 /* did something, wants another turn */
	EMPTY,	 /* found nothing to do */
	BLOCKED, /* stands still until it is woken */
};

/** class Runner - what the scheduler gives turns to: a channel, or a graph that is running. */
class Runner {
public:
	virtual ~Runner() = default;
	/** advance() - one turn: at most one packet, or a bounded run of graph nodes. */
	virtual Progress advance() = 0;
	/** rest() - called after too many EMPTY turns. Return: true when it may leave the queue. */
	virtual bool rest() { return true; }

	Runner *next = nullptr; /* run queue */
	Runner *previous = nullptr;
	bool queued = false;
	uint32_t empty_turns = 0;
};

class Waiter;

/** struct Wait - what a waiter waits for, for people: a semaphore, or a word in memory. */
struct Wait {
	uint32_t sem;	  /* 0: a word */
	uint64_t address; /* device address of the word */
	uint64_t wanted;
	uint64_t value; /* now */
};

/** class Parking - where a waiter stands still: on a semaphore, or on a word in memory. */
class Parking {
public:
	/** unpark() - takes a waiter out without waking it; nothing if it is parked elsewhere. */
	virtual void unpark(Waiter &waiter) = 0;
	/** describe() - of a waiter that is parked here. */
	virtual Wait describe(const Waiter &waiter) const = 0;

protected:
	~Parking() = default;
};

/** class Waiter - what may stand still: a channel, or a line of a graph. */
class Waiter {
public:
	virtual ~Waiter() = default;
	/** woken() - the wait is over, with this outcome. */
	virtual void woken(base::Status status, uint64_t address) = 0;

	Waiter *next_waiter = nullptr; /* waiters of one semaphore */
	Parking *parked_in = nullptr;
	uint64_t wanted = 0; /* for the parking's own use */
	uint32_t sem = 0;    /* meaningful while parked */
	uint8_t wait_op = UNPU_WAIT_GE;
	bool clears = false; /* the value is 0 once this wait is over */
	uint64_t deadline_ns = base::NO_DEADLINE;
	bool in_engine = false; /* a job of this waiter is queued, running or finished */
};

/** class RunQueue - round-robin order of runners; a runner is in it at most once. */
class RunQueue {
public:
	bool empty() const { return !head_; }
	unsigned size() const { return size_; }

	void push(Runner &runner)
	{
		if (runner.queued)
			return;
		runner.queued = true;
		runner.next = nullptr;
		runner.previous = tail_;
		(tail_ ? tail_->next : head_) = &runner;
		tail_ = &runner;
		size_++;
	}

	void remove(Runner &runner)
	{
		if (!runner.queued)
			return;
		runner.queued = false;
		(runner.previous ? runner.previous->next : head_) = runner.next;
		(runner.next ? runner.next->previous : tail_) = runner.previous;
		size_--;
	}

	Runner *pop()
	{
		Runner *runner = head_;
		if (runner)
			remove(*runner);
		return runner;
	}

private:
	Runner *head_ = nullptr;
	Runner *tail_ = nullptr;
	unsigned size_ = 0;
};

} // namespace fw
