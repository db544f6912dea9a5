// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "san/order/clock.h"
#include "san/order/command.h"
#include "san/trace/record.h"

namespace san {

/** struct Generation - one record of an event. A wait keeps the one that it refers to. */
struct Generation {
	uint64_t event = 0;
	uint64_t number = 0;
	Moment moment;	       /* of the record, once it is known */
	bool is_known = false; /* false: the record is queued behind a wait, or is still to come */
	bool is_consumed = false;	   /* a stream or the host waited for it */
	std::shared_ptr<Command> call;	   /* the record; its moment counts once it is known */
	std::vector<CommandPointer> waits; /* for the check of resets; the newest MAX_WAITS */

	static constexpr size_t MAX_WAITS = 16;

	void add_wait(const CommandPointer &wait)
	{
		if (waits.size() >= MAX_WAITS)
			waits.erase(waits.begin());
		waits.push_back(wait);
	}
};

using GenerationPointer = std::shared_ptr<Generation>;

/** struct Mark - what happened on a stream, for the explanation of a report. */
struct Mark {
	enum class What : uint8_t { COMMAND, RECORD, WAIT, WAIT_WITHOUT_RECORD };
	What what = What::COMMAND;
	uint64_t order = 0; /* place in the trace */
	uint32_t label = 0; /* of the call */
	uint32_t site = 0;
	uint64_t number = 0; /* of the command, or of the event */
	GenerationPointer generation;
	Tick tick = 0;
	uint64_t task = 0; /* as of Command */
};

class Launch;

/** struct Held - a record that waits until its stream may go on, and what the host knew at the call. */
struct Held {
	Record record;
	std::shared_ptr<Command> command; /* its moment is set when it runs */
	Moment host;
	GenerationPointer generation;	  /* that an event call refers to */
	GenerationPointer previous{};	  /* of a record: the one before it */
	CommandPointer reset{};		  /* of a wait: the reset since the last record */
	std::shared_ptr<Launch> launch{}; /* of a launch that has begun, and waits for signals */
	bool is_held = false;		  /* it could not run when it was submitted */
};

/** struct Covered - where a stream was when a thread began to wait for it. The wait says nothing of later work, which
 * another thread may have submitted meanwhile. */
struct Covered {
	uint64_t order = 0; /* place in the trace of the record that tells of the wait */
	Moment moment;
	bool is_known = false; /* false: the stream holds records of before */
};

/** struct Stream - an actor and its recent past. */
struct Stream {
	Actor actor;
	uint32_t client = 0;
	uint32_t number = 0;
	uint16_t flags = 0;
	uint64_t context = 0;	/* a legacy stream orders the streams of its own */
	std::deque<Mark> marks; /* the newest MAX_MARKS */
	std::deque<Held> held;	/* not empty: the first one can't run yet */
	bool is_gone = false;	/* the program has destroyed it while it held records */
	/* Of waits that began while it held records. */
	std::vector<std::weak_ptr<Covered>> waits;

	bool is_legacy() const { return (flags & STREAM_LEGACY) != 0; }
	bool is_blocking() const
	{
		return (flags & (STREAM_LEGACY | STREAM_NON_BLOCKING | STREAM_DEFAULT)) == 0;
	}

	/* takes_turns() - whether one of the two is a legacy stream, which orders the other. */
	bool takes_turns(const Stream &other) const
	{
		return context == other.context && ((is_legacy() && other.is_blocking()) ||
						    (is_blocking() && other.is_legacy()));
	}

	/* cover() - what a wait covers that begins now, at @order. */
	std::shared_ptr<Covered> cover(uint64_t order)
	{
		auto covered = std::make_shared<Covered>(Covered{order, actor.now(), held.empty()});
		if (!covered->is_known)
			waits.push_back(covered);
		return covered;
	}

	/* reach() - a record of @order is about to run, after all that came before it. */
	void reach(uint64_t order)
	{
		std::erase_if(waits, [&](const std::weak_ptr<Covered> &wait) {
			const auto covered = wait.lock();
			if (!covered || covered->order >= order)
				return !covered;
			covered->moment = actor.now();
			covered->is_known = true;
			return true;
		});
	}

	void mark(Mark mark)
	{
		mark.tick = actor.now().tick;
		marks.push_back(std::move(mark));
		if (marks.size() > MAX_MARKS)
			marks.pop_front();
	}

	static constexpr size_t MAX_MARKS = 64;
};

} // namespace san
