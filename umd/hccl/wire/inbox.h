// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <vector>

#include "base/os/shm.h"
#include "base/sync/condition.h"
#include "base/sync/mutex.h"
#include "wire.h"

namespace umd {

/** struct Outgoing - a frame that waits to be sent. */
struct Outgoing {
	uint32_t link;
	Frame frame;
	const void *data; /* memory of the sender, or copy */
	std::array<std::byte, FRAME_COPIED> copy;
	/* it may wait for a moment for another frame, so that both go together */
	bool may_wait = false;

	bool is_copied() const { return frame.bytes <= FRAME_COPIED; }
};

/** struct WireOrder - work that another thread gives to the wire's thread. */
struct WireOrder {
	/* Called by the wire's thread until it returns true. */
	std::function<bool()> step;
	bool is_done = false;
};

/** class WireInbox - the queue of the wire's thread. Context: any thread, unless a function says
 * otherwise. */
class WireInbox {
public:
	/** open() - opens the eventfd. Return: false if there is no descriptor. */
	bool open();

	/** close() - ends all remaining orders, and refuses new ones. Context: the wire's thread. */
	void close();

	/** post() - adds a frame, unless the inbox is closed. If FRAMES_QUEUED frames are in the inbox
	 * already, the frame is dropped, and its link counts as overrun. */
	void post(std::unique_ptr<Outgoing> frame);

	/** run() - makes the wire's thread call @step until it returns true, and waits for that. Return:
	 * false: the inbox is closed. */
	bool run(std::function<bool()> step);

	/** take() - takes everything out. A frame that may wait stays for a moment if it is the only
	 * content.
	 * @frames: empty; receives frames in the order of post()
	 * @orders: gets new ones at its end
	 * @overrun: the links of dropped frames. Context: the wire's thread. */
	void take(std::vector<std::unique_ptr<Outgoing>> &frames, std::list<WireOrder *> &orders,
		  std::set<uint32_t> &overrun);

	/** end() - wakes the thread that gave the order. Context: the wire's thread. */
	void end(WireOrder &order);

	/** begin_sleep() - prepares for sleep: from now on post() and run() make the descriptor readable.
	 * Return: false: there is something to take. Context: the wire's thread. */
	bool begin_sleep();

	/** end_sleep() - @is_woken: the descriptor is readable. Context: the wire's thread. */
	void end_sleep(bool is_woken);

	int descriptor() const { return wake_.get(); }

private:
	void wake();

	base::Mutex mutex_{"WireInbox::mutex_"};
	base::Condition ended_;
	base::Fd wake_; /* eventfd */
	bool is_open_ GUARDED_BY(mutex_) = false;
	bool is_asleep_ GUARDED_BY(mutex_) = false;
	std::vector<std::unique_ptr<Outgoing>> frames_ GUARDED_BY(mutex_);
	/* how long a frame that may wait can stay; 0: there is a frame that may not wait */
	uint64_t left_until_ns_ GUARDED_BY(mutex_) = 0;
	std::list<WireOrder *> orders_ GUARDED_BY(mutex_);
	std::set<uint32_t> overrun_ GUARDED_BY(mutex_);
};

} // namespace umd
