// SPDX-License-Identifier: MIT
/**
 * DOC: Event
 *
 * A record names a fence; without time stamp it costs no packet. A wait on a fence that has passed,
 * or on the stream's own timeline, costs none either. Events made by the flag call are a semaphore
 * that tasks set and reset.
 */
#include "event.h"

#include <optional>

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "event_look.h"
#include "event_stamp.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/object/context_object.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/object/ipc_event_object.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/stream/stream_tail.h"
#include "umd/core/task/capture_notes.h"
#include "umd/core/task/task.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

static uint64_t cookie_of(Call call)
{
	return drv::cookie_call(static_cast<uint16_t>(call));
}

static bool flags_allowed(EventMode mode, uint32_t flags)
{
	constexpr uint32_t COMMON = EVENT_SYNC | EVENT_PROGRESS | EVENT_INTERNAL | EVENT_TIME_LINE;
	if (flags != 0 && (flags & ~COMMON) == 0)
		return true;
	if (mode == EventMode::FLAG)
		return flags == EVENT_DEVICE_USE_ONLY || flags == EVENT_EXTERNAL;
	return mode == EventMode::EX && flags == EVENT_IPC;
}

static Status check_flags(EventMode mode, uint32_t flags)
{
	if (flags_allowed(mode, flags))
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		fmt::format("flag is {:#x}; it must be a non-zero OR of $EVENT_SYNC, "
			    "$EVENT_CAPTURE_STREAM_PROGRESS and $EVENT_TIME_LINE{}",
			    flags,
			    mode == EventMode::FLAG
				    ? ", or $EVENT_DEVICE_USE_ONLY or $EVENT_EXTERNAL alone"
				    : ", or $EVENT_IPC alone"));
}

/* Context: the lock of the device's EventIds is held, so the event keeps the id. */
static bool has_done_record(const Event &event)
{
	const DeviceHold device = event.device.hold();
	const Fence fence = event.record.fence();
	return !fence.empty() && (!device || device->done(fence));
}

/* A flag is a semaphore of the device and counts as one of its hardware events. */
static Status make_flag(Event &event, Context &context)
{
	drv::Device &device = context.device();
	TRY(context.open->event_ids.take(event.id, nullptr, has_done_record));
	auto sem = device.allocate_semaphore(drv::SemaphorePool::Use::FLAG);
	Status status = sem ? device.set_semaphore(*sem, 0) : sem.status();
	if (status != Status::OK) {
		context.open->event_ids.give_back(event.id);
		return set_error(
			status,
			fmt::format("no semaphore is left for an event with $EVENT_SYNC: {}",
				    device.refusal(status, drv::Need::SEMAPHORE)));
	}
	event.flag_sem = *sem;
	context.open->users.add(*sem, event.handle.now());
	return Status::OK;
}

/* Stores only values that change: a store to a shared cache line costs far more than a load, and most
 * fields are unchanged when an event is destroyed. */
template <class T> static void set_back(std::atomic<T> &word, T value)
{
	if (word.load() != value)
		word = value;
}

/* Without analysis: no other thread knows the event yet. */
static Result<Event *> make_event(Context &context, EventMode mode,
				  uint32_t flags) NO_THREAD_SAFETY_ANALYSIS
{
	Event *event = Event::table().create();
	if (!event)
		return set_error(Status::NO_RESOURCE, "too many events; destroy some");
	event->owner = context.handle;
	event->api_flags = 0;
	event->outlives_peers = false;
	event->device = DeviceRef(*context.open);
	event->mode = mode;
	event->flags = flags;
	event->record.clear();
	event->flag_sem = event->stamp_sem = 0;
	event->stamp_value = 0;
	event->graph_record = 0;
	event->stamp_borrowed = false;
	event->waits.clear();
	event->record_flag = event->wait_flag = -1;
	event->in_graph = false;
	set_back<CaptureSink *>(event->capture, nullptr);
	set_back(event->is_in_model, false);
	set_back(event->is_last_captured, false);
	set_back(event->id.number, EventIds::NONE);
	base::store_relaxed(event->is_plain,
			    !event->is_flag() && !(flags & (EVENT_TIME_LINE | EVENT_IPC)) &&
				    flags != EVENT_DEVICE_USE_ONLY && !recorder::is_on());
	event->traced = 0;
	set_back(event->id.is_held, false);
	event->id.lender = nullptr;
	return event;
}

