// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "san/order/follower.h"

namespace san {

using Tick = uint64_t;

/**
 * class Clock - a vector clock: for each slot, up to which tick its work is known.
 *
 * @sum: receives how many numbers all clocks made with this counter have, or nullptr. It must outlive them.
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
 * struct Moment - a point in the life of an actor, and what it knew of other actors at that point.
 *
 * @slot, @tick: names the moment. An actor takes a new tick whenever it learns something, so the pair
 * determines @seen.
 * @seen: the clock; all moments between two joins share it. nullptr: the actor knew nothing.
 */
struct Moment {
	Slot slot = 0;
	Tick tick = 0;
	std::shared_ptr<const Clock> seen;
};

/** happens_before() - whether @a has passed when @b begins, or both are the same moment. */
inline bool happens_before(const Moment &a, const Moment &b)
{
	if (a.slot == b.slot)
		return a.tick <= b.tick;
	return b.seen && b.seen->at(a.slot) >= a.tick;
}

/** class Actor - a sequence of steps in a fixed order: a stream, or the host. (Race detectors call it a
 * thread.) */
class Actor {
public:
	/** @start: the last tick of the actor that had this slot before. @sum: counter for its clocks, see
	 * Clock. @follower: is told of joins; may be nullptr */
	explicit Actor(Slot slot = 0, Tick start = 0, size_t *sum = nullptr,
		       Follower *follower = nullptr)
		: now_{slot, start, nullptr}, sum_(sum), follower_(follower)
	{
	}

	const Moment &now() const { return now_; }
	void tick() { now_.tick++; }

	/** join() - orders the actor after @other. Return: whether the actor was not yet ordered so. */
	bool join(const Moment &other)
	{
		if (other.tick == 0)
			return false;
		if (happens_before(other, now_)) {
			if (follower_ && other.slot != now_.slot) {
				now_.tick++;
				follower_->joined(now_, other);
			}
			return false;
		}
		auto seen = now_.seen ? std::make_shared<Clock>(*now_.seen)
				      : std::make_shared<Clock>(sum_);
		if (other.seen)
			seen->join(*other.seen);
		seen->raise(other.slot, other.tick);
		now_.seen = std::move(seen);
		now_.tick++;
		if (follower_)
			follower_->joined(now_, other);
		return true;
	}

	/** learn() - replaces what the actor knows by @seen, which includes all that it knew before. */
	void learn(std::shared_ptr<const Clock> seen)
	{
		now_.seen = std::move(seen);
		now_.tick++;
	}

private:
	Moment now_;
	size_t *sum_ = nullptr;
	Follower *follower_ = nullptr;
};

} // namespace san
