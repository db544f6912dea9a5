// SPDX-License-Identifier: MIT
/**
 * DOC: Supervisor of a worker
 *
 * The device's thread never waits for a worker, and a launch usually does not wait for this thread::
 *
 *	device				supervisor's thread
 *	-----------------------------	------------------------------------------
 *	submit(): the lanes are free	sleeps: descriptors of the worker and of
 *	 -> lane 0			 wake(), and the earliest deadline
 *	submit(): else -> queue -----> post_front(), in the order of the queue
 *	take_ended(): good
 *	 -> the next launch -> lane 0
 *	take_ended(): failed --------> end_process(), start(), sentence, finish()
 *
 * The kernel kills the process of a worker when the thread that has started it ends, so no worker outlives its
 * firmware.
 */
#include "supervisor.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/os/machine.h"
#include "base/os/thread.h"
#include "base/sync/futex.h"
#include "firmware_sim/schedule/token_work.h"

namespace fw {

using base::Status;

/* How long a launch waits for those before it. */
static constexpr uint64_t PATIENCE_NS = 10 * base::NS_PER_MS;
/* The longest sleep of the thread. */
static constexpr uint64_t LOOK_NS = 60 * base::NS_PER_S;

Status Workers::Supervisor::start(Workers &workers, uint64_t heap_bytes, uint64_t quota_bytes)
{
	quota_bytes_ = quota_bytes;
	TRY(lanes_.init());
	is_inline_ = workers.is_inline_;
	TRY(link_.init(std::min(base::usable_cpus(), UNPU_WORKER_MAX_THREADS),
		       is_inline_ ? WorkerProcess::start_inline : WorkerProcess::start, heap_bytes,
		       lanes_, workers.cube_cores_));
	thread_ = TRY(base::start_thread("unpu-kernels", [this, &workers] { work(workers); }));
	return Status::OK;
}

void Workers::Supervisor::put(Item item, bool is_first)
{
	const auto place = queue_.insert(is_first ? queue_.begin() : queue_.end(), std::move(item));
	if (!place->job)
		return;
	place->job->is_queued = true;
	place->job->place = place;
}

KernelItem Workers::Supervisor::take_front()
{
	Item item = std::move(queue_.front());
	queue_.pop_front();
	if (item.job)
		item.job->is_queued = false;
	return item;
}

/* Return: whether the thread has to be woken. */
bool Workers::Supervisor::append(Item item)
{
	const std::lock_guard lock(mutex_);
	if (is_leaving_)
		return false;
	jobs_ += item.job != nullptr;
	const bool is_first = queue_.empty();
	if (is_first && can_post(item)) {
		const uint32_t lane = free_lane();
		post(lane, std::move(item));
		return posted_to_[lane].deadline_ns < wakes_at_ns_;
	}
	put(std::move(item), false);
	return is_first;
}

void Workers::Supervisor::submit(std::unique_ptr<KernelJob> job, bool waits)
{
	if (append({std::move(job), nullptr, 0, waits}))
		link_.wake();
}

void Workers::Supervisor::change(MemoryChange change)
{
	if (append({nullptr, std::make_shared<MemoryChange>(std::move(change)), 0, false}))
		link_.wake();
}

void Workers::Supervisor::forget(uint32_t image)
{
	if (append({nullptr, nullptr, image, false}))
		link_.wake();
}

void Workers::Supervisor::post(uint32_t lane, Item item)
{
	Posted &to = posted_to_[lane];
	to.number = lanes_.post(lane, *item.job, link_.messages());
	to.waits = item.waits;
	to.is_bad = false;
	to.is_long = false;
	to.wants_place = false;
	to.is_late = false;
	to.has_asked = false;
	to.since_ns = base::now_ns();
	began_ns_ = posted_ == 0 ? to.since_ns : began_ns_;
	to.deadline_ns = first_look(*item.job);
	to.has_cpu_time = false;
	to.job = std::move(item.job);
	base::store_relaxed(posted_, posted_ + 1);
}

std::unique_ptr<KernelJob> Workers::Supervisor::clear(Posted &lane)
{
	busy_ns_ += posted_ == 1 ? base::now_ns() - began_ns_ : 0;
	base::store_relaxed(posted_, posted_ - 1);
	return std::move(lane.job);
}

void Workers::Supervisor::take_ended(std::vector<std::unique_ptr<KernelJob>> &ended)
{
	bool wakes = false;
	{
		const std::lock_guard lock(mutex_);
		lanes_.note();
		lanes_.disarm();
		if (is_leaving_)
			return;
		for (uint32_t i = 0; i < UNPU_WORKER_LANES; i++) {
			Posted &lane = posted_to_[i];
			if (!lane.job || lane.is_bad || lane.is_long || lane.waits ||
			    !lanes_.has_ended(i, lane.number, lane.answer))
				continue;
			if (lane.answer.result != UNPU_WORKER_OK) {
				lane.is_bad = wakes = true;
				lane.ending = Ending::ANSWERED;
				lane.text = lanes_.sentence(i, lane.answer);
				continue;
			}
			if (lane.answer.output_bytes > Lanes::SHORT_OUTPUT) {
				lane.is_long = wakes = true;
				continue;
			}
			note_token_work("output of a kernel", lane.answer.output_bytes);
			lanes_.take_output(i, lane.answer, *lane.job);
			ended.push_back(clear(lane));
			jobs_--;
		}
		if (!queue_.empty() && can_post(queue_.front())) {
			const uint32_t lane = free_lane();
			post(lane, take_front());
			wakes |= posted_to_[lane].deadline_ns < wakes_at_ns_;
		} else
			wakes |= posted_ == 0 && (!queue_.empty() || kept_bytes_ != 0);
	}
	if (wakes)
		link_.wake();
}

bool Workers::Supervisor::arm()
{
	const std::lock_guard lock(mutex_);
	return posted_ == 0 || lanes_.arm();
}

/* From now on no thread waits for the launch of await(). Return: false if the launch is ending right now. */
bool Workers::Supervisor::stop_waiting()
{
	for (Item &item : queue_) {
		if (std::exchange(item.waits, false))
			return true;
	}
	for (Posted &lane : posted_to_) {
		if (lane.job && std::exchange(lane.waits, false))
			return true;
	}
	return false;
}

std::unique_ptr<KernelJob> Workers::Supervisor::await(uint64_t deadline_ns)
{
	for (;;) {
		const uint32_t seen = base::load_acquire(ended_);
		{
			const std::lock_guard lock(mutex_);
			if (awaited_)
				return std::move(awaited_);
			if (base::now_ns() >= deadline_ns) {
				if (stop_waiting())
					return nullptr;
				deadline_ns = base::NO_DEADLINE;
			}
		}
		(void)base::futex_wait(ended_, seen, deadline_ns, false);
	}
}

void Workers::Supervisor::work(Workers &workers)
{
	std::unique_lock lock(mutex_);
	while (!is_leaving_) {
		if (tend(workers))
			continue;
		is_open_ = link_.is_running();
		const uint64_t until_ns = next_look();
		const bool waits = std::any_of(posted_to_.begin(), posted_to_.end(),
					       [](const Posted &to) { return to.job && to.waits; });
		lock.unlock();
		const bool is_quiet = link_.wait(until_ns, waits);
		lock.lock();
		if (!is_quiet) {
			is_open_ = false;
			is_busy_ = true;
			lock.unlock();
			link_.end();
			lock.lock();
			is_busy_ = false;
		}
	}
	std::list<Item> left = std::move(queue_);
	std::array<Posted, UNPU_WORKER_LANES> posted = std::move(posted_to_);
	lock.unlock();
	left.clear();
	link_.end();
	for (Posted &lane : posted)
		lane.job.reset();
	base::store_release(has_ended_, uint32_t{1});
	workers.notify_();
}

/* Does the next piece of work that need not wait. Return: whether there was any. */
bool Workers::Supervisor::tend(Workers &workers)
{
	if (kept_bytes_ != 0 && renew(workers))
		return true;
	if (end_waited(workers) || end_long(workers))
		return true;
	if (find_bad()) {
		end_process(workers);
		return true;
	}
	if (ask_place())
		return true;
	if (queue_.empty())
		return false;
	if (queue_.front().is_launch())
		return post_front(workers);
	execute_front(workers);
	return true;
}

/* Ends the launches for which a thread waits. */
bool Workers::Supervisor::end_waited(Workers &workers)
{
	bool any = false;
	for (uint32_t i = 0; i < UNPU_WORKER_LANES; i++) {
		Posted &lane = posted_to_[i];
		if (!lane.job || !lane.waits || lane.is_bad ||
		    !lanes_.has_ended(i, lane.number, lane.answer))
			continue;
		lane.is_bad = lane.answer.result != UNPU_WORKER_OK;
		lane.ending = Ending::ANSWERED;
		if (lane.is_bad) {
			lane.text = lanes_.sentence(i, lane.answer);
			continue;
		}
		lanes_.take_output(i, lane.answer, *lane.job);
		finish(clear(lane), true, workers);
		any = true;
	}
	return any;
}

/* Takes the output of a launch that has ended, without the lock: the device waits for the lock. */
void Workers::Supervisor::take_output(Posted &lane)
{
	const auto number = static_cast<uint32_t>(&lane - posted_to_.data());
	lane.is_long = true;
	const base::Unlocked unlocked(mutex_);
	lanes_.take_output(number, lane.answer, *lane.job);
}

/* Ends the launches with a long output. They keep their lanes until then. */
bool Workers::Supervisor::end_long(Workers &workers)
{
	for (Posted &lane : posted_to_) {
		if (!lane.job || !lane.is_long || lane.is_bad)
			continue;
		take_output(lane);
		finish(clear(lane), lane.waits, workers);
		return true;
	}
	return false;
}

/* Asks the process once where a launch is. Return: whether there was such a launch. */
bool Workers::Supervisor::ask_place()
{
	for (Posted &lane : posted_to_) {
		if (!lane.job || !std::exchange(lane.wants_place, false))
			continue;
		const uint32_t number = lane.number;
		is_busy_ = true;
		{
			const base::Unlocked unlocked(mutex_);
			link_.ask_place(number);
		}
		is_busy_ = false;
		return true;
	}
	return false;
}

/* The process has ended: the board is quiet. A launch that has not begun is posted again, but only once. */
void Workers::Supervisor::sort_out(Posted &lane, std::vector<Posted> &bad, Workers &workers)
{
	const auto number = static_cast<uint32_t>(&lane - posted_to_.data());
	if ((!lane.is_bad || lane.ending != Ending::ANSWERED) &&
	    lanes_.has_ended(number, lane.number, lane.answer)) {
		take_output(lane);
		if (lane.answer.result == UNPU_WORKER_OK)
			return finish(clear(lane), lane.waits, workers);
		lane.is_bad = true;
		lane.ending = Ending::ANSWERED;
		lane.text = lanes_.sentence(number, lane.answer);
	} else if (lane.is_bad && lane.ending == Ending::ANSWERED)
		take_output(lane);
	else if (lane.is_bad && lane.ending == Ending::LATE) {
		lane.text = lanes_.place(number, lane.number);
		lane.answer.output_bytes = lanes_.printed(number, lane.number);
		take_output(lane);
	}
	if (!lane.is_bad && !lanes_.has_begun(number, lane.number) && !lane.job->is_again) {
		lane.job->is_again = true;
		put({clear(lane), nullptr, 0, lane.waits}, true);
		return;
	}
	/* From here on disown() finds it. */
	ending_.push_back(clear(lane));
	bad.push_back(std::move(lane));
}

/* Ends the process and all its launches. */
void Workers::Supervisor::end_process(Workers &workers)
{
	const bool is_dead = !link_.is_running();
	is_busy_ = true;
	is_open_ = false;
	{
		const base::Unlocked unlocked(mutex_);
		link_.end();
	}
	for (Posted &lane : posted_to_) {
		if (lane.job && !lane.is_bad)
			lane.ending = is_dead ? Ending::DEAD : Ending::BESIDE;
	}
	std::vector<Posted> bad;
	/* The first of them in the queue is the one that was posted first. */
	std::vector<Posted *> all;
	for (Posted &lane : posted_to_) {
		if (lane.job)
			all.push_back(&lane);
	}
	std::sort(all.begin(), all.end(), [](const Posted *left, const Posted *right) {
		return static_cast<int32_t>(left->number - right->number) > 0;
	});
	/* While an output is taken, the device may take another launch that has ended. */
	for (Posted *lane : all) {
		if (lane->job)
			sort_out(*lane, bad, workers);
	}
	std::vector<KernelJob *> failed;
	for (const auto &job : ending_)
		failed.push_back(job.get());
	{
		const base::Unlocked unlocked(mutex_);
		for (size_t i = 0; i < bad.size(); i++)
			link_.fail(*failed[i], bad[i].ending, bad[i].answer, bad[i].text);
	}
	std::vector<std::unique_ptr<KernelJob>> ended = std::move(ending_);
	ending_.clear();
	for (size_t i = 0; i < ended.size(); i++)
		finish(std::move(ended[i]), bad[i].waits, workers);
	is_busy_ = false;
}

uint32_t Workers::Supervisor::free_lane() const
{
	uint32_t lane = 0;
	while (lane < UNPU_WORKER_LANES && posted_to_[lane].job)
		lane++;
	return lane;
}

uint64_t Workers::Supervisor::newest_ns() const
{
	uint64_t newest = 0;
	for (const Posted &lane : posted_to_) {
		if (lane.job)
			newest = std::max(newest, lane.since_ns);
	}
	return newest;
}

/* Whether the next launch may use a free lane. It waits for the launches before it, but only for a limited
 * time. */
bool Workers::Supervisor::has_lane() const
{
	return posted_ == 0 ||
	       (posted_ != UNPU_WORKER_LANES && base::now_ns() >= newest_ns() + PATIENCE_NS);
}

/* Whether the caller may post @item, the next one, itself, without the supervisor's thread. */
bool Workers::Supervisor::can_post(const Item &item) const
{
	return item.is_launch() && !item.waits && !is_busy_ && is_open_ && has_lane();
}

Status Workers::Supervisor::start_unlocked()
{
	const base::Unlocked unlocked(mutex_);
	return link_.start();
}

/* Posts the launch at the front of the queue, if it need not wait any more. */
bool Workers::Supervisor::post_front(Workers &workers)
{
	if (!has_lane())
		return false;
	if (!link_.is_running()) {
		is_busy_ = true;
		const Status status = start_unlocked();
		is_busy_ = false;
		/* The launch may have been dropped meanwhile. */
		if (status == Status::OK || queue_.empty() || !queue_.front().is_launch())
			return true;
		Item item = take_front();
		link_.refuse(*item.job, status);
		finish(std::move(item.job), item.waits, workers);
		return true;
	}
	post(free_lane(), take_front());
	if (!lanes_.arm())
		workers.notify_();
	return true;
}

/* Loads an image, or tells the process of a change. */
void Workers::Supervisor::execute_front(Workers &workers)
{
	Item item = take_front();
	running_ = item.job.get();
	is_busy_ = true;
	{
		const base::Unlocked unlocked(mutex_);
		if (item.change)
			link_.change(std::move(*item.change));
		else if (!item.job)
			link_.forget(item.unloaded);
		else
			link_.load(*item.job);
	}
	is_busy_ = false;
	running_ = nullptr;
	if (std::exchange(is_stopping_, false))
		link_.allow_load();
	if (item.job)
		finish(std::move(item.job), item.waits, workers);
}

/* Returns a job under the lock. After leave() no job comes back, wherever it was, because its client may be
 * destroyed. */
void Workers::Supervisor::finish(std::unique_ptr<KernelJob> job, bool waits, Workers &workers)
{
	jobs_--;
	if (waits) {
		awaited_ = std::move(job);
		base::fetch_add(ended_, uint32_t{1});
		base::futex_wake_all(ended_, false);
	} else if (!is_leaving_)
		workers.finish(std::move(job));
}

uint64_t Workers::Supervisor::next_look()
{
	wakes_at_ns_ = base::deadline_after(LOOK_NS);
	for (const Posted &lane : posted_to_) {
		if (lane.job)
			wakes_at_ns_ = std::min(wakes_at_ns_, lane.deadline_ns);
	}
	if (posted_ != 0 && !queue_.empty() && queue_.front().is_launch() &&
	    posted_ != UNPU_WORKER_LANES)
		wakes_at_ns_ = std::min(wakes_at_ns_, newest_ns() + PATIENCE_NS);
	return wakes_at_ns_;
}

void Workers::Supervisor::disown(Waiter &owner)
{
	std::list<Item> dropped; /* destroyed without the lock */
	const std::lock_guard lock(mutex_);
	KernelJob *const job = std::exchange(owner.kernel, nullptr);
	/* After leave() the job may be gone. */
	if (!job || is_leaving_)
		return;
	job->owner = nullptr;
	if (job->is_queued) {
		dropped.splice(dropped.end(), queue_, job->place);
		jobs_--;
		return;
	}
	for (Posted &lane : posted_to_) {
		if (lane.job.get() != job)
			continue;
		if (!lane.is_bad) {
			lane.is_bad = true;
			lane.ending = Ending::STOPPED;
		}
		link_.wake();
	}
	if (running_ != job)
		return;
	is_stopping_ = true;
	link_.stop_load();
}

void Workers::Supervisor::leave()
{
	const std::lock_guard lock(mutex_);
	is_leaving_ = true;
	link_.stop_load();
}

std::string Workers::Supervisor::place(const KernelClient &client, uint64_t cookie)
{
	const std::lock_guard lock(mutex_);
	for (uint32_t i = 0; i < UNPU_WORKER_LANES; i++) {
		Posted &lane = posted_to_[i];
		if (!lane.job || lane.job->client != &client || lane.job->cookie != cookie)
			continue;
		std::string text = lanes_.place(i, lane.number);
		if (!lane.has_asked) {
			lane.wants_place = lane.has_asked = true;
			link_.wake();
		}
		return text;
	}
	return {};
}

bool Workers::Supervisor::settles() const
{
	const std::lock_guard lock(mutex_);
	return is_stopping_ ||
	       std::any_of(posted_to_.begin(), posted_to_.end(), [](const Posted &to) {
		       return to.job && to.is_bad && to.ending == Ending::STOPPED;
	       });
}

bool Workers::Supervisor::works() const
{
	const std::lock_guard lock(mutex_);
	return jobs_ != 0;
}

} // namespace fw