static void set_ipc(Event &event, std::shared_ptr<IpcEvent> ipc)
{
	std::lock_guard lock(event.mutex);
	event.ipc = std::move(ipc);
}

Result<Event *> create_event(Context &context, EventMode mode, uint32_t flags)
{
	TRY(check_flags(mode, flags));
	const HazardGuard stay(context);
	if (!stay.alive())
		return set_error(Status::NO_CONTEXT,
				 "the context was ended by another thread; create another, or keep "
				 "the thread from that");
	auto event = make_event(context, mode, flags);
	Status status = event.status();
	if (event && (*event)->is_flag())
		status = make_flag(**event, context);
	if (event && is_ipc(**event)) {
		auto ipc = IpcEvent::create(*context.open);
		status = ipc.status();
		if (ipc)
			set_ipc(**event, ipc.take());
	}
	if (event && status != Status::OK) {
		Event::table().destroy(**event);
		return status;
	}
	if (event)
		recorder::observer.note_event_created(**event);
	return event;
}

Result<Event *> open_event(Context &context, const unpu_export_key &key)
{
	auto ipc = TRY(IpcEvent::open(*context.open, key));
	auto event = make_event(context, EventMode::EX, EVENT_IPC);
	if (!event)
		return event;
	set_ipc(**event, std::move(ipc));
	recorder::observer.note_event_created(**event);
	return event;
}

using Use = drv::SemaphorePool::Use;

/* Releases the resources of the event, except for its record. */
static void release_parts(Event &event)
{
	const DeviceHold device = event.device.hold();
	if (device)
		device.open().event_ids.give_back(event.id);
	std::shared_ptr<IpcEvent> ipc;
	uint32_t flag_sem;
	uint32_t stamp_sem;
	{
		std::lock_guard lock(event.mutex);
		ipc.swap(event.ipc);
		flag_sem = std::exchange(event.flag_sem, 0);
		stamp_sem = std::exchange(event.stamp_sem, 0);
		/* A loaded graph still sets the flag of an event that it was captured with, so the
		 * semaphore must not be reused before. */
		if (event.in_graph)
			flag_sem = 0;
		if (event.stamp_borrowed)
			stamp_sem = 0;
	}
	if (!device)
		return;
	release_semaphore(*device, flag_sem, Use::FLAG);
	release_semaphore(*device, stamp_sem, Use::GROWING);
	device->reap();
}

/* Releases a hardware event at once if no task uses it, because there are few. A semaphore for time
 * stamps can wait. */
static void release_early(Event &event)
{
	if ((event.flag_sem != 0 || is_ipc(event)) && !is_protected(&event)) {
		release_parts(event);
		return;
	}
	if (const DeviceHold device = event.device.hold())
		device.open().event_ids.give_back(event.id);
}

void Event::on_idle()
{
	if (!is_plain)
		release_parts(*this);
}

bool destroy_event(Event &event, const void *handle)
{
	auto &events = Event::table();
	if (!events.retire(event, handle))
		return false;
	recorder::observer.note_event_end(event);
	if (event.capture.load()) {
		std::unique_lock lock(TaskSink::mutex);
		if (CaptureSink *capture = event.capture.load())
			capture->drop_event(event);
	}
	if (!event.is_plain)
		release_early(event);
	events.recycle(event);
	return true;
}

static Status refuse_device_only(const Event &event)
{
	if (event.flags != EVENT_DEVICE_USE_ONLY)
		return Status::OK;
	return set_error(
		Status::INVALID_ARGUMENT,
		"event was made with $EVENT_DEVICE_USE_ONLY: the host can't record, wait for or "
		"reset it");
}

