// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <thread>
#include <vector>

#include "base/sync/mutex.h"
#include "engine.h"
#include "firmware_sim/schedule/finished.h"

namespace fw {

/**
 * class BackgroundWork - long work of the firmware itself: it reads graphs and frees memory for clients. One job
 * works at a time, and clients take turns: a job that calls note_work() lets the jobs of other clients
 * work after each SLICE_BYTES. So each client with a job has a thread, and at most one of these threads
 * works, at a lower priority than the device's threads. Idle threads sleep. Jobs always end. Finished jobs
 * come back through take_finished().
 */
class BackgroundWork {
public:
	/* The memory that a job reads, writes or frees in one turn, about a millisecond. */
	static constexpr uint64_t SLICE_BYTES = uint64_t{1} << 20;
	/* How much the nice value of these threads is raised. It is raised less than for engines and kernels,
	 * because requests wait for these jobs. */
	static constexpr int NICE = 5;

	/** @has_threads: false: available() is false, and the callers do the work themselves.
	 * @notify: called after a job has ended. @begin: called by each thread when it starts. */
	BackgroundWork(bool has_threads, std::function<void()> notify, std::function<void()> begin);

	/** stop() - does the queued jobs and joins the threads. */
	void stop();

	bool available() const { return has_threads_; }

	/** submit() - adds a job. Job::client queue is the client, for the turns. */
	void submit(std::unique_ptr<Job> job);

	/** note_work() - the calling thread has done work on @bytes bytes. In a job the thread may wait here
	 * for jobs of other clients; elsewhere the call does nothing. */
	static void note_work(uint64_t bytes);

	/** finished() - whether take_finished() has a job; a hint that costs one load, without the lock and so without
	 * analysis. */
	bool finished() const NO_THREAD_SAFETY_ANALYSIS { return done_.has_some(); }
	std::unique_ptr<Job> take_finished();

	/** disown() - drops the job of @owner if it has not begun. Else no waiter is told of its end. */
	void disown(const Waiter &owner);

	/** drop_client() - the same for all jobs of a client. */
	void drop_client(const void *client_queue);

private:
	/* Values of Worker::turn. */
	static constexpr uint32_t WAITS = 0;
	static constexpr uint32_t WORKS = 1;
	static constexpr uint32_t ENDS = 2;

	struct Worker {
		BackgroundWork *background = nullptr;
		std::thread thread;
		std::unique_ptr<Job> job;    /* set and taken under the lock */
		uint32_t turn = WAITS;	     /* futex: the worker sleeps while the value is WAITS */
		uint64_t left = SLICE_BYTES; /* bytes left in its turn */
	};
	/* Waits for a turn: a job that has not begun, or a worker that is in the middle of one. */
	struct Entry {
		std::unique_ptr<Job> job;
		Worker *worker = nullptr;
	};

	static void set_turn(Worker *worker, uint32_t turn);
	static uint32_t await_turn(const Worker &worker);
	void work(Worker &worker);
	void pass_turn(Worker &worker);
	Worker *grant() REQUIRES(mutex_);
	Worker *begin(Entry &entry) REQUIRES(mutex_);
	bool is_under_way(const void *client_queue) const REQUIRES(mutex_);
	base::Status start_worker() REQUIRES(mutex_);
	Worker *find_worker() REQUIRES(mutex_);
	template <class Which> void drop(const Which &which);

	static thread_local constinit Worker *current_;

	const bool has_threads_;
	const std::function<void()> notify_;
	const std::function<void()> begin_;
	const int usual_nice_;

	base::Mutex mutex_{"BackgroundWork::mutex_"};
	std::list<Entry> waiting_ GUARDED_BY(mutex_);
	std::vector<std::unique_ptr<Worker>> workers_ GUARDED_BY(mutex_);
	Finished<std::unique_ptr<Job>> done_ GUARDED_BY(mutex_);
	uint32_t is_taken_ = 0; /* futex: a worker has the turn; read without the lock */
};

} // namespace fw
