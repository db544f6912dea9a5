// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL events
 */
#include "umd/core/event/event.h"
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/device/devices.h"
#include "umd/core/event/event_look.h"
#include "umd/core/memory/made.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::Event;
using umd::EventMode;
using umd::find_event;
using umd::null_argument;
using umd::Process;
using umd::set_error;

/* The program's flags are passed to the runtime unchanged, so their values must be the same. */
static_assert(umd::EVENT_SYNC == ACL_EVENT_SYNC);
static_assert(umd::EVENT_PROGRESS == ACL_EVENT_CAPTURE_STREAM_PROGRESS);
static_assert(umd::EVENT_TIME_LINE == ACL_EVENT_TIME_LINE);
static_assert(umd::EVENT_DEVICE_USE_ONLY == ACL_EVENT_DEVICE_USE_ONLY);
static_assert(umd::EVENT_EXTERNAL == ACL_EVENT_EXTERNAL);
static_assert(umd::EVENT_IPC == ACL_EVENT_IPC);

/* Slow path of find_event_parts(): the runtime does not exist yet, the hazard-pointer slots are taken,
 * or the handle is bad. */
[[gnu::noinline]] static umd::Held<umd::Event>::Parts search_event(const void *handle,
								   const char *name)
{
	if (!handle)
		return umd::Held<umd::Event>(null_argument(name)).release();
	if (umd::Held<umd::Event> event(Event::table(), handle); event)
		return event.release();
	Status status = Process::check_fork();
	if (status == Status::OK)
		status = set_error(Status::INVALID_HANDLE,
				   fmt::format("{} {} is not a live event: it was destroyed, or is "
					       "something else",
					       name, fmt::ptr(handle)));
	return umd::Held<umd::Event>(status).release();
}

umd::Held<umd::Event>::Parts umd::find_event_parts(const void *handle, const char *name)
{
	if (const auto *events = umd::Process::find<Event::Table>()) [[likely]] {
		if (auto event = Held<Event>::peek(*events, handle); event) [[likely]]
			return event.release();
	}
	return search_event(handle, name);
}

/* @site: the return address of the API call */
static aclError create(aclrtEvent *event, EventMode mode, uint32_t flag, const void *site)
{
	if (!event)
		return acl_return(null_argument("event"));
	auto context = TRY(Contexts::get().current());
	auto made = TRY(umd::create_event(*context, mode, flag));
	*event = Event::table().pointer(*made);
	umd::check::made(*event, "an event", 0, site);
	return ACL_SUCCESS;
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
	return create(event, EventMode::DEFAULT,
		      ACL_EVENT_TIME_LINE | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_SYNC,
		      __builtin_return_address(0));
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
	return create(event, EventMode::FLAG, flag, __builtin_return_address(0));
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
	return create(event, EventMode::EX, flag, __builtin_return_address(0));
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
	auto found = TRY(find_event(event, "event"));
	if (!umd::destroy_event(*found, event))
		return acl_return(find_event(event, "event").status());
	umd::check::gone(event);
	return ACL_SUCCESS;
}

/* Slow path of aclrtRecordEvent(). It is a separate function so that the fast path, look_record(),
 * saves no registers for it. */
[[gnu::noinline]] static aclError record(aclrtEvent event, aclrtStream stream)
{
	auto found = TRY(find_event(event, "event"));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::record_event(*found, *on));
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
	if (umd::look_record(event, stream)) [[likely]]
		return ACL_SUCCESS;
	return record(event, stream);
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag)
{
	auto found = TRY(find_event(event, "event"));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::record_event_flagged(*found, *on, flag));
}