CaptureSubject subject_of(const Stream *stream, const Event *event)
{
	CaptureSubject subject;
	if (stream)
		subject = subject_of(*stream);
	if (!subject.capture && event)
		subject.capture = event->capture.load();
	if (event)
		subject.event = event->handle;
	return subject;
}

static Status refuse_event(const Event &event, Status status, std::string sentence)
{
	Context *context = Context::table().get(reinterpret_cast<void *>(event.owner));
	if (!context)
		return set_error(status, std::move(sentence));
	return refuse_for_capture(context->notes, status, std::move(sentence), subject_of(event));
}

Status refuse_captured(const Event &event, const char *what)
{
	if (!event.capture.load())
		return Status::OK;
	return refuse_event(
		event, Status::EVENT_CAPTURED,
		fmt::format(
			"event was recorded in a capture that is still open, so it can't be {}; "
			"end the capture first",
			what));
}

static Status refuse_other_device(const Event &event, const Stream &stream)
{
	if (event.device.is(*stream.context->open))
		return Status::OK;
	if (!event.device.is_open())
		return set_error(Status::INVALID_HANDLE,
				 "event belongs to a device that was reset; create it again");
	return set_error(Status::NOT_SUPPORTED, "event and stream are on different devices; "
						"synchronise through the host");
}

/* Reserves the trace record of a call. It costs one test if no trace is recorded. */
static inline recorder::Entry begin_record(san::Kind kind, const Event &event, Stream &stream)
{
	if (!(stream.attention.load() & Stream::WATCHED)) [[likely]]
		return {};
	return recorder::observer.begin_event(kind, event, stream);
}

/* Submits the packets of a record. Context: no lock held, because a full ring may block the thread for
 * long. */
static Result<Fence> submit_record(const Event &event, Stream &stream, const Fence &stamp)
{
	auto fence = stream_tail(stream);
	if (fence && event.is_flag())
		fence = submit(stream, drv::signal_packet(cookie_of(Call::RECORD_EVENT),
							  event.flag_sem, UNPU_SIGNAL_SET, 1));
	if (fence && stamp.sem != 0)
		fence = submit(stream, drv::timestamp_packet(cookie_of(Call::RECORD_EVENT),
							     stamp.sem, stamp.value));
	return fence;
}

static Status record_now(Event &event, Stream &stream)
{
	Stamp stamp;
	TRY(check_accepts(stream));
	TRY(refuse_other_device(event, stream));
	if (event.mode == EventMode::DEFAULT && !event.id.is_held.load())
		TRY(stream.context->open->event_ids.take(event.id, &event, has_done_record));
	if (event.flags & EVENT_TIME_LINE)
		TRY(ask_stamp(event, stream, stamp));
	auto entry = begin_record(san::Kind::EVENT_RECORD, event, stream);
	auto fence = submit_record(event, stream, stamp.fence);
	drv::Device &device = stream.context->device();
	if (!fence && stamp.fence.sem != 0)
		cancel_stamp(event, device, stamp);
	if (!fence)
		return fence.status();
	if (stamp.fence.sem != 0)
		finish_stamp(event, device, stamp, *fence);
	else
		event.record.set(*fence);
	event.is_last_captured = false;
	event.is_in_model = false;
	if (event.is_flag() || stamp.fence.sem != 0)
		entry.publish_task(stream.channel->task_number(*fence));
	else
		entry.publish(); /* it needed no packet */
	return Status::OK;
}

/* Adds a record, wait or reset as a task of a model. Only flags qualify: they do the same in each
 * execution. */
static Status collect(Event &event, Stream &stream, TaskKind kind, const unpu_packet &packet,
		      const char *what)
{
	if (!event.is_flag())
		return set_error(
			Status::NOT_SUPPORTED,
			fmt::format("stream {} keeps its tasks for a model; only events made by "
				    "$create_event_with_flag with $EVENT_SYNC or "
				    "$EVENT_EXTERNAL can be {} there",
				    stream.id, what));
	TRY(refuse_other_device(event, stream));
	{
		std::lock_guard lock(event.mutex);
		event.in_graph = true;
	}
	GraphTask task;
	task.kind = kind;
	task.packet = packet;
	task.event = event.handle;
	return offer_task(stream, task).value_or(Status::OK);
}

