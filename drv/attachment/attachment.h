// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "address_space.h"
#include "drv/packet/fence.h"
#include "drv/packet/semaphore_pool.h"
#include "hal/device.h"
#include "mailbox.h"
#include "sharing.h"

namespace drv {

/** struct OwnedSegment - a segment mapped by the client only. */
struct OwnedSegment {
	uint64_t id = 0;
	base::Mapping memory;
};

/** struct ClientControl - see UNPU_MSG_CLIENT_CONTROL. */
struct ClientControl {
	bool report_faults = false; /* false: the setting does not change */
	bool has_limit = false;	    /* whether @execute_limit_ns is valid */
	uint64_t execute_limit_ns = 0;
};

/**
 * class Attachment - what the firmware gives this process at one device: the segments, the mailbox, addresses
 * and semaphores. The lowest of the three classes of which a Device is made.
 */
class Attachment {
public:
	explicit Attachment(std::unique_ptr<hal::Device> hal);

	hal::Device &hal() { return *hal_; }
	Mailbox &mailbox() { return mailbox_; }
	SemaphorePool &semaphores() { return semaphores_; }
	Sharing &sharing() { return sharing_; }
	AddressSpace &space() { return *space_; }

	/** value() - a semaphore's value now (A3). */
	uint64_t value(uint32_t sem) const
	{
		return base::load_acquire(hal_->completion().semaphores[sem].value);
	}

	/** done() - whether a fence has passed. */
	bool done(const Fence &fence) const
	{
		if (!fence.empty() && value(fence.sem) < fence.value)
			return false;
		hal::Device::acquire_host_work();
		return true;
	}

	/** status() - the status of a failed packet whose fence uses this semaphore; OK if none failed. */
	base::Status status(uint32_t sem) const
	{
		return static_cast<base::Status>(
			base::load_relaxed(hal_->completion().semaphores[sem].status));
	}

	/** query() - whether a fence has passed. Return: DEVICE_LOST if it never will. */
	base::Status query(const Fence &fence, bool &passed) const
	{
		passed = done(fence);
		return passed || !hal_->lost() ? base::Status::OK : base::Status::DEVICE_LOST;
	}

	/** wait() - blocks until a fence has passed. Context: no lock held.
	 * Return: TIMEOUT, DEVICE_LOST. */
	base::Status wait(const Fence &fence, uint64_t deadline_ns,
			  hal::WaitWay way = hal::WaitWay::BRIEF)
	{
		base::assert_unlocked("work of the device");
		if (hal_->lost()) [[unlikely]]
			return base::Status::DEVICE_LOST;
		if (fence.empty())
			return base::Status::OK;
		return hal::wait_semaphore(*hal_, fence.sem, fence.value, deadline_ns, way);
	}

	/** timestamp_ns() - the last time stamp of a semaphore. */
	uint64_t timestamp_ns(uint32_t sem) const
	{
		return base::load_relaxed(hal_->completion().semaphores[sem].timestamp_ns);
	}

	/** set_semaphore() - sets a semaphore's initial value. */
	base::Status set_semaphore(uint32_t sem, uint64_t value);

	/** create_segment(), destroy_segment() - segments that have no device address.
	 * @flags: UNPU_SEGMENT_* */
	base::Result<OwnedSegment> create_segment(unpu_segment_kind kind, uint64_t bytes,
						  uint32_t flags = 0);
	void destroy_segment(uint64_t id);

	/** give_file() - see hal::Device. close_file() - @file: the number from give_file(). */
	base::Result<hal::GivenFile> give_file(const base::Fd &file, const base::Fd &direct,
					       uint32_t flags)
	{
		return hal_->give_file(file, direct, flags);
	}
	void close_file(uint32_t file);

	/** control() - changes the firmware's settings for this client. Return: DEVICE_LOST. */
	base::Status control(const ClientControl &wanted);

protected:
	std::unique_ptr<hal::Device> hal_;
	Mailbox mailbox_;
	SemaphorePool semaphores_;
	Sharing sharing_;
	std::unique_ptr<AddressSpace> space_; /* set by Device::open() */
};

} // namespace drv
