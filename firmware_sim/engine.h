// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ordering.h"
#include "mmu.h"
#include "runner.h"
#include "uapi/operator.h"
#include "uapi/packet.h"
#include "watches.h"

namespace fw {

/** struct Job - one packet's work, checked and translated; it needs no more of the context. */
struct Job {
	unpu_packet packet{};
	unpu_operator op{};		       /* for OPERATOR */
	std::array<std::byte *, 4> operands{}; /* COPY: target, source; FILL: target */
	std::array<Hold, 4> held;	       /* the memory that @operands point into */
	std::function<void()> work; /* instead of the packet; owns the Holds of what it touches */
	Waiter *owner = nullptr;
	bool disowned = false;			/* it ends for nobody; see Engines::settles() */
	const void *party = nullptr;		/* who takes turns: the client */
	base::Status status = base::Status::OK; /* once it is finished */
	uint64_t start_ns = 0;			/* as the engine noted it */
	uint64_t end_ns = 0;
	uint32_t engine = 0;
	uint32_t client = 0; /* number */
	uint64_t bytes = 0;  /* about what it moves */
	bool given_up = false;
};

/** written_by() - the memory that a packet's work writes; not of a COPY_LIST, which has many places. */
Written written_by(const unpu_packet &packet, const unpu_operator *op,
		   const std::array<std::byte *, 4> &operands);

/** execute_operator() - does what a descriptor says, but for those whose operands are words. */
void execute_operator(const unpu_operator &op, const std::array<std::byte *, 4> &operands);

/** execute_job() - does the work on the calling thread.
 * Return: OVERFLOW when the packet asks for it and the result has one. */
base::Status execute_job(const unpu_packet &packet, const unpu_operator *op,
			 const std::array<std::byte *, 4> &operands);

/** struct Split - long work that engines do in pieces. Lock: the engines'. */
struct Split {
	std::unique_ptr<Job> job;
	unsigned left = 0; /* pieces that are not done */
};

/** struct Errand - what one engine does at once: a job, or a piece of one. */
struct Errand {
	std::unique_ptr<Job> job;
	std::shared_ptr<Split> split;
	uint64_t first = 0; /* unit that a piece begins at: piece_units() */
	uint64_t units = 0;
	base::Status status = base::Status::OK; /* once it is done */
	uint64_t start_ns = 0;
	uint32_t engine = 0;
	bool polite = false; /* of which crew the engine's thread is */
	bool lost = false;   /* given up: the engine is stuck in it */

	Job &of() const { return job ? *job : *split->job; }
	bool is_piece() const { return split != nullptr; }
};

/**
 * class Engines - threads for long work, so that other channels keep moving meanwhile. They start
 * with the first job; clients that have jobs waiting take turns. Finished jobs come back through
 * take_finished().
 */
class Engines {
public:
	/** @count: threads. @notify: called after a job has ended, by the thread that ended it: an engine's or
	 * one that helps. @begin: called by each engine's thread when it starts, with its number.
	 * @name: of the threads. */
	Engines(uint32_t count, std::function<void()> notify,
		std::function<void(uint32_t)> begin = {}, const char *name = "unpu-engine");

	/** stop() - ends the threads, which do before what is still to be done. One that does not come
	 * back within a second, or was given up, is left to itself: it may come back at any time.
	 * Return: whether all have ended; if not, the engines must stay where they are. */
	bool stop();

	bool available() const { return count_ > 0; }

	/** idle() - whether an engine has nothing to do. Context: under the step token. */
	bool idle() const { return outstanding_ < count_; }

	void submit(std::unique_ptr<Job> job);

	/** help() - does pieces of long work on the calling thread, in the place of an engine that has not
	 * come yet, until @word is @value or more, @deadline_ns has passed or no piece is next.
	 * Return: whether it did any. Context: any thread. */
	bool help(const uint64_t &word, uint64_t value, uint64_t deadline_ns);

	/** let_in() - whether work is begun by threads that leave their processors to others. Context: under
	 * the step token. */
	void let_in(bool others)
	{
		if (polite_ != others) [[unlikely]]
			change_crew(others);
	}

	/** finished() - whether take_finished() has something; a hint, one load. */
	bool finished() const;
	std::unique_ptr<Job> take_finished();

	/** busy_ns() - time that engine threads have spent on jobs. */
	uint64_t busy_ns() const;

	/** disown() - the job of @owner goes on, and nobody hears of its end; one that waits in the
	 * queue is dropped. */
	void disown(const Waiter &owner);

	/** settles() - whether a job of @party that was disowned still runs. One that was given up counts as
	 * ended. */
	bool settles(const void *party) const;

	/** works_for() - whether a job of @party is queued or runs. One that was given up counts as ended. */
	bool works_for(const void *party) const;

	/** overdue() - jobs of which something has run for @limit_ns and what their size explains. */
	std::vector<Overdue> overdue(uint64_t now_ns, uint64_t limit_ns) const;

	/** drop_party() - drops the jobs of a client from the queue. Its running jobs go on, and no waiter is
	 * told of their end. Does not wait. */
	void drop_party(const void *party);

	/** give_up() - what runs for a client is left to itself, and the rest dropped; another thread
	 * takes the place of each engine that is stuck in it. Whatever such a job still writes goes to
	 * memory that it holds. Context: under the step token. */
	void give_up(const void *party);

	/** running() - whether an engine is at work. */
	bool running() const;

private:
	void work(uint32_t engine, bool polite);
	bool do_next(std::unique_lock<std::mutex> &lock, uint32_t engine, bool polite);
	void tell(std::unique_lock<std::mutex> &lock);
	bool hand_wanted() const;
	bool piece_wanted() const;
	void enter(std::unique_ptr<Job> job);
	void append(const void *party, Errand errand);
	void leave(Errand errand);
	void start_threads();
	void change_crew(bool polite);
	bool serves(bool polite) const;
	size_t count_threads() const;
	void finish(std::unique_ptr<Job> job);
	Errand take_next();
	template <class Which> void drop(const Which &which);

	/* What one client has to be done. */
	struct Line {
		const void *party;
		std::deque<Errand> errands;
	};

	const uint32_t count_;
	const char *const name_;
	const std::function<void()> notify_;
	const std::function<void(uint32_t)> begin_;
	mutable std::mutex mutex_;
	/* Threads of one priority, which a thread can lower for good and not raise again. */
	struct Crew {
		std::vector<std::thread> threads;
		std::condition_variable wanted;
	};

	Crew &crew() { return crews_[polite_]; }
	Crew &serving() { return crew().threads.empty() ? crews_[!polite_] : crew(); }

	std::array<Crew, 2> crews_; /* the usual one, and one that leaves processors to others */
	bool polite_ = false;	    /* which of them begins work */
	std::condition_variable drained_;
	std::deque<Line> queue_; /* whose turn it is comes first */
	size_t waiting_ = 0;	 /* errands in it */
	uint32_t pieces_ = 0;	 /* those that are pieces of work */
	std::deque<std::unique_ptr<Job>> done_;
	std::vector<Errand *> running_;
	uint32_t done_hint_ = 0;
	uint32_t busy_ = 0;
	uint64_t busy_ns_ = 0;
	uint32_t lost_ = 0;	   /* engines that are stuck */
	uint32_t outstanding_ = 0; /* submitted and not taken back, under the step token */
	bool stopping_ = false;
	bool left_ = false; /* nobody is there any more who could be told */
};

} // namespace fw
