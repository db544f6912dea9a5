// SPDX-License-Identifier: MIT
#pragma once

#include "drv/device.h"
#include "event.h"
#include "umd/core/stream/stream.h"

namespace umd {

/** struct Stamp - the time stamp of a record that is being made. */
struct Stamp {
	/* the value that the stamp signals; no semaphore: the record has no stamp */
	drv::Fence fence{0, 0};
	/* the event has lent the semaphore; false: the record has its own one */
	bool is_lent = false;
};

/** ask_stamp() - gets a semaphore that no other record uses. The caller finishes or cancels each stamp.
 * Return: NO_RESOURCE, QUOTA, sets the error message. */
base::Status ask_stamp(Event &event, const Stream &stream, Stamp &stamp);

/** finish_stamp() - makes @record, to which @stamp belongs, the latest record of the event. */
void finish_stamp(Event &event, drv::Device &device, const Stamp &stamp, const drv::Fence &record);

/** cancel_stamp() - the record failed, and nothing will write @stamp. */
void cancel_stamp(Event &event, drv::Device &device, const Stamp &stamp);

/** release_semaphore() - frees @sem, which may be 0, when no queued task can use it any more. */
void release_semaphore(drv::Device &device, uint32_t sem, drv::SemaphorePool::Use use);

/** graph_wait_across() - graph_wait_target() for an event of another device than @device. May send a request.
 * Return: as drv::Peers::follow(), sets the error message. */
base::Result<drv::Fence> graph_wait_across(uint64_t handle, drv::Device &device);

/** is_of() - whether the event @handle belongs to @device; true for a stale handle. */
bool is_of(uint64_t handle, const drv::Device &device);

} // namespace umd
