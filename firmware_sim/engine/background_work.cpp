// SPDX-License-Identifier: MIT
/**
 * DOC: Background work
 *
 * A job runs on one thread from its begin to its end, so it needs no state between turns. The turn passes
 * from thread to thread in the order in which they asked for it. So a short job waits for one slice of each
 * other client, and all clients together take one CPU from the device.
 *
 * The device's thread also takes this lock, so threads of low priority must not hold it for long. They hold
 * it only for some instructions, and wake no thread while they hold it, because the kernel might run the
 * woken thread in their place.
 */
#include "background_work.h"

#include <algorithm>
#include <cstdio>
#include <new>

#include "base/clock.h"
#include "base/os/thread.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "firmware_sim/schedule/token_work.h"

namespace fw {

thread_local constinit BackgroundWork::Worker *BackgroundWork::current_ = nullptr;

BackgroundWork::BackgroundWork(bool has_threads, std::function<void()> notify,
			       std::function<void()> begin)
	: has_threads_(has_threads), notify_(std::move(notify)), begin_(std::move(begin)),
	  usual_nice_(base::nice_value())
{
}

static void execute(Job &job)
{
	try {
		job.work();
	} catch (const std::bad_alloc &) {
		job.status = base::Status::NO_MEMORY;
	}
}

/* Sets the turn of a worker. @worker: nullptr: no worker has the turn. Context: the lock is not held. */
void BackgroundWork::set_turn(Worker *worker, uint32_t turn)
{
	if (!worker)
		return;
	base::store_release(worker->turn, turn);
	base::futex_wake_all(worker->turn, false);
}

/* Waits until the worker has the turn, or has to end. Return: WORKS or ENDS. */
uint32_t BackgroundWork::await_turn(const Worker &worker)
{
	uint32_t turn;
	while ((turn = base::load_acquire(worker.turn)) == WAITS)
		base::futex_wait(worker.turn, WAITS, base::NO_DEADLINE, false);
	return turn;
}

void BackgroundWork::stop()
{
	while (base::load_acquire(is_taken_) != 0)
		base::futex_wait(is_taken_, 1, base::NO_DEADLINE, false);
	std::vector<std::unique_ptr<Worker>> ending;
	{
		const std::lock_guard lock(mutex_);
		/* Jobs for which the host could start no thread. */
		for (const Entry &entry : waiting_)
			execute(*entry.job);
		waiting_.clear();
		ending.swap(workers_);
	}
	for (const auto &worker : ending)
		set_turn(worker.get(), ENDS);
	for (const auto &worker : ending)
		worker->thread.join();
}

bool BackgroundWork::is_under_way(const void *client_queue) const
{
	return std::any_of(workers_.begin(), workers_.end(), [&](const auto &worker) {
		return worker->job && worker->job->client_queue == client_queue;
	});
}

/* Starts a worker thread. Return: NO_RESOURCE. */
base::Status BackgroundWork::start_worker()
{
	try {
		auto worker = std::make_unique<Worker>();
		worker->background = this;
		workers_.reserve(workers_.size() + 1);
		auto thread =
			base::start_thread("unpu-upkeep", [this, at = worker.get()] { work(*at); });
		TRY(thread.status());
		worker->thread = thread.take();
		workers_.push_back(std::move(worker));
		return base::Status::OK;
	} catch (const std::bad_alloc &) {
		return base::Status::NO_RESOURCE;
	}
}

/* Finds or starts an idle worker. Return: nullptr if there is none and no thread can be started. */
BackgroundWork::Worker *BackgroundWork::find_worker()
{
	for (const auto &worker : workers_) {
		if (!worker->job)
			return worker.get();
	}
	return start_worker() == base::Status::OK ? workers_.back().get() : nullptr;
}

/* Gives an entry to a worker. Return: the worker; nullptr if none is available now. */
BackgroundWork::Worker *BackgroundWork::begin(Entry &entry)
{
	Worker *worker = entry.worker;
	if (!worker) {
		worker = is_under_way(entry.job->client_queue) ? nullptr : find_worker();
		if (!worker)
			return nullptr;
		worker->job = std::move(entry.job);
	}
	worker->left = SLICE_BYTES;
	return worker;
}

/* Selects the first entry that can have the turn. Return: its worker, whose turn the caller sets; nullptr if there is
 * none. */
BackgroundWork::Worker *BackgroundWork::grant()
{
	for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
		if (Worker *worker = begin(*at)) {
			waiting_.erase(at);
			return worker;
		}
	}
	return nullptr;
}

void BackgroundWork::submit(std::unique_ptr<Job> job)
{
	std::unique_lock lock(mutex_);
	waiting_.push_back({std::move(job), nullptr});
	if (is_taken_)
		return;
	if (Worker *next = grant()) {
		base::store_release(is_taken_, uint32_t{1});
		lock.unlock();
		set_turn(next, WORKS);
		return;
	}
	/* The host could start no thread: the calling thread, the command processor, does the work. */
	Entry entry = std::move(waiting_.back());
	waiting_.pop_back();
	lock.unlock();
	execute(*entry.job);
	lock.lock();
	done_.add(std::move(entry.job));
	lock.unlock();
	notify_();
}

void BackgroundWork::note_work(uint64_t bytes)
{
	Worker *worker = current_;
	if (!worker) [[likely]]
		return;
	if (worker->left > bytes)
		worker->left -= bytes;
	else
		worker->background->pass_turn(*worker);
}

void BackgroundWork::pass_turn(Worker &worker)
{
	std::unique_lock lock(mutex_);
	worker.left = SLICE_BYTES;
	if (waiting_.empty())
		return;
	waiting_.push_back({nullptr, &worker});
	base::store_relaxed(worker.turn, WAITS);
	Worker *next = grant();
	lock.unlock();
	set_turn(next, WORKS);
	(void)await_turn(worker);
}

void BackgroundWork::work(Worker &worker)
{
	current_ = &worker;
	begin_();
	base::lower_priority(usual_nice_, NICE);
	while (await_turn(worker) == WORKS) {
		execute(*worker.job);
		Worker *next;
		{
			const std::lock_guard lock(mutex_);
			base::store_relaxed(worker.turn, WAITS);
			done_.add(std::move(worker.job));
			next = grant();
			if (!next)
				base::store_release(is_taken_, uint32_t{0});
		}
		set_turn(next, WORKS);
		notify_();
		if (base::load_acquire(is_taken_) == 0)
			base::futex_wake_all(is_taken_, false);
	}
}

std::unique_ptr<Job> BackgroundWork::take_finished()
{
	const std::lock_guard lock(mutex_);
	return done_.take();
}

template <class Which> void BackgroundWork::drop(const Which &which)
{
	const std::lock_guard lock(mutex_);
	std::erase_if(waiting_, [&](const Entry &entry) { return entry.job && which(*entry.job); });
	done_.drop([&](const auto &job) { return which(*job); });
	for (const auto &worker : workers_) {
		if (worker->job && which(*worker->job))
			worker->job->owner = nullptr;
	}
}

void BackgroundWork::disown(const Waiter &owner)
{
	drop([&](const Job &job) { return job.owner == &owner; });
}

void BackgroundWork::drop_client(const void *client_queue)
{
	drop([&](const Job &job) { return job.client_queue == client_queue; });
}

} // namespace fw