[[gnu::noinline]] static aclError wait(aclrtStream stream, aclrtEvent event)
{
	auto found = TRY(find_event(event, "event"));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::wait_event(*found, *on, Devices::get().wait_timeout_ns.load()));
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
	if (umd::look_wait(event, stream)) [[likely]]
		return ACL_SUCCESS;
	return wait(stream, event);
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout)
{
	Devices::get().wait_timeout_ns = timeout * base::NS_PER_S;
	return ACL_SUCCESS;
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout)
{
	if (timeout < 0)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("timeout is {} s; it must be 0 (for ever) or positive",
				    timeout)));
	auto found = TRY(find_event(event, "event"));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(
		umd::wait_event(*found, *on, static_cast<uint64_t>(timeout) * base::NS_PER_S));
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
				      uint32_t flag)
{
	if (flag == ACL_EVENT_WAIT_EXTERNAL && timeout != 0)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("timeout is {}; an external wait needs 0", timeout)));
	auto found = TRY(find_event(event, "event"));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::wait_event_flagged(*found, *on, timeout * base::NS_PER_S, flag));
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
	auto found = TRY(find_event(event, "event"));
	auto on = TRY(umd::find_stream(stream, true));
	return acl_return(umd::reset_event(*found, *on));
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
	if (!status)
		return acl_return(null_argument("status"));
	auto found = TRY(find_event(event, "event"));
	bool done = false;
	Status result = umd::query_event(*found, done);
	if (result == Status::OK)
		*status = done ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
	return acl_return(result);
}

[[gnu::noinline]] static aclError query_status(aclrtEvent event, aclrtEventRecordedStatus *status)
{
	if (!status)
		return acl_return(null_argument("status"));
	auto found = TRY(find_event(event, "event"));
	bool done = false;
	Status result = umd::query_event_recorded(*found, done);
	if (result == Status::OK)
		*status = done ? ACL_EVENT_RECORDED_STATUS_COMPLETE
			       : ACL_EVENT_RECORDED_STATUS_NOT_READY;
	return acl_return(result);
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
	if (!status || !umd::look_query(event)) [[unlikely]]
		return query_status(event, status);
	*status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
	return ACL_SUCCESS;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
	if (!status)
		return acl_return(null_argument("status"));
	auto found = TRY(find_event(event, "event"));
	bool done = false;
	Status result = umd::query_event_waits(*found, done);
	if (result == Status::OK)
		*status = done ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
	return acl_return(result);
}

/* A synchronisation reports the failure of a task that it covers. */
static aclError synchronize(Event &event, uint64_t deadline_ns)
{
	const Status status = umd::sync_event(event, deadline_ns);
	return acl_return(status == Status::OK ? umd::report_recorded(event) : status);
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
	auto found = TRY(find_event(event, "event"));
	return synchronize(*found, base::NO_DEADLINE);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
	auto found = TRY(find_event(event, "event"));
	auto deadline_ns = TRY(umd::parse_timeout(timeout));
	return synchronize(*found, deadline_ns);
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
	if (!ms)
		return acl_return(null_argument("ms"));
	auto start = TRY(find_event(startEvent, "startEvent"));
	auto end = TRY(find_event(endEvent, "endEvent"));
	uint64_t start_ns = 0;
	uint64_t end_ns = 0;
	Status status = umd::event_timestamp(*start, start_ns);
	if (status == Status::OK)
		status = umd::event_timestamp(*end, end_ns);
	if (status == Status::OK)
		*ms = static_cast<float>(
			static_cast<double>(static_cast<int64_t>(end_ns - start_ns)) / 1e6);
	return acl_return(status);
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
	if (!timestamp)
		return acl_return(null_argument("timestamp"));
	auto found = TRY(find_event(event, "event"));
	uint64_t timestamp_ns = 0;
	Status status = umd::event_timestamp(*found, timestamp_ns);
	if (status == Status::OK)
		*timestamp = timestamp_ns / 1000;
	return acl_return(status);
}

aclError aclrtGetEventAvailNum(uint32_t *eventCount)
{
	if (!eventCount)
		return acl_return(null_argument("eventCount"));
	auto left = TRY(umd::events_left());
	*eventCount = left;
	return ACL_SUCCESS;
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId)
{
	if (!eventId)
		return acl_return(null_argument("eventId"));
	auto found = TRY(find_event(event, "event"));
	return acl_return(umd::event_id(*found, *eventId));
}
