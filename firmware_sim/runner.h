// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "uapi/packet.h"

namespace fw {

/** PRIORITIES - classes of runners, 0 is the highest. */
constexpr unsigned PRIORITIES = 8;

/** replaces() - whether a failure takes the place of an earlier one: an overflow is a soft one. */
inline bool replaces(base::Status old, base::Status failure)
{
	return old == base::Status::OK ||
	       (old == base::Status::OVERFLOW && failure != base::Status::OVERFLOW);
}

/** enum class Progress - what a turn came to. */
enum class Progress {
	MORE,	 /* did something, wants another turn */
	EMPTY,	 /* found nothing to do */
	BLOCKED, /* stands still until it is woken */
};

class Runner;

/** struct Party - who takes turns with others like it: a client, with all its runners. */
struct Party {
	/** struct Line - its runners of one class that want a turn. */
	struct Line {
		Runner *head = nullptr;
		Runner *tail = nullptr;
		Line *next = nullptr; /* of its class */
		Line *previous = nullptr;
	};

	Line lines[PRIORITIES];
	bool is_paused = false; /* its runners get no turns */
	Line held;		/* runners that wanted a turn while it was paused */
};

/** class Runner - what the scheduler gives turns to: a channel, or a graph that is running. */
class Runner {
public:
	virtual ~Runner() = default;
	/** advance() - one turn: at most one packet, or a bounded run of graph nodes. */
	virtual Progress advance() = 0;
	/** rest() - called after too many EMPTY turns. Return: true when it may leave the queue. */
	virtual bool rest() { return true; }

	Party *party = nullptr; /* nullptr: whoever has none */
	Runner *next = nullptr; /* run queue */
	Runner *previous = nullptr;
	bool queued = false;
	bool is_held = false;	  /* queued, but in Party::held */
	uint32_t empty_turns = 0; /* in a row, up to now */
	uint8_t priority = 0;
};

class Waiter;
struct Job;

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
	/** ~Waiter() - what is gone is parked nowhere. */
	virtual ~Waiter()
	{
		if (parked_in)
			parked_in->unpark(*this);
	}
	/** woken() - the wait is over, with this outcome. */
	virtual void woken(base::Status status, uint64_t address) = 0;
	/** take_pieces() - takes over work that is done in place piece by piece, one in each of its turns.
	 * Return: false where it has no turns of its own; then @job is left alone. */
	virtual bool take_pieces(std::unique_ptr<Job> &job)
	{
		(void)job;
		return false;
	}

	Waiter *next_waiter = nullptr; /* waiters of one semaphore */
	Waiter *previous_waiter = nullptr;
	Parking *parked_in = nullptr;
	uint64_t wanted = 0; /* for the parking's own use */
	uint64_t place = 0;  /* the same */
	uint64_t call = 0;   /* token of the host call that it waits for; 0: none */
	uint32_t sem = 0;    /* meaningful while parked */
	uint8_t wait_op = UNPU_WAIT_GE;
	bool clears = false; /* the value is 0 once this wait is over */
	bool orders = false; /* the wait is over too when what it waits for is dropped */
	uint64_t deadline_ns = base::NO_DEADLINE;
	bool in_engine = false;	 /* a job of this waiter is queued, running or finished */
	bool in_storage = false; /* so is a transfer */
};

/**
 * class RunQueue - whose turn it is; a runner is in it at most once.
 *
 * The highest class that has a runner gets the turn; inside it the clients take turns, and each of
 * them gives its turn to its runners in order, so that many channels get a client no more than one
 * does. Nobody starves: a class that was passed over PATIENCE times in a row gets a turn. A class
 * whose runners all came up empty lets the next one have a turn before it is looked at again, so that
 * idle rings cost the work of lower classes half of the turns at most, and those are short.
 */
class RunQueue {
public:
	static constexpr unsigned PATIENCE = 16;

	bool empty() const { return size_ == 0; }
	unsigned size() const { return size_; }

	/** quiet() - whether all that are in it came up empty at their last turns. */
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

	/** push_first() - the same for one that is known to have work, after it had none: of its client's
	 * runners it gets the next turn. */
	void push_first(Runner &runner) { enter(runner, true); }

	/** remove() - the runner's priority must be what it was at push(). */
	void remove(Runner &runner)
	{
		if (!runner.queued)
			return;
		if (runner.is_held) [[unlikely]] {
			runner.queued = runner.is_held = false;
			unlink(runner.party->held, runner);
			return;
		}
		take(runner);
	}

	/** hold() - @runner, which pop() just returned, gets no turn before release() of its party. */
	void hold(Runner &runner)
	{
		runner.queued = runner.is_held = true;
		append(runner.party->held, runner);
	}

	/** release() - the runners of @party that hold() kept out want their turns again. */
	void release(Party &party)
	{
		while (Runner *runner = party.held.head) {
			remove(*runner);
			push(*runner);
		}
	}

	Runner *pop()
	{
		if (lone_) [[likely]] {
			lone_->queued = false;
			size_ = 0;
			return std::exchange(lone_, nullptr);
		}
		if (ready_ == 0)
			return nullptr;
		bool alone = (ready_ & (ready_ - 1)) == 0;
		Class &at = classes_[alone ? lowest_bit(ready_) : choose()];
		Party::Line &line = *at.lines.head;
		Runner *runner = line.head;
		take(*runner);
		if (line.head && line.next) {
			unlink(at.lines, line);
			append(at.lines, line);
		}
		return runner;
	}

private:
	struct Lines {
		Party::Line *head = nullptr;
		Party::Line *tail = nullptr;
	};

	struct Class {
		Lines lines; /* of clients that have runners; the head's turn is next */
		unsigned size = 0;
		unsigned empty = 0;  /* runners in a row that came up empty */
		unsigned passed = 0; /* turns that went to others */
	};

	void take(Runner &runner)
	{
		runner.queued = false;
		size_--;
		if (lone_) {
			lone_ = nullptr;
			return;
		}
		Class &at = classes_[runner.priority];
		Party::Line &line = line_of(runner);
		unlink(line, runner);
		if (!line.head)
			unlink(at.lines, line);
		if (--at.size == 0)
			ready_ &= ~(1u << runner.priority);
	}

	void enter(Runner &runner, bool first)
	{
		if (runner.queued)
			return;
		Class &at = classes_[runner.priority];
		runner.queued = true;
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
		Party::Line &line = line_of(runner);
		if (!line.head)
			append(at.lines, line);
		if (first)
			prepend(line, runner);
		else
			append(line, runner);
		at.size++;
		ready_ |= 1u << runner.priority;
	}

	Party::Line &line_of(const Runner &runner)
	{
		return (runner.party ? *runner.party : nobody_).lines[runner.priority];
	}

	static unsigned lowest_bit(uint32_t bits)
	{
		return static_cast<unsigned>(std::countr_zero(bits));
	}

	/* Several classes have runners. */
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
	Party nobody_;
	Runner *lone_ = nullptr; /* the only one there is: it is in no class's lines */
	uint32_t ready_ = 0;	 /* classes whose lines are not empty */
	unsigned size_ = 0;
};

/** struct Overdue - work beside the command processor that should have ended. */
struct Overdue {
	const Waiter *owner; /* nullptr: nobody waits for it */
	uint32_t client;
	uint64_t cookie;
	uint64_t since_ns;
};

} // namespace fw
