// SPDX-License-Identifier: MIT
/**
 * DOC: Storage
 *
 * The threads that do file operations, one for each client. Transfers arrive checked and translated and hold
 * references to the segments that they touch, so an unmap cannot free them under the thread. No thread waits
 * for a transfer while it holds the step token: a mailbox request that needs its end is deferred.
 */
#include "storage.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

#include "base/clock.h"
#include "base/hot_path.h"
#include "base/no_destructor.h"
#include "base/os/thread.h"
#include "base/sync/futex.h"
#include "base/sync/mutex.h"
#include "base/sync/ordering.h"

namespace fw {

using base::Status;

/* How long stop() waits for the threads. */
static constexpr uint64_t EXIT_PATIENCE_NS = base::NS_PER_S;
/* An eventfd, and the ring of io_uring. */
static constexpr uint64_t LANE_DESCRIPTORS = 2;
/* The most transfers of a client that its thread runs at one time. The others wait in a list, from which the
 * next one is taken without a search, because there may be one for each line of a graph. */
static constexpr size_t RUNNING_MOST = 64;

Storage::Storage(StorageKind kind, std::function<void()> notify, std::function<void()> begin)
	: kind_(kind), notify_(std::move(notify)), begin_(std::move(begin))
{
}

bool Storage::stop()
{
	const uint64_t deadline_ns = base::deadline_after(EXIT_PATIENCE_NS);
	Lanes lanes;
	{
		std::lock_guard lock(mutex_);
		lanes = lanes_;
		for (const auto &lane : lanes) {
			lane->is_leaving = true;
			for (auto &transfer : lane->running)
				base::store_relaxed(transfer->cancelled, uint32_t{1});
			if (lane->poke)
				lane->poke->poke();
		}
	}
	for (const auto &lane : lanes) {
		while (base::load_acquire(lane->over) == 0 && base::now_ns() < deadline_ns)
			base::futex_wait(lane->over, 0, deadline_ns, false);
	}
	std::unique_lock lock(mutex_);
	bool all = stuck_ == 0;
	for (const auto &lane : lanes) {
		if (base::load_acquire(lane->over) == 0 && lane->waits_for_files) {
			lane->thread.detach();
			left_ = true;
			all = false;
		}
	}
	lock.unlock();
	for (const auto &lane : lanes) {
		if (lane->thread.joinable())
			lane->thread.join();
		all = all && base::load_acquire(lane->over) != 0;
	}
	return all;
}

void Storage::probe()
{
	if (std::exchange(is_probed_, true) || kind_ != StorageKind::THREADS)
		return;
	auto poke = std::make_shared<WakeEvent>();
	has_uring_ = poke->init() == Status::OK && make_uring_queue(poke) != nullptr;
}

/* Joins threads that have ended, which takes no time. */
void Storage::join_ended()
{
	Lanes ended;
	{
		std::lock_guard lock(mutex_);
		const auto first =
			std::stable_partition(lanes_.begin(), lanes_.end(), [](const auto &lane) {
				return base::load_acquire(lane->over) == 0;
			});
		ended.assign(std::make_move_iterator(first), std::make_move_iterator(lanes_.end()));
		lanes_.erase(first, lanes_.end());
	}
	for (const auto &lane : ended)
		lane->thread.join();
}

Storage::Lane *Storage::find(const void *client_queue) const
{
	auto found = std::find_if(lanes_.begin(), lanes_.end(), [&](const auto &lane) {
		return lane->client_queue == client_queue && !lane->is_leaving;
	});
	return found == lanes_.end() ? nullptr : found->get();
}

/* Starts another thread for @lane. @plain: without io_uring */
Status Storage::start_thread(const std::shared_ptr<Lane> &lane, bool plain)
{
	auto worker = std::make_shared<Worker>();
	TRY(lane->account->charge(Resource::THREADS, 1, worker->charge));
	worker->queue = make_plain_queue(lane->poke);
	worker->mover = std::make_unique<Mover>(*worker->queue);
	auto thread = TRY(base::start_thread("unpu-storage", [this, lane, worker, plain] {
		begin_();
		if (has_uring_ && !plain)
			use_uring(*lane, *worker);
		work(*lane, *worker);
	}));
	lane->worker = std::move(worker);
	lane->thread = std::move(thread);
	return Status::OK;
}

Status Storage::open(const void *client_queue, const std::shared_ptr<Account> &account)
{
	join_ended();
	probe();
	std::lock_guard lock(mutex_);
	counts_.method = has_uring_ ? "io_uring" : "preadv";
	if (!has_thread() || find(client_queue))
		return Status::OK;
	auto lane = std::make_shared<Lane>();
	auto poke = std::make_shared<WakeEvent>();
	lane->client_queue = client_queue;
	lane->account = account;
	TRY(account->charge(Resource::DESCRIPTORS, LANE_DESCRIPTORS, lane->descriptors));
	TRY(poke->init());
	lane->poke = std::move(poke);
	lanes_.reserve(lanes_.size() + 1);
	TRY(start_thread(lane, false));
	lanes_.push_back(std::move(lane));
	return Status::OK;
}

void Storage::leave(const void *client_queue)
{
	{
		std::lock_guard lock(mutex_);
		if (Lane *lane = find(client_queue)) {
			lane->is_leaving = true;
			lane->poke->poke();
		}
	}
	join_ended();
}

void Storage::count(const Transfer &transfer)
{
	counts_.transfers++;
	(transfer.is_write ? counts_.written_bytes : counts_.read_bytes) += transfer.moved;
}

void Storage::note_done()
{
	base::store_release(done_hint_, static_cast<uint32_t>(done_.size()));
}

/* Moves the transfer on the calling thread. */
void Storage::run_now(std::unique_ptr<Transfer> transfer)
{
	auto plain = make_plain_queue(nullptr);
	Mover mover(*plain);
	std::vector<Transfer *> ended;
	mover.add(*transfer);
	while (!mover.idle())
		mover.turn(false, ended);
	std::lock_guard lock(mutex_);
	count(*transfer);
	counts_.direct_bytes += mover.direct_bytes();
	counts_.bounced_bytes += mover.bounced_bytes();
	put(done_, std::move(transfer));
	note_done();
}

void Storage::put(Transfers &queue, std::unique_ptr<Transfer> transfer, bool is_first)
{
	Transfer &put = *transfer;
	put.place = queue.insert(is_first ? queue.begin() : queue.end(), std::move(transfer));
	put.queue = &queue;
}

bool Storage::submit(std::unique_ptr<Transfer> transfer)
{
	if (transfer->owner)
		transfer->owner->transfer = transfer.get();
	if (!has_thread()) {
		run_now(std::move(transfer));
		return true;
	}
	std::lock_guard lock(mutex_);
	/* A client has a lane before it has a file. */
	Lane *lane = find(transfer->client_queue);
	put(lane->waiting, std::move(transfer));
	lane->poke->poke();
	return false;
}

HOT_PATH bool Storage::finished() const
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
	note_done();
	return transfer;
}

