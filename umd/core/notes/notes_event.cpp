// SPDX-License-Identifier: MIT
/**
 * DOC: notes of events, notifies and words that streams wait for
 */
#include "notes.h"
#include "umd/core/event/event.h"
#include "umd/core/event/notify.h"
#include "umd/core/stream/stream.h"

namespace umd::recorder {

using san::Kind;

static uint64_t number_of(const Recorder &recorder, Event &event)
{
	if (!is_ipc(event))
		return recorder.number_of(event.handle);
	std::lock_guard lock(event.mutex);
	return number_of_key(event.ipc->key());
}

void note_event_created(Event &event)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return;
	event.traced = number_of(*recorder, event);
	recorder->write({.kind = Kind::EVENT_CREATE,
			 .object = event.traced,
			 .value = event.is_flag() ? san::EVENT_LATCH : san::EVENT_SNAPSHOT});
}

void note_event_end(const Event &event)
{
	Recorder *recorder = Recorder::get();
	if (recorder && event.traced != 0 && !is_ipc(event))
		recorder->write({.kind = Kind::EVENT_DESTROY, .object = event.traced});
}

Entry begin_event(Kind kind, const Event &event, Stream &stream)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || event.traced == 0)
		return {};
	if (is_ipc(event))
		recorder->note_time();
	const Call call = kind == Kind::EVENT_RECORD ? Call::RECORD_EVENT
			  : kind == Kind::EVENT_WAIT ? Call::WAIT_EVENT
						     : Call::RESET_EVENT;
	return recorder->reserve({.kind = kind,
				  .stream = stream_number(stream),
				  .object = event.traced,
				  .label = recorder->call_label(static_cast<uint8_t>(call))});
}

void note_event(Kind kind, const Event &event)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || event.traced == 0 || CallNotes::mine().is_quiet)
		return;
	if (is_ipc(event))
		recorder->note_time();
	recorder->write({.kind = kind, .object = event.traced});
}

void note_notify_created(Notify &notify)
{
	const Recorder *recorder = Recorder::get();
	notify.traced = recorder ? recorder->number_of(notify.handle) : 0;
}

void note_notify_shared(Notify &notify, const unpu_export_key &key)
{
	if (Recorder *recorder = Recorder::get()) {
		recorder->note_time();
		notify.traced = number_of_key(key);
	}
}

/* The value that a counter has after a signal, where the trace can know it. */
static uint64_t value_after(Notify &notify, uint8_t op, uint64_t value)
{
	std::lock_guard lock(notify.mutex);
	switch (op) {
	case UNPU_SIGNAL_SET:
		notify.traced_value = value;
		break;
	case UNPU_SIGNAL_ADD:
		notify.traced_value += value;
		break;
	case UNPU_SIGNAL_OR:
		notify.traced_value |= value;
		break;
	case UNPU_SIGNAL_AND:
		notify.traced_value &= value;
		break;
	}
	return notify.traced_value;
}

Entry begin_signal(Notify &notify, Stream &stream, uint8_t op, uint64_t value)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || notify.traced == 0)
		return {};
	return recorder->reserve(
		{.kind = Kind::SIGNAL,
		 .stream = stream_number(stream),
		 .object = notify.traced,
		 .value = value_after(notify, op, value),
		 .label = recorder->call_label(static_cast<uint8_t>(Call::RECORD_NOTIFY))});
}

/* A condition that the trace can't express counts as fulfilled by the latest signal, which reports nothing that
 * is right. */
static uint16_t latch_flags(uint32_t op, bool clears, uint64_t &value)
{
	if (clears)
		return san::LATCH_CONSUME;
	switch (op) {
	case UNPU_WAIT_EQ:
		return san::LATCH_EQUAL;
	case UNPU_WAIT_GT:
		value++;
		return san::LATCH_AT_LEAST;
	case UNPU_WAIT_GE:
		return san::LATCH_AT_LEAST;
	default:
		value = 0;
		return san::LATCH_AT_LEAST;
	}
}

Entry begin_await(const Notify &notify, Stream &stream, const unpu_sem_wait &wait)
{
	Recorder *recorder = Recorder::get();
	if (!recorder || notify.traced == 0)
		return {};
	uint64_t value = wait.value;
	const uint16_t flags = latch_flags(wait.op, wait.flags & UNPU_WAIT_CLEAR, value);
	return recorder->reserve(
		{.kind = Kind::AWAIT,
		 .flags = flags,
		 .stream = stream_number(stream),
		 .object = notify.traced,
		 .value = value,
		 .label = recorder->call_label(static_cast<uint8_t>(Call::WAIT_NOTIFY))});
}

Entry begin_word_signal(Stream &stream, const unpu_packet &packet)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	return recorder->reserve(
		{.kind = Kind::SIGNAL,
		 .stream = stream_number(stream),
		 .object = recorder->number_of(packet.value_write.address),
		 .value = packet.value_write.value,
		 .label = recorder->call_label(static_cast<uint8_t>(Call::VALUE_WRITE))});
}

Entry begin_word_await(Stream &stream, const unpu_packet &packet)
{
	Recorder *recorder = Recorder::get();
	if (!recorder)
		return {};
	const unpu_value_wait &wait = packet.value_wait;
	uint64_t value = wait.value;
	uint16_t flags = san::LATCH_AT_LEAST;
	if (wait.op == UNPU_VALUE_EQ)
		flags = san::LATCH_EQUAL;
	else if (wait.op != UNPU_VALUE_GE)
		value = 0;
	return recorder->reserve(
		{.kind = Kind::AWAIT,
		 .flags = flags,
		 .stream = stream_number(stream),
		 .object = recorder->number_of(wait.address),
		 .value = value,
		 .label = recorder->call_label(static_cast<uint8_t>(Call::VALUE_WAIT))});
}

} // namespace umd::recorder
