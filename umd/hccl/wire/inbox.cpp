// SPDX-License-Identifier: MIT
/**
 * DOC: Inbox of the wire's thread
 *
 * Under the lock, the thread notes that it goes to sleep, and checks whether the inbox is empty. So a thread
 * that adds something is either seen, or sees that the wire's thread sleeps and wakes it. While the wire's
 * thread is awake, other threads need no system call.
 */
#include "inbox.h"

#include <mutex>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"

namespace umd {

/* How long a frame with may_wait waits. Another frame of the same call follows soon, and one system call
 * then sends both. */
static constexpr uint64_t LEFT_NS = 30 * 1000;

bool WireInbox::open()
{
	if (!wake_.valid())
		wake_ = base::Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	std::lock_guard lock(mutex_);
	is_open_ = wake_.valid();
	is_asleep_ = false;
	return is_open_;
}

void WireInbox::close()
{
	std::lock_guard lock(mutex_);
	is_open_ = false;
	frames_.clear();
	overrun_.clear();
	for (WireOrder *order : orders_)
		order->is_done = true;
	orders_.clear();
	ended_.notify_all();
}

void WireInbox::post(std::unique_ptr<Outgoing> frame)
{
	bool is_asleep = false;
	{
		std::lock_guard lock(mutex_);
		if (!is_open_)
			return;
		if (frames_.size() >= FRAMES_QUEUED)
			overrun_.insert(frame->link);
		else {
			if (!frame->may_wait)
				left_until_ns_ = 0;
			else if (frames_.empty())
				left_until_ns_ = base::deadline_after(LEFT_NS);
			frames_.push_back(std::move(frame));
		}
		is_asleep = std::exchange(is_asleep_, false);
	}
	if (is_asleep)
		wake();
}

bool WireInbox::run(std::function<bool()> step)
{
	base::assert_unlocked("WireInbox::run");
	WireOrder order{std::move(step)};
	std::unique_lock lock(mutex_);
	if (!is_open_)
		return false;
	orders_.push_back(&order);
	if (std::exchange(is_asleep_, false))
		wake();
	while (!order.is_done)
		ended_.wait(lock);
	return true;
}

void WireInbox::take(std::vector<std::unique_ptr<Outgoing>> &frames, std::list<WireOrder *> &orders,
		     std::set<uint32_t> &overrun)
{
	std::lock_guard lock(mutex_);
	const bool are_left = left_until_ns_ != 0 && orders_.empty() && !frames_.empty() &&
			      base::now_ns() < left_until_ns_;
	if (!are_left)
		frames.swap(frames_);
	overrun.swap(overrun_);
	orders.splice(orders.end(), orders_);
}

void WireInbox::end(WireOrder &order)
{
	std::lock_guard lock(mutex_);
	order.is_done = true;
	ended_.notify_all();
}

bool WireInbox::begin_sleep()
{
	std::lock_guard lock(mutex_);
	is_asleep_ = frames_.empty() && orders_.empty();
	return is_asleep_;
}

void WireInbox::end_sleep(bool is_woken)
{
	{
		std::lock_guard lock(mutex_);
		is_asleep_ = false;
	}
	uint64_t count;
	if (is_woken)
		(void)base::calls::read(wake_.get(), &count, sizeof(count));
}

void WireInbox::wake()
{
	const uint64_t one = 1;
	(void)base::calls::write(wake_.get(), &one, sizeof(one));
}

} // namespace umd