void Storage::cancel(Waiter &owner)
{
	Transfers dropped; /* destroyed without the lock */
	const std::lock_guard lock(mutex_);
	Transfer *const transfer = std::exchange(owner.transfer, nullptr);
	if (!transfer)
		return;
	if (!transfer->queue) {
		transfer->owner = nullptr;
		base::store_relaxed(transfer->cancelled, uint32_t{1});
		if (const Lane *lane = find(transfer->client_queue))
			lane->poke->poke();
		return;
	}
	/* A queued transfer: close it here, because the thread never gets it. */
	if (transfer->queue != &done_) {
		transfer->cancelled = 1;
		transfer->close();
	}
	dropped.splice(dropped.end(), *transfer->queue, transfer->place);
	note_done();
}

/* The end of @transfer will not be reported. */
static void disown(Transfer &transfer)
{
	if (transfer.owner)
		transfer.owner->transfer = nullptr;
	transfer.owner = nullptr;
}

bool Storage::settles(const void *client_queue) const
{
	std::lock_guard lock(mutex_);
	const Lane *lane = find(client_queue);
	return lane && std::any_of(lane->running.begin(), lane->running.end(), [](const auto &of) {
		       return base::load_relaxed(of->cancelled) && !base::load_relaxed(of->lost);
	       });
}

static bool is_lost(const std::unique_ptr<Transfer> &transfer)
{
	return base::load_relaxed(transfer->lost);
}

bool Storage::works_for(const void *client_queue) const
{
	std::lock_guard lock(mutex_);
	const Lane *lane = find(client_queue);
	return lane && !(std::all_of(lane->waiting.begin(), lane->waiting.end(), is_lost) &&
			 std::all_of(lane->running.begin(), lane->running.end(), is_lost));
}

