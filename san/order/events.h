// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "stream_order.h"

namespace san {

/** struct Event - an event of some client. */
struct Event {
	uint64_t number = 0;
	EventMode mode = EVENT_SNAPSHOT;
	uint32_t label = 0;
	/* the record that a wait refers to now; nullptr: never recorded, or reset */
	GenerationPointer latest;
	CommandPointer reset; /* for a flag: the reset since the last record */
	uint64_t records = 0;
	uint64_t place = 0; /* how many events the trace had when this one was created */
	/* handle in the API; 0: the trace is too old to have handles of events */
	uint64_t handle = 0;
	uint32_t client = 0;	/* the client to which the handle belongs */
	bool is_shared = false; /* another process has the event, too */

	/** reset_history() - all actors now count as ordered after the last record and the reset. */
	void reset_history();

	/** make_record() - makes the generation of a new record. @call: the record. */
	GenerationPointer make_record(const std::shared_ptr<Command> &call);

	/** set() - from now on waits refer to @generation, unless the event is a flag that is already set. */
	void set(const GenerationPointer &generation);

	/** take_away() - @by resets the event. */
	void take_away(const CommandPointer &by)
	{
		latest = nullptr;
		reset = by;
	}
};

/** struct Latch - a word in memory or a notify: streams and hosts signal it and wait for it. */
struct Latch {
	struct Post {
		uint64_t operand;
		uint16_t op;	/* SignalOp */
		uint64_t value; /* value of the word after the signal */
		Moment moment;
		/* for an ADD: how many more waits it can end that consume a signal */
		uint64_t left = 1;
	};
	std::deque<Post> posts; /* the newest MAX_POSTS signals */
	uint64_t value = 0;
	uint64_t base = 0; /* the value before the first element of @posts */

	/** signal() - @op: SignalOp */
	void signal(uint64_t operand, uint16_t op, const Moment &moment);

	/** reset_history() - all actors now count as ordered after all signals so far. */
	void reset_history()
	{
		for (Post &post : posts)
			post.moment.seen = nullptr;
	}

	/** know() - joins the actor with the newest signals that gave the latch this value. Return: false if there
	 * are none. */
	bool know(uint64_t stored, Actor &actor) const;

	/** await() - tries to end a wait. Return: whether signals end it; then @actor is ordered after
	 * them. */
	bool await(uint64_t value, uint16_t flags, Actor &actor);

	static constexpr size_t MAX_POSTS = 16;

private:
	/* A signal at @moment sets the word to 0. No later wait sees the posts before it. */
	void take_away(const Moment &moment);
	/* The index of the first post from which on the word always satisfies the wait; the number of posts
	 * if there is none. */
	size_t first_since_which(uint64_t wanted, uint16_t flags) const;
	/* The index of the first post after which the word satisfies the wait; the number of posts if there
	 * is none. */
	size_t first_after_which(uint64_t wanted, uint16_t flags) const;
	/* Orders @actor after post @last, and after the earlier posts that are necessary for the word to
	 * satisfy the wait. */
	void join_needed(size_t last, uint64_t wanted, uint16_t flags, Actor &actor) const;
	/* A wait has used the first @count posts, and set the word to 0. */
	void clear(size_t count);
};

/** class Published - what hosts have published under a key. Other hosts learn it from here. */
class Published {
public:
	void release(const Moment &moment);
	void acquire(Actor &actor) const;

private:
	std::vector<Moment> moments_; /* no moment of the list is ordered before another one */
};

} // namespace san
