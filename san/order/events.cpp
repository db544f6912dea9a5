// SPDX-License-Identifier: MIT
/**
 * DOC: events, latches and keys
 *
 * An event of mode EVENT_SNAPSHOT is a name for its last record: a wait refers to the record that is the last
 * one at the call. An event of mode EVENT_LATCH is a flag in the device. The flag stays set from a record to
 * a reset. So a wait is ordered after the first record since the reset; if there is none yet, after the next
 * record.
 */
#include "san/order/events.h"

#include <algorithm>

namespace san {

static GenerationPointer make_generation(uint64_t event)
{
	auto generation = std::make_shared<Generation>();
	generation->event = event;
	return generation;
}

GenerationPointer Event::make_record(const std::shared_ptr<Command> &call)
{
	GenerationPointer generation = make_generation(number);
	generation->number = ++records;
	generation->call = call;
	return generation;
}

void Event::set(const GenerationPointer &generation)
{
	if (mode == EVENT_SNAPSHOT || !latest)
		latest = generation;
	reset = nullptr;
}

void Event::reset_history()
{
	if (latest) {
		auto call = std::make_shared<Command>(*latest->call);
		call->moment.seen = nullptr;
		const uint64_t order = latest->number;
		latest = make_generation(number);
		latest->number = order;
		latest->is_known = true;
		latest->is_consumed = true;
		latest->call = std::move(call);
	}
	reset = nullptr;
}

static uint64_t value_after(uint64_t value, uint64_t operand, uint16_t op)
{
	switch (op) {
	case SIGNAL_ADD:
		return static_cast<uint32_t>(value + operand);
	case SIGNAL_OR:
		return static_cast<uint32_t>(value | operand);
	case SIGNAL_AND:
		return static_cast<uint32_t>(value & operand);
	default:
		return operand;
	}
}

void Latch::signal(uint64_t operand, uint16_t op, const Moment &moment)
{
	if (op == SIGNAL_RESET)
		return clear(posts.size());
	value = value_after(value, operand, op);
	if (op == SIGNAL_SET && operand == 0)
		take_away(moment);
	posts.push_back({operand, op, value, moment,
			 op == SIGNAL_ADD ? std::max<uint64_t>(operand, 1) : 1});
	if (posts.size() <= MAX_POSTS)
		return;
	/* The remaining count can still end as many waits as before. These waits count as ended by the next
	 * signal. */
	const uint64_t left = posts.front().op == SIGNAL_ADD ? posts.front().left : 0;
	base = posts.front().value;
	posts.pop_front();
	posts.front().left += left;
}

void Latch::take_away(const Moment &moment)
{
	while (!posts.empty() && happens_before(posts.front().moment, moment)) {
		base = posts.front().value;
		posts.pop_front();
	}
}

static bool satisfies(uint64_t stored, uint64_t value, uint16_t flags)
{
	return (flags & LATCH_AT_LEAST) ? stored >= value : stored == value;
}

static bool changes(const Latch::Post &post)
{
	return post.op == SIGNAL_ADD || post.op == SIGNAL_OR || post.op == SIGNAL_AND;
}

size_t Latch::first_since_which(uint64_t wanted, uint16_t flags) const
{
	size_t first = posts.size();
	while (first > 0 && satisfies(posts[first - 1].value, wanted, flags))
		first--;
	return first;
}

size_t Latch::first_after_which(uint64_t wanted, uint16_t flags) const
{
	const auto is_enough = [&](const Post &post) {
		return satisfies(post.value, wanted, flags);
	};
	const auto found = std::find_if(posts.begin(), posts.end(), is_enough);
	return static_cast<size_t>(found - posts.begin());
}

void Latch::join_needed(size_t last, uint64_t wanted, uint16_t flags, Actor &actor) const
{
	size_t start = last;
	while (start > 0 && changes(posts[start]))
		start--;
	for (size_t at = start; at <= last; at++) {
		uint64_t without = start == 0 ? base : posts[start - 1].value;
		for (size_t other = start; other <= last; other++) {
			if (other != at)
				without =
					value_after(without, posts[other].operand, posts[other].op);
		}
		if (at == last || !changes(posts[at]) || !satisfies(without, wanted, flags))
			actor.join(posts[at].moment);
	}
}

void Latch::clear(size_t count)
{
	posts.erase(posts.begin(), posts.begin() + static_cast<std::ptrdiff_t>(count));
	base = 0;
	value = 0;
	for (Post &post : posts)
		value = post.value = value_after(value, post.operand, post.op);
}

bool Latch::know(uint64_t stored, Actor &actor) const
{
	size_t end = posts.size();
	while (end > 0 && posts[end - 1].value != stored)
		end--;
	if (end == 0)
		return false;
	join_needed(end - 1, stored, LATCH_EQUAL, actor);
	return true;
}

bool Latch::await(uint64_t wanted, uint16_t flags, Actor &actor)
{
	if (posts.empty())
		return false;
	if (flags & LATCH_ANY) {
		for (const Post &post : posts)
			actor.join(post.moment);
		if (flags & LATCH_CLEAR)
			clear(posts.size());
		return true;
	}
	if (flags & LATCH_CONSUME) {
		actor.join(posts.front().moment);
		if (--posts.front().left > 0)
			return true;
		base = posts.front().value;
		posts.pop_front();
		return true;
	}
	const size_t end = flags & LATCH_CLEAR ? first_after_which(wanted, flags)
					       : first_since_which(wanted, flags);
	if (end == posts.size())
		return false;
	join_needed(end, wanted, flags, actor);
	if (flags & LATCH_CLEAR)
		clear(end + 1);
	return true;
}

void Published::release(const Moment &moment)
{
	std::erase_if(moments_, [&](const Moment &old) { return happens_before(old, moment); });
	moments_.push_back(moment);
}

void Published::acquire(Actor &actor) const
{
	for (const Moment &moment : moments_)
		actor.join(moment);
}

} // namespace san
