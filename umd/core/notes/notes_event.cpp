// SPDX-License-Identifier: MIT
/**
 * DOC: notes of events, notifies and words that streams wait for
 */
#include "drv/packet/cookie.h"
#include "host_guard.h"
#include "notes.h"
#include "sync_op.h"
#include "umd/core/object/event_object.h"
#include "umd/core/object/ipc_event_object.h"
#include "umd/core/object/notify_object.h"
#include "umd/core/object/stream_object.h"
#include "umd/core/process/call.h"

namespace umd::recorder {

using san::Kind;

static uint64_t number_of(const Recorder &recorder, Event &event)
{
	if (!is_ipc(event))
		return recorder.number_of(event.handle);
	std::lock_guard lock(event.mutex);
	return number_of_key(event.ipc->key());
}

static void note_event_created(Event &event)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return;
	event.traced = number_of(*recorder, event);
	recorder->write({.kind = Kind::EVENT_CREATE,
			 .object = event.traced,
			 .address = event.handle,
			 .value = event.is_flag() ? san::EVENT_LATCH : san::EVENT_SNAPSHOT});
}

static void note_event_end(const Event &event)
{
	Recorder *recorder = Recorder::get();
	if (recorder && event.traced != 0 && !is_ipc(event))
		recorder->write({.kind = Kind::EVENT_DESTROY, .object = event.traced});
}

Entry begin_event(Kind kind, const Event &event, Stream &stream)
{
	if (is_ipc(event))
		HostGuard::open();
	Recorder *recorder = Recorder::get();
	if (!recorder || event.traced == 0)
		return {};
	const Call named = CallNotes::mine().event_call;
	const Call call = named != Call::OTHER	       ? named
			  : kind == Kind::EVENT_RECORD ? Call::RECORD_EVENT
			  : kind == Kind::EVENT_WAIT   ? Call::WAIT_EVENT
						       : Call::RESET_EVENT;
	HostGuard::follow(kind, event.traced, stream);
	return recorder->reserve({.kind = kind,
				  .stream = stream_number(stream),
				  .object = event.traced,
				  .label = recorder->call_label(static_cast<uint16_t>(call))});
}

static void note_event(Kind kind, const Event &event)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || event.traced == 0 || CallNotes::mine().is_quiet || is_ipc(event))
		HostGuard::open();
	if (!recorder || event.traced == 0 || CallNotes::mine().is_quiet)
		return;
	if (kind != Kind::BLOCKED)
		HostGuard::know_event(event.traced);
	recorder->write({.kind = kind, .object = event.traced});
}

/* The trace gets an additional stream, which exists only there. It waits for the event, and records the
 * point. */
static uint64_t note_point(const Event &event)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || event.traced == 0)
		return 0;
	const uint64_t point = recorder->next_number();
	const uint32_t stream = recorder->next_stream();
	const uint32_t label = recorder->label("made by the library");
	recorder->write({.kind = Kind::EVENT_CREATE,
			 .object = point,
			 .value = san::EVENT_SNAPSHOT,
			 .label = label});
	recorder->write({.kind = Kind::STREAM_CREATE,
			 .flags = san::STREAM_NON_BLOCKING,
			 .stream = stream,
			 .label = label});
	HostGuard::follow_number(Kind::EVENT_WAIT, event.traced, stream);
	HostGuard::follow_number(Kind::EVENT_RECORD, point, stream);
	recorder->write({.kind = Kind::EVENT_WAIT, .stream = stream, .object = event.traced});
	recorder->write({.kind = Kind::EVENT_RECORD, .stream = stream, .object = point});
	recorder->write({.kind = Kind::STREAM_DESTROY, .stream = stream});
	return point;
}

static void note_point_wait(uint64_t point, Stream &stream)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || point == 0)
		return;
	HostGuard::follow(Kind::EVENT_WAIT, point, stream);
	recorder->write(
		{.kind = Kind::EVENT_WAIT, .stream = stream_number(stream), .object = point});
}

static void note_point_end(uint64_t point)
{
	Recorder *recorder = Recorder::get();
	if (recorder && point != 0)
		recorder->write({.kind = Kind::EVENT_DESTROY, .object = point});
}

