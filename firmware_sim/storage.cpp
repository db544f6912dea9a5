// SPDX-License-Identifier: MIT
/**
 * DOC: Storage
 *
 * The thread that waits for disks. Transfers arrive checked and translated and hold the segments they
 * touch, so that an unmap can't pull them away. What a file that hangs can hold up is bounded: nobody
 * who has the step token waits for one longer than PATIENCE.
 */
#include "storage.h"

#include <algorithm>

#include "base/clock.h"
#include "base/futex.h"
#include "base/ordering.h"
#include "base/thread.h"

namespace fw {

using base::Status;

static constexpr uint64_t PATIENCE_NS = 200 * base::NS_PER_MS;
/* The end of a device waits for so long. */
static constexpr uint64_t EXIT_PATIENCE_NS = base::NS_PER_S;

Storage::Storage(bool in_place, std::function<void()> notify, std::function<void()> begin)
	: in_place_(in_place), notify_(std::move(notify)), begin_(std::move(begin))
{
}

bool Storage::stop()
{
	if (!thread_.joinable())
		return true;
	{
		std::lock_guard lock(mutex_);
		stopping_ = true;
		for (auto &transfer : running_)
			base::store_relaxed(transfer->cancelled, uint32_t{1});
	}
	poke_->poke();
	uint64_t deadline_ns = base::deadline_after(EXIT_PATIENCE_NS);
	while (base::load_acquire(over_) == 0 && base::now_ns() < deadline_ns)
		base::futex_wait(over_, 0, deadline_ns, false);
	std::unique_lock lock(mutex_);
	left_ = base::load_acquire(over_) == 0;
	if (left_ && waits_for_files_) {
		thread_.detach();
		return false;
	}
	lock.unlock();
	thread_.join();
	return base::load_acquire(over_) != 0;
}

Status Storage::start()
{
	if (queue_)
		return Status::OK;
	auto poke = std::make_shared<Poke>();
	TRY(poke->init());
	poke_ = poke;
	if (!in_place_)
		queue_ = make_uring_queue(poke_);
	uring_ = queue_ != nullptr;
	if (!queue_)
		queue_ = make_plain_queue(poke_);
	counts_.method = queue_->name();
	return Status::OK;
}

void Storage::count(const Transfer &transfer)
{
	counts_.transfers++;
	(transfer.write ? counts_.written_bytes : counts_.read_bytes) += transfer.moved;
}

/* Where there is no thread: a stepped device, or a host that has none left. */
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

bool Storage::submit(std::unique_ptr<Transfer> transfer)
{
	if (!in_place_ && !thread_.joinable()) {
		auto thread = base::start_thread("unpu-storage", [this] { work(); });
		if (thread)
			thread_ = thread.take();
	}
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

template <class Test> bool Storage::wait_gone(std::unique_lock<std::mutex> &lock, Test test)
{
	uint64_t deadline_ns = base::deadline_after(PATIENCE_NS);
	poke_->poke();
	while (std::any_of(running_.begin(), running_.end(), test)) {
		uint32_t seen = base::load_acquire(ends_);
		if (base::now_ns() >= deadline_ns)
			return false;
		lock.unlock();
		base::futex_wait(ends_, seen, deadline_ns, false);
		lock.lock();
	}
	return true;
}

void Storage::cancel(const Waiter &owner)
{
	std::unique_lock lock(mutex_);
	auto mine = [&](const std::unique_ptr<Transfer> &transfer) {
		return transfer->owner == &owner;
	};
	for (auto &transfer : waiting_) {
		/* It was never begun. */
		if (mine(transfer)) {
			transfer->cancelled = 1;
			transfer->close();
		}
	}
	std::erase_if(waiting_, mine);
	std::erase_if(done_, mine);
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	const Transfer *cancelled = nullptr;
	for (auto &transfer : running_) {
		if (!mine(transfer))
			continue;
		transfer->owner = nullptr;
		base::store_relaxed(transfer->cancelled, uint32_t{1});
		cancelled = transfer.get();
	}
	if (cancelled)
		(void)wait_gone(lock, [&](const std::unique_ptr<Transfer> &transfer) {
			return transfer.get() == cancelled;
		});
}

Status Storage::settle(const void *party)
{
	std::unique_lock lock(mutex_);
	auto of_party = [&](const std::unique_ptr<Transfer> &transfer) {
		return transfer->party == party;
	};
	if (std::any_of(waiting_.begin(), waiting_.end(), of_party))
		return Status::IN_USE;
	if (std::none_of(running_.begin(), running_.end(), of_party))
		return Status::OK;
	return wait_gone(lock, of_party) ? Status::OK : Status::IN_USE;
}

void Storage::keep(const void *party, const std::shared_ptr<const void> &kept)
{
	std::lock_guard lock(mutex_);
	auto give = [&](auto &transfers) {
		for (auto &transfer : transfers) {
			if (transfer->party == party)
				transfer->kept = kept;
		}
	};
	give(waiting_);
	give(running_);
}

StorageCounts Storage::counts() const
{
	std::lock_guard lock(mutex_);
	return counts_;
}

/* Return: false when there will be no more. */
bool Storage::take_new(Mover &mover)
{
	std::lock_guard lock(mutex_);
	while (!waiting_.empty() && !stopping_) {
		mover.add(*waiting_.front());
		running_.push_back(std::move(waiting_.front()));
		waiting_.pop_front();
	}
	waits_for_files_ = !left_;
	return !stopping_;
}

/* Return: false when nobody is there any more. */
bool Storage::come_back()
{
	std::lock_guard lock(mutex_);
	waits_for_files_ = false;
	return !left_;
}

void Storage::hand_back(const std::vector<Transfer *> &ended, const Mover &mover)
{
	std::vector<std::unique_ptr<Transfer>> dropped;
	bool wanted = false;
	{
		std::lock_guard lock(mutex_);
		for (Transfer *transfer : ended) {
			auto found = std::find_if(
				running_.begin(), running_.end(),
				[&](const auto &entry) { return entry.get() == transfer; });
			count(*transfer);
			wanted = wanted || transfer->owner;
			if (transfer->owner)
				done_.push_back(std::move(*found));
			else
				dropped.push_back(std::move(*found));
			running_.erase(found);
		}
		counts_.direct_bytes = mover.direct_bytes();
		counts_.bounced_bytes = mover.bounced_bytes();
		counts_.disk = queue_->counts();
		base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
	}
	base::fetch_add(ends_, uint32_t{1});
	base::futex_wake_all(ends_, false);
	if (wanted)
		notify_();
}

void Storage::work()
{
	auto mover = std::make_unique<Mover>(*queue_);
	std::vector<Transfer *> ended;
	begin_();
	for (;;) {
		bool more = take_new(*mover);
		if (!more && mover->idle())
			break;
		queue_->sweep();
		mover->turn(true, ended);
		if (!come_back()) {
			/* The kernel may still write there. */
			(void)mover.release();
			return;
		}
		if (!ended.empty())
			hand_back(ended, *mover);
		ended.clear();
	}
	base::store_release(over_, uint32_t{1});
	base::futex_wake_all(over_, false);
}

} // namespace fw
