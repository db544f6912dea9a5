// SPDX-License-Identifier: MIT
/**
 * DOC: Engines
 *
 * The copy and compute engines. A job arrives checked and translated, so an engine never reads shared
 * control memory. A job holds references to the segments that it touches, so an unmap cannot free them
 * under it.
 */
#include "engine.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <sched.h>

#include "base/assert.h"
#include "base/os/mapped.h"
#include "base/os/shm.h"
#include "base/sync/ordering.h"
#include "firmware_sim/tensor/tensor_op.h"
#include "opcode.h"
#include "pieces.h"

namespace fw {

Written written_by(const unpu_packet &packet, const unpu_operator *op,
		   const std::array<std::byte *, 4> &operands)
{
	const Work *work = opcode_row(packet.opcode).work;
	return work ? work->written(packet, op, operands) : Written{};
}

base::Status execute_job(const unpu_packet &packet, const unpu_operator *op,
			 const std::array<std::byte *, 4> &operands)
{
	const base::NoteOrder order;
	const Work *work = opcode_row(packet.opcode).work;
	return work ? work->execute(packet, op, operands) : base::Status::OK;
}

/* Executes an item: a whole job, or a part of one. */
static base::Status execute_part(WorkItem &item)
{
	const Job &job = item.of();
	if (const TensorOp *tensor = job.tensor.get(); tensor || item.units != 0) {
		const uint64_t count = item.units ? item.units : tensor->units();
		return run_units(job, item.first, count, item.fault);
	}
	try {
		if (job.step)
			item.has_more = job.step();
		else if (job.work)
			job.work();
		else
			return execute_job(job.packet, &job.op, job.operands);
		return base::Status::OK;
	} catch (const std::bad_alloc &) {
		return base::Status::NO_MEMORY;
	}
}

static base::Status execute(WorkItem &item)
{
	const base::UnmapGuard guard;
	base::Status status = execute_part(item);
	if (status == base::Status::OK && is_lost(guard, item.of().operands)) {
		item.fault.address = guard.lost_at();
		status = base::Status::MMU_FAULT;
	}
	return status;
}

Engines::Engines(uint32_t count, std::function<void()> notify, std::function<void(uint32_t)> begin,
		 const char *name)
	: count_(count), name_(name), notify_(std::move(notify)), begin_(std::move(begin))
{
}

/* The engine number that stands for a host thread in help(). */
static constexpr uint32_t HELPER = UINT32_MAX;
/* How long stop() waits for running work. */
static constexpr uint64_t EXIT_PATIENCE_NS = 5 * base::NS_PER_S;

bool Engines::is_drained() const
{
	return std::all_of(running_.begin(), running_.end(),
			   [](const WorkItem *item) { return item->is_lost; }) &&
	       (queue_.empty() || count_threads() <= running_.size());
}

/* Joins all threads but the stuck ones. Without analysis: the threads need the lock to end, and no thread
 * changes the crews after stop() has begun. */
void Engines::join() NO_THREAD_SAFETY_ANALYSIS
{
	for (EngineCrew &crew : crews_)
		crew.join();
}

bool Engines::stop(bool in_time)
{
	const uint64_t deadline_ns =
		in_time ? base::deadline_after(EXIT_PATIENCE_NS) : base::NO_DEADLINE;
	bool are_all_done;
	{
		std::unique_lock lock(mutex_);
		stopping_ = true;
		for (EngineCrew &crew : crews_)
			crew.wake_all();
		while (!is_drained() && base::now_ns() < deadline_ns)
			drained_.wait(lock, deadline_ns);
		for (const WorkItem *item : running_) {
			if (item->crew)
				item->crew->note_stuck(item->engine);
		}
		are_all_done = running_.empty();
		left_ = !are_all_done;
		if (left_) {
			queue_.clear();
			waiting_ = 0;
			base::store_relaxed(pieces_, uint64_t{0});
		}
	}
	join();
	return are_all_done;
}

/* A single engine splits a job of at least this size, so that jobs of other clients run between the
 * pieces. While many clients wait, it splits smaller ones too. */
static constexpr uint64_t SPLIT_BYTES = uint64_t{4} << 20;

/* The job that has the next turn; no heavy one while heavy items have all engines that they may have.
 * Return: NULL if there is none. */
Split *Engines::next_job()
{
	return queue_.next(count_ == 1 || heavy_ + 1 < count_);
}

/* Adds the items of @split to the counts of waiting items, or subtracts them. */
void Engines::count(const Split &split, bool add)
{
	const uint64_t items = split.items();
	const uint64_t pieces = split.is_cut() ? items : 0;
	waiting_ = add ? waiting_ + items : waiting_ - items;
	base::store_relaxed(pieces_, add ? pieces_ + pieces : pieces_ - pieces);
}

void Engines::append(const std::shared_ptr<Split> &split)
{
	queue_.append(split);
	count(*split, true);
}

void Engines::enter(std::unique_ptr<Job> job)
{
	auto split = std::make_shared<Split>();
	split->engines = this;
	const uint64_t least = piece_bytes(queue_.clients());
	if (count_ > 1 || job->bytes >= SPLIT_BYTES || least < PIECE_BYTES)
		split->cut = cut_of(*job);
	if (split->cut.units != 0 && units_each(*job, split->cut.units, least) >= split->cut.units)
		split->cut = {};
	split->end = split->cut.units;
	if (job->owner)
		job->owner->split = split;
	split->job = std::move(job);
	append(split);
}

size_t Engines::count_threads() const
{
	return crews_[0].size() + crews_[1].size();
}

/* Starts as many threads of the selected crew as there are items, up to the limit. */
void Engines::start_threads()
{
	EngineCrew &chosen = crew();
	while (chosen.size() < count_ + lost_ && busy_ + waiting_ > chosen.size()) {
		if (!chosen.add(name_, [this, &chosen](uint32_t engine) { work(chosen, engine); }))
			return;
	}
}

/* Threads of the other crew finish the item that they have begun. */
void Engines::change_crew(bool others)
{
	std::lock_guard lock(mutex_);
	has_others_ = others;
	if (waiting_ == 0)
		return;
	start_threads();
	for (EngineCrew &crew : crews_)
		crew.wake_all();
}

/* Updates the counts when a heavy item has ended or was given up. */
void Engines::end_heavy(WorkItem &item)
{
	heavy_ -= item.is_heavy;
	item.is_heavy = false;
}

/* Counts an item out. If several pieces fail, the job reports the one whose units come first. */
void Engines::leave(const WorkItem &item)
{
	const std::shared_ptr<Split> &split = item.split;
	Job &job = *split->job;
	if (item.status != base::Status::OK &&
	    (job.status == base::Status::OK || item.first <= job.failed_unit)) {
		job.status = item.status;
		job.fault = item.fault;
		job.failed_unit = item.first;
	}
	split->running--;
	const bool has_more = job.step ? item.has_more : split->next < split->end;
	if (split->is_ordered() && has_more && !job.is_disowned && !job.is_given_up)
		append(split);
	else if (split->running == 0 && !split->is_queued)
		done_.add(split);
}

/* Records the time of a job. For a job in pieces it is from the start of the first piece to the end of the
 * last one. */
static void note_times(Job &job, uint64_t start_ns, uint64_t end_ns, uint32_t engine)
{
	if (job.start_ns == 0 || start_ns < job.start_ns)
		job.start_ns = start_ns;
	job.end_ns = std::max(job.end_ns, end_ns);
	if (engine != HELPER)
		job.engine = engine;
}

void Engines::submit(std::unique_ptr<Job> job)
{
	std::unique_lock lock(mutex_);
	outstanding_++;
	enter(std::move(job));
	start_threads();
	if (count_threads() > lost_) {
		EngineCrew &served = serving();
		bool several = waiting_ > 1;
		lock.unlock();
		if (several)
			served.wake_all();
		else
			served.wake_one();
		return;
	}
	/* The host could start no thread: the calling thread, the command processor, does the work. */
	while (!queue_.empty()) {
		WorkItem item = take_next();
		uint64_t start_ns = base::now_ns();
		item.status = execute(item);
		note_times(item.of(), start_ns, base::now_ns(), 0);
		end_heavy(item);
		leave(item);
	}
	notify_ended();
}

/* A thread takes units from the end of the job that belongs to its CPU. So with two CPUs a half stays in the caches of
 * one of them until the next such job comes, whichever threads run there. */
static void take_units(Split &split, uint64_t most, WorkItem &item)
{
	item.units = std::min(most, split.end - split.next);
	item.first = split.next;
	if (!split.is_ordered() && sched_getcpu() % 2 != 0) {
		split.end -= item.units;
		item.first = split.end;
	} else {
		split.next += item.units;
	}
}

WorkItem Engines::take_next()
{
	const uint64_t bytes = piece_bytes(queue_.clients());
	Split *next = next_job();
	if (!next)
		next = queue_.next(true); /* stop() waits for no turn */
	const std::shared_ptr<Split> split = *next->place;
	count(*split, false);
	WorkItem item{split};
	item.is_heavy = split->is_heavy();
	heavy_ += item.is_heavy;
	if (split->cut.units != 0)
		take_units(*split, units_each(*split->job, split->cut.units, bytes), item);
	split->running++;
	const bool is_done = split->is_ordered() || split->next == split->end;
	queue_.end_turn(*split, is_done);
	if (!is_done)
		count(*split, true);
	return item;
}

std::unique_ptr<Job> Engines::take_finished()
{
	std::lock_guard lock(mutex_);
	const std::shared_ptr<Split> split = done_.take();
	if (!split)
		return nullptr;
	auto job = std::move(split->job);
	unpu_assert(job->is_given_up || outstanding_ != 0);
	if (!job->is_given_up)
		outstanding_--;
	return job;
}

uint64_t Engines::busy_ns() const
{
	std::lock_guard lock(mutex_);
	return busy_ns_;
}

/* The items of @split that are running now continue. The last of them ends the job. */
void Engines::disown_running(Split &split)
{
	split.job->owner = nullptr;
	split.job->is_disowned = true;
}

bool Engines::disown(const Waiter &owner)
{
	const std::shared_ptr<Split> split = owner.split.lock();
	if (!split || split->engines != this)
		return false;
	std::unique_lock lock(mutex_);
	if (!split->job || split->job->owner != &owner)
		return false;
	if (split->is_queued) {
		count(*split, false);
		queue_.take_out(*split);
		outstanding_ -= split->running == 0;
	}
	disown_running(*split);
	lock.unlock();
	return true;
}

/* Takes the queued jobs of a client out. */
std::list<std::shared_ptr<Split>> Engines::drop_queued(const void *client_queue)
{
	auto dropped = queue_.take_all(client_queue);
	for (const auto &split : dropped) {
		count(*split, false);
		outstanding_ -= split->running == 0;
	}
	return dropped;
}

std::list<std::shared_ptr<Split>> Engines::drop_client(const void *client_queue)
{
	std::lock_guard lock(mutex_);
	auto dropped = drop_queued(client_queue);
	for (const auto &split : done_) {
		if (split->job->client_queue == client_queue)
			split->job->owner = nullptr;
	}
	for (const WorkItem *item : running_) {
		if (item->of().client_queue == client_queue)
			disown_running(*item->split);
	}
	return dropped;
}

/* A machine that swaps still moves at least this many bytes in a second. */
static constexpr uint64_t SLOWEST_BYTES_PER_S = uint64_t{32} << 20;

/* The time at which an item should have ended. */
static uint64_t due_ns(const WorkItem &item, uint64_t limit_ns)
{
	return item.start_ns + limit_ns + item.of().bytes / SLOWEST_BYTES_PER_S * base::NS_PER_S;
}

static TimedOutWork describe(const WorkItem &item)
{
	const Job &job = item.of();
	return {job.owner, job.client, job.packet.cookie, item.start_ns};
}

bool Engines::settles(const void *client_queue) const
{
	std::lock_guard lock(mutex_);
	return std::any_of(running_.begin(), running_.end(), [&](const WorkItem *item) {
		const Job &job = item->of();
		return job.client_queue == client_queue && job.is_disowned && !job.is_given_up;
	});
}

bool Engines::works_for(const void *client_queue) const
{
	const auto theirs = [&](const Job &job) {
		return job.client_queue == client_queue && !job.is_given_up;
	};
	std::lock_guard lock(mutex_);
	return std::any_of(running_.begin(), running_.end(),
			   [&](const WorkItem *item) { return theirs(item->of()); }) ||
	       queue_.has(client_queue);
}

std::vector<TimedOutWork> Engines::overdue(uint64_t now_ns, uint64_t limit_ns) const
{
	std::vector<TimedOutWork> late;
	std::lock_guard lock(mutex_);
	for (const WorkItem *item : running_) {
		if (!item->of().is_given_up && now_ns > due_ns(*item, limit_ns))
			late.push_back(describe(*item));
	}
	return late;
}

void Engines::give_up(const void *client_queue)
{
	std::lock_guard lock(mutex_);
	(void)drop_queued(client_queue);
	for (WorkItem *item : running_) {
		Job &job = item->of();
		if (job.client_queue != client_queue || item->is_lost)
			continue;
		/* Pieces of one job may be on several engines. */
		if (!job.is_given_up)
			outstanding_--;
		job.owner = nullptr;
		job.is_given_up = true;
		item->is_lost = true;
		end_heavy(*item);
		lost_++;
		start_threads();
	}
	drained_.notify_all();
}

bool Engines::running() const
{
	std::lock_guard lock(mutex_);
	return !running_.empty();
}

/* Whether an item is queued and fewer threads than engines are at work. */
bool Engines::hand_wanted()
{
	return running_.size() - lost_ < count_ && next_job();
}

/* The same, if the next item is a piece. */
bool Engines::piece_wanted()
{
	return hand_wanted() && next_job()->is_cut();
}

/* Executes the next item with the lock released.
 * Return: false if stop() has given up on this thread meanwhile, so that it must not report. */
bool Engines::do_next(EngineCrew *crew, uint32_t engine)
{
	WorkItem item = take_next();
	busy_++;
	running_.push_back(&item);
	item.start_ns = base::now_ns();
	item.engine = engine;
	item.crew = crew;
	uint64_t end_ns;
	{
		const base::Unlocked unlocked(mutex_);
		item.status = execute(item);
		end_ns = base::now_ns();
	}
	unpu_assert(busy_ != 0);
	busy_--;
	busy_ns_ += end_ns - item.start_ns;
	std::erase(running_, &item);
	lost_ -= item.is_lost;
	end_heavy(item);
	if (left_)
		return false;
	note_times(item.of(), item.start_ns, end_ns, engine);
	leave(item);
	drained_.notify_all();
	return true;
}

/* The thread that ends a job wakes the device's thread (K1). The lock is released during the call. */
void Engines::notify_ended()
{
	if (!finished())
		return;
	const base::Unlocked unlocked(mutex_);
	notify_();
}

bool Engines::help(const uint64_t &word, uint64_t value, uint64_t deadline_ns)
{
	if (base::load_relaxed(pieces_) == 0) [[likely]]
		return false;
	bool helped = false;
	std::unique_lock lock(mutex_);
	while (piece_wanted() && !stopping_) {
		helped = true;
		if (!do_next(nullptr, HELPER))
			return true;
		if (finished() || base::load_acquire(word) >= value ||
		    base::now_ns() >= deadline_ns)
			break;
	}
	/* While this thread helped, an engine that was woken may have found enough threads at work and slept
	 * again. This thread now leaves, so it wakes an engine in its place. */
	EngineCrew *wanted = hand_wanted() ? &serving() : nullptr;
	lock.unlock();
	if (wanted)
		wanted->wake_one();
	return helped;
}

void Engines::work(EngineCrew &crew, uint32_t engine)
{
	if (begin_)
		begin_(engine);
	std::unique_lock lock(mutex_);
	for (;;) {
		while (!stopping_ && !(hand_wanted() && &serving() == &crew))
			crew.wait(lock);
		if (queue_.empty() || !do_next(&crew, engine))
			return;
		/* A thread of the selected crew may have gone back to sleep while this one, of the other
		 * crew, counted as at work. Wake it. */
		if (&serving() != &crew && hand_wanted())
			serving().wake_all();
		notify_ended();
	}
}

} // namespace fw
