// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace fw {

/**
 * class BusyTime - time that the device spent on work, without reading the clock for each packet. It
 * sums the time of bursts that did work, minus the estimated time of their empty turns. The cost of an
 * empty turn is measured in bursts that have only empty turns.
 */
class BusyTime {
public:
	/** add() - notes a burst of @turns turns that took @ns; @empty of the turns found no work. */
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
	/* This many turns take far longer than reading the clock. */
	static constexpr unsigned FULL_BURST = 256;

	uint64_t total_ns_ = 0;
	uint64_t empty_turn_ns_ = 25;
};

} // namespace fw
