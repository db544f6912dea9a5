// SPDX-License-Identifier: MIT
/**
 * DOC: Looks at events
 *
 * The calls on events that cost no packet, in the caller: a look at the event's line, the stream's
 * and a semaphore. Each says false where there may be more to it, or a mistake to be told of.
 */
#pragma once

#include "umd/event.h"
#include "umd/process.h"
#include "umd/stay.h"
#include "umd/stream.h"

namespace umd {

/** undisturbed() - whether neither @event nor @stream needs more than a look at the other's fence. */
inline bool undisturbed(const Event &event, const Stream &stream)
{
	return event.plain && !event.capture.load() && !event.last_captured.load() &&
	       stream.attention.load() == 0 && stream.sink.is_empty() &&
	       event.device.is(*stream.context->open);
}

/** look_at() - calls @look with the event and the stream of the two handles, both held.
 * Return: false where one is not live, the event is not plain, or the stream of another context. */
template <class Look> inline bool look_at(const void *event, const void *stream, Look look)
{
	const auto *events = Process::find<Event::Table>();
	const auto *streams = Process::find<Stream::Table>();
	if (!events || !streams) [[unlikely]]
		return false;
	Event *found = events->find(event);
	/* It is looked at again once the event is held. */
	if (!found || !base::load_relaxed(found->plain)) [[unlikely]]
		return false;
	Stream *on = streams->find(stream);
	if (!on) [[unlikely]]
		return false;
	const HazardPair pair(found, on);
	return pair && events->is_live(*found, event) && streams->is_live(*on, stream) &&
	       is_current(*on) && undisturbed(*found, *on) && look(*found, *on);
}

/** look_record() - records @event, a plain one, on @stream. */
inline bool look_record(const void *event, const void *stream)
{
	return look_at(event, stream, [](Event &found, const Stream &on) {
		return found.record.set_narrow(on.channel->last());
	});
}

/** has_passed() - whether a wait for @event, an undisturbed one, has nothing to wait for. */
inline bool has_passed(const Event &event, const Stream &stream)
{
	const drv::Fence last = event.record.narrow_fence();
	return event.flags & EVENT_SYNC && !last.empty() &&
	       (last.sem == stream.channel->timeline() || stream.context->device().done(last));
}

/** passed() - whether a wait on @stream has nothing to wait for. */
inline bool passed(const Event &event, const Stream &stream)
{
	return undisturbed(event, stream) && has_passed(event, stream);
}

/** look_wait() - whether @stream need not wait for @event. */
inline bool look_wait(const void *event, const void *stream)
{
	return look_at(event, stream, has_passed);
}

/** look_query() - whether @event's latest record, of a plain one, is done. */
inline bool look_query(const void *event)
{
	const auto *events = Process::find<Event::Table>();
	const Event *found = events ? events->find(event) : nullptr;
	if (!found) [[unlikely]]
		return false;
	const HazardPair pair(found, found);
	if (!pair || !events->is_live(*found, event) || !found->plain || found->capture.load())
		[[unlikely]]
		return false;
	const drv::Fence last = found->record.narrow_fence();
	const drv::Device *device = found->device.look(pair);
	return device && !last.empty() && device->done(last);
}

} // namespace umd
