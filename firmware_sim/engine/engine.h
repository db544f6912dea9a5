// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "base/sync/condition.h"
#include "base/sync/mutex.h"
#include "engine_crew.h"
#include "firmware_sim/schedule/finished.h"
#include "firmware_sim/schedule/runner.h"
#include "firmware_sim/schedule/watches.h"
#include "job_queue.h"
#include "pieces.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace fw {

/** written_by() - the memory that a packet's work writes; not for a COPY_LIST, which writes many ranges. */
Written written_by(const unpu_packet &packet, const unpu_operator *op,
		   const std::array<std::byte *, 4> &operands);

/** execute_job() - does the work of a packet on the calling thread; nothing if it has none.
 * Return: OVERFLOW if the packet asks for the check and the result overflowed. */
base::Status execute_job(const unpu_packet &packet, const unpu_operator *op,
			 const std::array<std::byte *, 4> &operands);

/** struct WorkItem - what one thread executes without the engines' lock: a whole job, a piece or a step of it. */
struct WorkItem {
	std::shared_ptr<Split> split;
	uint64_t first = 0; /* first unit of a piece, see cut_of() */
	uint64_t units = 0;
	base::Status status = base::Status::OK; /* valid when it has ended */
	bool has_more = false;			/* valid when a step has ended */
	PieceFault fault{};
	uint64_t start_ns = 0;
	uint32_t engine = 0;
	EngineCrew *crew = nullptr; /* of the thread; nullptr: a thread that helps */
	bool is_lost = false;	    /* given up: the engine is stuck in it and was replaced */
	bool is_heavy = false;	    /* counts in Engines::heavy_ */

	Job &of() const { return *split->job; }
};

/**
 * class Engines - thread pool for long work, so that the command processor can serve other channels
 * meanwhile. The threads start with the first job. Clients that have queued jobs take turns, one piece
 * or step each, so a client waits for one piece of each other client at most. Pieces of a job whose order
 * matters run one after the other. Heavy pieces leave one engine to all other work, if there are several: other
 * jobs of the same client and of other clients then run before them.
 * Finished jobs come back through take_finished().
 */
class Engines {
public:
	/** @count: threads. @notify: called after a job has ended, by the thread that ended it: an engine's or
	 * one that helps. @begin: called by each engine's thread when it starts, with its number.
	 * @name: of the threads. */
	Engines(uint32_t count, std::function<void()> notify,
		std::function<void(uint32_t)> begin = {}, const char *name = "unpu-engine");

	/** stop() - drains the queue and joins the threads. A thread that was given up, or does not end
	 * within a second, is detached: it may end at any later time.
	 * @in_time: false: waits for all threads but those that were given up, however long that takes
	 * Return: whether all threads have ended; if not, the caller must not free the Engines. */
	bool stop(bool in_time = true);

	bool available() const { return count_ > 0; }

	/** idle() - whether fewer jobs are outstanding than there are engines. Context: under the step
	 * token. */
	bool idle() const { return outstanding_ < count_; }

	/** has_jobs() - whether any job is outstanding. Context: as idle(). */
	bool has_jobs() const { return outstanding_ != 0; }

	void submit(std::unique_ptr<Job> job);

	/** help() - work stealing: the calling thread does queued pieces of long work that no engine has
	 * taken yet. It stops when a job has ended, when @word is at least @value, when @deadline_ns has
	 * passed, or when the next item is not a piece. If finished() is true after that, the device's
	 * thread was not woken for it.
	 * Return: whether it did any piece. Context: any thread. */
	bool help(const uint64_t &word, uint64_t value, uint64_t deadline_ns);

	/** let_in() - selects the crew that begins new work: the low-priority one if @others, else the
	 * usual one. Context: under the step token. */
	void let_in(bool others)
	{
		if (has_others_ != others) [[unlikely]]
			change_crew(others);
	}

	/** finished() - whether take_finished() has a job; a hint that costs one load, without the lock and so without
	 * analysis. */
	bool finished() const NO_THREAD_SAFETY_ANALYSIS { return done_.has_some(); }
	std::unique_ptr<Job> take_finished();

	/** busy_ns() - time that engine threads have spent on jobs. */
	uint64_t busy_ns() const;

	/** disown() - drops the job of @owner if it is queued. A job that runs continues, and its end wakes no
	 * waiter. Return: whether @owner had a job here. */
	bool disown(const Waiter &owner);

