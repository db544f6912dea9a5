// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "transfer.h"

namespace fw {

/** struct StorageCounts - what went between files and memory, and how. */
struct StorageCounts {
	const char *method = "none"; /* "io_uring", "preadv"; "none": there was no file yet */
	uint64_t transfers = 0;	     /* that are over */
	uint64_t read_bytes = 0;
	uint64_t written_bytes = 0;
	uint64_t direct_bytes = 0;  /* of both, past the page cache */
	uint64_t bounced_bytes = 0; /* of those, copied once more */
	DiskCounts disk;
};

/**
 * class Storage - moves bytes between files and memory on a thread of its own, so that channels keep
 * moving meanwhile. It starts with the first file. Finished transfers come back through
 * take_finished(). Context: under the step token, unless it says otherwise.
 */
class Storage {
public:
	/** @in_place: no thread; submit() moves everything. @notify: called by the thread after a
	 * transfer has ended. @begin: by it when it starts. */
	Storage(bool in_place, std::function<void()> notify, std::function<void()> begin);

	/** stop() - ends the thread. A file that does not answer holds it up; then it is left to itself.
	 * Return: whether it has ended; if not, the storage must stay where it is. */
	bool stop();

	/** start() - before the first file is used; later calls do nothing. Return: NO_RESOURCE. */
	base::Status start();

	/** uring() - whether operations go by io_uring. */
	bool uring() const { return uring_; }

	/** user() - for a file or segment that is used: its end is told to the thread. */
	std::shared_ptr<const void> user() const
	{
		return {poke_.get(), [poke = poke_](const void *) { poke->poke(); }};
	}

	/** submit() - Return: true when the transfer is over already, and to be taken. */
	bool submit(std::unique_ptr<Transfer> transfer);

	/** finished() - whether take_finished() has something; a hint, one load. */
	bool finished() const;
	std::unique_ptr<Transfer> take_finished();

	/** cancel() - the transfer of @owner begins nothing more, and no waiter hears of its end. What is
	 * under way goes on. Does not wait. */
	void cancel(const Waiter &owner);

	/** settles() - whether a transfer of @party that was cancelled is still under way. */
	bool settles(const void *party) const;

	/** works_for() - whether a transfer of @party is queued or under way. */
	bool works_for(const void *party) const;

	/** has_thread() - whether transfers are moved beside the command processor. */
	bool has_thread() const { return !in_place_; }

	/** overdue() - transfers in which nothing has ended for @limit_ns. */
	std::vector<Overdue> overdue(uint64_t now_ns, uint64_t limit_ns) const;

	/** running() - whether a transfer is under way. */
	bool running() const;

	/** give_up() - what is under way for a client is left to itself: nobody hears of its end, and
	 * transfers of others go on without it, if need be on another thread. */
	void give_up(const void *party);

	/** give_up_overdue() - the same for what overdue() finds of those whose owners have gone. */
	void give_up_overdue(uint64_t now_ns, uint64_t limit_ns);

	/** counts() - Context: any thread. */
	StorageCounts counts() const;

private:
	/* What a thread works with. One that is stuck keeps it, and what it may still touch. */
	struct Worker {
		explicit Worker(std::unique_ptr<DiskQueue> disk)
			: queue(std::move(disk)), mover(new Mover(*queue))
		{
		}

		const std::unique_ptr<DiskQueue> queue;
		std::unique_ptr<Mover> mover;
		std::vector<std::unique_ptr<Transfer>> stuck_in;
		bool left = false; /* another one has its place: the storage's lock */
	};

	void work(const std::shared_ptr<Worker> &worker);
	void start_thread();
	bool replace_worker();
	template <class Which> void lose(const Which &which);
	void run_now(std::unique_ptr<Transfer> transfer);
	bool take_new(Worker &worker);
	bool come_back(const Worker &worker);
	void hand_back(const std::vector<Transfer *> &ended, const Worker &worker);
	std::unique_ptr<DiskQueue> make_queue();
	void count(const Transfer &transfer);

	const bool in_place_;
	const std::function<void()> notify_;
	const std::function<void()> begin_;
	std::shared_ptr<const Poke> poke_;
	bool uring_ = false;

	mutable std::mutex mutex_; /* protects the following */
	std::deque<std::unique_ptr<Transfer>> waiting_;
	std::vector<std::unique_ptr<Transfer>> running_;
	std::deque<std::unique_ptr<Transfer>> done_;
	std::shared_ptr<Worker> worker_;
	StorageCounts counts_;
	uint32_t stuck_ = 0; /* threads that were left behind */
	bool losses_ =
		false; /* some of what runs was given up, and the thread has not heard of it */
	bool stopping_ = false;
	bool waits_for_files_ = false;
	bool left_ = false; /* nobody is there any more who could be told */

	uint32_t over_ = 0; /* the thread has ended, with nothing under way */
	uint32_t done_hint_ = 0;
	std::thread thread_;
};

} // namespace fw
