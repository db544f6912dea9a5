// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/clock.h"
#include "base/status.h"
#include "uapi/packet.h"

namespace fw {

struct KernelJob;
struct Transfer;

/** PRIORITIES - classes of runners, 0 is the highest. */
constexpr unsigned PRIORITIES = 8;

/** replaces() - whether @failure replaces the recorded status @old. The first failure stays, but any
 * other failure replaces an overflow, which is the least severe one. */
inline bool replaces(base::Status old, base::Status failure)
{
	return old == base::Status::OK ||
	       (old == base::Status::OVERFLOW && failure != base::Status::OVERFLOW);
}

/** enum class Progress - the result of a turn. */
enum class Progress {
	MORE,	 /* did work; the runner wants another turn */
	EMPTY,	 /* found nothing to do */
	BLOCKED, /* parked; takes no turns until it is woken */
};

/** enum class Rest - what Runner::rest() did. */
enum class Rest {
	STAYS,	/* there is work: the runner stays in the run queue */
	LEAVES, /* something else wakes the runner */
	ASKED,	/* asked for a doorbell; look_again() has to follow the next heavy fence */
};

class Runner;
struct Choice;

/** struct ClientQueue - unit of fair scheduling: one client with all its runners. Clients take turns. */
struct ClientQueue {
	/** struct RunnerList - queue of the client queue's runners of one priority class. */
	struct RunnerList {
		Runner *head = nullptr;
		Runner *tail = nullptr;
		RunnerList *next = nullptr; /* list of the class's non-empty lists */
		RunnerList *previous = nullptr;
	};

	RunnerList lists[PRIORITIES];
	bool is_paused = false; /* the scheduler gives its runners no turns */
	RunnerList held; /* runners that asked for a turn while the client queue was paused */
};

/** class Runner - unit of scheduling: a channel, or a graph that is running. */
class Runner {
public:
	virtual ~Runner() = default;
	/** advance() - one turn: at most one packet, or a bounded run of graph nodes. */
	virtual Progress advance() = 0;
	/** rest() - called after too many EMPTY turns. */
	virtual Rest rest() { return Rest::LEAVES; }
	/** look_again() - the runner has ASKED, and a heavy fence has followed (D1): queues it if it has work. */
	virtual void look_again() {}

	/** offer() - for a device that explores: adds the commands that the runner could run next.
	 * Return: false: its next turn is no decision, and is taken at once. */
	virtual bool offer(std::vector<Choice> &choices) const
	{
		(void)choices;
		return false;
	}
	/** advance_one() - a turn of one command. @line: Choice::line */
	virtual Progress advance_one(uint32_t line)
	{
		(void)line;
		return advance();
	}
	/** settle() - shows the host what has ended, after advance_one(). */
	virtual void settle() {}

	ClientQueue *client_queue = nullptr; /* nullptr: the runner belongs to no client */
	Runner *next = nullptr;		     /* next runner in the run queue */
	Runner *previous = nullptr;
	bool is_queued = false;
	bool is_held = false;	  /* it asked for a turn, but is in ClientQueue::held */
	bool is_aside = false;	  /* not queued, but in RunQueue's list of those that have ASKED */
	uint32_t empty_turns = 0; /* number of empty turns in a row, up to now */
	uint8_t priority = 0;
};

class Waiter;
struct Job;
struct Split;

/** struct Wait - describes for reports what a waiter waits for: a semaphore, or a word in memory. */
struct Wait {
	uint32_t sem;	  /* 0: a word */
	uint64_t address; /* device address of the word */
	uint64_t wanted;
	uint64_t value; /* the present value */
};

/** class Parking - a set of parked waiters: of the semaphores, or of the words in memory. */
class Parking {
public:
	/** unpark() - removes a waiter without waking it; does nothing if it is parked elsewhere. */
	virtual void unpark(Waiter &waiter) = 0;
	/** describe() - what @waiter, which is parked here, waits for. */
	virtual Wait describe(const Waiter &waiter) const = 0;

protected:
	~Parking() = default;
};

/** class Waiter - what may be parked: a channel, or a line of a graph. */
class Waiter {
public:
	/** ~Waiter() - unparks the waiter, so that no Parking keeps a dangling pointer. */
	virtual ~Waiter()
	{
		if (parked_in)
			parked_in->unpark(*this);
	}
	/** woken() - the wait has ended with @status.
	 * @address, @detail: of a failure, see struct unpu_sem_device */
	virtual void woken(base::Status status, uint64_t address, uint64_t detail) = 0;
	/** take_pieces() - takes over @job, to do one piece of it in place in each turn of the waiter.
	 * Return: false if the waiter has no turns of its own; then @job is unchanged. */
	virtual bool take_pieces(std::unique_ptr<Job> &job)
	{
		(void)job;
		return false;
	}

