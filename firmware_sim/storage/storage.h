// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "transfer.h"

namespace fw {

/** struct StorageCounts - statistics of the transfers between files and memory. */
struct StorageCounts {
	const char *method = "none"; /* "io_uring" or "preadv"; "none": no file was used yet */
	uint64_t transfers = 0;	     /* transfers that have ended */
	uint64_t read_bytes = 0;
	uint64_t written_bytes = 0;
	uint64_t direct_bytes = 0;  /* of both directions, with O_DIRECT */
	uint64_t bounced_bytes = 0; /* part of direct_bytes that went through a bounce buffer */
	DiskCounts disk;
};

/**
 * class Storage - moves bytes between files and memory on its own thread, so that the command processor
 * can serve channels meanwhile. The thread starts with the first transfer. Finished transfers come back
 * through take_finished(). Context: under the step token, unless it says otherwise.
 */
class Storage {
public:
	/** @in_place: no thread; submit() moves everything. @notify: the thread calls it after a
	 * transfer has ended. @begin: the thread calls it when it starts. */
	Storage(bool in_place, std::function<void()> notify, std::function<void()> begin);

	/** stop() - ends the thread. A thread that is stuck in a file operation is detached.
	 * Return: whether all threads have ended; if not, the caller must not free the Storage. */
	bool stop();

	/** start() - makes the queue; call it before the first file is used. Later calls do nothing.
	 * Return: NO_RESOURCE. */
	base::Status start();

	/** uring() - whether operations go by io_uring. */
	bool uring() const { return uring_; }

	/** user() - a reference that a used file or segment keeps. When it is dropped, the thread
	 * releases what it has registered for that object. */
	std::shared_ptr<const void> user() const
	{
		return {poke_.get(), [poke = poke_](const void *) { poke->poke(); }};
	}

	/** submit() - Return: true when the transfer has already ended and take_finished() has it. */
	bool submit(std::unique_ptr<Transfer> transfer);

	/** finished() - whether take_finished() has a transfer; a hint that costs one load. */
	bool finished() const;
	std::unique_ptr<Transfer> take_finished();

	/** cancel() - the transfer of @owner starts no more operations, and no waiter is told of its
	 * end. Running operations continue. Does not wait. */
	void cancel(const Waiter &owner);

	/** settles() - whether a cancelled transfer of @party still has running operations. */
	bool settles(const void *party) const;

	/** works_for() - whether a transfer of @party is queued or running. */
	bool works_for(const void *party) const;

	/** has_thread() - whether transfers run on another thread than the command processor's. */
	bool has_thread() const { return !in_place_; }

	/** overdue() - running transfers of which no operation has ended for @limit_ns. */
	std::vector<Overdue> overdue(uint64_t now_ns, uint64_t limit_ns) const;

	/** running() - whether a transfer is running. */
	bool running() const;

	/** give_up() - abandons the transfers of a client: no waiter is told of their end. If the thread
	 * is stuck in one, a new thread continues the transfers of other clients. */
	void give_up(const void *party);

	/** give_up_overdue() - the same for overdue transfers without an owner. */
	void give_up_overdue(uint64_t now_ns, uint64_t limit_ns);

	/** counts() - Context: any thread. */
	StorageCounts counts() const;

private:
	/* State of one thread. A stuck thread keeps its Worker and the memory that it may still access. */
	struct Worker {
		explicit Worker(std::unique_ptr<DiskQueue> disk)
			: queue(std::move(disk)), mover(new Mover(*queue))
		{
		}

		const std::unique_ptr<DiskQueue> queue;
		std::unique_ptr<Mover> mover;
		std::vector<std::unique_ptr<Transfer>> stuck_in;
		/* Another thread has replaced this one; under the storage's lock. */
		bool left = false;
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
	uint32_t stuck_ = 0; /* stuck threads that were replaced */
	/* A running transfer was given up, and the thread has not handled that yet. */
	bool losses_ = false;
	bool stopping_ = false;
	bool waits_for_files_ = false;
	bool left_ = false; /* stop() has given up waiting: the thread must not report */

	uint32_t over_ = 0; /* the thread has ended and no operation is running */
	uint32_t done_hint_ = 0;
	std::thread thread_;
};

} // namespace fw
