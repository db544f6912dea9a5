// SPDX-License-Identifier: MIT
#pragma once

#include "base/sync/mutex.h"
#include "hal/device.h"

namespace drv {

/** class Mailbox - sends requests to the firmware, one at a time. Context: any thread; may block. */
class Mailbox {
public:
	explicit Mailbox(hal::Device &device)
		: device_(device), number_(base::load_acquire(
					   device.completion().semaphores[UNPU_SEM_MAILBOX].value))
	{
	}

	/** call() - sends @message and overwrites it with the reply.
	 * Return: the reply's status; DEVICE_LOST if no reply will come. */
	base::Status call(unpu_message &message);

	/** create_segment() - sends the request SEGMENT_CREATE with @segment, which becomes the reply. While
	 * the device gets memory back from clients that have left, the call tries again, for at most 10
	 * seconds.
	 * Return: as call(). */
	base::Status create_segment(unpu_msg_segment &segment);

private:
	hal::Device &device_;
	base::Mutex mutex_{"Mailbox::mutex_"};
	uint64_t number_ GUARDED_BY(mutex_); /* the number of the last request */
};

} // namespace drv