static bool stands(const Transfer &transfer, uint64_t now_ns, uint64_t limit_ns)
{
	uint64_t since_ns = base::load_relaxed(transfer.stands_since_ns);
	return since_ns != 0 && now_ns > since_ns && now_ns - since_ns > limit_ns &&
	       !base::load_relaxed(transfer.lost);
}

std::vector<TimedOutWork> Storage::overdue(uint64_t now_ns, uint64_t limit_ns) const
{
	std::vector<TimedOutWork> late;
	std::lock_guard lock(mutex_);
	for (const auto &lane : lanes_) {
		for (const auto &transfer : lane->running) {
			if (stands(*transfer, now_ns, limit_ns))
				late.push_back({transfer->owner, transfer->client, transfer->cookie,
						base::load_relaxed(transfer->stands_since_ns)});
		}
	}
	return late;
}

bool Storage::running() const
{
	std::lock_guard lock(mutex_);
	return std::any_of(lanes_.begin(), lanes_.end(), [](const auto &lane) {
		return !std::all_of(lane->running.begin(), lane->running.end(), is_lost);
	});
}

/* Replaces a stuck thread, if the client may have one more. The client's other transfers start again after
 * their last moved byte. Without another thread they wait. */
void Storage::replace_worker(const std::shared_ptr<Lane> &lane)
{
	const std::shared_ptr<Worker> stuck = lane->worker;
	std::thread former = std::move(lane->thread);
	if (start_thread(lane, true) != Status::OK) {
		lane->thread = std::move(former);
		return;
	}
	/* The thread may have left the operation meanwhile: then it continues instead of the new one. */
	if (!stuck->mover->abandon()) {
		std::swap(former, lane->thread);
		lane->worker->has_left = true;
		lane->worker = stuck;
		stuck_++;
		former.detach();
		lane->has_losses = true;
		return;
	}
	stuck->has_left = true;
	stuck_++;
	for (auto at = lane->running.rbegin(); at != lane->running.rend(); ++at) {
		Transfer &transfer = **at;
		if (base::load_relaxed(transfer.lost)) {
			stuck->stuck_in.push_back(std::move(*at));
			continue;
		}
		transfer.next = transfer.moved;
		put(lane->waiting, std::move(*at), true);
	}
	lane->running.clear();
	former.detach();
}

/* Marks the matching running transfers as lost. Return: whether the thread may be stuck in one. */
template <class Which> bool Storage::lose(Lane &lane, const Which &which)
{
	bool stuck = false;
	for (const auto &transfer : lane.running) {
		if (!which(*transfer))
			continue;
		disown(*transfer);
		base::store_relaxed(transfer->cancelled, uint32_t{1});
		base::store_relaxed(transfer->lost, uint32_t{1});
		stuck = stuck || base::load_relaxed(transfer->stands_since_ns) != 0;
	}
	if (stuck) {
		lane.has_losses = true;
		lane.poke->poke();
	}
	return stuck;
}

void Storage::give_up(const void *client_queue)
{
	std::lock_guard lock(mutex_);
	std::erase_if(done_, [&](const auto &transfer) {
		if (transfer->client_queue != client_queue)
			return false;
		disown(*transfer);
		return true;
	});
	note_done();
	Lane *lane = find(client_queue);
	if (!lane)
		return;
	for (const auto &transfer : lane->waiting)
		disown(*transfer);
	lane->waiting.clear();
	lose(*lane, [](const Transfer &) { return true; });
}

void Storage::give_up_overdue(uint64_t now_ns, uint64_t limit_ns)
{
	std::lock_guard lock(mutex_);
	for (const auto &lane : lanes_) {
		const bool stuck = lose(*lane, [&](const Transfer &transfer) {
			return !transfer.owner && stands(transfer, now_ns, limit_ns);
		});
		if (stuck && !lane->is_leaving && lane->worker->queue->blocks())
			replace_worker(lane);
	}
}

size_t Storage::threads() const
{
	std::lock_guard lock(mutex_);
	return stuck_ + static_cast<size_t>(
				std::count_if(lanes_.begin(), lanes_.end(), [](const auto &lane) {
					return base::load_acquire(lane->over) == 0;
				}));
}

StorageCounts Storage::counts() const
{
	std::lock_guard lock(mutex_);
	StorageCounts all = counts_;
	for (const auto &lane : lanes_) {
		all.disk.fixed_files += lane->disk.fixed_files;
		all.disk.fixed_bytes += lane->disk.fixed_bytes;
		all.disk.fixed_operations += lane->disk.fixed_operations;
	}
	return all;
}

