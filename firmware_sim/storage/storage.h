// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "base/sync/mutex.h"
#include "transfer.h"

namespace fw {

/** struct StorageCounts - statistics of the transfers between files and memory. */
struct StorageCounts {
	const char *method = "none"; /* "io_uring" or "preadv"; "none": no file was given yet */
	uint64_t transfers = 0;	     /* transfers that have ended */
	uint64_t read_bytes = 0;
	uint64_t written_bytes = 0;
	uint64_t direct_bytes = 0;  /* bytes of both directions, with O_DIRECT */
	uint64_t bounced_bytes = 0; /* part of direct_bytes that went through a bounce buffer */
	DiskCounts disk;
};

/** enum class StorageKind - which threads execute the operations on files. */
enum class StorageKind {
	THREADS,       /* a thread for each client, with io_uring if the kernel allows that */
	PLAIN_THREADS, /* a thread for each client, one operation at a time */
	IN_PLACE,      /* the caller of submit() */
};

/**
 * class Storage - moves bytes between files and memory on other threads, so that the command processor can
 * serve channels meanwhile. Each client that has given files has a Lane: a thread and a queue of its own, so
 * it waits only for its own files. An idle thread sleeps. Finished transfers come back through
 * take_finished(). Context: under the step token, unless it says otherwise.
 */
class Storage {
public:
	/** @notify: the thread calls it after a transfer has ended. @begin: each thread calls it when it
	 * starts. */
	Storage(StorageKind kind, std::function<void()> notify, std::function<void()> begin);

	/** stop() - ends the threads. A thread that is stuck in a file operation is detached.
	 * Return: whether all threads have ended; if not, the caller must not free the Storage. */
	bool stop();

	/** probe() - finds out whether operations go by io_uring. Later calls do nothing. */
	void probe();

	/** uring() - the result of probe(). */
	bool uring() const { return has_uring_; }

	/** open() - starts the thread of @client_queue; call it before the first submit() for it. Later calls do
	 * nothing. @account: is charged for the thread and its descriptors
	 * Return: NO_RESOURCE, QUOTA. */
	base::Status open(const void *client_queue, const std::shared_ptr<Account> &account);

	/** leave() - @client_queue submits nothing more. Its thread ends after its last operation. Does not wait. */
	void leave(const void *client_queue);

	/** submit() - Return: true when the transfer has already ended and take_finished() has it. */
	bool submit(std::unique_ptr<Transfer> transfer);

	/** finished() - whether take_finished() has a transfer; a hint that costs one load. */
	bool finished() const;
	std::unique_ptr<Transfer> take_finished();

	/** cancel() - the transfer of @owner starts no more operations, and no waiter is told of its
	 * end. Running operations continue. Does not wait. */
	void cancel(Waiter &owner);

	/** settles() - whether a cancelled transfer of @client_queue still has running operations. */
	bool settles(const void *client_queue) const;

	/** works_for() - whether a transfer of @client_queue is queued or running. */
	bool works_for(const void *client_queue) const;

	/** has_thread() - whether transfers run on another thread than the command processor's. */
	bool has_thread() const { return kind_ != StorageKind::IN_PLACE; }

	/** overdue() - running transfers of which no operation has ended for @limit_ns since the kernel
	 * got it. */
	std::vector<TimedOutWork> overdue(uint64_t now_ns, uint64_t limit_ns) const;

	/** running() - whether a transfer is running. */
	bool running() const;

	/** give_up() - abandons the transfers of a client: no waiter is told of their end. */
	void give_up(const void *client_queue);

	/** give_up_overdue() - the same for overdue transfers without an owner. If the client's thread is
	 * stuck in one, a new thread continues its other transfers; the client is charged for both. */
	void give_up_overdue(uint64_t now_ns, uint64_t limit_ns);

	/** threads() - the threads that have not ended. */
	size_t threads() const;

	/** counts() - Context: any thread. */
	StorageCounts counts() const;

private:
	/* State of one thread. A stuck thread keeps its Worker and the memory that it may still access. */
	struct Worker {
		Charge charge; /* charge for the thread */
		std::unique_ptr<DiskQueue> queue;
		std::unique_ptr<Mover> mover;
		std::vector<std::unique_ptr<Transfer>> stuck_in;
		/* value of the mover's counter that was counted so far */
		uint64_t direct_bytes = 0;
		uint64_t bounced_bytes = 0;
		/* Another thread has replaced this one; under the storage's lock. */
		bool has_left = false;
	};

	using Transfers = std::list<std::unique_ptr<Transfer>>;

	/* The files of one client. All but @client_queue and @poke: under the storage's lock. */
	struct Lane {
		const void *client_queue = nullptr;
		std::shared_ptr<const WakeEvent> poke;
		std::shared_ptr<Account> account;
		Charge descriptors;
		Transfers waiting;
		std::vector<std::unique_ptr<Transfer>> running; /* at most RUNNING_MOST */
		std::shared_ptr<Worker> worker;
		std::thread thread;
		DiskCounts disk;
		/* A running transfer was given up, and the thread has not handled that yet. */
		bool has_losses = false;
		bool is_leaving = false;
		bool waits_for_files = false;
		uint32_t over = 0; /* the thread has ended and no operation is running */
	};
	using Lanes = std::vector<std::shared_ptr<Lane>>;

	void work(Lane &lane, Worker &worker);
	void use_uring(const Lane &lane, Worker &worker);
	base::Status start_thread(const std::shared_ptr<Lane> &lane, bool plain) REQUIRES(mutex_);
	Lane *find(const void *client_queue) const REQUIRES(mutex_);
	void replace_worker(const std::shared_ptr<Lane> &lane) REQUIRES(mutex_);
	template <class Which> bool lose(Lane &lane, const Which &which) REQUIRES(mutex_);
	void run_now(std::unique_ptr<Transfer> transfer);
	bool take_new(Lane &lane, Worker &worker);
	bool come_back(Lane &lane, const Worker &worker);
	void hand_back(Lane &lane, Worker &worker, const std::vector<Transfer *> &ended);
	void end_thread(Lane &lane, Worker &worker);
	void note_done() REQUIRES(mutex_);
	static void put(Transfers &queue, std::unique_ptr<Transfer> transfer,
			bool is_first = false);
	void count(const Transfer &transfer) REQUIRES(mutex_);
	void join_ended();

	const StorageKind kind_;
	const std::function<void()> notify_;
	const std::function<void()> begin_;
	bool has_uring_ = false;
	bool is_probed_ = false;

	mutable base::Mutex mutex_{"Storage::mutex_"};
	Lanes lanes_ GUARDED_BY(mutex_);
	Transfers done_ GUARDED_BY(mutex_);
	StorageCounts counts_ GUARDED_BY(mutex_);
	uint32_t stuck_ GUARDED_BY(mutex_) = 0; /* stuck threads that were replaced */
	/* stop() has given up waiting: the threads must not report. */
	bool left_ GUARDED_BY(mutex_) = false;
	uint32_t done_hint_ = 0; /* size of @done_, read without the lock */
};

} // namespace fw
