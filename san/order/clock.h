// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace san {

using Tick = uint64_t;
using Slot = uint32_t;

/**
 * class Clock - a vector clock: up to which tick of each slot something is known.
 *
 * @sum: counts the numbers in all clocks that were made with it, and outlives them; or nullptr.
 */
class Clock {
public:
	explicit Clock(size_t *sum = nullptr) : sum_(sum) {}
	Clock(const Clock &other) : ticks_(other.ticks_), sum_(other.sum_) { count(ticks_.size()); }
	Clock &operator=(const Clock &) = delete;
	~Clock() { count(0 - ticks_.size()); }

	Tick at(Slot slot) const { return slot < ticks_.size() ? ticks_[slot] : 0; }

	void raise(Slot slot, Tick tick)
	{
		if (slot >= ticks_.size())
			grow(slot + 1);
		ticks_[slot] = std::max(ticks_[slot], tick);
	}

	void join(const Clock &other)
	{
		if (other.ticks_.size() > ticks_.size())
			grow(other.ticks_.size());
		for (size_t i = 0; i < other.ticks_.size(); i++)
			ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
	}

private:
	void count(size_t more)
	{
		if (sum_)
			*sum_ += more;
	}
	void grow(size_t slots)
	{
		count(slots - ticks_.size());
		ticks_.resize(slots);
	}

	std::vector<Tick> ticks_;
	size_t *sum_;
};

/**
 * struct Moment - a point in the life of an actor, and what it knew of the others then.
 *
 * @slot, @tick: names the moment. An actor takes a new tick whenever it learns something, so that the
 *	pair determines @seen.
 * @seen: shared by all moments between two joins; nullptr knows nothing.
 */
struct Moment {
	Slot slot = 0;
	Tick tick = 0;
	std::shared_ptr<const Clock> seen;
};

/** happens_before() - whether @a is over when @b begins, or is the same moment. */
inline bool happens_before(const Moment &a, const Moment &b)
{
	if (a.slot == b.slot)
		return a.tick <= b.tick;
	return b.seen && b.seen->at(a.slot) >= a.tick;
}

/** class Actor - whatever runs in an order of its own: a stream, or the host. */
class Actor {
public:
	/** @start: the last tick that another actor had in this slot. @sum: of its clocks. */
	explicit Actor(Slot slot = 0, Tick start = 0, size_t *sum = nullptr)
		: now_{slot, start, nullptr}, sum_(sum)
	{
	}

	const Moment &now() const { return now_; }
	void tick() { now_.tick++; }

	/** join() - from now on the actor is after @other. Return: whether that is new. */
	bool join(const Moment &other)
	{
		if (other.tick == 0 || happens_before(other, now_))
			return false;
		auto seen = now_.seen ? std::make_shared<Clock>(*now_.seen)
				      : std::make_shared<Clock>(sum_);
		if (other.seen)
			seen->join(*other.seen);
		seen->raise(other.slot, other.tick);
		now_.seen = std::move(seen);
		now_.tick++;
		return true;
	}

	/** learn() - from now on the actor knows @seen, which has all that it knew. */
	void learn(std::shared_ptr<const Clock> seen)
	{
		now_.seen = std::move(seen);
		now_.tick++;
	}

private:
	Moment now_;
	size_t *sum_ = nullptr;
};

} // namespace san
