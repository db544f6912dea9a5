// SPDX-License-Identifier: MIT
/**
 * DOC: Storage
 *
 * The thread that does file operations. Transfers arrive checked and translated and hold references to
 * the segments that they touch, so an unmap cannot free them under the thread. No thread waits for a
 * transfer while it holds the step token: a mailbox request that needs its end is deferred.
 */
#include "storage.h"

#include <algorithm>

#include "base/clock.h"
#include "base/os/thread.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"

namespace fw {

using base::Status;

/* How long stop() waits for the thread. */
static constexpr uint64_t EXIT_PATIENCE_NS = base::NS_PER_S;

Storage::Storage(bool in_place, std::function<void()> notify, std::function<void()> begin)
	: in_place_(in_place), notify_(std::move(notify)), begin_(std::move(begin))
{
}

bool Storage::stop()
{
	if (!thread_.joinable()) {
		std::lock_guard lock(mutex_);
		return stuck_ == 0;
	}
	{
		std::lock_guard lock(mutex_);
		stopping_ = true;
		for (auto &transfer : running_)
			base::store_relaxed(transfer->cancelled, uint32_t{1});
	}
	poke_->poke();
	const uint64_t deadline_ns = base::deadline_after(EXIT_PATIENCE_NS);
	while (base::load_acquire(over_) == 0 && base::now_ns() < deadline_ns)
		base::futex_wait(over_, 0, deadline_ns, false);
	std::unique_lock lock(mutex_);
	left_ = base::load_acquire(over_) == 0;
	if (left_ && waits_for_files_) {
		thread_.detach();
		return false;
	}
	bool all = stuck_ == 0;
	lock.unlock();
	thread_.join();
	return all && base::load_acquire(over_) != 0;
}

std::unique_ptr<DiskQueue> Storage::make_queue()
{
	auto queue = in_place_ ? nullptr : make_uring_queue(poke_);
	return queue ? std::move(queue) : make_plain_queue(poke_);
}

Status Storage::start()
{
	if (worker_)
		return Status::OK;
	auto poke = std::make_shared<Poke>();
	TRY(poke->init());
	poke_ = poke;
	worker_ = std::make_shared<Worker>(make_queue());
	uring_ = !worker_->queue->blocks();
	counts_.method = worker_->queue->name();
	return Status::OK;
}

void Storage::count(const Transfer &transfer)
{
	counts_.transfers++;
	(transfer.write ? counts_.written_bytes : counts_.read_bytes) += transfer.moved;
}

/* Moves the transfer on the calling thread: on a stepped device, or if the host could start no thread. */
void Storage::run_now(std::unique_ptr<Transfer> transfer)
{
	auto plain = make_plain_queue(poke_);
	Mover mover(*plain);
	std::vector<Transfer *> ended;
	mover.add(*transfer);
	while (!mover.idle())
		mover.turn(false, ended);
	std::lock_guard lock(mutex_);
	count(*transfer);
	counts_.direct_bytes += mover.direct_bytes();
	counts_.bounced_bytes += mover.bounced_bytes();
	done_.push_back(std::move(transfer));
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
}

void Storage::start_thread()
{
	auto thread =
		base::start_thread("unpu-storage", [this, worker = worker_] { work(worker); });
	if (thread)
		thread_ = thread.take();
}

bool Storage::submit(std::unique_ptr<Transfer> transfer)
{
	if (!in_place_ && !thread_.joinable())
		start_thread();
	if (!thread_.joinable()) {
		run_now(std::move(transfer));
		return true;
	}
	{
		std::lock_guard lock(mutex_);
		waiting_.push_back(std::move(transfer));
	}
	poke_->poke();
	return false;
}

bool Storage::finished() const
{
	return base::load_acquire(done_hint_) != 0;
}

std::unique_ptr<Transfer> Storage::take_finished()
{
	std::lock_guard lock(mutex_);
	if (done_.empty())
		return nullptr;
	auto transfer = std::move(done_.front());
	done_.pop_front();
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	return transfer;
}

void Storage::cancel(const Waiter &owner)
{
	std::lock_guard lock(mutex_);
	auto mine = [&](const std::unique_ptr<Transfer> &transfer) {
		return transfer->owner == &owner;
	};
	for (auto &transfer : waiting_) {
		/* A queued transfer: close it here, because the thread never gets it. */
		if (mine(transfer)) {
			transfer->cancelled = 1;
			transfer->close();
		}
	}
	std::erase_if(waiting_, mine);
	std::erase_if(done_, mine);
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	for (auto &transfer : running_) {
		if (!mine(transfer))
			continue;
		transfer->owner = nullptr;
		base::store_relaxed(transfer->cancelled, uint32_t{1});
		poke_->poke();
	}
}

bool Storage::settles(const void *party) const
{
	std::lock_guard lock(mutex_);
	return std::any_of(running_.begin(), running_.end(), [&](const auto &transfer) {
		return transfer->party == party && base::load_relaxed(transfer->cancelled) &&
		       !base::load_relaxed(transfer->lost);
	});
}

bool Storage::works_for(const void *party) const
{
	const auto is_theirs = [&](const auto &transfer) {
		return transfer->party == party && !base::load_relaxed(transfer->lost);
	};
	std::lock_guard lock(mutex_);
	return std::any_of(waiting_.begin(), waiting_.end(), is_theirs) ||
	       std::any_of(running_.begin(), running_.end(), is_theirs);
}

static bool stands(const Transfer &transfer, uint64_t now_ns, uint64_t limit_ns)
{
	uint64_t since_ns = base::load_relaxed(transfer.stands_since_ns);
	return since_ns != 0 && now_ns > since_ns && now_ns - since_ns > limit_ns &&
	       !base::load_relaxed(transfer.lost);
}

std::vector<Overdue> Storage::overdue(uint64_t now_ns, uint64_t limit_ns) const
{
	std::vector<Overdue> late;
	std::lock_guard lock(mutex_);
	for (const auto &transfer : running_) {
		if (stands(*transfer, now_ns, limit_ns))
			late.push_back({transfer->owner, transfer->client, transfer->cookie,
					base::load_relaxed(transfer->stands_since_ns)});
	}
	return late;
}

bool Storage::running() const
{
	std::lock_guard lock(mutex_);
	return std::any_of(running_.begin(), running_.end(), [](const auto &transfer) {
		return !base::load_relaxed(transfer->lost);
	});
}

/* Replaces a stuck thread. Transfers of other clients start again after their last moved byte. Context:
 * the lock is held.
 * Return: false when the thread is not inside an operation and so returns by itself. */
bool Storage::replace_worker()
{
	if (!worker_->mover->abandon())
		return false;
	worker_->left = true;
	stuck_++;
	for (auto at = running_.rbegin(); at != running_.rend(); ++at) {
		Transfer &transfer = **at;
		if (base::load_relaxed(transfer.lost)) {
			worker_->stuck_in.push_back(std::move(*at));
			continue;
		}
		transfer.next = transfer.moved;
		waiting_.push_front(std::move(*at));
	}
	running_.clear();
	thread_.detach();
	thread_ = {};
	worker_ = std::make_shared<Worker>(make_plain_queue(poke_));
	start_thread();
	return true;
}

/* Marks the matching running transfers as lost, and replaces the thread if it is stuck in one. Context:
 * the lock is held. */
template <class Which> void Storage::lose(const Which &which)
{
	bool stuck = false;
	for (const auto &transfer : running_) {
		if (!which(*transfer))
			continue;
		transfer->owner = nullptr;
		base::store_relaxed(transfer->cancelled, uint32_t{1});
		base::store_relaxed(transfer->lost, uint32_t{1});
		stuck = stuck || base::load_relaxed(transfer->stands_since_ns) != 0;
	}
	if (!stuck)
		return;
	if (!worker_->queue->blocks() || !replace_worker())
		losses_ = true;
	poke_->poke();
}

void Storage::give_up(const void *party)
{
	std::lock_guard lock(mutex_);
	auto of_party = [&](const auto &transfer) { return transfer->party == party; };
	std::erase_if(waiting_, of_party);
	std::erase_if(done_, of_party);
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	lose([&](const Transfer &transfer) { return transfer.party == party; });
}

void Storage::give_up_overdue(uint64_t now_ns, uint64_t limit_ns)
{
	std::lock_guard lock(mutex_);
	lose([&](const Transfer &transfer) {
		return !transfer.owner && stands(transfer, now_ns, limit_ns);
	});
}

StorageCounts Storage::counts() const
{
	std::lock_guard lock(mutex_);
	return counts_;
}

/* Return: false when no more transfers will come. */
bool Storage::take_new(Worker &worker)
{
	std::lock_guard lock(mutex_);
	if (worker.left)
		return false;
	while (!waiting_.empty() && !stopping_) {
		worker.mover->add(*waiting_.front());
		running_.push_back(std::move(waiting_.front()));
		waiting_.pop_front();
	}
	if (std::exchange(losses_, false))
		worker.mover->write_off();
	waits_for_files_ = !left_;
	return !stopping_;
}

/* Return: false when stop() has detached this thread, or another thread has replaced it. */
bool Storage::come_back(const Worker &worker)
{
	std::lock_guard lock(mutex_);
	if (worker.left) {
		stuck_--;
		return false;
	}
	waits_for_files_ = false;
	return !left_;
}

/* An unmap request is refused while a transfer holds the memory, and it comes as soon as no transfer is
 * running. So a transfer without an owner drops its shared references here, under the lock. */
static std::unique_ptr<Transfer> drop_shared(std::unique_ptr<Transfer> transfer)
{
	transfer->memory.drop_shared();
	transfer->state_memory.drop_shared();
	return transfer;
}

void Storage::hand_back(const std::vector<Transfer *> &ended, const Worker &worker)
{
	std::vector<std::unique_ptr<Transfer>> dropped;
	{
		std::lock_guard lock(mutex_);
		for (Transfer *transfer : ended) {
			auto found = std::find_if(
				running_.begin(), running_.end(),
				[&](const auto &entry) { return entry.get() == transfer; });
			count(*transfer);
			if (transfer->owner)
				done_.push_back(std::move(*found));
			else
				dropped.push_back(drop_shared(std::move(*found)));
			running_.erase(found);
		}
		counts_.direct_bytes = worker.mover->direct_bytes();
		counts_.bounced_bytes = worker.mover->bounced_bytes();
		counts_.disk = worker.queue->counts();
		base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	}
	notify_();
}

void Storage::work(const std::shared_ptr<Worker> &worker)
{
	std::vector<Transfer *> ended;
	begin_();
	for (;;) {
		bool more = take_new(*worker);
		if (!more && worker->mover->idle())
			break;
		worker->queue->sweep();
		worker->mover->turn(true, ended);
		if (!come_back(*worker)) {
			/* The kernel may still write to the mover's buffers, so they are leaked. */
			(void)worker->mover.release();
			return;
		}
		if (!ended.empty())
			hand_back(ended, *worker);
		ended.clear();
	}
	base::store_release(over_, uint32_t{1});
	base::futex_wake_all(over_, false);
}

} // namespace fw
