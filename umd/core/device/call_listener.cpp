// SPDX-License-Identifier: MIT
/**
 * DOC: Call queue
 *
 * The device posts host functions and reports of failed tasks into one queue. Several threads read it, each
 * for its own kind of entry. The device reuses an entry only after it was answered. So if a thread finds
 * its entry overwritten, another thread has answered it.
 */
#include "call_listener.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/os/thread.h"
#include "base/sync/call_queue.h"
#include "base/sync/futex.h"
#include "device_lost.h"
#include "drv/device.h"
#include "drv/packet/packets.h"
#include "umd/core/process/call.h"

namespace umd {

using base::Status;

/* A sanity bound: no device has so many entries pending. */
static constexpr uint64_t MOST_CALLS = uint64_t{1} << 62;

/* How often a thread that waits for host functions checks whether its stream ends. */
static constexpr uint64_t LOOK_NS = 5 * base::NS_PER_MS;

static thread_local constinit bool listening = false;

static Status refuse(drv::Device &device, const char *name, Status status)
{
	return device_failed(device, status,
			     fmt::format("the runtime's thread {} can't be started (RLIMIT_NPROC "
					 "bounds threads)",
					 name));
}

CallListener::CallListener(drv::Device &device, const char *name, uint64_t end)
	: device_(device), name_(name), end_(end)
{
}

CallListener::~CallListener()
{
	stop();
}

Status CallListener::start(Handler handler, const std::function<Status()> &before)
{
	std::lock_guard lock(mutex_);
	if (thread_.joinable())
		return Status::OK;
	if (!channel_) {
		auto channel = drv::Channel::create(device_, {.prompt = true, .is_own = true});
		if (!channel)
			return refuse(device_, name_, channel.status());
		channel_ = channel.take();
	}
	/* Entries that were posted before the start belong to other threads. */
	handled_ = device_.value(UNPU_SEM_CALLS);
	const Status status = before ? before() : Status::OK;
	if (status != Status::OK)
		return refuse(device_, name_, status);
	handler_ = std::move(handler);
	taken_ = handled_;
	auto thread = base::start_thread(name_, [this] { serve(); });
	if (!thread)
		return refuse(device_, name_, thread.status());
	thread_ = thread.take();
	return Status::OK;
}

void CallListener::stop(const std::function<void()> &waiting)
{
	base::assert_unlocked("the end of a thread for functions");
	if (!thread_.joinable())
		return;
	hand_back();
	const uint64_t deadline_ns = base::deadline_after(device_.hal().answer_limit_ns());
	auto last = channel_->submit(drv::host_call_packet(0, end_));
	const uint64_t &calls = device_.hal().completion().semaphores[UNPU_SEM_CALLS].value;
	while (!has_ended_.load()) {
		if (waiting)
			waiting();
		/* The thread did not receive its end call, or runs a host function that waits itself. */
		if (!last || base::now_ns() > deadline_ns)
			device_.hal().give_up();
		if (device_.hal().alive()) {
			/* The channel never gets past that call. Waiting for it runs a stepped device up
			 * to the call. */
			(void)device_.wait(*last, base::deadline_after(base::NS_PER_MS));
			continue;
		}
		/* A lost device posts no call. The spurious wake-up makes the thread check the device
		 * and end. */
		const auto &low = reinterpret_cast<const uint32_t &>(calls);
		base::futex_wake_all(low, true);
		(void)base::futex_wait(low, base::load_relaxed(low),
				       base::deadline_after(base::NS_PER_MS), true);
	}
	thread_.join();
}

bool CallListener::is_listening()
{
	return listening;
}

void CallListener::finish(uint64_t token, Status status)
{
	/* The protocol has only one status for a failed call. */
	const Status told = status == Status::OK ? Status::OK : Status::MMU_FAULT;
	if (token != 0)
		(void)channel_->submit(drv::host_done_packet(0, token, told));
}

void CallListener::catch_up(uint64_t limit_ns, const std::atomic<bool> &ends)
{
	base::assert_unlocked("functions of the program");
	std::unique_lock lock(mutex_);
	if (!thread_.joinable() || thread_.get_id() == std::this_thread::get_id())
		return;
	uint64_t there = device_.value(UNPU_SEM_CALLS);
	uint64_t deadline_ns = base::deadline_after(limit_ns);
	while (!has_ended_.load() && handled_ < there && !ends.load()) {
		const uint64_t now_ns = base::now_ns();
		if (now_ns >= deadline_ns)
			return;
		handled_some_.wait(lock, std::min(deadline_ns, now_ns + LOOK_NS));
	}
}

/* Return: false if the device has overwritten the entry. */
bool CallListener::take(uint64_t done, CallEntry &entry) const
{
	base::Call call;
	if (!base::take_call(device_.hal().completion().calls, done + 1, call))
		return false;
	entry = {call.call,
		 call.token,
		 call.cookie,
		 call.address,
		 static_cast<Status>(call.status),
		 call.timeline};
	return true;
}

/* Takes the next entry that was not overwritten, unless it is @bound. Entries have no order among the threads. */
CallListener::Next CallListener::take_next(CallEntry &entry, Bound bound)
{
	for (uint64_t done = taken_.load();;) {
		const uint64_t there = device_.value(UNPU_SEM_CALLS);
		if (there <= done || there >= MOST_CALLS)
			return Next::NONE;
		const uint64_t oldest = there - std::min<uint64_t>(there, UNPU_CALL_QUEUE_ENTRIES);
		const uint64_t next = std::max(done, oldest);
		entry = {};
		const bool is_whole = take(next, entry);
		if (is_whole && bound && (entry.call == end_ || bound(entry)))
			return Next::BOUND;
		if (!taken_.compare_exchange_weak(done, next + 1))
			continue;
		if (is_whole)
			return Next::TAKEN;
		done = next + 1;
	}
}

bool CallListener::take_over(Bound bound)
{
	/* The plan of such a device decides which thread has its turn, so a thread that polls would disturb it. */
	if (device_.hal().scheduled() || device_.hal().stepped())
		return false;
	bool has_some = false;
	CallEntry entry;
	for (unsigned left = UNPU_CALL_QUEUE_ENTRIES; left > 0; left--) {
		const Next next = take_next(entry, bound);
		if (next == Next::BOUND)
			hand_back();
		else if (next == Next::NONE)
			base::store_release(is_taken_over_, uint32_t{1});
		if (next != Next::TAKEN)
			break;
		handler_(entry);
		has_some = true;
	}
	return has_some;
}

void CallListener::hand_back()
{
	if (base::load_relaxed(is_taken_over_) == 0)
		return;
	base::store_release(is_taken_over_, uint32_t{0});
	base::futex_wake_all(is_taken_over_, false);
}

void CallListener::serve()
{
	listening = true;
	for (CallEntry entry; entry.call != end_ || entry.token == 0;) {
		if (base::load_acquire(is_taken_over_) != 0) {
			(void)base::futex_wait(is_taken_over_, 1, base::NO_DEADLINE, false);
			continue;
		}
		if (hal::wait_passively(device_.hal(), UNPU_SEM_CALLS, taken_.load() + 1) !=
			    Status::OK ||
		    device_.value(UNPU_SEM_CALLS) >= MOST_CALLS)
			break;
		if (base::load_acquire(is_taken_over_) != 0)
			continue;
		if (take_next(entry, nullptr) != Next::TAKEN)
			entry = {};
		else if (entry.call != end_)
			handler_(entry);
		std::lock_guard lock(mutex_);
		handled_ = taken_.load();
		handled_some_.ring();
	}
	std::lock_guard lock(mutex_);
	has_ended_ = true;
	handled_some_.ring();
}

base::Result<drv::Fence> CallListener::submit(const unpu_packet &packet)
{
	return channel_->submit(packet);
}

} // namespace umd
