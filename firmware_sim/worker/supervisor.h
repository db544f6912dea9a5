// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "lanes.h"
#include "link.h"
#include "workers.h"

namespace fw {

/**
 * class Workers::Supervisor - the launches of one client, and the thread that looks after its worker. The device posts
 * a launch to a lane itself and takes its end from there. The thread does what takes longer: it starts processes, sends
 * messages, ends launches that have failed or are late, and posts launches that had to wait.
 *
 * What a client asks for is done in its order, also while kernels run that were posted before. A launch waits for those
 * before it, for PATIENCE_NS each; then it gets a lane of its own. So a kernel that waits for a later one does not wait
 * for ever. Context: any thread, unless it says otherwise.
 */
class Workers::Supervisor {
public:
	Supervisor() = default;

	/** start() - @heap_bytes: see WorkerLink::init(). Return: NO_RESOURCE, NO_MEMORY. */
	base::Status start(Workers &workers, uint64_t heap_bytes, uint64_t quota_bytes);
	void join() { thread_.join(); }

	/** submit() - adds a job. @waits: a thread will call await() for it. */
	void submit(std::unique_ptr<KernelJob> job, bool waits);
	/** await() - waits for a job. Return: as Workers::run_now(). */
	std::unique_ptr<KernelJob> await(uint64_t deadline_ns);
	void change(MemoryChange change);
	void forget(uint32_t image);
	void disown(Waiter &owner);
	/** keep() - does the work of Workers::keep(). */
	void keep(Charge kept, uint64_t bytes);
	bool take_back();
	void leave();
	std::string place(const KernelClient &client, uint64_t cookie);
	bool settles() const;
	bool works() const;
	/** busy_ns() - how long at least one launch was in a lane, until now. */
	uint64_t busy_ns() const;
	bool has_ended() const { return base::load_acquire(has_ended_) != 0; }

	/** in_flight() - whether a launch is in a lane. has_news() - whether a launch may have ended. Both
	 * are only hints. */
	bool in_flight() const { return base::load_relaxed(posted_) != 0; }
	bool has_news() const { return in_flight() && lanes_.has_news(); }

	/** take_ended() - appends the launches that have succeeded, and posts the next launch.
	 * Context: under the step token. */
	void take_ended(std::vector<std::unique_ptr<KernelJob>> &ended);

	/** arm() - asks the worker for a kick. Return: false if a launch may have ended already. */
	bool arm();

	/** kick() - the eventfd of the worker's kicks. */
	const base::Fd &kick() const { return lanes_.kick(); }

	Charge charge; /* charge for the thread */
	Charge descriptors;
	Charge memory; /* charge for the worker's heaps, its board, and its output */

private:
	using Item = KernelItem;

	/* A launch in a lane; @job is nullptr: the lane is free. */
	struct Posted {
		std::unique_ptr<KernelJob> job;
		uint32_t number = 0;
		bool waits = false;
		uint64_t since_ns = 0;
		uint64_t deadline_ns = 0;
		uint64_t cpu_ns = 0; /* CPU time of the process at the first look at the launch */
		bool has_cpu_time = false;
		/* it has succeeded, and the thread still takes its output */
		bool is_long = false;
		/* it has failed as @ending says, and the process has to end */
		bool is_bad = false;
		bool wants_place = false; /* the thread has to ask where its blocks are */
		bool is_late =
			false; /* its limit has passed; it has LAST_WORDS_NS to tell its place and output */
		bool has_asked = false;
		Ending ending = Ending::DEAD;
		unpu_worker_answer answer{};
		std::string text;
	};

	/* Called under the lock. Functions that REQUIRE the lock may release it while they work. */
	bool tend(Workers &workers) REQUIRES(mutex_);
	bool end_waited(Workers &workers);
	bool end_long(Workers &workers) REQUIRES(mutex_);
	void take_output(Posted &lane) REQUIRES(mutex_);
	bool ask_place() REQUIRES(mutex_);
	bool renew(Workers &workers) REQUIRES(mutex_);
	bool find_bad();
	bool is_over(Posted &lane, uint64_t now_ns);
	uint64_t first_look(const KernelJob &job) const;
	void end_process(Workers &workers) REQUIRES(mutex_);
	void sort_out(Posted &lane, std::vector<Posted> &bad, Workers &workers) REQUIRES(mutex_);
	base::Status start_unlocked() REQUIRES(mutex_);
	bool post_front(Workers &workers) REQUIRES(mutex_);
	void execute_front(Workers &workers) REQUIRES(mutex_);
	void finish(std::unique_ptr<KernelJob> job, bool waits, Workers &workers);
	uint64_t next_look();
	bool has_lane() const;
	bool can_post(const Item &item) const;
	bool stop_waiting() REQUIRES(mutex_);
	uint32_t free_lane() const;
	uint64_t newest_ns() const;
	void post(uint32_t lane, Item item);
	std::unique_ptr<KernelJob> clear(Posted &lane);

	/* Without thread safety analysis, because these functions release the lock while the thread works. */
	void work(Workers &workers) NO_THREAD_SAFETY_ANALYSIS;
	bool append(Item item);
	void put(Item item, bool is_first) REQUIRES(mutex_);
	Item take_front() REQUIRES(mutex_);

	/* kernels run in this process, and none of them counts as late */
	bool is_inline_ = false;
	uint64_t quota_bytes_ = 0; /* quota of the client's memory; 0: none */
	WorkerLink link_;
	Lanes lanes_;
	std::thread thread_;
	mutable base::Mutex mutex_{"Supervisor::mutex_"};
	/* The lock protects all following members except the hints. */
	std::list<Item> queue_;
	std::array<Posted, UNPU_WORKER_LANES> posted_to_;
	uint32_t posted_ = 0;	       /* launches in lanes; read without the lock */
	uint64_t began_ns_ = 0;	       /* since when there are any */
	uint64_t busy_ns_ = 0;	       /* until there were none */
	KernelJob *running_ = nullptr; /* a load that the thread executes */
	std::vector<std::unique_ptr<KernelJob>> ending_; /* launches that have failed */
	size_t jobs_ = 0;				 /* queued and running */
	std::vector<Charge> kept_;			 /* charges that end with the process */
	uint64_t kept_bytes_ = 0;
	bool is_short_ = false;	   /* the client lacks what is kept */
	uint64_t wakes_at_ns_ = 0; /* time until which the thread sleeps */
	bool is_busy_ = false;	   /* the thread works without the lock, so nothing is posted */
	bool is_open_ = false;	   /* there is a process */
	bool is_stopping_ = false; /* the running load was disowned */
	bool is_leaving_ = false;
	std::unique_ptr<KernelJob> awaited_;
	uint32_t ended_ = 0;	 /* jobs with Item::waits; futex */
	uint32_t has_ended_ = 0; /* the thread */
};

} // namespace fw
