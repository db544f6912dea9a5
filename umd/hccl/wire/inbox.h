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

/** struct Outgoing - a parcel on its way out. */
struct Outgoing {
	uint32_t link;
	Parcel parcel;
	const void *data; /* of the sender, or copy */
	std::array<std::byte, PARCEL_COPIED> copy;
	bool may_wait = false; /* for a parcel that goes with it */

	bool is_copied() const { return parcel.bytes <= PARCEL_COPIED; }
};

/** struct WireOrder - work that a thread has the wire's thread do. */
struct WireOrder {
	/* Called by the wire's thread until it returns true. */
	std::function<bool()> step;
	bool is_done = false;
};

/** class WireInbox - what the wire's thread gets from others. Context: any thread, where nothing else is said. */
class WireInbox {
public:
	/** open() - Return: whether there is a descriptor for it. */
	bool open();

	/** close() - ends the orders that are left, and refuses new ones. Context: the wire's thread. */
	void close();

	/** post() - hands over a parcel, unless the inbox is closed. When PARCELS_QUEUED are in it already, the
	 * parcel is dropped, and its link has overrun. */
	void post(std::unique_ptr<Outgoing> parcel);

	/** run() - has the wire's thread do something, and waits for the end. Return: false: the inbox is closed. */
	bool run(std::function<bool()> step);

	/** take() - takes what has come. What may wait is left for a moment if nothing else is there.
	 * @parcels: empty; receives parcels in the order of post()
	 * @orders: gets new ones at its end
	 * @overrun: the links of dropped parcels. Context: the wire's thread. */
	void take(std::vector<std::unique_ptr<Outgoing>> &parcels, std::list<WireOrder *> &orders,
		  std::set<uint32_t> &overrun);

	/** end() - tells the thread that gave the order. Context: the wire's thread. */
	void end(WireOrder &order);

	/** begin_sleep() - from now on post() and run() make the descriptor readable.
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
	std::vector<std::unique_ptr<Outgoing>> parcels_ GUARDED_BY(mutex_);
	uint64_t left_until_ns_ GUARDED_BY(mutex_) = 0; /* 0: some may not wait */
	std::list<WireOrder *> orders_ GUARDED_BY(mutex_);
	std::set<uint32_t> overrun_ GUARDED_BY(mutex_);
};

} // namespace umd