static Status collect_record(Event &event, Stream &stream)
{
	TRY(collect(event, stream, TaskKind::SET_FLAG,
		    drv::signal_packet(cookie_of(Call::RECORD_EVENT), event.flag_sem,
				       UNPU_SIGNAL_SET, 1),
		    "recorded"));
	event.is_in_model = true;
	return Status::OK;
}

/* enum class RecordWay - who takes the record of an event that the fast path does not serve. */
enum class RecordWay : uint8_t { PROCESSES, NOBODY, CAPTURE, MODEL, STREAM };

static RecordWay way_of_record(const Event &event, const Stream &stream)
{
	if (is_ipc(event)) [[unlikely]]
		return RecordWay::PROCESSES;
	if (event.flags == EVENT_DEVICE_USE_ONLY) [[unlikely]]
		return RecordWay::NOBODY;
	if (event.capture.load() || capturing(stream)) [[unlikely]]
		return RecordWay::CAPTURE;
	return collects(stream) ? RecordWay::MODEL : RecordWay::STREAM;
}

/* Return: empty if no capture has the event or the stream any more. */
[[gnu::cold]] static std::optional<Status> record_captured(Event &event, Stream &stream)
{
	std::unique_lock lock(TaskSink::mutex);
	if (CaptureSink *capture = stream.sink.capture())
		return capture->record(event, stream);
	if (event.capture.load() && stream.is_default)
		return set_error(Status::CAPTURE_IMPLICIT,
				 "the default stream can't record an event that is "
				 "captured; record it in the stream that captures");
	TRY(refuse_captured(event, "recorded outside it"));
	return std::nullopt;
}

Status record_event(Event &event, Stream &stream)
{
	if (fast_path_ok(event, stream)) [[likely]] {
		event.record.set(stream.channel->last());
		return Status::OK;
	}
	switch (way_of_record(event, stream)) {
	case RecordWay::PROCESSES:
		return record_ipc(event, stream);
	case RecordWay::NOBODY:
		return refuse_device_only(event);
	case RecordWay::CAPTURE:
		if (const auto status = record_captured(event, stream))
			return *status;
		if (!collects(stream))
			break;
		[[fallthrough]];
	case RecordWay::MODEL:
		return collect_record(event, stream);
	case RecordWay::STREAM:
		break;
	}
	return record_now(event, stream);
}

static Status check_sync_bit(const Event &event, const char *what)
{
	if (event.flags & (EVENT_SYNC | EVENT_EXTERNAL))
		return Status::OK;
	return set_error(Status::NOT_SUPPORTED,
			 fmt::format("event was made without $EVENT_SYNC, so a stream can't {} it; "
				     "make it with that flag",
				     what));
}

/* Translates a fence of another device into a fence that device @here can wait for. */
static Result<Fence> followed(drv::Device &here, drv::Device &home, const Fence &fence)
{
	if (&here == &home) [[likely]]
		return fence;
	auto there = here.peers().follow(home, fence);
	if (!there)
		return set_error(there.status(),
				 fmt::format("the device can't follow the event's device: {}",
					     base::status_sentence(there.status())));
	return there;
}

/* The fence that a wait task has to wait for; empty if the record has passed. */
static Result<Fence> wait_target(Event &event, const Stream &stream)
{
	drv::Device &here = stream.context->device();
	const DeviceHold home = event.device.hold();
	if (!home)
		return refuse_other_device(event, stream);
	if (event.is_flag())
		return followed(here, *home, {event.flag_sem, 1});
	const Fence last = event.record.fence();
	if (last.empty() && event.mode == EventMode::DEFAULT)
		return set_error(Status::INVALID_ARGUMENT,
				 "event was never recorded; call $record_event before "
				 "$stream_wait_event, or make it with "
				 "$create_event_with_flag($EVENT_SYNC)");
	if (home->done(last) || (home.holds(here) && last.sem == stream.channel->timeline()))
		return Fence{};
	return followed(here, *home, last);
}

