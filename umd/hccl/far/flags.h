// SPDX-License-Identifier: MIT
/**
 * DOC: Flags of a rank
 *
 * A flag is a NOTIFY of which the rank is the exporter, and also a member with a second semaphore, by which its
 * streams wait. Whoever raises it is a member too. When the rank withdraws the NOTIFY, all waits end as PEER_LOST,
 * those to come too. So one call ends everything that waits for other ranks.
 */
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "uapi/mailbox.h"
#include "umd/core/device/device_state.h"

namespace umd {

/** class Flags - those of one rank, and its memberships in those of others. Context: the caller's lock, unless a
 * function says otherwise. */
class Flags {
public:
	/** open() - before all other functions. */
	void open(const DeviceHold &device);

	/** make() - a new flag.
	 * @value: that it has at first
	 * @pids: processes that may become members, beside this one
	 * @wait: receives the semaphore by which this rank waits
	 * Return: the exporter's semaphore, which shows the flag's value; NO_RESOURCE, QUOTA, DEVICE_LOST; PEER_LOST
	 * after withdraw(). */
	base::Result<uint32_t> make(drv::Device &device, uint64_t value,
				    std::span<const uint32_t> pids, unpu_export_key &key,
				    uint32_t &wait);

	/** join() - becomes a member of a flag. @sem: receives the semaphore. Return: as make(). */
	base::Status join(drv::Device &device, const unpu_export_key &key, uint32_t &sem);

	/** reset() - gives all flags the values that they had at first. No rank uses them meanwhile.
	 * Return: DEVICE_LOST. */
	base::Status reset();

	/** withdraw() - ends all waits for the flags with PEER_LOST, now and later, and signals of others to them.
	 * Context: any thread; later calls do nothing. */
	void withdraw();

	/** release() - gives all back when the work submitted so far has passed; after withdraw(). */
	void release(drv::Device &device);

private:
	struct Home {
		uint32_t sem = 0;
		uint32_t wait = 0;
		uint64_t value = 0; /* at first */
		unpu_export_key key{};
	};

	DeviceRef device_;
	std::vector<uint32_t> joined_;
	/* Held also for the device's requests, so that a second withdrawal does nothing. */
	base::Mutex mutex_{"Flags::mutex_", base::HeldOver::ANSWERS};
	std::vector<Home> homes_ GUARDED_BY(mutex_);
	bool is_withdrawn_ GUARDED_BY(mutex_) = false;
};

} // namespace umd
