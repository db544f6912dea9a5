// SPDX-License-Identifier: MIT
/**
 * DOC: Event
 *
 * A record names a fence; without time stamp it costs no packet. A wait on a fence that has passed,
 * or on the stream's own timeline, costs none either. Events made by the flag call are a semaphore
 * that tasks set and reset.
 */
#include "umd/event.h"

#include <algorithm>

#include <fmt/format.h>

#include "drv/cookie.h"
#include "drv/packets.h"
#include "umd/capture.h"
#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

static uint64_t cookie_of(Call call)
{
	return drv::cookie_call(static_cast<uint8_t>(call));
}

static bool flags_allowed(EventMode mode, uint32_t flags)
{
	constexpr uint32_t COMMON = EVENT_SYNC | EVENT_PROGRESS | EVENT_INTERNAL | EVENT_TIME_LINE;
	if (flags != 0 && (flags & ~COMMON) == 0)
		return true;
	if (mode == EventMode::FLAG)
		return flags == EVENT_DEVICE_USE_ONLY || flags == EVENT_EXTERNAL;
	return false;
}

static Status check_flags(EventMode mode, uint32_t flags)
{
	if (mode == EventMode::EX && flags == EVENT_IPC)
		return set_error(
			Status::NOT_SUPPORTED,
			"flag ACL_EVENT_IPC: events can't be shared with other processes by a "
			"device that is embedded in this one");
	if (flags_allowed(mode, flags))
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("flag is {:#x}; it must be a non-zero OR of ACL_EVENT_SYNC, "
			    "ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE{}",
			    flags,
			    mode == EventMode::FLAG
				    ? ", or ACL_EVENT_DEVICE_USE_ONLY or ACL_EVENT_EXTERNAL alone"
				    : ", or ACL_EVENT_IPC alone"));
}

Result<Event *> create_event(Context &context, EventMode mode, uint32_t flags)
{
	TRY(check_flags(mode, flags));
	Event *event = Runtime::get().events.create();
	if (!event)
		return set_error(Status::NO_RESOURCE, "too many events");
	event->owner = context.handle;
	event->api_flags = 0;
	event->device = DeviceRef(*context.state);
	event->mode = mode;
	event->flags = flags;
	event->recorded = false;
	event->fence = {};
	event->flag_sem = event->stamp_sem = 0;
	event->stamp_value = 0;
	event->waits.clear();
	event->record_flag = event->wait_flag = -1;
	event->capture = nullptr;
	event->in_graph = false;
	if (!event->is_flag())
		return event;
	drv::Device &device = context.device();
	auto sem = device.semaphores().allocate(drv::SemaphorePool::Use::FLAG);
	Status status = sem ? device.set_semaphore(*sem, 0) : sem.status();
	if (status != Status::OK) {
		Runtime::get().events.destroy(*event);
		return set_error(status, "no semaphore is left for an event with ACL_EVENT_SYNC");
	}
	event->flag_sem = *sem;
	return event;
}

using Use = drv::SemaphorePool::Use;

/* Queued tasks may still use the semaphore. */
static void release_semaphore(drv::Device &device, uint32_t sem, Use use)
{
	if (sem != 0)
		device.defer([&device, sem, use] { device.semaphores().release(sem, use); });
}

void destroy_event(Event &event)
{
	{
		auto lock = Capture::lock();
		if (Capture *capture = event.capture.load())
			capture->drop_event(event);
	}
	std::lock_guard lock(event.mutex);
	if (drv::Device *device = event.device.get()) {
		/* A loaded graph goes on setting the flag of an event it was captured with. */
		if (!event.in_graph)
			release_semaphore(*device, event.flag_sem, Use::FLAG);
		release_semaphore(*device, event.stamp_sem, Use::GROWING);
		device->reap();
	}
	event.flag_sem = event.stamp_sem = 0;
	Runtime::get().events.destroy(event);
}

static Status refuse_device_only(const Event &event)
{
	if (event.flags != EVENT_DEVICE_USE_ONLY)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		"event was made with ACL_EVENT_DEVICE_USE_ONLY: the host can't record, wait for or "
		"reset it");
}

