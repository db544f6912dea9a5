// SPDX-License-Identifier: MIT
/**
 * DOC: the judge: what it does when it keeps too much
 *
 * It forgets the past: from then on everyone knows everything that was. Nothing wrong follows from that, only
 * races between an access of before and one of after are missed. What is forgotten is counted, and the summary
 * of a report says so.
 */
#include "san/judge/judge.h"

namespace san {

bool Judge::is_full() const
{
	const Bounds &bounds = options_.bounds;
	return memory_.is_full() || actors_.ticks() > bounds.ticks ||
	       latches_.size() > bounds.latches || published_.size() > bounds.keys;
}

void Judge::forget_past()
{
	actors_.each_stream([this](Stream &stream) { force(stream); });
	const auto seen = actors_.forget_past();
	memory_.forget_past(seen);
	graphs_.forget_past();
	for (auto &[number, event] : events_)
		event.forget_past();
	published_.clear();
	for (auto &[number, body] : bodies_) {
		auto command = std::make_shared<Command>(*body.command);
		command->moment.seen = seen;
		body.command = std::move(command);
	}
	if (latches_.size() > options_.bounds.latches) {
		latches_.clear();
		lost_latches_ = true;
	}
	for (auto &[number, latch] : latches_)
		latch.forget_past();
}

/* Streams that are gone keep their slots until the host knows their end. */
void Judge::make_slot(Client &client)
{
	if (!actors_.has_slot(client) && !client.retired.empty())
		forget_past();
}

/* A stream that is held lets its records go, as if what it waits for had been done by the host. */
void Judge::make_room(Stream &stream)
{
	force(stream);
	if (held_parts_ > options_.bounds.held_parts)
		actors_.each_stream([this](Stream &other) { force(other); });
}

} // namespace san
