// SPDX-License-Identifier: MIT
/**
 * DOC: Workers of a device
 */
#include "workers.h"

#include <algorithm>
#include <mutex>

#include "base/hot_path.h"
#include "base/os/machine.h"
#include "supervisor.h"

namespace fw {

using base::Result;
using base::Status;

Workers::~Workers()
{
	std::vector<std::shared_ptr<Supervisor>> all;
	all = std::move(supervisors_);
	for (const auto &supervisor : all)
		supervisor->leave();
	for (const auto &supervisor : all)
		supervisor->join();
}

/* Joins threads that have ended, which takes no time. */
void Workers::join_ended()
{
	std::vector<std::shared_ptr<Supervisor>> ended;
	const auto first = std::stable_partition(
		supervisors_.begin(), supervisors_.end(),
		[](const auto &supervisor) { return !supervisor->has_ended(); });
	ended.assign(first, supervisors_.end());
	supervisors_.erase(first, supervisors_.end());
	for (const auto &supervisor : ended) {
		supervisor->join();
		ended_busy_ns_ += supervisor->busy_ns();
	}
}

uint64_t Workers::Supervisor::busy_ns() const
{
	const std::lock_guard lock(mutex_);
	return busy_ns_ + (posted_ != 0 ? base::now_ns() - began_ns_ : 0);
}

uint64_t Workers::busy_ns() const
{
	uint64_t sum = ended_busy_ns_;
	for (const auto &supervisor : supervisors_)
		sum += supervisor->busy_ns();
	return sum;
}

/* Without a quota a client may use all memory of the machine, and so may its worker. */
uint64_t Workers::heap_bytes(uint64_t quota_bytes)
{
	constexpr uint64_t LEAST = uint64_t{8} << 20, MOST = uint64_t{4} << 30;
	return quota_bytes ? std::clamp(quota_bytes / 4, LEAST, MOST) : base::host_memory_bytes();
}

uint64_t Workers::charged_bytes(uint64_t quota_bytes)
{
	return heap_bytes(quota_bytes) + UNPU_WORKER_BOARD_BYTES + UNPU_KERNEL_MAX_TEXT_BYTES +
	       KernelImage::TABLE_BYTES;
}

Result<std::shared_ptr<Workers::Supervisor>> Workers::start(const std::shared_ptr<Account> &account,
							    uint64_t quota_bytes)
{
	join_ended();
	auto made = std::make_shared<Supervisor>();
	TRY(account->charge(Resource::THREADS, 1, made->charge));
	TRY(account->charge(Resource::DESCRIPTORS, DESCRIPTORS, made->descriptors));
	if (!is_inline_ && quota_bytes)
		TRY(account->charge(Resource::MEMORY, charged_bytes(quota_bytes), made->memory));
	TRY(made->start(*this, heap_bytes(quota_bytes), quota_bytes));
	supervisors_.push_back(made);
	TRY(watch_kick_(made->kick()));
	return made;
}

void Workers::submit(Supervisor &supervisor, std::unique_ptr<KernelJob> job)
{
	if (job->owner)
		job->owner->kernel = job.get();
	supervisor.submit(std::move(job), false);
}

bool Workers::in_flight() const
{
	return std::any_of(supervisors_.begin(), supervisors_.end(),
			   [](const auto &supervisor) { return supervisor->in_flight(); });
}

/* A supervisor whose thread has ended counts as news, too, because take_ended() has to free its resources. */
HOT_PATH bool Workers::has_news() const
{
	return std::any_of(supervisors_.begin(), supervisors_.end(), [](const auto &supervisor) {
		return supervisor->has_news() || supervisor->has_ended();
	});
}

std::vector<std::unique_ptr<KernelJob>> Workers::take_ended()
{
	std::vector<std::unique_ptr<KernelJob>> ended;
	for (const auto &supervisor : supervisors_) {
		if (supervisor->has_news())
			supervisor->take_ended(ended);
	}
	join_ended();
	return ended;
}

bool Workers::arm()
{
	for (const auto &supervisor : supervisors_) {
		if (supervisor->in_flight() && !supervisor->arm())
			return false;
	}
	return true;
}

std::unique_ptr<KernelJob> Workers::run_now(Supervisor &supervisor, std::unique_ptr<KernelJob> job,
					    uint64_t deadline_ns)
{
	if (job->owner)
		job->owner->kernel = job.get();
	supervisor.submit(std::move(job), true);
	return supervisor.await(deadline_ns);
}

void Workers::change(Supervisor &supervisor, MemoryChange change)
{
	supervisor.change(std::move(change));
}

void Workers::forget(Supervisor &supervisor, uint32_t image)
{
	supervisor.forget(image);
}

void Workers::disown(Supervisor &supervisor, Waiter &owner)
{
	supervisor.disown(owner);
}

void Workers::keep(Supervisor &supervisor, Charge charge, uint64_t bytes)
{
	supervisor.keep(std::move(charge), bytes);
}

bool Workers::take_back(Supervisor &supervisor)
{
	return supervisor.take_back();
}

std::string Workers::place(Supervisor &supervisor, const KernelClient &client, uint64_t cookie)
{
	return supervisor.place(client, cookie);
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
		done_.add(std::move(job));
	}
	notify_();
}

std::unique_ptr<KernelJob> Workers::take_finished()
{
	const std::lock_guard lock(mutex_);
	return done_.take();
}

} // namespace fw
