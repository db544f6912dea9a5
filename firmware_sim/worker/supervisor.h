// SPDX-License-Identifier: MIT
#pragma once

#include "link.h"
#include "workers.h"

namespace fw {

/** class Workers::Supervisor - the thread that gives jobs to the worker of one client. Its functions may be called
 * from any thread, but for work(). */
class Workers::Supervisor {
public:
	Supervisor() = default;

	/** start() - Return: NO_RESOURCE, NO_MEMORY. */
	base::Status start(Workers &workers);
	void join() { thread_.join(); }

	void submit(std::unique_ptr<KernelJob> job, bool waits);
	std::unique_ptr<KernelJob> await();
	void change(MemoryChange change);
	void forget(uint32_t image);
	void disown(const Waiter &owner);
	void leave();
	bool settles() const;
	bool works() const;
	bool has_ended() const { return base::load_acquire(has_ended_) != 0; }

	Charge charge; /* for the thread */
	Charge descriptors;

private:
	using Lock = std::unique_lock<base::Mutex>;

	struct Item {
		std::unique_ptr<KernelJob> job; /* nullptr: one of the others */
		std::shared_ptr<MemoryChange> change;
		uint32_t unloaded = 0;
		bool waits = false; /* a thread is inside await() */
	};

	/* Without analysis: it releases the lock while a job runs. */
	void work(Workers &workers) NO_THREAD_SAFETY_ANALYSIS;
	void execute(Item &item);
	void append(Item item);

	WorkerLink link_;
	std::thread thread_;
	mutable base::Mutex mutex_{"Supervisor::mutex_"};
	base::Condition wanted_;
	std::deque<Item> queue_ GUARDED_BY(mutex_);
	KernelJob *running_ GUARDED_BY(mutex_) = nullptr;
	size_t jobs_ GUARDED_BY(mutex_) = 0;	      /* queued and running */
	bool is_stopping_ GUARDED_BY(mutex_) = false; /* the running job was disowned */
	bool is_leaving_ GUARDED_BY(mutex_) = false;
	std::unique_ptr<KernelJob> awaited_ GUARDED_BY(mutex_);
	uint32_t ended_ = 0;	 /* jobs with Item::waits; futex */
	uint32_t has_ended_ = 0; /* the thread */
};

} // namespace fw