	Waiter *next_waiter = nullptr; /* waiters of one semaphore */
	Waiter *previous_waiter = nullptr;
	Parking *parked_in = nullptr;
	uint64_t wanted = 0; /* used only by class Parking */
	uint64_t place = 0;  /* used only by class Parking */
	uint64_t call = 0;   /* token of the host call whose return it waits for; 0: none */
	uint32_t sem = 0;    /* meaningful while parked */
	uint8_t wait_op = UNPU_WAIT_GE;
	bool clears = false; /* the value is reset to 0 when this wait ends */
	bool orders = false; /* the wait also ends when the work that would signal it is dropped */
	/* the wait also ends when the process that would signal it is gone */
	bool outlives = false;
	uint64_t deadline_ns = base::NO_DEADLINE;
	bool is_in_engine = false;    /* a job of this waiter is queued, running or finished */
	std::weak_ptr<Split> split;   /* that job, of the engines or of the upkeep thread */
	bool is_in_storage = false;   /* the same of a storage transfer */
	Transfer *transfer = nullptr; /* that transfer, while the storage would report its end */
	bool is_in_worker = false;    /* the same of a kernel */
	KernelJob *kernel = nullptr;  /* that job, until it is disowned */
};

/**
 * class RunQueue - chooses the runner of the next turn. A runner is in the queue at most once.
 *
 * Priorities: the highest class that has a runner gets the turn. Inside a class the scheduling is round
 * robin over the clients, and inside a client round robin over its runners, so a client with many
 * channels gets no larger share. Against starvation, a class that was passed over more than PATIENCE
 * times gets a turn. When all runners of a class found nothing, the next lower class gets one turn
 * before the class is polled again. So idle rings take at most half of the turns from lower classes,
 * and an empty turn is short.
 */
class RunQueue {
public:
	static constexpr unsigned PATIENCE = 16;

	bool empty() const { return size_ == 0; }
	unsigned size() const { return size_; }

	/** quiet() - whether every queued runner found nothing in its last turn. */
	bool quiet() const
	{
		if (lone_)
			return classes_[lone_->priority].empty != 0;
		for (uint32_t left = ready_; left; left &= left - 1) {
			const Class &at = classes_[lowest_bit(left)];
			if (at.empty < at.size)
				return false;
		}
		return true;
	}

	void push(Runner &runner) { enter(runner, false); }

	/** push_first() - the same for a runner that had no work and now has some. It gets the next turn
	 * of its client. */
	void push_first(Runner &runner) { enter(runner, true); }

	/** remove() - takes @runner out. Its priority must be the same as at push(). */
	void remove(Runner &runner)
	{
		if (runner.is_aside)
			leave_aside(runner);
		if (!runner.is_queued)
			return;
		if (runner.is_held) [[unlikely]] {
			runner.is_queued = runner.is_held = false;
			unlink(runner.client_queue->held, runner);
			return;
		}
		take(runner);
	}

	/** hold() - keeps @runner, which pop() just returned, from turns until release() of its client queue. */
	void hold(Runner &runner)
	{
		unpu_assert(!runner.is_queued);
		runner.is_queued = runner.is_held = true;
		append(runner.client_queue->held, runner);
	}

	/** release() - queues the runners of @client_queue again that hold() kept back. */
	void release(ClientQueue &client_queue)
	{
		while (Runner *runner = client_queue.held.head) {
			remove(*runner);
			push(*runner);
		}
	}

	/** set_aside() - keeps @runner, which pop() just returned and which has ASKED, in a separate list
	 * until take_aside() or remove(). aside() - the length of that list. */
	void set_aside(Runner &runner)
	{
		unpu_assert(!runner.is_queued && !runner.is_aside);
		runner.is_aside = true;
		aside_++;
		append(asked_, runner);
	}
	unsigned aside() const { return aside_; }

	/** take_aside() - removes a runner from that list. Return: the runner; nullptr if the list is
	 * empty. */
	Runner *take_aside()
	{
		Runner *runner = asked_.head;
		if (runner)
			leave_aside(*runner);
		return runner;
	}

