// SPDX-License-Identifier: MIT
/**
 * DOC: events, latches and keys
 *
 * An event of mode EVENT_SNAPSHOT is a name for its last record: a wait takes the record by value. One of
 * mode EVENT_LATCH is a flag in the device: it stays set from a record to a reset, so a wait is after the
 * first record since the reset, and one without a record is after the next.
 */
#include "san/order/events.h"

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

void Event::forget_past()
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
	value = value_after(value, operand, op);
	posts.push_back({value, moment});
	if (posts.size() > MAX_POSTS)
		posts.pop_front();
}

static bool satisfies(uint64_t stored, uint64_t value, uint16_t flags)
{
	return (flags & LATCH_AT_LEAST) ? stored >= value : stored == value;
}

bool Latch::await(uint64_t wanted, uint16_t flags, Actor &actor)
{
	if (posts.empty())
		return false;
	if (flags & LATCH_ANY) {
		for (const Post &post : posts)
			actor.join(post.moment);
		return true;
	}
	if (flags & LATCH_CONSUME) {
		actor.join(posts.front().moment);
		posts.pop_front();
		return true;
	}
	/* The first of the posts from which on the word satisfies the wait without a break. */
	const Post *first = nullptr;
	for (auto post = posts.rbegin(); post != posts.rend(); ++post) {
		if (!satisfies(post->value, wanted, flags))
			break;
		first = &*post;
	}
	if (first)
		actor.join(first->moment);
	return first != nullptr;
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
