// SPDX-License-Identifier: MIT
/**
 * DOC: Looks at events
 *
 * The calls on events that cost no packet, in the caller: a look at the event's line, the stream's
 * and a semaphore. Each says false where there may be more to it, or a mistake to be told of.
 */
#pragma once

#include "umd/event.h"
#include "umd/runtime.h"
#include "umd/stay.h"
#include "umd/stream.h"

namespace umd {

/** undisturbed() - whether neither @event nor @stream needs more than a look at the other's fence. */
inline bool undisturbed(const Event &event, const Stream &stream)
{
	return event.plain && !event.capture.load() && !event.last_captured.load() &&
	       stream.attention.load() == 0 && !collects(stream) &&
	       stream.context->capture_count.load() == 0 && event.device.is(*stream.context->open);
}

/** look_record() - records @event, a plain one, on @stream. */
inline bool look_record(const void *event, const void *stream)
{
	const Held<Event> found(Runtime::get().events, event);
	const Held<Stream> on(Runtime::get().streams, stream);
	if (!found || !on || !is_current(*on) || !undisturbed(*found, *on)) [[unlikely]]
		return false;
	found->record.set(on->channel->last());
	return true;
}

/** passed() - whether a wait on @stream has nothing to wait for. */
inline bool passed(const Event &event, const Stream &stream)
{
	if (!undisturbed(event, stream) || !(event.flags & EVENT_SYNC))
		return false;
	const drv::Fence last = event.record.fence();
	return !last.empty() &&
	       (last.sem == stream.channel->timeline() || stream.context->device().done(last));
}

/** look_wait() - whether @stream need not wait for @event. */
inline bool look_wait(const void *event, const void *stream)
{
	const Held<Event> found(Runtime::get().events, event);
	const Held<Stream> on(Runtime::get().streams, stream);
	return found && on && is_current(*on) && passed(*found, *on);
}

/** look_query() - whether @event's latest record, of a plain one, is done. */
inline bool look_query(const void *event)
{
	const Held<Event> found(Runtime::get().events, event);
	if (!found || !found->plain || found->capture.load()) [[unlikely]]
		return false;
	const drv::Fence last = found->record.fence();
	const DeviceHold device = found->device.hold();
	return device && !last.empty() && device->done(last);
}

} // namespace umd
