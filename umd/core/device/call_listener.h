// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "base/result.h"
#include "base/sync/bell.h"
#include "base/sync/mutex.h"
#include "drv/packet/fence.h"

struct unpu_packet;

namespace drv {
class Channel;
class Device;
} // namespace drv

namespace umd {

/** struct CallEntry - a private copy of an entry of the device's call queue. */
struct CallEntry {
	uint64_t call = 0;
	uint64_t token = 0;
	uint64_t cookie = 0;
	uint64_t address = 0;
	base::Status status = base::Status::OK;
	uint32_t timeline = 0;
};

/**
 * class CallListener - a thread that handles every entry of a device's call queue, from start() on. It sleeps
 * in the kernel while the queue is empty. Another thread that polls may handle entries itself, because waking
 * this thread takes longer than most entries.
 */
class CallListener {
public:
	using Handler = std::function<void(const CallEntry &)>;

	/** using Bound - a function that tells whether an entry is bound: only the listener's own thread may
	 * handle it. */
	using Bound = bool (*)(const CallEntry &);

	/** @name: of the thread. @end: call number that ends the thread; no other call has it. */
	CallListener(drv::Device &device, const char *name, uint64_t end);
	~CallListener();

	/** start() - starts the thread unless it runs; @handler runs on the thread, without a lock.
	 * @before: if this call starts the thread, runs before the first entry is handled
	 * Return: NO_RESOURCE, DEVICE_LOST, what @before returned. */
	base::Status start(Handler handler, const std::function<base::Status()> &before = nullptr);

	/** stop() - returns when the thread has ended. @waiting: called each millisecond until then.
	 * Context: not the thread itself; the caller holds no
	 * lock that a function of the program may take. */
	void stop(const std::function<void()> &waiting = {});

	/** is_listening() - whether the calling thread belongs to a CallListener of any device. */
	static bool is_listening();

	/** finish() - tells the device that the call with @token is done; 0 is ignored.
	 * @status: anything but OK makes the task that waits for the call fail
	 * Context: any thread, after start(). */
	void finish(uint64_t token, base::Status status = base::Status::OK);

	/** submit() - submits a packet on the channel of finish(). The packet must never block. Context: as
	 * finish().
	 * Return: its fence; DEVICE_LOST. */
	base::Result<drv::Fence> submit(const unpu_packet &packet);

	/** take_over() - handles the present entries on the calling thread, up to the first bound entry. From
	 * then on the listener's thread does not wake up for new entries, until there is a bound entry or
	 * hand_back() is called.
	 * Return: whether there was an entry for the calling thread.
	 * hand_back() - the calling thread stops handling entries. Without an earlier take_over() it does
	 * nothing.
	 * Context: one thread that polls, after start(); no lock held. The device stays open. */
	bool take_over(Bound bound);
	void hand_back();

	/** catch_up() - waits until all present entries are handled, @limit_ns has passed or @ends is true. No other
	 * thread takes entries of this listener.
	 * Context: no lock held. Returns at once on the thread itself, and if the thread does not run. */
	void catch_up(uint64_t limit_ns, const std::atomic<bool> &ends);

private:
	void serve();
	bool take(uint64_t done, CallEntry &entry) const;
	enum class Next { NONE, TAKEN, BOUND };
	Next take_next(CallEntry &entry, Bound bound);

	drv::Device &device_;
	const char *const name_;
	const uint64_t end_;
	Handler handler_;			/* set by start() */
	std::unique_ptr<drv::Channel> channel_; /* set by start() */
	/* The first call makes the channel and tells the device under this lock, so that it happens once. */
	base::Mutex mutex_{"CallListener::mutex_", base::HeldOver::ANSWERS};
	base::Bell handled_some_ GUARDED_BY(mutex_);
	uint64_t handled_ GUARDED_BY(mutex_) = 0;
	std::atomic<uint64_t> taken_{0}; /* entries that a thread has taken */
	/* a futex; while it is set, the thread sleeps through new entries */
	uint32_t is_taken_over_ = 0;
	std::atomic<bool> has_ended_{false};
	std::thread thread_; /* set by start(); no other call runs at the same time as stop() */
};

} // namespace umd
