// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "san/order/stream.h"

namespace san {

/** struct Event - an event of any client. */
struct Event {
	uint64_t number = 0;
	EventMode mode = EVENT_SNAPSHOT;
	uint32_t label = 0;
	GenerationPointer latest; /* what a wait refers to now; nullptr: never recorded, or reset */
	CommandPointer reset;	  /* of a flag: the reset since the last record */
	uint64_t records = 0;
	uint64_t place = 0;	/* how many events the trace had by then */
	uint64_t handle = 0;	/* of the API; 0: the trace is older than handles of events */
	uint32_t client = 0;	/* whose handle it is */
	bool is_shared = false; /* another process has it too */

	/** forget_past() - the record of before is known to everyone, and so is the reset. */
	void forget_past();

	/** make_record() - the generation of a new record, which is @call. */
	GenerationPointer make_record(const std::shared_ptr<Command> &call);

	/** set() - waits refer to @generation from now on, unless they are for a flag that is set. */
	void set(const GenerationPointer &generation);

	/** take_away() - @by resets the event. */
	void take_away(const CommandPointer &by)
	{
		latest = nullptr;
		reset = by;
	}
};

/** struct Latch - a word, or a notify, that streams and hosts signal and wait for. */
struct Latch {
	struct Post {
		uint64_t operand;
		uint16_t op;	/* SignalOp */
		uint64_t value; /* of the word after the signal */
		Moment moment;
		uint64_t left = 1; /* of an ADD: how many waits that consume it can end yet */
	};
	std::deque<Post> posts; /* the newest MAX_POSTS */
	uint64_t value = 0;
	uint64_t base = 0; /* the value before the first of @posts */

	/** signal() - @op: SignalOp */
	void signal(uint64_t operand, uint16_t op, const Moment &moment);

	/** forget_past() - the signals of before are known to everyone. */
	void forget_past()
	{
		for (Post &post : posts)
			post.moment.seen = nullptr;
	}

	/** await() - Return: whether signals end the wait, after which @actor is then. */
	bool await(uint64_t value, uint16_t flags, Actor &actor);

	static constexpr size_t MAX_POSTS = 16;

private:
	/* A signal of @moment sets the word to 0: no wait sees the posts before it any more. */
	void take_away(const Moment &moment);
	/* The first of the posts from which on the word satisfies the wait without a break; their number if none. */
	size_t first_since_which(uint64_t wanted, uint16_t flags) const;
	/* The first of the posts after which the word satisfies the wait; their number if none. */
	size_t first_after_which(uint64_t wanted, uint16_t flags) const;
	/* @actor is after the post @last, and after those before it without which the word would not satisfy the wait
	 * then. */
	void join_needed(size_t last, uint64_t wanted, uint16_t flags, Actor &actor) const;
	/* A wait has used the first @count posts, and set the word to 0. */
	void clear(size_t count);
};

/** class Published - what hosts published under a key, and learn from it. */
class Published {
public:
	void release(const Moment &moment);
	void acquire(Actor &actor) const;

private:
	std::vector<Moment> moments_; /* none is before another */
};

} // namespace san
