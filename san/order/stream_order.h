// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "clock.h"
#include "command.h"
#include "san/trace/record.h"

namespace san {

/** struct Generation - one record of an event. A wait keeps the generation to which it refers. */
struct Generation {
	uint64_t event = 0;
	uint64_t number = 0;
	Moment moment; /* moment of the record, once it is known */
	/* false: the record is held behind a wait, or has not been made yet */
	bool is_known = false;
	bool is_consumed = false; /* a stream or the host waited for it */
	/* the record itself; its moment is valid once is_known */
	std::shared_ptr<Command> call;
	/* waits for this record, to check resets; the newest MAX_WAITS */
	std::vector<CommandPointer> waits;

	static constexpr size_t MAX_WAITS = 16;

	void add_wait(const CommandPointer &wait)
	{
		if (waits.size() >= MAX_WAITS)
			waits.erase(waits.begin());
		waits.push_back(wait);
	}
};

using GenerationPointer = std::shared_ptr<Generation>;

/** struct Mark - one thing that happened on a stream; reports explain races by marks. */
struct Mark {
	enum class What : uint8_t { COMMAND, RECORD, WAIT, WAIT_WITHOUT_RECORD };
	What what = What::COMMAND;
	uint64_t order = 0; /* place in the trace */
	uint32_t label = 0; /* label of the call */
	uint32_t site = 0;
	uint64_t number = 0; /* number of the command or of the event */
	GenerationPointer generation;
	Tick tick = 0;
	uint64_t task = 0; /* as in Command */
};

class Launch;

/** struct Held - a record that waits until its stream may continue, and what the host knew when it made the
 * call. */
struct Held {
	Record record;
	std::shared_ptr<Command> command; /* its moment is set when it runs */
	Moment host;
	GenerationPointer generation;	  /* the record of an event to which the call refers */
	GenerationPointer previous{};	  /* for a record of an event: the record before it */
	CommandPointer reset{};		  /* for a wait: the reset since the last record */
	std::shared_ptr<Launch> launch{}; /* for a launch that has begun, and waits for signals */
	bool is_held = false;		  /* it could not run when it was submitted */
};

/** struct Covered - the state of a stream when a thread began to wait for it. The wait does not cover later
 * work, which another thread may submit in the meantime. */
struct Covered {
	uint64_t order = 0; /* place in the trace of the record that announces the wait */
	Moment moment;
	bool is_known = false; /* false: the stream still holds older records */
};

/** struct Stream - a stream of a client: an actor and its recent history. */
struct Stream {
	Actor actor;
	uint32_t client = 0;
	uint32_t number = 0;
	uint16_t flags = 0;
	/* the context; a legacy stream orders the streams of its own context */
	uint64_t context = 0;
	std::deque<Mark> marks; /* the newest MAX_MARKS */
	std::deque<Held> held;	/* if not empty, the first record can't run yet */
	bool is_gone = false;	/* the program has destroyed the stream while it held records */
	/* Waits that began while the stream held records. */
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

	/* cover() - the present state of the stream, for a thread that begins to wait for the stream. @order:
	 * place of the record of the wait in the trace. */
	std::shared_ptr<Covered> cover(uint64_t order)
	{
		auto covered = std::make_shared<Covered>(Covered{order, actor.now(), held.empty()});
		if (!covered->is_known)
			waits.push_back(covered);
		return covered;
	}

	/* reach() - completes the waits that began before @order: the record of @order is about to run, so
	 * all earlier records have run. */
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