static Status refuse_captured(const Event &event, const char *what)
{
	if (!event.capture.load())
		return Status::OK;
	return set_error(
		Status::EVENT_CAPTURED,
		fmt::format(
			"event was recorded in a capture that is still open, so it can't be {}; "
			"end the capture first",
			what));
}

static Status refuse_other_device(const Event &event, const Stream &stream)
{
	if (event.device.get() == &stream.context->device())
		return Status::OK;
	if (!event.device.get())
		return set_error(Status::INVALID_HANDLE,
				 "event belongs to a device that was reset");
	return set_error(Status::NOT_SUPPORTED, "event and stream are on different devices; "
						"synchronise through the host");
}

/* The semaphore for the next time stamp: a stamp that is still under way keeps its own. */
static Status next_stamp(Event &event, drv::Device &device)
{
	if (event.stamp_sem != 0 && !device.done(event.fence)) {
		release_semaphore(device, event.stamp_sem, Use::GROWING);
		event.stamp_sem = 0;
	}
	if (event.stamp_sem == 0) {
		auto sem = device.semaphores().allocate();
		if (!sem)
			return set_error(sem.status(),
					 "no semaphore is left for the event's time stamp");
		event.stamp_sem = *sem;
		event.stamp_value = device.value(*sem);
	}
	event.stamp_value++;
	return Status::OK;
}

/* Appends the packets of a record. No lock is held: a full ring may block for long. */
static Result<Fence> submit_record(const Event &event, Stream &stream, uint32_t stamp_sem,
				   uint64_t stamp_value)
{
	auto fence = stream_tail(stream);
	if (fence && event.is_flag())
		fence = submit(stream, drv::signal_packet(cookie_of(Call::RECORD_EVENT),
							  event.flag_sem, UNPU_SIGNAL_SET, 1));
	if (fence && stamp_sem != 0)
		fence = submit(stream, drv::timestamp_packet(cookie_of(Call::RECORD_EVENT),
							     stamp_sem, stamp_value));
	if (!fence)
		return set_error(fence.status(), base::status_sentence(fence.status()));
	return fence;
}

static Status record_now(Event &event, Stream &stream)
{
	uint32_t stamp_sem = 0;
	uint64_t stamp_value = 0;
	TRY(refuse_other_device(event, stream));
	if (event.flags & EVENT_TIME_LINE) {
		std::lock_guard lock(event.mutex);
		TRY(next_stamp(event, stream.context->device()));
		stamp_sem = event.stamp_sem;
		stamp_value = event.stamp_value;
	}
	auto fence = submit_record(event, stream, stamp_sem, stamp_value);
	if (!fence)
		return fence.status();
	std::lock_guard lock(event.mutex);
	event.fence = *fence;
	event.recorded = true;
	return Status::OK;
}

Status record_event(Event &event, Stream &stream)
{
	TRY(refuse_device_only(event));
	if (event.capture.load() || stream.context->capture_count.load() > 0) [[unlikely]] {
		auto lock = Capture::lock();
		if (Capture *capture = stream.capture.load())
			return capture->record(event, stream);
		if (event.capture.load() && stream.is_default)
			return set_error(
				Status::CAPTURE_IMPLICIT,
				"the default stream can't record an event that is captured");
		TRY(refuse_captured(event, "recorded outside it"));
	}
	return record_now(event, stream);
}

static Status check_sync_bit(const Event &event, const char *what)
{
	if (event.flags & (EVENT_SYNC | EVENT_EXTERNAL))
		return Status::OK;
	return set_error(
		Status::NOT_SUPPORTED,
		fmt::format("event was made without ACL_EVENT_SYNC, so a stream can't {} it",
			    what));
}

static void remember_wait(Event &event, drv::Device &device, const Fence &fence)
{
	std::erase_if(event.waits, [&](const Fence &wait) { return device.done(wait); });
	event.waits.push_back(fence);
}