static uint64_t note_run(uint64_t point, Stream &stream)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return 0;
	const bool is_new = point == 0;
	const uint64_t number = is_new ? recorder->next_number() : point;
	if (is_new)
		recorder->write({.kind = Kind::EVENT_CREATE,
				 .object = number,
				 .value = san::EVENT_SNAPSHOT,
				 .label = recorder->label("made by the library")});
	HostGuard::follow(Kind::EVENT_RECORD, number, stream);
	recorder->write(
		{.kind = Kind::EVENT_RECORD, .stream = stream_number(stream), .object = number});
	return number;
}

static void note_point_sync(uint64_t point)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || point == 0)
		return HostGuard::open();
	HostGuard::know_event(point);
	recorder->write({.kind = Kind::EVENT_SYNC, .object = point});
}

static void note_notify_created(Notify &notify)
{
	const Recorder *recorder = Recorder::get();
	notify.traced = recorder ? recorder->number_of(notify.handle) : 0;
}

static void note_notify_shared(Notify &notify, const unpu_export_key &key)
{
	if (is_on())
		notify.traced = number_of_key(key);
}

static void note_captured(const Notify &notify, const Stream &stream, uint32_t sem)
{
	if (Recorder *recorder = Recorder::get())
		recorder->set_latch(stream.context->state, sem, notify.traced);
}

static Entry begin_signal(const Notify &notify, Stream &stream, uint8_t op, uint64_t value)
{
	HostGuard::note_teller(stream);
	Recorder *recorder = Recorder::get();
	if (!recorder || notify.traced == 0)
		return {};
	const SyncOp use = latch_signal(notify.traced, op, value);
	return recorder->reserve(
		{.kind = Kind::SIGNAL,
		 .flags = use.flags,
		 .stream = stream_number(stream),
		 .object = use.latch,
		 .value = use.value,
		 .label = recorder->call_label(static_cast<uint8_t>(Call::RECORD_NOTIFY))});
}

static void note_notify_cleared(const Notify &notify)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || notify.traced == 0)
		return;
	recorder->write({.kind = Kind::SIGNAL, .flags = san::SIGNAL_SET, .object = notify.traced});
}

static Entry begin_await(const Notify &notify, Stream &stream, const unpu_sem_wait &wait)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || notify.traced == 0)
		return {};
	const SyncOp use = latch_wait(notify.traced, wait);
	return recorder->reserve(
		{.kind = Kind::AWAIT,
		 .flags = use.flags,
		 .stream = stream_number(stream),
		 .object = use.latch,
		 .value = use.value,
		 .label = recorder->call_label(static_cast<uint8_t>(Call::WAIT_NOTIFY))});
}

Entry begin_word_signal(Stream &stream, const unpu_packet &packet)
{
	HostGuard::note_teller(stream);
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	const SyncOp use = sync_op(*recorder, stream.context->state, packet);
	return recorder->reserve(
		{.kind = Kind::SIGNAL,
		 .flags = use.flags,
		 .stream = stream_number(stream),
		 .object = use.latch,
		 .value = use.value,
		 .label = recorder->call_label(drv::decode_cookie(packet.cookie).call)});
}

Entry begin_word_await(Stream &stream, const unpu_packet &packet)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	const SyncOp use = sync_op(*recorder, stream.context->state, packet);
	return recorder->reserve(
		{.kind = Kind::AWAIT,
		 .flags = use.flags,
		 .stream = stream_number(stream),
		 .object = use.latch,
		 .value = use.value,
		 .label = recorder->call_label(drv::decode_cookie(packet.cookie).call)});
}

void observe_events()
{
	observer.begin_event.fill(begin_event);
	observer.note_event_created.fill(note_event_created);
	observer.note_event_end.fill(note_event_end);
	observer.note_event.fill(note_event);
	observer.note_point.fill(note_point);
	observer.note_point_wait.fill(note_point_wait);
	observer.note_point_end.fill(note_point_end);
	observer.note_run.fill(note_run);
	observer.note_point_sync.fill(note_point_sync);
	observer.note_notify_created.fill(note_notify_created);
	observer.note_notify_shared.fill(note_notify_shared);
	observer.note_captured.fill(note_captured);
	observer.begin_signal.fill(begin_signal);
	observer.note_notify_cleared.fill(note_notify_cleared);
	observer.begin_await.fill(begin_await);
}

} // namespace umd::recorder
