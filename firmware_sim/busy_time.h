// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fw {

/**
 * class BusyTime - how long the device did something, without a clock for each packet: the time of
 * bursts of turns that did work, less that of the empty turns among them. What an empty turn costs
 * is known from the last burst that had no other.
 */
class BusyTime {
public:
	/** add() - a burst of @turns that took @ns, @empty of them found nothing to do. */
	void add(uint64_t ns, unsigned turns, unsigned empty)
	{
		if (empty < turns) {
			uint64_t polling_ns = empty * empty_turn_ns_;
			total_ns_ += ns > polling_ns ? ns - polling_ns : 0;
		} else if (turns >= FULL_BURST) {
			empty_turn_ns_ = ns / turns;
		}
	}

	uint64_t total_ns() const { return total_ns_; }

private:
	/* So many turns outlast the reading of the clock by far. */
	static constexpr unsigned FULL_BURST = 256;

	uint64_t total_ns_ = 0;
	uint64_t empty_turn_ns_ = 25;
};

} // namespace fw