/* What a wait task would have to wait for; an empty fence when there is nothing. */
static Result<Fence> wait_target(Event &event, const Stream &stream)
{
	TRY(refuse_other_device(event, stream));
	if (event.is_flag())
		return Fence{event.flag_sem, 1};
	std::lock_guard lock(event.mutex);
	if (!event.recorded && event.mode == EventMode::DEFAULT)
		return set_error(Status::INVALID_ARGUMENT,
				 "event was never recorded; call aclrtRecordEvent before "
				 "aclrtStreamWaitEvent, or make it with "
				 "aclrtCreateEventWithFlag(ACL_EVENT_SYNC)");
	if (stream.context->device().done(event.fence) ||
	    event.fence.sem == stream.channel->timeline())
		return Fence{};
	return event.fence;
}

static Status wait_now(Event &event, Stream &stream, uint64_t timeout_ns)
{
	auto target = wait_target(event, stream);
	if (!target || target->empty())
		return target.status();
	auto fence = submit(stream, drv::wait_packet(cookie_of(Call::WAIT_EVENT), target->sem,
						     target->value, timeout_ns));
	if (!fence)
		return set_error(fence.status(), base::status_sentence(fence.status()));
	if (event.mode == EventMode::EX)
		return Status::OK;
	std::lock_guard lock(event.mutex);
	remember_wait(event, stream.context->device(), *fence);
	return Status::OK;
}

Status wait_event(Event &event, Stream &stream, uint64_t timeout_ns)
{
	TRY(refuse_device_only(event));
	TRY(check_sync_bit(event, "wait for"));
	if (event.capture.load() || stream.context->capture_count.load() > 0) [[unlikely]] {
		auto lock = Capture::lock();
		Capture *capture = stream.capture.load();
		if (capture || event.capture.load())
			return (capture ? capture : event.capture.load())->join(event, stream);
	}
	return wait_now(event, stream, timeout_ns);
}

Status reset_event(Event &event, Stream &stream)
{
	TRY(refuse_device_only(event));
	if (event.mode == EventMode::EX)
		return set_error(Status::NOT_SUPPORTED,
				 "event was made by aclrtCreateEventExWithFlag: a new "
				 "record replaces the old one, there is no reset");
	TRY(check_sync_bit(event, "reset"));
	if (capturing(stream) && !(event.flags & EVENT_EXTERNAL))
		return set_error(Status::NOT_SUPPORTED,
				 "only events with ACL_EVENT_EXTERNAL can be reset in a capture");
	std::unique_lock lock(event.mutex);
	if (event.mode == EventMode::DEFAULT) {
		event.recorded = false;
		event.fence = {};
		return Status::OK;
	}
	TRY(refuse_other_device(event, stream));
	event.in_graph = event.in_graph || capturing(stream);
	auto packet = drv::signal_packet(cookie_of(Call::RESET_EVENT), event.flag_sem,
					 UNPU_SIGNAL_SET, 0);
	lock.unlock();
	return enqueue(stream, packet);
}

/* A flag is sticky from its first use, whether that succeeded or not. */
static Status check_sticky(int &sticky, uint32_t flag, Stream &stream)
{
	if (flag > 1)
		return set_error(
			Status::INVALID_ENUM,
			fmt::format("flag is {}; it must be 0 (default) or 1 (external)", flag));
	if (sticky >= 0 && sticky != static_cast<int>(flag))
		return set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("event was used with flag {} before; it can't change to {}",
				    sticky, flag));
	sticky = static_cast<int>(flag);
	if (flag == 0)
		return Status::OK;
	if (!capturing(stream))
		return set_error(
			Status::NOT_CAPTURING,
			"flag 1 (external) is for streams that capture; this one does not");
	return set_error(Status::NOT_SUPPORTED,
			 "external records and waits can't be captured by this "
			 "version; use an event made with ACL_EVENT_EXTERNAL");
}

Status record_event_flagged(Event &event, Stream &stream, uint32_t flag)
{
	{
		std::lock_guard lock(event.mutex);
		TRY(check_sticky(event.record_flag, flag, stream));
	}
	return record_event(event, stream);
}

Status wait_event_flagged(Event &event, Stream &stream, uint64_t timeout_ns, uint32_t flag)
{
	{
		std::lock_guard lock(event.mutex);
		TRY(check_sticky(event.wait_flag, flag, stream));
	}
	return wait_event(event, stream, timeout_ns);
}

