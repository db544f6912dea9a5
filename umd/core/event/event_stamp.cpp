// SPDX-License-Identifier: MIT
/**
 * DOC: Time stamps of events
 *
 * A time stamp is written beside the value of a semaphore. The event keeps the semaphore of its latest
 * record and uses it again for the next one where it can. Several threads may record one event at the same
 * time: each of these records has a semaphore of its own, and the record that ends last decides which one
 * the event keeps. Graphs lend events the semaphores of their nodes.
 */
#include "event_stamp.h"

#include <fmt/format.h>

#include "event.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;
using Use = drv::SemaphorePool::Use;

void release_semaphore(drv::Device &device, uint32_t sem, Use use)
{
	if (sem != 0)
		device.defer([&device, sem, use] {
			device.peers().release(sem);
			device.semaphores().release(sem, use);
		});
}

/* A time stamp that is pending on another stream keeps its semaphore. Otherwise it could overwrite
 * this one. */
static void retire_stamp(Event &event, drv::Device &device) REQUIRES(event.mutex)
{
	if (!device.semaphores().retire(event.stamp_sem, event.record.fence()))
		release_semaphore(device, event.stamp_sem, Use::GROWING);
	event.stamp_sem = 0;
}

/* @value: receives the semaphore's value for the next time stamp. Return: NO_RESOURCE, QUOTA; sets no error
 * message. */
static Status take_stamp(drv::Device &device, uint32_t &sem, uint64_t &value)
{
	auto done = [&](const Fence &fence) { return device.done(fence); };
	uint32_t taken = device.semaphores().reuse(done);
	if (taken == UNPU_SEM_NONE)
		taken = TRY(device.semaphores().allocate());
	sem = taken;
	value = device.value(taken) + 1;
	return Status::OK;
}

/* The semaphore for the next time stamp. No two records that are being made have the same one: the event
 * lends its own to one of them. Return: NO_RESOURCE, QUOTA; sets no error message. */
static Status next_stamp(Event &event, const Stream &stream, Stamp &stamp)
{
	std::lock_guard lock(event.mutex);
	drv::Device &device = stream.context->device();
	if (base::load_acquire(event.loan) != Event::KEPT) [[unlikely]]
		return take_stamp(device, stamp.fence.sem, stamp.fence.value);
	const Fence last = event.record.fence();
	if (event.stamp_borrowed) {
		event.stamp_sem = 0;
		event.stamp_borrowed = false;
	}
	if (event.stamp_sem != 0 && last.sem != stream.channel->timeline() && !device.done(last))
		retire_stamp(event, device);
	if (event.stamp_sem == 0)
		TRY(take_stamp(device, event.stamp_sem, event.stamp_value));
	else
		event.stamp_value++;
	base::store_relaxed(event.loan, Event::LENT);
	stamp = {{event.stamp_sem, event.stamp_value}, true};
	return Status::OK;
}

/* The event gets another semaphore, or none. A record that has borrowed the old one sees that. */
static void replace_stamp(Event &event, drv::Device &device, const Fence &stamp)
	REQUIRES(event.mutex)
{
	const bool is_lent = base::compare_exchange(event.loan, Event::LENT, Event::REPLACED);
	if (!is_lent && !event.stamp_borrowed)
		release_semaphore(device, event.stamp_sem, Use::GROWING);
	event.stamp_sem = stamp.sem;
	event.stamp_value = stamp.value;
	event.stamp_borrowed = false;
}

void finish_stamp(Event &event, drv::Device &device, const Stamp &stamp, const Fence &record)
{
	event.record.set(record);
	if (stamp.is_lent && base::compare_exchange(event.loan, Event::LENT, Event::KEPT))
		[[likely]]
		return;
	std::lock_guard lock(event.mutex);
	if (stamp.is_lent)
		base::store_relaxed(event.loan, Event::KEPT);
	event.record.set(record);
	replace_stamp(event, device, stamp.fence);
}

void cancel_stamp(Event &event, drv::Device &device, const Stamp &stamp)
{
	if (stamp.is_lent && base::compare_exchange(event.loan, Event::LENT, Event::KEPT))
		return;
	std::lock_guard lock(event.mutex);
	if (stamp.is_lent)
		base::store_relaxed(event.loan, Event::KEPT);
	release_semaphore(device, stamp.fence.sem, Use::GROWING);
}

/* Events that were destroyed while their record was pending may have left semaphores to release. */
Status ask_stamp(Event &event, const Stream &stream, Stamp &stamp)
{
	Status status = next_stamp(event, stream, stamp);
	if (status == Status::OK) [[likely]]
		return status;
	stream.context->device().reclaim_semaphores();
	status = next_stamp(event, stream, stamp);
	if (status == Status::OK)
		return status;
	drv::Device &device = stream.context->device();
	return set_error(status, fmt::format("no semaphore is left for the event's time stamp: {}",
					     device.refusal(status, drv::Need::SEMAPHORE)));
}

Fence graph_wait_target(uint64_t handle, drv::Device &device)
{
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	if (!event)
		return {};
	std::lock_guard lock(event->mutex);
	const Fence last = event->record.fence();
	if (!event->device.is(device) || last.empty() || device.done(last))
		return {};
	return last;
}

Result<Fence> graph_wait_across(uint64_t handle, drv::Device &device)
{
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	if (!event)
		return Fence{};
	const EventView view = view_event(*event);
	const DeviceHold home = event->device.hold();
	if (view.is_done || !home)
		return Fence{};
	auto fence = device.peers().follow(*home, view.fence);
	if (fence)
		return fence;
	return set_error(fence.status(),
			 fmt::format("the graph's device can't follow the device of an event: {}",
				     base::status_sentence(fence.status())));
}

bool is_of(uint64_t handle, const drv::Device &device)
{
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	return !event || event->device.is(device);
}

/* Notes where the failure of a launch is found. A launch belongs to its context, so events of other contexts
 * do not report its failure. */
static void note_launch(Event &event, const Stream &stream, const Fence &fence)
{
	const bool is_own = event.owner == stream.context->handle;
	base::store_relaxed(event.graph_record,
			    is_own ? uint64_t{fence.sem} << 32 | stream.channel->timeline() : 0);
}

void graph_record(uint64_t handle, const Stream &stream, const Fence &fence)
{
	drv::Device &device = stream.context->device();
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	if (!event)
		return;
	std::lock_guard lock(event->mutex);
	if (event->ipc)
		event->is_last_captured = false;
	if (event->ipc || !event->device.is(device))
		return;
	note_launch(*event, stream, fence);
	event->record.set(fence);
	event->is_last_captured = false;
	if (!(event->flags & EVENT_TIME_LINE))
		return;
	replace_stamp(*event, device, fence);
	event->stamp_borrowed = true;
}

bool graph_leave(uint64_t handle, const drv::Device &device, uint32_t sem)
{
	const Held<Event> event(Event::table(), reinterpret_cast<void *>(handle));
	if (!event)
		return false;
	std::lock_guard lock(event->mutex);
	if (!event->stamp_borrowed || event->stamp_sem != sem || !event->device.is(device))
		return false;
	event->stamp_borrowed = false;
	event->stamp_value = event->record.fence().value;
	return true;
}

} // namespace umd