	/** settles() - whether a disowned job of @client_queue still runs, so that its memory must stay. A job that was
	 * given up counts as ended. */
	bool settles(const void *client_queue) const;

	/** works_for() - whether a job of @client_queue is queued or runs. A job that was given up counts as
	 * ended. */
	bool works_for(const void *client_queue) const;

	/** overdue() - jobs of which an item has run for longer than @limit_ns plus the time that an item of
	 * its size may take. */
	std::vector<TimedOutWork> overdue(uint64_t now_ns, uint64_t limit_ns) const;

	/** drop_client() - takes the jobs of a client out of the queue. Its running jobs continue, and no
	 * waiter is told of their end. Does not wait.
	 * Return: the jobs, which any thread may destroy: there may be very many. */
	std::list<std::shared_ptr<Split>> drop_client(const void *client_queue);

	/** give_up() - drops the queued jobs of a client and abandons its running ones. A new thread
	 * replaces each engine that is stuck in one. A late write of such a job is safe: it goes to
	 * memory that the job holds. Context: under the step token. */
	void give_up(const void *client_queue);

	/** running() - whether a thread executes an item. */
	bool running() const;

private:
	void work(EngineCrew &crew, uint32_t engine);
	void join();
	bool do_next(EngineCrew *crew, uint32_t engine) REQUIRES(mutex_);
	void notify_ended() REQUIRES(mutex_);
	bool is_drained() const REQUIRES(mutex_);
	bool hand_wanted() REQUIRES(mutex_);
	bool piece_wanted() REQUIRES(mutex_);
	void enter(std::unique_ptr<Job> job) REQUIRES(mutex_);
	Split *next_job() REQUIRES(mutex_);
	void end_heavy(WorkItem &item) REQUIRES(mutex_);
	void append(const std::shared_ptr<Split> &split) REQUIRES(mutex_);
	void count(const Split &split, bool add) REQUIRES(mutex_);
	void leave(const WorkItem &item) REQUIRES(mutex_);
	void disown_running(Split &split) REQUIRES(mutex_);
	std::list<std::shared_ptr<Split>> drop_queued(const void *client_queue) REQUIRES(mutex_);
	void start_threads() REQUIRES(mutex_);
	void change_crew(bool others);
	size_t count_threads() const REQUIRES(mutex_);
	WorkItem take_next() REQUIRES(mutex_);

	const uint32_t count_;
	const char *const name_;
	const std::function<void()> notify_;
	const std::function<void(uint32_t)> begin_;
	mutable base::Mutex mutex_{"Engines::mutex_"};
	/* Nice increment of the second crew. With fewer CPUs than threads, both the thread that waits for a
	 * small task and the device's thread need a CPU, so an engine takes a smaller share. */
	static constexpr int LOW_NICE = 10;

	/* The selected crew. */
	EngineCrew &crew() REQUIRES(mutex_) { return crews_[has_others_]; }
	/* The crew that begins new work: the other one if the host could start no thread of the selected crew. */
	EngineCrew &serving() REQUIRES(mutex_)
	{
		return crew().empty() ? crews_[!has_others_] : crew();
	}

	/* [0] the usual crew, [1] the low-priority one. */
	std::array<EngineCrew, 2> crews_ GUARDED_BY(mutex_){EngineCrew{0}, EngineCrew{LOW_NICE}};
	/* Several clients have work: index of the selected crew. Set under the step token and the lock, read
	 * under either. */
	bool has_others_ = false;
	base::Condition drained_;
	JobQueue queue_ GUARDED_BY(mutex_);
	uint64_t waiting_ GUARDED_BY(mutex_) = 0; /* items that engines could begin */
	uint64_t pieces_ = 0; /* those that are pieces or steps; read without the lock */
	Finished<std::shared_ptr<Split>> done_ GUARDED_BY(mutex_);
	std::vector<WorkItem *> running_ GUARDED_BY(mutex_);
	uint32_t busy_ GUARDED_BY(mutex_) = 0;
	uint64_t busy_ns_ GUARDED_BY(mutex_) = 0;
	uint32_t lost_ GUARDED_BY(mutex_) = 0;	/* items given up that still run */
	uint32_t heavy_ GUARDED_BY(mutex_) = 0; /* heavy items that run and are not given up */
	uint32_t outstanding_ = 0; /* jobs submitted and not taken back; under the step token */
	bool stopping_ GUARDED_BY(mutex_) = false;
	/* stop() has returned with threads stuck: they must not report. */
	bool left_ GUARDED_BY(mutex_) = false;
};

} // namespace fw