	Runner *pop()
	{
		if (lone_) [[likely]] {
			lone_->is_queued = false;
			size_ = 0;
			return std::exchange(lone_, nullptr);
		}
		if (ready_ == 0)
			return nullptr;
		bool alone = (ready_ & (ready_ - 1)) == 0;
		Class &at = classes_[alone ? lowest_bit(ready_) : choose()];
		ClientQueue::RunnerList &list = *at.lists.head;
		Runner *runner = list.head;
		take(*runner);
		if (list.head && list.next) {
			unlink(at.lists, list);
			append(at.lists, list);
		}
		return runner;
	}

private:
	struct RunnerLists {
		ClientQueue::RunnerList *head = nullptr;
		ClientQueue::RunnerList *tail = nullptr;
	};

	struct Class {
		/* One for each client with runners; the head has the next turn. */
		RunnerLists lists;
		unsigned size = 0;
		unsigned empty = 0;  /* runners in a row that found nothing */
		unsigned passed = 0; /* turns that went to other classes */
	};

	void leave_aside(Runner &runner)
	{
		runner.is_aside = false;
		aside_--;
		unlink(asked_, runner);
	}

	void take(Runner &runner)
	{
		unpu_assert(runner.is_queued && size_ != 0);
		runner.is_queued = false;
		size_--;
		if (lone_) {
			lone_ = nullptr;
			return;
		}
		Class &at = classes_[runner.priority];
		ClientQueue::RunnerList &list = list_of(runner);
		unlink(list, runner);
		if (!list.head)
			unlink(at.lists, list);
		if (--at.size == 0)
			ready_ &= ~(1u << runner.priority);
	}

	void enter(Runner &runner, bool first)
	{
		if (runner.is_queued)
			return;
		Class &at = classes_[runner.priority];
		runner.is_queued = true;
		at.empty = runner.empty_turns ? at.empty + 1 : 0;
		if (size_++ == 0) [[likely]] {
			lone_ = &runner;
			return;
		}
		if (lone_)
			enlist(*std::exchange(lone_, nullptr), false);
		enlist(runner, first);
	}

	template <class List, class Entry> static void prepend(List &list, Entry &entry)
	{
		entry.next = list.head;
		entry.previous = nullptr;
		(list.head ? list.head->previous : list.tail) = &entry;
		list.head = &entry;
	}

	template <class List, class Entry> static void append(List &list, Entry &entry)
	{
		entry.next = nullptr;
		entry.previous = list.tail;
		(list.tail ? list.tail->next : list.head) = &entry;
		list.tail = &entry;
	}

	template <class List, class Entry> static void unlink(List &list, Entry &entry)
	{
		(entry.previous ? entry.previous->next : list.head) = entry.next;
		(entry.next ? entry.next->previous : list.tail) = entry.previous;
	}

	void enlist(Runner &runner, bool first)
	{
		Class &at = classes_[runner.priority];
		ClientQueue::RunnerList &list = list_of(runner);
		if (!list.head)
			append(at.lists, list);
		if (first)
			prepend(list, runner);
		else
			append(list, runner);
		at.size++;
		ready_ |= 1u << runner.priority;
	}

	ClientQueue::RunnerList &list_of(const Runner &runner)
	{
		return (runner.client_queue ? *runner.client_queue : no_client_)
			.lists[runner.priority];
	}

	static unsigned lowest_bit(uint32_t bits)
	{
		return static_cast<unsigned>(std::countr_zero(bits));
	}

	/* Chooses among several classes that have runners. */
	unsigned choose()
	{
		unsigned best = lowest_bit(ready_);
		for (uint32_t left = ready_; left; left &= left - 1) {
			Class &at = classes_[lowest_bit(left)];
			best = lowest_bit(left);
			if (at.empty < at.size)
				break;
			at.empty = 0;
		}
		for (uint32_t left = ready_ & ~(1u << best); left; left &= left - 1) {
			if (++classes_[lowest_bit(left)].passed > PATIENCE)
				best = lowest_bit(left);
		}
		classes_[best].passed = 0;
		return best;
	}

	Class classes_[PRIORITIES];
	ClientQueue no_client_;
	ClientQueue::RunnerList asked_;
	unsigned aside_ = 0;	 /* length of asked_ */
	Runner *lone_ = nullptr; /* the only queued runner; it is in no class's lists */
	uint32_t ready_ = 0;	 /* classes whose lists are not empty */
	unsigned size_ = 0;
};

/** struct TimedOutWork - work on an engine or in storage that exceeded its time limit. */
struct TimedOutWork {
	const Waiter *owner; /* nullptr: no waiter */
	uint32_t client;
	uint64_t cookie;
	uint64_t since_ns;
};

} // namespace fw
