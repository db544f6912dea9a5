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

	/** cancel() - the transfer of @owner begins nothing more and nobody hears of its end. Waits a
	 * little for what is under way; a file that does not answer for longer goes on alone. */
	void cancel(const Waiter &owner);

	/** settle() - waits a little until no transfer of @party is under way.
	 * Return: IN_USE when one still is. */
	base::Status settle(const void *party);

	/** keep() - @kept stays for as long as transfers of @party are under way. */
	void keep(const void *party, const std::shared_ptr<const void> &kept);

	/** counts() - Context: any thread. */
	StorageCounts counts() const;

private:
	void work();
	void run_now(std::unique_ptr<Transfer> transfer);
	bool take_new(Mover &mover);
	bool come_back();
	void hand_back(const std::vector<Transfer *> &ended, const Mover &mover);
	void count(const Transfer &transfer);
	template <class Test> bool wait_gone(std::unique_lock<std::mutex> &lock, Test test);

	const bool in_place_;
	const std::function<void()> notify_;
	const std::function<void()> begin_;
	std::shared_ptr<const Poke> poke_;
	std::unique_ptr<DiskQueue> queue_;
	bool uring_ = false;

	mutable std::mutex mutex_; /* protects the following */
	std::deque<std::unique_ptr<Transfer>> waiting_;
	std::vector<std::unique_ptr<Transfer>> running_;
	std::deque<std::unique_ptr<Transfer>> done_;
	StorageCounts counts_;
	bool stopping_ = false;
	bool waits_for_files_ = false;
	bool left_ = false; /* nobody is there any more who could be told */

	uint32_t over_ = 0; /* the thread has ended, with nothing under way */
	uint32_t done_hint_ = 0;
	uint32_t ends_ = 0; /* counts, for who waits for one */
	std::thread thread_;
};

} // namespace fw
