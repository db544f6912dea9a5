// SPDX-License-Identifier: MIT
#pragma once

#include "drv/device.h"
#include "event.h"
#include "umd/core/stream/stream.h"

namespace umd {

/** struct Stamp - the time stamp of a record that is being made. */
struct Stamp {
	drv::Fence fence{0, 0}; /* what the stamp raises; no semaphore: the record has no stamp */
	bool is_lent = false;	/* by the event; else the semaphore is the record's own */
};

/** ask_stamp() - a semaphore that no other record uses. Each stamp is finished or cancelled.
 * Return: NO_RESOURCE, QUOTA, with the sentence set. */
base::Status ask_stamp(Event &event, const Stream &stream, Stamp &stamp);

/** finish_stamp() - @record, which @stamp is of, is the event's latest one. */
void finish_stamp(Event &event, drv::Device &device, const Stamp &stamp, const drv::Fence &record);

/** cancel_stamp() - the record failed, and nothing will write @stamp. */
void cancel_stamp(Event &event, drv::Device &device, const Stamp &stamp);

/** release_semaphore() - gives @sem, which may be 0, back when no queued task can use it any more. */
void release_semaphore(drv::Device &device, uint32_t sem, drv::SemaphorePool::Use use);

/** graph_wait_across() - graph_wait_target() for an event of another device than @device. May send a request.
 * Return: as drv::Peers::follow(), with the sentence set. */
base::Result<drv::Fence> graph_wait_across(uint64_t handle, drv::Device &device);

/** is_of() - whether the event @handle is of @device; true for a stale handle. */
bool is_of(uint64_t handle, const drv::Device &device);

} // namespace umd