static Status wait_now(Event &event, Stream &stream, uint64_t timeout_ns)
{
	TRY(check_accepts(stream));
	auto entry = begin_record(san::Kind::EVENT_WAIT, event, stream);
	auto target = TRY(wait_target(event, stream));
	if (target.empty()) {
		entry.publish();
		return Status::OK;
	}
	auto fence = TRY(submit(stream, drv::wait_packet(cookie_of(Call::WAIT_EVENT), target.sem,
							 target.value, timeout_ns)));
	entry.publish_task(stream.channel->task_number(fence));
	/* A query of an event does not look at waits on other devices, so they are not counted. */
	if (event.mode == EventMode::EX || !event.device.is(*stream.context->open))
		return Status::OK;
	std::lock_guard lock(event.mutex);
	event.waits.add(fence, stream.context->device());
	return Status::OK;
}

Status wait_event(Event &event, Stream &stream, uint64_t timeout_ns)
{
	if (passed(event, stream)) [[likely]]
		return Status::OK;
	if (is_ipc(event)) [[unlikely]]
		return wait_ipc(event, stream, timeout_ns);
	TRY(refuse_device_only(event));
	TRY(check_sync_bit(event, "wait for"));
	if (event.capture.load() || capturing(stream)) [[unlikely]] {
		std::unique_lock lock(TaskSink::mutex);
		CaptureSink *capture = stream.sink.capture();
		if (!capture)
			capture = event.capture.load();
		if (capture)
			return capture->join(event, stream);
	}
	if (collects(stream)) [[unlikely]]
		return collect(event, stream, TaskKind::AWAIT_FLAG,
			       drv::wait_packet(cookie_of(Call::WAIT_EVENT), event.flag_sem, 1,
						timeout_ns),
			       "waited for");
	return wait_now(event, stream, timeout_ns);
}

/* Names the event in the captured reset. */
static Status enqueue_reset(const Event &event, Stream &stream, const unpu_packet &packet,
			    recorder::Entry &entry)
{
	if (capturing(stream)) [[unlikely]] {
		GraphTask task = graph_task(packet, nullptr);
		task.kind = TaskKind::RESET_FLAG;
		task.event = event.handle;
		if (auto status = offer_task(stream, task))
			return *status;
	}
	return enqueue_noted(stream, packet, entry);
}

Status reset_event(Event &event, Stream &stream)
{
	TRY(refuse_device_only(event));
	if (event.mode == EventMode::EX)
		return set_error(Status::NOT_SUPPORTED,
				 "event was made by $create_event_ex_with_flag: a new "
				 "record replaces the old one, there is no reset");
	TRY(check_sync_bit(event, "reset"));
	if (capturing(stream) && !(event.flags & EVENT_EXTERNAL))
		return set_error(Status::NOT_SUPPORTED,
				 "only events with $EVENT_EXTERNAL can be reset in a capture");
	auto packet = drv::signal_packet(cookie_of(Call::RESET_EVENT), event.flag_sem,
					 UNPU_SIGNAL_SET, 0);
	if (collects(stream) && !capturing(stream))
		return collect(event, stream, TaskKind::RESET_FLAG, packet, "reset");
	TRY(check_accepts(stream));
	recorder::Entry entry;
	if (!capturing(stream))
		entry = begin_record(san::Kind::EVENT_RESET, event, stream);
	std::unique_lock lock(event.mutex);
	if (event.mode == EventMode::DEFAULT) {
		event.record.clear();
		entry.publish();
		return Status::OK;
	}
	TRY(refuse_other_device(event, stream));
	event.in_graph = event.in_graph || capturing(stream);
	lock.unlock();
	return enqueue_reset(event, stream, packet, entry);
}

} // namespace umd