static Status refuse_external(const Event &event)
{
	if (event.flags != EVENT_EXTERNAL)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 "event was made with ACL_EVENT_EXTERNAL: the host can't look at it");
}

Status sync_event(Event &event, uint64_t deadline_ns, bool spin)
{
	TRY(refuse_external(event));
	Fence fence;
	drv::Device *device;
	{
		std::lock_guard lock(event.mutex);
		TRY(refuse_captured(event, "synchronised"));
		fence = event.fence;
		device = event.device.get();
	}
	if (!device)
		return Status::OK;
	Status status = device->wait(fence, deadline_ns, spin);
	if (status == Status::TIMEOUT)
		return set_error(Status::EVENT_TIMEOUT,
				 "the event's record did not complete within the "
				 "time limit; it can be synchronised again");
	if (status != Status::OK)
		return set_error(status, base::status_sentence(status));
	Runtime::get().pools.trim_idle();
	return status;
}

static bool record_done(const Event &event)
{
	drv::Device *device = event.device.get();
	return !device || device->done(event.fence);
}

static Status refuse_new_mode(const Event &event, const char *instead)
{
	if (event.mode != EventMode::EX)
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("event was made by aclrtCreateEventExWithFlag; {}", instead));
}

Status query_event(Event &event, bool &done)
{
	TRY(refuse_new_mode(event, "use aclrtQueryEventStatus"));
	TRY(refuse_external(event));
	std::lock_guard lock(event.mutex);
	TRY(refuse_captured(event, "queried"));
	done = record_done(event);
	return Status::OK;
}

Status query_event_recorded(Event &event, bool &done)
{
	TRY(refuse_external(event));
	std::lock_guard lock(event.mutex);
	TRY(refuse_captured(event, "queried"));
	done = event.recorded ? record_done(event) : event.mode == EventMode::EX;
	return Status::OK;
}

Status query_event_waits(Event &event, bool &done)
{
	TRY(refuse_new_mode(event, "its waits are not counted; query the streams instead"));
	TRY(refuse_external(event));
	std::lock_guard lock(event.mutex);
	TRY(refuse_captured(event, "queried"));
	drv::Device *device = event.device.get();
	done = !device || std::all_of(event.waits.begin(), event.waits.end(),
				      [&](const Fence &wait) { return device->done(wait); });
	return Status::OK;
}

EventView view_event(Event &event)
{
	std::lock_guard lock(event.mutex);
	EventView view{event.recorded, record_done(event), event.fence, 0};
	if (view.done && event.stamp_sem != 0)
		view.timestamp_ns = event.device.get()->timestamp_ns(event.stamp_sem);
	return view;
}

Status event_timestamp(Event &event, uint64_t &timestamp_ns)
{
	TRY(refuse_external(event));
	std::lock_guard lock(event.mutex);
	TRY(refuse_captured(event, "asked for its time stamp"));
	drv::Device *device = event.device.get();
	if (!event.recorded || !device)
		return set_error(Status::EVENT_NEVER_RECORDED, "event was never recorded");
	if (!(event.flags & EVENT_TIME_LINE) || event.stamp_sem == 0)
		return set_error(
			Status::EVENT_NO_TIMESTAMP,
			"event was made without ACL_EVENT_TIME_LINE, so it has no time stamp");
	if (!device->done(event.fence))
		return set_error(Status::EVENT_NO_TIMESTAMP,
				 "event's record is not complete; synchronise "
				 "the event first");
	timestamp_ns = device->timestamp_ns(event.stamp_sem);
	return Status::OK;
}

Status event_id(Event &event, uint32_t &id)
{
	std::lock_guard lock(event.mutex);
	if (!event.is_flag() && (!event.recorded || !(event.flags & EVENT_SYNC)))
		return set_error(Status::EVENT_NO_ID,
				 "event has no hardware id: it was never recorded, or "
				 "was made without ACL_EVENT_SYNC");
	id = HandleTable<Event, Kind::EVENT>::index(event);
	return Status::OK;
}

} // namespace umd
