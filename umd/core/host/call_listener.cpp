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
#include "drv/channel/packets.h"
#include "umd/core/device/device_lost.h"

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
	/* Entries from before the start belong to other threads. */
	handled_ = device_.value(UNPU_SEM_CALLS);
	const Status status = before ? before() : Status::OK;
	if (status != Status::OK)
		return refuse(device_, name_, status);
	handler_ = std::move(handler);
	auto thread = base::start_thread(name_, [this, done = handled_] { serve(done); });
	if (!thread)
		return refuse(device_, name_, thread.status());
	thread_ = thread.take();
	return Status::OK;
}

void CallListener::stop()
{
	base::assert_unlocked("the end of a thread for functions");
	if (!thread_.joinable())
		return;
	const uint64_t deadline_ns = base::deadline_after(device_.hal().answer_limit_ns());
	auto last = channel_->submit(drv::host_call_packet(0, end_));
	const uint64_t &calls = device_.hal().completion().semaphores[UNPU_SEM_CALLS].value;
	while (!has_ended_.load()) {
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
	/* The wire has one status for a call that failed. */
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

void CallListener::serve(uint64_t done)
{
	listening = true;
	for (CallEntry entry; entry.call != end_ || entry.token == 0; done++) {
		if (hal::wait_passively(device_.hal(), UNPU_SEM_CALLS, done + 1) != Status::OK)
			break;
		const uint64_t there = device_.value(UNPU_SEM_CALLS);
		if (there >= MOST_CALLS)
			break;
		/* Older entries have been overwritten. */
		if (there > done + UNPU_CALL_QUEUE_ENTRIES)
			done = there - UNPU_CALL_QUEUE_ENTRIES;
		entry = {};
		if (take(done, entry) && entry.call != end_)
			handler_(entry);
		std::lock_guard lock(mutex_);
		handled_ = done + 1;
		handled_some_.ring();
	}
	std::lock_guard lock(mutex_);
	has_ended_ = true;
	handled_some_.ring();
}

} // namespace umd
