// SPDX-License-Identifier: MIT
/**
 * DOC: Supervisors of workers
 *
 * The device's thread never waits for a worker: a supervisor sends messages and waits for answers. The kernel kills
 * the process of a worker when the thread that has started it ends, so no worker outlives its firmware.
 */
#include "workers.h"

#include <algorithm>
#include <mutex>

#include "base/os/machine.h"
#include "base/os/thread.h"
#include "base/sync/futex.h"
#include "supervisor.h"

namespace fw {

using base::Result;
using base::Status;

/* The socket, the board, the eventfd and the pidfd, and a table while an image is loaded. */
static constexpr uint64_t DESCRIPTORS = 5;

Status Workers::Supervisor::start(Workers &workers)
{
	const unsigned cpus = base::usable_cpus();
	TRY(link_.init(std::min(cpus, UNPU_WORKER_MAX_THREADS)));
	auto thread = base::start_thread("unpu-kernels", [this, &workers] { work(workers); });
	if (!thread)
		return thread.status();
	thread_ = thread.take();
	return Status::OK;
}

void Workers::Supervisor::append(Item item)
{
	const std::lock_guard lock(mutex_);
	if (is_leaving_)
		return;
	jobs_ += item.job != nullptr;
	queue_.push_back(std::move(item));
	wanted_.notify_one();
}

void Workers::Supervisor::submit(std::unique_ptr<KernelJob> job, bool waits)
{
	append({std::move(job), nullptr, 0, waits});
}

void Workers::Supervisor::change(MemoryChange change)
{
	append({nullptr, std::make_shared<MemoryChange>(std::move(change)), 0, false});
}

void Workers::Supervisor::forget(uint32_t image)
{
	append({nullptr, nullptr, image, false});
}

std::unique_ptr<KernelJob> Workers::Supervisor::await()
{
	for (;;) {
		const uint32_t seen = base::load_acquire(ended_);
		{
			const std::lock_guard lock(mutex_);
			if (awaited_)
				return std::move(awaited_);
		}
		(void)base::futex_wait(ended_, seen, base::NO_DEADLINE, false);
	}
}

void Workers::Supervisor::execute(Item &item)
{
	if (item.change)
		link_.change(std::move(*item.change));
	else if (!item.job)
		link_.forget(item.unloaded);
	else if (item.job->is_load)
		link_.load(*item.job);
	else
		link_.run(*item.job);
}

void Workers::Supervisor::work(Workers &workers)
{
	Lock lock(mutex_);
	while (!is_leaving_) {
		if (queue_.empty()) {
			wanted_.wait(lock);
			continue;
		}
		Item item = std::move(queue_.front());
		queue_.pop_front();
		running_ = item.job.get();
		lock.unlock();
		execute(item);
		lock.lock();
		running_ = nullptr;
		jobs_ -= item.job != nullptr;
		if (std::exchange(is_stopping_, false))
			link_.allow_work();
		if (!item.job)
			continue;
		if (item.waits) {
			awaited_ = std::move(item.job);
			base::fetch_add(ended_, uint32_t{1});
			base::futex_wake_all(ended_, false);
			continue;
		}
		/* Under the lock: after leave() nothing of the device is used any more. */
		if (item.job->client)
			workers.finish(std::move(item.job));
	}
	std::deque<Item> left = std::move(queue_);
	lock.unlock();
	left.clear();
	link_.end();
	base::store_release(has_ended_, uint32_t{1});
}

void Workers::Supervisor::disown(const Waiter &owner)
{
	std::deque<Item> dropped; /* destroyed without the lock */
	const std::lock_guard lock(mutex_);
	for (auto at = queue_.begin(); at != queue_.end();) {
		if (at->job && at->job->owner == &owner) {
			dropped.push_back(std::move(*at));
			at = queue_.erase(at);
			jobs_--;
		} else
			++at;
	}
	if (!running_ || running_->owner != &owner)
		return;
	running_->owner = nullptr;
	is_stopping_ = true;
	link_.stop_work();
}

void Workers::Supervisor::leave()
{
	const std::lock_guard lock(mutex_);
	is_leaving_ = true;
	if (running_) {
		running_->owner = nullptr;
		running_->client = nullptr;
	}
	link_.stop_work();
	wanted_.notify_one();
}

bool Workers::Supervisor::settles() const
{
	const std::lock_guard lock(mutex_);
	return is_stopping_;
}

bool Workers::Supervisor::works() const
{
	const std::lock_guard lock(mutex_);
	return jobs_ != 0;
}

Workers::~Workers()
{
	std::vector<std::shared_ptr<Supervisor>> all;
	{
		const std::lock_guard lock(mutex_);
		all = std::move(supervisors_);
	}
	for (const auto &supervisor : all)
		supervisor->leave();
	for (const auto &supervisor : all)
		supervisor->join();
}

/* Joins threads that have ended, which takes no time. */
void Workers::join_ended()
{
	std::vector<std::shared_ptr<Supervisor>> ended;
	{
		const std::lock_guard lock(mutex_);
		const auto first = std::stable_partition(
			supervisors_.begin(), supervisors_.end(),
			[](const auto &supervisor) { return !supervisor->has_ended(); });
		ended.assign(first, supervisors_.end());
		supervisors_.erase(first, supervisors_.end());
	}
	for (const auto &supervisor : ended)
		supervisor->join();
}

Result<std::shared_ptr<Workers::Supervisor>> Workers::start(const std::shared_ptr<Account> &account)
{
	join_ended();
	auto made = std::make_shared<Supervisor>();
	TRY(account->charge(Resource::THREADS, 1, made->charge));
	TRY(account->charge(Resource::DESCRIPTORS, DESCRIPTORS, made->descriptors));
	TRY(made->start(*this));
	const std::lock_guard lock(mutex_);
	supervisors_.push_back(made);
	return made;
}

void Workers::submit(Supervisor &supervisor, std::unique_ptr<KernelJob> job)
{
	supervisor.submit(std::move(job), false);
}

std::unique_ptr<KernelJob> Workers::run_now(Supervisor &supervisor, std::unique_ptr<KernelJob> job)
{
	supervisor.submit(std::move(job), true);
	return supervisor.await();
}

void Workers::change(Supervisor &supervisor, MemoryChange change)
{
	supervisor.change(std::move(change));
}

void Workers::forget(Supervisor &supervisor, uint32_t image)
{
	supervisor.forget(image);
}

void Workers::disown(Supervisor &supervisor, const Waiter &owner)
{
	supervisor.disown(owner);
	const std::lock_guard lock(mutex_);
	for (const auto &job : done_) {
		if (job->owner == &owner)
			job->owner = nullptr;
	}
}

bool Workers::settles(const Supervisor &supervisor) const
{
	return supervisor.settles();
}

bool Workers::works(const Supervisor &supervisor) const
{
	return supervisor.works();
}

void Workers::leave(Supervisor &supervisor, const KernelClient &client)
{
	supervisor.leave();
	const std::lock_guard lock(mutex_);
	for (const auto &job : done_) {
		if (job->client == &client) {
			job->owner = nullptr;
			job->client = nullptr;
		}
	}
}

void Workers::finish(std::unique_ptr<KernelJob> job)
{
	{
		const std::lock_guard lock(mutex_);
		done_.push_back(std::move(job));
		base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	}
	notify_();
}

std::unique_ptr<KernelJob> Workers::take_finished()
{
	const std::lock_guard lock(mutex_);
	if (done_.empty())
		return nullptr;
	auto job = std::move(done_.front());
	done_.pop_front();
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	return job;
}

} // namespace fw
