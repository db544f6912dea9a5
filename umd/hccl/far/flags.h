// SPDX-License-Identifier: MIT
/**
 * DOC: Flags of a rank
 *
 * A flag is a NOTIFY that the rank exports. The rank is also a member of it, with a second semaphore for
 * which its streams wait. Each rank that raises the flag is a member, too. When the rank withdraws the
 * NOTIFY, all present and later waits for it end with PEER_LOST. So one call ends everything that waits for
 * other ranks.
 */
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "base/sync/mutex.h"
#include "uapi/mailbox.h"
#include "umd/core/device/device_state.h"

namespace umd {

/** class Flags - the flags of one rank, and its memberships in flags of other ranks. Context: the caller's
 * lock, unless a function says otherwise. */
class Flags {
public:
	/** open() - selects the device; call it before all other functions. */
	void open(const DeviceHold &device);

	/** make() - makes a flag.
	 * @value: initial value
	 * @pids: processes that may become members, in addition to this one
	 * @wait: receives the semaphore by which this rank waits
	 * Return: the exporter's semaphore, which shows the flag's value; NO_RESOURCE, QUOTA, DEVICE_LOST;
	 * PEER_LOST after withdraw(). */
	base::Result<uint32_t> make(drv::Device &device, uint64_t value,
				    std::span<const uint32_t> pids, unpu_export_key &key,
				    uint32_t &wait);

	/** join() - becomes a member of a flag. @sem: receives the member's semaphore. Return: as make(). */
	base::Status join(drv::Device &device, const unpu_export_key &key, uint32_t &sem);

	/** reset() - sets all flags to their initial values. No rank may use them at this time.
	 * Return: DEVICE_LOST. */
	base::Status reset();

	/** withdraw() - makes all present and later waits for the flags fail with PEER_LOST, and stops
	 * signals of other ranks to them.
	 * Context: any thread; later calls do nothing. */
	void withdraw();

	/** release() - releases everything when the work submitted so far has completed. Call withdraw()
	 * before. */
	void release(drv::Device &device);

private:
	struct Home {
		uint32_t sem = 0;
		uint32_t wait = 0;
		uint64_t value = 0; /* initial value */
		unpu_export_key key{};
	};

	DeviceRef device_;
	std::vector<uint32_t> joined_;
	/* Held also during requests to the device, so that a second withdrawal finds nothing left to do. */
	base::Mutex mutex_{"Flags::mutex_", base::HeldOver::ANSWERS};
	std::vector<Home> homes_ GUARDED_BY(mutex_);
	bool is_withdrawn_ GUARDED_BY(mutex_) = false;
};

} // namespace umd
