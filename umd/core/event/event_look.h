// SPDX-License-Identifier: MIT
/**
 * DOC: Looks at events
 *
 * Inline fast paths of the event calls that need no packet. They read only the event's cache line, the
 * stream's line and a semaphore. A look returns false in all other cases and for invalid arguments; the
 * full call then starts from the beginning.
 */
#pragma once

#include "drv/channel/channel.h"
#include "drv/device.h"
#include "event.h"
#include "umd/core/device/open_device.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/process.h"
#include "umd/core/stream/stream.h"

namespace umd {

/** fast_path_ok() - whether the fast path may be used for @event and @stream: the event is plain and on the
 * same device, and the stream has no capture, no sink and no gate, and does not refuse work. */
[[gnu::always_inline]] inline bool fast_path_ok(const Event &event, const Stream &stream)
{
	return event.is_plain && !event.capture.load() && !event.is_last_captured.load() &&
	       stream.attention.load() == 0 && stream.sink.is_empty() &&
	       event.device.is(*stream.context->open);
}

/** look_at() - calls @look with the event and the stream of the two handles, both held by hazard pointers.
 * Return: what @look returned; false if a handle is stale, the fast path can't serve the two, or the stream
 * does not belong to the current context. */
template <class Look> inline bool look_at(const void *event, const void *stream, Look look)
{
	const auto *events = Process::find<Event::Table>();
	const auto *streams = Process::find<Stream::Table>();
	if (!events || !streams) [[unlikely]]
		return false;
	Event *found = events->find(event);
	/* Only a hint: fast_path_ok() checks `plain` again when the event is held. */
	if (!found || !base::load_relaxed(found->is_plain)) [[unlikely]]
		return false;
	Stream *on = streams->find(stream);
	if (!on) [[unlikely]]
		return false;
	const HazardPair pair(found, on);
	return pair && events->is_live(*found, event) && streams->is_live(*on, stream) &&
	       is_current(*on) && fast_path_ok(*found, *on) && look(*found, *on);
}

/** look_record() - records the plain event @event on @stream. Return: whether it did. */
inline bool look_record(const void *event, const void *stream)
{
	return look_at(event, stream, [](Event &found, const Stream &on) {
		return found.record.set_narrow(on.channel->last());
	});
}

/** has_passed() - whether a wait on @stream for @event needs no packet. Context: fast_path_ok() is true. */
inline bool has_passed(const Event &event, const Stream &stream)
{
	const drv::Fence last = event.record.narrow_fence();
	return event.flags & EVENT_SYNC && !last.empty() &&
	       (last.sem == stream.channel->timeline() || stream.context->device().done(last));
}

/** passed() - whether a wait on @stream for @event certainly needs no packet. It checks fast_path_ok()
 * first. */
inline bool passed(const Event &event, const Stream &stream)
{
	return fast_path_ok(event, stream) && has_passed(event, stream);
}

/** look_wait() - whether a wait on @stream for @event certainly needs no packet. */
inline bool look_wait(const void *event, const void *stream)
{
	return look_at(event, stream, has_passed);
}

/** look_query() - whether @event is plain and its latest record is done. */
inline bool look_query(const void *event)
{
	const auto *events = Process::find<Event::Table>();
	const Event *found = events ? events->find(event) : nullptr;
	if (!found) [[unlikely]]
		return false;
	const HazardPair pair(found, found);
	if (!pair || !events->is_live(*found, event) || !found->is_plain || found->capture.load())
		[[unlikely]]
		return false;
	const drv::Fence last = found->record.narrow_fence();
	const drv::Device *device = found->device.look(pair);
	return device && !last.empty() && device->done(last);
}

} // namespace umd