/* Return: false when no more transfers will come. */
bool Storage::take_new(Lane &lane, Worker &worker)
{
	std::lock_guard lock(mutex_);
	if (worker.has_left)
		return false;
	while (!lane.waiting.empty() && !lane.is_leaving && lane.running.size() < RUNNING_MOST) {
		Transfer &next = *lane.waiting.front();
		worker.mover->add(next);
		next.queue = nullptr;
		lane.running.push_back(std::move(lane.waiting.front()));
		lane.waiting.pop_front();
	}
	if (std::exchange(lane.has_losses, false))
		worker.mover->write_off();
	lane.disk = worker.queue->counts();
	lane.waits_for_files = !left_;
	return !lane.is_leaving;
}

/* Return: false when stop() has detached this thread, or another thread has replaced it. */
bool Storage::come_back(Lane &lane, const Worker &worker)
{
	std::lock_guard lock(mutex_);
	if (worker.has_left) {
		stuck_--;
		return false;
	}
	lane.waits_for_files = false;
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

void Storage::hand_back(Lane &lane, Worker &worker, const std::vector<Transfer *> &ended)
{
	std::vector<std::unique_ptr<Transfer>> dropped;
	{
		std::lock_guard lock(mutex_);
		for (Transfer *transfer : ended) {
			auto found = std::find_if(
				lane.running.begin(), lane.running.end(),
				[&](const auto &entry) { return entry.get() == transfer; });
			count(*transfer);
			if (transfer->owner)
				put(done_, std::move(*found));
			else
				dropped.push_back(drop_shared(std::move(*found)));
			lane.running.erase(found);
		}
		const Mover &mover = *worker.mover;
		counts_.direct_bytes += mover.direct_bytes() -
					std::exchange(worker.direct_bytes, mover.direct_bytes());
		counts_.bounced_bytes += mover.bounced_bytes() -
					 std::exchange(worker.bounced_bytes, mover.bounced_bytes());
		lane.disk = worker.queue->counts();
		note_done();
	}
	notify_();
}

/* The last thing that a thread does with the Storage. */
void Storage::end_thread(Lane &lane, Worker &worker)
{
	Transfers rest;
	worker.mover.reset();
	worker.queue.reset();
	{
		std::lock_guard lock(mutex_);
		worker.charge.end();
		if (worker.has_left) {
			stuck_--;
			return;
		}
		rest.swap(lane.waiting);
		counts_.disk.fixed_operations += std::exchange(lane.disk, {}).fixed_operations;
		lane.poke.reset();
		lane.descriptors.end();
	}
	rest.clear();
	base::store_release(lane.over, uint32_t{1});
	base::futex_wake_all(lane.over, false);
}

/* The queue is made and freed on its own thread: that takes longer than other clients should wait. */
void Storage::use_uring(const Lane &lane, Worker &worker)
{
	try {
		auto queue = make_uring_queue(lane.poke);
		auto mover = queue ? std::make_unique<Mover>(*queue) : nullptr;
		std::lock_guard lock(mutex_);
		if (queue) {
			worker.mover = std::move(mover);
			worker.queue = std::move(queue);
		}
	} catch (const std::bad_alloc &) {
		/* One operation at a time needs no more memory. */
	}
}

/* Keeps a mover until the process ends: the kernel may still write to its buffers. */
static void leave_behind(std::unique_ptr<Mover> mover)
{
	struct AbandonedMovers {
		base::Mutex mutex{"movers that are kept"};
		std::vector<std::unique_ptr<Mover>> movers GUARDED_BY(mutex);
	};
	static base::NoDestructor<AbandonedMovers> made;
	AbandonedMovers &kept = *made;
	const std::lock_guard lock(kept.mutex);
	kept.movers.push_back(std::move(mover));
}

void Storage::work(Lane &lane, Worker &worker)
{
	std::vector<Transfer *> ended;
	for (;;) {
		bool more = take_new(lane, worker);
		if (!more && worker.mover->idle())
			break;
		worker.queue->sweep();
		worker.mover->turn(true, ended);
		if (!come_back(lane, worker)) {
			leave_behind(std::move(worker.mover));
			return;
		}
		if (!ended.empty())
			hand_back(lane, worker, ended);
		ended.clear();
	}
	end_thread(lane, worker);
}

} // namespace fw
